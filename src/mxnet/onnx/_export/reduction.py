"""Reductions along axes, norms, and sorting."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from mxnet.onnx._export.binary import promote
from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.elementwise import as_float
from mxnet.onnx._export.shape import reshape_to
from mxnet.onnx._export.table import NotExportableError, Out, converts
from mxnet.ops.core.attrs import Shape

Axes: TypeAlias = list[int]
Reduce: TypeAlias = Callable[[Builder, Value, Axes, bool], Value]


def _operator(op_type: str) -> Reduce:
    return lambda b, data, axes, keep: b.reduce(op_type, data, axes, keep)


def _mean(b: Builder, data: Value, axes: Axes, keep: bool) -> Value:
    return b.reduce("ReduceMean", as_float(b, data), axes, keep)


def _without_nan(filler: float, op_type: str) -> Reduce:
    def function(b: Builder, data: Value, axes: Axes, keep: bool) -> Value:
        if data.is_float:
            data = b.where(b.op("IsNaN", data, dtype="bool"), filler, data, data.dtype)
        return b.reduce(op_type, data, axes, keep)

    return function


_CLASSIC: dict[str, Reduce] = {
    "sum": _operator("ReduceSum"),
    "mean": _mean,
    "prod": _operator("ReduceProd"),
    "max": _operator("ReduceMax"),
    "min": _operator("ReduceMin"),
    "nansum": _without_nan(0.0, "ReduceSum"),
    "nanprod": _without_nan(1.0, "ReduceProd"),
    "_square_sum": _operator("ReduceSumSquare"),
}


def chosen_axes(data: Value, axis: Shape | int | None, exclude: bool = False) -> Axes:
    """Returns the axes to reduce, none of them negative; none given are all."""
    if axis is None or axis == ():
        return [] if exclude and axis is not None else list(range(data.ndim))
    axes = {item % data.ndim for item in ((axis,) if isinstance(axis, int) else axis)}
    return [item for item in range(data.ndim) if (item in axes) != exclude]


def apply(b: Builder, function: Reduce, data: Value, axes: Axes, keepdims: bool) -> Value:
    """Reduces axes of data of any dtype; without axes nothing is reduced."""
    wide = b.widen(data)
    if not axes and data.ndim:
        wide, axes, keepdims = b.unsqueeze(wide, [data.ndim]), [data.ndim], False
    elif not axes:
        wide, axes, keepdims = b.unsqueeze(wide, [0]), [0], False
    return function(b, wide, axes, keepdims)


def _declare_classic(name: str, function: Reduce) -> None:
    @converts(name)
    def convert(
        b: Builder, data: Value, *, axis: Shape | None, keepdims: bool, exclude: bool, out: Out
    ) -> Value:
        axes = chosen_axes(data, axis or None, exclude)
        result = apply(b, function, data, axes, keepdims)
        return b.reshape(result, (1,)) if out.shape == (1,) else result


for _name, _function in _CLASSIC.items():
    _declare_classic(_name, _function)


def _declare_numpy(name: str, function: Reduce, join: str) -> None:
    @converts(name)
    def convert(
        b: Builder,
        data: Value,
        *,
        axis: Shape | None,
        keepdims: bool,
        initial: float | None,
        out: Out,
    ) -> Value:
        axes = list(range(data.ndim)) if axis is None else chosen_axes(data, axis)
        axes = [] if axis == () else axes
        dtype = promote(data.dtype, out.dtype)
        result = apply(b, function, b.cast(data, dtype), axes, keepdims)
        return result if initial is None else b.binary(join, result, initial)


_declare_numpy("_np_sum", _operator("ReduceSum"), "Add")
_declare_numpy("_np_prod", _operator("ReduceProd"), "Mul")
_declare_numpy("_np_max", _operator("ReduceMax"), "Max")
_declare_numpy("_np_min", _operator("ReduceMin"), "Min")
_declare_numpy("_npi_mean", _mean, "Add")


def _declare_test(name: str, op_type: str) -> None:
    @converts(name)
    def convert(b: Builder, data: Value, *, axis: Shape | None, keepdims: bool) -> Value:
        bits = b.cast(b.cast(data, "bool"), "int32")
        axes = [] if axis == () else chosen_axes(data, axis)
        return b.cast(apply(b, _operator(op_type), bits, axes, keepdims), "bool")


_declare_test("_np_all", "ReduceMin")
_declare_test("_np_any", "ReduceMax")


def _declare_position(names: tuple[str, ...], op_type: str) -> None:
    @converts(*names)
    def convert(b: Builder, data: Value, *, axis: int | None, keepdims: bool, out: Out) -> Value:
        wide = b.widen(data)
        if axis is None:
            flat = b.reshape(wide, (-1,))
            place = b.op(op_type, flat, dtype="int64", axis=0, keepdims=1)
            return reshape_to(b, place, out.shape)
        place = b.op(
            op_type, wide, dtype="int64", axis=axis % max(data.ndim, 1), keepdims=int(keepdims)
        )
        return place if out.ndim == data.ndim - (not keepdims) else reshape_to(b, place, out.shape)


_declare_position(("argmax", "_npi_argmax"), "ArgMax")
_declare_position(("argmin", "_npi_argmin"), "ArgMin")


@converts("argmax_channel")
def _argmax_channel(b: Builder, data: Value) -> Value:
    return b.op("ArgMax", data, dtype="int64", axis=1, keepdims=0)


@converts("norm")
def _norm(
    b: Builder, data: Value, *, ord: int, axis: Shape | None, keepdims: bool, out: Out
) -> Value:
    op_type = "ReduceL1" if ord == 1 else "ReduceL2"
    wide = b.cast(as_float(b, data), out.dtype) if out.dtype in ("float32", "float64") else data
    result = b.reduce(op_type, as_float(b, wide), chosen_axes(data, axis or None), keepdims)
    return b.reshape(result, (1,)) if out.shape == (1,) else result


@converts("moments")
def _moments(
    b: Builder, data: Value, *, axes: Shape, keepdims: bool, out: Out
) -> tuple[Value, Value]:
    mean, variance = mean_and_variance(b, as_float(b, data), chosen_axes(data, axes))
    if keepdims:
        return mean, variance
    return reshape_to(b, mean, out.shapes[0]), reshape_to(b, variance, out.shapes[1])


def mean_and_variance(b: Builder, data: Value, axes: Axes) -> tuple[Value, Value]:
    """Writes mean and variance along axes, which stay with length 1."""
    mean = b.reduce("ReduceMean", data, axes, keepdims=True)
    centred = data - mean
    return mean, b.reduce("ReduceMean", centred * centred, axes, keepdims=True)


def _declare_spread(name: str, *, has_root: bool) -> None:
    @converts(name)
    def convert(
        b: Builder, data: Value, *, axis: Shape | None, ddof: int, keepdims: bool, out: Out
    ) -> Value:
        if axis == ():
            raise NotExportableError("variances along no axis cannot be written")
        axes = chosen_axes(data, axis)
        wide = as_float(b, b.cast(data, out.dtype) if data.is_float else data)
        _, variance = mean_and_variance(b, wide, axes)
        if ddof:
            count = 1
            for item in axes:
                count *= data.length(item)
            if count == ddof:
                raise NotExportableError(
                    f"there is no variance of {count} elements with ddof={ddof}"
                )
            variance = variance * (count / (count - ddof))
        spread = b.op("Sqrt", variance) if has_root else variance
        return spread if keepdims else b.squeeze(spread, axes)


_declare_spread("_npi_var", has_root=False)
_declare_spread("_npi_std", has_root=True)


@converts("_npi_average")
def _average(
    b: Builder,
    data: Value,
    weights: Value | None,
    *,
    axis: Shape | None,
    returned: bool,
    weighted: bool,
    out: Out,
) -> Value:
    if returned or out.shapes[1:]:
        raise NotExportableError("the sum of weights cannot be returned; leave `returned` out")
    axes = chosen_axes(data, axis)
    if not weighted or weights is None:
        return b.reduce("ReduceMean", as_float(b, data), axes, keepdims=False)
    spread = b.cast(weights, out.dtype)
    if weights.ndim != data.ndim:
        spread = b.unsqueeze(spread, [item for item in range(data.ndim) if item not in axes])
    values = b.cast(data, out.dtype) * spread
    total = b.reduce("ReduceSum", spread, axes, keepdims=False)
    return b.reduce("ReduceSum", values, axes, keepdims=False) / total


@converts("_np_cumsum")
def _cumsum(b: Builder, data: Value, *, axis: int | None, out: Out) -> Value:
    wide = b.widen(b.cast(data, out.dtype))
    if axis is None:
        return b.op("CumSum", b.reshape(wide, (-1,)), b.ints(0))
    return b.op("CumSum", wide, b.ints(axis % data.ndim))


@converts("_npi_norm")
def _np_norm(
    b: Builder, data: Value, *, ord: float, axis: Shape | None, keepdims: bool, flag: int
) -> Value:
    values = as_float(b, data)
    if flag == -2:
        return b.reduce("ReduceL2", values, list(range(data.ndim)), keepdims)
    axes = list(axis if axis is not None else ((-1,) if data.ndim < 2 else (-2, -1)))
    axes = [item % data.ndim for item in axes]
    if flag == 1 or len(axes) == 1:
        return _vector_norm(b, values, 2.0 if flag == 1 else ord, axes, keepdims)
    if flag == 2 or abs(ord) == 2:
        raise NotExportableError("norms of matrices by singular values cannot be written")
    rows, columns = axes if abs(ord) == 1 else axes[::-1]
    sums = b.reduce("ReduceSum", b.op("Abs", values), [rows], keepdims=True)
    result = b.reduce("ReduceMax" if ord > 0 else "ReduceMin", sums, [columns], keepdims=True)
    return result if keepdims else b.squeeze(result, sorted(axes))


def _vector_norm(b: Builder, data: Value, order: float, axes: Axes, keep: bool) -> Value:
    named = {1.0: "ReduceL1", 2.0: "ReduceL2"}
    if order in named:
        return b.reduce(named[order], data, axes, keep)
    size = b.op("Abs", data)
    if math.isinf(order):
        return b.reduce("ReduceMax" if order > 0 else "ReduceMin", size, axes, keep)
    if order == 0:
        count = b.cast(b.cast(data, "bool"), data.dtype)
        return b.reduce("ReduceSum", count, axes, keep)
    total = b.reduce("ReduceSum", b.binary("Pow", size, order), axes, keep)
    return b.binary("Pow", total, 1 / order)


def sort_axis(
    b: Builder, data: Value, count: int | Value, axis: int, largest: bool
) -> tuple[Value, Value]:
    """Writes the first elements of the sorted axis, and their indices."""
    number = b.ints([count]) if isinstance(count, int) else count
    values, indices = b.ops(
        "TopK", data, number, dtypes=(None, "int64"), axis=axis, largest=int(largest), sorted=1
    )
    return values, indices


def _flat_if_none(b: Builder, data: Value, axis: int | None) -> tuple[Value, int, Value]:
    """Returns the data to sort, the axis and the length of it."""
    if axis is None:
        return b.reshape(data, (-1,)), 0, b.reshape(b.op("Size", data, dtype="int64"), (1,))
    along = axis % max(data.ndim, 1)
    return data, along, b.lengths(data, [along])


@converts("sort")
def _sort(b: Builder, data: Value, *, axis: int | None, is_ascend: bool) -> Value:
    wide, along, length = _flat_if_none(b, b.widen(data), axis)
    return sort_axis(b, wide, length, along, not is_ascend)[0]


@converts("argsort")
def _argsort(b: Builder, data: Value, *, axis: int | None, is_ascend: bool) -> Value:
    wide, along, length = _flat_if_none(b, b.widen(data), axis)
    return sort_axis(b, wide, length, along, not is_ascend)[1]


@converts("topk")
def _topk(
    b: Builder,
    data: Value,
    *,
    axis: int | None,
    k: int,
    ret_typ: str,
    is_ascend: bool,
    out: Out,
) -> list[Value]:
    wide, along, length = _flat_if_none(b, b.widen(data), axis)
    values, indices = sort_axis(b, wide, k if k > 0 else length, along, not is_ascend)
    if ret_typ == "mask":
        zeros = b.full(b.op("Shape", wide, dtype="int64"), 0, wide.dtype)
        ones = b.full(b.op("Shape", indices, dtype="int64"), 1, wide.dtype)
        mask = b.op("ScatterElements", zeros, indices, ones, axis=along)
        return [mask if axis is not None else reshape_to(b, mask, out.shape)]
    return {"value": [values], "indices": [indices], "both": [values, indices]}[ret_typ]


@converts("_npi_diff")
def _diff(b: Builder, data: Value, *, n: int, axis: int) -> Value:
    along = axis % data.ndim
    result = b.widen(data)
    for _ in range(n):
        later = b.slice(result, [1], [2**62], [along])
        result = later - b.slice(result, [0], [-1], [along])
    return result


@converts("_np_trace")
def _trace(b: Builder, data: Value, *, offset: int, axis1: int, axis2: int) -> Value:
    from_diagonal = diagonal(b, b.widen(data), data, offset, axis1, axis2)
    return b.reduce("ReduceSum", from_diagonal, [data.ndim - 2], keepdims=False)


def diagonal(b: Builder, values: Value, data: Value, offset: int, axis1: int, axis2: int) -> Value:
    """Takes a diagonal of values that have the shape of the data; it is the last axis."""
    first, second = axis1 % data.ndim, axis2 % data.ndim
    rows, columns = data.length(first), data.length(second)
    count = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
    start = max(-offset, 0), max(offset, 0)
    rest = [axis for axis in range(data.ndim) if axis not in (first, second)]
    moved = b.transpose(values, [first, second, *rest])
    places = [[start[0] + index, start[1] + index] for index in range(count)]
    picked = b.op("GatherND", moved, b.constant(places, "int64") if count else _none(b))
    return b.transpose(picked, [*range(1, len(rest) + 1), 0])


def _none(b: Builder) -> Value:
    return b.reshape(b.ints([]), (0, 2))


@converts("diag")
def _diag(b: Builder, data: Value, *, k: int, axis1: int, axis2: int) -> Value:
    if data.ndim > 1:
        return diagonal(b, data, data, k, axis1, axis2)
    return _make_diagonal(b, data, k)


def _make_diagonal(b: Builder, data: Value, k: int) -> Value:
    length = data.length(0)
    size = length + abs(k)
    zeros = b.full(b.ints([size, size]), 0, data.dtype)
    places = [[index + max(-k, 0), index + max(k, 0)] for index in range(length)]
    return b.op("ScatterND", zeros, b.constant(places, "int64"), data)


@converts("_np_diag")
def _np_diag(b: Builder, data: Value, *, k: int) -> Value:
    return diagonal(b, data, data, k, 0, 1) if data.ndim > 1 else _make_diagonal(b, data, k)


@converts("_np_diagflat")
def _diagflat(b: Builder, data: Value, *, k: int) -> Value:
    count = 1
    for axis in range(data.ndim):
        count *= data.length(axis)
    flat = b.reshape(data, (-1,))
    return _make_diagonal(b, Value(b, flat.name, flat.dtype, (count,)), k)


@converts("_np_diagonal")
def _np_diagonal(b: Builder, data: Value, *, offset: int, axis1: int, axis2: int) -> Value:
    return diagonal(b, data, data, offset, axis1, axis2)


@converts("_npi_tril")
def _tril(b: Builder, data: Value, *, k: int) -> Value:
    if data.ndim < 2:
        raise NotExportableError("ONNX has triangles of matrices only, not of a vector")
    b.need(14, "Trilu")
    return b.op("Trilu", b.widen(data), b.ints(k), upper=0)
