"""Operators of the NumPy dialect that insert or delete elements along an axis."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import ArgumentValueError, IndexOutOfBoundsError
from mxnet.ops.attrs import Number
from mxnet.ops.registry import op
from mxnet.ops.scalars import as_element, as_positions


def _along(arr: Tensor, axis: int | None) -> tuple[Tensor, int]:
    """Returns the array and a positive axis; without an axis, the flattened array."""
    if axis is None:
        return arr.reshape(-1), 0
    if not -arr.ndim <= axis < arr.ndim:
        raise ArgumentValueError(f"axis {axis} is not one of the {arr.ndim} axes of the array")
    return arr, axis % arr.ndim


def _delete_inputs(*, step: int | None, int_ind: int | None, **_: object) -> tuple[str, ...]:
    return ("arr", "obj") if step is None and int_ind is None else ("arr",)


@op("_npi_delete", any_dtype=("obj",), active_inputs=_delete_inputs)
def delete(
    arr: Tensor,
    obj: Tensor | None = None,
    *,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> Tensor:
    """Leaves elements or slices along an axis out.

    Args:
        arr: Input array.
        obj: Positions to leave out, those outside of the axis are ignored; absent if an index or
            a range is given.
        start: Start of a range of positions.
        stop: End of the range.
        step: Step of the range, which has to be given.
        int_ind: A single position, which may be negative.
        axis: The axis; by default the array is flattened first.
    """
    arr, axis = _along(arr, axis)
    size = arr.shape[axis]
    if obj is not None:
        positions = as_positions(obj).reshape(-1)
        left_out = positions[(positions >= 0) & (positions < size)]
        kept = torch.ones(size, dtype=torch.bool, device=arr.device).index_fill(0, left_out, False)
        return arr.index_select(axis, kept.nonzero().squeeze(1))
    named = _named_range(size, start, stop, step, int_ind)
    if named.step == 1:
        before = arr.narrow(axis, 0, named.start)
        return torch.cat([before, arr.narrow(axis, named.stop, size - named.stop)], axis)
    kept = torch.ones(size, dtype=torch.bool)
    kept[named.start : named.stop : named.step] = False
    return arr.index_select(axis, kept.nonzero().squeeze(1).to(arr.device))


def _named_range(
    size: int, start: int | None, stop: int | None, step: int | None, int_ind: int | None
) -> range:
    """Returns the positions along an axis that an index or a range names, in ascending order."""
    if int_ind is None:
        named = range(*slice(start, stop, step).indices(size)) or range(0)
        return named if named.step > 0 else named[::-1]
    if not -size <= int_ind < size:
        raise IndexOutOfBoundsError(
            f"_npi_delete: expected an index of an axis of size {size}, got {int_ind}"
        )
    return range(int_ind % size, int_ind % size + 1)


def _prepare_values(arr: Tensor, values: Tensor, axis: int, *, single: bool) -> Tensor:
    """Returns values with all axes of the array and its type.

    Args:
        arr: Array into which they go.
        values: The values.
        axis: Axis along which they go in.
        single: Whether a single index names the position; the first axis of the values is then
            the one that is inserted.
    """
    if values.ndim > arr.ndim:
        raise ArgumentValueError(
            f"expected values of at most {arr.ndim} axes, got shape {tuple(values.shape)}"
        )
    values = values.reshape((1,) * (arr.ndim - values.ndim) + values.shape).to(arr.dtype)
    return values.movedim(0, axis) if single else values


def _check_position(op_name: str, size: int, position: int) -> None:
    if not -size <= position <= size:
        raise IndexOutOfBoundsError(
            f"{op_name}: expected positions from {-size} to {size}, got {position}"
        )


def _insert(arr: Tensor, values: Tensor, positions: Tensor, axis: int) -> Tensor:
    """Inserts values before positions along an axis.

    Args:
        arr: The array.
        values: Values with all axes of the array.
        positions: Position for each of the values along the axis, or one for all; negative ones
            count from the end.
        axis: The axis.
    """
    size = arr.shape[axis]
    count = values.shape[axis] if len(positions) == 1 else len(positions)
    shape = (*arr.shape[:axis], count, *arr.shape[axis + 1 :])
    positions = torch.where(positions < 0, positions + size, positions).expand(count)
    # Sorted by these keys, what is inserted stands just before the element at its position.
    keys = torch.cat([2 * torch.arange(size, device=arr.device) + 1, 2 * positions])
    order = keys.argsort(stable=True)
    return torch.cat([arr, values.expand(shape)], axis).index_select(axis, order)


def _single_inputs(*, val: float | None, **_: object) -> tuple[str, ...]:
    return ("arr", "values") if val is None else ("arr",)


def _values_or_number(arr: Tensor, values: Tensor | None, val: Number | None) -> Tensor:
    """Returns the values that are given, or an array of the number that is."""
    if values is not None:
        return values
    if val is None:
        raise ArgumentValueError("expected values to insert, got none")
    return arr.new_full((), as_element(val, arr.dtype))


@op("_npi_insert_scalar", any_dtype=("values",), active_inputs=_single_inputs)
def insert_scalar(
    arr: Tensor,
    values: Tensor | None = None,
    *,
    val: Number | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> Tensor:
    """Inserts values before one position.

    Args:
        arr: Input array.
        values: Values, whose first axis is inserted; absent if a number is given.
        val: A number to insert.
        start: Not used.
        stop: Not used.
        step: Not used.
        int_ind: The position, which may be negative.
        axis: The axis; by default the array is flattened first.
    """
    del start, stop, step
    if int_ind is None:
        raise ArgumentValueError("_npi_insert_scalar: attribute `int_ind` is not given")
    arr, axis = _along(arr, axis)
    _check_position("_npi_insert_scalar", arr.shape[axis], int_ind)
    values = _prepare_values(arr, _values_or_number(arr, values, val), axis, single=True)
    return _insert(arr, values, torch.full((1,), int_ind, device=arr.device), axis)


@op("_npi_insert_slice", any_dtype=("values",), active_inputs=_single_inputs)
def insert_slice(
    arr: Tensor,
    values: Tensor | None = None,
    *,
    val: Number | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> Tensor:
    """Inserts values before the positions of a range.

    Args:
        arr: Input array.
        values: Values, one along the axis for each position or one for all; absent if a number
            is given.
        val: A number to insert.
        start: Start of the range.
        stop: End of the range.
        step: Step of the range.
        int_ind: Not used.
        axis: The axis; by default the array is flattened first.
    """
    del int_ind
    arr, axis = _along(arr, axis)
    values = _prepare_values(arr, _values_or_number(arr, values, val), axis, single=False)
    named = range(*slice(start, stop, step).indices(arr.shape[axis]))
    positions = torch.arange(len(named), device=arr.device) * named.step + named.start
    return _insert(arr, values, positions, axis)


def _tensor_inputs(*, val: float | None, **_: object) -> tuple[str, ...]:
    return ("arr", "values", "obj") if val is None else ("arr", "obj")


@op("_npi_insert_tensor", any_dtype=("values", "obj"), active_inputs=_tensor_inputs)
def insert_tensor(
    arr: Tensor,
    values: Tensor | None = None,
    obj: Tensor | None = None,
    *,
    val: Number | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> Tensor:
    """Inserts values before positions that an array names.

    Args:
        arr: Input array.
        values: Values, one along the axis for each position or one for all; absent if a number
            is given.
        obj: The positions, int64, which may be negative; a vector, or a scalar for a single one.
        val: A number to insert.
        start: Not used.
        stop: Not used.
        step: Not used.
        int_ind: Not used.
        axis: The axis; by default the array is flattened first.
    """
    del start, stop, step, int_ind
    if obj is None or obj.ndim > 1 or obj.dtype is not torch.int64:
        raise ArgumentValueError(
            "_npi_insert_tensor: expected positions as a vector or scalar of int64, got "
            f"{None if obj is None else (tuple(obj.shape), obj.dtype)}"
        )
    arr, axis = _along(arr, axis)
    if obj.numel() and not obj.is_meta:
        for limit in obj.aminmax():
            _check_position("_npi_insert_tensor", arr.shape[axis], int(limit))
    single = obj.ndim == 0
    values = _prepare_values(arr, _values_or_number(arr, values, val), axis, single=single)
    return _insert(arr, values, obj.reshape(-1), axis)
