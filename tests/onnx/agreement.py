"""Exports one call of an operator and compares what ONNX Runtime computes with the kernel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import onnxruntime
import torch

import mxnet as mx
from mxnet._formats.onnx_package import load_onnx
from mxnet.graph.ir import Entry, Node
from mxnet.onnx._export.file import make_model
from mxnet.onnx._export.model import convert
from mxnet.onnx._table import DEFAULT_OPSET, EXPORTS, NotExportableError
from mxnet.ops.core.attrs import write
from mxnet.ops.core.registry import as_tuple, get_op
from mxnet.symbol import Symbol

from ..ops.samples.core import Sample

TOLERANCE = 1e-4


class Outcome(NamedTuple):
    """What came of a sample.

    Attributes:
        word: `equal`, `refused` (by our exporter), `unsupported` (by ONNX Runtime), `different`,
            or `broken` (a file that is not valid).
        reason: Why it is not equal.
    """

    word: str
    reason: str = ""


def try_sample(sample: Sample, opset: int = DEFAULT_OPSET) -> Outcome:
    """Exports a sample and compares its results."""
    op = get_op(sample.op)
    if op.name not in EXPORTS:
        return Outcome("refused", "no converter")
    arrays = sample.make_inputs()
    node = make_node(sample)
    if not op.variadic and len(node.inputs) < len(node.input_names):
        return Outcome("refused", "graphs take these inputs by name alone")
    names = [entry.node.name for entry in node.inputs]
    given = {item.name: array for item, array in zip(_slots(op, arrays), arrays, strict=False)}
    inputs = {name: given[name] for name in names}
    try:
        symbol = Symbol([Entry(node, index) for index in range(node.num_outputs)])
        with mx.np_shape(sample.is_numpy):
            parts = convert(
                symbol,
                {},
                {name: array.shape for name, array in inputs.items()},
                {name: array.dtype.name for name, array in inputs.items()},
                opset,
            )
    except NotExportableError as error:
        return Outcome("refused", str(error))
    model = make_model(parts, opset)
    try:
        load_onnx().checker.check_model(model, full_check=True)
    except Exception as error:  # noqa: BLE001 - the outcome is reported
        return Outcome("broken", str(error))
    wanted = {value.name: inputs[value.name] for value, _ in parts.inputs}
    return compare(model, wanted, expected_results(sample, node), sample)


class _Slot(NamedTuple):
    name: str


def _slots(op, arrays):
    if op.variadic:
        return [_Slot(f"arg{index}") for index in range(len(arrays))]
    return op.inputs


def make_node(sample: Sample) -> Node:
    """Returns the node of a sample, which reads variables named as the inputs of the operator."""
    op = get_op(sample.op)
    attrs = {key: write(value) for key, value in sample.attrs.items()}
    arrays = sample.make_inputs()
    slots = [
        slot.name
        for slot, array in zip(_slots(op, arrays), arrays, strict=False)
        if array is not None
    ]
    node = Node(op, "call", attrs)
    if not op.variadic:
        slots = [name for name in node.input_names if name in slots]
    node.inputs = [Entry(Node(None, name)) for name in slots]
    return node


def expected_results(sample: Sample, node: Node) -> list[np.ndarray]:
    """Computes what the kernel returns in prediction."""
    op = get_op(sample.op)
    tensors = [None if array is None else torch.tensor(array) for array in sample.make_inputs()]
    available = {"training": False, "generator": None, "device": torch.device("cpu")}
    supplied = {name: available[name] for name in op.supplied}
    results = as_tuple(op.kernel(*tensors, **node.parsed, **supplied))
    return [item.detach().numpy() for item in results[: node.num_outputs]]


def compare(model, inputs, expected, sample) -> Outcome:
    """Runs a model and compares its outputs."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        outputs = session.run(None, inputs)
    except Exception as error:  # noqa: BLE001 - the outcome is reported
        return Outcome("unsupported", str(error))
    for output, wanted in zip(outputs, expected, strict=True):
        if output.shape != wanted.shape or output.dtype != wanted.dtype:
            return Outcome(
                "different", f"{output.dtype}{output.shape} instead of {wanted.dtype}{wanted.shape}"
            )
        half = output.dtype == np.float16
        rtol, atol = (2e-2, 2e-3) if half else (TOLERANCE, TOLERANCE)
        if not sample.random and not np.allclose(output, wanted, rtol, atol, equal_nan=True):
            return Outcome("different", "values")
    return Outcome("equal")
