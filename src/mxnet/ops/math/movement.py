"""Operators that rearrange, broadcast, repeat, pad or join arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_growth, check_like
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import as_element
from mxnet.ops.core.traits import (
    KEEPS_LAYOUT,
    NAMED,
    NAMED_INPUTS,
    SAME_DTYPE,
    SAME_SHAPE,
    Files,
    Shapes,
    Storage,
    Traits,
)
from mxnet.ops.rules import drawing, flops, misfits, quantizing, shape_rules, storage_types

_PAD_MODES = {"constant": "constant", "edge": "replicate", "reflect": "reflect"}


def resolve_reshape(input_shape: Sequence[int], shape: Shape, reverse: bool = False) -> Shape:
    """Replaces the codes in a requested shape by sizes.

    Codes are read from left to right against the axes of the input:

    - `0` copies the size of the input's axis;
    - `-1` takes whatever size is left, once;
    - `-2` copies all axes that are left;
    - `-3` joins two axes into one;
    - `-4` splits an axis into the two sizes that follow, one of which may be `-1`.

    Args:
        input_shape: Shape of the array.
        shape: Requested sizes and codes.
        reverse: Whether to read from right to left; the two sizes of a split then stand before
            their `-4`.

    Raises:
        MXNetError: if the codes do not fit the input or the number of elements changes.

    Example:
        >>> resolve_reshape((2, 3, 4), (-3, 0))
        (6, 4)
        >>> resolve_reshape((10, 5, 4), (-1, 0), reverse=True)
        (50, 4)
        >>> resolve_reshape((2, 3, 4), (-4, 1, -1, -2))
        (1, 2, 3, 4)
    """
    if reverse:
        return resolve_reshape(input_shape[::-1], shape[::-1])[::-1]
    sizes = _replace_codes(input_shape, shape)
    holes = sizes.count(-1)
    if holes > 1:
        raise MXNetError(f"Reshape: expected one -1 at most, got {shape}")
    if holes:
        sizes[sizes.index(-1)] = _missing_size(input_shape, sizes)
    if prod(sizes) != prod(input_shape):
        raise MXNetError(
            f"Reshape: expected {prod(input_shape)} elements as in {tuple(input_shape)}, "
            f"got shape {shape}"
        )
    return tuple(sizes)


def _replace_codes(input_shape: Sequence[int], shape: Shape) -> list[int]:
    """Replaces all codes but -1."""
    sizes: list[int] = []
    codes = iter(shape)
    axis = 0
    for code in codes:
        needed = 2 if code == -3 else code in (0, -4)
        if code < -4 or (needed and axis + needed > len(input_shape)):
            raise MXNetError(
                f"Reshape: code {code} in {shape} does not fit an input of shape "
                f"{tuple(input_shape)}"
            )
        if code == -2:
            sizes += input_shape[axis:]
            axis = max(axis, len(input_shape))
            continue
        if code == -4:
            sizes += split_size("Reshape: code -4", input_shape[axis], codes)
        else:
            sizes.append(prod(input_shape[axis : axis + needed]) if needed else code)
        axis += 2 if code == -3 else 1
    return sizes


def split_size(where: str, size: int, codes: Iterator[int]) -> tuple[int, int]:
    """Reads the two sizes of a split, one of which may be -1.

    Args:
        where: Operator and code that ask, for the message.
        size: Size of the axis that is split.
        codes: What is left of the requested shape.

    Raises:
        MXNetError: if the sizes do not split the axis.
    """
    first, second = next(codes, -2), next(codes, -2)
    given = (first, second)
    if first == -1 and second > 0:
        first = size // second
    elif second == -1 and first > 0:
        second = size // first
    if min(first, second) < 0 or first * second != size:
        raise MXNetError(f"{where} expects two sizes that split {size}, got {given}")
    return first, second


def _missing_size(input_shape: Sequence[int], sizes: Sequence[int]) -> int:
    """Returns the size for -1 among otherwise known sizes."""
    total, known = prod(input_shape), -prod(sizes)
    if known == 0:
        # Empty axes on both sides cancel, so that (0, -1) flattens an empty batch too.
        total = prod(size for size in input_shape if size)
        known = prod(size for size in sizes if size > 0)
    if total % known:
        raise MXNetError(f"Reshape: -1 in {list(sizes)} is no size for {tuple(input_shape)}")
    return total // known


def _resolve_target(input_shape: Sequence[int], target: Shape, keep_highest: bool) -> Shape:
    """Returns the shape that the old attribute `target_shape` asks for: 0 is what is left."""
    if not target:
        raise MXNetError("Reshape: required attribute `shape` is not given")
    sizes = [input_shape[0], *target[1:]] if keep_highest else list(target)
    if min(sizes) < 0 or sizes.count(0) > 1:
        raise MXNetError(f"Reshape: `target_shape` takes sizes and one 0 at most, got {target}")
    return tuple(size or -1 for size in sizes)


@op(
    "Reshape",
    aliases=("reshape",),
    traits=Traits(
        shapes=Shapes(inputs=shape_rules.reshape, early=shape_rules.reshaped),
        drawing=drawing.SHAPING,
        role="movement",
    ),
)
def reshape(
    data: Tensor,
    *,
    shape: Shape = (),
    reverse: bool = False,
    target_shape: Shape = (),
    keep_highest: bool = False,
) -> Tensor:
    """Returns the same elements in another shape.

    An entry of `shape` is a size or a code: `0` copies the size of the input's axis, `-1` takes
    what is left, `-2` copies all axes that are left, `-3` joins two axes, and `-4` splits an axis
    into the two sizes that follow it. An array of shape `(2, 3, 4)` becomes `(2, 12)` by `(0, -1)`
    or `(0, -3)`, `(6, 4)` by `(-3, -2)` and `(1, 2, 3, 4)` by `(-4, 1, 2, -2)`.

    Args:
        data: Input array.
        shape: Sizes and codes.
        reverse: Whether to match codes with axes from right to left.
        target_shape: Sizes with at most one 0 for what is left; of old files, used if `shape` is
            not given.
        keep_highest: Whether the first axis stays whatever `target_shape` says.

    Example:
        >>> import mxnet as mx
        >>> array = mx.nd.zeros((2, 3, 4))
        >>> mx.nd.reshape(array, shape=(6, -1)).shape
        (6, 4)
        >>> mx.nd.reshape(array, shape=(0, -3)).shape
        (2, 12)
    """
    if not shape:
        return data.reshape(_resolve_target(data.shape, target_shape, keep_highest))
    if min(shape) >= -1 and 0 not in shape:
        return data.reshape(shape)
    if torch.compiler.is_compiling():  # lengths may be symbols then
        return data.reshape(resolve_reshape(data.shape, shape, reverse))
    return data.reshape(_resolve_known(data.shape, shape, reverse))


# Networks ask for the same shapes in every call.
_resolve_known = lru_cache(maxsize=1024)(resolve_reshape)


@op(
    "Flatten",
    aliases=("flatten", "_npx_batch_flatten"),
    traits=Traits(drawing=drawing.SHAPING, role="movement", quantization=quantizing.FLATTENING),
)
def flatten(data: Tensor) -> Tensor:
    """Joins all axes but the first.

    Args:
        data: Input of shape `(batch, ...)`.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.flatten(mx.nd.zeros((2, 3, 4))).shape
        (2, 12)
    """
    return data.flatten(1) if data.ndim > 1 else data.unsqueeze(1)


@op("transpose", traits=Traits(shapes=Shapes(inputs=shape_rules.transpose), role="movement"))
def transpose(data: Tensor, *, axes: Shape = ()) -> Tensor:
    """Permutes the axes.

    Args:
        data: Input array.
        axes: The input's axis for each axis of the result; by default their order is reversed.

    Example:
        >>> import mxnet as mx
        >>> matrix = mx.nd.arange(6).reshape((2, 3))
        >>> print(mx.nd.transpose(matrix).asnumpy())
        [[0. 3.]
         [1. 4.]
         [2. 5.]]
        >>> mx.nd.transpose(mx.nd.zeros((2, 3, 4)), axes=(1, 0, 2)).shape
        (3, 2, 4)
    """
    if not axes:
        return data.permute(tuple(range(data.ndim - 1, -1, -1)))
    if min(axes) < 0:
        raise MXNetError(f"transpose: `axes` takes no negative axis, got {axes}")
    return data.permute(axes)


@op(
    "expand_dims",
    aliases=("_npi_expand_dims",),
    traits=Traits(shapes=Shapes(inputs=shape_rules.shrink), role="movement"),
)
def expand_dims(data: Tensor, *, axis: int) -> Tensor:
    """Inserts an axis of size one.

    Args:
        data: Input array.
        axis: Position of the new axis in the result; a negative one counts from the end.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.expand_dims(mx.nd.zeros((2, 3)), axis=1).shape
        (2, 1, 3)
    """
    return data.unsqueeze(axis)


@op(
    "squeeze",
    traits=Traits(labels=NAMED_INPUTS, role="movement", shapes=Shapes(early=shape_rules.squeezed)),
)
def squeeze(data: Tensor, *, axis: Shape | None = None) -> Tensor:
    """Removes axes of size one; one axis remains in any case.

    Args:
        data: Input array.
        axis: Axes to remove; by default all that have size one.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.squeeze(mx.nd.zeros((1, 3, 1))).shape
        (3,)
        >>> mx.nd.squeeze(mx.nd.zeros((1, 3, 1)), axis=0).shape
        (3, 1)
    """
    if axis is None:
        result = data.squeeze()
    else:
        if any(data.shape[index] != 1 for index in axis):
            raise MXNetError(
                f"squeeze: expected axes of size 1, got {axis} of shape {tuple(data.shape)}"
            )
        result = data.squeeze(axis)
    return result if result.ndim else result.reshape(1)


@op("SwapAxis", aliases=("swapaxes", "_npi_swapaxes"), traits=Traits(labels=NAMED, role="movement"))
def swap_axis(data: Tensor, *, dim1: int = 0, dim2: int = 0) -> Tensor:
    """Exchanges two axes.

    Args:
        data: Input array.
        dim1: One axis.
        dim2: The other axis.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.swapaxes(mx.nd.zeros((2, 3, 4)), dim1=0, dim2=2).shape
        (4, 3, 2)
    """
    if not data.ndim:
        raise MXNetError(f"SwapAxis: expected an array with axes {dim1} and {dim2}, got a scalar")
    return data.transpose(dim1, dim2)


def _axis_range(side: str, ndim: int, begin: int | None, end: int | None) -> tuple[int, int]:
    """Resolves missing and negative bounds of a range of axes, which may not be empty."""
    first = 0 if begin is None else begin + ndim * (begin < 0)
    last = ndim if end is None else end + ndim * (end < 0)
    if not 0 <= first < last <= ndim:
        raise MXNetError(
            f"reshape_like: expected {side}_begin < {side}_end among {ndim} axes, "
            f"got {begin} and {end}"
        )
    return first, last


@op("_contrib_dynamic_reshape", any_dtype=("shape",), traits=Traits(shapes=Shapes(of_values=True)))
def dynamic_reshape(data: Tensor, shape: Tensor) -> Tensor:
    """Reshapes an array to what another array says, whose numbers a graph need not know.

    Args:
        data: Input array.
        shape: Vector of sizes and of the codes of `reshape`.

    Example:
        >>> import mxnet as mx
        >>> x, shape = mx.nd.ones((2, 3, 4)), mx.nd.array([0, -1], dtype="int64")
        >>> mx.nd.contrib.dynamic_reshape(x, shape).shape
        (2, 12)
    """
    wanted = tuple([int(size) for size in shape.detach().reshape(-1).tolist()])
    return data.reshape(resolve_reshape(data.shape, wanted))


@op(
    "reshape_like",
    aliases=("_npx_reshape_like",),
    any_dtype=("rhs",),
    traits=Traits(role="movement", shapes=Shapes(misfit=misfits.reshaped_like, asked=("rhs",))),
)
def reshape_like(
    lhs: Tensor,
    rhs: Tensor,
    *,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
) -> Tensor:
    """Reshapes an array like another one, or a range of its axes like a range of the other's.

    Args:
        lhs: Array to reshape.
        rhs: Array whose shape is used.
        lhs_begin: First axis of `lhs` to replace.
        lhs_end: Axis of `lhs` after the last one to replace.
        rhs_begin: First axis of `rhs` to use.
        rhs_end: Axis of `rhs` after the last one to use.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.reshape_like(mx.nd.arange(6), mx.nd.zeros((2, 3))).asnumpy())
        [[0. 1. 2.]
         [3. 4. 5.]]
    """
    if lhs_begin is lhs_end is rhs_begin is rhs_end is None and lhs.ndim and rhs.ndim:
        return lhs.reshape(rhs.shape)
    first, last = _axis_range("lhs", lhs.ndim, lhs_begin, lhs_end)
    start, stop = _axis_range("rhs", rhs.ndim, rhs_begin, rhs_end)
    return lhs.reshape(lhs.shape[:first] + rhs.shape[start:stop] + lhs.shape[last:])


@op("broadcast_to", traits=Traits(role="movement"))
def broadcast_to(data: Tensor, *, shape: Shape = ()) -> Tensor:
    """Repeats an array along its axes of size one.

    Args:
        data: Input array.
        shape: Shape of the result, of the same length; 0 keeps the size of the axis.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.broadcast_to(mx.nd.array([[1], [2]]), shape=(2, 3)).asnumpy())
        [[1. 1. 1.]
         [2. 2. 2.]]
    """
    if len(shape) != data.ndim or min(shape, default=0) < 0:
        raise MXNetError(f"broadcast_to: expected {data.ndim} sizes, got {shape}")
    sizes = [size or -1 for size in shape]
    check_like("broadcast_to", list(map(max, sizes, data.shape)), data)
    return data.expand(sizes)


@op("broadcast_axis", aliases=("broadcast_axes",), traits=Traits(role="movement"))
def broadcast_axis(data: Tensor, *, axis: Shape = (), size: Shape = ()) -> Tensor:
    """Repeats an array along given axes of size one.

    Args:
        data: Input array.
        axis: Axes to repeat along, not negative.
        size: Size of each of these axes in the result.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.broadcast_axis(mx.nd.zeros((1, 3, 1)), axis=(0, 2), size=(2, 4)).shape
        (2, 3, 4)
    """
    if len(axis) != len(size) or min(axis + size, default=0) < 0 or len(set(axis)) != len(axis):
        raise MXNetError(f"broadcast_axis: expected one size per axis, got {axis} and {size}")
    sizes = list(data.shape)
    for index, new_size in zip(axis, size, strict=True):
        if sizes[index] != 1:
            raise MXNetError(f"broadcast_axis: expected size 1 at axis {index}, got {sizes[index]}")
        sizes[index] = new_size
    check_like("broadcast_axis", sizes, data)
    return data.expand(sizes)


@op(
    "broadcast_like",
    any_dtype=("rhs",),
    traits=Traits(role="movement", shapes=Shapes(asked=("rhs",))),
)
def broadcast_like(
    lhs: Tensor, rhs: Tensor, *, lhs_axes: Shape | None = None, rhs_axes: Shape | None = None
) -> Tensor:
    """Repeats an array along its axes of size one until it has the shape of another.

    Args:
        lhs: Array to repeat.
        rhs: Array whose shape is used.
        lhs_axes: Axes to repeat along; without them and `rhs_axes` all.
        rhs_axes: Axis of `rhs` that gives the size for each of `lhs_axes`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.broadcast_like(mx.nd.array([[1, 2]]), mx.nd.zeros((2, 2))).asnumpy())
        [[1. 2.]
         [1. 2.]]
    """
    if lhs_axes is None or rhs_axes is None:
        if lhs.ndim != rhs.ndim:
            raise MXNetError(
                f"broadcast_like: expected {rhs.ndim} axes as in `rhs`, got {tuple(lhs.shape)}"
            )
        check_like("broadcast_like", rhs.shape, lhs)
        return lhs.expand(rhs.shape)
    if len(lhs_axes) != len(rhs_axes) or not lhs_axes:
        raise MXNetError(
            f"broadcast_like: expected as many `lhs_axes` as `rhs_axes`, "
            f"got {lhs_axes} and {rhs_axes}"
        )
    sizes = list(lhs.shape)
    for to, source in zip(lhs_axes, rhs_axes, strict=True):
        if lhs.shape[to] != 1:
            raise MXNetError(
                f"broadcast_like: expected size 1 at axis {to}, got shape {tuple(lhs.shape)}"
            )
        sizes[to] = rhs.shape[source]
    check_like("broadcast_like", sizes, lhs)
    return lhs.expand(sizes)


def _check_blocks(name: str, data: Tensor, block_size: int, unit: int, axes: Shape) -> None:
    """Checks a shape; the kernels could do with lengths of 0, which the original refuses."""
    fits = block_size > 0 and data.ndim == 4 and 0 not in data.shape
    if not fits or any(data.shape[axis] % unit for axis in axes):
        raise MXNetError(
            f"{name}: expected (batch, channels, height, width) above 0, multiples of {unit} at "
            f"{axes}, got {tuple(data.shape)} and block_size {block_size}"
        )


@op("depth_to_space", traits=Traits(labels=NAMED_INPUTS))
def depth_to_space(data: Tensor, *, block_size: int) -> Tensor:
    """Moves channels into square blocks of pixels.

    Args:
        data: Input of shape `(batch, channels, height, width)`; the channels are a multiple of
            `block_size ** 2`, and the position in the block is their slower index.
        block_size: Height and width of a block.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.arange(4).reshape((1, 4, 1, 1))
        >>> print(mx.nd.depth_to_space(x, block_size=2).asnumpy())
        [[[[0. 1.]
           [2. 3.]]]]
    """
    _check_blocks("depth_to_space", data, block_size, block_size**2, (1,))
    batch, channels, height, width = data.shape
    depth = channels // block_size**2
    blocks = data.reshape(batch, block_size, block_size, depth, height, width)
    pixels = blocks.permute(0, 3, 4, 1, 5, 2)
    return pixels.reshape(batch, depth, height * block_size, width * block_size)


@op("space_to_depth", traits=Traits(labels=NAMED_INPUTS))
def space_to_depth(data: Tensor, *, block_size: int) -> Tensor:
    """Moves square blocks of pixels into channels; the inverse of `depth_to_space`.

    Args:
        data: Input of shape `(batch, channels, height, width)` whose height and width are
            multiples of `block_size`.
        block_size: Height and width of a block.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.arange(4).reshape((1, 1, 2, 2))
        >>> print(mx.nd.space_to_depth(x, block_size=2).shape)
        (1, 4, 1, 1)
    """
    _check_blocks("space_to_depth", data, block_size, block_size, (2, 3))
    batch, channels, height, width = data.shape
    rows, columns = height // block_size, width // block_size
    blocks = data.reshape(batch, channels, rows, block_size, columns, block_size)
    return blocks.permute(0, 3, 5, 1, 2, 4).reshape(batch, channels * block_size**2, rows, columns)


@op("reverse", aliases=("flip",), traits=Traits(shapes=SAME_SHAPE, labels=NAMED_INPUTS))
def reverse(data: Tensor, *, axis: Shape) -> Tensor:
    """Reverses the order of the elements along axes.

    Args:
        data: Input array.
        axis: Axes to reverse, not negative.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.flip(mx.nd.array([[1, 2], [3, 4]]), axis=1).asnumpy())
        [[2. 1.]
         [4. 3.]]
    """
    if min(axis, default=0) < 0:
        raise MXNetError(f"reverse: `axis` takes no negative axis, got {axis}")
    return data.flip(axis)


def _repeat_whole(data: Tensor, reps: Shape) -> Tensor:
    check_growth("tile", prod(reps), data)
    return data.tile(reps)


@op("_npi_tile", traits=Traits(labels=NAMED_INPUTS, role="movement"))
def np_tile(data: Tensor, *, reps: Shape) -> Tensor:
    """Repeats the whole array along its axes, as `tile` does; the result may be empty.

    Args:
        data: Input array.
        reps: How often for each axis; the shorter of shape and `reps` gets ones in front.
    """
    if min(reps, default=0) < 0:
        raise MXNetError(f"tile: `reps` takes no negative numbers, got {reps}")
    return _repeat_whole(data, reps)


@op(
    "tile", traits=Traits(labels=NAMED_INPUTS, files=Files(numpy_twin="_npi_tile"), role="movement")
)
def tile(data: Tensor, *, reps: Shape) -> Tensor:
    """Repeats the whole array along its axes.

    Args:
        data: Input array.
        reps: How often for each axis, at least once; the shorter of shape and `reps` gets ones in
            front.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.tile(mx.nd.array([1, 2]), reps=(2, 2)).asnumpy())
        [[1. 2. 1. 2.]
         [1. 2. 1. 2.]]
    """
    if min(reps, default=1) < 1:
        raise MXNetError(f"tile: `reps` takes numbers above 0, got {reps}")
    return _repeat_whole(data, reps)


@op("repeat", aliases=("_np_repeat",), traits=Traits(labels=NAMED_INPUTS, role="movement"))
def repeat(data: Tensor, *, repeats: int, axis: int | None = None) -> Tensor:
    """Repeats each element.

    Args:
        data: Input array.
        repeats: How often; with 0 the result is empty and has one axis.
        axis: Axis along which to repeat; by default the array is flattened first.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.repeat(mx.nd.array([[1, 2]]), repeats=2).asnumpy())
        [1. 1. 2. 2.]
        >>> print(mx.nd.repeat(mx.nd.array([[1, 2]]), repeats=2, axis=1).asnumpy())
        [[1. 1. 2. 2.]]
    """
    if repeats == 0:
        return data.flatten()[:0]
    check_growth("repeat", repeats, data)
    return data.repeat_interleave(repeats, axis)


@op("Pad", aliases=("pad",), traits=Traits(labels=NAMED, fusion=KEEPS_LAYOUT, flops=flops.nothing))
def pad(
    data: Tensor,
    *,
    mode: Literal["constant", "edge", "reflect"],
    pad_width: Shape,
    constant_value: float = 0.0,
) -> Tensor:
    """Puts a border around the spatial axes.

    Args:
        data: Input of shape `(batch, channels, height, width)` or
            `(batch, channels, depth, height, width)`.
        mode: Fills the border with a constant, with the nearest element of the edge, or with the
            mirror image at the edge (the edge itself is not repeated).
        pad_width: Widths before and after for each axis, the first four of them 0.
        constant_value: Value of a constant border.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((1, 1, 1, 2))
        >>> y = mx.nd.Pad(x, mode="constant", pad_width=(0, 0, 0, 0, 1, 1, 1, 1), constant_value=7)
        >>> print(y[0, 0].asnumpy())
        [[7. 7. 7. 7.]
         [7. 1. 1. 7.]
         [7. 7. 7. 7.]]
    """
    if data.ndim not in (4, 5) or len(pad_width) != 2 * data.ndim or any(pad_width[:4]):
        raise MXNetError(
            f"Pad: expected 4 or 5 axes and two widths for each, 0 for the first two axes, "
            f"got shape {tuple(data.shape)} and {pad_width}"
        )
    widths = [
        width
        for axis in range(data.ndim - 1, 1, -1)
        for width in pad_width[2 * axis : 2 * axis + 2]
    ]
    border = zip(data.shape, pad_width[::2], pad_width[1::2], strict=True)
    check_like("Pad", list(map(sum, border)), data)
    if mode == "constant":
        return F.pad(data, widths, value=as_element(constant_value, data.dtype))
    return F.pad(data, widths, mode=_PAD_MODES[mode])


@op("diag", traits=Traits(labels=NAMED_INPUTS))
def diag(data: Tensor, *, k: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Takes the diagonal of an array, or builds the matrix that has a vector on its diagonal.

    Args:
        data: Input array.
        k: Which diagonal: positive above the main one, negative below.
        axis1: First axis of the matrices in an array of two or more axes.
        axis2: Second axis of the matrices; the diagonal is the last axis of the result.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.diag(mx.nd.array([[1, 2], [3, 4]])).asnumpy())
        [1. 4.]
        >>> print(mx.nd.diag(mx.nd.array([1, 2])).asnumpy())
        [[1. 0.]
         [0. 2.]]
    """
    if data.ndim == 1:
        check_like("diag", (len(data) + abs(k),) * 2, data)
        return torch.diag(data, k)
    if min(data.shape[axis1] + min(k, 0), data.shape[axis2] - max(k, 0)) < 0:
        raise MXNetError(f"diag: an array of shape {tuple(data.shape)} has no diagonal {k}")
    return torch.diagonal(data, k, axis1, axis2)


@op(
    "Concat",
    aliases=("concat",),
    traits=Traits(
        types=SAME_DTYPE,
        shapes=Shapes(
            quick=shape_rules.concat, inputs=shape_rules.join, misfit=misfits.concatenation
        ),
        fusion=KEEPS_LAYOUT,
        role="concatenation",
        labels=NAMED,
        drawing=drawing.SHAPING,
        storage=Storage(
            result=storage_types.only_all("csr", lambda attrs: attrs.get("dim") == 0),
            algorithm="concat",
        ),
        flops=flops.nothing,
        quantization=quantizing.JOINING,
    ),
)
def concat(*data: Tensor, dim: int = 1) -> Tensor:
    """Joins arrays along an axis; their other axes have equal sizes.

    Args:
        data: Arrays to join.
        dim: The axis.

    Example:
        >>> import mxnet as mx
        >>> left, right = mx.nd.zeros((2, 1)), mx.nd.ones((2, 2))
        >>> print(mx.nd.concat(left, right, dim=1).asnumpy())
        [[0. 1. 1.]
         [0. 1. 1.]]
    """
    return torch.cat(data, dim)


op(
    "_rnn_param_concat",
    aliases=("_npi_rnn_param_concat",),
    traits=Traits(flops=flops.nothing),
    summary="Joins the parameters of a recurrent layer, which files name apart from other arrays.",
)(concat)


@op(
    "stack",
    traits=Traits(
        labels=NAMED_INPUTS, flops=flops.nothing, shapes=Shapes(early=shape_rules.stacked)
    ),
)
def stack(*data: Tensor, axis: int = 0) -> Tensor:
    """Joins arrays of one shape along a new axis.

    Args:
        data: Arrays to join.
        axis: Position of the new axis in the result.

    Example:
        >>> import mxnet as mx
        >>> first, second = mx.nd.array([1, 2]), mx.nd.array([3, 4])
        >>> print(mx.nd.stack(first, second, axis=1).asnumpy())
        [[1. 3.]
         [2. 4.]]
    """
    return torch.stack(data, axis)
