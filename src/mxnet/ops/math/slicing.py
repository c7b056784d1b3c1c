"""Operators that take an array apart, write into a part of it, or gather windows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch.nn.functional as F
from torch import Tensor

from mxnet import limits
from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Count, Number, OptionalInts, Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import as_element
from mxnet.ops.core.traits import (
    NAMED,
    NAMED_INPUTS,
    SAME_DTYPE,
    SAME_SHAPE,
    Labels,
    Shapes,
    Storage,
    Traits,
)
from mxnet.ops.rules import flops, shape_rules, storage_types


def _find_region(
    name: str, data: Tensor, begin: OptionalInts, end: OptionalInts, step: OptionalInts
) -> tuple[tuple[slice, ...], list[int]]:
    """Returns slices with positive steps, and the axes that have to be flipped after them."""
    if not len(begin) == len(end) <= data.ndim or len(step) not in (0, len(begin)):
        raise MXNetError(
            f"{name}: expected `begin`, `end` and `step` of one length, at most {data.ndim}, "
            f"got {begin}, {end} and {step}"
        )
    if not step:
        return tuple(map(slice, begin, end)), []
    region, flipped = [], []
    for axis, bounds in enumerate(zip(begin, end, step, strict=True)):
        part = slice(*bounds)
        stride = part.step or 1
        if stride < 0:
            indices = range(*part.indices(data.shape[axis]))
            part = slice(indices[-1], indices[0] + 1, -stride) if indices else slice(0)
            flipped.append(axis)
        region.append(part)
    return tuple(region), flipped


@op(
    "slice",
    aliases=("crop", "_npi_slice", "_npx_slice"),
    traits=Traits(
        storage=Storage(
            result=storage_types.only("csr", storage_types.has_no_steps), algorithm="slice"
        ),
        flops=flops.nothing,
        shapes=Shapes(partial=shape_rules.sliced),
    ),
)
def slice_region(
    data: Tensor, *, begin: OptionalInts, end: OptionalInts, step: OptionalInts = ()
) -> Tensor:
    """Takes a region of an array, as `data[begin:end:step, ...]` does.

    Args:
        data: Input array.
        begin: First index for each of the leading axes; None is the start.
        end: Index after the last for each; None is the end. Bounds beyond the array are cut.
        step: Step for each, which may be negative; None is 1.

    Example:
        >>> import mxnet as mx
        >>> matrix = mx.nd.arange(6).reshape((2, 3))
        >>> print(mx.nd.slice(matrix, begin=(0, 1), end=(2, 3)).asnumpy())
        [[1. 2.]
         [4. 5.]]
    """
    region, flipped = _find_region("slice", data, begin, end, step)
    return data[region].flip(flipped) if flipped else data[region]


@op("_slice_assign", aliases=("_crop_assign", "_npi_slice_assign"))
def slice_assign(
    lhs: Tensor, rhs: Tensor, *, begin: OptionalInts, end: OptionalInts, step: OptionalInts = ()
) -> Tensor:
    """Copies an array with a region of it replaced by another array.

    Args:
        lhs: Array to copy.
        rhs: Values, of the shape of the region.
        begin: First index for each of the leading axes.
        end: Index after the last for each.
        step: Step for each.
    """
    region, flipped = _find_region("_slice_assign", lhs, begin, end, step)
    result = lhs.clone()
    part = result[region]
    if part.shape != rhs.shape:
        raise MXNetError(
            f"_slice_assign: expected values of shape {tuple(part.shape)}, got {tuple(rhs.shape)}"
        )
    part.copy_(rhs.flip(flipped) if flipped else rhs)
    return result


@op(
    "_slice_assign_scalar",
    aliases=("_crop_assign_scalar", "_npi_slice_assign_scalar"),
    traits=Traits(shapes=SAME_SHAPE),
)
def slice_assign_scalar(
    data: Tensor,
    *,
    scalar: Number = 0.0,
    begin: OptionalInts,
    end: OptionalInts,
    step: OptionalInts = (),
) -> Tensor:
    """Copies an array with a region of it filled by a number.

    Args:
        data: Array to copy.
        scalar: The number.
        begin: First index for each of the leading axes.
        end: Index after the last for each.
        step: Step for each.
    """
    region, _ = _find_region("_slice_assign_scalar", data, begin, end, step)
    result = data.clone()
    result[region].fill_(as_element(scalar, data.dtype))
    return result


@op(
    "slice_axis",
    traits=Traits(role="movement", shapes=Shapes(partial=shape_rules.sliced_along_axis)),
)
def slice_axis(data: Tensor, *, axis: int, begin: int, end: int | None) -> Tensor:
    """Takes a range along one axis.

    Args:
        data: Input array.
        axis: The axis.
        begin: First index; a negative one counts from the end.
        end: Index after the last; None is the end.

    Example:
        >>> import mxnet as mx
        >>> matrix = mx.nd.arange(6).reshape((2, 3))
        >>> print(mx.nd.slice_axis(matrix, axis=1, begin=1, end=None).asnumpy())
        [[1. 2.]
         [4. 5.]]
    """
    size = data.shape[axis]
    first = begin + size * (begin < 0)
    last = size if end is None else end + size * (end < 0)
    if not 0 <= first <= last <= size or (first == last and size):
        raise MXNetError(
            f"slice_axis: expected begin < end within an axis of size {size}, got {begin} and {end}"
        )
    return data.narrow(axis, first, last - first)


@op(
    "slice_like",
    any_dtype=("shape_like",),
    traits=Traits(flops=flops.nothing, shapes=Shapes(asked=("shape_like",))),
)
def slice_like(data: Tensor, shape_like: Tensor, *, axes: Shape = ()) -> Tensor:
    """Cuts the end of axes off, down to the sizes of another array.

    Args:
        data: Array to cut.
        shape_like: Array that gives the sizes.
        axes: Axes to cut, counted in `data`; by default all.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.arange(9).reshape((3, 3))
        >>> print(mx.nd.slice_like(x, mx.nd.zeros((2, 2))).asnumpy())
        [[0. 1.]
         [3. 4.]]
    """
    if not axes and data.ndim != shape_like.ndim:
        raise MXNetError(
            f"slice_like: without `axes` expected {data.ndim} axes, got {tuple(shape_like.shape)}"
        )
    region = [slice(None)] * data.ndim
    for axis in axes or range(data.ndim):
        index = axis + data.ndim * (axis < 0)
        if not (
            0 <= index < min(data.ndim, shape_like.ndim)
            and shape_like.shape[index] <= data.shape[index]
        ):
            raise MXNetError(
                f"slice_like: cannot cut axis {axis} of shape {tuple(data.shape)} "
                f"to {tuple(shape_like.shape)}"
            )
        region[index] = slice(shape_like.shape[index])
    return data[tuple(region)]


@op("Crop", traits=Traits(labels=NAMED))
def crop(
    *data: Tensor, offset: Shape = (0, 0), h_w: Shape = (0, 0), center_crop: bool = False
) -> Tensor:
    """Cuts a rectangle out of images.

    Args:
        data: Images of shape `(batch, channels, height, width)`, and optionally an array whose last
            two axes give the size of the rectangle.
        offset: Top and left of the rectangle.
        h_w: Height and width of the rectangle, if there is no second array.
        center_crop: Whether to cut from the middle, whatever `offset` says.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.arange(16).reshape((1, 1, 4, 4))
        >>> print(mx.nd.Crop(image, offset=(1, 1), h_w=(2, 2))[0, 0].asnumpy())
        [[ 5.  6.]
         [ 9. 10.]]
    """
    if len(data) not in (1, 2) or any(item.ndim != 4 for item in data):
        raise MXNetError(
            f"Crop: expected one or two arrays of 4 axes, got {[tuple(d.shape) for d in data]}"
        )
    images = data[0]
    height, width = data[1].shape[2:] if len(data) == 2 else h_w
    room = (images.shape[2] - height, images.shape[3] - width)
    top, left = (room[0] // 2, room[1] // 2) if center_crop else offset
    if min(height, width) < 1 or not (0 <= top <= room[0] and 0 <= left <= room[1]):
        raise MXNetError(
            f"Crop: {height} x {width} at {(top, left)} does not lie within {tuple(images.shape)}"
        )
    return images[:, :, top : top + height, left : left + width]


def _count_channels(*, num_outputs: int, **_: object) -> int:
    return num_outputs


@op(
    "SliceChannel",
    aliases=("split",),
    num_outputs=_count_channels,
    traits=Traits(
        types=SAME_DTYPE,
        shapes=Shapes(inputs=shape_rules.split),
        labels=Labels(outputs=("output0",), names_inputs=True, names_outputs=True, gradient="data"),
        role="split",
    ),
)
def slice_channel(
    data: Tensor, *, num_outputs: Count, axis: int = 1, squeeze_axis: bool = False
) -> tuple[Tensor, ...]:
    """Splits an array into equal parts along an axis.

    Args:
        data: Input array.
        num_outputs: Number of parts, which divides the size of the axis.
        axis: The axis.
        squeeze_axis: Whether to remove the axis, which has size one in each part then.

    Example:
        >>> import mxnet as mx
        >>> first, second = mx.nd.split(mx.nd.arange(8).reshape((2, 4)), num_outputs=2, axis=1)
        >>> print(second.asnumpy())
        [[2. 3.]
         [6. 7.]]
    """
    size = data.shape[axis]
    if size % num_outputs or (squeeze_axis and size != num_outputs):
        raise MXNetError(
            f"SliceChannel: an axis of size {size} does not split into {num_outputs} parts"
            f"{' of size 1' if squeeze_axis else ''}"
        )
    if squeeze_axis:
        return data.unbind(axis)
    # Its gradient is one array of all parts; that of `tensor_split` is a sum of as many arrays.
    return data.chunk(num_outputs, axis)


def count_sections(*, indices: Shape, sections: int, **_: object) -> int:
    """Returns the number of parts into which an array is split."""
    return sections or len(indices)


@op(
    "_split_v2",
    aliases=("_npi_split",),
    num_outputs=count_sections,
    traits=Traits(
        labels=NAMED_INPUTS, flops=flops.nothing, shapes=Shapes(inputs=shape_rules.split_at)
    ),
)
def split_v2(
    data: Tensor, *, indices: Shape, axis: int = 1, squeeze_axis: bool = False, sections: int = 0
) -> tuple[Tensor, ...]:
    """Splits an array along an axis, at given indices or into sections.

    Args:
        data: Input array.
        indices: Where each part begins, the first at 0.
        axis: The axis.
        squeeze_axis: Whether to remove the axis, which has size one in each part then.
        sections: Number of parts, used instead of `indices` if not 0; if it does not divide the
            size, the first parts are longer by one.

    Example:
        >>> import mxnet as mx
        >>> print([x.asnumpy().tolist() for x in mx.nd.split_v2(mx.nd.arange(5), (1, 3), axis=0)])
        [[0.0], [1.0, 2.0], [3.0, 4.0]]
    """
    size = data.shape[axis]
    if sections == 0 and size:  # of an empty array all parts are empty, whatever the indices
        starts = (*indices, size)
        if starts[0] != 0 or not indices or any(a > b for a, b in pairwise(starts)):
            raise MXNetError(
                f"_split_v2: expected indices from 0 in ascending order up to {size}, got {indices}"
            )
    limits.check("node_outputs", sections, "_split_v2: attribute `sections`")
    parts = data.tensor_split(sections if sections else indices[1:], axis)
    if not squeeze_axis:
        return parts
    if any(part.shape[axis] != 1 for part in parts):
        raise MXNetError(f"_split_v2: cannot squeeze, the parts of {size} are not all of size 1")
    return tuple(part.select(axis, 0) for part in parts)


def _window(
    name: str, kernel: Shape, stride: Shape, dilate: Shape, padding: Shape
) -> dict[str, Any]:
    """Returns the arguments of `fold` and `unfold`."""
    if len(kernel) != 2 or any(len(item) not in (0, 2) for item in (stride, dilate, padding)):
        raise MXNetError(
            f"{name}: expected kernel, stride, dilate and pad for height and width, "
            f"got {kernel}, {stride}, {dilate} and {padding}"
        )
    return {
        "kernel_size": kernel,
        "stride": stride or 1,
        "dilation": dilate or 1,
        "padding": padding or 0,
    }


@op("im2col")
def im2col(
    data: Tensor, *, kernel: Shape, stride: Shape = (), dilate: Shape = (), pad: Shape = ()
) -> Tensor:
    """Gathers the windows of a convolution into columns.

    Args:
        data: Input of shape `(batch, channels, height, width)`.
        kernel: Height and width of the window.
        stride: Distance between windows, 1 by default.
        dilate: Distance between the elements of a window, 1 by default.
        pad: Zeros around the input, none by default.

    Returns:
        Columns of shape `(batch, channels * kernel size, windows)`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.arange(9).reshape((1, 1, 3, 3))
        >>> print(mx.nd.im2col(x, kernel=(2, 2)).asnumpy())
        [[[0. 1. 3. 4.]
          [1. 2. 4. 5.]
          [3. 4. 6. 7.]
          [4. 5. 7. 8.]]]
    """
    window = _window("im2col", kernel, stride, dilate, pad)
    if data.ndim != 4:
        raise MXNetError(f"im2col: expected an array of 4 axes, got {tuple(data.shape)}")
    return F.unfold(data, **window)


@op("col2im")
def col2im(
    data: Tensor,
    *,
    output_size: Shape,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
) -> Tensor:
    """Adds columns up at the places from which `im2col` gathers them.

    Args:
        data: Columns of shape `(batch, channels * kernel size, windows)`.
        output_size: Height and width of the result.
        kernel: Height and width of the window.
        stride: Distance between windows, 1 by default.
        dilate: Distance between the elements of a window, 1 by default.
        pad: Zeros around the image that were cut into windows, none by default.

    Example:
        >>> import mxnet as mx
        >>> columns = mx.nd.ones((1, 4, 4))
        >>> print(mx.nd.col2im(columns, output_size=(3, 3), kernel=(2, 2))[0, 0].asnumpy())
        [[1. 2. 1.]
         [2. 4. 2.]
         [1. 2. 1.]]
    """
    window = _window("col2im", kernel, stride, dilate, pad)
    if data.ndim != 3 or len(output_size) != 2:
        raise MXNetError(
            f"col2im: expected an array of 3 axes and the height and width of the result, "
            f"got {tuple(data.shape)} and {output_size}"
        )
    return F.fold(data, output_size, **window)
