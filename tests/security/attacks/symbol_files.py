"""Hostile symbol files: wrong kinds, wild numbers, graphs that are large, deep or tangled."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import mxnet as mx
from tests.security.attack import Attacks
from tests.security.symbols import call, graph, text, variable, write

TABLE = Attacks()

X = variable("x")
RELU = call("relu", "r", 0)


def split(count: str) -> dict[str, Any]:
    """Returns a node of as many outputs."""
    return call("SliceChannel", "s", 0, num_outputs=count)


def with_attribute(value: str) -> str:
    return text(X, call("transpose", "t", 0, axes=value))


def nested(depth: int) -> dict[str, Any]:
    """Returns a graph of loops inside of each other."""
    inner = graph(X, RELU)
    places = {"in_data_locs": "(0,)", "in_state_locs": "()", "remain_locs": "()"}
    for number in range(depth):
        loop = call(
            "_foreach",
            f"l{number}",
            0,
            subgraphs=[inner],
            num_outputs="1",
            num_out_data="1",
            **places,
        )
        inner = graph(X, loop)
    return inner


REFUSED: list[tuple[str, str | bytes]] = [
    ("empty", ""),
    ("not_text", b"\xff\xfe\x00\x01\x80"),
    ("half_of_a_character", text(X | {"name": "a\ud800"})),
    ("half_of_a_character_in_a_key", text(X | {"attrs": {"\udfff": "1"}}, RELU)),
    ("half_of_a_character_in_a_value", text(X | {"attrs": {"k": "\udfff"}}, RELU)),
    ("zeros", bytes(1000)),
    ("list", "[]"),
    ("number", "3"),
    ("no_graph", "{}"),
    ("deep_lists", "[" * 200_000),
    ("deep_objects", '{"nodes":' * 100_000),
    ("deep_inside", '{"nodes": ' + "[" * 900 + "]" * 900 + ', "arg_nodes": [], "heads": []}'),
    ("number_of_many_digits", '{"nodes": [' + "9" * 100_000 + "]}"),
    ("nodes_are_an_object", text() [:-1] + ', "nodes": {}}'),
    ("no_heads", text(X, heads=[])),
    ("head_outside", text(X, heads=[[1, 0, 0]])),
    ("head_negative", text(X, heads=[[-1, 0, 0]])),
    ("head_of_another_output", text(X, RELU, heads=[[1, 1, 0]])),
    ("head_is_true", text(X, heads=[[True, 0, 0]])),
    ("head_is_long", text(X, heads=[[2**70, 0, 0]])),
    ("head_is_short", text(X, heads=[[0]])),
    ("node_reads_itself", text(X, call("relu", "r", 1))),
    ("node_reads_a_later_one", text(X, call("relu", "r", 2), call("relu", "q", 1))),
    ("node_is_null", text(None, heads=[[0, 0, 0]])),
    ("node_without_name", text({"op": "null", "inputs": []})),
    ("name_is_a_list", text({"op": "null", "name": ["x"], "inputs": []})),
    ("operator_is_a_number", text(X, {"op": 3, "name": "r", "inputs": []})),
    ("attributes_are_a_list", text(X | {"attrs": ["a"]})),
    ("attribute_is_a_number", text(X | {"attrs": {"a": 3}})),
    ("inputs_are_a_text", text(X, RELU | {"inputs": "00"})),
    ("inputs_of_another_operator", text(X, call("FullyConnected", "f", 0, num_hidden="2"))),
    ("subgraphs_are_a_text", text(X, call("_cond", "c", 0, subgraphs=["a", "b", "c"]))),
    ("subgraph_without_nodes", text(X, call("_cond", "c", 0, subgraphs=[{}, {}, {}]))),
    ("subgraphs_of_relu", text(X, call("relu", "c", 0, subgraphs=[graph(X)]))),
    ("arguments_outside", text(X, arg_nodes=[7])),
    ("arguments_of_another_kind", text(X, arg_nodes=["x"])),
    ("version_is_a_text", text(X, attrs={"mxnet_version": "10901"})),
    ("attrs_are_a_list", text(X, attrs=[])),
    ("loops_of_depth_65", json.dumps(nested(65))),
    ("loops_of_depth_500", json.dumps(nested(200))),
    ("outputs_by_the_billion", text(X, split("1000000000"))),
    ("outputs_of_many_digits", text(X, split("9" * 5000))),
    ("no_outputs", text(X, split("-1"))),
    ("outputs_of_many_nodes", text(X, *[split("90000") | {"name": f"s{i}"} for i in range(9)])),
    ("parentheses", with_attribute("(" * 100_000)),
    ("open_parentheses", with_attribute("(9" * 100_000)),
    ("minus_signs", with_attribute("-" * 100_000 + "1")),
    ("sum", with_attribute("1" + "+1" * 100_000)),
    ("power", with_attribute("9**9**9")),
    ("repeated_tuple", with_attribute("(1,)*1000000000")),
    ("dictionary", with_attribute("{1: 2}")),
    ("comprehension", with_attribute("[i for i in range(10**9)]")),
    ("integer_of_many_digits", with_attribute("9" * 100_000)),
    ("integer_of_many_letters", with_attribute("0x" + "f" * 100_000)),
    ("integer_over_64_bits", with_attribute("(9223372036854775808,)")),
    ("infinite_axis", with_attribute("(inf,)")),
    ("million_axes", with_attribute("(" + "1," * 1_000_000 + ")")),
    ("unfinished_text", with_attribute("'" + "a" * 1000)),
    ("nothing", with_attribute("(,)")),
    ("dtype_of_numpy", text(X, call("Cast", "c", 0, dtype="f4," * 10_000))),
    ("dtype_of_parentheses", text(X, call("Cast", "c", 0, dtype="(" * 10_000))),
    ("nodes_by_the_million", '{"nodes": [' + "{}," * 10**6 + '{}], "arg_nodes": [], "heads": []}'),
    ("inputs_by_the_hundred_thousand", text(X, call("add_n", "a", *[0] * 100_000))),
    ("long_name_in_a_message", text(X, call("relu", "r" * 1_000_000))),
]  # fmt: skip

TABLE.add_each("load", REFUSED, lambda folder, content: mx.sym.load(write(folder, content)))

OTHER_READERS = ("not_text", "deep_lists", "node_reads_itself", "outputs_by_the_billion", "sum")


def import_as_block(folder: Path, content: Any) -> None:
    mx.gluon.SymbolBlock.imports(write(folder, content), ["x"])


def load_checkpoint(folder: Path, content: Any) -> None:
    write(folder, content)
    mx.model.load_checkpoint(str(folder / "net"), 0)


def load_as_part_of_a_model(folder: Path, content: Any) -> None:
    if isinstance(content, bytes):
        content = content.decode("latin-1")
    change_model_file(folder, symbol=content)


def change_model_file(folder: Path, **changes: Any) -> None:
    """Loads a model whose file says something else of its block."""
    net = mx.gluon.nn.Dense(2, in_units=3, prefix="net_")
    net.initialize()
    net.hybridize()
    net(mx.nd.ones((2, 3)))
    net.save(str(folder / "net"))
    path = folder / "net-model.json"
    described = json.loads(path.read_text())
    described["dense0"] |= changes
    path.write_text(json.dumps(described))
    net.load(str(folder / "net"))


for reader in (import_as_block, load_checkpoint, load_as_part_of_a_model):
    chosen = [(label, content) for label, content in REFUSED if label in OTHER_READERS]
    TABLE.add_each(reader.__name__, chosen, reader)

MODEL_FILES: list[tuple[str, dict[str, Any]]] = [
    ("orig_name", {"orig_name": ["a"]}),
    ("inputs", {"inputs": "x"}),
    ("input_of_another_kind", {"inputs": [3]}),
    ("symbol", {"symbol": {}}),
    ("format_of_billions", {"in_format": [10**9]}),
    ("format_of_many", {"out_format": [10_000] * 100_000}),
    ("format_negative", {"in_format": [-7]}),
    ("format_is_a_text", {"in_format": "0"}),
    ("format_deep", {"in_format": json.loads("[" * 900 + "]" * 900)}),
]
TABLE.add_each(
    "model_file", MODEL_FILES, lambda folder, changes: change_model_file(folder, **changes)
)


def chain(length: int, reads: int = 1) -> str:
    """Returns nodes in a row, each of which reads the one before, perhaps several times."""
    kind = "relu" if reads == 1 else "elemwise_add"
    return text(X, *(call(kind, f"n{i}", *[i] * reads) for i in range(length)))


WALKS: dict[str, Callable[[mx.sym.Symbol], Any]] = {
    "lists": lambda s: (s.list_inputs(), s.list_outputs(), s.attr_dict(), s.get_internals()),
    "tojson": lambda s: s.tojson(),
    "debug_str": lambda s: s.debug_str(),
    "summary": lambda s: mx.viz.print_summary(s),
    "plot": lambda s: mx.viz.plot_network(s),
    "compose": lambda s: s(x=mx.sym.var("y")),
    "copy": lambda s: copy.deepcopy(copy.copy(s)),
    "pickle": lambda s: pickle.loads(pickle.dumps(s)),
}


def walk(folder: Path, how: Any) -> None:
    """Walks over a graph in which 2**64 paths lead to the variable, and over one in a row."""
    for content in (chain(64, reads=2), chain(1000)):
        with redirect_stdout(io.StringIO()):
            how(mx.sym.load(write(folder, content)))


TABLE.add_each("walk", WALKS.items(), walk, harmless=True)


@TABLE.add(harmless=True)
def twenty_thousand_nodes_in_a_row(folder: Path) -> None:
    symbol = mx.sym.load(write(folder, chain(20_000)))
    assert symbol.list_inputs() == ["x"]
    del symbol  # nodes that hold each other must not be released by recursion


@TABLE.add(harmless=True)
def run_of_shared_nodes(folder: Path) -> None:
    net = mx.gluon.SymbolBlock.imports(write(folder, chain(64, reads=2)), ["x"])
    assert net(mx.nd.ones((1,))).asscalar() == 2.0**64


@TABLE.add(harmless=True)
def three_thousand_heads(folder: Path) -> None:
    content = text(X, *(call("relu", f"n{i}", i) for i in range(1000)))
    data = json.loads(content) | {"heads": [[i, 0, 0] for i in range(1000)] * 3}
    mx.gluon.SymbolBlock.imports(write(folder, json.dumps(data)), ["x"])(mx.nd.ones((1,)))


@TABLE.add(harmless=True)
def twenty_thousand_attributes(folder: Path) -> None:
    attrs = {f"__{number}__": "1" for number in range(20_000)}
    symbol = mx.sym.load(write(folder, text(X | {"attrs": attrs}, RELU)))
    assert len(symbol.attr_dict()["x"]) == 20_000


@TABLE.add(harmless=True)
def repeated_keys(folder: Path) -> None:
    """The last of two keys counts, everywhere."""
    content = text(X, RELU)[:-1] + ', "nodes": [' + json.dumps(X) + '], "heads": [[0, 0, 0]]}'
    assert mx.sym.load(write(folder, content)).list_outputs() == ["x"]


@TABLE.add(names="__shape__")
def shape_of_a_variable(_: Path) -> None:
    symbol = mx.sym.load_json(text(variable("x", __shape__="(" * 1000), RELU))
    symbol.simple_bind(mx.cpu())


@TABLE.add(names="__shape__")
def long_shape_of_a_variable(_: Path) -> None:
    symbol = mx.sym.load_json(text(variable("x", __shape__="1," * 1_000_000), RELU))
    symbol.infer_shape()


@TABLE.add(names="__dtype__")
def type_of_a_variable(_: Path) -> None:
    symbol = mx.sym.load_json(text(variable("x", __dtype__="²"), RELU))
    symbol.infer_type()


SMALL_OBJECTS = '{"nodes":[' + '{"":0},' * 4_100_000 + "0]}"
"""Each would take thirty times its own length once it is parsed."""


@TABLE.add(names="lists and objects")
def very_many_objects(folder: Path) -> None:
    mx.sym.load(write(folder, SMALL_OBJECTS))


@TABLE.add(names="lists and objects")
def very_many_objects_in_a_model_file(folder: Path) -> None:
    (folder / "net-model.json").write_text(SMALL_OBJECTS)
    mx.gluon.nn.Dense(2).load(str(folder / "net"))


@TABLE.add
def file_of_a_terabyte(folder: Path) -> None:
    with (folder / "net-symbol.json").open("wb") as file:
        file.truncate(1 << 40)
    mx.sym.load(str(folder / "net-symbol.json"))


@TABLE.add
def endless_file(folder: Path) -> None:
    (folder / "net-symbol.json").symlink_to("/dev/zero")
    mx.sym.load(str(folder / "net-symbol.json"))
