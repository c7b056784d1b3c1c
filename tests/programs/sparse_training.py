"""Sparse gradients, and updates that touch their rows alone."""

from __future__ import annotations

from functools import partial

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

from .core import functions, named
from .sparse_symbol_helpers import data, sparse_variable, table
from .sparse_training_helpers import c, embed, p, parts, rows, w

OPTIMIZERS = {
    "sgd": ("sgd", {"learning_rate": 0.1, "wd": 0.05}),
    "sgd with momentum": ("sgd", {"learning_rate": 0.1, "wd": 0.05, "momentum": 0.9}),
    "sgd with clipping": ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "clip_gradient": 0.1}),
    "sgd, all rows": ("sgd", {"learning_rate": 0.1, "wd": 0.05, "lazy_update": False}),
    "sgd with momentum, all rows": (
        "sgd",
        {"learning_rate": 0.1, "wd": 0.05, "momentum": 0.9, "lazy_update": False},
    ),
    "adam": ("adam", {"learning_rate": 0.1, "wd": 0.05}),
    "adam, all rows": ("adam", {"learning_rate": 0.1, "wd": 0.05, "lazy_update": False}),
    "adagrad": ("adagrad", {"learning_rate": 0.1}),
    "groupadagrad": ("groupadagrad", {"learning_rate": 0.1}),
    "ftrl": ("ftrl", {"learning_rate": 0.1, "wd": 0.05}),
    "rmsprop": ("rmsprop", {"learning_rate": 0.01, "wd": 0.05}),
}

OPERATORS = {
    "sgd_update": (0, {"lr": 0.1, "wd": 0.1}),
    "sgd_mom_update": (1, {"lr": 0.1, "wd": 0.1, "momentum": 0.9}),
    "adam_update": (2, {"lr": 0.1, "wd": 0.1}),
    "ftrl_update": (2, {"lr": 0.1, "wd": 0.1}),
}
"""The number of states and the options of an operator."""

STORAGE = {
    "table": "storage(table(data, sparse_grad=True), data=(2, 2))",
    "dense table": "storage(table(data), data=(2, 2))",
    "table in a network": "storage(mx.sym.FullyConnected(table(data, sparse_grad=True), b, "
    "num_hidden=2, no_bias=True), data=(2, 2))",
    "table used twice": "storage(table(data, sparse_grad=True) + table(b, sparse_grad=True), "
    "data=(2,), b=(2,))",
    "table used otherwise": "storage(mx.sym.sum(table(data, sparse_grad=True)) + mx.sym.sum(w), "
    "data=(2, 2))['w']",
    "weight of sparse data": "storage(mx.sym.sparse.dot(csr, w), data=(2, 5), w=(5, 3))['w']",
    "weight of transposed data": (
        "storage(mx.sym.sparse.dot(csr, w, transpose_a=True), data=(2, 5), w=(2, 3))['w']"
    ),
}

CONTEXTS = {"mx.cpu()": mx.cpu(), "[mx.cpu(0), mx.cpu(1)]": [mx.cpu(0), mx.cpu(1)]}


def _ten_steps(optimizer, options):
    net = nn.Embedding(7, 3, sparse_grad=True)
    net.initialize()
    net.weight.set_data(nd.arange(21).reshape((7, 3)) / 10)
    trainer = gluon.Trainer(net.collect_params(), optimizer, options)
    losses = []
    for step in range(10):
        with autograd.record():
            loss = (net(nd.array([step % 3, 5, 5, step % 4])) ** 2).sum()
        loss.backward()
        trainer.step(4)
        losses.append(loss.asscalar())
    return losses, net.weight.data(), parts(net.weight.grad())


def _three_updates(optimizer, options, stype):
    updater = mx.optimizer.get_updater(mx.optimizer.create(optimizer, **options))
    g = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))
    x = w.tostype(stype)
    for _ in range(3):
        updater(0, g, x)
    state = updater.states[0]
    state = state if isinstance(state, tuple) else (state,)
    return parts(x), [None if part is None else part.asnumpy() for part in state]


def _two_updates(operator, states, options):
    g = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))
    m, n = nd.ones((4, 2)), nd.ones((4, 2))
    for _ in range(2):
        getattr(nd, operator)(w, g, *(m, n)[:states], out=w, **options)
    return w, m, n


def _table_in_a_module(optimizer, sparse, contexts):
    net = mx.sym.FullyConnected(table(data, sparse_grad=sparse), num_hidden=2, name="fc")
    m = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"), context=contexts)
    m.bind([("data", (2, 2))], [("softmax_label", (2,))])
    start = {"w": nd.arange(18).reshape((6, 3)) / 9, "fc_weight": nd.arange(12).reshape((2, 6)) / 6}
    m.init_params(arg_params={**start, "fc_bias": nd.zeros(2)})
    m.init_optimizer(optimizer=optimizer, optimizer_params={"learning_rate": 0.1, "wd": 0.1})
    for words in ([[0, 1], [1, 2]], [[3, 3], [0, 4]], [[5, 1], [0, 0]]):
        m.forward_backward(mx.io.DataBatch([nd.array(words)], [nd.array([0, 1])]))
        m.update()
    return m.get_params()[0]["w"]


def gradient_of_an_embedding():
    w.attach_grad(stype="row_sparse")
    with autograd.record():
        y = embed(nd.array([1, 3, 1]), w) * nd.array([[1], [2], [3]])
    y.backward()
    return parts(w.grad)


def gradient_of_an_embedding_whose_gradient_is_zero():
    w.attach_grad(stype="row_sparse")
    with autograd.record():
        y = embed(nd.array([1, 3, 1]), w) * 0
    y.backward()
    return parts(w.grad)


def gradients_are_written_not_added():
    w.attach_grad(stype="row_sparse")
    for i in range(2):
        with autograd.record():
            y = embed(nd.array([1, i]), w)
        y.backward()
    return parts(w.grad)


def a_new_gradient_is_empty():
    w.attach_grad(stype="row_sparse")
    return parts(w.grad)


def gradient_of_take():
    w.attach_grad(stype="row_sparse")
    with autograd.record():
        y = nd.take(w, nd.array([1, 1, 3]))
    y.backward()
    return parts(w.grad)


def gradient_of_dot():
    w.attach_grad(stype="row_sparse")
    with autograd.record():
        y = nd.dot(c, w)
    y.backward()
    return y, parts(w.grad)


def dense_gradient_of_dot():
    w.attach_grad()
    with autograd.record():
        y = nd.dot(c, w)
    y.backward()
    return y, w.grad


def gradient_through_dot():
    w.attach_grad()
    with autograd.record():
        y = nd.dot(c, w * 2)
    y.backward()
    return y, w.grad


def gradient_of_dot_with_the_transpose():
    v = nd.ones((3, 2))
    v.attach_grad()
    with autograd.record():
        y = nd.dot(c, v, transpose_a=True)
    y.backward()
    return parts(y), v.grad


def gradient_of_a_dense_use():
    w.attach_grad(stype="row_sparse")
    with autograd.record():
        y = w * 2
    y.backward()
    return parts(w.grad)


def gradient_of_both_uses():
    w.attach_grad(stype="row_sparse")
    with autograd.record():
        y = embed(nd.array([1]), w).sum() + (w * 2).sum()
    y.backward()
    return parts(w.grad)


def gradient_of_a_sparse_variable():
    a = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))
    a.attach_grad()
    with autograd.record():
        y = nd.square(a)
    y.backward()
    return parts(y), parts(a.grad)


def gradient_of_retain():
    a = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))
    a.attach_grad()
    with autograd.record():
        y = nd.sparse.retain(a, nd.array([1]))
    y.backward()
    return parts(y), parts(a.grad)


def gradient_of_sparse_rows_times_a_number():
    a = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))
    a.attach_grad()
    with autograd.record():
        y = a * 3
        z = y.sum()
    z.backward()
    return parts(y), parts(a.grad)


def value_of_a_sparse_parameter():
    return p.data()


def values_of_a_sparse_parameter():
    return p.list_data()


def rows_without_a_trainer():
    return p.row_sparse_data(rows)


def rows_of_a_parameter():
    t = gluon.Trainer([p], "sgd")
    return parts(p.row_sparse_data(rows))


def rows_asked_for_twice():
    t = gluon.Trainer([p], "sgd")
    return parts(p.row_sparse_data(nd.array([2, 0, 2])))


def rows_on_all_contexts():
    t = gluon.Trainer([p], "sgd")
    return [parts(x) for x in p.list_row_sparse_data(rows)]


def gradient_of_a_sparse_parameter():
    return parts(p.grad())


def rows_of_a_dense_parameter():
    q = gluon.Parameter("q", shape=(4, 2))
    q.initialize()
    return q.row_sparse_data(rows)


def unknown_storage_type():
    return gluon.Parameter("q", stype="other")


def training_a_sparse_parameter():
    t = gluon.Trainer([p], "sgd", {"learning_rate": 0.5, "wd": 0.1})
    for i in range(3):
        x = nd.array([i, 3])
        with autograd.record():
            y = embed(x, p.row_sparse_data(x)) * 2
        y.backward()
        t.step(1)
    return parts(p.grad()), parts(p.row_sparse_data(nd.arange(4)))


def gradient_set_to_zero():
    q = gluon.Parameter("q", shape=(4, 2), grad_stype="row_sparse")
    q.initialize()
    with autograd.record():
        y = embed(rows, q.data())
    y.backward()
    q.zero_grad()
    return parts(q.grad())


def gradient_clipped_by_its_norm():
    q = gluon.Parameter("q", shape=(4, 2), grad_stype="row_sparse")
    q.initialize()
    with autograd.record():
        y = embed(rows, q.data()) * 3
    y.backward()
    n = gluon.utils.clip_global_norm([q.grad()], 1.0)
    return float(n), parts(q.grad())


def rows_on_two_contexts():
    q = gluon.Parameter("q", shape=(4, 2), grad_stype="row_sparse")
    q.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
    t = gluon.Trainer([q], "sgd", {"learning_rate": 0.5}, update_on_kvstore=False)
    with autograd.record():
        ys = [embed(nd.array([i, 3], ctx=mx.cpu(i)), q.data(mx.cpu(i))) for i in (0, 1)]
    autograd.backward(ys)
    t.step(1)
    return [parts(x) for x in q.list_data()]


PROGRAMS = {
    **named(
        "sparse_symbol_helpers", {f"gradient of a {name}": text for name, text in STORAGE.items()}
    ),
    **named(
        sparse_variable, {f"gradient of a {name} in rows": text for name, text in STORAGE.items()}
    ),
    **named(
        sparse_variable,
        {
            f"gradient of {text} in rows": f"storage({text}, w=(4, 3))['w']"
            for text in (
                "mx.sym.square(w)",
                "w * 2",
                "mx.sym.relu(w)",
                "mx.sym.sum(w)",
                "mx.sym._internal._square_sum(w, axis=1, keepdims=True)",
                "mx.sym.elemwise_mul(w, w)",
                "mx.sym.elemwise_add(w, w)",
            )
        },
    ),
    **{
        f"module with {name}, sparse_grad={sparse}, on {title}": partial(
            _table_in_a_module, name, sparse, contexts
        )
        for name in ("sgd", "adam", "adagrad", "ftrl")
        for sparse in (True, False)
        for title, contexts in CONTEXTS.items()
        if (name, sparse) != ("adagrad", True)  # which the original refuses to decay
    },
    **{
        f"ten steps of {name}": partial(_ten_steps, *optimizer)
        for name, optimizer in OPTIMIZERS.items()
    },
    **{
        f"{name} on a {stype} weight": partial(_three_updates, *optimizer, stype)
        for name, optimizer in OPTIMIZERS.items()
        for stype in ("default", "row_sparse")
    },
    **{name: partial(_two_updates, name, *arguments) for name, arguments in OPERATORS.items()},
    **{
        f"{name} of all rows": partial(
            _two_updates, name, states, {**options, "lazy_update": False}
        )
        for name, (states, options) in OPERATORS.items()
        if name != "ftrl_update"
    },
    **functions(globals()),
}
