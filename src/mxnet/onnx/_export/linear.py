"""Products of vectors, matrices and higher arrays."""

from __future__ import annotations

from collections.abc import Sequence

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.shape import reshape_to
from mxnet.onnx._export.table import Out, converts
from mxnet.ops.core.attrs import Shape


@converts("FullyConnected")
def _fully_connected(
    b: Builder, data: Value, weight: Value, bias: Value | None, *, flatten: bool
) -> Value:
    if flatten or data.ndim == 2:
        if data.ndim != 2:
            data = b.op("Flatten", data, axis=1)
        return b.op("Gemm", data, weight, bias, transB=1)
    product = b.op("MatMul", data, b.transpose(weight, [1, 0]))
    return product if bias is None else product + bias


def _swap_last(b: Builder, data: Value, wanted: bool) -> Value:
    """Exchanges the two last axes, if wanted."""
    rank = data.ndim
    return b.transpose(data, [*range(rank - 2), rank - 1, rank - 2]) if wanted else data


def matmul(b: Builder, left: Value, right: Value) -> Value:
    """Multiplies matrices; integers in 32 or 64 bits."""
    left, right = b.widen(left), b.widen(right)
    if right.shape is not None and right.ndim == 1 and left.ndim > 1:
        # ONNX Runtime joins a transposition with a product, and is wrong for a vector.
        return b.squeeze(b.op("MatMul", left, b.unsqueeze(right, [1])), [left.ndim - 1])
    return b.op("MatMul", left, right)


@converts("dot")
def _dot(
    b: Builder, left: Value, right: Value, *, transpose_a: bool, transpose_b: bool, out: Out
) -> Value:
    if transpose_a:
        left = b.transpose(left, [*range(1, left.ndim), 0])
    if transpose_b:
        right = b.transpose(right, [right.ndim - 1, *range(right.ndim - 1)])
    if right.ndim <= 2:
        product = matmul(b, left, right)
        return b.reshape(product, (1,)) if out.shape == (1,) and left.ndim == 1 else product
    flat = b.reshape(right, (right.length(0), -1))
    return reshape_to(b, matmul(b, left, flat), out.shape)


@converts("batch_dot")
def _batch_dot(
    b: Builder, left: Value, right: Value, *, transpose_a: bool, transpose_b: bool
) -> Value:
    return matmul(b, _swap_last(b, left, transpose_a), _swap_last(b, right, transpose_b))


def _last(b: Builder, data: Value, axis: int) -> Value:
    """Moves the rows of matrices from an axis to the one before the last."""
    along = axis % data.ndim
    order = [item for item in range(data.ndim) if item != along]
    order.insert(data.ndim - 2, along)
    return b.transpose(data, order)


def _back(b: Builder, data: Value, rank: int, axis: int) -> Value:
    order = [*range(rank - 2), rank - 1]
    order.insert(axis % rank, rank - 2)
    return b.transpose(data, order)


@converts("_linalg_gemm2")
def _gemm2(
    b: Builder,
    left: Value,
    right: Value,
    *,
    transpose_a: bool,
    transpose_b: bool,
    alpha: float,
    axis: int,
) -> Value:
    product = _gemm_product(b, left, right, transpose_a, transpose_b, axis)
    return product if alpha == 1 else product * alpha


def _gemm_product(
    b: Builder, left: Value, right: Value, transpose_a: bool, transpose_b: bool, axis: int
) -> Value:
    rank = left.ndim
    moved = [_last(b, item, axis) for item in (left, right)]
    product = matmul(b, _swap_last(b, moved[0], transpose_a), _swap_last(b, moved[1], transpose_b))
    return _back(b, product, rank, axis)


@converts("_linalg_gemm")
def _gemm(
    b: Builder,
    left: Value,
    right: Value,
    addend: Value,
    *,
    transpose_a: bool,
    transpose_b: bool,
    alpha: float,
    beta: float,
    axis: int,
) -> Value:
    product = _gemm_product(b, left, right, transpose_a, transpose_b, axis)
    return product * alpha + addend * beta


@converts("_linalg_syrk")
def _syrk(b: Builder, data: Value, *, transpose: bool, alpha: float) -> Value:
    swapped = _swap_last(b, data, True)
    pair = (swapped, data) if transpose else (data, swapped)
    return matmul(b, *pair) * alpha


@converts("_linalg_trmm")
def _trmm(
    b: Builder,
    triangle: Value,
    data: Value,
    *,
    transpose: bool,
    rightside: bool,
    lower: bool,
    alpha: float,
) -> Value:
    b.need(14, "Trilu")
    part = b.op("Trilu", triangle, shape=triangle.shape, upper=int(not lower))
    part = _swap_last(b, part, transpose)
    product = matmul(b, data, part) if rightside else matmul(b, part, data)
    return product * alpha


@converts("_linalg_det", "_npi_det")
def _det(b: Builder, data: Value, *, out: Out) -> Value:
    return reshape_to(b, b.op("Det", data), out.shape)


@converts("khatri_rao")
def _khatri_rao(b: Builder, *args: Value) -> Value:
    columns = args[0].length(1)
    product = args[0]
    for item in args[1:]:
        product = b.reshape(b.unsqueeze(product, [1]) * item, (-1, columns))
    return product


@converts("_np_dot")
def _np_dot(b: Builder, left: Value, right: Value, *, out: Out) -> Value:
    left, right = b.cast(left, out.dtype), b.cast(right, out.dtype)
    if not left.ndim or not right.ndim:
        return b.widen(left) * b.widen(right)
    if right.ndim <= 2:
        return matmul(b, left, right)
    return _tensordot(b, left, right, [left.ndim - 1], [right.ndim - 2], out)


@converts("_npi_matmul")
def _matmul(b: Builder, left: Value, right: Value, *, out: Out) -> Value:
    return matmul(b, b.cast(left, out.dtype), b.cast(right, out.dtype))


def _tensordot(
    b: Builder,
    left: Value,
    right: Value,
    left_axes: Sequence[int],
    right_axes: Sequence[int],
    out: Out,
) -> Value:
    """Multiplies arrays over pairs of axes."""
    ends = [axis % left.ndim for axis in left_axes]
    starts = [axis % right.ndim for axis in right_axes]
    rows = [axis for axis in range(left.ndim) if axis not in ends]
    columns = [axis for axis in range(right.ndim) if axis not in starts]
    shared = 1
    for axis in starts:
        shared *= right.length(axis)
    flat = b.reshape(b.transpose(left, [*rows, *ends]), (-1, shared))
    other = b.reshape(b.transpose(right, [*starts, *columns]), (shared, -1))
    return reshape_to(b, matmul(b, flat, other), out.shape)


@converts("_npi_tensordot")
def _np_tensordot(
    b: Builder, left: Value, right: Value, *, a_axes_summed: Shape, b_axes_summed: Shape, out: Out
) -> Value:
    return _tensordot(b, left, right, a_axes_summed, b_axes_summed, out)


@converts("_npi_tensordot_int_axes")
def _tensordot_of_count(b: Builder, left: Value, right: Value, *, axes: int, out: Out) -> Value:
    ends = range(left.ndim - axes, left.ndim)
    return _tensordot(b, left, right, list(ends), list(range(axes)), out)


@converts("_npi_einsum")
def _einsum(b: Builder, *data: Value, subscripts: str, out: Out) -> Value:
    items = [b.widen(b.cast(item, out.dtype)) for item in data]
    return b.op("Einsum", *items, equation=subscripts.replace(" ", ""))
