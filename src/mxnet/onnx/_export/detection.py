"""Boxes of objects in images: overlaps, suppression, decoding, default boxes and regions.

ONNX has an operator for non-maximum suppression, but not one whose result has the form of ours.
Suppression is written as the fixed point that `ops/detection/suppression.py` finds, too: a box is
kept if no better box that is kept suppresses it. A loop repeats this for all boxes at once until
nothing changes, which takes a few rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from mxnet.onnx._export.builder import Builder, Options, Value, repeat_until_settled
from mxnet.onnx._export.shaping import reshape_to
from mxnet.onnx._table import Attrs, NotExportableError, Out, converts
from mxnet.ops.core.registry import get_op
from mxnet.ops.detection.anchors import all_anchors


def _columns(b: Builder, rows: Value, start: int, end: int) -> Value:
    return b.slice(rows, [start], [end], [-1])


def _column(b: Builder, rows: Value, index: int) -> Value:
    return b.gather(rows, index, -1)


def as_corners(b: Builder, boxes: Value) -> Value:
    """Turns boxes given by centre, width and height into corners."""
    centre, half = _columns(b, boxes, 0, 2), _columns(b, boxes, 2, 4) * 0.5
    return b.concat([centre - half, centre + half], -1)


def as_centers(b: Builder, boxes: Value) -> Value:
    """Turns boxes given by corners into centre, width and height."""
    low, high = _columns(b, boxes, 0, 2), _columns(b, boxes, 2, 4)
    return b.concat([(low + high) * 0.5, high - low], -1)


def overlaps(b: Builder, lhs: Value, rhs: Value) -> Value:
    """Writes the intersection over union of every pair of boxes, given by corners.

    Args:
        b: The graph.
        lhs: Boxes of shape `(..., n, 4)`.
        rhs: Boxes of shape `(..., m, 4)`.

    Returns:
        Overlaps of shape `(..., n, m)`, 0 for pairs without an area.
    """
    first = [b.unsqueeze(_column(b, lhs, index), [-1]) for index in range(4)]
    second = [b.unsqueeze(_column(b, rhs, index), [-2]) for index in range(4)]
    zero = b.constant(0, lhs.dtype)

    def extent(low: Value, high: Value) -> Value:
        return b.op("Max", high - low, zero)

    shared = extent(b.op("Max", first[0], second[0]), b.op("Min", first[2], second[2]))
    shared = shared * extent(b.op("Max", first[1], second[1]), b.op("Min", first[3], second[3]))
    areas = [extent(box[0], box[2]) * extent(box[1], box[3]) for box in (first, second)]
    least = b.constant(float(np.finfo(lhs.dtype).tiny), lhs.dtype)
    return shared / b.op("Max", areas[0] + areas[1] - shared, least)


def settle(b: Builder, valid: Value, suppresses: Value) -> Value:
    """Writes which boxes are kept.

    Args:
        b: The graph.
        valid: Which boxes count, of shape `(batch, boxes)`.
        suppresses: Which box, if it is kept, suppresses which, of shape `(batch, boxes, boxes)`.

    Returns:
        Which boxes are kept, of shape `(batch, boxes)`.
    """
    counted = b.unsqueeze(b.cast(valid, "float32"), [1])
    pairs = b.cast(suppresses, "float32")

    def step(kept: Value) -> tuple[Value, Value]:
        hits = b.op("MatMul", kept, pairs)
        settled = counted * b.cast(b.compare("Equal", hits, 0.0), "float32")
        change = b.op("Abs", settled - kept)
        return b.cast(b.reduce("ReduceMax", change, None, keepdims=False), "bool"), settled

    kept = repeat_until_settled(b, counted, step)
    return b.cast(b.squeeze(kept, [1]), "bool")


def _is_before(b: Builder, count: Value) -> Value:
    """Tests for every pair of places whether the first comes before the second."""
    places = b.range(count)
    first, second = b.unsqueeze(places, [1]), b.unsqueeze(places, [0])
    return b.op("Less", first, second, dtype="bool")


def suppression(
    b: Builder,
    boxes: Value,
    groups: Value | None,
    count: Value,
    threshold: float,
    *,
    inclusive: bool = False,
) -> Value:
    """Tests which of some boxes, the best first, would suppress which."""
    compare = "GreaterOrEqual" if inclusive else "Greater"
    result = b.compare(compare, overlaps(b, boxes, boxes), threshold)
    result = b.op("And", result, _is_before(b, count))
    if groups is None:
        return result
    same = b.op("Equal", b.unsqueeze(groups, [2]), b.unsqueeze(groups, [1]), dtype="bool")
    return b.op("And", result, same)


def pick_rows(b: Builder, rows: Value, indices: Value) -> Value:
    """Takes rows of `(batch, rows, columns)` by indices of shape `(batch, count)`."""
    return b.op("GatherND", rows, b.unsqueeze(indices, [2]), batch_dims=1)


def _rank(b: Builder, scores: Value, valid: Value, count: Value) -> tuple[Value, Value]:
    """Returns the numbers of the best boxes, the best first, and which of them count."""
    masked = b.where(valid, scores, float("-inf"), scores.dtype)
    best, indices = b.ops("TopK", masked, count, dtypes=(None, "int64"), axis=1)
    return indices, b.compare("Greater", best, float("-inf"))


def _to_front(b: Builder, rows: Value, kept: Value, count: Value) -> Value:
    """Moves the rows that are kept to the front, in their order; the others become -1."""
    places = b.range(count)
    keys = b.where(kept, count - places, -1, "int64")
    best, indices = b.ops("TopK", keys, count, dtypes=(None, "int64"), axis=1)
    picked = pick_rows(b, rows, indices)
    is_kept = b.unsqueeze(b.compare("Greater", best, 0), [2])
    return b.where(is_kept, picked, -1, rows.dtype)


def _smaller(b: Builder, length: Value, most: int) -> Value:
    """Returns the length of an axis, or `most` if that is positive and less."""
    if most <= 0:
        return length
    if length.array is not None:
        return b.ints([min(int(length.array[0]), most)])
    return b.op("Min", length, b.ints([most]))


@converts("_contrib_box_iou")
def _box_iou(b: Builder, lhs: Value, rhs: Value, *, format: str, out: Out) -> Value:
    flat = [b.reshape(item, (-1, 4)) for item in (lhs, rhs)]
    if format == "center":
        flat = [as_corners(b, item) for item in flat]
    return reshape_to(b, overlaps(b, *flat), out.shape)


@converts("_contrib_box_nms")
def _box_nms(b: Builder, data: Value, *, attrs: Attrs) -> Value:
    if not attrs.topk:
        return data
    width = data.length(data.ndim - 1)
    length = b.lengths(data, [data.ndim - 2])
    rows = data
    if data.ndim != 3:
        rows = b.reshape(data, b.concat([b.ints([-1]), length, b.ints([width])], 0))
    count = _smaller(b, length, attrs.topk)
    scores = _column(b, rows, attrs.score_index)
    valid = b.compare("Greater", scores, attrs.valid_thresh)
    if attrs.id_index >= 0:
        is_background = b.compare(
            "Equal", _column(b, rows, attrs.id_index), float(attrs.background_id)
        )
        valid = b.op("And", valid, b.op("Not", is_background))
    indices, is_valid = _rank(b, scores, valid, count)
    best = pick_rows(b, rows, indices)
    boxes = _columns(b, best, attrs.coord_start, attrs.coord_start + 4)
    corners = as_corners(b, boxes) if attrs.in_format == "center" else boxes
    groups = (
        _column(b, best, attrs.id_index)
        if attrs.id_index >= 0 and not attrs.force_suppress
        else None
    )
    kept = settle(b, is_valid, suppression(b, corners, groups, count, attrs.overlap_thresh))
    if attrs.in_format != attrs.out_format:
        changed = corners if attrs.in_format == "center" else as_centers(b, boxes)
        parts = [(0, attrs.coord_start), (attrs.coord_start + 4, width)]
        before, after = (_columns(b, best, *part) for part in parts)
        best = b.concat([before, changed, after], -1)
    result = _pad_rows(b, _to_front(b, best, kept, count), length, count)
    return result if data.ndim == 3 else b.reshape(result, b.shape_of(data))


def _pad_rows(b: Builder, rows: Value, length: Value, count: Value) -> Value:
    """Adds rows of -1 until there are as many as there were."""
    if length is count:
        return rows
    widths = b.concat([b.ints([0, 0, 0, 0]), length - count, b.ints([0])], 0)
    return b.op("Pad", rows, widths, b.constant(-1, rows.dtype))


def _decode(b: Builder, offsets: Value, anchors: Value, factors: list[float], clip: float) -> Value:
    """Computes corners of boxes from offsets and default boxes, given by centre and size."""
    scaled = offsets * b.constant(factors, offsets.dtype)
    size = _columns(b, anchors, 2, 4)
    growth = _columns(b, scaled, 2, 4)
    if clip > 0:
        growth = b.op("Min", growth, b.constant(clip, growth.dtype))
    centre = _columns(b, scaled, 0, 2) * size + _columns(b, anchors, 0, 2)
    return as_corners(b, b.concat([centre, b.op("Exp", growth) * size], -1))


@converts("_contrib_box_decode")
def _box_decode(b: Builder, data: Value, anchors: Value, *, attrs: Attrs) -> Value:
    own = anchors if attrs.format == "center" else as_centers(b, anchors)
    return _decode(b, data, own, [attrs.std0, attrs.std1, attrs.std2, attrs.std3], attrs.clip)


@converts("_contrib_MultiBoxPrior")
def _multibox_prior(b: Builder, data: Value, *, attrs: Attrs) -> Value:
    height, width = data.length(2), data.length(3)
    kernel = get_op("_contrib_MultiBoxPrior").kernel
    boxes = kernel(torch.zeros(1, 1, height, width), **vars(attrs))
    return b.constant(boxes.numpy(), data.dtype)


@converts("_contrib_MultiBoxDetection")
def _multibox_detection(
    b: Builder, cls_prob: Value, loc_pred: Value, anchor: Value, *, attrs: Attrs
) -> Value:
    chances = b.slice(cls_prob, [1], [2**62], [1])
    scores = b.reduce("ReduceMax", chances, [1], keepdims=False)
    label = b.op("ArgMax", chances, dtype="int64", axis=1, keepdims=0)
    label = b.cast(label, cls_prob.dtype)
    valid = b.compare("GreaterOrEqual", scores, attrs.threshold)
    offsets = b.reshape(loc_pred, (0, -1, 4))
    boxes = _decode(b, offsets, as_centers(b, anchor), list(attrs.variances), 0.0)
    if attrs.clip:
        boxes = b.op("Clip", boxes, b.constant(0, boxes.dtype), b.constant(1, boxes.dtype))
    columns = [b.unsqueeze(item, [2]) for item in (label, scores)]
    rows = b.concat([*columns, boxes], 2)
    length = b.lengths(cls_prob, [2])
    found = _to_front(b, rows, valid, length)
    if not 0 < attrs.nms_threshold <= 1:
        return found
    count = _smaller(b, length, attrs.nms_topk)
    indices, is_valid = _rank(b, scores, valid, count)
    best = pick_rows(b, rows, indices)
    groups = None if attrs.force_suppress else _column(b, best, 0)
    corners = _columns(b, best, 2, 6)
    pairs = suppression(b, corners, groups, count, attrs.nms_threshold, inclusive=True)
    kept = b.unsqueeze(settle(b, is_valid, pairs), [2])
    classes = b.where(kept, _columns(b, best, 0, 1), -1, best.dtype)
    best = b.concat([classes, _columns(b, best, 1, 6)], 2)
    best = b.where(b.unsqueeze(is_valid, [2]), best, -1, best.dtype)
    if length is count:
        return best
    rest = b.op("Slice", found, count, b.ints([2**62]), b.ints([1]))
    others = _columns(b, rest, 0, 1) * 0.0 - 1.0
    return b.concat([best, b.concat([others, _columns(b, rest, 1, 6)], 2)], 1)


@converts("ROIPooling")
def _roi_pooling(b: Builder, data: Value, rois: Value, *, attrs: Attrs) -> Value:
    number, known = _image_numbers(b, rois)
    regions, size = b.concat([number, _columns(b, rois, 1, 5)], 1), list(attrs.pooled_size)
    scale = attrs.spatial_scale
    pooled = b.op("MaxRoiPool", data, regions, pooled_shape=size, spatial_scale=scale)
    return b.where(known, pooled, 0, data.dtype)


def _image_numbers(b: Builder, rois: Value) -> tuple[Value, Value]:
    """Returns the numbers of the images of regions, and whether they are in one."""
    number = _columns(b, rois, 0, 1)
    known = b.compare("GreaterOrEqual", number, 0.0)
    return b.op("Max", number, b.constant(0, rois.dtype)), b.unsqueeze(known, [2, 3])


@converts("_contrib_ROIAlign")
def _roi_align(b: Builder, data: Value, rois: Value, *, attrs: Attrs) -> Value:
    if attrs.position_sensitive:
        raise NotExportableError("position_sensitive=True has no counterpart in ONNX")
    if attrs.aligned:
        b.need(16, "aligned=True")
    number, known = _image_numbers(b, rois)
    regions, images = _columns(b, rois, 1, 5), b.squeeze(b.cast(number, "int64"), [1])
    options: Options = dict(zip(("output_height", "output_width"), attrs.pooled_size, strict=True))
    if b.opset >= 16:
        mode = "half_pixel" if attrs.aligned else "output_half_pixel"
        options["coordinate_transformation_mode"] = mode
    options["sampling_ratio"] = max(attrs.sample_ratio, 0)
    options["spatial_scale"] = attrs.spatial_scale
    return b.where(known, b.op("RoiAlign", data, regions, images, **options), 0, data.dtype)


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
    every = b.compare("GreaterOrEqual", scores * 0.0, 0.0)
    kept = settle(b, every, suppression(b, closed, None, count, threshold))
    keys = b.where(kept, b.ints([before - index for index in range(before)]), 0, "int64")
    _, order = b.ops("TopK", keys, count, dtypes=(None, "int64"), axis=1)
    found = b.reduce("ReduceSum", b.cast(kept, "int64"), [1], keepdims=True)
    places = b.op("Mod", b.unsqueeze(b.ints(list(range(after))), [0]), found)
    chosen = b.op("GatherElements", order, places, axis=1)
    return pick_rows(b, boxes, chosen), b.op("GatherElements", scores, chosen, axis=1)


@converts("_contrib_MultiProposal", "_contrib_Proposal")
def _proposal(
    b: Builder, cls_prob: Value, bbox_pred: Value, im_info: Value, *, attrs: Attrs, out: Out
) -> list[Value]:
    height, width = cls_prob.length(2), cls_prob.length(3)
    shapes = len(attrs.scales) * len(attrs.ratios)
    anchors = all_anchors(
        torch.zeros(1, 1, height, width), attrs.feature_stride, attrs.ratios, attrs.scales
    )
    deltas = b.reshape(bbox_pred, (0, shapes, 4, height, width))
    deltas = b.op("Transpose", deltas, perm=[0, 3, 4, 1, 2])
    moved = _move(b, b.constant(anchors.numpy(), cls_prob.dtype), deltas, attrs.iou_loss)
    scores = b.slice(cls_prob, [shapes], [2 * shapes], [1])
    scores = b.op("Transpose", scores, perm=[0, 2, 3, 1])
    size = (height, width, attrs.feature_stride)
    boxes, scores = _candidates(b, scores, moved, im_info, size, attrs.rpn_min_size)
    total = height * width * shapes
    before = min(attrs.rpn_pre_nms_top_n, total) if attrs.rpn_pre_nms_top_n > 0 else total
    boxes, scores = _choose(b, boxes, scores, before, attrs.rpn_post_nms_top_n, attrs.threshold)
    batch = b.squeeze(b.lengths(cls_prob, [0]), [0])
    images = b.op("Range", b.ints(0), batch, b.ints(1), dtype="int64")
    images = b.unsqueeze(b.cast(images, boxes.dtype), [1, 2])
    images = b.op("Expand", images, b.ints([1, attrs.rpn_post_nms_top_n, 1]))
    numbered = b.reshape(b.concat([images, boxes], 2), (-1, 5))
    return [numbered, b.reshape(scores, (-1, 1))][: len(out.shapes)]
