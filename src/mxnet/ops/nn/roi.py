"""Pooling over regions of interest of a feature map: boxes, turned ones, moving cells."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Grid, Share
from mxnet.ops.core.devices import constant_like, may_wait
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import as_positions, clamp
from mxnet.ops.core.traits import NAMED_OUTPUTS, Labels, Traits

_VALUES_AT_A_TIME = 1 << 17
"""Values that are compared at a time, so few that they stay in the cache."""


def check_regions(name: str, data: Tensor, rois: Tensor, columns: int = 5) -> None:
    """Refuses a feature map or regions that do not go together."""
    if data.ndim != 4 or rois.ndim != 2 or rois.shape[1] != columns:
        raise MXNetError(
            f"{name}: data (batch, channels, height, width) and rois (regions, {columns}) "
            f"expected, got {tuple(data.shape)} and {tuple(rois.shape)}"
        )
    if not data.is_floating_point():
        raise MXNetError(f"{name}: arrays of floats expected, got {data.dtype}")


def image_numbers(name: str, data: Tensor, regions: Tensor) -> Tensor:
    """Reads which image of the batch each region lies in; -1 stands for none.

    Numbers past the last image are refused, but on a GPU, which would have to be waited for.
    """
    numbers = as_positions(regions[:, 0])
    images = len(data)
    if numbers.device.type == "cpu" and numbers.numel() and int(numbers.max()) >= images:
        raise MXNetError(
            f"{name}: expected regions in images 0 to {images - 1}, got {int(numbers.max())}"
        )
    return numbers.clamp(-1, images - 1)


def round_half_away(values: Tensor) -> Tensor:
    """Rounds to whole numbers, halves away from zero."""
    return values.sign() * (values.abs() + 0.5).floor()


def as_points(data: Tensor) -> Tensor:
    """Returns the channels of each point as a row."""
    return data.permute(0, 2, 3, 1).reshape(-1, data.shape[1])


def _flat(batch: Tensor, rows: Tensor, columns: Tensor, size: tuple[int, int]) -> Tensor:
    """Returns the numbers of points from `(n, ph, kh)` rows and `(n, pw, kw)` columns.

    Returns:
        Numbers of shape `(n, ph, pw, kh, kw)`.
    """
    height, width = size
    first = batch.clamp(min=0)[:, None, None, None, None] * (height * width)
    return first + rows[:, :, None, :, None] * width + columns[:, None, :, None, :]


def _bins(start: Tensor, end: Tensor, count: int, size: int) -> tuple[Tensor, Tensor]:
    """Divides whole-numbered ranges into bins that touch or overlap, cut off at the edges."""
    # By a number, GPUs multiply by its reciprocal: their edges would differ from those of CPUs.
    step = (end - start + 1).clamp(min=1)[:, None] / constant_like(count, start)
    number = torch.arange(count, dtype=start.dtype, device=start.device)
    low = (number * step).floor() + start[:, None]
    high = ((number + 1) * step).ceil() + start[:, None]
    return low.clamp(0, size).long(), high.clamp(0, size).long()


def _inside(low: Tensor, high: Tensor, most: int) -> Tensor:
    """Lists the places of each bin, the last one again where a bin has fewer than `most`."""
    places = low[..., None] + torch.arange(most, device=low.device)
    return torch.minimum(places, high[..., None] - 1).clamp(min=0)


def _largest(points: Tensor, numbers: Tensor) -> Tensor:
    """Returns the largest value of each channel among the points of each cell."""
    first, *others = numbers.unbind(1)
    largest = points.index_select(0, first)
    for number in others:
        torch.maximum(largest, points.index_select(0, number), out=largest)
    return largest


def _best_points(points: Tensor, numbers: Tensor) -> Tensor:
    """Finds where the channels are largest among some points, the first of equal ones.

    Args:
        points: Channels of points, `(points, channels)`.
        numbers: Numbers of the points of each cell, `(cells, count)`.

    Returns:
        Numbers of shape `(cells, channels)`.
    """
    largest = points.index_select(0, numbers[:, 0])
    dtype = torch.uint8 if numbers.shape[1] <= 256 else torch.int32
    place = torch.zeros_like(largest, dtype=dtype)
    for index, number in enumerate(numbers.unbind(1)[1:], 1):
        values = points.index_select(0, number)
        # Places only grow, and a maximum costs far less than choosing by a mask.
        torch.maximum(place, (values > largest).to(dtype) * index, out=place)
        torch.maximum(largest, values, out=largest)
    return numbers.gather(1, place.long())


def _in_cells(
    choose: Callable[[Tensor, Tensor], Tensor],
    points: Tensor,
    batch: Tensor,
    bins: tuple[Tensor, Tensor, Tensor, Tensor],
    size: tuple[int, int],
) -> Tensor:
    """Chooses among the points of each cell, a few regions of like size at a time.

    Args:
        choose: Takes points and, for each cell, as many numbers of points.
        points: Channels of points, `(points, channels)`.
        batch: Numbers of images of the regions.
        bins: First and last rows of the bins, then columns, as `_bins` gives them.
        size: Height and width of the feature map.

    Returns:
        What was chosen, of shape `(regions, rows, columns, channels)`.
    """
    y_low, y_high, x_low, x_high = bins
    spans = [(b - a).amax(1).clamp(min=1) for a, b in ((y_low, y_high), (x_low, x_high))]
    order = (spans[0] * spans[1]).argsort()
    sizes = torch.stack(spans, 1)[order].tolist()
    grid = (y_low.shape[1], x_low.shape[1], points.shape[1])
    step = max(1, _VALUES_AT_A_TIME // prod(grid))
    parts = []
    for start in range(0, len(order), step):
        deep, wide = (max(column) for column in zip(*sizes[start : start + step], strict=True))
        some = order[start : start + step]
        rows = _inside(y_low[some], y_high[some], deep)
        columns = _inside(x_low[some], x_high[some], wide)
        numbers = _flat(batch[some], rows, columns, size).reshape(-1, deep * wide)
        parts.append(choose(points, numbers).reshape(-1, *grid))
    return torch.cat(parts)[order.argsort()]


@op(
    "ROIPooling",
    aliases=("_npx_roi_pooling",),
    traits=Traits(labels=NAMED_OUTPUTS.of("output", "maxidx")),
)
def roi_pooling(data: Tensor, rois: Tensor, *, pooled_size: Grid, spatial_scale: Share) -> Tensor:
    """Takes the maximum in each cell of a grid over regions of a feature map.

    Args:
        data: Feature map of shape `(batch, channels, height, width)`.
        rois: Regions of shape `(regions, 5)`: the number in the batch, and corners in the image
            `(left, top, right, bottom)`. A negative number gives zeros.
        pooled_size: Height and width of the grid.
        spatial_scale: Size of the feature map as part of the size of the image.

    Returns:
        Maxima of shape `(regions, channels, *pooled_size)`, 0 in empty cells.

    Example:
        >>> import mxnet as mx
        >>> features = mx.nd.arange(16).reshape((1, 1, 4, 4))
        >>> regions = mx.nd.array([[0, 0, 0, 3, 3]])
        >>> pooled = mx.nd.ROIPooling(features, regions, pooled_size=(2, 2), spatial_scale=1)
        >>> print(pooled[0, 0].asnumpy())
        [[ 5.  7.]
         [13. 15.]]
    """
    check_regions("ROIPooling", data, rois)
    rows, columns = pooled_size
    channels, height, width = data.shape[1:]
    shape = (rois.shape[0], channels, rows, columns)
    if data.is_meta or not rois.shape[0]:
        return data.new_zeros(shape) + data.sum() * 0
    check_like("ROIPooling", shape, data)
    regions = rois.detach()
    left, top, right, bottom = round_half_away(regions[:, 1:] * spatial_scale).unbind(1)
    batch = image_numbers("ROIPooling", data, regions)
    y_low, y_high = _bins(top, bottom, rows, height)
    x_low, x_high = _bins(left, right, columns, width)
    points, bins = as_points(data), (y_low, y_high, x_low, x_high)
    if not may_wait(data):
        from mxnet.ops.nn._roi_at_once import find_best  # noqa: PLC0415 - on GPUs only

        places = find_best(data.detach(), batch.clamp(min=0), bins)
        best = points.gather(0, places.reshape(-1, channels)).reshape(places.shape)
    elif points.requires_grad:
        places = _in_cells(_best_points, points.detach(), batch, bins, (height, width))
        best = points.gather(0, places.reshape(-1, channels)).reshape(places.shape)
    else:
        best = _in_cells(_largest, points, batch, bins, (height, width))
    best = best.permute(0, 3, 1, 2)
    filled = (y_high > y_low)[:, :, None] & (x_high > x_low)[:, None, :]
    filled &= (batch >= 0)[:, None, None]
    return torch.where(filled[:, None], best, 0)


def _samples(
    start: Tensor, step: Tensor, count: int, per_bin: Tensor, most: int, size: int
) -> tuple[Tensor, Tensor]:
    """Lists the places next to sample points along an axis, and their shares of the value there.

    Args:
        start: Where regions begin.
        step: Sizes of their bins.
        count: Number of bins.
        per_bin: Number of samples in a bin of each region.
        most: The largest of these.
        size: Size of the axis.

    Returns:
        Places and shares of shape `(regions, count, 2 * most)`.
    """
    number = torch.arange(count, dtype=start.dtype, device=start.device)[None, :, None]
    sample = torch.arange(most, dtype=start.dtype, device=start.device)[None, None, :]
    start, step, per_bin = (item[:, None, None] for item in (start, step, per_bin))
    place = start + number * step + (sample + 0.5) * step / per_bin
    counts = (place >= -1) & (place <= size) & (sample < per_bin)
    place = place.clamp(0, size - 1)
    low = place.floor()
    share = place - low
    places = torch.stack((low, (low + 1).clamp(max=size - 1)), -1).long()
    shares = torch.stack((1 - share, share), -1) * counts[..., None]
    return places.flatten(2), shares.flatten(2)


@op("_contrib_ROIAlign")
def roi_align(
    data: Tensor,
    rois: Tensor,
    *,
    pooled_size: Grid,
    spatial_scale: Share,
    sample_ratio: int = -1,
    position_sensitive: bool = False,
    aligned: bool = False,
) -> Tensor:
    """Averages interpolated samples in each cell of a grid over regions of a feature map.

    Args:
        data: Feature map of shape `(batch, channels, height, width)`.
        rois: Regions of shape `(regions, 5)`: the number in the batch, and corners in the image
            `(left, top, right, bottom)`. A negative number gives zeros.
        pooled_size: Height and width of the grid.
        spatial_scale: Size of the feature map as part of the size of the image.
        sample_ratio: Samples along each axis of a cell; as many as it has points if not positive.
        position_sensitive: Whether each cell has channels of its own.
        aligned: Whether points lie in the middle of pixels, and small regions stay small.

    Returns:
        Averages of shape `(regions, channels, *pooled_size)`; position-sensitive, with as many
        times fewer channels as the grid has cells.

    Example:
        >>> import mxnet as mx
        >>> x, region = mx.nd.ones((1, 1, 4, 4)), mx.nd.array([[0, 0, 0, 3, 3]])
        >>> print(mx.nd.contrib.ROIAlign(x, region, pooled_size=(2, 2), spatial_scale=1).asnumpy())
        [[[[1. 1.]
           [1. 1.]]]]
    """
    name = "_contrib_ROIAlign"
    check_regions(name, data, rois)
    rows, columns = pooled_size
    channels, height, width = data.shape[1:]
    cells = rows * columns
    if position_sensitive and channels % cells:
        raise MXNetError(f"{name}: channels in multiples of {cells} expected, got {channels}")
    if data.is_meta or not rois.shape[0]:
        kept = channels // cells if position_sensitive else channels
        return data.new_zeros((rois.shape[0], kept, rows, columns)) + data.sum() * 0
    check_like(name, (rois.shape[0], channels, rows, columns), data)
    regions = rois.detach()
    batch = image_numbers(name, data, regions)
    corners = regions[:, 1:] * spatial_scale - (0.5 if aligned else 0)
    sizes = corners[:, 2:] - corners[:, :2]
    sizes = sizes if aligned else sizes.clamp(min=1)
    steps = sizes / constant_like((columns, rows), sizes)
    counts = (
        steps.ceil().clamp(min=1) if sample_ratio <= 0 else torch.full_like(steps, sample_ratio)
    )
    if sample_ratio <= 0 and not may_wait(data):
        ranges = [(corners[:, axis], steps[:, axis], counts[:, axis]) for axis in (1, 0)]
        from mxnet.ops.nn._roi_at_once import average_densely  # noqa: PLC0415 - on GPUs only

        average = average_densely(data, batch, ranges, pooled_size)
        return _own_channels(average, cells) if position_sensitive else average
    wide, deep = _count_samples(counts, sample_ratio)
    y, y_share = _samples(corners[:, 1], steps[:, 1], rows, counts[:, 1], deep, height)
    x, x_share = _samples(corners[:, 0], steps[:, 0], columns, counts[:, 0], wide, width)
    y_share = y_share / counts[:, 1, None, None] * (batch >= 0)[:, None, None]
    x_share = x_share / counts[:, 0, None, None]
    numbers = _flat(batch, y, x, (height, width)).reshape(-1, 4 * deep * wide)
    shares = (y_share[:, :, None, :, None] * x_share[:, None, :, None, :]).reshape(numbers.shape)
    sums = F.embedding_bag(numbers, as_points(data), per_sample_weights=shares, mode="sum")
    average = sums.reshape(len(batch), rows, columns, channels).permute(0, 3, 1, 2)
    return _own_channels(average, cells) if position_sensitive else average


def _count_samples(counts: Tensor, ratio: int) -> tuple[int, int]:
    """Returns the largest numbers of samples in x and y, which a positive ratio fixes."""
    return (ratio, ratio) if ratio > 0 else (int(counts[:, 0].max()), int(counts[:, 1].max()))


def _own_channels(average: Tensor, cells: int) -> Tensor:
    """Leaves each cell the channels of its own."""
    regions, channels, rows, columns = average.shape
    own = average.reshape(regions, channels // cells, cells, cells)
    return own.diagonal(dim1=2, dim2=3).reshape(regions, channels // cells, rows, columns)


@op("_contrib_PSROIPooling")
def psroi_pooling(
    data: Tensor,
    rois: Tensor,
    *,
    spatial_scale: Share,
    output_dim: int,
    pooled_size: int,
    group_size: int = 0,
) -> Tensor:
    """Averages over cells of a grid over regions, each cell of channels of its own (R-FCN).

    Args:
        data: Feature map of shape `(batch, output_dim * group_size ** 2, height, width)`.
        rois: Regions of shape `(regions, 5)`; see `ROIPooling`.
        spatial_scale: Size of the feature map as part of the size of the image.
        output_dim: Channels of the output.
        pooled_size: Height and width of the grid.
        group_size: Height and width of the grid of channels, `pooled_size` if 0.

    Returns:
        Averages of shape `(regions, output_dim, pooled_size, pooled_size)`, 0 in empty cells.

    Example:
        >>> import mxnet as mx
        >>> x, region = mx.nd.ones((1, 8, 4, 4)), mx.nd.array([[0, 0, 0, 3, 3]])
        >>> options = {"spatial_scale": 1, "output_dim": 2, "pooled_size": 2}
        >>> print(mx.nd.contrib.PSROIPooling(x, region, **options).shape)
        (1, 2, 2, 2)
    """
    name = "_contrib_PSROIPooling"
    check_regions(name, data, rois)
    groups = group_size or pooled_size
    if data.shape[1] != output_dim * groups**2:
        raise MXNetError(f"{name}: {output_dim * groups**2} channels expected, got {data.shape[1]}")
    check_like(name, (rois.shape[0], output_dim, pooled_size, pooled_size), data)
    height, width = data.shape[2:]
    regions = rois.detach()
    batch = image_numbers(name, data, regions)
    corners = round_half_away(regions[:, 1:])
    corners = (corners + constant_like((0, 0, 1, 1), corners)) * spatial_scale
    steps = (corners[:, 2:] - corners[:, :2]).clamp(min=0.1) / constant_like(pooled_size, corners)
    number = torch.arange(pooled_size, dtype=steps.dtype, device=steps.device)
    edges = []
    for axis, size in ((1, height), (0, width)):
        start, step = corners[:, axis, None], steps[:, axis, None]
        low = (number * step + start).floor().clamp(0, size).long()
        edges.append((low, ((number + 1) * step + start).ceil().clamp(0, size).long()))
    (top, bottom), (left, right) = edges
    own = (torch.arange(pooled_size, device=data.device) * groups) // pooled_size
    first = torch.arange(output_dim, device=data.device)[:, None, None] * groups**2
    channel = first + own[:, None] * groups + own[None, :]
    # Sums over any cell follow from four values of the running sums; in double precision, because
    # they are differences of large numbers.
    sums = F.pad(data.double(), (1, 0, 1, 0)).cumsum(2).cumsum(3)

    def at(y: Tensor, x: Tensor) -> Tensor:
        image = batch.clamp(min=0)[:, None, None, None]
        return sums[image, channel[None], y[:, None, :, None], x[:, None, None, :]]

    total = at(bottom, right) - at(top, right) - at(bottom, left) + at(top, left)
    area = ((bottom - top).clamp(min=0)[:, :, None] * (right - left).clamp(min=0)[:, None])[:, None]
    filled = (area > 0) & (batch >= 0)[:, None, None, None]
    return torch.where(filled, total / area.clamp(min=1), 0).to(data.dtype)


def _grid(size: Tensor, count: int, per_bin: Tensor, most: int) -> tuple[Tensor, Tensor]:
    """Returns samples along an axis, from the middle of regions, and whether they count."""
    step = (size / count)[:, None, None]
    cell = torch.arange(count, dtype=size.dtype, device=size.device)[:, None]
    sample = torch.arange(most, dtype=size.dtype, device=size.device)
    per_bin = per_bin[:, None, None]
    places = cell * step + (sample + 0.5) * step / per_bin - size[:, None, None] / 2
    return places, (sample < per_bin).expand(places.shape)


def _corners(y: Tensor, x: Tensor, height: int, width: int) -> tuple[Tensor, Tensor]:
    """Returns the numbers of the four points around each place, and their shares of its value."""
    inside = (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
    y, x = y.clamp(0, height - 1), x.clamp(0, width - 1)
    y_low, x_low = y.floor(), x.floor()
    y_share, x_share = y - y_low, x - x_low
    rows = torch.stack((y_low, (y_low + 1).clamp(max=height - 1)), -1).long()
    columns = torch.stack((x_low, (x_low + 1).clamp(max=width - 1)), -1).long()
    numbers = rows[..., :, None] * width + columns[..., None, :]
    y_shares = torch.stack((1 - y_share, y_share), -1)[..., :, None]
    x_shares = torch.stack((1 - x_share, x_share), -1)[..., None, :]
    return numbers, y_shares * x_shares * inside[..., None, None]


@op("_contrib_RROIAlign")
def rotated_roi_align(
    data: Tensor, rois: Tensor, *, pooled_size: Grid, spatial_scale: Share, sampling_ratio: int = -1
) -> Tensor:
    """Averages interpolated samples in each cell of a grid over turned regions of a feature map.

    Args:
        data: Feature map of shape `(batch, channels, height, width)`.
        rois: Regions of shape `(regions, 6)`: the number in the batch, x and y of the centre, width
            and height in the image, and the angle in degrees.
        pooled_size: Height and width of the grid.
        spatial_scale: Size of the feature map as part of the size of the image.
        sampling_ratio: Samples along each axis of a cell; as many as it has points if not positive.

    Returns:
        Averages of shape `(regions, channels, *pooled_size)`.

    Example:
        >>> import mxnet as mx
        >>> x, region = mx.nd.ones((1, 1, 4, 4)), mx.nd.array([[0, 2, 2, 2, 2, 45]])
        >>> print(mx.nd.contrib.RROIAlign(x, region, pooled_size=(2, 2), spatial_scale=1).shape)
        (1, 1, 2, 2)
    """
    name = "_contrib_RROIAlign"
    check_regions(name, data, rois, columns=6)
    rows, columns = pooled_size
    channels, height, width = data.shape[1:]
    if data.is_meta or not len(rois):
        return data.new_zeros((len(rois), channels, rows, columns)) + data.sum() * 0
    check_like(name, (len(rois), channels, rows, columns), data)
    regions = rois.detach()
    centre, size = regions[:, 1:3] * spatial_scale, regions[:, 3:5] * spatial_scale
    size, angle = size.clamp(min=1), torch.deg2rad(regions[:, 5])[:, None, None, None, None]
    counts = (size / constant_like((columns, rows), size)).ceil()
    counts = torch.full_like(counts, sampling_ratio) if sampling_ratio > 0 else counts
    wide, deep = _count_samples(counts, sampling_ratio)
    y, y_counts = (i[:, :, None, :, None] for i in _grid(size[:, 1], rows, counts[:, 1], deep))
    x, x_counts = (i[:, None, :, None] for i in _grid(size[:, 0], columns, counts[:, 0], wide))
    middle = [item[:, None, None, None, None] for item in centre.unbind(1)]
    turned_x = x * angle.cos() + y * angle.sin() + middle[0]
    turned_y = y * angle.cos() - x * angle.sin() + middle[1]
    numbers, shares = _corners(turned_y, turned_x, height, width)
    shares = shares * (y_counts & x_counts)[..., None, None]
    shares = shares / counts.prod(1)[:, None, None, None, None, None, None]
    first = image_numbers(name, data, regions) * (height * width)
    numbers = (numbers + first[:, None, None, None, None, None, None]).reshape(
        len(rois) * rows * columns, -1
    )
    weights = shares.reshape(numbers.shape)
    sums = F.embedding_bag(numbers, as_points(data), per_sample_weights=weights, mode="sum")
    return sums.reshape(len(rois), rows, columns, channels).permute(0, 3, 1, 2)


def _inputs(*, no_trans: bool, **_: object) -> tuple[str, ...]:
    return ("data", "rois") if no_trans else ("data", "rois", "trans")


def _shifts(trans: Tensor, std: float, pooled: int, parts: int, output_dim: int) -> Tensor:
    """Returns how far cells move, of shape `(regions, 2, output_dim, pooled, pooled)`, x first."""
    cell = torch.arange(pooled, device=trans.device) * parts // pooled
    picked = trans[:, :, cell][:, :, :, cell] * std
    by_class = picked.reshape(len(trans), -1, 2, pooled, pooled).transpose(1, 2)
    return by_class.repeat_interleave(output_dim // by_class.shape[2], dim=2)


def _axis(place: Tensor, size: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Returns the points beside a place, the share of the second, and whether it counts."""
    counts = (place >= -0.5) & (place <= size - 0.5)
    inside = clamp(place, 0, size - 1)
    low = inside.detach().floor()
    return low.long(), inside.detach().ceil().long(), inside - low, counts


@op(
    "_contrib_DeformablePSROIPooling",
    active_inputs=_inputs,
    num_outputs=2,
    visible_outputs=1,
    traits=Traits(labels=Labels(outputs=("output", "top_count"))),
)
def deformable_psroi_pooling(
    data: Tensor,
    rois: Tensor,
    trans: Tensor | None = None,
    *,
    spatial_scale: Share,
    output_dim: int,
    group_size: int,
    pooled_size: int,
    part_size: int = 0,
    sample_per_part: int = 1,
    trans_std: Share = 0.0,
    no_trans: bool = False,
) -> tuple[Tensor, Tensor]:
    """Averages samples in cells over regions; cells have channels of their own and may move.

    Args:
        data: Feature map of shape `(batch, output_dim * group_size ** 2, height, width)`.
        rois: Regions of shape `(regions, 5)`; see `ROIPooling`.
        trans: How far cells move, as parts of the region, of shape
            `(regions, 2 * classes, part_size, part_size)`.
        spatial_scale: Size of the feature map as part of the size of the image.
        output_dim: Channels of the output.
        group_size: Height and width of the grid of channels.
        pooled_size: Height and width of the grid of cells.
        part_size: Height and width of the grid of `trans`, `pooled_size` if 0.
        sample_per_part: Samples along each axis of a cell.
        trans_std: Factor of `trans`.
        no_trans: Whether cells stay where they are.

    Returns:
        Averages and numbers of samples, of shape `(regions, output_dim, pooled_size, pooled_size)`.

    Example:
        >>> import mxnet as mx
        >>> x, region = mx.nd.ones((1, 8, 4, 4)), mx.nd.array([[0, 0, 0, 3, 3]])
        >>> options = {"spatial_scale": 1, "output_dim": 2, "group_size": 2, "pooled_size": 2}
        >>> print(mx.nd.contrib.DeformablePSROIPooling(x, region, no_trans=True, **options).shape)
        (1, 2, 2, 2)
    """
    name = "_contrib_DeformablePSROIPooling"
    check_regions(name, data, rois)
    if data.shape[1] != output_dim * group_size**2 or (trans is None and not no_trans):
        raise MXNetError(
            f"{name}: {output_dim * group_size**2} channels, and trans unless no_trans, expected; "
            f"got {data.shape[1]}"
        )
    height, width = data.shape[2:]
    regions = rois.detach()
    batch = image_numbers(name, data, regions)
    corners = round_half_away(regions[:, 1:])
    corners = (corners + constant_like((0, 0, 1, 1), corners)) * spatial_scale - 0.5
    sizes = (corners[:, 2:] - corners[:, :2]).clamp(min=0.1)
    shape = (len(rois), 2, output_dim, pooled_size, pooled_size)
    check_like(name, (*shape, sample_per_part, sample_per_part), data)
    shifts = data.new_zeros(shape)
    if trans is not None and not no_trans:
        shifts = _shifts(trans, trans_std, pooled_size, part_size or pooled_size, output_dim)
    cell = torch.arange(pooled_size, dtype=data.dtype, device=data.device)
    sample = torch.arange(sample_per_part, dtype=data.dtype, device=data.device) / sample_per_part
    places = []
    for axis, grid in ((1, cell[:, None]), (0, cell[None, :])):
        size, start = (item[:, axis, None, None, None] for item in (sizes, corners))
        step = size / pooled_size
        first = grid * step + start + shifts[:, axis] * size
        places.append(first[..., None] + sample * step[..., None])
    y_low, y_high, y_share, y_counts = _axis(places[0][..., :, None], height)
    x_low, x_high, x_share, x_counts = _axis(places[1][..., None, :], width)
    own = torch.arange(pooled_size, device=data.device) * group_size // pooled_size
    channels = torch.arange(output_dim, device=data.device)[:, None, None] * group_size**2
    channels = (channels + own[:, None] * group_size + own)[None, ..., None, None]
    image = batch.clamp(min=0)[:, None, None, None, None, None]
    upper = _blend(data, image, channels, y_low, (x_low, x_high), x_share)
    lower = _blend(data, image, channels, y_high, (x_low, x_high), x_share)
    counts = (y_counts & x_counts).to(data.dtype)
    total = ((upper + (lower - upper) * y_share) * counts).sum((-2, -1))
    count = counts.sum((-2, -1)).detach()
    return total / count.clamp(min=1), count


def _blend(
    data: Tensor,
    image: Tensor,
    channels: Tensor,
    y: Tensor,
    columns: tuple[Tensor, Tensor],
    share: Tensor,
) -> Tensor:
    """Interpolates within a row."""
    left, right = (data[image, channels, y, x] for x in columns)
    return left + (right - left) * share
