"""Operators that change the shape of an array or the order of its elements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as onp

from mxnet.errors import shown
from mxnet.onnx._import.lengths import Axis, Length, is_number, is_open
from mxnet.onnx._import.nodes import Node, Value, cast, describe_shape, np, npx, sym
from mxnet.onnx._table import imports

_COPY = -2
"""What `npx.reshape` takes for "the length of this axis of the input"."""


@imports("Reshape")
def _reshape(node: Node, x: Value, *_: Value) -> Any:
    shape = node.known(1, "shape")
    if shape.dtype.kind not in "iuO":
        raise node.error("shape must be integers")
    target = [item if isinstance(item, Length) else int(item) for item in shape.ravel()]
    target = _resolve_rest(x, target)
    codes = _reshape_codes(node, x, target)
    result = npx.reshape(x.np, newshape=tuple(codes))
    if _COPY in codes and not _knows_rank(x):
        return result
    lengths = []
    for place, (item, code) in enumerate(zip(target, codes, strict=True)):
        known = x.lengths[place] if code == _COPY else code
        lengths.append(item if isinstance(item, Length) else Length() if code == -1 else known)
    return node.importer.shaped(node, result, tuple(lengths))


def _resolve_rest(x: Value, target: Sequence[Axis]) -> list[Axis]:
    """Replaces -1 beside open lengths by the number it is, where these cancel out."""
    is_open_too = any(isinstance(item, Length) for item in target)
    if not is_open_too or not any(is_number(item, -1) for item in target) or not _knows_rank(x):
        return list(target)
    if any(is_number(item, 0) for item in target):
        return list(target)
    total, names = _multiply(x.lengths)
    known, others = _multiply([item for item in target if not is_number(item, -1)])
    if None in names or names != others or total % known:
        return list(target)
    return [total // known if is_number(item, -1) else item for item in target]


def _multiply(lengths: Sequence[Axis]) -> tuple[int, list[str | None]]:
    """Returns a product as a number and the sorted names of the open lengths in it."""
    number = math.prod(item.factor if isinstance(item, Length) else item for item in lengths)
    names = [item.name for item in lengths if isinstance(item, Length)]
    return number, sorted(names, key=str)


def _knows_rank(x: Value) -> bool:
    try:
        return x.ndim >= 0
    except NotImplementedError:
        return False


def _reshape_codes(node: Node, x: Value, target: Sequence[Axis]) -> list[int]:
    """Returns a shape as `npx.reshape` takes it."""
    keeps_zeros = bool(node.get("allowzero", 0))
    lengths = x.lengths if any(isinstance(item, Length) for item in target) else ()
    codes, num_open = [], 0
    for place, item in enumerate(target):
        if isinstance(item, Length):
            if place < len(lengths) and item.is_same(lengths[place]):
                codes.append(_COPY)
            else:
                num_open += 1
                codes.append(-1)
        elif item == 0 and not keeps_zeros:
            codes.append(_COPY)
        else:
            if item < -1:
                raise node.error(f"{item} is not a length")
            codes.append(item)
    if codes.count(-1) > 1 and num_open:
        raise node.error(
            f"the shape {describe_shape(tuple(target))} has several lengths that the file leaves "
            "open; give the shapes of the inputs: import_model(file, shapes={name: shape})"
        )
    return codes


@imports("Flatten")
def _flatten(node: Node, x: Value) -> Any:
    axis = node.get("axis", 1)
    if axis == 1:
        return sym.Flatten(x.sym)
    axis = node.normalize(axis, x.ndim) if axis < 0 else node.normalize(axis, x.ndim + 1)
    if axis == 0:
        return npx.reshape(x.np, newshape=(1, -1))
    if axis == x.ndim:
        return npx.reshape(x.np, newshape=(-1, 1))
    return npx.reshape(x.np, newshape=(math.prod(x.sizes[:axis]), -1))


@imports("Transpose")
def _transpose(node: Node, x: Value) -> Any:
    order = node.ints("perm")
    return np.transpose(x.np, axes=None if order is None else tuple(order))


@imports("Squeeze")
def _squeeze(node: Node, x: Value, *_: Value) -> Any:
    axes = node.ints_or_input("axes", 1, 13)
    return np.squeeze(x.np, axis=None if axes is None else tuple(axes))


@imports("Unsqueeze")
def _unsqueeze(node: Node, x: Value, *_: Value) -> Any:
    axes = node.ints_or_input("axes", 1, 13)
    if not axes:
        raise node.error("axes are missing")
    node.check_axes(len(axes))
    result, ndim = x.np, len(axes) + (x.ndim if any(axis < 0 for axis in axes) else 0)
    for axis in sorted(axis + ndim if axis < 0 else axis for axis in axes):
        result = np.expand_dims(result, axis)
    return result


@imports("Expand")
def _expand(node: Node, x: Value, *_: Value) -> Any:
    shape = node.known(1, "shape")
    node.check_axes(shape.size)
    if is_open(shape) or any(isinstance(length, Length) for length in x.lengths):
        return _expand_to_open(node, x, list(shape.ravel()))
    target = onp.broadcast_shapes(x.sizes, tuple(int(length) for length in shape.ravel()))
    node.check_size(target)
    return np.broadcast_to(x.np, target)


def _expand_to_open(node: Node, x: Value, target: list[Axis]) -> Any:
    """Expands to a shape some lengths of which are open."""
    if x.dtype == "bool":
        raise node.error("it expands booleans to a length that the file leaves open")
    lengths = (1,) * (len(target) - x.ndim) + x.lengths
    ones = tuple(1 if isinstance(wanted, Length) else int(wanted) for wanted in target)
    spread: list[Axis] = [1] * len(target)
    shape: list[Axis] = list(ones)
    for place, wanted in enumerate(target):
        length = lengths[len(lengths) - len(target) + place]
        if isinstance(wanted, Length):
            shape[place] = wanted
            if not wanted.is_same(length):
                spread[place] = wanted
        elif wanted == 1:
            shape[place] = length
    known = x.np * np.ones(ones, dtype=x.dtype or "float32")
    result = node.importer.open_lengths.spread(known.as_nd_ndarray(), spread)
    return node.importer.shaped(node, result, tuple(shape))


@imports("Tile")
def _tile(node: Node, x: Value, *_: Value) -> Any:
    repeats = tuple(node.integers(1, "repeats") or ())
    node.check_axes(len(repeats))
    node.check_size([*repeats, *x.lengths])
    return np.tile(x.np, repeats)


@imports("ConstantOfShape")
def _constant_of_shape(node: Node, *_: Value) -> Any:
    value = node.attrs.get("value")
    number, dtype = (0.0, "float32") if value is None else (value.item(), value.dtype.name)
    shape = node.known(0, "shape")
    node.check_axes(shape.size)
    lengths = tuple(item if isinstance(item, Length) else int(item) for item in shape.ravel())
    node.check_size(lengths)
    ones = tuple(1 if isinstance(item, Length) else item for item in lengths)
    known = np.full(ones, number, dtype=dtype)
    result = node.importer.open_lengths.spread(known.as_nd_ndarray(), lengths)
    return node.importer.shaped(node, result, lengths)


@imports("Constant")
def _constant(node: Node) -> Any:
    raise node.error(f"a constant of {', '.join(node.attrs) or 'nothing'} cannot be imported")


@imports("Shape")
def _shape(node: Node, x: Value) -> Any:
    start, end = node.get("start", 0), node.get("end")
    shape = sym.shape_array(x.sym)
    if start == 0 and end is None:
        return shape
    return sym.slice_axis(shape, axis=0, begin=start, end=end)


@imports("Size")
def _size(_: Node, x: Value) -> Any:
    return np.squeeze(sym.size_array(x.sym).as_np_ndarray(), axis=0)


@imports("Split")
def _split(node: Node, x: Value, *_: Value | None) -> Any:
    axis, parts = node.axis(x, 0), len(node.outputs)
    sizes = node.ints_or_input("split", 1, 13)
    if parts == 1:
        return sym.identity(x.sym)
    if sizes is None:
        length = x.lengths[axis]
        if not isinstance(length, int):
            if "num_outputs" in node.attrs:
                raise node.error("it splits an axis whose length the file leaves open")
            return list(sym.split_v2(x.sym, parts, axis=axis))
        size = -(-length // parts)
        sizes = [min(size, max(length - size * part, 0)) for part in range(parts)]
    if len(sizes) != parts or min(sizes) < 0:
        raise node.error(f"{shown(sizes)} are not the sizes of {parts} parts")
    ends = tuple(itertools.accumulate(sizes[:-1]))
    return list(np.split(x.np, ends, axis=axis))


@imports("DepthToSpace")
def _depth_to_space(node: Node, x: Value) -> Any:
    size = node.get("blocksize", 1)
    split = npx.reshape(x.np, newshape=(_COPY, -6, -1, size * size, _COPY, _COPY))
    split = npx.reshape(split, newshape=(_COPY, _COPY, -6, size, size, _COPY, _COPY))
    order = np.transpose(split, axes=(0, 1, 4, 2, 5, 3))
    return npx.reshape(order, newshape=(_COPY, _COPY, -5, -5))


@imports("SpaceToDepth")
def _space_to_depth(node: Node, _: Value) -> Any:
    raise node.error("a mode other than 'DCR' cannot be imported")


@imports("Pad")
def _pad(node: Node, x: Value, *_: Value | None) -> Any:
    pads = node.integers(1, "pads") if node.version >= 11 else node.ints("pads")
    value = node.get("value", 0.0)
    if node.version >= 11 and node.input(2) is not None:
        value = node.constant(2, "constant_value").item()  # type: ignore[union-attr]
    if pads is None:
        raise node.error("pads are missing")
    axes = node.integers(3, "axes") if node.version >= 18 else None
    chosen = range(x.ndim) if axes is None else [node.normalize(axis, x.ndim) for axis in axes]
    widths = [(0, 0)] * x.ndim
    for place, axis in enumerate(chosen):
        widths[axis] = (pads[place], pads[place + len(pads) // 2])
    return pad(node, x.np, widths, node.get("mode", "constant"), value)


def pad(node: Node, x: Any, widths: Sequence[tuple[int, int]], mode: str, value: float) -> Any:
    """Adds elements around an array, or takes some away where a width is negative."""
    cuts = [slice(-min(a, 0) or None, min(b, 0) or None) for a, b in widths]
    if any(cut != slice(None) for cut in cuts):
        x = x[tuple(cuts)]
    widths = tuple((max(a, 0), max(b, 0)) for a, b in widths)
    node.check_size([1 + a + b for a, b in widths])
    if not any(map(any, widths)):
        return x
    if mode == "constant":
        return np.pad(x, widths, mode="constant", constant_values=value)
    if mode in ("reflect", "edge"):
        return np.pad(x, widths, mode=mode)
    if mode == "wrap":
        return _pad_by_wrapping(x, widths)
    raise node.error(f"mode {mode!r} is not known")


def _pad_by_wrapping(x: Any, widths: Sequence[tuple[int, int]]) -> Any:
    for axis, (before, after) in enumerate(widths):
        parts = [x]
        if before:
            parts.insert(0, _slice_axis(x, axis, -before, None))
        if after:
            parts.append(_slice_axis(x, axis, 0, after))
        x = np.concatenate(parts, axis=axis) if len(parts) > 1 else x
    return x


def _slice_axis(x: Any, axis: int, begin: int, end: int | None) -> Any:
    return sym.slice_axis(x.as_nd_ndarray(), axis=axis, begin=begin, end=end).as_np_ndarray()


@imports("ReverseSequence")
def _reverse_sequence(node: Node, x: Value, lengths: Value) -> Any:
    is_time_first = (node.get("time_axis", 0), node.get("batch_axis", 1)) == (0, 1)
    data = x.sym if is_time_first else sym.SwapAxis(x.sym, dim1=0, dim2=1)
    counts = sym.Cast(lengths.sym, dtype="float32")
    result = sym.SequenceReverse(data, counts, use_sequence_length=True)
    return result if is_time_first else sym.SwapAxis(result, dim1=0, dim2=1)


@imports("Trilu")
def _trilu(node: Node, x: Value, *_: Value | None) -> Any:
    offset = (node.integers(1, "k") or [0])[0] if node.input(1) is not None else 0
    if not node.get("upper", 1):
        return np.tril(x.np, offset)
    return x.np - np.tril(x.np, offset - 1)


@imports("Range")
def _range(node: Node, start: Value, limit: Value, delta: Value) -> Any:
    if start.scalar != 0 or delta.scalar != 1 or limit.constant is None:
        raise node.error(
            "start, limit and delta must be known when the model is imported; give the shapes of "
            "the inputs: import_model(file, shapes={name: shape})"
        )
    length = limit.constant.reshape(-1)[0]
    result = cast(node.importer.open_lengths.range_of(length), start.dtype or "int64")
    return node.importer.shaped(node, result, (length,))


@imports("EyeLike")
def _eye_like(node: Node, x: Value) -> Any:
    rows, columns = x.sizes
    number = node.get("dtype")
    dtype = x.dtype if number is None else node.importer.numpy_dtype(number, node).name
    return np.eye(rows, columns, k=node.get("k", 0), dtype=dtype or "float32")
