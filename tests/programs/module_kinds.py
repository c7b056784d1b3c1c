"""Modules in a chain, modules in Python, and modules with sparse weights."""

from __future__ import annotations

import mxnet as mx
from mxnet import nd

from . import core
from .chain_helpers import D, L, batch, fill, m, one, rng
from .module_log_helpers import lines
from .module_stages import SHAPES


def chain_trained():
    fill()
    m.init_optimizer(optimizer_params={"learning_rate": 0.1})
    for _ in range(3):
        m.forward_backward(batch)
        m.update()
    metric = mx.metric.create("ce")
    m.update_metric(metric, batch.label)
    return m.get_params(), m.get_outputs(), float(metric.get()[1])


def chain_bound_twice():
    fill()
    m.bind(D, L)
    return lines


def chain_fit():
    data = mx.io.NDArrayIter(rng.rand(8, 6), rng.randint(0, 3, 8), 4)
    m.fit(data, num_epoch=2, initializer=mx.init.One(), eval_data=data)
    return m.get_params(), [line.split("=")[0] for line in lines]


def chain_with_a_name_twice():
    m = mx.mod.SequentialModule().add(mx.mod.Module(one, label_names=None))
    again = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=5, name="a")
    m.add(mx.mod.Module(again, ["x"], None), auto_wiring=True)
    m.bind(D)
    return m.init_params()


def loss_without_a_gradient():
    loss = mx.mod.PythonLossModule()
    loss.bind([("data", (4, 3))], [("softmax_label", (4,))])
    loss.forward(mx.io.DataBatch([nd.ones((4, 3))], [nd.ones(4)]))
    return loss.backward()


PROGRAMS = {
    **core.named(
        "sparse_module_helpers",
        {
            "sparse: one context": "train(None, 1, 'sgd')",
            "sparse: momentum": "train(None, 1, 'sgd', momentum=0.9)",
            "sparse: adam": "train(None, 1, 'adam')",
            "sparse: two contexts": "train('local', 2, 'sgd')",
            "sparse: two contexts, rows": "train('local', 2, 'sgd', rows)",
            "sparse: a store, rows": "train(mx.kv.create(), 1, 'sgd', rows)",
        },
    ),
    **core.lines("chain_helpers", SHAPES, "chain: "),
    **core.lines(fill, SHAPES, "chain bound: "),
    **core.named(
        "loss_helpers",
        {"loss": "trained()", "loss shapes": "(m.output_names, m.output_shapes, m.label_shapes)"},
    ),
    **core.functions(globals()),
}
