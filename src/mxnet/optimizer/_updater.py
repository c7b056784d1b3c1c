"""Applies an optimizer to numbered weights, keeps their states, and saves and loads these.

States that are loaded or set are checked to be those that the optimizer makes for such weights.
"""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch

from mxnet._arrays.array import Array
from mxnet._formats import element_types, files
from mxnet._start import level_of_program
from mxnet.context import CPU0, Context
from mxnet.errors import FileFormatError, MXNetError
from mxnet.ndarray.ndarray import NDArray
from mxnet.ndarray.sparse import BaseSparseNDArray
from mxnet.optimizer._base import Optimizer
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
                f"the optimizer can be saved, but not loaded again: {error}",
                stacklevel=level_of_program(),
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
    """Makes the function `(index, grad, weight)` that updates weights by an optimizer.

    Args:
        optimizer: The optimizer; the function keeps its state for each weight.

    Example:
        >>> import mxnet as mx
        >>> update = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.1))
        >>> weight = mx.nd.array([2, 3])
        >>> update(0, mx.nd.array([10, -10]), weight)
        >>> print(weight.asnumpy())
        [1. 4.]
    """
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


class Weight(NamedTuple):
    """What is known of a weight before its state is used."""

    name: str
    shape: tuple[int, ...]
    dtype: torch.dtype

    @classmethod
    def of(cls, array: Any, name: object) -> Weight:
        """Describes an array."""
        dtype = (
            array._parts[0].dtype if isinstance(array, BaseSparseNDArray) else array._plain.dtype
        )
        return cls(str(name), tuple(array.shape), dtype)


def check_states(
    optimizer: Optimizer, states: Mapping[Any, Any], weights: Mapping[Any, Weight], where: str
) -> None:
    """Raises unless an optimizer could have made the states.

    Optimizers of a program may keep what they like. States of weights that are not known yet are
    checked in their form alone; `check_state` sees them again when their weights come.

    Args:
        optimizer: The optimizer that is to use the states.
        states: States by index.
        weights: Weights by index, as far as they are known.
        where: Where the states are from, for messages.

    Raises:
        FileFormatError: if a state is of another form, shape or dtype.
    """
    if not _makes_known_states(optimizer):
        return
    forms = [_form(_make_state(optimizer, "", _UNKNOWN))]
    if optimizer.multi_precision:
        forms.append(_form(_make_state(optimizer, "", _UNKNOWN._replace(dtype=torch.float16))))
    for index, state in states.items():
        if index in weights:
            check_state(optimizer, index, state, weights[index], where)
        elif not any(_fits(_form(state), form) for form in forms):
            name = optimizer.idx2name.get(index, index)
            raise _mismatch(optimizer, name, " or ".join(forms), _form(state), where)


def check_state(optimizer: Optimizer, index: Any, state: Any, weight: Weight, where: str) -> None:
    """Raises unless an optimizer could have made the state of a weight; see `check_states`."""
    if not _makes_known_states(optimizer):
        return
    try:
        expected = _make_state(optimizer, index, weight)
    except MXNetError:
        return  # the optimizer does not take such a weight, and says so in its step
    if not _is_like(state, expected, weight):
        raise _mismatch(optimizer, weight.name, _describe(expected), _describe(state), where)


def make_dense(state: Any) -> Any:
    """Returns a state with dense arrays, which steps change in place, for the original's sparse."""
    if isinstance(state, BaseSparseNDArray):
        return state.tostype("default")
    if isinstance(state, (tuple, list)):
        return type(state)(make_dense(part) for part in state)
    return state


_UNKNOWN = Weight("", (1, 1), torch.float32)


def _makes_known_states(optimizer: Optimizer) -> bool:
    """Returns whether making a state has no effect but the state."""
    cls = type(optimizer)
    return (
        cls.create_state.__module__.startswith("mxnet.optimizer.")
        and cls.create_state_multi_precision is Optimizer.create_state_multi_precision
    )


def _make_state(optimizer: Optimizer, index: Any, weight: Weight) -> Any:
    """Makes the state of a weight, of arrays without memory."""
    stand_in = _stand_in(weight.shape, weight.dtype)
    if not optimizer._keeps_master(stand_in):
        return optimizer.create_state(index, stand_in)
    master = _stand_in(weight.shape, torch.float32)
    return optimizer._join_master(master, optimizer.create_state(index, master))


def _stand_in(shape: tuple[int, ...], dtype: torch.dtype) -> NDArray:
    return NDArray._wrap(torch.empty(shape, dtype=dtype, device="meta"), CPU0)


def _is_like(state: Any, expected: Any, weight: Weight) -> bool:
    """Compares two states; a list can stand for a tuple."""
    if isinstance(expected, (tuple, list)):
        return (
            isinstance(state, (tuple, list))
            and len(state) == len(expected)
            and all(_is_like(*pair, weight) for pair in zip(state, expected, strict=True))
        )
    if expected is None:  # a program may set the momentum to 0 and go on, in the original too
        return state is None or (isinstance(state, NDArray) and state.shape == weight.shape)
    return isinstance(state, Array) and Weight.of(state, "") == Weight.of(expected, "")


def _form(state: Any) -> str:
    """Returns the form of a state: of what it consists, whatever the shapes."""
    if state is None:
        return "None"
    if isinstance(state, Array):
        return "an array"
    if isinstance(state, (tuple, list)) and len(state) < 10:
        return f"({', '.join(map(_form, state))})"
    return f"a {type(state).__name__}"


def _fits(form: str, expected: str) -> bool:
    return form == expected or form.replace("an array", "None") == expected


def _describe(state: Any) -> str:
    if isinstance(state, Array):
        _, shape, dtype = Weight.of(state, "")
        return f"an array {shape} of {element_types.name_of(dtype)}"
    if isinstance(state, (tuple, list)) and len(state) < 10:
        return f"({', '.join(map(_describe, state))})"
    return _form(state)


def _mismatch(
    optimizer: Optimizer, name: object, expected: str, actual: str, where: str
) -> FileFormatError:
    return FileFormatError(
        f"{where}: state of parameter {str(name)[:80]!r}: {type(optimizer).__name__} expects "
        f"{expected}, got {actual}; the states are those of another optimizer or network"
    )
