"""Operators of the NumPy dialect that reshape, reorder, join and split arrays, and on diagonals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

import torch
from torch import Tensor

from mxnet.errors import ArgumentValueError, MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import SAME_DTYPE, SAME_SHAPE, Labels, Shapes, Traits
from mxnet.ops.math.movement import split_size
from mxnet.ops.math.slicing import count_sections, split_v2
from mxnet.ops.rules import flops, misfits, shape_rules

_MOVEMENT = Traits(role="movement")


def fill_hole(op_name: str, input_shape: Sequence[int], sizes: Sequence[int]) -> Shape:
    """Returns sizes with the -1 among them replaced by what is left of the elements.

    Args:
        op_name: Operator that is asked, for the message.
        input_shape: Shape of the array.
        sizes: Requested sizes.

    Raises:
        MXNetError: if there are several -1, or no size makes the numbers of elements equal.
    """
    total, holes = prod(input_shape), sizes.count(-1)
    known = prod(size for size in sizes if size != -1)
    fits = total == known if not holes else known and total % known == 0
    if holes > 1 or min(sizes, default=0) < -1 or not fits:
        raise MXNetError(
            f"{op_name}: cannot reshape an array of shape {tuple(input_shape)} into {tuple(sizes)}"
        )
    return tuple(total // known if size == -1 else size for size in sizes)


@op("_np_reshape", traits=_MOVEMENT)
def np_reshape(a: Tensor, *, newshape: Shape, order: str = "C") -> Tensor:
    """Returns the same elements in another shape.

    Args:
        a: Input array.
        newshape: The new sizes, of which one may be -1 for what is left.
        order: Accepted for compatibility; elements are always read in C order.
    """
    if min(newshape, default=0) >= -1 and 0 not in newshape:
        return a.reshape(newshape)
    return a.reshape(fill_hole("_np_reshape", a.shape, newshape))


def resolve_codes(input_shape: Sequence[int], newshape: Shape, reverse: bool = False) -> Shape:
    """Replaces the codes in a requested shape by sizes.

    Codes are read from left to right against the axes of the input:

    - `-1` takes whatever size is left, once;
    - `-2` copies the size of the input's axis;
    - `-3` leaves an axis of size one out;
    - `-4` copies all axes that are left;
    - `-5` joins two axes into one;
    - `-6` splits an axis into the two sizes that follow, one of which may be `-1`.

    Args:
        input_shape: Shape of the array.
        newshape: Requested sizes and codes.
        reverse: Whether to read from right to left; the two sizes of a split then stand before
            their `-6`.

    Raises:
        MXNetError: if the codes do not fit the input or the number of elements changes.

    Example:
        >>> resolve_codes((2, 3, 4), (-5, -2))
        (6, 4)
        >>> resolve_codes((2, 3, 4), (-6, 1, -1, -4))
        (1, 2, 3, 4)
    """
    if reverse:
        return resolve_codes(input_shape[::-1], newshape[::-1])[::-1]
    sizes: list[int] = []
    codes = iter(newshape)
    axis = 0
    for code in codes:
        used = _axes_used(code, newshape, input_shape, axis)
        part = input_shape[axis : axis + used]
        if code >= 0 or code == -1:
            sizes.append(code)
        elif code in (-2, -4):
            sizes += part
        elif code == -5:
            sizes.append(prod(part))
        elif code == -6:
            sizes += split_size("_npx_reshape: code -6", part[0], codes)
        axis += used
    return fill_hole("_npx_reshape", input_shape, sizes)


_USED_AXES = {-2: 1, -3: 1, -5: 2, -6: 1}
"""How many axes of the input a code reads; sizes and -1 stand for one, whether there is one."""


def _axes_used(code: int, newshape: Shape, input_shape: Sequence[int], axis: int) -> int:
    """Returns the number of axes of the input that a code stands for.

    Raises:
        MXNetError: if it is no code, or there are not so many axes left.
    """
    left = len(input_shape) - axis
    if code == -4:
        return max(left, 0)
    used = _USED_AXES.get(code, 0)
    if code < -6 or used > max(left, 0) or (code == -3 and input_shape[axis] != 1):
        raise MXNetError(
            f"_npx_reshape: code {code} in {newshape} does not fit an input of shape "
            f"{tuple(input_shape)}"
        )
    return used or 1


@op("_npx_reshape", aliases=("_npi_reshape",), traits=_MOVEMENT)
def npx_reshape(a: Tensor, *, newshape: Shape, reverse: bool = False, order: str = "C") -> Tensor:
    """Returns the same elements in another shape, which may copy sizes of the old one.

    An entry of `newshape` is a size or a code: `-1` takes what is left, `-2` copies the size of
    the input's axis, `-3` leaves an axis of size one out, `-4` copies all axes that are left, `-5`
    joins two axes, and `-6` splits an axis into the two sizes that follow it.

    Args:
        a: Input array.
        newshape: Sizes and codes.
        reverse: Whether to match codes with axes from right to left.
        order: Accepted for compatibility; elements are always read in C order.
    """
    if min(newshape, default=0) >= -1 and 0 not in newshape:
        return a.reshape(newshape)
    return a.reshape(resolve_codes(a.shape, newshape, reverse))


@op("_np_transpose", traits=_MOVEMENT)
def np_transpose(a: Tensor, *, axes: Shape | None = None) -> Tensor:
    """Permutes the axes.

    Args:
        a: Input array.
        axes: The input's axis for each axis of the result, negative ones counted from the end;
            by default the order is reversed.
    """
    if axes is None:
        return a.permute(tuple(range(a.ndim - 1, -1, -1)))
    if len(axes) == a.ndim and len({axis % a.ndim for axis in axes}) < a.ndim:
        raise ArgumentValueError(f"_np_transpose: expected every axis once, got {axes}")
    return a.permute(axes)


@op("_np_squeeze", traits=_MOVEMENT)
def np_squeeze(a: Tensor, *, axis: Shape | None = None) -> Tensor:
    """Removes axes of size one.

    Args:
        a: Input array.
        axis: Axes to remove; by default all that have size one.
    """
    if axis is None or a.ndim == 0:
        return a.squeeze()
    for index in axis:
        if not -a.ndim <= index < a.ndim or a.shape[index] != 1:
            raise ArgumentValueError(
                f"_np_squeeze: expected axes of size 1, got {axis} of shape {tuple(a.shape)}"
            )
    return a.squeeze(tuple({index % a.ndim for index in axis}))


@op("_np_moveaxis", traits=_MOVEMENT)
def moveaxis(a: Tensor, *, source: Shape, destination: Shape) -> Tensor:
    """Moves axes to other positions; the others stay in their order.

    Args:
        a: Input array.
        source: Axes to move.
        destination: Where each of them goes.
    """
    if len(source) != len(destination):
        raise MXNetError(
            f"_np_moveaxis: expected as many destinations as sources, got {source} and "
            f"{destination}"
        )
    if source and not a.ndim:
        raise MXNetError(f"_np_moveaxis: expected an array with axes {source}, got a scalar")
    return a.movedim(source, destination)


@op("_npi_rollaxis", traits=_MOVEMENT)
def rollaxis(a: Tensor, *, axis: int, start: int = 0) -> Tensor:
    """Moves an axis before another one.

    Args:
        a: Input array.
        axis: The axis to move.
        start: The axis before which it comes; the number of axes puts it last.
    """
    axis, start = axis % a.ndim, start + a.ndim if start < 0 else start
    if not 0 <= start <= a.ndim:
        raise MXNetError(f"_npi_rollaxis: expected a start of at most {a.ndim}, got {start}")
    return a.movedim(axis, start - 1 if axis < start else start)


@op("_np_roll", traits=Traits(shapes=SAME_SHAPE))
def roll(data: Tensor, *, shift: Shape | None = None, axis: Shape | None = None) -> Tensor:
    """Moves elements along axes; those that leave at the end come in at the start.

    Args:
        data: Input array.
        shift: How far, one number for all axes or one for each.
        axis: The axes; by default the array is flattened for it.
    """
    if not shift or (axis is None and len(shift) != 1):
        raise MXNetError(f"_np_roll: expected one `shift`, or one for each axis, got {shift}")
    if axis is None:
        return data.roll(shift)
    if len(shift) not in (1, len(axis)) or len({index % data.ndim for index in axis}) < len(axis):
        raise MXNetError(
            f"_np_roll: expected one `shift` for each of different axes, got {shift} and {axis}"
        )
    return data.roll(shift * len(axis) if len(shift) == 1 else shift, axis)


@op("_npi_rot90")
def rot90(data: Tensor, *, k: int = 1, axes: Shape | None = None) -> Tensor:
    """Rotates a plane of the array by right angles.

    Args:
        data: Input array.
        k: How many right angles, from the first axis towards the second.
        axes: The two axes of the plane.
    """
    if axes is None or len(axes) != 2:
        raise MXNetError(f"_npi_rot90: expected two axes, got {axes}")
    return data.rot90(k, axes)


@op("_npi_flip", traits=Traits(shapes=SAME_SHAPE))
def flip(data: Tensor, *, axis: Shape | None) -> Tensor:
    """Reverses the order of the elements along axes.

    Args:
        data: Input array.
        axis: The axes, None for all; one that is named twice stays as it is.
    """
    if axis is None:
        return data.flip(tuple(range(data.ndim)))
    if axis and not data.ndim:
        raise ArgumentValueError(f"_npi_flip: a scalar has no axis {axis[0]}")
    if len(set(axis)) == len(axis):
        return data.flip(axis)
    return data.flip([index for index in dict.fromkeys(axis) if axis.count(index) % 2])


@op("_np_copy", traits=Traits(shapes=SAME_SHAPE, types=SAME_DTYPE))
def copy(a: Tensor) -> Tensor:
    """Returns a copy.

    Args:
        a: Input array.
    """
    return a.clone()


@op("_npi_broadcast_to", traits=_MOVEMENT)
def np_broadcast_to(array: Tensor, *, shape: Shape = ()) -> Tensor:
    """Repeats an array along new axes in front and along its axes of size one.

    Args:
        array: Input array.
        shape: Shape of the result; -2 keeps the size of the axis.
    """
    first = len(shape) - array.ndim
    sizes = [
        array.shape[axis - first] if size == -2 and axis >= first else size
        for axis, size in enumerate(shape)
    ]
    if min(sizes, default=0) < 0:
        raise MXNetError(
            f"_npi_broadcast_to: cannot broadcast shape {tuple(array.shape)} to {shape}"
        )
    check_like("_npi_broadcast_to", sizes, array)
    return array.expand(sizes)


def _count_arrays(*, num_args: int) -> int:
    return num_args


def _declare_atleast(ndim: int, widen: Callable[[Tensor], Tensor], rule: str) -> None:
    def kernel(*arys: Tensor, num_args: int) -> tuple[Tensor, ...]:
        """Adds axes in front.

        Args:
            arys: Arrays of any shapes.
            num_args: Number of arrays.
        """
        if len(arys) != num_args:
            raise MXNetError(f"_np_atleast_{ndim}d: expected {num_args} arrays, got {len(arys)}")
        return tuple(widen(array) for array in arys)

    op(
        f"_np_atleast_{ndim}d",
        num_outputs=_count_arrays,
        differentiable=False,
        summary=f"Returns arrays of {ndim} or more axes; {rule}.",
    )(kernel)


_declare_atleast(1, torch.atleast_1d, "a scalar becomes a vector of one element")
_declare_atleast(2, torch.atleast_2d, "axes of size one are added in front")
_declare_atleast(
    3, torch.atleast_3d, "a vector `(n,)` becomes `(1, n, 1)` and a matrix `(m, n)` `(m, n, 1)`"
)


@op("_np_diag")
def np_diag(data: Tensor, *, k: int = 0) -> Tensor:
    """Takes a diagonal of a matrix, or builds the matrix that has a vector on its diagonal.

    Args:
        data: Vector or matrix.
        k: Which diagonal: positive above the main one, negative below.
    """
    if data.ndim not in (1, 2):
        raise MXNetError(f"_np_diag: expected one or two axes, got shape {tuple(data.shape)}")
    return _build(data, k, "_np_diag") if data.ndim == 1 else data.diagonal(k)


def _build(vector: Tensor, k: int, op_name: str) -> Tensor:
    """Builds the matrix that has a vector on a diagonal."""
    check_like(op_name, (len(vector) + abs(k),) * 2, vector)
    return torch.diag(vector, k)


@op("_np_diagflat")
def diagflat(data: Tensor, *, k: int = 0) -> Tensor:
    """Builds the matrix that has all elements of an array on its diagonal.

    Args:
        data: Input array, which is flattened.
        k: Which diagonal: positive above the main one, negative below.
    """
    return _build(data.reshape(-1), k, "_np_diagflat")


def _check_plane(op_name: str, data: Tensor, axis1: int, axis2: int) -> None:
    if data.ndim < 2 or axis1 % data.ndim == axis2 % data.ndim:
        raise ArgumentValueError(
            f"{op_name}: expected two different axes of two or more, got {axis1} and {axis2} of "
            f"shape {tuple(data.shape)}"
        )


@op("_np_diagonal")
def diagonal(data: Tensor, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Takes a diagonal of matrices, as the last axis of the result.

    Args:
        data: Array of two or more axes.
        offset: Which diagonal: positive above the main one, negative below.
        axis1: First axis of the matrices.
        axis2: Second axis of the matrices.
    """
    _check_plane("_np_diagonal", data, axis1, axis2)
    return data.diagonal(offset, axis1, axis2)


@op("_np_trace")
def trace(data: Tensor, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Adds a diagonal of matrices up, in the type of the elements.

    Args:
        data: Array of two or more axes.
        offset: Which diagonal: positive above the main one, negative below.
        axis1: First axis of the matrices.
        axis2: Second axis of the matrices.
    """
    _check_plane("_np_trace", data, axis1, axis2)
    return data.diagonal(offset, axis1, axis2).sum(-1, dtype=data.dtype)


_JOINED = Traits(types=SAME_DTYPE, labels=Labels(outputs=("out",)), flops=flops.nothing)


@op(
    "_npi_concatenate",
    traits=replace(_JOINED, shapes=Shapes(inputs=shape_rules.join, misfit=misfits.concatenation)),
)
def concatenate(*data: Tensor, axis: int | None = 0) -> Tensor:
    """Joins arrays along an axis; their other axes have equal sizes.

    Args:
        data: Arrays to join.
        axis: The axis; None joins the flattened arrays.
    """
    if axis is None:
        return torch.cat([array.reshape(-1) for array in data])
    return torch.cat(_alike(data), axis)


def _alike(arrays: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Returns arrays that are to be joined.

    Raises:
        ArgumentValueError: if their numbers of axes differ; torch would leave `(0,)` out.
    """
    ndim = arrays[0].ndim
    for array in arrays:  # a generator takes as long as joining two small arrays
        if array.ndim != ndim:
            shapes = ", ".join(str(tuple(item.shape)) for item in arrays)
            raise ArgumentValueError(f"expected arrays of as many axes as each other, got {shapes}")
    return arrays


def _as_rows(array: Tensor) -> Tensor:
    return array if array.ndim > 1 else array.reshape(1, -1)


def _with_depth(array: Tensor) -> Tensor:
    return array if array.ndim > 2 else _as_rows(array).unsqueeze(2)


@op("_npi_stack", traits=Traits(types=SAME_DTYPE))
def stack(*data: Tensor, axis: int = 0) -> Tensor:
    """Joins arrays of one shape along a new axis.

    Args:
        data: Arrays to join.
        axis: Position of the new axis in the result.
    """
    return torch.stack(data, axis)


@op("_npi_vstack", traits=Traits(types=SAME_DTYPE, shapes=Shapes(inputs=shape_rules.join_rows)))
def vstack(*data: Tensor) -> Tensor:
    """Joins arrays along the first axis, vectors as rows.

    Args:
        data: Arrays to join.
    """
    return torch.cat(_alike(tuple(map(_as_rows, data))))


@op("_npi_hstack", traits=_JOINED)
def hstack(*data: Tensor, dim: int = 1) -> Tensor:
    """Joins arrays along the second axis, vectors along their only one.

    Args:
        data: Arrays to join.
        dim: Accepted for compatibility.
    """
    wide = _alike(tuple(a if a.ndim else a.reshape(1) for a in data))
    return torch.cat(wide, min(wide[0].ndim - 1, 1))


@op("_npi_dstack", traits=_JOINED)
def dstack(*data: Tensor, dim: int = 1) -> Tensor:
    """Joins arrays along the third axis; a vector `(n,)` counts as `(1, n, 1)`.

    Args:
        data: Arrays to join.
        dim: Accepted for compatibility.
    """
    return torch.cat(_alike(tuple(map(_with_depth, data))), 2)


@op("_npi_column_stack", traits=Traits(types=SAME_DTYPE))
def column_stack(*data: Tensor) -> Tensor:
    """Joins arrays along the second axis, vectors as columns.

    Args:
        data: Arrays to join.
    """
    columns = tuple(a.reshape(-1, 1) if a.ndim < 2 else a for a in data)
    return torch.cat(_alike(columns), 1)


@op("_npi_hsplit", num_outputs=count_sections)
def hsplit(
    data: Tensor, *, indices: Shape, axis: int = 1, squeeze_axis: bool = False, sections: int = 0
) -> tuple[Tensor, ...]:
    """Splits an array along its second axis, a vector along its only one.

    Args:
        data: Input array.
        indices: Where each part begins, the first at 0.
        axis: Accepted for compatibility.
        squeeze_axis: Whether to remove the axis, which has size one in each part then.
        sections: Number of parts, used instead of `indices` if not 0; if it does not divide the
            size, the first parts are longer by one.
    """
    if data.ndim < 1:
        raise ArgumentValueError("_npi_hsplit: expected an array of 1 or more axes, got a scalar")
    along = min(data.ndim - 1, 1)
    parts: tuple[Tensor, ...] = split_v2(
        data, indices=indices, axis=along, squeeze_axis=squeeze_axis, sections=sections
    )
    return parts


@op("_npi_dsplit", num_outputs=count_sections)
def dsplit(
    data: Tensor, *, indices: Shape, axis: int = 1, squeeze_axis: bool = False, sections: int = 0
) -> tuple[Tensor, ...]:
    """Splits an array along its third axis.

    Args:
        data: Input array.
        indices: Where each part begins, the first at 0.
        axis: Accepted for compatibility.
        squeeze_axis: Whether to remove the axis, which has size one in each part then.
        sections: Number of parts, used instead of `indices` if not 0; if it does not divide the
            size, the first parts are longer by one.
    """
    if data.ndim < 3:
        raise ArgumentValueError(
            f"_npi_dsplit: expected an array of 3 or more axes, got shape {tuple(data.shape)}"
        )
    parts: tuple[Tensor, ...] = split_v2(
        data, indices=indices, axis=2, squeeze_axis=squeeze_axis, sections=sections
    )
    return parts
