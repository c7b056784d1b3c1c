"""Pooling over regions of interest whose cells move (deformable R-FCN)."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Share
from mxnet.ops.limiting import clamp
from mxnet.ops.nn.roi import check_regions, image_numbers, round_half_away
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_like
from mxnet.ops.traits import Labels, Traits


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
    corners = (corners + corners.new_tensor([0, 0, 1, 1])) * spatial_scale - 0.5
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
