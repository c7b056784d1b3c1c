"""Executors: symbols bound to arrays, which compute outputs and gradients."""

from mxnet.base import c_str_array as c_str_array
from mxnet.executor import _bind as _bind
from mxnet.executor._executor import Executor as Executor
from mxnet.ndarray import NDArray as NDArray

__all__ = ["Executor"]

Executor.__module__ = __name__  # where programs find it, as in the original
