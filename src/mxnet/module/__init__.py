"""Modules: networks of symbols with their parameters, which are trained and predict."""

from mxnet.module import base_module as base_module
from mxnet.module import bucketing_module as bucketing_module
from mxnet.module import executor_group as executor_group
from mxnet.module import module as module
from mxnet.module import python_module as python_module
from mxnet.module import sequential_module as sequential_module
from mxnet.module.base_module import BaseModule as BaseModule
from mxnet.module.bucketing_module import BucketingModule as BucketingModule
from mxnet.module.module import Module as Module
from mxnet.module.python_module import PythonLossModule as PythonLossModule
from mxnet.module.python_module import PythonModule as PythonModule
from mxnet.module.sequential_module import SequentialModule as SequentialModule
