"""Operators on anchors: default boxes of single-shot detectors, proposals of two-stage ones."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Floats
from mxnet.ops.core.devices import constant_like
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import Labels, Traits
from mxnet.ops.detection.boxes import as_centers, as_corners, match_greedily, require_floats
from mxnet.ops.detection.suppression import Floats as HostFloats
from mxnet.ops.detection.suppression import (
    is_on_host,
    keep_best,
    keep_best_of_each,
    keep_best_on_host,
    list_kept,
    overlaps,
    rank,
)

_NO_OVERLAP = 1e-6
"""Overlaps up to this do not make a pair of a box and an object."""


def _pair(name: str, values: Floats) -> tuple[float, float]:
    if len(values) != 2:
        raise MXNetError(f"_contrib_MultiBoxPrior: `{name}` takes two values, got {values}")
    return values[0], values[1]


@op("_contrib_MultiBoxPrior", aliases=("_npx_multibox_prior",), differentiable=False)
def multibox_prior(
    data: Tensor,
    *,
    sizes: Floats = (1.0,),
    ratios: Floats = (1.0,),
    clip: bool = False,
    steps: Floats = (-1.0, -1.0),
    offsets: Floats = (0.5, 0.5),
) -> Tensor:
    """Lists default boxes around every point of a feature map.

    Each point gets a box of every size with the first ratio, then a box of the first size with
    every other ratio.

    Args:
        data: Feature map of shape `(batch, channels, height, width)`, whose values do not matter.
        sizes: Sizes of boxes, as parts of the image.
        ratios: Ratios of width and height.
        clip: Whether boxes are cut off at the edges of the image.
        steps: Distance of points in y and x; one over the number of points if negative.
        offsets: Place of the first point in y and x, in steps.

    Returns:
        Corners of the boxes as parts of the image, of shape `(1, boxes, 4)`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.zeros((1, 3, 1, 2))
        >>> print(mx.nd.contrib.MultiBoxPrior(x, sizes=(0.5,)).asnumpy())
        [[[0.125 0.25  0.375 0.75 ]
          [0.625 0.25  0.875 0.75 ]]]
    """
    require_floats("_contrib_MultiBoxPrior", data)
    step_y, step_x = _pair("steps", steps)
    offset_y, offset_x = _pair("offsets", offsets)
    if data.ndim != 4 or not sizes or not ratios or step_y * step_x < 0:
        raise MXNetError(
            "_contrib_MultiBoxPrior: data with 4 axes, at least one size and ratio, and both steps "
            f"or none expected, got {tuple(data.shape)}, {sizes}, {ratios}, {steps}"
        )
    height, width = data.shape[2:]
    check_like("_contrib_MultiBoxPrior", (height, width, len(sizes) + len(ratios) - 1, 4), data)
    y, x = (torch.arange(n, dtype=data.dtype, device=data.device) for n in (height, width))
    y = (y + offset_y) * (step_y if step_y > 0 else 1 / height)
    x = (x + offset_x) * (step_x if step_x > 0 else 1 / width)
    shapes = [(size, ratios[0]) for size in sizes] + [(sizes[0], ratio) for ratio in ratios[1:]]
    halves = constant_like(
        [(size * height / width * ratio**0.5 / 2, size / ratio**0.5 / 2) for size, ratio in shapes],
        data,
    )
    grid = (height, width)
    points = torch.stack((x[None, :].expand(grid), y[:, None].expand(grid)), -1)[:, :, None]
    boxes = torch.cat((points - halves, points + halves), -1).reshape(1, -1, 4)
    return boxes.clamp(0, 1) if clip else boxes


def _check_variances(name: str, variances: Floats) -> Floats:
    if len(variances) != 4:
        raise MXNetError(f"{name}: `variances` takes four values, got {variances}")
    return variances


def _encode(anchors: Tensor, objects: Tensor, variances: Floats) -> Tensor:
    """Returns where objects lie, as seen from boxes; both as corners."""
    own, other = as_centers(anchors), as_centers(objects)
    moved = (other[..., :2] - own[..., :2]) / own[..., 2:]
    grown = torch.log(other[..., 2:] / own[..., 2:])
    return torch.cat((moved, grown), -1) / constant_like(variances, anchors)


def _decode(anchors: Tensor, offsets: Tensor, variances: Floats) -> Tensor:
    """Returns the corners of boxes from the offsets that `_encode` gives."""
    own = as_centers(anchors)
    scaled = offsets * constant_like(variances, anchors)
    centre = scaled[..., :2] * own[..., 2:] + own[..., :2]
    return as_corners(torch.cat((centre, torch.exp(scaled[..., 2:]) * own[..., 2:]), -1))


def _check_target(anchor: Tensor, label: Tensor, cls_pred: Tensor) -> None:
    require_floats("_contrib_MultiBoxTarget", anchor, label, cls_pred)
    shapes = [tuple(array.shape) for array in (anchor, label, cls_pred)]
    axes = [len(shape) for shape in shapes]
    if axes != [3, 3, 3] or shapes[0][0] != 1 or shapes[0][2] != 4:
        raise MXNetError(
            "_contrib_MultiBoxTarget: anchor (1, boxes, 4), label (batch, objects, width) and "
            f"cls_pred (batch, classes, boxes) expected, got {shapes}"
        )
    if shapes[1][2] < 5 or shapes[2][2] != shapes[0][1]:
        raise MXNetError(
            "_contrib_MultiBoxTarget: labels of at least 5 numbers, and predictions for "
            f"{shapes[0][1]} boxes expected, got {shapes}"
        )


@op(
    "_contrib_MultiBoxTarget",
    aliases=("_npx_multibox_target",),
    num_outputs=3,
    differentiable=False,
    traits=Traits(labels=Labels(outputs=("loc_target", "loc_mask", "cls_target"))),
)
def multibox_target(
    anchor: Tensor,
    label: Tensor,
    cls_pred: Tensor,
    *,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: Floats = (0.1, 0.1, 0.2, 0.2),
) -> tuple[Tensor, Tensor, Tensor]:
    """Computes what default boxes should predict, for training.

    Every object takes the box that overlaps it most, as far as boxes go; the other boxes take the
    object that they overlap most, if that is enough.

    Args:
        anchor: Default boxes of shape `(1, boxes, 4)`.
        label: Objects of shape `(batch, objects, 5 or more)`: the class, the corners; rows from
            the first with class -1 do not count.
        cls_pred: Scores of classes of shape `(batch, classes, boxes)`, the background first.
        overlap_threshold: Overlap above which a box takes an object.
        ignore_label: Class target of boxes that are left out of training.
        negative_mining_ratio: If positive, how many background boxes are used for each box with an
            object: those that look least like background. Otherwise all of them are.
        negative_mining_thresh: Overlap below which a box may be used as background.
        minimum_negative_samples: Accepted for compatibility.
        variances: Divisors of the offsets.

    Returns:
        Offsets `(batch, 4 * boxes)`, their mask of the same shape, and classes `(batch, boxes)`, 0
        for the background.

    Example:
        >>> import mxnet as mx
        >>> anchor = mx.nd.array([[[0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1]]])
        >>> label = mx.nd.array([[[0, 0.5, 0.5, 1, 1]]])
        >>> scores = mx.nd.zeros((1, 2, 2))
        >>> offsets, mask, classes = mx.nd.contrib.MultiBoxTarget(anchor, label, scores)
        >>> print(classes.asnumpy(), mask.asnumpy())
        [[0. 1.]] [[0. 0. 0. 0. 1. 1. 1. 1.]]
    """
    _check_target(anchor, label, cls_pred)
    _check_variances("_contrib_MultiBoxTarget", variances)
    boxes, objects = anchor[0], label[..., 1:5]
    counts = ((label[..., 0] == -1).cumsum(1) == 0)[:, None, :]
    shares = overlaps(boxes.expand(len(label), -1, 4), objects)
    shares = torch.where(counts, shares, -torch.inf)
    taken, _ = match_greedily(shares, _NO_OVERLAP, label.shape[1])
    best_share, best = shares.max(2)
    enough = (best_share > overlap_threshold) & (taken < 0)
    if overlap_threshold > 0:
        taken = torch.where(enough, best, taken)
    positive = taken >= 0
    chosen = taken.clamp(min=0)
    matched = objects.gather(1, chosen[..., None].expand(-1, -1, 4))
    offsets = torch.where(positive[..., None], _encode(boxes, matched, variances), 0)
    mask = positive[..., None].expand_as(offsets).to(anchor.dtype)
    negative = ~positive
    if negative_mining_ratio > 0:
        eligible = negative & (best_share < negative_mining_thresh)
        negative = _mine(cls_pred, eligible, positive.sum(1), negative_mining_ratio)
    classes = torch.where(positive, label[..., 0].gather(1, chosen) + 1, ignore_label)
    classes = torch.where(negative, 0, classes)
    classes = torch.where(counts.any(2), classes, ignore_label)
    batch = len(label)
    return offsets.reshape(batch, -1), mask.reshape(batch, -1), classes.to(anchor.dtype)


def _mine(scores: Tensor, eligible: Tensor, positives: Tensor, ratio: float) -> Tensor:
    """Chooses the boxes that look least like background."""
    background = scores.softmax(1)[:, 0]
    order = torch.where(eligible, background, torch.inf).argsort(dim=1, stable=True)
    places = torch.arange(order.shape[1], device=order.device)
    wanted = places < (positives * ratio).to(torch.int64)[:, None]
    return torch.zeros_like(eligible).scatter(1, order, wanted) & eligible


def _check_detection(cls_prob: Tensor, loc_pred: Tensor, anchor: Tensor) -> None:
    require_floats("_contrib_MultiBoxDetection", cls_prob, loc_pred, anchor)
    shapes = [tuple(array.shape) for array in (cls_prob, loc_pred, anchor)]
    if [len(shape) for shape in shapes] != [3, 2, 3] or shapes[2] != (1, shapes[0][2], 4):
        raise MXNetError(
            "_contrib_MultiBoxDetection: cls_prob (batch, classes, boxes), loc_pred "
            f"(batch, 4 * boxes) and anchor (1, boxes, 4) expected, got {shapes}"
        )
    if shapes[1] != (shapes[0][0], 4 * shapes[0][2]):
        raise MXNetError(
            f"_contrib_MultiBoxDetection: 4 offsets for each of {shapes[0][2]} boxes expected, "
            f"got {shapes[1]}"
        )


@op("_contrib_MultiBoxDetection", aliases=("_npx_multibox_detection",), differentiable=False)
def multibox_detection(
    cls_prob: Tensor,
    loc_pred: Tensor,
    anchor: Tensor,
    *,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: Floats = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
) -> Tensor:
    """Turns predictions for default boxes into detected objects.

    Args:
        cls_prob: Probabilities of shape `(batch, classes, boxes)`, the background first.
        loc_pred: Offsets of shape `(batch, 4 * boxes)`.
        anchor: Default boxes of shape `(1, boxes, 4)`.
        clip: Whether boxes are cut off at the edges of the image.
        threshold: Least probability of a detection.
        background_id: Accepted for compatibility: the background is class 0.
        nms_threshold: Overlap from which the worse of two boxes is suppressed; beyond (0, 1] none
            is, and boxes are not sorted.
        force_suppress: Whether boxes of other classes are suppressed too.
        variances: Factors of the offsets.
        nms_topk: How many of the best boxes count, all if not positive.

    Returns:
        Rows `(class, probability, left, top, right, bottom)` of shape `(batch, boxes, 6)`; the
        class is -1 for what is suppressed, and all is -1 in the rows that are left over.

    Example:
        >>> import mxnet as mx
        >>> anchor = mx.nd.array([[[0, 0, 0.5, 0.5]]])
        >>> scores = mx.nd.array([[[0.1], [0.9]]])
        >>> print(mx.nd.contrib.MultiBoxDetection(scores, mx.nd.zeros((1, 4)), anchor).asnumpy())
        [[[0.  0.9 0.  0.  0.5 0.5]]]
    """
    _check_detection(cls_prob, loc_pred, anchor)
    _check_variances("_contrib_MultiBoxDetection", variances)
    batch, classes, count = cls_prob.shape
    result = cls_prob.new_full((batch, count, 6), -1)
    if result.is_meta or classes < 2:
        return result
    suppressing = (nms_threshold, force_suppress, nms_topk) if 0 < nms_threshold <= 1 else None
    if is_on_host(cls_prob, loc_pred, anchor):
        arrays = [item.detach().numpy() for item in (result, cls_prob, loc_pred)]
        edges = anchor[0].detach().numpy().T.copy()
        centers = (edges[:2] + edges[2:]) / 2, edges[2:] - edges[:2]
        for part, chances, offsets in zip(*arrays, strict=True):
            corners = _decode_on_host(*centers, offsets, variances, clip)
            _detect_on_host(part, chances[1:], corners, threshold, suppressing)
        return result
    boxes = _decode(anchor[0], loc_pred.reshape(batch, count, 4), variances)
    boxes = boxes.clamp(0, 1) if clip else boxes
    return _detect(cls_prob[:, 1:], boxes, threshold, suppressing)


def _detect(
    chances: Tensor, boxes: Tensor, threshold: float, suppressing: tuple[float, bool, int] | None
) -> Tensor:
    """Returns the detections of all images, without waiting for a GPU.

    Args:
        chances: Probabilities of shape `(batch, classes, boxes)`, without the background.
        boxes: Corners of shape `(batch, boxes, 4)`.
        threshold: Least probability of a detection.
        suppressing: Overlap from which boxes are suppressed, whether those of other classes are
            too, and how many of the best boxes count; None if nothing is suppressed.
    """
    probability, label = chances.max(1)
    numbers = list_kept(probability >= threshold)
    valid = numbers >= 0
    if suppressing is None:
        return _list_rows(numbers, label, probability, boxes)
    limit, across_classes, topk = suppressing
    best = slice(topk if topk > 0 else None)
    scores = probability.gather(1, numbers.clamp(min=0)).masked_fill(~valid, -torch.inf)
    order = scores.argsort(dim=1, descending=True, stable=True)[:, best]
    # The original leaves the rows after the best in their old order, and so do we.
    numbers = torch.cat((numbers.gather(1, order), numbers[:, order.shape[1] :]), 1)
    rows = _list_rows(numbers, label, probability, boxes)
    groups = None if across_classes else rows[:, best, 0]
    kept = keep_best_of_each(rows[:, best, 2:], valid[:, best], limit, groups, inclusive=True)
    kept = F.pad(kept, (0, len(numbers[0]) - kept.shape[1]))
    return torch.cat((torch.where(kept[..., None], rows[..., :1], -1), rows[..., 1:]), -1)


def _list_rows(numbers: Tensor, label: Tensor, probability: Tensor, boxes: Tensor) -> Tensor:
    """Returns class, probability and corners of boxes of given numbers, -1 for the number -1."""
    rows = torch.cat((torch.stack((label.to(boxes.dtype), probability), -1), boxes), -1)
    places = numbers.clamp(min=0)[..., None]
    return torch.where(numbers[..., None] >= 0, rows.gather(1, places.expand_as(rows)), -1)


def _detect_on_host(
    rows: HostFloats,
    chances: HostFloats,
    boxes: HostFloats,
    threshold: float,
    suppressing: tuple[float, bool, int] | None,
) -> None:
    """Writes the detections of one image to rows of -1, in the memory of the host.

    Args:
        rows: What is to be written.
        chances: Probabilities of shape `(classes, boxes)`, without the background.
        boxes: Corners of shape `(4, boxes)`.
        threshold: Least probability of a detection.
        suppressing: As of `_detect`.
    """
    probability = chances.max(0)
    valid = (probability >= threshold).nonzero()[0]
    limit, across_classes, topk = suppressing or (0.0, False, -1)
    best = valid if suppressing is None else rank(probability, valid, topk)
    chance, corners = probability.take(best), boxes.take(best, 1).T
    label = chances.take(best, 1).argmax(0).astype(rows.dtype)
    rows[: len(best), 1], rows[: len(best), 2:] = chance, corners
    if suppressing is None:
        rows[: len(best), 0] = label
        return
    kept = keep_best_on_host(corners, limit, None if across_classes else label, inclusive=True)
    rows[kept, 0] = label[kept]
    # The original leaves the rows after the best in their old order, and so do we.
    rest, place = valid[len(best) :], slice(len(best), len(valid))
    rows[place, 1], rows[place, 2:] = probability.take(rest), boxes.take(rest, 1).T


def _decode_on_host(
    middles: HostFloats, sizes: HostFloats, offsets: HostFloats, variances: Floats, clip: bool
) -> HostFloats:
    """Computes the same as `_decode` in the memory of the host.

    Args:
        middles: Centres of default boxes, of shape `(2, boxes)`.
        sizes: Their widths and heights, of shape `(2, boxes)`.
        offsets: Offsets of one image, of shape `(4 * boxes,)`.
        variances: Factors of the offsets.
        clip: Whether boxes are cut off at the edges of the image.

    Returns:
        Corners of shape `(4, boxes)`.
    """
    factors = np.array(variances, offsets.dtype)[:, None]
    scaled = np.empty((4, sizes.shape[1]), offsets.dtype)  # not in the order of the offsets
    np.multiply(offsets.reshape(-1, 4).T, factors, out=scaled)
    moved, half = scaled[:2], scaled[2:]
    moved *= sizes
    moved += middles
    np.exp(half, out=half)
    half *= sizes
    half /= 2
    corners = np.empty_like(scaled)
    np.subtract(moved, half, out=corners[:2])
    np.add(moved, half, out=corners[2:])
    if clip:
        corners.clip(0, 1, out=corners)
    return corners


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
    base = constant_like(_base_anchors(stride, ratios, scales), like)
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
    bounds = (im_info[:, :2].flip(1).repeat(1, 2) - 1)[:, None, None, None]
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
    closed = torch.cat((boxes[..., :2], boxes[..., 2:] + 1), -1)
    places = torch.arange(after, device=scores.device)
    if is_on_host(closed):
        found = [keep_best(image, threshold, most=after)[:after] for image in closed]
        chosen = torch.stack([numbers[places % len(numbers)] for numbers in found])
    else:
        kept = keep_best_of_each(closed, torch.ones_like(scores, dtype=torch.bool), threshold)
        chosen = list_kept(kept).gather(1, places % kept.sum(1, keepdim=True))
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

    Example:
        >>> import mxnet as mx
        >>> scores, shifts = mx.nd.ones((2, 2, 4, 4)) * 0.5, mx.nd.zeros((2, 4, 4, 4))
        >>> sizes = mx.nd.array([[64, 64, 1], [64, 64, 1]])
        >>> counts = {"rpn_pre_nms_top_n": 6, "rpn_post_nms_top_n": 3}
        >>> options = {"scales": (2,), "ratios": (1,), **counts}
        >>> print(mx.nd.contrib.MultiProposal(scores, shifts, sizes, **options).shape)
        (6, 5)
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
