"""Executors: symbols bound to arrays, which compute outputs and gradients."""

from mxnet.executor import _bind as _bind
from mxnet.executor._executor import Executor as Executor

__all__ = ["Executor"]

Executor.__module__ = __name__  # where programs find it, as in the original
