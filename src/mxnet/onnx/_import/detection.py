"""Boxes of objects in images."""

from __future__ import annotations

from typing import Any

import numpy as onp

from mxnet.onnx._import.functions import np, npx, sym
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.values import Value

_LEAST = float(onp.finfo(onp.float32).min)


@imports("NonMaxSuppression")
def _non_max_suppression(node: Node, boxes: Value, scores: Value, *_: Value | None) -> Any:
    """Writes the suppression, which is done for each class of each image by itself.

    A row that `box_nms` gets is a score, a box and the number of the box; those that it does not
    keep become -1. The places of the others are counted when the graph runs.
    """
    most = node.integers(2, "the number of boxes of a class")
    overlap, least = _number(node, 3, 0.0), _number(node, 4, _LEAST)
    num_boxes, num_classes = scores.lengths[2], scores.lengths[1]
    if not isinstance(num_boxes, int) or not isinstance(num_classes, int):
        raise node.error("the numbers of boxes and classes must be known: import_model(shapes=...)")
    count = min(most[0] if most else 0, num_boxes)
    if count <= 0:
        return np.zeros((0, 3), dtype="int64")
    corners = boxes.np if node.get("center_point_box", 0) else _corners(boxes.np)
    rows = sym.contrib.box_nms(
        _rows(corners, scores.np, num_boxes, num_classes),
        overlap_thresh=overlap,
        valid_thresh=least,
        topk=-1,
        coord_start=1,
        score_index=0,
        in_format="center" if node.get("center_point_box", 0) else "corner",
        force_suppress=True,
    )
    numbers = sym.slice_axis(rows, axis=-1, begin=5, end=6).as_np_ndarray()
    numbers = np.squeeze(numbers, axis=-1)[:, :, :count]
    places = npx.nonzero(np.greater_equal(numbers, 0))
    picked = sym.gather_nd(numbers.as_nd_ndarray(), np.transpose(places).as_nd_ndarray())
    number = np.reshape(sym.Cast(picked, dtype="int64").as_np_ndarray(), (-1, 1))
    return np.concatenate([places[:, :2], number], axis=1)


def _number(node: Node, place: int, default: float) -> float:
    array = node.constant(place, "a threshold")
    return default if array is None or array.size == 0 else float(array.ravel()[0])


def _corners(boxes: Any) -> Any:
    """Returns boxes with the lower corner first; a file may give any two that are opposite."""
    first, second = boxes[:, :, :2], boxes[:, :, 2:]
    return np.concatenate([np.minimum(first, second), np.maximum(first, second)], axis=-1)


def _rows(boxes: Any, scores: Any, num_boxes: int, num_classes: int) -> Any:
    """Returns a row for each box, of shape `(batch, classes, boxes, 6)`."""
    spread = np.repeat(np.expand_dims(boxes, 1), num_classes, axis=1)
    score = np.expand_dims(scores, -1)
    number = np.reshape(np.arange(num_boxes, dtype="float32"), (1, 1, num_boxes, 1))
    numbers = np.zeros_like(score) + number
    return np.concatenate([score, spread, numbers], axis=-1).as_nd_ndarray()
