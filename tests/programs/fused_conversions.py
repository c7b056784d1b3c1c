"""Programs that quantize fused layers: which nodes there are, before and after conversions merge."""

from __future__ import annotations

import json

import mxnet as mx
import numpy as np
from mxnet.contrib import quantization

from .core import variants

S = mx.sym


def _conv(name, data=None, **options):
    options = {"kernel": (3, 3), "num_filter": 4, "pad": (1, 1), **options}
    return S.Convolution(S.var("data") if data is None else data, name=name, **options)


def _relu(data, name="r"):
    return S.Activation(data, act_type="relu", name=name)


def _dense(name, data=None, **options):
    data = S.var("data") if data is None else data
    return S.FullyConnected(data, num_hidden=5, name=name, **options)


def _join(*arrays, name="cc"):
    return S.concat(*arrays, name=name)


def _pool(data):
    return S.Pooling(data, kernel=(3, 3), pad=(1, 1), pool_type="max", name="p")


def _add(first, second):
    return S.elemwise_add(first, second, name="add")


def _shared_in_join():
    shared = _relu(_conv("c1"))
    return S.Group([_join(shared, _conv("c2")), _conv("c3", shared)])


def _some_shared_in_join():
    shared = _relu(_conv("c1"))
    joined = _join(shared, _conv("c2"), _relu(_conv("c3"), "r3"), S.var("data"))
    return S.Group([joined, _conv("c4", shared)])


def _shared_behind_pooling():
    pooled = _pool(_relu(_conv("c1")))
    return _join(pooled, _conv("c2"), _relu(_conv("c3", pooled), "r3"))


def _read_twice():
    shared = _relu(_conv("c1"))
    return S.Group([_dense("f", shared), S.exp(shared, name="e")])


def _joined_again():
    return _join(_join(_conv("c1"), _conv("c2")), _relu(_conv("c3")), name="cd")


def _inner_read_again():
    inner = _join(_conv("c1"), _conv("c2"))
    return S.Group([_join(inner, _conv("c3"), name="cd"), _conv("c9", inner)])


NETWORKS = {
    "conv": lambda: _relu(_conv("c1")),
    "two_convs": lambda: _conv("c2", _relu(_conv("c1"))),
    "dense": lambda: _dense("f2", _relu(_dense("f1"))),
    "conv_and_dense": lambda: _relu(_dense("f", _conv("c1"))),
    "residual": lambda: _relu(_add(_conv("c1"), _conv("c2"))),
    "sum_of_two": lambda: _dense("f", _add(_relu(_conv("c1")), _relu(_conv("c2"), "r2"))),
    "product": lambda: S.elemwise_mul(_conv("c1"), _conv("c2"), name="mul"),
    "product_and_dense": lambda: _dense("f", S.elemwise_mul(_conv("c1"), _conv("c2"), name="mul")),
    "joined": lambda: _join(_relu(_conv("c1")), _conv("c2"), _relu(_conv("c3"), "r3")),
    "joined_and_pooled": lambda: _join(_pool(_relu(_conv("c1"))), _conv("c2")),
    "joined_with_data": lambda: _join(S.var("data"), _conv("c1")),
    "joined_sums": lambda: _join(_add(_relu(_conv("c1")), _relu(_conv("c2"), "r2")), _conv("c3")),
    "joined_flat": lambda: _join(
        S.Flatten(_conv("c1"), name="l1"), S.Flatten(_conv("c2"), name="l2")
    ),
    "joined_again": _joined_again,
    "joined_inner_read_again": _inner_read_again,
    "joined_and_read_elsewhere": _shared_in_join,
    "joined_and_some_read_elsewhere": _some_shared_in_join,
    "joined_and_pooled_read_elsewhere": _shared_behind_pooling,
    "read_twice": _read_twice,
    "norm": lambda: S.BatchNorm(_relu(_conv("c1")), name="bn", fix_gamma=False),
}


def _show(symbol):
    """Shows the operators of a graph, ranges in few digits: the last ones are a matter of rounding."""
    shown = []
    for node in json.loads(symbol.tojson())["nodes"]:
        attrs = {
            key: round(float(value), 3) + 0.0 if "calib_range" in key else value
            for key, value in node.get("attrs", {}).items()
        }
        if node["op"] != "null":
            shown.append([node["op"], node["name"], sorted(attrs.items()), node["inputs"]])
    return shown


def _quantize(network, excluded=None, **options):
    symbol = NETWORKS[network]()
    shapes, _, state_shapes = symbol.infer_shape(data=(2, 3, 6, 6))
    rng = np.random.RandomState(5)
    arguments = {
        name: mx.nd.array(rng.uniform(-0.5, 0.5, shape))
        for name, shape in zip(symbol.list_arguments(), shapes)
        if name != "data"
    }
    states = {
        name: mx.nd.array(rng.uniform(0.5, 1, shape))
        for name, shape in zip(symbol.list_auxiliary_states(), state_shapes)
    }
    data = mx.io.NDArrayIter(rng.uniform(0, 1, (4, 3, 6, 6)).astype("float32"), batch_size=2)
    if options.get("calib_mode") == "none":
        data = None
    quantized, arguments, _ = quantization.quantize_model(
        symbol.get_backend_symbol("MKLDNN_QUANTIZE"),
        arguments,
        states,
        data_names=("data",),
        label_names=None,
        ctx=mx.cpu(),
        calib_data=data,
        num_calib_examples=4,
        quantized_dtype="auto",
        quantize_mode="full",
        excluded_sym_names=excluded,
        **{"calib_mode": "naive", **options},
    )
    types = [(name, str(np.dtype(array.dtype))) for name, array in sorted(arguments.items())]
    return [_show(quantized), _show(quantized.get_backend_symbol("MKLDNN_QUANTIZE")), types]


PROGRAMS = {
    **variants("quantized", _quantize, {name: {"network": name} for name in NETWORKS}),
    **variants(
        "quantized",
        _quantize,
        {
            "without_calibration": {"network": "residual", "calib_mode": "none"},
            "by_channel": {"network": "dense", "quantize_granularity": "channel-wise"},
            "without_a_layer": {"network": "joined", "excluded": ["sg_mkldnn_conv_1"]},
            "without_a_part": {"network": "two_convs", "excluded": ["c2"]},
        },
    ),
}
