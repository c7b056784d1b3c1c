"""Region proposals of two-stage detectors."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.detection import pick_rows, settle, suppression
from mxnet.onnx._export.table import Out, converts
from mxnet.ops.detection.anchors import all_anchors


def _move(b: Builder, anchors: Value, deltas: Value, by_corner: bool) -> Value:
    """Moves boxes, either their corners or their centres and sizes; edges belong to a box."""
    if by_corner:
        return anchors + deltas
    low, high = (b.slice(anchors, [start], [start + 2], [-1]) for start in (0, 2))
    moves, growth = (b.slice(deltas, [start], [start + 2], [-1]) for start in (0, 2))
    sizes = high - low + 1.0
    centres = moves * sizes + low + 0.5 * (sizes - 1.0)
    reach = 0.5 * (b.op("Exp", growth) * sizes - 1.0)
    return b.concat([centres - reach, centres + reach], -1)


def _info(b: Builder, im_info: Value, columns: Sequence[int], rank: int) -> Value:
    """Takes columns of what is known of images, with axes up to a number before the last."""
    picked = b.gather(im_info, b.ints(list(columns)), 1)
    return b.unsqueeze(picked, list(range(1, rank - 1)))


def _candidates(
    b: Builder, scores: Value, boxes: Value, im_info: Value, size: tuple[int, int, int], least: int
) -> tuple[Value, Value]:
    """Cuts boxes off at the edges and gives scores, -1 for those that do not count.

    Args:
        b: The graph.
        scores: Scores of shape `(batch, height, width, shapes)`.
        boxes: Boxes of shape `(batch, height, width, shapes, 4)`.
        im_info: Height, width and scale of each image.
        size: Height and width of the feature map, and pixels per cell.
        least: Least size of a box in the image as it was.
    """
    height, width, stride = size
    zero = b.constant(0, boxes.dtype)
    boxes = b.op("Max", b.op("Min", boxes, _info(b, im_info, [1, 0, 1, 0], 5) - 1.0), zero)
    cells = b.op("Floor", im_info / float(stride))
    rows, columns = (b.gather(cells, b.ints([index]), 1) for index in (0, 1))
    y, x = (b.constant(list(range(count)), boxes.dtype) for count in (height, width))
    deep = b.unsqueeze(b.op("Less", b.unsqueeze(y, [0]), rows, dtype="bool"), [2, 3])
    wide = b.unsqueeze(b.op("Less", b.unsqueeze(x, [0]), columns, dtype="bool"), [1, 3])
    limit = _info(b, im_info, [2], 4) * float(least)
    low, high = (b.slice(boxes, [start], [start + 2], [-1]) for start in (0, 2))
    is_small = b.op("Less", high - low + 1.0, b.unsqueeze(limit, [4]), dtype="bool")
    is_small = b.cast(b.reduce("ReduceMax", b.cast(is_small, "int32"), [4], False), "bool")
    half = b.unsqueeze(limit * 0.5, [4])
    grown = b.concat([-half, -half, half, half], 4)
    boxes = b.where(b.unsqueeze(is_small, [4]), boxes + grown, boxes, boxes.dtype)
    counts = b.op("And", b.op("And", deep, wide), b.op("Not", is_small))
    scores = b.where(counts, scores, -1.0, scores.dtype)
    return b.reshape(boxes, (0, -1, 4)), b.reshape(scores, (0, -1))


def _choose(
    b: Builder, boxes: Value, scores: Value, before: int, after: int, threshold: float
) -> tuple[Value, Value]:
    """Takes the best `before` boxes and gives `after` of those that no better one suppresses."""
    count = b.ints([before])
    scores, ranked = b.ops("TopK", scores, count, dtypes=(None, "int64"), axis=1)
    boxes = pick_rows(b, boxes, ranked)
    closed = boxes + b.constant([0, 0, 1, 1], boxes.dtype)
    everyone = b.compare("GreaterOrEqual", scores * 0.0, 0.0)
    kept = settle(b, everyone, suppression(b, closed, None, count, threshold))
    keys = b.where(kept, b.ints([before - index for index in range(before)]), 0, "int64")
    _, order = b.ops("TopK", keys, count, dtypes=(None, "int64"), axis=1)
    found = b.reduce("ReduceSum", b.cast(kept, "int64"), [1], keepdims=True)
    places = b.op("Mod", b.unsqueeze(b.ints(list(range(after))), [0]), found)
    chosen = b.op("GatherElements", order, places, axis=1)
    return pick_rows(b, boxes, chosen), b.op("GatherElements", scores, chosen, axis=1)


@converts("_contrib_MultiProposal", "_contrib_Proposal")
def _proposal(
    b: Builder,
    cls_prob: Value,
    bbox_pred: Value,
    im_info: Value,
    *,
    rpn_pre_nms_top_n: int,
    rpn_post_nms_top_n: int,
    threshold: float,
    rpn_min_size: int,
    scales: tuple[float, ...],
    ratios: tuple[float, ...],
    feature_stride: int,
    iou_loss: bool,
    out: Out,
) -> list[Value]:
    height, width = cls_prob.length(2), cls_prob.length(3)
    shapes = len(scales) * len(ratios)
    anchors = all_anchors(torch.zeros(1, 1, height, width), feature_stride, ratios, scales)
    deltas = b.reshape(bbox_pred, (0, shapes, 4, height, width))
    deltas = b.op("Transpose", deltas, perm=[0, 3, 4, 1, 2])
    moved = _move(b, b.constant(anchors.numpy(), cls_prob.dtype), deltas, iou_loss)
    scores = b.slice(cls_prob, [shapes], [2 * shapes], [1])
    scores = b.op("Transpose", scores, perm=[0, 2, 3, 1])
    size = (height, width, feature_stride)
    boxes, scores = _candidates(b, scores, moved, im_info, size, rpn_min_size)
    total = height * width * shapes
    before = min(rpn_pre_nms_top_n, total) if rpn_pre_nms_top_n > 0 else total
    boxes, scores = _choose(b, boxes, scores, before, rpn_post_nms_top_n, threshold)
    batch = b.squeeze(b.lengths(cls_prob, [0]), [0])
    images = b.op("Range", b.ints(0), batch, b.ints(1), dtype="int64")
    images = b.unsqueeze(b.cast(images, boxes.dtype), [1, 2])
    images = b.op("Expand", images, b.ints([1, rpn_post_nms_top_n, 1]))
    numbered = b.reshape(b.concat([images, boxes], 2), (-1, 5))
    return [numbered, b.reshape(scores, (-1, 1))][: len(out.shapes)]
