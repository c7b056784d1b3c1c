"""Pooling over regions of interest that are turned."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.ops.attrs import Grid, Share
from mxnet.ops.nn.roi import as_points, check_regions, image_numbers
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_like


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
    data: Tensor,
    rois: Tensor,
    *,
    pooled_size: Grid,
    spatial_scale: Share,
    sampling_ratio: int = -1,
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
    counts = (size / size.new_tensor([columns, rows])).ceil()
    counts = torch.full_like(counts, sampling_ratio) if sampling_ratio > 0 else counts
    wide, deep = (int(counts[:, axis].max()) for axis in (0, 1))
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
