"""Hostile ONNX files: few bytes that ask for much time, much memory or many digits."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto
from onnx.helper import make_function, make_graph, make_node, make_opsetid, make_tensor_value_info

from tests.onnx.models import FLOAT, INT, floats, make_model, node
from tests.security.attack import Attacks
from tests.security.attacks.onnx_files import load

TABLE = Attacks()
OPSETS = [make_opsetid("", 17), make_opsetid("own", 1)]


def loop(name: str, count: str, nodes: list[Any], before: str, tensors: Any = ()) -> Any:
    """Returns a loop that carries one value, which `nodes` compute as `after` from `before`."""
    body = make_graph(
        [node("Identity", "go", "still"), *nodes],
        "body",
        [
            make_tensor_value_info("number", INT, []),
            make_tensor_value_info("go", TensorProto.BOOL, []),
            make_tensor_value_info("before", FLOAT, [2]),
        ],
        [
            make_tensor_value_info("still", TensorProto.BOOL, []),
            make_tensor_value_info("after", FLOAT, [2]),
        ],
        [onnx.numpy_helper.from_array(array, key) for key, array in dict(tensors).items()],
    )
    return make_node("Loop", [count, "true", before], [name], body=body)


def looped(nodes: list[Any], output: str, rounds: int = 100_000, tensors: Any = ()) -> Any:
    constants = {"count": np.array(rounds), "true": np.array(True), **dict(tensors)}
    return make_model(nodes, {"x": (2,)}, [output], constants)


COPY = [node("Identity", "before", "after")]


def many_loops() -> Any:
    names = ["x", *[f"x{number}" for number in range(300)]]
    loops = [loop(new, "count", COPY, old) for old, new in itertools.pairwise(names)]
    return looped(loops, names[-1])


def loops_in_loops() -> Any:
    made = COPY
    for _ in range(8):
        made = [loop("after", "count", made, "before")]
    return looped([loop("y", "count", made, "x")], "y", 30)


def loop_with_weights() -> Any:
    """A tensor of a megabyte, in every round."""
    weights = onnx.numpy_helper.from_array(floats(1 << 18))
    body = [make_node("Constant", [], ["w"], value=weights), *COPY]
    return looped([loop("y", "count", body, "x")], "y", 50_000)


def loop_with_long_attribute() -> Any:
    body = [make_node("Constant", [], ["w"], value_ints=list(range(200_000))), *COPY]
    return looped([loop("y", "count", body, "x")], "y", 50_000)


def loop_of_wide_nodes() -> Any:
    wide = make_node("Concat", ["c"] * 20_000, ["w"], axis=0)
    body = [wide, *COPY]
    return looped([loop("y", "count", body, "x")], "y", 50_000, {"c": floats(1)})


def loop_with_long_names() -> Any:
    name = "n" * 10**6
    body = [make_node("Identity", ["before"], [name], name=name), node("Neg", "before", "after")]
    return looped([loop("y", "count", body, "x")], "y", 20_000)


def loop_with_long_texts() -> Any:
    body = [make_node("Relu", ["before"], ["after"], texts=["a" * 10**6] * 3)]
    return looped([loop("y", "count", body, "x")], "y", 20_000)


def body_that_never_runs() -> Any:
    """A large body inside of a loop, which is looked at in every round."""
    large = [node("Identity", "before", f"w{k}") for k in range(10_000)]
    inner = loop("w", "none", [*large, *COPY], "before")
    body = [inner, node("Identity", "before", "after")]
    return looped([loop("y", "count", body, "x")], "y", 20_000, {"none": np.array(0)})


def loop_that_stacks() -> Any:
    made = loop("y", "count", COPY, "x")
    made.attribute[0].g.output.append(make_tensor_value_info("after", FLOAT, [2]))
    made.output.append("rows")
    return looped([made], "rows")


def steps_of_a_cell() -> Any:
    shapes = {"w": floats(1, 8, 2), "r": floats(1, 8, 2)}
    attrs = {"hidden_size": 2, "clip": 1.0}
    nodes = [make_node("LSTM", ["x", "w", "r"], [f"y{k}"], **attrs) for k in range(50)]
    return make_model(nodes, {"x": (60_000, 1, 2)}, ["y0"], shapes)


def windows() -> Any:
    attrs = {"kernel_shape": [250, 250], "dilations": [2, 2]}
    nodes = [node("MaxPool", "x", f"y{k}", **attrs) for k in range(50)]
    return make_model(nodes, {"x": (1, 1, 600, 600)}, ["y0"])


ROUNDS = [
    ("many_loops", many_loops),
    ("loops_in_loops", loops_in_loops),
    ("tensor_in_every_round", loop_with_weights),
    ("long_attribute_in_every_round", loop_with_long_attribute),
    ("wide_node_in_every_round", loop_of_wide_nodes),
    ("long_names_in_every_round", loop_with_long_names),
    ("long_texts_in_every_round", loop_with_long_texts),
    ("body_that_never_runs", body_that_never_runs),
    ("rows_of_every_round", loop_that_stacks),
    ("steps_of_a_cell", steps_of_a_cell),
    ("points_of_windows", windows),
]
TABLE.add_each("rounds", ROUNDS, lambda folder, case: load(folder, case()), names="import_")


def function(name: str, nodes: list[Any]) -> Any:
    return make_function("own", name, ["a"], ["z"], nodes, OPSETS)


def call(name: str, source: str, target: str) -> Any:
    return make_node(name, [source], [target], domain="own")


def with_functions(functions: list[Any], first: str) -> Any:
    model = make_model([call(first, "x", "y")], {"x": (2,)}, ["y"])
    model.functions.extend(functions)
    model.opset_import.append(OPSETS[1])
    return model


def branching(nodes: list[Any], output: str) -> Any:
    branch = make_graph(nodes, "branch", [], [make_tensor_value_info(output, FLOAT, None)])
    other = make_graph([node("Identity", "c", output)], "other", [], branch.output)
    return make_node("If", ["c"], ["z"], then_branch=branch, else_branch=other)


def doubling(in_branches: bool) -> Any:
    functions = []
    for level in range(40):
        before = f"F{level - 1}" if level else "Relu"
        nodes = [make_node(before, [a], [b], domain="own" if level else "")
                 for a, b in (("a", "b"), ("b", "d"))]  # fmt: skip
        if in_branches:
            true = make_node("Constant", [], ["c"], value_int=1)
            cast = make_node("Cast", ["c"], ["t"], to=TensorProto.BOOL)
            choice = branching(nodes, "d")
            choice.input[0] = "t"
            functions.append(function(f"F{level}", [true, cast, choice]))
        else:
            nodes[1].output[0] = "z"
            functions.append(function(f"F{level}", nodes))
    return with_functions(functions, "F39")


def calls_itself() -> Any:
    return with_functions([function("F", [call("F", "a", "z")])], "F")


def calls_itself_in_a_branch() -> Any:
    true = make_node("Constant", [], ["i"], value_int=1)
    cast = make_node("Cast", ["i"], ["c"], to=TensorProto.BOOL)
    nodes = [true, cast, branching([call("F", "a", "b")], "b")]
    return with_functions([function("F", nodes)], "F")


def long_chain() -> Any:
    made = [function(f"F{k}", [call(f"F{k + 1}", "a", "z")]) for k in range(3000)]
    return with_functions([*made, function("F3000", [node("Relu", "a", "z")])], "F0")


def field(number: int, content: bytes) -> bytes:
    """Returns a message as a field of another one."""
    length, encoded = len(content), b""
    while length > 127:
        encoded += bytes([length & 127 | 128])
        length >>= 7
    return bytes([number << 3 | 2]) + encoded + bytes([length]) + content


def branches_in_branches() -> Any:
    """Graphs in graphs, in so many that no library makes them."""
    content = node("Relu", "x", "z").SerializeToString()
    for _ in range(1000):
        attribute = field(1, b"then_branch") + field(6, field(1, content))
        content = field(4, b"If") + field(1, b"c") + field(2, b"z") + field(5, attribute)
    return field(7, field(1, content))


FUNCTIONS = [
    ("doubling", lambda: doubling(False)),
    ("doubling_in_branches", lambda: doubling(True)),
    ("calling_itself", calls_itself),
    ("calling_itself_in_a_branch", calls_itself_in_a_branch),
    ("chain_of_thousands", long_chain),
    ("branches_in_branches", branches_in_branches),
]
TABLE.add_each("functions", FUNCTIONS, lambda folder, case: load(folder, case()))


def open_model(nodes: list[Any], constants: Any = ()) -> Any:
    """Returns a model that computes with the length `N` of its input, and with one of 3 before."""
    made = [node("Shape", "x", "s0"), *nodes, node("Expand", "x y", "z")]
    return make_model(made, {"x": (3, "N")}, ["z"], constants)


def powers() -> Any:
    nodes = [node("Pow", "s0 p", "y")]
    return open_model(nodes, {"p": np.array([10**10])})


def squares() -> Any:
    nodes = [node("Mul", f"s{k} s{k}", f"s{k + 1}") for k in range(60)]
    return open_model([*nodes, node("Identity", "s60", "y")])


def factors() -> Any:
    nodes = [node("Mul", f"s{k} f", f"s{k + 1}") for k in range(500)]
    return open_model([*nodes, node("Identity", "s500", "y")], {"f": np.array([2**62])})


def product_of_shapes() -> Any:
    nodes = [node("Concat", f"s{k} s{k}", f"s{k + 1}", axis=0) for k in range(22)]
    return open_model([*nodes, node("ReduceProd", "s22", "y", keepdims=1)])


DIGITS = [
    ("power", powers),
    ("squares", squares),
    ("factors", factors),
    ("product", product_of_shapes),
]
TABLE.add_each(
    "digits", DIGITS, lambda folder, case: load(folder, case()), names="net.onnx", harmless=True
)


def doubled_constants() -> Any:
    nodes = [node("Concat", f"c{k} c{k}", f"c{k + 1}", axis=0) for k in range(40)]
    nodes.append(node("Add", "c40 x", "y"))
    return make_model(nodes, {"x": (1,)}, ["y"], {"c0": floats(1 << 12)})


def wide_concat() -> Any:
    nodes = [make_node("Concat", ["c"] * 10_000, [f"y{k}"], axis=0) for k in range(10)]
    nodes.append(node("Add", "y0 x", "y"))
    return make_model(nodes, {"x": (1,)}, ["y"], {"c": floats(1 << 18)})


def sums_of_a_large_constant() -> Any:
    nodes = [node("ReduceSum", "c", f"y{k}") for k in range(4000)]
    nodes.append(node("Add", "y0 x", "y"))
    return make_model(nodes, {"x": (1,)}, ["y"], {"c": floats(1 << 20)})


def zero_step() -> Any:
    constants = {"a": np.array(0), "b": np.array(9), "d": np.array(0)}
    nodes = [node("Range", "a b d", "r"), node("Add", "r x", "y")]
    return make_model(nodes, {"x": (1,)}, ["y"], constants)


def split_of_many() -> Any:
    outputs = [f"p{k}" for k in range(4000)]
    nodes = [
        node("Shape", "x", "s"),
        make_node("Concat", ["s"] * 2000, ["long"], axis=0),
        make_node("Split", ["long"], outputs, axis=0),
        node("Expand", "x p0", "y"),
    ]
    return make_model(nodes, {"x": ("N", 3)}, ["y"])


FOLDING = [
    ("constants_that_double", doubled_constants),
    ("constant_many_times", wide_concat),
    ("sums_of_a_large_constant", sums_of_a_large_constant),
    ("range_by_zero", zero_step),
    ("parts_of_a_shape", split_of_many),
]
TABLE.add_each("folding", FOLDING, lambda folder, case: load(folder, case()), harmless=True)


@TABLE.add(names="import_bytes")
def one_external_file_many_times(folder: Path) -> None:
    """3,000 tensors in the same megabyte."""
    (folder / "w.bin").write_bytes(bytes(1 << 20))
    nodes = [make_node("Sum", [f"w{k}" for k in range(3000)], ["y"])]
    model = make_model(nodes, {}, ["y"])
    for number in range(3000):
        tensor = TensorProto(name=f"w{number}", data_type=FLOAT, dims=[1 << 18])
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="w.bin")
        model.graph.initializer.append(tensor)
    load(folder, model)


@TABLE.add(names="import_bytes")
def one_state_many_times(folder: Path) -> None:
    """2,000 normalizations with the same averages, which each would get a copy of."""
    names = ["x", *[f"y{k}" for k in range(2000)]]
    nodes = [
        make_node("BatchNormalization", [old, "w", "w", "w", "w"], [new])
        for old, new in itertools.pairwise(names)
    ]
    load(folder, make_model(nodes, {"x": (1, 1 << 18)}, names[-1:], {"w": floats(1 << 18)}))


@TABLE.add(names="import_bytes")
def resized_many_times(folder: Path) -> None:
    """Matrices of 16 million weights, for images of one pixel more."""
    sizes = {"s": np.array([1, 1, 1, 4000])}
    nodes = [make_node("Resize", ["x", "", "", "s"], [f"y{k}"], mode="linear") for k in range(50)]
    load(folder, make_model(nodes, {"x": (1, 1, 1, 4001)}, ["y0"], sizes))


@TABLE.add(harmless=True)
def one_name_many_times(folder: Path) -> None:
    """2,000 parameters that all would like to have the same name."""
    body = [make_node("Constant", [], ["w"], value_floats=[1.0, 2.0]), node("Add", "a w", "z")]
    names = ["x", *[f"y{k}" for k in range(2000)]]
    nodes = [call("F", old, new) for old, new in itertools.pairwise(names)]
    model = make_model(nodes, {"x": (2,)}, names[-1:])
    model.functions.append(function("F", body))
    model.opset_import.append(OPSETS[1])
    load(folder, model)


@TABLE.add(harmless=True)
def shape_after_every_node(folder: Path) -> None:
    """Shapes that are asked for after each of 2,000 nodes, without being told in the file."""
    nodes = []
    for k in range(1000):
        nodes += [node("Relu", f"x{k}", f"a{k}"), node("Flatten", f"a{k}", f"x{k + 1}", axis=0)]
    load(folder, make_model(nodes, {"x0": (1, 2)}, ["x1000"]))


@TABLE.add(names="graph_nodes")
def half_a_million_outputs(folder: Path) -> None:
    model = make_model([node("Relu", "x", "y")], {"x": (2,)}, ["y"])
    one = model.graph.output[0].SerializeToString()
    outputs = field(12, one) * 500_000
    load(folder, model.SerializeToString() + field(7, outputs))
