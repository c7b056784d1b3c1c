"""Images: resizing, sampling by a grid, and boxes of objects."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as onp

from mxnet.onnx._import.lengths import Length
from mxnet.onnx._import.nodes import Array, Node, Value, np, npx, sym
from mxnet.onnx._table import imports

_ROUNDING: dict[str, Callable[[Array], Array]] = {
    "round_prefer_floor": lambda x: onp.ceil(x - 0.5),
    "round_prefer_ceil": lambda x: onp.floor(x + 0.5),
    "floor": onp.floor,
    "ceil": onp.ceil,
}

_TEMPORARIES = 8
"""Arrays of the neighbours of each element that weights are computed by at a time."""


@imports("Resize", "Upsample")
def _resize(node: Node, x: Value, *_: Value | None) -> Any:
    mode = node.get("mode", "nearest")
    scales, sizes, axes = _targets(node, x)
    if mode == "nearest" and sizes is None and _repeats(node, scales):
        result = x.np
        for axis, scale in zip(axes, scales or [], strict=True):
            result = result if scale == 1 else np.repeat(result, int(scale), axis=axis)
        return result
    result = x.np
    for place, axis in enumerate(axes):
        length = x.lengths[axis]
        scale, size = _size_along(node, length, scales, sizes, place)
        if isinstance(length, Length) or (size == length and scale == 1):
            continue
        node.check_made(max(size, 1) * max(length, 1))
        result = _resize_axis(node, result, axis, x.ndim, mode, length, size, scale)
    return result


def _is_old(node: Node) -> bool:
    """Returns whether a node is of a version in which all was asymmetric."""
    return node.op_type == "Upsample" or node.version == 10


def _targets(node: Node, x: Value) -> tuple[list[float] | None, list[int] | None, list[int]]:
    """Returns scales or sizes, and the axes that they are for."""
    if _is_old(node):
        given = node.constant(1, "scales") if node.version >= 9 else node.attrs.get("scales")
        if given is None:
            raise node.error("scales are missing")
        return [float(item) for item in given], None, list(range(x.ndim))
    given_axes = node.ints("axes") or list(range(x.ndim))
    node.check_axes(len(given_axes))
    axes = [node.normalize(axis, x.ndim) for axis in given_axes]
    if len(set(axes)) < len(axes):
        raise node.error(f"it resizes an axis twice: {axes}")
    sizes = node.integers(3, "sizes") if node.input(3) is not None else None
    if sizes:
        return None, _follow_policy(node, x, sizes, axes), axes
    array = node.constant(2, "scales")
    if array is None or array.size != len(axes):
        raise node.error("neither scales nor sizes are given")
    return [float(item) for item in array], None, axes


def _follow_policy(node: Node, x: Value, sizes: list[int], axes: list[int]) -> list[int]:
    policy = node.get("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return sizes
    ratios = [size / x.sizes[axis] for size, axis in zip(sizes, axes, strict=True)]
    scale = min(ratios) if policy == "not_larger" else max(ratios)
    return [math.floor(scale * x.sizes[axis] + 0.5) for axis in axes]


def _repeats(node: Node, scales: list[float] | None) -> bool:
    """Returns whether resizing is the same as repeating each element."""
    if scales is None or not all(scale.is_integer() and scale >= 1 for scale in scales):
        return False
    if _is_old(node):
        return True
    way = node.get("coordinate_transformation_mode", "half_pixel")
    rounding = node.get("nearest_mode", "round_prefer_floor")
    return (way, rounding) in (("half_pixel", "round_prefer_floor"), ("asymmetric", "floor"))


def _size_along(
    node: Node,
    length: int | Length,
    scales: Sequence[float] | None,
    sizes: Sequence[int] | None,
    place: int,
) -> tuple[float, int]:
    if isinstance(length, Length):
        if scales is not None and scales[place] == 1:
            return 1.0, 0
        raise node.error("it resizes an axis whose length the file leaves open")
    if sizes is not None:
        return sizes[place] / length, sizes[place]
    scale = (scales or [])[place]
    if scale <= 0:
        raise node.error(f"{scale} is not a scale")
    return scale, math.floor(length * scale)


def _coordinates(node: Node, length: int, size: int, scale: float) -> Array:
    """Returns where the elements of the result lie in the input."""
    x = onp.arange(size, dtype=onp.float64)
    default = "asymmetric" if _is_old(node) else "half_pixel"
    way = node.get("coordinate_transformation_mode", default)
    if way == "asymmetric":
        return x / scale
    if way == "half_pixel":
        return (x + 0.5) / scale - 0.5
    if way == "pytorch_half_pixel":
        return (x + 0.5) / scale - 0.5 if size > 1 else x * 0
    if way == "align_corners":
        return x * (length - 1) / (length * scale - 1) if size > 1 else x * 0
    if way == "half_pixel_symmetric":
        adjustment = size / (length * scale)
        return length / 2 * (1 - adjustment) + (x + 0.5) / scale - 0.5
    raise node.error(f"coordinate_transformation_mode {way!r} cannot be imported")


def _resize_axis(
    node: Node, x: Any, axis: int, ndim: int, mode: str, length: int, size: int, scale: float
) -> Any:
    coordinates = _coordinates(node, length, size, scale)
    if mode == "nearest":
        default = "floor" if _is_old(node) else "round_prefer_floor"
        rounding = _ROUNDING.get(node.get("nearest_mode", default))
        if rounding is None:
            raise node.error("nearest_mode is not known")
        picked = onp.clip(rounding(coordinates), 0, length - 1).astype(onp.int64)
        indices = node.importer.constant(picked, f"{node.name}_indices{axis}")
        return np.take(x, indices.np, axis=axis)
    matrix = _weights(node, coordinates, mode, length, scale).astype(onp.float32)
    weights = node.importer.constant(matrix, f"{node.name}_weights{axis}").np
    if axis == ndim - 1:
        return np.matmul(x, np.transpose(weights))
    return np.moveaxis(np.matmul(np.moveaxis(x, axis, -1), np.transpose(weights)), -1, axis)


def _weights(node: Node, coordinates: Array, mode: str, length: int, scale: float) -> Array:
    """Returns the matrix whose rows say how elements of the result are summed up."""
    if mode not in ("linear", "cubic"):
        raise node.error(f"mode {mode!r} is not known")
    reach = 1 if mode == "linear" else 2
    shrink = min(scale, 1.0) if node.get("antialias", 0) else 1.0
    # A scale that leaves an element of the result is not below one of the length.
    support = math.ceil(min(reach / shrink, reach * (length + 1)))
    node.check_made(_TEMPORARIES * max(len(coordinates), 1) * 2 * support)
    first = onp.floor(coordinates).astype(int) - support + 1
    offsets = onp.arange(2 * support)
    places = first[:, None] + offsets
    distances = onp.abs(coordinates[:, None] - places) * shrink
    if mode == "linear":
        weights = onp.clip(1 - distances, 0, None)
    else:
        weights = _cubic(distances, node.get("cubic_coeff_a", -0.75))
    if node.get("exclude_outside", 0) or shrink < 1:
        inside = (places >= 0) & (places < length)
        weights = onp.where(inside, weights, 0) if node.get("exclude_outside", 0) else weights
    weights = weights / weights.sum(axis=1, keepdims=True)
    matrix = onp.zeros((len(coordinates), length))
    rows = onp.broadcast_to(onp.arange(len(coordinates))[:, None], places.shape)
    onp.add.at(matrix, (rows, onp.clip(places, 0, length - 1)), weights)
    return matrix


def _cubic(d: Array, a: float) -> Array:
    near = (a + 2) * d**3 - (a + 3) * d**2 + 1
    far = a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a
    return onp.where(d <= 1, near, onp.where(d < 2, far, 0))


@imports("GridSample")
def _grid_sample(node: Node, x: Value, grid: Value) -> Any:
    mode = node.get("mode", "linear")
    if x.ndim != 4 or mode not in ("linear", "bilinear"):
        raise node.error(f"mode {mode!r} over {x.ndim - 2} axes cannot be imported")
    if node.get("padding_mode", "zeros") != "zeros":
        raise node.error("padding_mode other than 'zeros' cannot be imported")
    places = np.transpose(grid.np, axes=(0, 3, 1, 2))
    if not node.get("align_corners", 0):
        height, width = x.sizes[2:]
        if height == 1 or width == 1:
            raise node.error("images of one row or column cannot be imported here")
        factors = onp.array([width / (width - 1), height / (height - 1)], onp.float32)
        scale = node.importer.constant(factors.reshape(1, 2, 1, 1), f"{node.name}_scale")
        places = places * scale.np
    return sym.BilinearSampler(x.sym, places.as_nd_ndarray())


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
