"""Writes what converters have built as a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from mxnet._formats.files import write_atomically
from mxnet._version import PRODUCT_VERSION
from mxnet.errors import MXNetError
from mxnet.onnx._export.builder import Builder, NodeRecord, Subgraph, Value, onnx_type
from mxnet.onnx._package import load_onnx
from mxnet.ops.core.attrs import UNKNOWN

OpenShape: TypeAlias = Sequence[int | str | None]

MOST_BYTES = 2**31 - 2**24
"""Bytes of parameters in one file; a message of protobuf has less than 2 GB."""


@dataclass(frozen=True, slots=True)
class ModelParts:
    """All that a file is made of.

    Attributes:
        builder: Has nodes and constants.
        inputs: Inputs with their shapes, in which lengths may be open.
        outputs: Outputs.
    """

    builder: Builder
    inputs: Sequence[tuple[Value, OpenShape]]
    outputs: Sequence[Value]

    @property
    def nodes(self) -> Sequence[NodeRecord]:
        """The nodes."""
        return self.builder.nodes


def write_model(
    parts: ModelParts,
    path: str,
    opset: int,
    *,
    run_shape_inference: bool = False,
    apart: bool = False,
) -> None:
    """Checks a model and writes it; what is refused leaves no file.

    Args:
        parts: What it consists of.
        path: The file.
        opset: Version of ONNX's operators.
        run_shape_inference: Whether it gets the shapes of all values.
        apart: Whether parameters go to a file of their own, however small they are.

    Raises:
        MXNetError: if the package `onnx` finds a mistake in it.
    """
    onnx = load_onnx()
    model = make_model(parts, opset)
    size = sum(len(item.raw_data) for item in model.graph.initializer)
    try:
        if apart or size > MOST_BYTES:
            _write_with_data(model, path)
            onnx.checker.check_model(path)
            return
        if run_shape_inference:
            model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
        content = model.SerializeToString()
        onnx.checker.check_model(content, full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        raise MXNetError(f"export_model: onnx refuses what was made for {path}: {error}") from error
    write_atomically(path, [content])


def _write_with_data(model: Any, path: str) -> None:
    """Writes a model and, beside it, its parameters."""
    data = f"{path}.data"
    if os.path.exists(data):
        os.remove(data)  # onnx would append to it
    load_onnx().save_model(
        model,
        path,
        save_as_external_data=True,
        all_tensors_to_one_file=True,
        location=os.path.basename(data),
        size_threshold=0,
    )


def make_model(parts: ModelParts, opset: int) -> Any:
    """Returns the model as a message of protobuf."""
    onnx = load_onnx()
    helper = onnx.helper
    used = _used_names(parts)
    constants = [
        onnx.numpy_helper.from_array(array, name)
        for name, array in parts.builder.constants.items()
        if name in used
    ]
    graph = helper.make_graph(
        [_make_node(node) for node in parts.nodes],
        "mxnet",
        [_describe(value, shape) for value, shape in parts.inputs],
        [_describe(value, _open_shape(value)) for value in parts.outputs],
        constants,
    )
    opsets = [helper.make_opsetid("", opset)]
    model = helper.make_model(
        graph,
        opset_imports=opsets,
        ir_version=helper.find_min_ir_version_for(opsets),
        producer_name="glueball",
        producer_version=PRODUCT_VERSION,
    )
    if any(value.shape is None for value in parts.outputs):
        # A file must say how many axes an output has, and onnx may find out what we do not know.
        model = onnx.shape_inference.infer_shapes(model)
    return model


def _used_names(parts: ModelParts) -> set[str]:
    """Returns the names of values that something reads."""
    used = {value.name for value in parts.outputs}
    waiting = list(parts.nodes)
    while waiting:
        node = waiting.pop()
        used.update(node.inputs)
        for attr in node.attrs.values():
            if isinstance(attr, Subgraph):
                waiting.extend(attr.nodes)
                used.update(value.name for value in attr.outputs)
    return used


def _open_shape(value: Value) -> OpenShape | None:
    if value.shape is None:
        return None
    return [None if length == UNKNOWN else length for length in value.shape]


def _describe(value: Value, shape: OpenShape | None) -> Any:
    return load_onnx().helper.make_tensor_value_info(value.name, onnx_type(value.dtype), shape)


def _make_node(node: NodeRecord) -> Any:
    helper = load_onnx().helper
    attrs = {name: _make_attr(value) for name, value in node.attrs.items()}
    return helper.make_node(node.op_type, node.inputs, node.outputs, name=node.name, **attrs)


def _make_attr(value: Any) -> Any:
    if not isinstance(value, Subgraph):
        return value
    return load_onnx().helper.make_graph(
        [_make_node(node) for node in value.nodes],
        "body",
        [_describe(item, _open_shape(item)) for item in value.inputs],
        [_describe(item, _open_shape(item)) for item in value.outputs],
    )
