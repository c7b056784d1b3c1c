"""Checks that the states of weights are those that an optimizer makes for such weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch

from mxnet._arrays.array import Array
from mxnet._formats import element_types
from mxnet.context import CPU0
from mxnet.errors import FileFormatError, MXNetError
from mxnet.ndarray.ndarray import NDArray
from mxnet.ndarray.sparse import BaseSparseNDArray
from mxnet.optimizer._base import Optimizer


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
