"""Boxes of objects in images: overlaps, suppression, decoding, default boxes and regions.

ONNX has an operator for non-maximum suppression, but not one whose result has the form of ours.
Suppression is written as the fixed point that `ops/detection/boxes.py` computes, too: a box is kept if
no better box that is kept suppresses it. A loop repeats this for all boxes at once until nothing
changes, which takes a few rounds.
"""

from __future__ import annotations

import numpy as np
import torch

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.loops import repeat_until_settled
from mxnet.onnx._export.shape import reshape_to
from mxnet.onnx._export.table import NotExportableError, Out, converts
from mxnet.ops.core.registry import get_op


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
    places = b.op("Range", b.ints(0), b.squeeze(count, [0]), b.ints(1), dtype="int64")
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
    places = b.op("Range", b.ints(0), b.squeeze(count, [0]), b.ints(1), dtype="int64")
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
def _box_nms(
    b: Builder,
    data: Value,
    *,
    overlap_thresh: float,
    valid_thresh: float,
    topk: int,
    coord_start: int,
    score_index: int,
    id_index: int,
    background_id: int,
    force_suppress: bool,
    in_format: str,
    out_format: str,
) -> Value:
    if not topk:
        return data
    width = data.length(data.ndim - 1)
    length = b.lengths(data, [data.ndim - 2])
    rows = data
    if data.ndim != 3:
        rows = b.reshape(data, b.concat([b.ints([-1]), length, b.ints([width])], 0))
    count = _smaller(b, length, topk)
    scores = _column(b, rows, score_index)
    valid = b.compare("Greater", scores, valid_thresh)
    if id_index >= 0:
        is_background = b.compare("Equal", _column(b, rows, id_index), float(background_id))
        valid = b.op("And", valid, b.op("Not", is_background))
    indices, is_valid = _rank(b, scores, valid, count)
    best = pick_rows(b, rows, indices)
    boxes = _columns(b, best, coord_start, coord_start + 4)
    corners = as_corners(b, boxes) if in_format == "center" else boxes
    groups = _column(b, best, id_index) if id_index >= 0 and not force_suppress else None
    kept = settle(b, is_valid, suppression(b, corners, groups, count, overlap_thresh))
    if in_format != out_format:
        changed = corners if in_format == "center" else as_centers(b, boxes)
        parts = [(0, coord_start), (coord_start + 4, width)]
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
def _box_decode(
    b: Builder,
    data: Value,
    anchors: Value,
    *,
    std0: float,
    std1: float,
    std2: float,
    std3: float,
    clip: float,
    format: str,
) -> Value:
    own = anchors if format == "center" else as_centers(b, anchors)
    return _decode(b, data, own, [std0, std1, std2, std3], clip)


@converts("_contrib_MultiBoxPrior", reads=("sizes", "ratios", "clip", "steps", "offsets"))
def _multibox_prior(b: Builder, data: Value, **options: object) -> Value:
    height, width = data.length(2), data.length(3)
    kernel = get_op("_contrib_MultiBoxPrior").kernel
    boxes = kernel(torch.zeros(1, 1, height, width), **options)
    return b.constant(boxes.numpy(), data.dtype)


@converts("_contrib_MultiBoxDetection")
def _multibox_detection(
    b: Builder,
    cls_prob: Value,
    loc_pred: Value,
    anchor: Value,
    *,
    clip: bool,
    threshold: float,
    nms_threshold: float,
    force_suppress: bool,
    variances: tuple[float, ...],
    nms_topk: int,
) -> Value:
    chances = b.slice(cls_prob, [1], [2**62], [1])
    scores = b.reduce("ReduceMax", chances, [1], keepdims=False)
    label = b.op("ArgMax", chances, dtype="int64", axis=1, keepdims=0)
    label = b.cast(label, cls_prob.dtype)
    valid = b.compare("GreaterOrEqual", scores, threshold)
    offsets = b.reshape(loc_pred, (0, -1, 4))
    boxes = _decode(b, offsets, as_centers(b, anchor), list(variances), 0.0)
    if clip:
        boxes = b.op("Clip", boxes, b.constant(0, boxes.dtype), b.constant(1, boxes.dtype))
    columns = [b.unsqueeze(item, [2]) for item in (label, scores)]
    rows = b.concat([*columns, boxes], 2)
    length = b.lengths(cls_prob, [2])
    found = _to_front(b, rows, valid, length)
    if not 0 < nms_threshold <= 1:
        return found
    count = _smaller(b, length, nms_topk)
    indices, is_valid = _rank(b, scores, valid, count)
    best = pick_rows(b, rows, indices)
    groups = None if force_suppress else _column(b, best, 0)
    corners = _columns(b, best, 2, 6)
    pairs = suppression(b, corners, groups, count, nms_threshold, inclusive=True)
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
def _roi_pooling(
    b: Builder, data: Value, rois: Value, *, pooled_size: tuple[int, int], spatial_scale: float
) -> Value:
    number, known = _image_numbers(b, rois)
    regions = b.concat([number, _columns(b, rois, 1, 5)], 1)
    pooled = b.op(
        "MaxRoiPool", data, regions, pooled_shape=list(pooled_size), spatial_scale=spatial_scale
    )
    return b.where(known, pooled, 0, data.dtype)


def _image_numbers(b: Builder, rois: Value) -> tuple[Value, Value]:
    """Returns the numbers of the images of regions, and whether they are in one."""
    number = _columns(b, rois, 0, 1)
    known = b.compare("GreaterOrEqual", number, 0.0)
    return b.op("Max", number, b.constant(0, rois.dtype)), b.unsqueeze(known, [2, 3])


@converts("_contrib_ROIAlign")
def _roi_align(
    b: Builder,
    data: Value,
    rois: Value,
    *,
    pooled_size: tuple[int, int],
    spatial_scale: float,
    sample_ratio: int,
    position_sensitive: bool,
    aligned: bool,
) -> Value:
    if position_sensitive:
        raise NotExportableError("position_sensitive=True has no counterpart in ONNX")
    if aligned:
        b.need(16, "aligned=True")
    number, known = _image_numbers(b, rois)
    mode = "half_pixel" if aligned else "output_half_pixel"
    pooled = b.op(
        "RoiAlign",
        data,
        _columns(b, rois, 1, 5),
        b.squeeze(b.cast(number, "int64"), [1]),
        output_height=pooled_size[0],
        output_width=pooled_size[1],
        sampling_ratio=max(sample_ratio, 0),
        spatial_scale=spatial_scale,
        coordinate_transformation_mode=mode if b.opset >= 16 else None,
    )
    return b.where(known, pooled, 0, data.dtype)
