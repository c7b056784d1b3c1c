"""Hostile ONNX files: graphs that are not what they say, wrong attributes, tensors elsewhere."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto
from onnx.helper import make_graph, make_node, make_opsetid, make_tensor_value_info

import mxnet as mx
from mxnet.onnx import get_model_metadata, import_model, import_to_gluon
from tests.onnx.models import FLOAT, INT, floats, make_model, node
from tests.security.attack import PAYLOAD, Attacks

TABLE = Attacks()


def write(folder: Path, model: Any) -> Path:
    path = folder / "net.onnx"
    path.write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
    return path


def load(folder: Path, model: Any) -> None:
    import_model(write(folder, model))


def one(op: str, inputs: list[str], constants: Any = (), opset: int = 17, **attrs: Any) -> Any:
    """Returns a model of one node, with an input `x` of shape `(1, 2, 4, 4)`."""
    made = make_node(op, inputs, ["y"], name="here", **attrs)
    return make_model([made], {"x": (1, 2, 4, 4)}, ["y"], constants, opset)


def untyped_input() -> Any:
    model = one("Relu", ["x"])
    model.graph.input[0].ClearField("type")
    return model


def sequence_input() -> Any:
    model = one("Relu", ["x"])
    kind = onnx.helper.make_tensor_type_proto(FLOAT, [1])
    model.graph.input[0].type.CopyFrom(onnx.helper.make_sequence_type_proto(kind))
    return model


def many_axes() -> Any:
    return make_model([node("Size", "x", "y")], {"x": (2**40,) * 5000}, ["y"])


def without(model: Any, *fields: str) -> Any:
    """Returns a model whose first node lacks some fields."""
    for field in fields:
        model.graph.node[0].ClearField(field)
    return model


def untyped_text() -> Any:
    model = one("RegexFullMatch", ["x"], opset=20, pattern="a")
    model.graph.input[0].ClearField("type")
    return model


CRASHES = [
    # The inference of ONNX's library ended the process for these two.
    ("text_that_is_left_out", lambda: one("RegexFullMatch", [""], opset=20, pattern="a")),
    ("text_without_a_type", untyped_text),
    ("reshape_without_data", lambda: one("Reshape", ["", "s"], {"s": np.array([2])})),
    ("conv_without_data", lambda: one("Conv", ["", "w"], {"w": floats(2, 2, 1, 1)})),
    ("slice_without_starts", lambda: one("Slice", ["x", "", ""])),
    ("gather_without_indices", lambda: one("Gather", ["x", ""])),
    ("topk_without_k", lambda: one("TopK", ["x", ""])),
    ("concat_of_nothing", lambda: one("Concat", [], axis=0)),
    ("concat_of_gaps", lambda: one("Concat", ["", ""], axis=0)),
    ("no_inputs_at_all", lambda: one("Add", [])),
    ("loop_without_body", lambda: one("Loop", ["", "", "x"])),
    ("if_without_branches", lambda: one("If", ["x"])),
    ("scan_without_body", lambda: one("Scan", ["x"], num_scan_inputs=1)),
    ("untyped_input", untyped_input),
    ("sequence_as_input", sequence_input),
    ("thousands_of_axes", many_axes),
    ("no_outputs", lambda: without(one("Relu", ["x"]), "output")),
    ("no_operator", lambda: without(one("Relu", ["x"]), "op_type")),
]
TABLE.add_each("crash", CRASHES, lambda folder, case: load(folder, case()))


def typed_wrongly() -> Any:
    model = one("Transpose", ["x"], perm=[0, 1, 2, 3])
    model.graph.node[0].attribute[0].type = onnx.AttributeProto.TENSOR
    return model


def attribute_twice() -> Any:
    model = one("Softmax", ["x"], axis=1)
    model.graph.node[0].attribute.add().CopyFrom(model.graph.node[0].attribute[0])
    return model


def reference_outside() -> Any:
    model = one("Softmax", ["x"], axis=1)
    model.graph.node[0].attribute[0].ref_attr_name = "axis"
    return model


def sparse_attribute() -> Any:
    model = one("Constant", [])
    item = model.graph.node[0].attribute.add(name="sparse_value")
    item.type = onnx.AttributeProto.SPARSE_TENSOR
    item.sparse_tensor.dims.extend([2**40])
    return model


ATTRIBUTES = [
    ("type_that_lies", typed_wrongly),
    ("twice", attribute_twice),
    ("reference_outside_of_functions", reference_outside),
    ("sparse", sparse_attribute),
    ("required_one_is_missing", lambda: one("Cast", ["x"])),
    ("text_for_number", lambda: one("LeakyRelu", ["x"], alpha="much")),
    ("type_of_no_elements", lambda: one("Cast", ["x"], to=-7)),
    ("huge_type_of_elements", lambda: one("Cast", ["x"], to=2**62)),
    ("groups_of_zero", lambda: one("Conv", ["x", "w"], {"w": floats(2, 2, 1, 1)}, group=0)),
    ("stride_zero", lambda: one("MaxPool", ["x"], kernel_shape=[1, 1], strides=[0, 0])),
    ("norm_zero", lambda: one("GlobalLpPool", ["x"], p=0)),
    ("weights_without_axes", lambda: one("Conv", ["x", "w"], {"w": floats(1)})),
    (
        "resize_of_no_rows",
        lambda: one("Resize", ["c", "", "", "s"], {"c": floats(1, 1, 0, 2), "s": np.arange(1, 5)}),
    ),
    (
        "align_corners_of_one",
        lambda: one(
            "Resize",
            ["c", "", "s"],
            {"c": floats(1, 1, 1, 2), "s": np.float32([1, 1, 1.5, 1])},
            mode="linear",
            coordinate_transformation_mode="nonsense",
        ),
    ),
]
TABLE.add_each("attribute", ATTRIBUTES, lambda folder, case: load(folder, case()), names="net.onnx")


RUN = [
    ("split_into_none", lambda: one("Split", ["x"], opset=18, num_outputs=0)),
    ("block_of_zero", lambda: one("DepthToSpace", ["x"], blocksize=0)),
    ("negative_block", lambda: one("SpaceToDepth", ["x"], blocksize=-(2**62))),
    (
        "transposed_to_nothing",
        lambda: one("ConvTranspose", ["x", "w"], {"w": floats(2, 2, 1, 1)}, strides=[0, -1]),
    ),
    ("order_of_axes", lambda: one("Transpose", ["x"], perm=[0, 0, 9, -1])),
]


def run(_: Path, case: Any) -> None:
    """Imports a model, whose shapes may not have been asked for, and runs it."""
    import_to_gluon(case().SerializeToString())(mx.nd.ones((1, 2, 4, 4))).wait_to_read()


TABLE.add_each("run", RUN, run, harmless=True)


def defined_twice() -> Any:
    return make_model([node("Relu", "x", "y"), node("Neg", "x", "y")], {"x": (2,)}, ["y"])


def tensor_twice() -> Any:
    model = make_model([node("Add", "x w", "y")], {"x": (2,)}, ["y"], {"w": floats(2)})
    model.graph.initializer.append(onnx.numpy_helper.from_array(floats(2, seed=1), "w"))
    return model


def out_of_order() -> Any:
    nodes = [node("Neg", "b", "y"), node("Relu", "x", "b")]
    return make_model(nodes, {"x": (2,)}, ["y"])


def inner(nodes: list[Any], output: str) -> Any:
    return make_graph(nodes, "inner", [], [make_tensor_value_info(output, FLOAT, None)])


def leaks_out_of_a_branch() -> Any:
    branch = inner([node("Relu", "x", "secret")], "secret")
    nodes = [
        node("If", "c", "z", then_branch=branch, else_branch=branch),
        node("Neg", "secret", "y"),
    ]
    return make_model(nodes, {"x": (2,)}, ["y"], {"c": np.array(True)})


def hidden_in_a_dead_branch() -> Any:
    live = inner([node("Relu", "x", "a")], "a")
    dead = inner([make_node("Reshape", ["", ""], ["a"])], "a")
    made = node("If", "c", "y", then_branch=live, else_branch=dead)
    return make_model([made], {"x": (2,)}, ["y"], {"c": np.array(True)})


def hidden_in_a_function() -> Any:
    model = make_model([make_node("F", ["x"], ["y"], domain="own")], {"x": (2,)}, ["y"])
    opsets = [make_opsetid("", 17), make_opsetid("own", 1)]
    body = [make_node("Conv", ["", "a"], ["b"])]
    model.functions.append(onnx.helper.make_function("own", "F", ["a"], ["b"], body, opsets))
    model.opset_import.append(opsets[1])
    return model


def function_of_other_arity() -> Any:
    model = hidden_in_a_function()
    model.functions[0].node[0].CopyFrom(make_node("Relu", ["a"], ["b"]))
    model.graph.node[0].input.extend(["x", "x"])
    return model


def two_functions_of_a_name() -> Any:
    model = hidden_in_a_function()
    model.functions.append(model.functions[0])
    return model


def long_names() -> Any:
    name = "n" * 10**6
    made = make_node("Frobnicate", ["x"], [name], name=name)
    return make_model([made], {"x": (2,)}, [name])


def no_name_for_a_result() -> Any:
    model = make_model([node("Relu", "x", "y")], {"x": (2,)}, ["y"])
    model.graph.input[0].name = ""
    return model


GRAPHS = [
    ("result_defined_twice", defined_twice),
    ("tensor_defined_twice", tensor_twice),
    ("nodes_out_of_order", out_of_order),
    ("result_of_a_branch_outside", leaks_out_of_a_branch),
    ("wrong_node_in_a_dead_branch", hidden_in_a_dead_branch),
    ("wrong_node_in_a_function", hidden_in_a_function),
    ("function_of_other_arity", function_of_other_arity),
    ("two_functions_of_a_name", two_functions_of_a_name),
    ("names_of_a_megabyte", long_names),
    ("input_without_a_name", no_name_for_a_result),
    ("deep_garbage", lambda: b"\x3a\xff\xff\xff\xff\x0f" + b"\x0a" * 1000),
    ("groups_without_end", lambda: b"\x3b" * 10**6),
]
TABLE.add_each("graph", GRAPHS, lambda folder, case: load(folder, case()))


def external(folder: Path, entries: dict[str, str]) -> None:
    model = make_model([node("Add", "x w", "y")], {"x": (2,)}, ["y"], {"w": floats(2)})
    (tensor,) = model.graph.initializer
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=value)
    (folder / "w.bin").write_bytes(bytes(8))
    load(folder, model)


EXTERNAL = [
    ("null_byte", {"location": "w.bin\0"}),
    ("long_name", {"location": "w" * 5000}),
    ("folder", {"location": "."}),
    ("length_that_lies", {"location": "w.bin", "length": "4"}),
    ("offset_of_many_digits", {"location": "w.bin", "offset": "9" * 5000}),
    ("offset_beyond", {"location": "w.bin", "offset": str(2**63)}),
    ("surrogate", {"location": "..\\..\\w.bin"}),
    ("home", {"location": "~/w.bin"}),
    ("variable", {"location": "$HOME/w.bin"}),
]
TABLE.add_each("external", EXTERNAL, external, names="tensor 'w'")


@TABLE.add(names="tensor 'w'")
def external_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    external(folder, {"location": "pipe"})


@TABLE.add(names="tensor 'w'")
def external_ring_of_links(folder: Path) -> None:
    os.symlink("b", folder / "a")
    os.symlink("a", folder / "b")
    external(folder, {"location": "a"})


@TABLE.add(names="pipe.onnx")
def model_in_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe.onnx")
    import_model(folder / "pipe.onnx")


@TABLE.add(names="folder")
def model_is_a_folder(folder: Path) -> None:
    (folder / "folder").mkdir()
    import_model(folder / "folder")


@TABLE.add
def metadata_of_lies(folder: Path) -> None:
    model = one("Relu", ["x"])
    model.graph.input[0].type.tensor_type.elem_type = -5
    get_model_metadata(write(folder, model))


@TABLE.add(harmless=True)
def names_that_are_programs(folder: Path) -> None:
    names = [f"{PAYLOAD}#{number}" for number in range(3)]
    nodes = [make_node("Add", names[:2], [names[2]], name=PAYLOAD)]
    model = make_model(nodes, {names[0]: (2,)}, [names[2]], {names[1]: floats(2)})
    import_to_gluon(write(folder, model))


@TABLE.add(harmless=True)
def shapes_that_lie(folder: Path) -> None:
    """What a file says of a result must not change what it is."""
    nodes = [node("Relu", "x", "a"), node("Shape", "a", "y")]
    model = make_model(nodes, {"x": (2, 3)}, ["y"])
    model.graph.value_info.append(make_tensor_value_info("a", INT, [7, 7, 7]))
    result, parameters, _ = import_model(write(folder, model))
    (name,) = result.list_arguments()
    assert parameters[name].asnumpy().tolist() == [2, 3]
