"""Symbol files as MXNet 0.8 to 1.9 wrote them, and what is read from one.

Networks are written by today's rules and then brought back to the form of an older version: the
keys of attributes, plain names of what is hidden today, inputs of two numbers, left out states.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

import mxnet as mx

Graph = dict[str, Any]

HIDDEN = ("ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage")
STATES = ("moving_mean", "moving_var")


def make_mlp() -> tuple[Any, dict[str, tuple[int, ...]]]:
    """Dense layers, with factors on learning rates and places of layers."""
    data = mx.sym.Variable("data")
    bias = mx.sym.Variable("fc1_bias", lr_mult=2.0, wd_mult=0.0)
    with mx.AttrScope(ctx_group="stage1", mirror_stage="True"):
        hidden = mx.sym.FullyConnected(data, bias=bias, num_hidden=6, name="fc1")
        hidden = mx.sym.Activation(hidden, act_type="relu", name="relu1")
    with mx.AttrScope(ctx_group="stage2"):
        hidden = mx.sym.FullyConnected(hidden, num_hidden=3, name="fc2")
    return mx.sym.SoftmaxOutput(hidden, name="softmax"), {"data": (4, 5)}


def make_lenet() -> tuple[Any, dict[str, tuple[int, ...]]]:
    """Convolutions and pooling."""
    net = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(3, 3), num_filter=3, name="conv1")
    net = mx.sym.Pooling(
        mx.sym.Activation(net, act_type="tanh", name="tanh1"),
        pool_type="max",
        kernel=(2, 2),
        stride=(2, 2),
        name="pool1",
    )
    net = mx.sym.Flatten(mx.sym.Dropout(net, p=0.4, name="drop1"), name="flat")
    net = mx.sym.FullyConnected(net, num_hidden=2, no_bias=True, name="fc1")
    return mx.sym.LogisticRegressionOutput(net, name="out"), {"data": (2, 1, 8, 8)}


def make_batch_norm() -> tuple[Any, dict[str, tuple[int, ...]]]:
    """Layers with states and with initializers of their own, and arithmetic."""
    data = mx.sym.Variable("data")
    first = mx.sym.Convolution(data, kernel=(1, 1), num_filter=4, no_bias=True, name="conv")
    first = mx.sym.BatchNorm(first, fix_gamma=False, eps=0.01, momentum=0.8, name="bn1")
    first = mx.sym.LeakyReLU(first, act_type="prelu", name="prelu")
    second = mx.sym.BatchNorm(data, name="bn2")
    halves = mx.sym.SliceChannel(first, num_outputs=2, axis=1, name="halves")
    both = mx.sym.Concat(halves[0] * 2 - 1, 1 / (halves[1] + 3), second, dim=1, name="both")
    return mx.sym.Group([both, mx.sym.BlockGrad(first, name="stop")]), {"data": (2, 3, 4, 4)}


def make_recurrent() -> tuple[Any, dict[str, tuple[int, ...]]]:
    """A fused layer over embedded words."""
    words = mx.sym.Embedding(mx.sym.Variable("data"), input_dim=7, output_dim=3, name="embed")
    steps = mx.sym.SwapAxis(words, dim1=0, dim2=1, name="turned")
    outputs = mx.sym.RNN(
        steps,
        parameters=mx.sym.Variable("lstm_parameters"),
        state_size=4,
        num_layers=1,
        mode="lstm",
        name="lstm",
        state_outputs=True,
    )
    flat = mx.sym.Reshape(outputs[0], shape=(-1, 4), name="flat")
    return mx.sym.FullyConnected(flat, num_hidden=2, name="out"), {"data": (2, 3)}


def make_unrolled() -> tuple[Any, dict[str, tuple[int, ...]]]:
    """A cell unrolled over time."""
    cell = mx.rnn.GRUCell(num_hidden=3, prefix="gru_")
    outputs, _ = cell.unroll(2, mx.sym.Variable("data"), merge_outputs=True)
    return mx.sym.sum(outputs, axis=1, name="total"), {"data": (2, 2, 4)}


def make_largest() -> tuple[Any, dict[str, tuple[int, ...]]]:
    """Places of the largest and least elements, whose axis once meant something else."""
    data = mx.sym.Variable("data")
    listed = [
        mx.sym.argmax(data, axis=-1, name="last"),
        mx.sym.argmin(data, axis=-1, name="least"),
        mx.sym.argmax(data, axis=1, name="second"),
        mx.sym.sum(data, axis=-1, name="total"),
    ]
    return mx.sym.Group(listed), {"data": (2, 3)}


NETWORKS: dict[str, Callable[[], Any]] = {
    "mlp": make_mlp,
    "lenet": make_lenet,
    "batch_norm": make_batch_norm,
    "recurrent": make_recurrent,
    "unrolled": make_unrolled,
    "largest": make_largest,
}


def with_version(graph: Graph, number: int | None) -> Graph:
    """Writes the number of a version, or none."""
    graph = {key: value for key, value in graph.items() if key != "attrs"}
    if number is not None:
        graph["attrs"] = {"mxnet_version": ["int", number]}
    return graph


def _with_nodes(graph: Graph, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Graph:
    return {**graph, "nodes": [change(dict(node)) for node in graph["nodes"]]}


def with_plain_names(graph: Graph) -> Graph:
    """Writes hidden attributes as users wrote them."""

    def change(node: dict[str, Any]) -> dict[str, Any]:
        attrs = node.get("attrs", {})
        plain = {f"__{key}__": key for key in HIDDEN}
        if attrs:
            node["attrs"] = {plain.get(key, key): value for key, value in attrs.items()}
        return node

    return _with_nodes(graph, change)


def with_attr(graph: Graph) -> Graph:
    """Writes attributes under `attr`, as 0.9 to 0.12 did."""

    def change(node: dict[str, Any]) -> dict[str, Any]:
        if "attrs" in node:
            node["attr"] = node.pop("attrs")
        return node

    return _with_nodes(graph, change)


def with_param(graph: Graph) -> Graph:
    """Writes attributes of operators under `param` and those of users under `attr`, as 0.8 did."""

    def change(node: dict[str, Any]) -> dict[str, Any]:
        attrs = node.pop("attrs", {})
        user = {key: value for key, value in attrs.items() if key in HIDDEN or key[:2] == "__"}
        node["param"] = {key: value for key, value in attrs.items() if key not in user}
        if user:
            node["attr"] = user
        node["backward_source_id"] = -1
        return node

    return _with_nodes(graph, change)


def without_initializers(graph: Graph) -> Graph:
    """Leaves out how states are initialized, which came with 0.9.4."""

    def change(node: dict[str, Any]) -> dict[str, Any]:
        attrs = {key: item for key, item in node.get("attrs", {}).items() if key != "__init__"}
        node.pop("attrs", None)
        return {**node, "attrs": attrs} if attrs else node

    return _with_nodes(graph, change)


def with_pairs(graph: Graph) -> Graph:
    """Writes inputs and heads without versions, and leaves out the counts of outputs."""

    def change(node: dict[str, Any]) -> dict[str, Any]:
        node["inputs"] = [entry[:2] for entry in node["inputs"]]
        return node

    graph = {key: value for key, value in graph.items() if key != "node_row_ptr"}
    return {**_with_nodes(graph, change), "heads": [entry[:2] for entry in graph["heads"]]}


def without_states(graph: Graph) -> Graph:
    """Leaves out the variables of states, which 0.8 kept apart from the graph."""
    nodes = graph["nodes"]
    kept = [i for i, node in enumerate(nodes) if not node["name"].endswith(STATES)]
    places = {old: new for new, old in enumerate(kept)}
    moved = []
    for old in kept:
        node = dict(nodes[old])
        node["inputs"] = [[places[e[0]], *e[1:]] for e in node["inputs"] if e[0] in places]
        moved.append(node)
    return {
        **graph,
        "nodes": moved,
        "arg_nodes": [places[i] for i in graph["arg_nodes"] if i in places],
        "heads": [[places[entry[0]], *entry[1:]] for entry in graph["heads"]],
    }


def with_factors_on_operators(graph: Graph) -> Graph:
    """Puts factors for an input on the operator, as early versions allowed."""

    def change(node: dict[str, Any]) -> dict[str, Any]:
        if node["op"] == "FullyConnected":
            node["attrs"] = {**node["attrs"], "weight_lr_mult": "0.5", "weight_wd_mult": "3"}
        return node

    return _with_nodes(graph, change)


def with_np_shape(graph: Graph) -> Graph:
    """Marks a file as written with the shapes of NumPy."""
    return {**graph, "attrs": {**graph["attrs"], "is_np_shape": ["int", 1]}}


GENERATIONS: dict[str, list[Callable[[Graph], Graph]]] = {
    "0.8": [
        without_initializers,
        with_plain_names,
        with_factors_on_operators,
        with_pairs,
        without_states,
        with_param,
        lambda graph: with_version(graph, None),
    ],
    "0.9.0": [
        without_initializers,
        with_factors_on_operators,
        with_pairs,
        with_attr,
        lambda graph: with_version(graph, 900),
    ],
    "0.9.4": [with_plain_names, with_attr, lambda graph: with_version(graph, 904)],
    "0.9.5": [with_attr, lambda graph: with_version(graph, 905)],
    "0.12": [with_attr, lambda graph: with_version(graph, 1200)],
    "1.0": [lambda graph: with_version(graph, 10000)],
    "1.5": [lambda graph: with_version(graph, 10500)],
    "1.9.1": [],
    "np": [with_np_shape],
}


def make_files() -> dict[str, str]:
    """Writes every network in the form of every version."""
    files = {}
    for name, make in NETWORKS.items():
        with mx.name.NameManager():
            newest = json.loads(make()[0].tojson())
        for generation, changes in GENERATIONS.items():
            graph = newest
            for change in changes:
                graph = change(graph)
            files[f"{name}-{generation}"] = json.dumps(graph)
    return files


def fill(name: str, shape: tuple[int, ...]) -> Any:
    """Values that depend on name and shape alone; words where an embedding reads them."""
    random = np.random.RandomState(zlib.crc32(repr((name, shape)).encode()))
    low, high = (0.5, 1.5) if name.endswith("var") else (-1, 1)
    return mx.nd.array(random.uniform(low, high, shape))


def read(text: str, network: str) -> tuple[dict[str, Any], list[np.ndarray]]:
    """Loads a file; gives what it lists, and what it computes in both modes."""
    net = mx.sym.load_json(text)
    shapes = NETWORKS[network]()[1]
    facts = {
        "arguments": net.list_arguments(),
        "states": net.list_auxiliary_states(),
        "outputs": net.list_outputs(),
        "attributes": net.attr_dict(),
        "internals": net.get_internals().list_outputs(),
        "shapes": [[list(shape) for shape in group] for group in net.infer_shape(**shapes)],
        "written": _comparable(json.loads(net.tojson())),
    }
    trained = network == "batch_norm"
    executor = net.simple_bind(mx.cpu(), grad_req="write" if trained else "null", **shapes)
    for name, array in (*executor.arg_dict.items(), *executor.aux_dict.items()):
        fill(name, array.shape).copyto(array)
    if network == "recurrent":
        executor.arg_dict["data"][:] = mx.nd.array([[1, 2, 6], [0, 3, 5]])
    arrays = list(executor.forward(is_train=False))
    outputs = [item.asnumpy() for item in arrays]
    if trained:
        arrays = list(executor.forward(is_train=True))
        executor.backward([mx.nd.ones_like(item) for item in arrays])
        # The original's gradient of prelu_gamma is that of outputs in the place of inputs.
        arrays += [executor.grad_dict["data"], *executor.aux_arrays]
        outputs += [item.asnumpy() for item in arrays]
    return facts, outputs


def _comparable(graph: Graph) -> list[Any]:
    return [
        [node["op"], node["name"], node.get("attrs", {}), [entry[:2] for entry in node["inputs"]]]
        for node in graph["nodes"]
    ]
