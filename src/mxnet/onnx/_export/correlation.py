"""Patches of two feature maps, compared at all displacements."""

from __future__ import annotations

from mxnet import limits
from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.table import converts


@converts("Correlation")
def _correlation(
    b: Builder,
    data1: Value,
    data2: Value,
    *,
    kernel_size: int,
    max_displacement: int,
    stride1: int,
    stride2: int,
    pad_size: int,
    is_multiply: bool,
) -> Value:
    reach = max_displacement // stride2
    limits.check("graph_nodes", 5 * (2 * reach + 1) ** 2, "export_model: Correlation")
    rows, columns = (
        -(-(data1.length(axis) + 2 * (pad_size - max_displacement - kernel_size // 2)) // stride1)
        for axis in (2, 3)
    )
    spans = [(count - 1) * stride1 + kernel_size for count in (rows, columns)]
    widths = b.ints([0, 0, pad_size, pad_size] * 2)
    first, second = (b.op("Pad", item, widths) for item in (data1, data2))

    def cut(value: Value, top: int, left: int) -> Value:
        return b.slice(value, [top, left], [top + spans[0], left + spans[1]], [2, 3])

    inner = cut(first, max_displacement, max_displacement)
    steps = [max_displacement + number * stride2 for number in range(-reach, reach + 1)]
    results = []
    for top in steps:
        for left in steps:
            moved = cut(second, top, left)
            both = inner * moved if is_multiply else b.op("Abs", inner - moved)
            results.append(b.reduce("ReduceMean", both, [1], keepdims=True))
    means = b.concat(results, 1) if len(results) > 1 else results[0]
    if kernel_size == 1 and stride1 == 1:
        return means
    return b.op("AveragePool", means, kernel_shape=[kernel_size] * 2, strides=[stride1] * 2)
