"""Parameters: single ones, dictionaries of them, and those of a tree of blocks."""

from mxnet.gluon.parameters.arrays import ArraysOf as ArraysOf
from mxnet.gluon.parameters.arrays import Replicas as Replicas
from mxnet.gluon.parameters.arrays import replacements as replacements
from mxnet.gluon.parameters.dictionary import Constant as Constant
from mxnet.gluon.parameters.dictionary import ParameterDict as ParameterDict
from mxnet.gluon.parameters.dictionary import load_values as load_values
from mxnet.gluon.parameters.dictionary import parameters_by_name as parameters_by_name
from mxnet.gluon.parameters.dictionary import save_values as save_values
from mxnet.gluon.parameters.dictionary import value_to_save as value_to_save
from mxnet.gluon.parameters.parameter import (
    DeferredInitializationError as DeferredInitializationError,
)
from mxnet.gluon.parameters.parameter import Parameter as Parameter
from mxnet.gluon.parameters.parameter import ParameterError as ParameterError
from mxnet.gluon.parameters.paths import ParametersByPath as ParametersByPath
from mxnet.gluon.parameters.paths import PathTree as PathTree
from mxnet.gluon.parameters.paths import join_parts as join_parts
from mxnet.gluon.parameters.paths import split_flat as split_flat
