"""Shapes and element types that a file tells or that ONNX's own inference finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mxnet.errors import ArgumentValueError
from mxnet.onnx._import.lengths import Axis, Length
from mxnet.onnx._import.reader import ModelFile

_SMALL = 1024
"""Elements of a tensor that inference may want to read."""


class Facts(NamedTuple):
    """What is known of a tensor.

    Attributes:
        shape: Its lengths, None if their number is not known.
        dtype: Name of its element type.
    """

    shape: tuple[Axis, ...] | None = None
    dtype: str | None = None


def read_facts(file: ModelFile, info: Any) -> Facts:
    """Returns what a file says of a tensor.

    Args:
        file: The file.
        info: A `ValueInfoProto`.
    """
    if not info.type.HasField("tensor_type"):
        return Facts()
    tensor = info.type.tensor_type
    dtype = file.dtype_name(tensor.elem_type, f"value {info.name!r}") if tensor.elem_type else None
    if not tensor.HasField("shape"):
        return Facts(None, dtype)
    return Facts(tuple(_read_length(dim) for dim in tensor.shape.dim), dtype)


def _read_length(dim: Any) -> Axis:
    if dim.HasField("dim_value") and dim.dim_value >= 0:
        return int(dim.dim_value)
    return Length(str(dim.dim_param) or None)


def set_input_shapes(file: ModelFile, shapes: Mapping[str, Sequence[int]]) -> None:
    """Writes shapes that the caller gives into the inputs of a model.

    Raises:
        ArgumentValueError: There is no such input, or it has another number of axes.
    """
    inputs = {item.name: item for item in file.model.graph.input}
    for name, shape in shapes.items():
        if name not in inputs:
            known = ", ".join(map(repr, inputs))
            raise ArgumentValueError(f"import_model: no input {name!r}; there are {known}")
        tensor = inputs[name].type.tensor_type
        if tensor.HasField("shape") and len(tensor.shape.dim) != len(shape):
            raise ArgumentValueError(
                f"import_model: input {name!r} has {len(tensor.shape.dim)} axes, got {shape!r}"
            )
        tensor.ClearField("shape")
        for length in shape:
            tensor.shape.dim.add().dim_value = int(length)


def infer_facts(file: ModelFile) -> dict[str, Facts]:
    """Returns what is known of the tensors of a graph, as far as ONNX's inference finds it."""
    onnx, graph = file.onnx, file.model.graph
    light = onnx.ModelProto(ir_version=max(file.model.ir_version, 4))
    light.opset_import.extend(file.model.opset_import)
    light.graph.name = graph.name or "graph"
    for part in ("node", "input", "output", "value_info"):
        getattr(light.graph, part).extend(getattr(graph, part))
    inputs = {item.name for item in graph.input}
    for tensor in graph.initializer:
        count = 1
        for length in tensor.dims:
            count *= max(int(length), 0)
        if count <= _SMALL and tensor.data_location != onnx.TensorProto.EXTERNAL:
            light.graph.initializer.append(tensor)
        elif tensor.name not in inputs:
            # Weights take part by their shape; their elements are many.
            info = onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
            light.graph.input.append(info)
    try:
        # Without its propagation of data, which a few bytes can keep busy for ever; what is known
        # of data is computed here.
        inferred = onnx.shape_inference.infer_shapes(light).graph
    except Exception:  # noqa: BLE001 - what it raises is not documented; shapes are found otherwise
        inferred = light.graph
    facts: dict[str, Facts] = {}
    for item in (*inferred.value_info, *inferred.output, *inferred.input):
        facts[item.name] = _facts_or_none(file, item)
    return facts


def _facts_or_none(file: ModelFile, info: Any) -> Facts:
    try:
        return read_facts(file, info)
    except ValueError:  # a type of elements that only a node that is refused can have
        return Facts()
