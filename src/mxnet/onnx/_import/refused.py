"""Operators that are refused with a reason rather than as unknown."""

from __future__ import annotations

from typing import Any

from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.values import Value

QUANTIZATION = (
    "ConvInteger",
    "DequantizeLinear",
    "DynamicQuantizeLinear",
    "MatMulInteger",
    "QLinearConv",
    "QLinearMatMul",
    "QuantizeLinear",
)
SEQUENCES = (
    "ConcatFromSequence",
    "Optional",
    "OptionalGetElement",
    "OptionalHasElement",
    "SequenceAt",
    "SequenceConstruct",
    "SequenceEmpty",
    "SequenceErase",
    "SequenceInsert",
    "SequenceLength",
    "SequenceMap",
    "SplitToSequence",
)


@imports(*QUANTIZATION)
def _quantized(node: Node, *_: Value | None) -> Any:
    raise node.error(
        "quantized models cannot be imported; import the model as it was before it was quantized"
    )


@imports(*SEQUENCES)
def _sequence(node: Node, *_: Value | None) -> Any:
    raise node.error("values that are no tensors cannot be imported")
