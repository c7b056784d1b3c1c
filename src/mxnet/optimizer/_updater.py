"""Applies an optimizer to numbered weights, keeps their states, and saves and loads these."""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mxnet._formats import files
from mxnet.context import Context
from mxnet.errors import MXNetError
from mxnet.ndarray.ndarray import NDArray
from mxnet.optimizer._base import Optimizer
from mxnet.optimizer._state_checks import Weight as Weight
from mxnet.optimizer._state_checks import check_state, check_states, make_dense
from mxnet.optimizer._state_reader import read_states

_PROTOCOL = 4
"""What the original writes; its oldest interpreters read no later one."""


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
        self.optimizer._set_current_context(weight[0]._ctx.device_id)
        known, synced, states = self.states, self.states_synced, []
        for key, item in zip(index, weight, strict=True):
            ready = key in known and synced[key]  # the usual case, in every step
            states.append(known[key] if ready else self._state(key, item))
        self.optimizer.update_many(list(index), list(weight), list(grad), states)

    def _state(self, index: Any, weight: NDArray) -> Any:
        """Returns the state of a weight, made now or brought to where the weight is."""
        if index not in self.states:
            self.states[index] = self.optimizer.create_state_multi_precision(index, weight)
            self.states_synced[index] = True
        elif not self.states_synced[index]:
            described = Weight.of(weight, self.optimizer.idx2name.get(index, index))
            check_state(self.optimizer, index, self.states[index], described, "optimizer states")
            state = make_dense(self.states[index])
            self.states[index] = self.sync_state_context(state, weight.context)
            self.states_synced[index] = True
        return self.states[index]

    def sync_state_context(self, state: Any, context: Context) -> Any:
        """Returns a state with all its arrays on a context."""
        if isinstance(state, NDArray):
            return state.as_in_context(context)
        if isinstance(state, (tuple, list)):
            return type(state)([self.sync_state_context(part, context) for part in state])
        return state

    def get_states(self, dump_optimizer: bool = False) -> bytes:
        """Returns the states as bytes, in the original's format.

        Args:
            dump_optimizer: Whether to include the optimizer with its rates and counts.
        """
        if not dump_optimizer:
            return pickle.dumps(self.states, _PROTOCOL)
        self._warn_of_refusal()
        return pickle.dumps((self.states, self.optimizer), _PROTOCOL)

    def _warn_of_refusal(self) -> None:
        """Warns before training goes on if what is saved could not be loaded here."""
        try:
            read_states(pickle.dumps(({}, self.optimizer), _PROTOCOL), "optimizer states")
        except MXNetError as error:
            warnings.warn(
                f"the optimizer can be saved, but not loaded again: {error}", stacklevel=4
            )

    def set_states(self, states: bytes) -> None:
        """Takes states, and the optimizer if it is there, from what `get_states` gave.

        Raises:
            MXNetError: if the bytes are damaged, name anything but arrays and optimizers, or are
                the states of another optimizer; nothing has changed then.
        """
        self._take(*self._read(states, "optimizer states", {}))

    def _read(
        self, data: bytes, where: str, weights: Mapping[Any, Weight]
    ) -> tuple[dict[Any, Any], Optimizer]:
        """Reads and checks states and their optimizer, which is this one's if there is none."""
        states, optimizer = read_states(data, where)
        if optimizer is None:
            optimizer = self.optimizer
        check_states(optimizer, states, weights, where)
        return states, optimizer

    def _take(self, states: dict[Any, Any], optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.states = states
        self.states_synced = dict.fromkeys(states, False)


def get_updater(optimizer: Optimizer) -> Updater:
    """Makes the function `(index, grad, weight)` that updates weights by an optimizer."""
    return Updater(optimizer)


class UnsavableStateError(MXNetError, pickle.PicklingError):
    """An optimizer or a state has a part that cannot be written to a file."""


def save_states(
    updater: Updater, fname: str | os.PathLike[str], *, dump_optimizer: bool = False
) -> None:
    """Writes the states of an updater to a file, in the original's format.

    Args:
        updater: The updater.
        fname: Path of the file.
        dump_optimizer: Whether to include the optimizer with its rates and counts.

    Raises:
        UnsavableStateError: if something in the optimizer cannot be pickled.
        OSError: if the file cannot be written.
    """
    try:
        content = updater.get_states(dump_optimizer)
    except (pickle.PicklingError, AttributeError, RecursionError, TypeError) as error:
        raise UnsavableStateError(
            f"{os.fspath(fname)}: the states cannot be saved: {error}"
        ) from error
    with _naming(fname):
        files.write_atomically(fname, [content])


def load_states(
    updaters: Sequence[Updater], fname: str | os.PathLike[str], weights: Mapping[Any, Weight]
) -> None:
    """Loads the states in a file into all of some updaters, or into none.

    Args:
        updaters: The updaters; each gets arrays of its own.
        fname: Path of the file.
        weights: Weights by index, as far as they are known.

    Raises:
        MXNetError: if the file is damaged, or the states do not fit the weights.
        OSError: if the file cannot be read.
    """
    with _naming(fname):
        content = files.read_saved(fname)
    loaded = [updater._read(content, os.fspath(fname), weights) for updater in updaters]
    for updater, (states, optimizer) in zip(updaters, loaded, strict=True):
        updater._take(states, optimizer)


@contextmanager
def _naming(fname: str | os.PathLike[str]) -> Iterator[None]:
    """Has errors of the system name the file, not a temporary one or none."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(fname)) from error
