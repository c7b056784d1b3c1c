"""Contributed parts: `mx.contrib`."""

from mxnet.contrib import autograd as autograd
from mxnet.contrib import io as io
from mxnet.contrib import ndarray as nd
from mxnet.contrib import ndarray as ndarray
from mxnet.contrib import symbol as sym
from mxnet.contrib import symbol as symbol
from mxnet.contrib import tensorboard as tensorboard
from mxnet.contrib import text as text

__all__ = ["nd", "sym"]
