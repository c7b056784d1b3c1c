"""Programs with self-attention as fused operators: graphs, files, and what they compute on bytes.

Results are those of the original with SciPy.
"""

from __future__ import annotations

import json

import mxnet as mx
import numpy as np
from mxnet import gluon, nd, sym
from mxnet.contrib import quantization

from .core import functions, variants

HEADS = 2


def _scores(data=None, name="qk"):
    data = sym.var("data") if data is None else data
    return sym.contrib.interleaved_matmul_selfatt_qk(data, heads=HEADS, name=name)


def _sums(data=None, weights=None, name="va"):
    data, weights = (
        sym.var(name) if item is None else item
        for item, name in ((data, "data"), (weights, "weights"))
    )
    return sym.contrib.interleaved_matmul_selfatt_valatt(data, weights, heads=HEADS, name=name)


def _attention(data, name=""):
    weights = sym.softmax(_scores(data, f"{name}qk"), axis=-1, name=f"{name}sm")
    return _sums(data, weights, f"{name}va")


def _dense(data, name, units):
    return sym.FullyConnected(data, num_hidden=units, flatten=False, name=name)


def _network():
    first = _attention(_dense(sym.var("data"), "f1", 12), "x")
    return _dense(_attention(_dense(first, "f2", 18), "y"), "f3", 5)


def _without_weights():
    data = sym.var("data")
    return sym.Group([_sums(data, _scores(data)), _scores(data, "qk2")])


def _to_encoder():
    asked, given = sym.var("data"), sym.var("given")
    return sym.contrib.interleaved_matmul_encdec_qk(asked, given, heads=HEADS, name="qk")


def _nodes(graph):
    nodes = json.loads(graph.tojson())["nodes"]
    return [
        (n["op"], n["name"], n.get("attrs", {}), n["inputs"], n.get("subgraphs", [])) for n in nodes
    ]


def _fused(graph, backend):
    return _nodes(graph().get_backend_symbol(backend))


def _values(graph, **shapes):
    random = np.random.RandomState(0)
    found, _, _ = graph.infer_shape(**shapes)
    return {n: nd.array(random.normal(size=s)) for n, s in zip(graph.list_arguments(), found)}


def _on_floats(graph, **shapes):
    fused = graph().get_backend_symbol("MKLDNN")
    values = _values(graph(), **shapes)
    return [item.asnumpy() for item in fused.bind(mx.cpu(), values).forward()]


def _quantized_node(product, **attrs):
    """Returns a fused operator on bytes, as it stands in a file."""
    graph = json.loads(product.get_backend_symbol("MKLDNN").tojson())
    node = graph["nodes"].pop()
    node["attrs"].update({"quantized": "True", **attrs})
    count = len(graph["nodes"])
    ends = [f"{end}_{item['name']}" for item in graph["nodes"] for end in ("min", "max")]
    graph["nodes"] += [{"op": "null", "name": name, "inputs": []} for name in ends] + [node]
    node["inputs"] += [[count + place, 0, 0] for place in range(len(ends))]
    last, num_outputs = len(graph["nodes"]) - 1, 1 if "enable_float_output" in attrs else 3
    graph["arg_nodes"] = list(range(last))
    graph["heads"] = [[last, output, 0] for output in range(num_outputs)]
    graph["node_row_ptr"] = [*range(last + 1), last + num_outputs]
    return sym.load_json(json.dumps(graph))


def _on_bytes(product, num_outputs=3, size=5, **attrs):
    graph = _quantized_node(product(), **attrs)
    random = np.random.RandomState(size)
    values = {
        "data": nd.array(random.randint(-128, 128, (4, 3, HEADS * 3 * size)), dtype="int8"),
        "weights": nd.array(random.randint(0, 256, (3 * HEADS, 4, 4)), dtype="uint8"),
        **{"min_data": nd.array([-1.7]), "max_data": nd.array([1.3])},
        **{"min_weights": nd.array([0.0]), "max_weights": nd.array([0.97])},
    }
    values = {name: values[name] for name in graph.list_arguments()}
    results = graph.bind(mx.cpu(), values, grad_req="null").forward()
    types = graph.infer_type(**{name: item.dtype for name, item in values.items()})[1]
    return [item.asnumpy() for item in results][:num_outputs], graph.list_outputs(), types


class _Block(gluon.HybridBlock):
    """Self-attention between two dense layers."""

    def __init__(self, **options):
        super().__init__(**options)
        with self.name_scope():
            self.first = gluon.nn.Dense(48, flatten=False, in_units=16)
            self.last = gluon.nn.Dense(16, flatten=False, in_units=16)

    def hybrid_forward(self, F, x):
        projected = self.first(x)
        scores = F.contrib.interleaved_matmul_selfatt_qk(projected, heads=4)
        weights = F.softmax(scores, axis=-1)
        return self.last(F.contrib.interleaved_matmul_selfatt_valatt(projected, weights, heads=4))


def _quantized_block(folder, **options):
    net = _Block(prefix="net_")
    net.initialize()
    random = np.random.RandomState(0)
    for parameter in net.collect_params().values():
        parameter.set_data(nd.array(random.normal(0, 0.3, parameter.shape)))
    data = nd.array(random.normal(size=(6, 3, 16)))
    quantized = quantization.quantize_net_v2(net, calib_data=[[data]], **options)
    quantized.hybridize()
    result = quantized(data).asnumpy()
    quantized.export(f"{folder}/net")
    nodes = _nodes(sym.load(f"{folder}/net-symbol.json"))
    return [(op, name, sorted(attrs), inputs) for op, name, attrs, inputs, _ in nodes], result


def quantized_by_range(folder):
    return _quantized_block(folder, calib_mode="naive")


def quantized_by_channel(folder):
    return _quantized_block(folder, calib_mode="naive", quantize_granularity="channel-wise")


def quantized_by_entropy_where_it_helps(folder):
    return _quantized_block(folder, calib_mode="entropy", quantize_mode="smart")


def quantized_without_scores(folder):
    operators = ["_sg_mkldnn_selfatt_qk"]
    return _quantized_block(folder, calib_mode="naive", exclude_operators=operators)


def _smart_alone():
    graph = _attention(sym.var("data")).get_backend_symbol("MKLDNN_QUANTIZE")
    found, _, _, _ = quantization.quantize_graph(
        graph, {}, {}, calib_mode="naive", quantize_mode="smart"
    )
    return [row[:4] for row in _nodes(found)]


RANGE = {"min_calib_range": "-0.9", "max_calib_range": "0.8"}
FLOATS = {"enable_float_output": "True"}

PROGRAMS = {
    **functions(globals()),
    "smart_alone": _smart_alone,
    **variants(
        "fused",
        _fused,
        {
            f"{graph.__name__[1:]}_{backend}": {"graph": graph, "backend": backend}
            for graph in (_network, _without_weights, _to_encoder, _scores, _sums)
            for backend in ("MKLDNN", "MKLDNN_QUANTIZE")
        },
    ),
    "floats_scores": lambda: _on_floats(_scores, data=(4, 3, 12)),
    "floats_sums": lambda: _on_floats(_sums, data=(4, 3, 12), weights=(6, 4, 4)),
    "floats_network": lambda: _on_floats(_network, data=(4, 3, 7)),
    # The range of scores that are not calibrated is not set by the original.
    "bytes_scores": lambda: _on_bytes(_scores, num_outputs=1),
    "bytes_scores_calibrated": lambda: _on_bytes(_scores, **RANGE),
    "bytes_scores_positive": lambda: _on_bytes(_scores, min_calib_range="0", max_calib_range="2"),
    "bytes_scores_floats": lambda: _on_bytes(_scores, size=6, **FLOATS),
    "bytes_sums": lambda: _on_bytes(_sums),
    "bytes_sums_calibrated": lambda: _on_bytes(_sums, **RANGE),
    "bytes_sums_floats": lambda: _on_bytes(_sums, size=6, **FLOATS),
}
