"""Sequences in both forms that cells take: one array with a time axis, or a list of steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from mxnet import ndarray as nd
from mxnet import symbol
from mxnet._frontend.dialect import current_dialect, functions_for
from mxnet._state import modes
from mxnet.errors import InvalidArgumentError
from mxnet.gluon.hybrid.probing import strip_data
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol


def as_list(obj: Any) -> list[Any]:
    """Returns a list or tuple as a list, and anything else as a list of one."""
    return list(obj) if isinstance(obj, (list, tuple)) else [obj]


def format_sequence(
    length: int | None,
    inputs: NDArray | Sequence[NDArray],
    layout: str,
    merge: bool | None,
    in_layout: str | None = None,
) -> tuple[Any, int, Any, int]:
    """Converts a sequence to the wanted form.

    Args:
        length: Number of steps it must have, None for any.
        inputs: The sequence.
        layout: Axes of the merged form, `"NTC"` or `"TNC"`.
        merge: True for one array, False for a list of steps, None for the form it has.
        in_layout: Axes that a merged sequence has now, those of `layout` if not given.

    Returns:
        The sequence, its time axis, the operators for it, and the batch size.
    """
    axis, batch_axis = layout.find("T"), layout.find("N")
    in_axis = in_layout.find("T") if in_layout is not None else axis
    if axis < 0 or in_axis < 0:
        raise InvalidArgumentError(f"unroll: layout needs a time axis T, got {layout!r}")
    first = next(iter(as_list(inputs)), None)
    functions = functions_for(first)
    if isinstance(first, Symbol):
        return _format_symbols(functions, length, inputs, axis, in_axis, merge), axis, functions, 0
    if isinstance(inputs, NDArray):
        _check_length(length, inputs.shape[in_axis])
        batch_size = inputs.shape[batch_axis]
        if merge is False:
            inputs = split_steps(functions, inputs, inputs.shape[in_axis], in_axis)
        elif in_axis != axis:
            inputs = functions.swapaxes(inputs, dim1=axis, dim2=in_axis)
        return inputs, axis, functions, batch_size
    steps = list(inputs)
    _check_length(length, len(steps))
    if not steps or not isinstance(steps[0], NDArray):
        raise InvalidArgumentError(
            "unroll: inputs must be an NDArray or a list of one or more NDArrays"
        )
    batch_size = steps[0].shape[batch_axis if batch_axis < axis else batch_axis - 1]
    return (functions.stack(*steps, axis=axis) if merge else steps), axis, functions, batch_size


def _format_symbols(
    functions: ModuleType,
    length: int | None,
    inputs: Any,
    axis: int,
    in_axis: int,
    merge: bool | None,
) -> Any:
    """Converts a sequence of symbols, whose shapes are not known, to the wanted form."""
    if isinstance(inputs, Symbol) and len(inputs) == 1:
        if merge is False:
            if length is None:
                raise InvalidArgumentError(
                    "unroll: a symbol is split only into a given number of steps"
                )
            return list(functions.split(inputs, num_outputs=length, axis=in_axis, squeeze_axis=1))
        return functions.swapaxes(inputs, dim1=axis, dim2=in_axis) if in_axis != axis else inputs
    steps = list(inputs)
    _check_length(length, len(steps))
    return functions.stack(*steps, axis=axis) if merge else steps


def _check_length(expected: int | None, length: int) -> None:
    if expected is not None and expected != length:
        raise InvalidArgumentError(f"unroll: expected a sequence of {expected} steps, got {length}")


def split_steps(F: Any, data: Any, length: int, axis: int) -> list[Any]:
    """Splits an array or a symbol into its steps."""
    steps = F.split(data, num_outputs=length, axis=axis, squeeze_axis=True)
    return list(steps) if isinstance(steps, Symbol) else as_list(steps)


def mask_steps(
    F: Any, data: Any, length: int, valid_length: Any, time_axis: int, merge: bool | None
) -> Any:
    """Sets the steps beyond the length of each sequence to zero.

    Args:
        F: The operators.
        data: A sequence in either form.
        length: Number of steps.
        valid_length: Length of each sequence, of shape `(batch,)`.
        time_axis: Axis of the time in the merged form.
        merge: Whether one array is wanted, not a list of steps.
    """
    if valid_length is None:
        raise InvalidArgumentError("mask: valid_length is needed, got None")
    if isinstance(data, (list, tuple)):
        _check_length(length, len(data))
        data = F.stack(*data, axis=time_axis)
    masked = F.SequenceMask(
        data, sequence_length=valid_length, use_sequence_length=True, axis=time_axis
    )
    return masked if merge else split_steps(F, masked, length, time_axis)


def reverse_steps(
    sequences: Sequence[Any], unroll_step: int, valid_length: Any = None
) -> list[Any]:
    """Reverses a list of steps, each sequence of the batch within its own length."""
    if valid_length is None:
        return list(reversed(sequences))
    _check_length(unroll_step, len(sequences))
    functions = functions_for(sequences[0])
    stacked = functions.stack(*sequences, axis=0)
    turned = functions.SequenceReverse(
        stacked, sequence_length=valid_length, use_sequence_length=True
    )
    return split_steps(functions, turned, unroll_step, 0)


def last_steps(F: Any, all_states: Sequence[Sequence[Any]], valid_length: Any) -> list[Any]:
    """Returns each state as it was at the end of each sequence."""
    return [
        F.SequenceLast(
            F.stack(*steps, axis=0),
            sequence_length=valid_length,
            use_sequence_length=True,
            axis=0,
        )
        for steps in zip(*all_states, strict=True)
    ]


def make_state(func: Callable[..., Any], name: str, info: dict[str, Any]) -> Any:
    """Makes one state by a function such as `nd.zeros`.

    Args:
        func: The function, called with `name`, `shape` and what else `info` holds.
        name: Name of the state.
        info: Shape and options; the layout, which describes a state, is kept by symbols alone.
    """
    if func is nd.zeros and modes.np_array:
        func = current_dialect().array_functions.zeros
    keeps_layout = getattr(func, "__module__", "").startswith(symbol.__name__)
    options = {key: item for key, item in info.items() if keeps_layout or key != "__layout__"}
    state = func(name=name, **options)
    # During shape inference everything runs on arrays without data.
    return strip_data(state) if modes.probing else state


def begin_state_of(cell: Any, F: Any, begin_state: Any, inputs: Any, batch_size: int) -> Any:
    """Returns the first states of an unroll: those given, or zeros beside the inputs."""
    if begin_state is not None:
        return begin_state
    first = inputs[0] if isinstance(inputs, (list, tuple)) else inputs
    if isinstance(first, Symbol):
        return cell.begin_state(func=F.zeros)
    options = {} if first.dtype == np.float32 else {"dtype": first.dtype}
    with first.context:
        return cell.begin_state(func=F.zeros, batch_size=batch_size, **options)
