"""Operators that pick elements by their positions or write some, and reductions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp

from mxnet.onnx._import.budget import volume
from mxnet.onnx._import.folding import slice_ranges
from mxnet.onnx._import.lengths import Length, is_open
from mxnet.onnx._import.nodes import Node, Value, cast, np, npx, pick_last, sym
from mxnet.onnx._table import REDUCTIONS, imports


@imports("Slice")
def _slice(node: Node, x: Value, *_: Value | None) -> Any:
    names = ("starts", "ends", "axes", "steps")
    rest = [node.constant(place + 1, name) for place, name in enumerate(names)]
    for name, array in zip(names, rest, strict=True):
        if array is not None and is_open(array) and name != "ends":
            raise node.error(f"{name} depends on a length that the file leaves open")
    starts, ends, axes, steps = slice_ranges(node, rest, x.ndim)
    begin: list[int | None] = [None] * x.ndim
    end: list[int | None] = [None] * x.ndim
    step: list[int | None] = [None] * x.ndim
    for first, last, axis, stride in zip(starts, ends, axes, steps, strict=True):
        length = x.lengths[axis]
        begin[axis], end[axis] = _bounds(node, first, last, stride, length)
        step[axis] = stride
    return sym.slice(x.sym, begin=tuple(begin), end=tuple(end), step=tuple(step))


def _bounds(
    node: Node, first: int, last: int | Length, stride: int, length: int | Length
) -> tuple[int | None, int | None]:
    """Returns begin and end of a slice, within the length where it is known."""
    if isinstance(last, Length):
        if not last.is_same(length):
            raise node.error("an end depends on a length that the file leaves open")
        last = 1 << 62
    if not isinstance(length, Length):
        first, last, _ = slice(first, None if last < -length else last, stride).indices(length)
        return first, last if last >= 0 else None
    huge = 1 << 31
    begin = None if first in (0, -huge) or (stride < 0 and first >= huge - 1) else first
    end = None if last >= huge - 1 or (stride < 0 and last <= -huge) else last
    return begin, end


@imports("Gather")
def _gather(node: Node, x: Value, indices: Value) -> Any:
    axis = node.axis(x, 0)
    number = indices.scalar
    if number is not None and indices.ndim == 0:
        picked = sym.slice_axis(
            x.sym, axis=axis, begin=int(number), end=int(number) + 1 if number != -1 else None
        )
        return np.squeeze(picked.as_np_ndarray(), axis=axis)
    return np.take(x.np, indices.np, axis=axis, mode="wrap")


def _positions(indices: Value, length: int) -> Any:
    """Returns indices counted from the front."""
    if indices.constant is not None and not (indices.constant < 0).any():
        return indices.np
    return np.mod(indices.np, length)


@imports("GatherND")
def _gather_nd(node: Node, x: Value, indices: Value) -> Any:
    batch = node.get("batch_dims", 0)
    if batch:
        return _gather_nd_in_batches(node, x, indices, batch)
    parts = _coordinates(indices, x)
    return sym.gather_nd(x.sym, np.stack(parts, axis=0).as_nd_ndarray())


def _coordinates(indices: Value, x: Value, first: int = 0) -> list[Any]:
    """Returns the positions along each axis from `first` on, counted from the front."""
    depth = indices.sizes[-1]
    return [np.mod(pick_last(indices.np, place), x.sizes[first + place]) for place in range(depth)]


def _gather_nd_in_batches(node: Node, x: Value, indices: Value, batch: int) -> Any:
    sizes, shape = x.sizes, indices.sizes
    if not 0 < batch < min(len(sizes), len(shape)) or sizes[:batch] != shape[:batch]:
        raise node.error(f"data of {sizes} and indices of {shape} have no {batch} batch axes")
    node.check_made(volume(shape))
    parts = []
    for axis in range(batch):
        counter = onp.arange(sizes[axis]).reshape([-1] + [1] * (len(shape) - 2 - axis))
        positions = onp.broadcast_to(counter, shape[:-1]).astype(onp.int64)
        parts.append(node.importer.constant(positions.copy(), f"{node.name}_{axis}").np)
    parts += _coordinates(indices, x, batch)
    return sym.gather_nd(x.sym, np.stack(parts, axis=0).as_nd_ndarray())


def _grid(node: Node, shape: tuple[int, ...], axis: int, indices: Any) -> Any:
    """Returns the positions that indices along an axis stand for, one array for each axis."""
    parts = []
    node.check_made(volume(shape))
    for place in range(len(shape)):
        if place == axis:
            parts.append(indices)
            continue
        counter = onp.arange(shape[place]).reshape([-1] + [1] * (len(shape) - 1 - place))
        positions = onp.broadcast_to(counter, shape).astype(onp.int64).copy()
        parts.append(node.importer.constant(positions, f"{node.name}_{place}").np)
    return np.stack(parts, axis=0).as_nd_ndarray()


@imports("GatherElements")
def _gather_elements(node: Node, x: Value, indices: Value) -> Any:
    axis = node.axis(x, 0)
    length = x.lengths[axis]
    if not isinstance(length, int):
        raise node.error("it gathers along an axis whose length the file leaves open")
    return sym.gather_nd(x.sym, _grid(node, indices.sizes, axis, _positions(indices, length)))


@imports("ScatterElements", "Scatter")
def _scatter_elements(node: Node, x: Value, indices: Value, updates: Value) -> Any:
    axis = node.axis(x, 0)
    positions = _grid(node, indices.sizes, axis, _positions(indices, x.sizes[axis]))
    return _write(node, x, positions, updates)


@imports("ScatterND")
def _scatter_nd(node: Node, x: Value, indices: Value, updates: Value) -> Any:
    parts = _coordinates(indices, x)
    return _write(node, x, np.stack(parts, axis=0).as_nd_ndarray(), updates)


def _write(node: Node, x: Value, positions: Any, updates: Value) -> Any:
    reduction = node.get("reduction", "none")
    if reduction == "none":
        return sym._internal._scatter_set_nd(x.sym, updates.sym, positions, shape=x.sizes)
    indices = node.need(1).constant
    if reduction == "add" and indices is not None and node.op_type == "ScatterND":
        rows = indices.reshape(-1, indices.shape[-1])
        if len(onp.unique(rows, axis=0)) == len(rows):  # else the sum of several would be one
            return x.np + sym.scatter_nd(updates.sym, positions, shape=x.sizes).as_np_ndarray()
    raise node.error(f"reduction {reduction!r} cannot be imported")


@imports("OneHot")
def _one_hot(node: Node, indices: Value, *_: Value) -> Any:
    depth = node.constant(1, "depth")
    values = node.constant(2, "values")
    if depth is None or values is None:
        raise node.error("depth or values are missing")
    off, on = (item.item() for item in values)
    length = int(depth.reshape(-1)[0])
    node.check_size([length, *indices.lengths])
    numbers = cast(indices.np, "int64")
    positions = numbers + length * cast(numbers < 0, "int64")
    hot = npx.one_hot(positions, length, on, off, dtype=values.dtype.name)
    axis = node.get("axis", -1)
    return hot if axis in (-1, indices.ndim) else np.moveaxis(hot, -1, axis)


@imports("NonZero")
def _nonzero(_: Node, x: Value) -> Any:
    return cast(np.transpose(npx.nonzero(x.np), axes=(1, 0)), "int64")


@imports("Compress")
def _compress(node: Node, x: Value, *_: Value) -> Any:
    condition = node.constant(1, "condition")
    if condition is None:
        raise node.error("the condition is missing")
    chosen = node.importer.constant(onp.flatnonzero(condition), f"{node.name}_chosen")
    if node.get("axis") is None:
        return np.take(npx.reshape(x.np, newshape=(-1,)), chosen.np, axis=0)
    return np.take(x.np, chosen.np, axis=node.axis(x, 0))


def _log_sum_exp(x: Any, **where: Any) -> Any:
    largest = np.max(x, axis=where["axis"], keepdims=True)
    total = np.log(np.sum(np.exp(x - largest), **where))
    kept = largest if where["keepdims"] else np.squeeze(largest, axis=where["axis"])
    return total + kept


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{theirs: getattr(np, ours) for theirs, ours in REDUCTIONS.items()},
    "ReduceL1": lambda x, **where: np.sum(np.abs(x), **where),
    "ReduceL2": lambda x, **where: np.sqrt(np.sum(x * x, **where)),
    "ReduceLogSum": lambda x, **where: np.log(np.sum(x, **where)),
    "ReduceLogSumExp": _log_sum_exp,
    "ReduceSumSquare": lambda x, **where: np.sum(x * x, **where),
}


@imports(*_FUNCTIONS)
def _reduce(node: Node, x: Value, *_: Value | None) -> Any:
    axes = node.ints_or_input("axes", 1, 13 if node.op_type == "ReduceSum" else 18)
    if not axes and node.get("noop_with_empty_axes", 0):
        return _without_axes(node, x)
    chosen = tuple(node.normalize(axis, x.ndim) for axis in axes) if axes else None
    data = x.np
    if x.dtype == "bool":
        data = cast(data, "int32")
    if chosen is None and node.op_type == "ReduceLogSumExp":
        chosen = tuple(range(x.ndim))
    result = _FUNCTIONS[node.op_type](data, axis=chosen, keepdims=bool(node.get("keepdims", 1)))
    if x.dtype is not None and not x.is_float:
        return cast(result, x.dtype)
    return result


def _without_axes(node: Node, x: Value) -> Any:
    """Returns what a reduction over no axes is, which some change their elements in."""
    functions: dict[str, Callable[[Any], Any]] = {
        "ReduceL1": np.abs,
        "ReduceL2": np.abs,
        "ReduceLogSum": np.log,
        "ReduceSumSquare": np.square,
    }
    function = functions.get(node.op_type)
    return sym.identity(x.sym) if function is None else function(x.np)


@imports("ArgMax", "ArgMin")
def _arg_extreme(node: Node, x: Value) -> Any:
    axis, keepdims = node.axis(x, 0), bool(node.get("keepdims", 1))
    function = np.argmax if node.op_type == "ArgMax" else np.argmin
    if not node.get("select_last_index", 0):
        result = cast(function(x.np, axis=axis), "int64")
        return np.expand_dims(result, axis) if keepdims else result
    length = x.lengths[axis]
    if not isinstance(length, int):
        raise node.error("select_last_index takes an axis of known length")
    from_the_end = function(np.flip(x.np, axis), axis=axis)
    result = cast((length - 1) - from_the_end, "int64")
    return np.expand_dims(result, axis) if keepdims else result


@imports("TopK")
def _top_k(node: Node, x: Value, *_: Value) -> Any:
    numbers = node.integers(1, "k") if node.version >= 10 else [node.get("k", 1)]
    options = {"axis": node.axis(x, -1), "k": (numbers or [1])[0], "dtype": "int64"}
    ascending = not node.get("largest", 1)
    both = sym.topk(x.sym, ret_typ="both", is_ascend=ascending, **options)
    return [both[0], both[1]]


@imports("CumSum")
def _cumulative_sum(node: Node, x: Value, *_: Value) -> Any:
    axis = node.normalize((node.integers(1, "axis") or [0])[0], x.ndim)
    data = np.flip(x.np, axis) if node.get("reverse", 0) else x.np
    result = np.cumsum(data, axis=axis)
    if node.get("exclusive", 0):
        result = result - data
    if x.dtype is not None:
        result = cast(result, x.dtype)
    return np.flip(result, axis) if node.get("reverse", 0) else result
