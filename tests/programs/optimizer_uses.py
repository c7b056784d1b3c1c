"""Optimizers as programs use them: subclasses, parameters by name, a few rows of a weight."""

from __future__ import annotations

from functools import partial

import mxnet as mx
from mxnet import nd

from .core import functions, named
from .optimizer_use_helpers import updated

BY_NAME = ("w_weight", "w_bias", "w_gamma", "w_beta", "w", 0)


def _large_rates(momentum, index):
    return updated(mx.optimizer.LARS(learning_rate=0.1, momentum=momentum, eta=0.1), index)


def _own_rates(base):
    class Own(getattr(mx.optimizer, base)):
        def _get_lr(self, index):
            return super()._get_lr(index) * 0.5

        def _get_wd(self, index):
            return 0.25

    return updated(Own(learning_rate=0.1))


def rates_of_several_indices():
    class Own(mx.optimizer.SGD):
        def _get_lrs(self, indices):
            return [rate * 0.5 for rate in super()._get_lrs(indices)]

        def _get_wds(self, indices):
            return [0.25 for _ in indices]

    return updated(Own(learning_rate=0.1))


def multipliers_on_two_contexts():
    w = mx.sym.var("fc_weight", lr_mult=2.0, wd_mult=3.0)
    net = mx.sym.FullyConnected(mx.sym.var("data"), weight=w, num_hidden=2, name="fc")
    net = mx.sym.SoftmaxOutput(net, name="softmax")
    weights = []
    for store in ("local", None):
        m = mx.mod.Module(net, context=[mx.cpu(0), mx.cpu(1)])
        m.bind([("data", (2, 3))], [("softmax_label", (2,))])
        m.init_params(mx.init.One())
        m.init_optimizer(store, "lars", {"learning_rate": 0.1, "wd": 0.1})
        m.forward_backward(mx.io.DataBatch([nd.array([[1, 2, 3], [4, 5, 6]])], [nd.array([0, 1])]))
        m.update()
        weights.append(m.get_params()[0])
    return weights


PROGRAMS = {
    **{
        f"LARS with momentum {momentum}: {index!r}": partial(_large_rates, momentum, index)
        for momentum in (0, 0.9)
        for index in BY_NAME
    },
    **named(
        "optimizer_use_helpers",
        {
            f"rows with {options}": f"some_rows(mx.optimizer.{options})"
            for options in (
                "NAG(learning_rate=0.1, wd=0.1)",
                "NAG(learning_rate=0.1, wd=0.1, momentum=0.9)",
                "SGD(learning_rate=0.1, wd=0.1)",
                "SGD(learning_rate=0.1, wd=0.1, lazy_update=False)",
                "Signum(learning_rate=0.1, wd=0.1)",
            )
        },
    ),
    **{
        f"{base} with rates of its own": partial(_own_rates, base)
        for base in ("Adam", "RMSProp", "AdaGrad", "Adamax", "Nadam", "FTML", "Ftrl", "AdaDelta")
    },
    **named(
        "optimizer_use_helpers",
        {
            f"compared on {arguments}": f"compared({arguments})"
            for arguments in (
                "(3, 4), 'float32'",
                "(3, 4), 'float32', w_stype='row_sparse', g_stype='row_sparse'",
                "(3, 4), 'float32', g_stype='row_sparse'",
                "[(3, 4), (2,)], 'float64', ntensors=2",
                "[3, 4], 'float32', ntensors=2",
                "(3, 4), 'float32', ntensors=2",
            )
        },
    ),
    **functions(globals()),
}
