"""Reductions, and the positions of the largest and smallest elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxnet.onnx._import.functions import cast, np, sym
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.values import Value


def _log_sum_exp(x: Any, **where: Any) -> Any:
    largest = np.max(x, axis=where["axis"], keepdims=True)
    total = np.log(np.sum(np.exp(x - largest), **where))
    kept = largest if where["keepdims"] else np.squeeze(largest, axis=where["axis"])
    return total + kept


_REDUCTIONS: dict[str, Callable[..., Any]] = {
    "ReduceL1": lambda x, **where: np.sum(np.abs(x), **where),
    "ReduceL2": lambda x, **where: np.sqrt(np.sum(x * x, **where)),
    "ReduceLogSum": lambda x, **where: np.log(np.sum(x, **where)),
    "ReduceLogSumExp": _log_sum_exp,
    "ReduceMax": np.max,
    "ReduceMean": np.mean,
    "ReduceMin": np.min,
    "ReduceProd": np.prod,
    "ReduceSum": np.sum,
    "ReduceSumSquare": lambda x, **where: np.sum(x * x, **where),
}


@imports(*_REDUCTIONS)
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
    result = _REDUCTIONS[node.op_type](data, axis=chosen, keepdims=bool(node.get("keepdims", 1)))
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
