"""Symbol files: the JSON of real networks, changed as a tree."""

from __future__ import annotations

import functools
import json
import random
from pathlib import Path
from typing import Any

import mxnet as mx
from mxnet.ops.core.registry import all_ops
from tools.fuzzing.mutation import NUMBERS, TEXTS, Format, Mutator

OTHERS: list[Any] = [None, True, False, [], {}, [[]], 1.5, -1, 10**30, "text", [0, 0, 0], {"a": []}]


def _networks() -> list[mx.sym.Symbol]:
    data, label = mx.sym.var("data"), mx.sym.var("label")
    conv = mx.sym.Convolution(data, num_filter=4, kernel=(3, 3), name="conv")
    norm = mx.sym.BatchNorm(conv, name="norm")
    pool = mx.sym.Pooling(mx.sym.Activation(norm, act_type="relu"), kernel=(2, 2), pool_type="max")
    dense = mx.sym.FullyConnected(pool, num_hidden=5, name="dense")
    parts = mx.sym.split(mx.sym.reshape(data, (0, -1)), num_outputs=2)
    joined = mx.sym.concat(parts[0] * 2, mx.sym.tile(parts[1], (1, 2)), dim=1)
    outputs, states = mx.sym.contrib.foreach(
        lambda item, state: (item + state, item * state), data, mx.sym.var("state")
    )
    rnn = mx.sym.RNN(data, mx.sym.var("p"), mx.sym.var("s"), state_size=3, num_layers=2, mode="gru")
    return [
        mx.sym.SoftmaxOutput(dense, label, name="softmax"),
        mx.sym.Group([joined, mx.sym.sum(joined, axis=1), mx.sym.zeros((2, 3))]),
        mx.sym.Group([outputs, states]),
        mx.sym.Pad(mx.sym.transpose(rnn, (1, 0, 2)), mode="edge", pad_width=(0,) * 6),
        mx.sym.take(mx.sym.var("w", shape=(4, 3)), mx.sym.one_hot(mx.sym.topk(data), depth=4)),
    ]


@functools.cache
def _seeds() -> list[Any]:
    return [json.loads(network.tojson()) for network in _networks()]


@functools.cache
def _op_names() -> list[str]:
    return sorted({op.name for op in all_ops()})


def _change(mutator: Mutator, value: Any, key: str = "") -> Any:
    """Copies a tree of JSON with some of its parts replaced."""
    rng = mutator.rng
    if mutator.strikes() and rng.random() < 0.3:
        return rng.choice(OTHERS)
    if isinstance(value, dict):
        return {
            mutator.text(k) if rng.random() < 0.1 else k: _change(mutator, v, k)
            for k, v in value.items()
        }
    if isinstance(value, list):
        items = [_change(mutator, item, key) for item in value]
        if items and mutator.strikes():
            place = rng.randrange(len(items))
            items[place : place + 1] = rng.choice([[], [items[place]] * 2, [rng.choice(items)]])
        return items
    if isinstance(value, str):
        return mutator.choice(value, _op_names()) if key == "op" else mutator.text(value)
    if isinstance(value, int) and not isinstance(value, bool) and mutator.strikes():
        return rng.choice([rng.choice(NUMBERS), value + rng.choice([-1, 1, 2])])
    return value


def make(rng: random.Random) -> bytes:
    """Makes a changed file of a real network."""
    mutator = Mutator(rng, rng.choice([0.002, 0.01, 0.05]))
    tree = _change(mutator, rng.choice(_seeds()))
    if rng.random() < 0.2 and isinstance(tree, dict) and isinstance(tree.get("nodes"), list):
        tree["nodes"] = [
            {**node, "attrs": {mutator.text("shape"): rng.choice(TEXTS)}}
            if isinstance(node, dict) and rng.random() < 0.2
            else node
            for node in tree["nodes"]
        ]
    return mutator.damage(json.dumps(tree).encode("utf-8", "surrogatepass"))


def use(path: Path) -> None:
    """Loads a network, infers shapes and runs it once."""
    net = mx.sym.load(str(path))
    net.list_outputs(), net.tojson(), str(net), net.get_internals().list_outputs()
    shapes = {"data": (2, 4, 6, 6)} if "data" in net.list_arguments() else {}
    net.infer_type_partial()
    if net.infer_shape_partial(**shapes)[1] is None:
        return
    with mx.limits.scope(array_bytes=1 << 24):
        executor = net.simple_bind(mx.cpu(), grad_req="null", **shapes)
        for output in executor.forward():
            output.wait_to_read()


FORMAT = Format("symbol", "-symbol.json", make, use)
