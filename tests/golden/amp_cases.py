"""Graphs for mixed precision, and numbers of its loss scale, under the original and this package.

Each case of `GRAPHS` is a function of the module `mxnet` that returns a symbol. `CONVERSIONS` has
the arguments of `convert_symbol` beside it.
"""

from __future__ import annotations

import json
import os
import tempfile


def _dense(mx, data, name, **options):
    return mx.sym.FullyConnected(data, num_hidden=3, name=name, **options)


def convolutions(mx):
    data = mx.sym.var("data")
    conv = mx.sym.Convolution(data, num_filter=4, kernel=(3, 3), name="conv0")
    norm = mx.sym.BatchNorm(conv, name="bn0")
    both = mx.sym.Activation(norm, act_type="relu", name="relu0")
    both = both + mx.sym.Activation(norm, act_type="softrelu", name="soft")
    first = _dense(mx, both, "fc0")
    second = _dense(mx, both, "fc1", no_bias=True)
    total = mx.sym.broadcast_add(mx.sym.exp(first, name="exp0"), second, name="total")
    parts = mx.sym.split(mx.sym.concat(first, second, name="cc"), num_outputs=2, name="parts")
    product = mx.sym.dot(parts[0], parts[1], transpose_b=True, name="dot0")
    return mx.sym.Group([mx.sym.SoftmaxOutput(total, name="softmax"), product])


def residual(mx):
    data = mx.sym.BatchNorm(mx.sym.var("data"), name="bn_data")
    body = mx.sym.Convolution(data, num_filter=2, kernel=(1, 1), no_bias=True, name="conv1")
    body = mx.sym.Activation(mx.sym.BatchNorm(body, name="bn1"), act_type="relu", name="relu1")
    body = mx.sym.Convolution(body, num_filter=2, kernel=(1, 1), no_bias=True, name="conv2")
    body = mx.sym.Activation(body + data, act_type="relu", name="relu2")
    pool = mx.sym.Pooling(body, kernel=(1, 1), global_pool=True, pool_type="avg", name="pool")
    return mx.sym.softmax(_dense(mx, mx.sym.Flatten(pool, name="flat"), "fc"), name="prob")


def attention(mx):
    words = mx.sym.Embedding(mx.sym.var("data"), input_dim=9, output_dim=4, name="embed")
    normed = mx.sym.LayerNorm(words, name="ln0")
    query = mx.sym.FullyConnected(normed, num_hidden=4, flatten=False, name="query")
    key = mx.sym.FullyConnected(normed, num_hidden=4, flatten=False, name="key")
    scores = mx.sym.batch_dot(query, key, transpose_b=True, name="scores") * 0.5
    weights = mx.sym.Dropout(mx.sym.softmax(scores, name="weights"), p=0.1, name="drop")
    value = mx.sym.batch_dot(weights, normed, name="value")
    out = mx.sym.FullyConnected(value, num_hidden=4, flatten=False, name="proj")
    out = mx.sym.LayerNorm(out + normed, name="ln1")
    return mx.sym.LeakyReLU(out, act_type="gelu", name="gelu")


def recurrent(mx):
    data = mx.sym.var("data")
    out = mx.sym.RNN(data, state_size=4, num_layers=1, mode="lstm", name="rnn", state_outputs=True)
    return mx.sym.Group([_dense(mx, out[0], "fc"), mx.sym.mean(out[1], name="mean"), out[2]])


def mixed_results(mx):
    data = mx.sym.var("data")
    low = _dense(mx, data, "low", no_bias=True)
    full = mx.sym.exp(_dense(mx, data, "other", no_bias=True), name="full")
    mask = mx.sym.SequenceMask(low, mx.sym.var("len"), use_sequence_length=True, name="mask")
    norm = mx.sym.BatchNorm(low, name="bn", output_mean_var=True)
    cast = mx.sym.cast(low, dtype="float32", name="cast")
    unknown = mx.sym.relu(mx.sym.var("data2"), name="unknown")
    return mx.sym.Group(
        [
            mask,
            norm[0],
            norm[1],
            mx.sym.broadcast_add(full, cast, name="sum0"),
            mx.sym.broadcast_add(low, unknown, name="sum1"),
            mx.sym.add_n(low, full, name="sum2"),
            mx.sym.LeakyReLU(low, mx.sym.var("slope"), act_type="prelu", name="prelu"),
            mx.sym.LeakyReLU(low, act_type="elu", name="elu"),
            data,
        ]
    )


GRAPHS = {f.__name__: f for f in (convolutions, residual, attention, recurrent, mixed_results)}

_DATA = {"mixed_results": ["data", "data2", "len"], "convolutions": ["data", "softmax_label"]}
CONVERSIONS = {
    "default": {},
    "parameters": {"data_names": True},
    "optional": {"data_names": True, "cast_optional_params": True},
    "excluded": {"data_names": True, "excluded_sym_names": ["fc0", "fc", "conv2", "query"]},
    "lists": {
        "target_dtype_ops": ["FullyConnected"],
        "fp32_ops": ["BatchNorm", "Pooling"],
        "conditional_fp32_ops": [("Activation", "act_type", ["relu"])],
    },
}


def convert(mx, amp, graph, conversion, dtype):
    """Returns the nodes of a converted graph, or the word `fails`."""
    options = dict(CONVERSIONS[conversion])
    if options.get("data_names"):
        options["data_names"] = _DATA.get(graph, ["data"])
    with mx.name.NameManager():
        symbol = GRAPHS[graph](mx)
    try:
        return nodes_of(amp.convert_symbol(symbol, target_dtype=dtype, **options))
    except mx.MXNetError:
        return "fails"


def nodes_of(symbol):
    """Returns the nodes of a graph in short: operator, name, attributes, what it reads."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "symbol.json")
        symbol.save(path, remove_amp_cast=False)
        with open(path) as file:
            graph = json.load(file)
    rows = [
        [node["op"], node["name"], node.get("attrs", {}), [entry[:2] for entry in node["inputs"]]]
        for node in graph["nodes"]
    ]
    return [*rows, [head[:2] for head in graph["heads"]]]


def nodes_after_init(mx):
    """Returns the nodes of graphs that are made while mixed precision is on."""
    found = {}
    for name, build in GRAPHS.items():
        with mx.name.NameManager():
            found[name] = nodes_of(build(mx))
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(mx.gluon.nn.Conv2D(2, 3), mx.gluon.nn.BatchNorm(), mx.gluon.nn.Dense(3))
    net.initialize()
    net.hybridize()
    net(mx.nd.ones((1, 2, 5, 5)))
    found["block"] = nodes_of(net._cached_graph[1])
    return found


OVERFLOWS = (3, 4, 5, 11, 17, 18, 30, 44)
"""Steps with a gradient that is not finite."""


def scales(mx, amp):
    """Returns loss scale, next scale and number of good steps over 50 steps, with overflows."""
    scaler = amp.loss_scaler.LossScaler()
    scaler._scale_seq_len = 5
    parameter = mx.gluon.Parameter("weight", shape=(2,))
    parameter.initialize()
    found = []
    for step in range(50):
        value = float("inf" if step % 2 else "nan") if step in OVERFLOWS else 1.0
        parameter.grad()[:] = mx.nd.array([1, value])
        overflow = scaler.has_overflow([parameter])
        found.append([overflow, scaler.loss_scale, scaler._next_loss_scale, scaler._unskipped])
    return found


def trained(mx, amp, steps=12):
    """Returns weights and scales of a trainer that skips steps; for after `amp.init`."""
    parameter = mx.gluon.Parameter("weight", shape=(2,), init="ones")
    parameter.initialize()
    trainer = mx.gluon.Trainer([parameter], "sgd", {"learning_rate": 0.5, "momentum": 0.5})
    amp.init_trainer(trainer)
    trainer._amp_loss_scaler._scale_seq_len = 4
    found = []
    for step in range(steps):
        with mx.autograd.record():
            loss = (parameter.data() * (step % 3)).sum()
            with amp.scale_loss(loss, trainer) as scaled:
                scaled.backward()
        if step in (2, 3, 7):
            parameter.grad()[:] = float("nan")
        elif step == 5:
            amp.unscale(trainer)
        trainer.step(2)
        found.append(
            [
                parameter.data().asnumpy().tolist(),
                trainer._scale,
                trainer._amp_loss_scaler.loss_scale,
            ]
        )
    return found
