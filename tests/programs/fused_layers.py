"""Programs that fuse layers by `get_backend_symbol`: nodes, names, attributes and what they compute."""

from __future__ import annotations

import json

import mxnet as mx
import numpy as np

from .core import functions, variants

S = mx.sym
BACKENDS = ("MKLDNN", "MKLDNN_QUANTIZE")


def _conv(data=None, name="c", **options):
    options = {"kernel": (3, 3), "num_filter": 4, "pad": (1, 1), **options}
    return S.Convolution(S.var("data") if data is None else data, name=name, **options)


def _dense(data=None, name="f", **options):
    return S.FullyConnected(
        S.var("data") if data is None else data, num_hidden=5, name=name, **options
    )


def _norm(data, name="b", **options):
    return S.BatchNorm(data, name=name, fix_gamma=False, **options)


def _act(data, act_type="relu", name="a"):
    return S.Activation(data, act_type=act_type, name=name)


def _leaky(data, act_type="leaky"):
    return S.LeakyReLU(data, act_type=act_type, name="a")


def _add(first, second, name="add"):
    return S.elemwise_add(first, second, name=name)


def _residual():
    inner = _act(_norm(_conv(name="c1"), name="b1"), name="a1")
    shortcut = _norm(_conv(name="c3", kernel=(1, 1), pad=(0, 0), no_bias=True), name="b3")
    block = _act(_add(_norm(_conv(inner, name="c2"), name="b2"), shortcut), name="a2")
    return _dense(S.Flatten(S.Dropout(block, name="d"), name="flat"))


def _two_users():
    conv = _conv()
    return S.concat(_act(conv), S.sigmoid(conv, name="s"), name="cc")


def _shared_weight():
    weight = S.var("w")
    parts = [
        _act(
            S.Convolution(
                S.var("data"), weight, no_bias=True, kernel=(3, 3), num_filter=4, name=name
            )
        )
        for name in ("c1", "c2")
    ]
    return S.Group(parts)


def _addend_before(second=False):
    conv, data = _conv(num_filter=3), S.var("data")
    return _act(_add(data, conv) if second else _add(conv, data))


NETWORKS = {
    **{
        f"conv_{kind}": lambda kind=kind: _act(_conv(), kind)
        for kind in ("relu", "sigmoid", "tanh")
    },
    **{f"conv_{kind}": lambda kind=kind: _act(_conv(), kind) for kind in ("softrelu", "softsign")},
    **{
        f"conv_{kind}": lambda kind=kind: _leaky(_conv(), kind) for kind in ("leaky", "elu", "gelu")
    },
    **{f"dense_{kind}": lambda kind=kind: _act(_dense(), kind) for kind in ("relu", "sigmoid")},
    **{
        f"dense_{kind}": lambda kind=kind: _leaky(_dense(), kind)
        for kind in ("leaky", "elu", "gelu")
    },
    **{
        f"dense_{kind}": lambda kind=kind: getattr(S, kind)(_dense(), name="a")
        for kind in ("exp", "square", "sqrt", "abs", "relu", "tanh")
    },
    "conv": _conv,
    "conv_without_bias": lambda: _conv(no_bias=True),
    "conv_relu6": lambda: S.clip(_conv(), 0, 6, name="a"),
    "conv_clip": lambda: S.clip(_conv(), -1, 1, name="a"),
    "conv_op_relu": lambda: S.relu(_conv(), name="a"),
    "conv_norm": lambda: _norm(_conv()),
    "conv_norm_relu6": lambda: S.clip(_norm(_conv(no_bias=True), eps=1e-4), 0, 6, name="a"),
    "conv_relu_norm": lambda: _norm(_act(_conv())),
    "norm_relu": lambda: _act(_norm(S.var("data"))),
    "two_users": _two_users,
    "sum": lambda: _add(_conv(num_filter=3, no_bias=True), S.var("data")),
    "sum_relu": _addend_before,
    "sum_from_the_right": lambda: _addend_before(second=True),
    "sum_plus": lambda: _conv(num_filter=3) + S.var("data"),
    "sum_broadcast": lambda: S.broadcast_add(_conv(num_filter=3), S.var("data"), name="add"),
    "sum_norm_relu": lambda: _act(_add(_norm(_conv(num_filter=3)), S.var("data"))),
    "sum_after_relu": lambda: _act(_add(_act(_conv(num_filter=3), name="a0"), S.var("data"))),
    "sum_sigmoid": lambda: _act(_add(_conv(num_filter=3), S.var("data")), "sigmoid"),
    "sum_clip": lambda: S.clip(_add(_conv(num_filter=3), S.var("data")), 0, 6, name="a"),
    "sum_leaky": lambda: _leaky(_add(_conv(num_filter=3), S.var("data"))),
    "sum_elu": lambda: _leaky(_add(_conv(num_filter=3), S.var("data")), "elu"),
    "sum_of_two": lambda: _act(_add(_conv(name="c1"), _conv(name="c2"))),
    "sum_of_three": lambda: _add(
        _conv(name="c3"), _add(_conv(name="c1"), _conv(name="c2"), "add1"), "add2"
    ),
    "depthwise": lambda: _act(_conv(num_filter=3, num_group=3)),
    "strided": lambda: _act(_conv(stride=(2, 2), dilate=(2, 2))),
    "deconvolution": lambda: _act(
        S.Deconvolution(S.var("data"), kernel=(3, 3), num_filter=4, name="c")
    ),
    "dense": _dense,
    "dense_last_axis": lambda: _dense(flatten=False),
    "dense_without_bias": lambda: _dense(no_bias=True),
    "dense_dense": lambda: _dense(_act(_dense(name="f1")), name="f2"),
    "dropout_between": lambda: _act(S.Dropout(_conv(), name="d")),
    "dropout_always": lambda: _act(S.Dropout(_conv(), mode="always", p=0.0, name="d")),
    "identity_between": lambda: _act(S.identity(_conv(), name="i")),
    "identity_of_a_variable": lambda: S.exp(S.identity(S.var("data"), name="i"), name="e"),
    "slices": lambda: _conv(S.SliceChannel(S.var("data"), num_outputs=3, name="s")[1]),
    "shared_weight": _shared_weight,
    "residual": _residual,
}


def _bind(symbol, shape=(2, 3, 6, 6), **options):
    executor = symbol.simple_bind(mx.cpu(), data=shape, grad_req="null", **options)
    rng = np.random.RandomState(3)
    for name, array in sorted({**executor.arg_dict, **executor.aux_dict}.items()):
        values = (
            rng.uniform(0.5, 1.5, array.shape) if "var" in name else rng.uniform(-1, 1, array.shape)
        )
        array[:] = mx.nd.array(values)
    return executor


def _show(node):
    inside = node.get("subgraphs", [{"nodes": []}])[0]["nodes"]
    parts = [f"{part['name']}:{part['op']}{part['inputs']}" for part in inside]
    return [node["op"], node["name"], sorted(node.get("attrs", {}).items()), node["inputs"], parts]


def _fuse(network):
    """Shows the operators of both backends."""
    shown = []
    for backend in BACKENDS:
        graph = json.loads(NETWORKS[network]().get_backend_symbol(backend).tojson())
        shown += [_show(node) for node in graph["nodes"] if node["op"] != "null"] + [graph["heads"]]
    return shown


def _compute(network):
    """Computes a fused network, also as in training, which is the same."""
    fused = NETWORKS[network]().get_backend_symbol("MKLDNN")
    executor = _bind(fused)
    results = executor.forward(is_train=False) + executor.forward(is_train=True)
    return [fused.list_arguments(), fused.list_auxiliary_states(), fused.list_outputs()] + [
        item.reshape((-1,))[:24] for item in results
    ]


def text_of_a_file():
    return NETWORKS["residual"]().get_backend_symbol("MKLDNN").tojson()


def text_of_a_file_that_was_read():
    return mx.sym.load_json(text_of_a_file()).tojson()


def internals():
    fused = NETWORKS["residual"]().get_backend_symbol("MKLDNN_QUANTIZE")
    return [fused.get_internals().list_outputs(), fused.attr_dict(), fused.list_attr()]


def shapes():
    return NETWORKS["residual"]().get_backend_symbol("MKLDNN").infer_shape(data=(2, 3, 6, 6))


def types():
    return NETWORKS["residual"]().get_backend_symbol("MKLDNN").infer_type(data="float32")


def optimized_for_a_backend():
    symbol = NETWORKS["sum_norm_relu"]()
    return symbol.optimize_for("MKLDNN").tojson() == symbol.get_backend_symbol("MKLDNN").tojson()


def an_unknown_backend():
    return _conv().get_backend_symbol("nothing")


def flags_of_older_files():
    text = NETWORKS["sum_relu"]().get_backend_symbol("MKLDNN").tojson()
    read = mx.sym.load_json(text.replace("with_postsum_act", "with_postsum_relu"))
    return json.loads(read.tojson())["nodes"][-1]["attrs"]


def an_unknown_attribute():
    text = _act(_conv()).get_backend_symbol("MKLDNN").tojson()
    return mx.sym.load_json(text.replace("with_act", "with_wings"))


def gradients():
    executor = _norm(_conv()).get_backend_symbol("MKLDNN").simple_bind(mx.cpu(), data=(1, 3, 4, 4))
    executor.forward(is_train=True)
    executor.backward(mx.nd.ones((1, 4, 4, 4)))
    return [float(array.sum().asscalar()) for array in executor.grad_arrays]


COMPUTED = (
    "conv_sigmoid", "conv_leaky", "conv_norm_relu6", "sum_from_the_right", "sum_norm_relu", "sum_of_two",
    "depthwise", "strided", "dense_gelu", "dense_last_axis", "residual",
)  # fmt: skip
PROGRAMS = {
    **functions(globals()),
    **variants("fused", _fuse, {name: {"network": name} for name in NETWORKS}),
    **variants("computed", _compute, {name: {"network": name} for name in COMPUTED}),
}
