"""What lines of `quantization_graphs.py` use: small networks, and graphs in few words."""

from __future__ import annotations

import json

import mxnet as mx
import numpy as np
from mxnet import sym
from mxnet.contrib import quantization

DATA = ("data", "a", "b")
x = sym.var("data")


def conv(data=x, name="c", **options):
    return sym.Convolution(data, **{"kernel": (3, 3), "num_filter": 4, "name": name, **options})


def pool(data=x, name="p", **options):
    return sym.Pooling(data, **{"kernel": (2, 2), "name": name, **options})


def dense(data=x, name="f", **options):
    return sym.FullyConnected(data, num_hidden=3, name=name, **options)


def relu(data=x, name="r"):
    return sym.Activation(data, act_type="relu", name=name)


def act(kind):
    return conv(sym.Activation(conv(), act_type=kind, name="t"), "d")


def bn(data=x, name="bn", **options):
    return sym.BatchNorm(data, name=name, **options)


def add(left, right, name="ad"):
    return sym.elemwise_add(left, right, name=name)


def mul(left, right, name="mu"):
    return sym.elemwise_mul(left, right, name=name)


def cat(*parts, **options):
    return sym.Concat(*parts, name="cc", **options)


def flat(data=x):
    return sym.flatten(data, name="fl")


def sin(data=x, name="s"):
    return sym.sin(data, name=name)


def emb(data=x, **options):
    return sym.Embedding(data, input_dim=5, output_dim=3, name="e", **options)


def twice(make, *parts):
    """Calls a function with one symbol, which both uses share."""
    shared = make()
    return sym.Group([part(shared) for part in parts])


def residual():
    first = add(conv(), conv(name="c2"))
    second = add(first, conv(relu(first), "d"), "ad2")
    return sym.SoftmaxOutput(dense(flat(pool(relu(conv(second, "e"), "r2")))), name="softmax")


def words(graph):
    """Returns the nodes of a graph with what they read, and the heads; variables if they say more."""
    graph = json.loads(graph.tojson())
    nodes = graph["nodes"]

    def entry(place):
        return nodes[place[0]]["name"] + (f":{place[1]}" if place[1] else "")

    rows = []
    for node in nodes:
        if node["op"] == "null" and not node.get("attrs"):
            continue
        attrs = " ".join(f"{key}={value}" for key, value in sorted(node.get("attrs", {}).items()))
        inputs = ",".join(map(entry, node["inputs"]))
        op = node["op"].replace("_contrib_", "")
        rows.append(f"{op} {node['name']}({inputs}) {attrs}")
    return [*rows, ",".join(map(entry, graph["heads"]))]


def q(graph, mode=None, offline=None, dtype="int8", ctx=None, **options):
    """Returns the quantized graph in both modes, or once if they agree."""
    if offline is None:
        offline = [name for name in graph.list_arguments() if name not in DATA]
    results = []
    for one in [mode] if mode else ["full", "smart"]:
        quantized, calibrated = quantization._quantize_symbol(
            graph,
            ctx or mx.cpu(),
            offline_params=offline,
            quantized_dtype=dtype,
            quantize_mode=one,
            **options,
        )
        results.append([*words(quantized), ",".join(calibrated)])
    return results[:1] if results[0] == results[-1] else results


def with_ranges(graph, ranges, **options):
    """Returns a quantized graph that knows ranges."""
    quantized, _ = quantization._quantize_symbol(
        graph, mx.cpu(), offline_params=graph.list_arguments()[1:], **options
    )
    return words(quantization._calibrate_quantized_sym(quantized, ranges))
