"""Executors: symbols bound to arrays, which compute outputs and gradients."""

from mxnet.executor import _bind as _bind
from mxnet.executor._executor import Executor as Executor

__all__ = ["Executor"]
