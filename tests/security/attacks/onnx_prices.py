"""Hostile ONNX files: work whose price is kept small, or that is done before it is paid for.

A length of zero makes every product of a shape zero, though arrays along the other axes are not
empty; lists of a million axes are read before there is an array of so many; empty messages take a
hundred times as much memory as they do bytes of a file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto
from onnx.helper import (
    make_empty_tensor_value_info,
    make_function,
    make_graph,
    make_node,
    make_opsetid,
    make_tensor_value_info,
)

import mxnet as mx
from tests.onnx.models import FLOAT, INT, floats, make_model, node
from tests.security.attack import Attacks
from tests.security.attacks.onnx_files import load
from tests.security.attacks.onnx_growth import COPY, field, loop, looped

TABLE = Attacks()
_MANY = 300_000


def model(
    nodes: list[Any], inputs: Any, constants: Any = (), opset: int = 17, empty: Any = ()
) -> Any:
    """Returns a model whose output is `y`; lengths of the tensors `empty` are zero."""
    made = make_model(nodes, inputs, ["y"], dict(constants))
    del made.opset_import[:]
    made.opset_import.extend([make_opsetid("", opset), make_opsetid("own", 1)])
    for name, shape in dict(empty).items():
        made.graph.initializer.append(TensorProto(name=name, data_type=FLOAT, dims=shape))
    return made


def resize_by_a_tiny_scale() -> Any:
    made = make_node("Resize", ["x", "", "s"], ["y"], mode="linear", antialias=1)
    scales = {"s": np.array([1, 1, 4e-9, 1], np.float32)}
    return model([made], {"x": (1, 1, 1 << 24, 4)}, scales, 18)


def resize_of_a_long_axis() -> Any:
    made = make_node("Resize", ["x", "", "", "s"], ["y"], mode="cubic", antialias=1)
    return model([made], {"x": (1, 1, 4, 1 << 24)}, {"s": np.array([1, 1, 4, 1])}, 18)


def resize_of_one_axis_many_times() -> Any:
    made = make_node("Resize", ["x", "", "", "s"], ["y"], mode="linear", axes=[3] * 20_000)
    return model([made], {"x": (1, 1, 4, 4)}, {"s": np.full(20_000, 5)}, 18)


def gather_elements_of_nothing() -> Any:
    made = node("GatherElements", "x i", "y", axis=0)
    return model([made], {"x": (4, 4), "i": (0, 1 << 28)})


def scatter_elements_of_nothing() -> Any:
    made = node("ScatterElements", "x i u", "y", axis=0)
    return model([made], {"x": (4, 4), "i": (0, 1 << 28), "u": (0, 1 << 28)})


def gather_in_other_batches() -> Any:
    made = node("GatherND", "x i", "y", batch_dims=1)
    return model([made], {"x": (1 << 28, 4), "i": (4, 1)})


def more_groups_than_channels() -> Any:
    made = node("GroupNormalization", "x s s", "y", num_groups=1 << 29)
    return model([made], {"x": (1, 4, 4)}, {"s": floats(4)}, 21)


def sum_of_nothing() -> Any:
    made = node("ReduceSum", "z a", "y")
    return model([made], {"x": (4,)}, {"a": np.array([0])}, empty={"z": (0, 1 << 28)})


def sum_of_nothing_without_its_axis() -> Any:
    made = node("ReduceSum", "z a", "y", keepdims=0)
    return model([made], {"x": (4,)}, {"a": np.array([0])}, empty={"z": (0, 1 << 28)})


def triangle_of_nothing() -> Any:
    return model([node("Trilu", "z", "y")], {"x": (4,)}, empty={"z": (0, 1 << 16, 60_000)})


def constant_of_many_axes() -> Any:
    made = node("ConstantOfShape", "s", "y")
    return model([made], {"x": (4, 4)}, {"s": np.full(_MANY, 2**62)})


def tile_along_many_axes() -> Any:
    return model([node("Tile", "x s", "y")], {"x": (4, 4)}, {"s": np.full(_MANY, 2**62)})


def tile_of_a_constant_along_many_axes() -> Any:
    constants = {"s": np.full(_MANY, 2**62), "c": floats(2)}
    return model([node("Tile", "c s", "y")], {"x": (4, 4)}, constants)


def unsqueeze_of_many_axes() -> Any:
    return model([node("Unsqueeze", "x a", "y")], {"x": (4, 4)}, {"a": np.arange(600_000)})


def split_into_many() -> Any:
    count = 120_000
    made = make_node("Split", ["x"], ["y", *[f"y{k}" for k in range(1, count)]])
    return model([made], {"x": (count, 4)})


def largest_of_many_scalars() -> Any:
    made = make_node("Max", ["c"] + ["k"] * 40_000, ["y"])
    constants = {"s": np.array([1 << 20]), "k": floats(1).reshape(())}
    return model([node("ConstantOfShape", "s", "c"), made], {"x": (4,)}, constants)


def many_directions() -> Any:
    made = node("RNN", "x W R", "y", hidden_size=1)
    weights = {"W": floats(600_000, 1, 1), "R": floats(600_000, 1, 1)}
    return model([made], {"x": (2, 2, 1)}, weights)


def rounds(inputs: list[Any], outputs: list[Any], given: list[str], results: list[str]) -> Any:
    """Returns a loop of 100,000 rounds whose body has no nodes."""
    first = [
        make_tensor_value_info("i", INT, []),
        make_tensor_value_info("c", TensorProto.BOOL, []),
    ]
    body = make_graph([], "body", [*first, *inputs], outputs)
    made = make_node("Loop", ["n", "t", *given], results, body=body)
    return model([made], {"x": (4, 4)}, {"n": np.array(100_000), "t": np.array(True)})


def loop_with_an_output_many_times() -> Any:
    return rounds([], [make_empty_tensor_value_info("c")] * 100_000, [], ["y"])


def loop_that_carries_many() -> Any:
    names = [f"v{k}" for k in range(3000)]
    inputs = [make_tensor_value_info(name, FLOAT, None) for name in names]
    outputs = [make_empty_tensor_value_info(name) for name in ["c", *names]]
    return rounds(inputs, outputs, ["x"] * len(names), ["y", *[f"y{k}" for k in range(1, 3000)]])


def loop_of_a_node_with_many_attributes() -> Any:
    attrs = {f"a{number}": number for number in range(50_000)}
    body = [make_node("Relu", ["before"], ["after"], **attrs)]
    return looped([loop("y", "count", body, "x")], "y")


def loop_around_a_body_with_many_tensors() -> Any:
    tensors = {f"w{number}": np.array(1) for number in range(50_000)}
    inner = loop("after", "none", COPY, "before", tensors)
    return looped([loop("y", "count", [inner], "x")], "y", tensors={"none": np.array(0)})


def calls(function: Any, count: int) -> Any:
    names = ["y", *[f"y{k}" for k in range(1, count)]]
    made = model([make_node("F", ["x"], [name], domain="own") for name in names], {"x": (4, 4)})
    made.functions.append(function)
    return made


def function_with_an_output_many_times() -> Any:
    nodes, opsets = [node("Relu", "a", "q")], [make_opsetid("", 17)]
    return calls(make_function("own", "F", ["a"], ["a"] * 100_000, nodes, opsets), 10_000)


def function_with_many_outputs() -> Any:
    """All of them are parts of one array, in every call."""
    outputs, opsets = [f"q{k}" for k in range(50_000)], [make_opsetid("", 17)]
    nodes = [make_node("Split", ["a"], outputs, axis=0)]
    return calls(make_function("own", "F", ["a"], outputs, nodes, opsets), 10_000)


def function_with_many_opsets() -> Any:
    opsets = [make_opsetid("", 17), *[make_opsetid("d", 1)] * 100_000]
    return calls(make_function("own", "F", ["a"], ["q"], [node("Relu", "a", "q")], opsets), 3000)


def function_with_many_attributes() -> Any:
    nodes, opsets = [node("Relu", "a", "q")], [make_opsetid("", 17)]
    function = make_function("own", "F", ["a"], ["q"], nodes, opsets)
    for number in range(60_000):
        function.attribute_proto.add(name=f"a{number}", type=2, i=1)
    return calls(function, 3000)


def empty_messages(number: int, count: int = 12_000_000) -> Any:
    """Returns a graph of fields that are messages of no bytes."""
    return field(7, bytes([number << 3 | 2, 0]) * count)


def empty_dimensions() -> Any:
    """An input with a shape of ten million axes, in messages that are inside of five others."""
    shape = field(2, field(1, b"") * 10_000_000)
    return field(7, field(11, field(1, b"x") + field(2, field(1, b"\x08\x01" + shape))))


def empty_graphs_of_an_attribute() -> Any:
    attribute = field(1, b"then_branch") + field(11, b"") * 10_000_000
    return field(7, field(1, field(5, attribute)))


CASES = [
    resize_by_a_tiny_scale,
    resize_of_a_long_axis,
    resize_of_one_axis_many_times,
    gather_elements_of_nothing,
    scatter_elements_of_nothing,
    gather_in_other_batches,
    more_groups_than_channels,
    sum_of_nothing,
    sum_of_nothing_without_its_axis,
    triangle_of_nothing,
    constant_of_many_axes,
    tile_along_many_axes,
    tile_of_a_constant_along_many_axes,
    unsqueeze_of_many_axes,
    split_into_many,
    largest_of_many_scalars,
    many_directions,
    loop_with_an_output_many_times,
    loop_that_carries_many,
    loop_of_a_node_with_many_attributes,
    loop_around_a_body_with_many_tensors,
    function_with_an_output_many_times,
    function_with_many_outputs,
    function_with_many_opsets,
    function_with_many_attributes,
]
TABLE.add_each(
    "prices",
    [(case.__name__, case) for case in CASES],
    lambda folder, case: load(folder, case()),
    harmless=True,
)
DEEP = [("dimensions", empty_dimensions), ("graphs_of_an_attribute", empty_graphs_of_an_attribute)]
TABLE.add_each("empty", DEEP, lambda folder, case: load(folder, case()), names="graph_nodes")
MESSAGES = [("nodes", 1), ("tensors", 5), ("inputs", 11), ("outputs", 12), ("values", 13)]
TABLE.add_each(
    "empty",
    MESSAGES,
    lambda folder, number: load(folder, empty_messages(number)),
    names="graph_nodes",
)


@TABLE.add(names="graph_nodes")
def empty_messages_for_the_metadata(folder: Path) -> None:
    (folder / "net.onnx").write_bytes(empty_messages(5))
    mx.onnx.get_model_metadata(str(folder / "net.onnx"))


@TABLE.add(names="net.onnx")
def link_to_itself(folder: Path) -> None:
    (folder / "net.onnx").symlink_to("net.onnx")
    mx.onnx.import_model(str(folder / "net.onnx"))


@TABLE.add(names="are not the sizes of 1001 parts")
def parts_that_overlap(folder: Path) -> None:
    """Sizes that go back and forth, of which each second part is the whole constant."""
    made = make_node("Split", ["c", "s"], ["y", *[f"y{k}" for k in range(1, 1001)]])
    sizes = np.array([1000, -1000] * 500 + [1000])
    load(folder, model([made], {"x": (4,)}, {"c": floats(1000), "s": sizes}))
