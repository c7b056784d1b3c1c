"""Graphs whose inference or first run would take for ever, or all memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mxnet as mx
from mxnet import gluon
from tests.security.attack import Attacks

TABLE = Attacks()

Node = dict[str, Any]
FILE = "net-symbol.json"


def variable(name: str) -> Node:
    return {"op": "null", "name": name, "inputs": []}


def node(op: str, name: str, inputs: list[int], **attrs: object) -> Node:
    text = {key: str(value) for key, value in attrs.items()}
    return {"op": op, "name": name, "attrs": text, "inputs": [[i, 0, 0] for i in inputs]}


def graph(nodes: list[Node], heads: list[int] | None = None) -> dict[str, Any]:
    """Returns the JSON of a graph; its head is the last node unless others are given."""
    return {
        "nodes": nodes,
        "arg_nodes": [i for i, item in enumerate(nodes) if item["op"] == "null"],
        "heads": [[i, 0, 0] for i in (heads or [len(nodes) - 1])],
        "attrs": {"mxnet_version": ["int", 10901]},
    }


def load(folder: Path, nodes: list[Node]) -> mx.sym.Symbol:
    del folder  # what fails later does not know the file, so that there is none
    return mx.sym.load_json(json.dumps(graph(nodes)))


STEP = [variable("x"), node("tanh", "t", [0])]


def foreach(body: list[Node], name: str) -> Node:
    attrs = {"num_outputs": 1, "num_out_data": 1}
    places = {"in_data_locs": "(0,)", "in_state_locs": "()", "remain_locs": "()"}
    made = node("_foreach", name, [0], **attrs, **places)
    return made | {"subgraphs": [graph(body)]}


def while_loop(body: list[Node], name: str, most: int = 2) -> Node:
    condition = [variable("x"), node("_lesser_scalar", "c", [0], scalar=0)]
    attrs = {"num_outputs": 1, "num_out_data": 0, "max_iterations": most}
    places = {"cond_input_locs": "(0,)", "func_input_locs": "(0,)", "func_var_locs": "(0,)"}
    made = node("_while_loop", name, [0], **attrs, **places)
    return made | {"subgraphs": [graph(condition), graph(body)]}


def cond(body: list[Node], name: str) -> Node:
    condition = [variable("x"), node("_lesser_scalar", "c", [0], scalar=0)]
    keys = ("cond_input_locs", "then_input_locs", "else_input_locs")
    made = node("_cond", name, [0], num_outputs=1, **dict.fromkeys(keys, "(0,)"))
    return made | {"subgraphs": [graph(condition), graph(body), graph(STEP)]}


def nest(depth: int, kinds: list[Callable[[list[Node], str], Node]]) -> list[Node]:
    """Returns a graph of loops inside of loops, of which each kind takes its turn."""
    body = STEP
    for level in range(depth):
        body = [variable("x"), kinds[level % len(kinds)](body, f"loop{level}")]
    return body


Use = Callable[[mx.sym.Symbol, tuple[int, ...]], object]


def bind_and_run(symbol: mx.sym.Symbol, shape: tuple[int, ...]) -> None:
    symbol.simple_bind(mx.cpu(), x=shape).forward()


USES: dict[str, Use] = {
    "shape": lambda symbol, shape: symbol.infer_shape(x=shape),
    "nothing_known": lambda symbol, _: symbol.infer_shape_partial(),
    "partial": lambda symbol, shape: symbol.infer_shape_partial(x=(0,) * len(shape)),
    "type": lambda symbol, _: symbol.infer_type(x="float64"),
    "json": lambda symbol, _: mx.sym.load_json(symbol.tojson()),
    "forward": bind_and_run,
}


def use_nested(folder: Path, case: tuple[int, list[Any], Use]) -> None:
    depth, kinds, use = case
    use(load(folder, nest(depth, kinds)), (1,) * min(depth + 1, 30))


KINDS = {
    "foreach": [foreach],
    "while": [while_loop],
    "cond": [cond],
    "mixed": [foreach, while_loop, cond],
}
TABLE.add_each(
    "nested",
    [
        (f"{kind}-{name}", (30, makers, use))
        for kind, makers in KINDS.items()
        for name, use in USES.items()
        if (kind, name) != ("foreach", "forward")  # data have fewer axes than that
    ],
    use_nested,
    harmless=True,
)
TABLE.add_each(
    "nested_deepest",
    [(kind, (60, KINDS[kind], bind_and_run)) for kind in ("while", "cond")],
    use_nested,
    harmless=True,
)


@TABLE.add(harmless=True)
def nested_backward(folder: Path) -> None:
    executor = load(folder, nest(30, [cond])).simple_bind(mx.cpu(), x=(1,))
    executor.arg_dict["x"][:] = -1
    executor.forward(is_train=True)
    executor.backward(mx.nd.ones(1))


@TABLE.add(names="inner")
def nested_failure(folder: Path) -> None:
    """Every level would run its body again to find out what failed."""
    inner = cond(STEP, "inner") | {"inputs": [[1, 0, 0]]}  # the condition is not one number
    body = [variable("x"), node("Concat", "two", [0, 0], dim=0, num_args=2), inner]
    for level in range(30):
        body = [variable("x"), cond(body, f"loop{level}")]
    load(folder, body).bind(mx.cpu(), {"x": mx.nd.array([-1])}).forward()


@TABLE.add(harmless=True)
def one_body_used_by_many(folder: Path) -> None:
    symbol = mx.sym.var("x")
    for _ in range(25):
        inner = symbol
        symbol = mx.sym.contrib.cond(mx.sym.var("p"), lambda s=inner: s + s, lambda s=inner: s)
    del folder
    symbol.infer_shape(x=(2,), p=(1,))


def chain(folder: Path, case: tuple[list[tuple[str, dict[str, object]]], Any]) -> None:
    """A chain whose shape is known at its end alone."""
    steps, use = case
    nodes = [variable("x")]
    for place in range(3000):
        op, attrs = steps[place % len(steps)]
        nodes.append(node(op, f"n{place}", [len(nodes) - 1], **attrs))
    nodes += [variable("y"), node("elemwise_add", "end", [len(nodes) - 1, len(nodes)])]
    use(load(folder, nodes))


CHAINS = {
    "tanh": [("tanh", {})],
    "scalars": [("_plus_scalar", {"scalar": 1}), ("_mul_scalar", {"scalar": 2})],
    "transposed": [("transpose", {}), ("relu", {})],
    "reversed": [("reverse", {"axis": 0}), ("sigmoid", {})],
}
TABLE.add_each(
    "backward_through",
    [
        (name, (steps, lambda symbol: symbol.infer_shape_partial(y=(2, 3))))
        for name, steps in CHAINS.items()
    ],
    chain,
    harmless=True,
)
TABLE.add_each(
    "backward",
    [
        ("partial", (CHAINS["tanh"], lambda symbol: symbol.infer_shape_partial(y=(2, 0)))),
        ("type", (CHAINS["tanh"], lambda symbol: symbol.infer_type(y="float16"))),
        ("simple", (CHAINS["scalars"], lambda symbol: symbol.simple_bind(mx.cpu(), y=(2, 3)))),
    ],
    chain,
    harmless=True,
)


def contradict(symbol: mx.sym.Symbol) -> None:
    symbol.infer_shape(x=(3, 2), y=(2, 3))


TABLE.add_each("contradiction", [("tanh", (CHAINS["tanh"], contradict))], chain, names="end")


@TABLE.add(harmless=True)
def lengths_that_come_one_by_one(folder: Path) -> None:
    """Every axis is told by another node, each time through the whole chain."""
    nodes = [variable("x")]
    for place in range(400):
        nodes.append(node("tanh", f"n{place}", [len(nodes) - 1]))
    for axis in range(8):
        shape = "(" + ", ".join("3" if i == axis else "0" for i in range(8)) + ")"
        nodes.append({**variable(f"v{axis}"), "attrs": {"__shape__": shape}})
        nodes.append(node("elemwise_add", f"a{axis}", [len(nodes) - 2, len(nodes) - 1]))
    load(folder, nodes).infer_shape()


def diamonds(folder: Path, op: str) -> None:
    nodes = [variable("x")]
    for place in range(1500):
        nodes.append(node(op, f"n{place}", [len(nodes) - 1] * 2))
    symbol = load(folder, nodes)
    symbol.infer_type(x="float64")
    symbol.simple_bind(mx.cpu(), x=(2, 3)).forward()


JOINING = ("elemwise_add", "broadcast_mul", "add_n")
TABLE.add_each("diamonds", [(op, op) for op in JOINING], diamonds, harmless=True)


@TABLE.add
def doubling_shapes(folder: Path) -> None:
    """Every node joins its input to itself."""
    nodes = [variable("x")]
    for place in range(200):
        nodes.append(node("Concat", f"n{place}", [len(nodes) - 1] * 2, dim=0, num_args=2))
    load(folder, nodes).simple_bind(mx.cpu(), x=(2, 3))


@TABLE.add(harmless=True)
def many_outputs_of_one_node(folder: Path) -> None:
    nodes = [variable("x"), node("SliceChannel", "s", [0], num_outputs=5000)]
    nodes.append(
        {**node("add_n", "sum", [], num_args=5000), "inputs": [[1, i, 0] for i in range(5000)]}
    )
    load(folder, nodes).infer_shape(x=(1, 5000))


@TABLE.add(harmless=True)
def wide_sum(folder: Path) -> None:
    del folder
    mx.sym.add_n(*[mx.sym.var(f"v{i}") for i in range(10_000)]).infer_shape(v0=(2,))


@TABLE.add(harmless=True)
def wide_sum_of_one_array(folder: Path) -> None:
    del folder
    mx.sym.add_n(*[mx.sym.var("x")] * 20_000).simple_bind(mx.cpu(), x=(2,)).forward()


@TABLE.add(names="add_n")
def wider_sum(folder: Path) -> None:
    del folder
    mx.sym.add_n(*[mx.sym.var("x")] * 300_000)


@TABLE.add(names="Concat")
def number_of_inputs(folder: Path) -> None:
    del folder
    mx.sym.Concat(num_args=10**9)


@TABLE.add(names="SliceChannel")
def number_of_outputs(folder: Path) -> None:
    del folder
    mx.sym.SliceChannel(mx.sym.var("x"), num_outputs=10**9)


@TABLE.add(names="_split_v2")
def number_of_sections(folder: Path) -> None:
    del folder
    mx.sym._internal._split_v2(mx.sym.var("x"), indices=(), sections=10**8)


@TABLE.add(names="_split_v2")
def number_of_sections_of_an_array(folder: Path) -> None:
    del folder
    mx.nd._internal._split_v2(mx.nd.ones((2, 2)), indices=(), sections=10**8)


def infer_wild(
    folder: Path, case: tuple[str, list[str], dict[str, object], dict[str, Any]]
) -> None:
    op, inputs, attrs, shapes = case
    nodes = [variable(name) for name in inputs]
    nodes.append(node(op, "wild", list(range(len(inputs))), **attrs))
    symbol = load(folder, nodes)
    symbol.infer_shape(**shapes)
    symbol.simple_bind(mx.cpu(), **shapes).forward()


MAP = (1, 1, 4, 4)
RNN = ["data", "parameters", "state", "cell"]
CORRELATION = {"max_displacement": 10**5, "pad_size": 10**5 + 1}
WILD = [
    ("correlation", ("Correlation", ["a", "b"], CORRELATION, {"a": MAP, "b": MAP})),
    (
        "correlation_beyond_64_bits",
        ("Correlation", ["a", "b"], {"max_displacement": 10**25}, {"a": MAP, "b": MAP}),
    ),
    (
        "rnn_layers",
        ("RNN", RNN, {"mode": "lstm", "num_layers": 10**9, "state_size": 1}, {"data": (1, 1, 1)}),
    ),
    (
        "rnn_size",
        ("RNN", RNN, {"mode": "lstm", "num_layers": 1, "state_size": 10**15}, {"data": (1, 1, 1)}),
    ),
    ("resize", ("_image_resize", ["a"], {"size": "(1000000000, 1)"}, {"a": (4, 4, 3)})),
    ("imresize", ("_cvimresize", ["a"], {"w": 10**12, "h": 10**12}, {"a": (4, 4, 3)})),
    ("slices", ("SliceChannel", ["a"], {"num_outputs": 10**12}, {"a": (2, 2)})),
    ("sections", ("_split_v2", ["a"], {"indices": "()", "sections": 10**12}, {"a": (2, 2)})),
    (
        "anchors",
        (
            "_contrib_MultiProposal",
            ["p", "b", "i"],
            {"rpn_post_nms_top_n": 10**13},
            {"p": (1, 24, 2, 2), "b": (1, 48, 2, 2), "i": (1, 3)},
        ),
    ),
    ("kernel", ("Pooling", ["a"], {"kernel": "(1000000000, 1)", "pool_type": "avg"}, {"a": MAP})),
    ("pad", ("Pooling", ["a"], {"kernel": "(2, 2)", "pad": "(10000000000, 0)"}, {"a": MAP})),
    (
        "filters",
        ("Convolution", ["a", "w", "b"], {"kernel": "(1, 1)", "num_filter": 10**15}, {"a": MAP}),
    ),
    (
        "dilation",
        (
            "Convolution",
            ["a", "w", "b"],
            {"kernel": "(2, 2)", "num_filter": 1, "dilate": "(1000000000000, 1)"},
            {"a": MAP},
        ),
    ),
    ("hidden", ("FullyConnected", ["a", "w", "b"], {"num_hidden": 10**16}, {"a": (1, 2)})),
    ("upsampling", ("UpSampling", ["a"], {"scale": 10**8, "sample_type": "nearest"}, {"a": MAP})),
]
TABLE.add_each("attribute", WILD, infer_wild)


def iterate(folder: Path, most: int) -> None:
    """Runs a loop whose condition always holds."""
    body = [variable("x"), node("_minus_scalar", "less", [0], scalar=1)]
    symbol = load(folder, [variable("x"), while_loop(body, "loop", most)])
    with mx.limits.scope(loop_iterations=1000):
        symbol.bind(mx.cpu(), {"x": mx.nd.array([-1])}).forward()


TABLE.add_each("iterations", [("most", 2**31 - 1), ("million", 10**6)], iterate, names="less")
TABLE.add_each("iterations", [("beyond", 10**12), ("far", 10**30)], iterate, names="max_iterations")


@TABLE.add(names="loop_output0")
def rows_for_all_iterations(folder: Path) -> None:
    body = [variable("x"), node("_minus_scalar", "less", [0], scalar=1), node("exp", "row", [0])]
    loop = while_loop(STEP, "loop", 2**31 - 1)
    loop["attrs"] |= {"num_outputs": "2", "num_out_data": "1"}
    loop["subgraphs"][1] = graph(body, [2, 1])
    load(folder, [variable("x"), loop]).simple_bind(mx.cpu(), x=(10**5,))


@TABLE.add(names="_foreach")
def loops_without_data(folder: Path) -> None:
    """Loops inside of loops, each over rows that it makes itself."""
    body = STEP
    for level in range(10):
        rows = node("_ones", f"rows{level}", [], shape="(9, 1)")
        add = node("broadcast_add", f"add{level}", [0, 1])
        loop = foreach(body, f"loop{level}") | {"inputs": [[2, 0, 0]]}
        total = node("sum", f"sum{level}", [3], axis="0")
        body = [variable("x"), rows, add, loop, total]
    with mx.limits.scope(loop_iterations=1000):
        load(folder, body).bind(mx.cpu(), {"x": mx.nd.ones((1, 1))}).forward()


@TABLE.add(harmless=True)
def imported_and_called(folder: Path) -> None:
    path = folder / FILE
    path.write_text(json.dumps(graph(nest(20, [while_loop, cond]))))
    gluon.SymbolBlock.imports(str(path), ["x"])(-mx.nd.ones((1,)))


@TABLE.add(harmless=True)
def imported_and_hybridized(folder: Path) -> None:
    path = folder / FILE
    path.write_text(json.dumps(graph(nest(20, [cond, while_loop]))))
    block = gluon.SymbolBlock.imports(str(path), ["x"])
    block.hybridize(static_alloc=True)
    with mx.autograd.record():
        block(-mx.nd.ones((1,)))


@TABLE.add(names="'x'")
def many_variables_of_one_name(folder: Path) -> None:
    del folder
    same = [mx.sym.var("x") for _ in range(20_000)]
    mx.sym.add_n(*same).bind(mx.cpu(), [mx.nd.ones(1)] * len(same))


@TABLE.add(harmless=True)
def every_node_a_result(folder: Path) -> None:
    """What each of many results depends on is found in one walk."""
    nodes = [variable("x")] + [node("tanh", f"n{i}", [i]) for i in range(3000)]
    nodes += [variable("y"), node("elemwise_add", "end", [3000, 3001])]
    path = folder / FILE
    path.write_text(json.dumps(graph(nodes, [*range(1, 3001), 3002])))
    block = gluon.SymbolBlock.imports(str(path), ["x", "y"])
    with mx.autograd.record():
        block(mx.nd.ones((1,)), mx.nd.ones((1,)))
