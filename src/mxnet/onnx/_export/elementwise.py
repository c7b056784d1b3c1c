"""Operators on elements: functions of one array, and activations."""

from __future__ import annotations

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.table import NotExportableError, converts


@converts("relu", "_npx_relu")
def convert_relu(b: Builder, data: Value) -> Value:
    """Writes a rectifier."""
    return b.op("Relu", data)


@converts("Activation")
def convert_activation(b: Builder, data: Value, *, act_type: str) -> Value:
    """Writes an activation by its name."""
    return activate(b, data, act_type)


def activate(b: Builder, data: Value, act_type: str) -> Value:
    """Writes an activation by its name."""
    names = {
        "relu": "Relu",
        "sigmoid": "Sigmoid",
        "tanh": "Tanh",
        "softrelu": "Softplus",
        "softsign": "Softsign",
    }
    if act_type not in names:
        raise NotExportableError(f"activation {act_type!r} is not known")
    return b.op(names[act_type], data)
