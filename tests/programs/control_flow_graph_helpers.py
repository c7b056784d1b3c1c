"""What loops and branches in graphs are called with."""

from __future__ import annotations

import json

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

F, S = mx.sym.contrib, mx.sym
x, s, w, i, a, b = (S.var(name) for name in ("x", "s", "w", "i", "a", "b"))


def flat(values):
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in flat(value)]
    return [values]


def plain(graph):
    # What counts the loops of the whole program is left out.
    for node in graph["nodes"]:
        node.get("attrs", {}).pop("__subgraph_name__", None)
        if not node.get("attrs", 1):
            del node["attrs"]
        for inner in node.get("subgraphs", []):
            plain(inner)
    return graph


def show(build):
    with mx.name.NameManager():
        values = build()
    group = S.Group(flat(values))
    graph = plain(json.loads(group.tojson()))
    return graph, group.list_arguments(), group.list_outputs(), nesting(values)


def nesting(values):
    return [nesting(value) for value in values] if isinstance(values, (list, tuple)) else 1


def chained():
    out, states = F.foreach(lambda d, t: (d + t[0], [t[0]]), x, [s])
    return F.foreach(lambda d, t: (d + t[0], [t[0]]), out, states)


def nested():
    e = w * 2

    def outer(d, t):
        f = d * 3
        return F.foreach(lambda p, q: (p + q * e + f.sum(), q + w), d, t)

    return F.foreach(outer, x, s)
