"""Parts of graphs, as csr arrays, in symbols."""

from __future__ import annotations

import mxnet as mx
import numpy as np

from . import core

NUMBERS = np.arange(1, 10).reshape(3, 3) * np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]])
ARRAYS = {
    "g": mx.nd.array(NUMBERS, dtype=np.int64).tostype("csr"),
    "v": mx.nd.array([0, 2], dtype=np.int64),
    "p": mx.nd.array([0.5, 0.5, 0.5]),
}
C = mx.sym.contrib


def _variables(*names):
    return [mx.sym.var(name, stype="csr" if name == "g" else None) for name in names]


def _about(symbol, *names):
    """Returns names, shapes, types and results; of rows that are not used there is no telling."""
    arrays = {name: ARRAYS[name] for name in names}
    executor = symbol.bind(mx.cpu(), arrays)
    outputs = [
        (out.stype, np.dtype(out.dtype).name, out.shape, out.asnumpy()[:3].tolist())
        for out in executor.forward()
    ]
    shapes = symbol.infer_shape(**{name: ARRAYS[name].shape for name in names})
    return symbol.list_arguments(), symbol.list_outputs(), shapes, outputs


def adjacency():
    symbol = C.dgl_adjacency(*_variables("g"))
    return _about(symbol, "g"), np.dtype(symbol.infer_type(g=np.int64)[1][0]).name


def subgraphs():
    return [
        _about(C.dgl_subgraph(*_variables("g", "v"), return_mapping=mapping), "g", "v")
        for mapping in (False, True)
    ]


def two_subgraphs():
    g, v = _variables("g", "v")
    return _about(C.dgl_subgraph(g, v, v, return_mapping=True, name="parts"), "g", "v")


def sampled_and_made_compact():
    sampled = C.dgl_csr_neighbor_uniform_sample(
        *_variables("g", "v"), num_args=2, num_hops=1, num_neighbor=3, max_num_vertices=4
    )
    compact = C.dgl_graph_compact(sampled[1], sampled[0], graph_sizes=3, return_mapping=False)
    return _about(sampled, "g", "v"), _about(compact, "g", "v")


def sampled_by_weights():
    sampled = C.dgl_csr_neighbor_non_uniform_sample(
        *_variables("g", "p", "v"), num_args=3, num_hops=1, num_neighbor=3, max_num_vertices=4
    )
    return _about(sampled, "g", "p", "v")


def names_in_a_scope():
    with mx.name.Prefix("p_"):
        first = C.dgl_adjacency(*_variables("g"))
        second = C.dgl_adjacency(*_variables("g"), name="mine")
        return first.name, second.name, C.dgl_adjacency(*_variables("g")).list_outputs()


PROGRAMS = core.functions(globals())
