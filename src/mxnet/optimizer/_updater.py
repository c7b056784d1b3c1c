"""Applies an optimizer to numbered weights and keeps their states."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

from mxnet import _safe_pickle
from mxnet.context import Context
from mxnet.errors import FileFormatError
from mxnet.lr_scheduler import LRScheduler
from mxnet.ndarray.ndarray import NDArray
from mxnet.ndarray.sparse import CSRNDArray, RowSparseNDArray
from mxnet.optimizer._base import Optimizer


class Updater:
    """Updates weights by an optimizer, whose states it makes as weights come.

    Args:
        optimizer: The optimizer.

    Example:
        >>> import mxnet as mx
        >>> updater = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5))
        >>> weight = mx.nd.array([1, 2])
        >>> updater(0, mx.nd.ones(2), weight)
        >>> print(weight.asnumpy())
        [0.5 1.5]
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.states: dict[Any, Any] = {}
        self.states_synced: dict[Any, bool] = {}
        self.aggregate_updates = optimizer.aggregate_num > 0

    def __call__(self, index: Any, grad: Any, weight: Any) -> None:
        """Updates a weight by its gradient, or a list of weights by theirs."""
        if not isinstance(index, (list, tuple)):
            self.optimizer._set_current_context(weight.context.device_id)
            state = self._state(index, weight)
            self.optimizer.update_multi_precision(index, weight, grad, state)
            return
        if not index:
            return
        self.optimizer._set_current_context(weight[0].context.device_id)
        states = [self._state(*item) for item in zip(index, weight, strict=True)]
        self.optimizer.update_many(list(index), list(weight), list(grad), states)

    def _state(self, index: Any, weight: NDArray) -> Any:
        """Gives the state of a weight, made now or brought to where the weight is."""
        if index not in self.states:
            self.states[index] = self.optimizer.create_state_multi_precision(index, weight)
            self.states_synced[index] = True
        elif not self.states_synced[index]:
            self.states[index] = self.sync_state_context(self.states[index], weight.context)
            self.states_synced[index] = True
        return self.states[index]

    def sync_state_context(self, state: Any, context: Context) -> Any:
        """Gives a state with all its arrays on a context."""
        if isinstance(state, NDArray):
            return state.as_in_context(context)
        if isinstance(state, (tuple, list)):
            return type(state)([self.sync_state_context(part, context) for part in state])
        return state

    def get_states(self, dump_optimizer: bool = False) -> bytes:
        """Gives the states as bytes, in the original's format.

        Args:
            dump_optimizer: Whether to include the optimizer with its rates and counts.
        """
        return pickle.dumps((self.states, self.optimizer) if dump_optimizer else self.states)

    def set_states(self, states: bytes) -> None:
        """Takes states, and the optimizer if it is there, from what `get_states` gave.

        Raises:
            MXNetError: if the bytes are damaged or name anything but arrays and optimizers.
        """
        loaded = _safe_pickle.loads(states, "optimizer states", _find)
        optimizer = self.optimizer
        if isinstance(loaded, tuple) and len(loaded) == 2:
            loaded, optimizer = loaded
        for item, kind in ((loaded, dict), (optimizer, Optimizer)):
            if not isinstance(item, kind):
                raise FileFormatError(
                    f"optimizer states: expected a {kind.__name__}, got {type(item).__name__}"
                )
        self.optimizer = optimizer
        self.states = loaded
        self.states_synced = dict.fromkeys(loaded, False)


def get_updater(optimizer: Optimizer) -> Updater:
    """Makes the function `(index, grad, weight)` that updates weights by an optimizer."""
    return Updater(optimizer)


_ARRAYS = {(cls.__module__, cls.__name__): cls for cls in (NDArray, RowSparseNDArray, CSRNDArray)}


def _find(module: str, name: str) -> Any:
    """Gives the classes that a file of states may name."""
    if (module, name) in _ARRAYS:
        return _ARRAYS[module, name]
    if (module, name) == ("mxnet.context", "Context"):
        return Context
    if module == "mxnet.optimizer" or module.startswith("mxnet.optimizer."):
        # By name alone: later versions have the same classes in modules of their own.
        return Optimizer.opt_registry.get(name.lower())
    for kind in (*Optimizer.opt_registry.values(), *_subclasses(LRScheduler)):
        if (kind.__module__, kind.__qualname__) == (module, name):
            return kind
    return None


def _subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    below: type[Any]
    for below in kind.__subclasses__():
        yield below
        yield from _subclasses(below)
