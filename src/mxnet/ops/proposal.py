"""Region proposals of two-stage detectors."""

from __future__ import annotations

import functools
import math
from typing import Any

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Floats
from mxnet.ops.detection import require_floats
from mxnet.ops.registry import op
from mxnet.ops.suppression import keep_best
from mxnet.ops.traits import Labels, Traits


def _base_anchors(stride: int, ratios: Floats, scales: Floats) -> list[list[float]]:
    """Lists the corners of boxes of all shapes around the first cell of the feature map."""
    centre = 0.5 * (stride - 1)
    anchors = []
    for ratio in ratios:
        width = math.floor(math.sqrt(math.floor(stride * stride / ratio)) + 0.5)
        height = math.floor(width * ratio + 0.5)
        for scale in scales:
            reach = 0.5 * (width * scale - 1), 0.5 * (height * scale - 1)
            anchors.append(
                [centre - reach[0], centre - reach[1], centre + reach[0], centre + reach[1]]
            )
    return anchors


def all_anchors(like: Tensor, stride: int, ratios: Floats, scales: Floats) -> Tensor:
    """Returns the boxes around all cells, of shape `(height, width, shapes, 4)`."""
    height, width = like.shape[2:]
    base = like.new_tensor(_base_anchors(stride, ratios, scales))
    y, x = (torch.arange(n, dtype=like.dtype, device=like.device) for n in (height, width))
    grid = (height, width)
    shift = torch.stack((x[None, :].expand(grid), y[:, None].expand(grid)), -1) * stride
    return base + shift.repeat(1, 1, 2)[:, :, None]


def _move(anchors: Tensor, deltas: Tensor, *, by_corner: bool) -> Tensor:
    """Moves boxes, either their corners or their centres and sizes; edges belong to a box."""
    if by_corner:
        return anchors + deltas
    sizes = anchors[..., 2:] - anchors[..., :2] + 1
    centres = deltas[..., :2] * sizes + anchors[..., :2] + 0.5 * (sizes - 1)
    reach = 0.5 * (torch.exp(deltas[..., 2:]) * sizes - 1)
    return torch.cat((centres - reach, centres + reach), -1)


def _candidates(
    cls_prob: Tensor, boxes: Tensor, im_info: Tensor, stride: int, least: int
) -> tuple[Tensor, Tensor]:
    """Cuts boxes off at the edges and gives scores, -1 for those that do not count.

    Args:
        cls_prob: Probabilities.
        boxes: Boxes of shape `(batch, height, width, shapes, 4)`.
        im_info: Height, width and scale of each image.
        stride: Pixels per cell.
        least: Least size of a box in the image as it was.
    """
    batch, _, height, width = cls_prob.shape
    scores = cls_prob[:, boxes.shape[3] :].permute(0, 2, 3, 1)
    bounds = (im_info[:, [1, 0, 1, 0]] - 1)[:, None, None, None]
    boxes = torch.minimum(boxes, bounds).clamp(min=0)
    cells = (im_info[:, :2] / stride).floor()[:, :, None]
    y, x = (torch.arange(n, device=scores.device) for n in (height, width))
    inside = (y < cells[:, 0])[:, :, None] & (x < cells[:, 1])[:, None, :]
    limit = (least * im_info[:, 2])[:, None, None, None]
    small = (boxes[..., 2:] - boxes[..., :2] + 1 < limit[..., None]).any(-1)
    half = limit / 2
    grown = torch.stack((-half, -half, half, half), -1)
    boxes = torch.where(small[..., None], boxes + grown, boxes)
    scores = torch.where(small | ~inside[..., None], -1, scores)
    return boxes.reshape(batch, -1, 4), scores.reshape(batch, -1)


def _check(inputs: tuple[Tensor, Tensor, Tensor], shapes: int) -> None:
    require_floats("_contrib_MultiProposal", *inputs)
    cls_prob, bbox_pred, im_info = inputs
    fits = cls_prob.ndim == bbox_pred.ndim == 4 and im_info.shape == (len(cls_prob), 3)
    if not fits or cls_prob.shape[1] != 2 * shapes or bbox_pred.shape[1] != 4 * shapes:
        raise MXNetError(
            f"_contrib_MultiProposal: cls_prob (batch, {2 * shapes}, height, width), bbox_pred "
            f"(batch, {4 * shapes}, height, width) and im_info (batch, 3) expected, got "
            f"{[tuple(item.shape) for item in inputs]}"
        )


def _choose(
    boxes: Tensor, scores: Tensor, before: int, after: int, threshold: float
) -> tuple[Tensor, Tensor]:
    """Takes the best `before` boxes and gives `after` of those that no better one suppresses."""
    before = min(before, scores.shape[1]) if before > 0 else scores.shape[1]
    ranked = scores.argsort(dim=1, descending=True, stable=True)[:, :before]
    boxes = boxes.gather(1, ranked[..., None].expand(-1, -1, 4))
    scores = scores.gather(1, ranked)
    if boxes.is_meta:  # all images would be gone through for two shapes
        return boxes.new_empty((len(boxes), after, 4)), scores.new_empty((len(boxes), after))
    # Edges belong to a box, so that its area is that of one which ends a pixel further.
    closed = boxes + boxes.new_tensor([0, 0, 1, 1])
    places = torch.arange(after, device=scores.device)
    kept = [keep_best(image, threshold, most=after)[:after] for image in closed]
    chosen = torch.stack([numbers[places % len(numbers)] for numbers in kept])
    return boxes.gather(1, chosen[..., None].expand(-1, -1, 4)), scores.gather(1, chosen)


def _visible(*, output_score: bool, **_: object) -> int:
    return 2 if output_score else 1


@op(
    "_contrib_MultiProposal",
    num_outputs=2,
    visible_outputs=_visible,
    differentiable=False,
    traits=Traits(labels=Labels(outputs=("output", "score"))),
)
def multi_proposal(
    cls_prob: Tensor,
    bbox_pred: Tensor,
    im_info: Tensor,
    *,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: Floats = (4.0, 8.0, 16.0, 32.0),
    ratios: Floats = (0.5, 1.0, 2.0),
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
) -> tuple[Tensor, Tensor]:
    """Chooses regions of images that may hold objects (Faster R-CNN).

    Args:
        cls_prob: Probabilities of background and object for each shape of box, of shape
            `(batch, 2 * shapes, height, width)`; `Proposal` takes a batch of one.
        bbox_pred: How far boxes move, of shape `(batch, 4 * shapes, height, width)`.
        im_info: Height, width and scale of the images, of shape `(batch, 3)`.
        rpn_pre_nms_top_n: How many of the best boxes count, all if not positive.
        rpn_post_nms_top_n: Number of regions of each image; if fewer are left they are repeated.
        threshold: Overlap beyond which the worse of two boxes is dropped.
        rpn_min_size: Least size of a box in the image as it was.
        scales: Sizes of boxes in cells.
        ratios: Ratios of height and width.
        feature_stride: Pixels per cell of the feature map.
        output_score: Whether the scores are given too.
        iou_loss: Whether `bbox_pred` moves corners instead of centres and sizes.

    Returns:
        Regions of shape `(batch * rpn_post_nms_top_n, 5)`, the number of the image and the corners;
        and their scores.
    """
    shapes = len(scales) * len(ratios)
    _check((cls_prob, bbox_pred, im_info), shapes)
    batch, _, height, width = cls_prob.shape
    anchors = all_anchors(cls_prob, feature_stride, ratios, scales)
    deltas = bbox_pred.reshape(batch, shapes, 4, height, width).permute(0, 3, 4, 1, 2)
    moved = _move(anchors, deltas, by_corner=iou_loss)
    boxes, scores = _candidates(cls_prob, moved, im_info, feature_stride, rpn_min_size)
    limits = (rpn_pre_nms_top_n, rpn_post_nms_top_n)
    boxes, scores = _choose(boxes, scores, *limits, threshold)
    numbers = torch.arange(batch, dtype=boxes.dtype, device=boxes.device)[:, None, None]
    numbered = torch.cat((numbers.expand(batch, rpn_post_nms_top_n, 1), boxes), -1)
    return numbered.reshape(-1, 5), scores.reshape(-1, 1)


@op(
    "_contrib_Proposal",
    num_outputs=2,
    visible_outputs=_visible,
    differentiable=False,
    traits=Traits(labels=Labels(outputs=("output", "score"))),
    summary="Chooses regions of one image that may hold objects (Faster R-CNN).",
)
@functools.wraps(multi_proposal)
def proposal(cls_prob: Tensor, *others: Tensor, **attrs: Any) -> tuple[Tensor, Tensor]:
    """Chooses regions of a single image."""
    if len(cls_prob) != 1:
        raise MXNetError(f"_contrib_Proposal: a single image expected, got {len(cls_prob)}")
    chosen: tuple[Tensor, Tensor] = multi_proposal(cls_prob, *others, **attrs)
    return chosen
