"""Products of matrices."""

from __future__ import annotations

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.table import converts


@converts("FullyConnected")
def convert_fully_connected(
    b: Builder, data: Value, weight: Value, bias: Value | None, *, flatten: bool
) -> Value:
    """Writes an affine map of the last axis, or of all but the first."""
    if flatten:
        if data.ndim > 2:
            data = b.op("Flatten", data, axis=1)
        return b.op("Gemm", data, weight, bias, transB=1)
    product = b.op("MatMul", data, b.op("Transpose", weight, perm=[1, 0]))
    return product if bias is None else product + bias
