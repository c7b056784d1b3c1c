"""Networks, batches and groups of contexts for modules."""

from __future__ import annotations

import warnings

import mxnet as mx
from mxnet import nd

warnings.simplefilter("ignore")


def network(hidden=3):
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=hidden, name="fc")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def all_params(module):
    return {name: array for part in module.get_params() for name, array in sorted(part.items())}


def in_groups(contexts, groups):
    with mx.AttrScope(ctx_group="one"):
        a = mx.sym.var("a") * 2
    with mx.AttrScope(ctx_group="other"):
        net = a + mx.sym.var("b")
    m = mx.mod.Module(net, ["a", "b"], None, context=contexts, group2ctxs=groups)
    m.bind([("a", (2, 3)), ("b", (2, 3))], inputs_need_grad=True)
    m.init_params()
    m.forward(mx.io.DataBatch([nd.ones((2, 3)), nd.ones((2, 3)) * 2]))
    m.backward([nd.ones((2, 3))])
    return [item.asnumpy() for item in (*m.get_outputs(), *m.get_input_grads())]
