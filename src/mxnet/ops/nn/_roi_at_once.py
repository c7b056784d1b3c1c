"""Regions of interest on a GPU, which is not asked how large they are.

The size of a region decides over how many points its cells go. A GPU would have to be waited for
to know it, so that here work follows from shapes alone: maxima come from tables of the largest of
1, 2, 4, ... successive points, two of which cover any range, and averages are products of matrices.
"""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.ops.core.attrs import Grid

_MOST_VALUES = 1 << 25
"""Values that are computed at a time, so many that starting a kernel costs little beside it."""


def _rank(data: Tensor) -> tuple[Tensor, Tensor]:
    """Numbers the points of each channel by their values, of equal ones the first the highest.

    Returns:
        Ranks of shape `(batch, height, width, channels)`, and the point of each rank, of shape
        `(batch * points, channels)`.
    """
    batch, channels, height, width = data.shape
    count = height * width
    order = count - 1 - data.flatten(2).flip(2).argsort(dim=2, stable=True)
    numbers = torch.arange(count, device=data.device).expand_as(order)
    ranks = torch.empty_like(order).scatter_(2, order, numbers).to(torch.int32)
    ranks = ranks.view(batch, channels, height, width).permute(0, 2, 3, 1).contiguous()
    return ranks, order.transpose(1, 2).reshape(-1, channels)


def _make_windows(table: Tensor) -> list[Tensor]:
    """Returns the largest of every 1, 2, 4, ... successive rows of `(owners, rows, columns)`."""
    windows = [table]
    for width in (1 << power for power in range(table.shape[1].bit_length() - 1)):
        windows.append(torch.maximum(windows[-1][:, :-width], windows[-1][:, width:]))
    return windows


def _find_largest(windows: list[Tensor], owner: Tensor, low: Tensor, high: Tensor) -> Tensor:
    """Returns the largest rows of ranges: two windows cover each of them.

    Args:
        windows: What `_make_windows` returns.
        owner: Owner of each list of ranges, of shape `(lists,)`.
        low: First rows of the ranges, of shape `(lists, ranges)`.
        high: Rows after the last ones.

    Returns:
        Rows of shape `(lists, ranges, columns)`; any that exist for an empty range.
    """
    largest = None
    for power, table in enumerate(windows):
        width, count = 1 << power, table.shape[1]
        first = owner[:, None] * count
        rows = table.flatten(0, 1)
        starts = first + low.clamp(max=count - 1), first + (high - width).clamp(0, count - 1)
        found = torch.maximum(rows[starts[0]], rows[starts[1]])
        fits = (high - low >= width)[..., None]
        largest = found if largest is None else torch.where(fits, found, largest)
    return windows[0][:0] if largest is None else largest


def find_best(data: Tensor, batch: Tensor, bins: tuple[Tensor, Tensor, Tensor, Tensor]) -> Tensor:
    """Finds the largest point of each cell, whose size a GPU is not asked for.

    Args:
        data: Feature map.
        batch: Numbers of images of the regions.
        bins: First and last rows of the bins, then columns, as `_bins` gives them.

    Returns:
        Numbers of points of shape `(regions, rows, columns, channels)`.
    """
    _, channels, height, width = data.shape
    ranks, points = _rank(data)
    down = _make_windows(ranks.flatten(2))
    rows, columns = bins[0].shape[1], bins[2].shape[1]
    step = max(1, _MOST_VALUES // (rows * width * channels))
    parts = []
    for start in range(0, len(batch), step):
        top, bottom, left, right = (item[start : start + step] for item in bins)
        some = _find_largest(down, batch[start : start + step], top, bottom)
        some = some.view(-1, rows, width, channels).transpose(1, 2).flatten(2)
        regions = torch.arange(len(some), device=data.device)
        parts.append(_find_largest(_make_windows(some), regions, left, right))
    best = torch.cat(parts).view(-1, columns, rows, channels).transpose(1, 2)
    first = (batch * (height * width))[:, None, None, None]
    return points.gather(0, (first + best).reshape(-1, channels)).view(best.shape) + first


_SAMPLES_BESIDE = 6
"""Most samples less than one away from a point, half of one apart or more; and one to spare."""


def _weigh(start: Tensor, step: Tensor, per_bin: Tensor, count: int, size: int) -> Tensor:
    """Returns the share of each point along an axis in the average of each bin.

    The samples of a bin are as many as it is long, so that few lie beside any point, and which
    these are follows from its place.

    Args:
        start: Where regions begin.
        step: Sizes of their bins.
        per_bin: Number of samples in a bin of each region.
        count: Number of bins.
        size: Size of the axis.

    Returns:
        Shares of shape `(regions, count, size)`.
    """
    start, step, per_bin = (item[:, None, None] for item in (start, step, per_bin))
    number = torch.arange(count, dtype=start.dtype, device=start.device)[:, None]
    point = torch.arange(size, dtype=start.dtype, device=start.device)
    begin = start + number * step
    # With a single sample the first one beside is that one, whatever the size of the bin.
    apart = torch.where(per_bin > 1, step / per_bin, 1)
    first = torch.where(per_bin > 1, ((point - 1 - begin) / apart - 0.5).floor(), 0)
    total = torch.zeros_like(begin * point)
    for beside in range(_SAMPLES_BESIDE):
        sample = first + beside
        place = begin + (sample + 0.5) * step / per_bin
        counts = (place >= -1) & (place <= size) & (sample >= 0) & (sample < per_bin)
        share = (1 - (place.clamp(0, size - 1) - point).abs()).clamp(min=0)
        total = total + share * counts
    return total / per_bin


def average_densely(
    data: Tensor, batch: Tensor, ranges: list[tuple[Tensor, Tensor, Tensor]], pooled_size: Grid
) -> Tensor:
    """Averages over cells by products of matrices, of which only shapes have to be known.

    Args:
        data: Feature map.
        batch: Numbers of images of the regions, -1 for none.
        ranges: Starts, steps and numbers of samples of the regions, in y and then in x.
        pooled_size: Height and width of the grid.

    Returns:
        Averages of shape `(regions, channels, *pooled_size)`.
    """
    images, channels, height, width = data.shape
    wide = torch.promote_types(data.dtype, torch.float32)
    deep, across = (
        _weigh(start.to(wide), step.to(wide), per_bin.to(wide), count, size)
        for (start, step, per_bin), count, size in zip(
            ranges, pooled_size, (height, width), strict=True
        )
    )
    deep = deep * (batch >= 0)[:, None, None]
    maps = data.to(wide).permute(0, 2, 3, 1).reshape(images, height, width * channels)
    numbers, parts = batch.clamp(min=0), []
    count = max(1, _MOST_VALUES // (width * channels * max(height, pooled_size[0])))
    for first in range(0, len(batch), count):
        some = slice(first, first + count)
        own = maps if images == 1 else maps.index_select(0, numbers[some])
        rows = (deep[some] @ own).view(-1, pooled_size[0], width, channels)
        parts.append(torch.einsum("npx,nrxc->ncrp", across[some], rows))
    return torch.cat(parts).to(data.dtype)
