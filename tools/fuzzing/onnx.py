"""ONNX files: operators of ONNX's own tests and real networks, changed as trees of messages.

Models are joined, put into branches, loops and functions, get constants in place of inputs, open
lengths and tensors in other files. Then some fields of some messages are wrong.
"""

from __future__ import annotations

import functools
import random
import warnings
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx.backend.test.case.node import collect_testcases

import mxnet as mx
from mxnet.onnx._table import IMPORTS
from tools.fuzzing.mutation import NUMBERS, TEXTS, Format, Mutator

Message = Any
GOLDEN = Path(__file__).parents[2] / "tests" / "golden" / "onnx"
LARGEST = 6000
"""Bytes of a model that is changed; larger ones say the same more slowly."""
SMALL = {"import_nodes": 2000, "import_elements": 1 << 22, "import_bytes": 1 << 26}
"""Limits under which most files are read, as reaching them takes long."""
LARGE = {"import_nodes": 10_000}
"""Limits of the others; ten seconds are short for more on a machine that has other work."""
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-45, 1e38, float("inf"), float("-inf"), float("nan")]
BESIDE = "weights.bin"
TYPES = {*range(1, 8), *range(9, 14), 16}
"""Numbers of the element types that arrays of this package have."""
NAMES = {"name", "input", "output", "op_type", "domain", "version", "elem_type", "data_type"}
"""Fields that are seldom changed, as a file is refused for most changes before it is imported."""


@functools.cache
def _seeds() -> list[tuple[bytes, dict[str, np.ndarray]]]:
    """Returns models and arrays for their inputs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    seeds = []
    for case in cases:
        if case.model is None or case.model.ByteSize() > LARGEST or not case.data_sets:
            continue
        if not _is_importable(case.model.graph):
            continue  # refused, whatever else it has
        names = [item.name for item in case.model.graph.input]
        arrays = dict(zip(names, case.data_sets[0][0], strict=False))
        known = {k: v for k, v in arrays.items() if isinstance(v, np.ndarray) and v.size <= 4096}
        seeds.append((case.model.SerializeToString(), known))
    return seeds + [(model.SerializeToString(), {}) for model in _exported()]


def _is_importable(graph: Message) -> bool:
    """Returns whether operators and types of a model are such that there are converters for."""
    refused = ("Quantize", "Quant", "Sequence", "Optional", "Integer", "QLinear")
    names = [node.op_type for node in graph.node]
    kinds = [item.type.tensor_type.elem_type for item in (*graph.input, *graph.output)]
    return (
        all(name in IMPORTS and not any(word in name for word in refused) for name in names)
        and not any(node.domain for node in graph.node)
        and all(kind in TYPES for kind in kinds)
    )


def _exported() -> Iterator[Message]:
    """Yields networks of this package and of others, as exporters write them."""
    for path in sorted(GOLDEN.glob("*.onnx")):
        model = onnx.load(str(path))
        for tensor in model.graph.initializer:
            if len(tensor.raw_data) > LARGEST:  # its shape matters, not its elements
                del tensor.dims[:]
                tensor.raw_data = tensor.raw_data[:4]
        if model.ByteSize() <= 20 * LARGEST:
            yield model


def _seed(rng: random.Random) -> Message:
    """Makes one of the models, with constants in place of some of its inputs."""
    content, arrays = rng.choice(_seeds())
    model = onnx.ModelProto.FromString(content)
    share = rng.choice([0.0, 0.3, 0.6, 1.0])
    chosen = {name: array for name, array in arrays.items() if rng.random() < share}
    for place in reversed(range(len(model.graph.input))):
        name = model.graph.input[place].name
        if name in chosen:
            del model.graph.input[place]
            model.graph.initializer.append(onnx.numpy_helper.from_array(chosen[name], name))
    return model


def _rename(graph: Message, prefix: str) -> None:
    """Puts a word before all names of a graph, those of inner graphs included."""
    for item in (*graph.input, *graph.output, *graph.value_info, *graph.initializer):
        item.name = prefix + item.name
    for node in graph.node:
        for names in (node.input, node.output):
            names[:] = [name and prefix + name for name in names]
        for attribute in node.attribute:
            if attribute.HasField("g"):
                _rename(attribute.g, prefix)


def _join(rng: random.Random, model: Message, other: Message, prefix: str) -> None:
    """Appends a model, which reads some results of the first in place of its inputs."""
    _rename(other.graph, prefix)
    results = [name for node in model.graph.node for name in node.output if name]
    for item in other.graph.input:
        if results and rng.random() < 0.7:
            model.graph.node.add(
                op_type="Identity", input=[rng.choice(results)], output=[item.name]
            )
        else:
            model.graph.input.append(item)
    for part in ("node", "initializer", "value_info", "output"):
        getattr(model.graph, part).extend(getattr(other.graph, part))
    versions = [item.version for item in (*model.opset_import, *other.opset_import)]
    for item in model.opset_import:
        item.version = max(versions, default=17) if not item.domain else item.version


def _take_body(model: Message) -> Message:
    """Takes nodes and tensors out of a model, as a graph of their own."""
    body = onnx.GraphProto(name="body")
    for part in ("node", "initializer", "value_info", "output"):
        getattr(body, part).extend(getattr(model.graph, part))
    del model.graph.node[:], model.graph.initializer[:]
    return body


def _add_constant(model: Message, name: str, value: Any, dtype: str) -> None:
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.array(value, dtype), name))


def _into_branch(rng: random.Random, model: Message) -> None:
    body = _take_body(model)
    if rng.random() < 0.7:
        _add_constant(model, "condition", rng.random() < 0.5, "bool")
    else:
        info = onnx.helper.make_tensor_value_info("condition", onnx.TensorProto.BOOL, [])
        model.graph.input.append(info)
    node = onnx.helper.make_node(
        "If", ["condition"], [item.name for item in body.output], then_branch=body, else_branch=body
    )
    model.graph.node.append(node)


def _into_loop(rng: random.Random, model: Message) -> None:
    body = _take_body(model)
    for name, kind in (("round", onnx.TensorProto.INT64), ("go", onnx.TensorProto.BOOL)):
        body.input.append(onnx.helper.make_tensor_value_info(name, kind, []))
    body.output.insert(0, onnx.helper.make_tensor_value_info("still", onnx.TensorProto.BOOL, []))
    body.node.add(op_type="Identity", input=["go"], output=["still"])
    _add_constant(model, "count", rng.choice([0, 1, 2, 5, 1000, 2**40]), "int64")
    _add_constant(model, "first", True, "bool")
    outputs = [item.name for item in body.output][1:]
    model.graph.node.append(onnx.helper.make_node("Loop", ["count", "first"], outputs, body=body))


def _into_function(rng: random.Random, model: Message) -> None:
    body, domain = _take_body(model), rng.choice(["own", "own", ""])
    inputs = [item.name for item in (*model.graph.input, *body.initializer)]
    outputs = [item.name for item in body.output]
    name = rng.choice(["F", "F", "Relu"])
    opsets = [onnx.helper.make_opsetid(item.domain, item.version) for item in model.opset_import]
    function = onnx.helper.make_function(domain, name, inputs, outputs, body.node, opsets)
    model.functions.append(function)
    model.graph.initializer.extend(body.initializer)
    model.graph.node.append(onnx.helper.make_node(name, inputs, outputs, domain=domain))
    model.opset_import.append(onnx.helper.make_opsetid("own", 1))


def _open_lengths(rng: random.Random, model: Message) -> None:
    for item in model.graph.input:
        for dim in item.type.tensor_type.shape.dim:
            if rng.random() < 0.5:
                dim.dim_param = rng.choice(["N", "M", "N", ""])


def _write_external(rng: random.Random, model: Message) -> None:
    for tensor in model.graph.initializer:
        if rng.random() < 0.5:
            size = len(tensor.raw_data)
            tensor.ClearField("raw_data")
            tensor.data_location = onnx.TensorProto.EXTERNAL
            for key, value in (("location", BESIDE), ("offset", "0"), ("length", str(size))):
                tensor.external_data.add(key=key, value=value)


CHANGES: list[Callable[[random.Random, Message], None]] = [
    _into_branch, _into_loop, _into_function, _open_lengths, _open_lengths, _write_external,
]  # fmt: skip


def _pick(rng: random.Random, message: Message) -> tuple[Message, Any]:
    """Goes down from a message by chance, and returns a message and one of its fields."""
    while True:
        fields = message.ListFields()
        if not fields:
            return message, rng.choice(message.DESCRIPTOR.fields)
        field, value = rng.choice(fields)
        is_message = field.message_type is not None
        if not is_message or rng.random() < 0.1:
            return message, field
        message = rng.choice(value) if field.is_repeated else value


def _scalar(rng: random.Random, field: Any, names: list[str]) -> Any:
    """Returns a value for a field that is no message."""
    if field.enum_type is not None:
        return rng.choice(field.enum_type.values).number
    if field.cpp_type in (field.CPPTYPE_FLOAT, field.CPPTYPE_DOUBLE):
        return rng.choice(FLOATS)
    if field.cpp_type == field.CPPTYPE_STRING:
        text = (
            rng.choice([*TEXTS, *names]) if rng.random() < 0.5 or not names else rng.choice(names)
        )
        if field.type == field.TYPE_BYTES:
            return text.encode("utf-8", "surrogatepass")
        return text.encode("utf-8", "replace").decode()
    number = rng.choice([rng.choice(NUMBERS), rng.randrange(-3, 9)])
    bits = 32 if field.cpp_type in (field.CPPTYPE_INT32, field.CPPTYPE_UINT32) else 64
    number &= (1 << bits) - 1
    signed = field.cpp_type in (field.CPPTYPE_INT32, field.CPPTYPE_INT64)
    return number - (1 << bits) if signed and number >> (bits - 1) else number


def _change_list(rng: random.Random, values: Any, field: Any, names: list[str]) -> None:
    """Removes, repeats, exchanges or adds an item of a list."""
    way, place = rng.randrange(6), rng.randrange(len(values)) if len(values) else 0
    if field.message_type is not None:
        if way < 2 and len(values):
            del values[place]
        elif way < 4 and len(values):
            copy = type(values[place])()
            copy.CopyFrom(values[place])
            values.insert(rng.randrange(len(values) + 1), copy)
        elif way == 4 and len(values) > 1:
            values.insert(0, values.pop())
        else:
            values.add()
    elif way < 3 and len(values):
        values[place] = _scalar(rng, field, names)
    elif way < 4 and len(values):
        del values[place]
    elif way < 5:
        values.append(_scalar(rng, field, names))
    else:
        del values[:]


def _write_number(rng: random.Random, data: bytes) -> bytes:
    """Writes a number over one of some."""
    width = rng.choice([width for width in (1, 2, 4, 8) if len(data) % width == 0])
    place = width * rng.randrange(max(len(data) // width, 1))
    number = rng.choice([rng.choice(NUMBERS), rng.randrange(-3, 9)]) & ((1 << 8 * width) - 1)
    return (data[:place] + number.to_bytes(width, "little") + data[place + width :])[: len(data)]


def _mutate(rng: random.Random, model: Message, names: list[str]) -> None:
    """Makes one field of some message wrong."""
    parts = [model.graph, *model.graph.node, *model.graph.node, *model.graph.initializer]
    start = model if rng.random() < 0.05 else rng.choice(parts)
    message, field = _pick(rng, start)
    while field.name in NAMES and rng.random() < 0.8:
        message, field = _pick(rng, start)
    if field.name == "raw_data":
        message.raw_data = _write_number(rng, message.raw_data)
    elif field.is_repeated:
        _change_list(rng, getattr(message, field.name), field, names)
    elif field.message_type is not None or rng.random() < 0.1:
        message.ClearField(field.name)
    else:
        setattr(message, field.name, _scalar(rng, field, names))


def make(rng: random.Random) -> bytes:
    """Makes a changed file of a real model."""
    model = _seed(rng)
    for number in range(rng.choice([0, 0, 0, 1, 1, 2])):
        _join(rng, model, _seed(rng), f"q{number}")
    for change in rng.sample(CHANGES, rng.choice([0, 0, 1, 1, 2, 3])):
        change(rng, model)
    names = [name for node in model.graph.node for name in (*node.input, *node.output)]
    for _ in range(rng.choice([0, 1, 1, 1, 2, 4])):
        _mutate(rng, model, names)
    return Mutator(rng, rng.choice([0.0, 0.0, 0.02])).damage(model.SerializeToString())


def use(path: Path) -> None:
    """Imports a model; every error has to name the file."""
    (path.parent / BESIDE).write_bytes(bytes(4096))
    chance = zlib.crc32(path.read_bytes()) % 16
    try:
        with mx.limits.scope(**(LARGE if chance == 0 else SMALL)):
            if chance % 4 == 1:
                mx.onnx.import_to_gluon(path, mx.cpu())
            else:
                mx.onnx.import_model(path)
            mx.onnx.get_model_metadata(path)
    except mx.MXNetError as error:
        if path.name not in str(error):
            raise AssertionError(f"the message does not name the file: {error}") from error
        raise


FORMAT = Format("onnx", ".onnx", make, use)
