"""Operators of the NumPy dialect that insert, delete, pad, sort, choose or replace elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet._formats.element_types import name_of
from mxnet.errors import ArgumentValueError, IndexOutOfBoundsError, MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Number, ShapeTuple
from mxnet.ops.core.devices import is_captured
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import as_element, as_positions
from mxnet.ops.core.traits import SAME_SHAPE, Fusion, Shapes, Traits

_OF_VALUES = Traits(shapes=Shapes(of_values=True))


def _along(arr: Tensor, axis: int | None) -> tuple[Tensor, int]:
    """Returns the array and a positive axis; without an axis, the flattened array."""
    if axis is None:
        return arr.reshape(-1), 0
    if not -arr.ndim <= axis < arr.ndim:
        raise ArgumentValueError(f"axis {axis} is not one of the {arr.ndim} axes of the array")
    return arr, axis % arr.ndim


def _delete_inputs(*, step: int | None, int_ind: int | None, **_: object) -> tuple[str, ...]:
    return ("arr", "obj") if step is None and int_ind is None else ("arr",)


@op(
    "_npi_delete",
    any_dtype=("obj",),
    active_inputs=_delete_inputs,
    traits=Traits(shapes=Shapes(of_values=True)),
)
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
    places = torch.arange(size - len(named), device=arr.device)
    skipped = (places - named.start).div(named.step - 1, rounding_mode="floor") + 1
    return arr.index_select(axis, places + skipped.clamp(0, len(named)))


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
    if obj is None or obj.ndim > 1 or obj.dtype is not torch.int64:
        raise ArgumentValueError(
            "_npi_insert_tensor: expected positions as a vector or scalar of int64, got "
            f"{None if obj is None else (tuple(obj.shape), obj.dtype)}"
        )
    arr, axis = _along(arr, axis)
    if obj.numel() and not (obj.is_meta or is_captured(obj)):
        for limit in obj.aminmax():
            _check_position("_npi_insert_tensor", arr.shape[axis], int(limit))
    single = obj.ndim == 0
    values = _prepare_values(arr, _values_or_number(arr, values, val), axis, single=single)
    return _insert(arr, values, obj.reshape(-1), axis)


PadMode: TypeAlias = Literal["constant", "edge", "maximum", "minimum", "reflect", "symmetric"]


def _widths(data: Tensor, pad_width: ShapeTuple) -> ShapeTuple:
    """Returns the widths before and after each axis.

    Those of a vector may be two numbers, each of which is read as a tuple of one.
    """
    if data.ndim == 1 and len(pad_width) == 2 and all(len(item) == 1 for item in pad_width):
        pad_width = ((pad_width[0][0], pad_width[1][0]),)
    if len(pad_width) != data.ndim or any(len(item) != 2 or min(item) < 0 for item in pad_width):
        raise ArgumentValueError(
            f"_npi_pad: expected two widths for each of {data.ndim} axes, got {pad_width}"
        )
    return pad_width


def _edge(positions: Tensor, size: int) -> Tensor:
    return positions.clamp(0, size - 1)


def _reflected(positions: Tensor, size: int) -> Tensor:
    period = max(2 * (size - 1), 1)
    positions = positions.remainder(period)
    return torch.minimum(positions, period - positions) if size > 1 else positions


def _symmetric(positions: Tensor, size: int) -> Tensor:
    positions = positions.remainder(2 * size)
    return torch.minimum(positions, 2 * size - 1 - positions)


_SOURCES: dict[str, Callable[[Tensor, int], Tensor]] = {
    "edge": _edge,
    "reflect": _reflected,
    "symmetric": _symmetric,
}
"""Which element stands at a position, which may lie outside of the axis."""


def _pad_axis(data: Tensor, axis: int, before: int, after: int, mode: str) -> Tensor:
    """Pads one axis with elements of the array itself."""
    size = data.shape[axis]
    if size == 0:
        raise MXNetError(f"_npi_pad: mode {mode!r} has nothing to repeat along an empty axis")
    if mode in _SOURCES:
        positions = torch.arange(-before, size + after, device=data.device)
        return data.index_select(axis, _SOURCES[mode](positions, size))
    extreme = (data.amax if mode == "maximum" else data.amin)(axis, keepdim=True)
    sides = [
        extreme.expand(*data.shape[:axis], width, *data.shape[axis + 1 :])
        for width in (before, after)
    ]
    return torch.cat([sides[0], data, sides[1]], axis)


@op("_npi_pad")
def np_pad(
    data: Tensor,
    *,
    pad_width: ShapeTuple,
    mode: PadMode = "constant",
    constant_value: Number = 0.0,
    reflect_type: str = "even",
) -> Tensor:
    """Puts a border around an array.

    Args:
        data: Input array.
        pad_width: Widths before and after each axis.
        mode: Fills the border with a constant, the nearest element, the largest or smallest
            element along the axis, or the mirror image without or with ("symmetric") the edge.
        constant_value: Value of a constant border.
        reflect_type: Must be "even".
    """
    widths = _widths(data, pad_width)
    if reflect_type != "even":
        raise MXNetError(f"_npi_pad: expected reflect_type 'even', got {reflect_type!r}")
    border = zip(data.shape, widths, strict=True)
    check_like("_npi_pad", [size + sum(pair) for size, pair in border], data)
    if mode == "constant":
        flat = [width for pair in reversed(widths) for width in pair]
        return F.pad(data, flat, value=as_element(constant_value, data.dtype))
    for axis, (before, after) in enumerate(widths):
        if before or after:
            data = _pad_axis(data, axis, before, after, mode)
    return data


def _count_results(
    *, return_index: bool, return_inverse: bool, return_counts: bool, **_: object
) -> int:
    return 1 + return_index + return_inverse + return_counts


@op(
    "_npi_unique",
    num_outputs=_count_results,
    differentiable=False,
    traits=Traits(shapes=Shapes(of_values=True)),
)
def unique(
    data: Tensor,
    *,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> tuple[Tensor, ...]:
    """Returns the different elements in ascending order, or the different slices along an axis.

    Args:
        data: Input array.
        return_index: Whether to return where each of them is found first, too.
        return_inverse: Whether to return the number of each element in the result, too.
        return_counts: Whether to return how often each of them is found, too.
        axis: Axis of the slices; by default the array is flattened.
    """
    if axis is not None and not -data.ndim <= axis < data.ndim:
        raise ArgumentValueError(
            f"_npi_unique: axis {axis} is not one of the {data.ndim} axes of the array"
        )
    data = data.detach()  # torch has no derivative of it, not even for what is not differentiated
    if axis is None or data.numel() == 0:
        data, axis = data.reshape(-1), 0
        found, inverse, counts = torch._unique2(data, return_inverse=True, return_counts=True)
    else:
        found, inverse, counts = torch.ops.aten.unique_dim(data, axis, True, True, True)
    results = [found]
    if return_index:
        positions = torch.arange(len(inverse), device=data.device)
        first = positions.new_full((found.shape[axis],), len(inverse))
        results.append(first.scatter_reduce(0, inverse, positions, "amin"))
    results += [inverse] if return_inverse else []
    results += [counts] if return_counts else []
    return tuple(results)


@op("_npi_where", any_dtype=("condition",), traits=Traits(role="selection"))
def where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Picks from `x` where the condition is not zero and from `y` elsewhere.

    Args:
        condition: The condition; the three arrays broadcast.
        x: Values where the condition holds.
        y: Values where it does not.
    """
    return torch.where(condition != 0, x, y)


def _pick(condition: Tensor, array: Tensor, number: Number, *, is_first: bool) -> Tensor:
    """Picks from an array or a number, which is converted to an element of the array."""
    hit = condition != 0
    # A tensor of one element: torch would promote the array beside a number of another kind.
    filled = array.new_full((), as_element(number, array.dtype))
    return torch.where(hit, filled, array) if is_first else torch.where(hit, array, filled)


@op(
    "_npi_where_lscalar",
    any_dtype=("condition",),
    traits=Traits(fusion=Fusion(replaces=lambda *, scalar, **_: (True, float(scalar)))),
)
def where_lscalar(condition: Tensor, x: Tensor, *, scalar: Number = 0.0) -> Tensor:
    """Picks a number where the condition is not zero and from an array elsewhere.

    Args:
        condition: The condition, which broadcasts with the array.
        x: Values where the condition does not hold.
        scalar: The number, converted to the type of the array.
    """
    return _pick(condition, x, scalar, is_first=True)


@op(
    "_npi_where_rscalar",
    any_dtype=("condition",),
    traits=Traits(fusion=Fusion(replaces=lambda *, scalar, **_: (False, float(scalar)))),
)
def where_rscalar(condition: Tensor, y: Tensor, *, scalar: Number = 0.0) -> Tensor:
    """Picks from an array where the condition is not zero and a number elsewhere.

    Args:
        condition: The condition, which broadcasts with the array.
        y: Values where the condition holds.
        scalar: The number, converted to the type of the array.
    """
    return _pick(condition, y, scalar, is_first=False)


@op("_npi_where_scalar2", differentiable=False, traits=Traits(shapes=SAME_SHAPE))
def where_scalar2(condition: Tensor, *, x: float = 0.0, y: float = 0.0) -> Tensor:
    """Picks one number where the condition is not zero and another elsewhere, as float32.

    Args:
        condition: The condition.
        x: Number where it holds.
        y: Number where it does not.
    """
    result = torch.full_like(condition, y, dtype=torch.float32)
    return result.masked_fill_(condition != 0, x)


@op(
    "_npx_nonzero",
    aliases=("_npi_nonzero",),
    differentiable=False,
    traits=Traits(shapes=Shapes(of_values=True)),
)
def nonzero(x: Tensor) -> Tensor:
    """Returns the coordinates of the elements that are not zero, one row for each.

    Args:
        x: Input array; a scalar counts as a vector of one element.
    """
    return (x if x.ndim else x.reshape(1)).nonzero()


def _full_mask(op_name: str, data: Tensor, mask: Tensor, start_axis: int) -> Tensor:
    """Returns a mask of truth values that has all axes of the data up to its own last one."""
    end = start_axis + mask.ndim
    if not 0 <= start_axis <= data.ndim or data.shape[start_axis:end] != mask.shape:
        raise MXNetError(
            f"{op_name}: expected a mask of the shape of axes from {start_axis} on of "
            f"{tuple(data.shape)}, got {tuple(mask.shape)}"
        )
    return (mask != 0).expand(data.shape[:end])


@op(
    "_npi_boolean_mask_assign_scalar",
    any_dtype=("mask",),
    traits=Traits(shapes=Shapes(same=("data",))),
)
def boolean_mask_assign_scalar(
    data: Tensor, mask: Tensor, *, value: Number = 0.0, start_axis: int = 0
) -> Tensor:
    """Copies an array with a number in place of what a mask names.

    Args:
        data: Array to copy.
        mask: Mask of some axes of the array; elements that are not zero name what is replaced.
        value: The number, converted to the type of the array.
        start_axis: First of the axes that the mask has.
    """
    hit = _full_mask("_npi_boolean_mask_assign_scalar", data, mask, start_axis)
    hit = hit.reshape(hit.shape + (1,) * (data.ndim - hit.ndim))
    return data.masked_fill(hit, as_element(value, data.dtype))


@op(
    "_npi_boolean_mask_assign_tensor",
    any_dtype=("mask",),
    traits=Traits(shapes=Shapes(same=("data",))),
)
def boolean_mask_assign_tensor(
    data: Tensor, mask: Tensor, value: Tensor, *, start_axis: int = 0
) -> Tensor:
    """Copies an array with the elements of another in place of what a mask names.

    Args:
        data: Array to copy.
        mask: Mask of some axes of the array; elements that are not zero name what is replaced.
        value: New elements, which broadcast to the shape of `data[mask]`.
        start_axis: First of the axes that the mask has.
    """
    hit = _full_mask("_npi_boolean_mask_assign_tensor", data, mask, start_axis)
    if data.is_meta:
        return data.clone()
    if mask.ndim and is_captured(data):
        return _assign_in_order(data, mask != 0, value, start_axis)
    if start_axis == 0 and mask.ndim:
        return data.index_put((hit,), value)
    if not mask.ndim:  # it names all elements, or none
        return torch.where(hit, value.reshape(value.shape[value.ndim - data.ndim :]), data)
    # The mask names positions along its own axes, in the same order at each place before them.
    result = data.clone()
    result[(slice(None),) * start_axis + (mask != 0).nonzero().unbind(-1)] = value
    return result


def _assign_in_order(data: Tensor, mask: Tensor, value: Tensor, start_axis: int) -> Tensor:
    """Assigns the values one after the other to what a mask names, without asking how many.

    Args:
        data: Array to copy.
        mask: Truth values, along axes of the array.
        value: New elements, which broadcast to the shape of `data[mask]`.
        start_axis: First of the axes that the mask has.
    """
    rest = data.shape[start_axis + mask.ndim :]
    flat = data.reshape(*data.shape[:start_axis], -1, *rest)
    value = value.reshape((1,) * (flat.ndim - value.ndim) + value.shape[-flat.ndim :])
    count = value.shape[start_axis]
    if not count:  # then the mask names nothing
        return data.clone()
    places = (mask.reshape(-1).cumsum(0) - 1).clamp(0, count - 1)
    picked = value.index_select(start_axis, places)
    hit = mask.reshape(-1, *[1] * len(rest))
    return torch.where(hit, picked.to(data.dtype), flat).reshape(data.shape)


def _selected(name: str, a: Tensor, ind: Tensor, val: Tensor) -> tuple[tuple[Tensor, ...], Tensor]:
    """Returns indices for the first axes of an array, and values in the shape that they select."""
    if ind.is_floating_point() and not ind.is_meta:  # shapes are asked before types
        raise MXNetError(f"{name}: expected `ind` of an integer type, got {name_of(ind.dtype)}")
    rows = ind if ind.ndim > 1 else ind.reshape(1, -1)
    if len(rows) > a.ndim:
        raise MXNetError(
            f"{name}: expected indices of at most {a.ndim} axes, a row for each, got {len(rows)}"
        )
    indices = tuple(_checked(name, row, length) for row, length in zip(rows, a.shape, strict=False))
    shape = (*rows.shape[1:], *a.shape[len(rows) :])
    try:
        return indices, val.to(a.dtype).expand(shape)
    except RuntimeError:
        raise MXNetError(
            f"{name}: expected values that broadcast to shape {shape}, got {tuple(val.shape)}"
        ) from None


def _checked(name: str, row: Tensor, length: int) -> Tensor:
    positions = as_positions(row)
    if positions.device.type == "cpu" and positions.numel():
        least, most = positions.min().item(), positions.max().item()
        if least < -length or most >= length:
            wrong = most if most >= length else least
            raise IndexOutOfBoundsError(
                f"{name}: index {wrong} is out of bounds for an axis of length {length}"
            )
    return torch.where(positions < 0, positions + length, positions)


@op("_npx_index_update", any_dtype=("ind",))
def index_update(a: Tensor, ind: Tensor, val: Tensor) -> Tensor:
    """Returns an array with other elements at some positions.

    Args:
        a: The array.
        ind: Positions: a row for each of the first axes of the array, or a vector for the first.
        val: The elements, which broadcast to what is selected.
    """
    indices, values = _selected("_npx_index_update", a, ind, val)
    return a.index_put(indices, values)


@op("_npx_index_add", any_dtype=("ind",))
def index_add(a: Tensor, ind: Tensor, val: Tensor) -> Tensor:
    """Returns an array with values added at some positions, as often as each occurs.

    Args:
        a: The array.
        ind: Positions: a row for each of the first axes of the array, or a vector for the first.
        val: The values, which broadcast to what is selected.
    """
    indices, values = _selected("_npx_index_add", a, ind, val)
    return a.index_put(indices, values, accumulate=True)
