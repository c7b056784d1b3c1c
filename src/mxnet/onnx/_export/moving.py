"""Operators that move elements to places that depend on shapes and attributes alone.

Where each element comes from is found out when the operator is exported: its kernel is run on an
array of numbers of places. The graph has one `Gather` with these as constants.
"""

from __future__ import annotations

from math import prod
from typing import Any

import torch

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.table import NotExportableError, Out, converts
from mxnet.ops.core.registry import get_op


def _declare_matrix_function(name: str, rank: int) -> None:
    """Declares an operator on the last axes, two for matrices and one for vectors."""
    op = get_op(name)

    @converts(name, reads=tuple(op.attrs))
    def convert(b: Builder, data: Value, *, out: Out, **options: Any) -> Value:
        first = data.ndim - rank
        inner = tuple(data.length(axis) for axis in range(first, data.ndim))
        # Place 0 is that of a zero, from which matrices are filled up.
        places = torch.arange(1, prod(inner) + 1, dtype=torch.float64).reshape(inner)
        sources = op.kernel(places, **options).long()
        leading = b.lengths(data, list(range(first)))
        flat = b.reshape(data, b.concat([leading, b.ints([-1])], 0))
        zero = b.full(b.concat([leading, b.ints([1])], 0), 0, data.dtype)
        joined = b.concat([zero, flat], first) if first else b.concat([zero, flat], 0)
        return b.gather(joined, b.ints(sources.tolist()), first)


for _name in ("_linalg_extractdiag", "_linalg_extracttrian"):
    _declare_matrix_function(_name, 2)
_declare_matrix_function("_linalg_makediag", 1)
_declare_matrix_function("_linalg_maketrian", 1)


@converts("_linalg_sumlogdiag")
def _sumlogdiag(b: Builder, data: Value, *, out: Out) -> Value:
    count = data.length(data.ndim - 1)
    flat = b.reshape(data, b.concat([b.lengths(data, list(range(data.ndim - 2))), b.ints([-1])], 0))
    places = b.ints([index * (count + 1) for index in range(count)])
    logs = b.op("Log", b.gather(flat, places, data.ndim - 2))
    total = b.reduce("ReduceSum", logs, [data.ndim - 2], keepdims=out.shape == (1,))
    return total


@converts("_npi_delete", reads=("start", "stop", "step", "int_ind"))
def _delete(
    b: Builder, data: Value, obj: Value | None, *, axis: int | None, **options: Any
) -> Value:
    if obj is not None:
        raise NotExportableError("what is deleted must be a number or a slice, not an array")
    flat = b.reshape(data, (-1,)) if axis is None else data
    length = prod(map(data.length, range(data.ndim))) if axis is None else data.length(axis)
    kept = get_op("_npi_delete").kernel(torch.arange(length), **options, axis=0)
    return b.gather(flat, b.ints(kept.tolist()), 0 if axis is None else axis % data.ndim)


@converts("_npi_diag_indices_from")
def _diag_indices_from(b: Builder, data: Value, *, out: Out) -> Value:
    shape = tuple(map(data.length, range(data.ndim)))
    return b.constant(
        get_op("_npi_diag_indices_from").kernel(torch.zeros(shape)).numpy(), out.dtype
    )


@converts("_npi_polyval")
def _polyval(b: Builder, coefficients: Value, x: Value, *, out: Out) -> Value:
    points = b.cast(x, out.dtype)
    values = b.cast(coefficients, out.dtype)
    total = points * 0
    for index in range(coefficients.length(0)):
        total = total * points + b.gather(values, index, 0)
    return total
