"""What programs on hybridized blocks share."""

from __future__ import annotations

import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

from .core import GIVEN

folder = GIVEN["folder"]


warnings.simplefilter("ignore")
x, y = nd.array([[1, -2, 3], [4, 5, -6]]), nd.array([[1, 1, 2], [0, 2, 1]])


def block(function, hybrid=True, **kwargs):
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, *args):
            return function(F, *args)

    net = Net(prefix="net_", **kwargs)
    if hybrid:
        net.hybridize()
    return net


def both(function, *args):
    return [block(function, hybrid)(*args) for hybrid in (False, True)]


def twice(function, *args):
    net = block(function)
    return [net(*args), net(*args)]


def dense(units=2, **kwargs):
    net = nn.Dense(units, in_units=3, prefix="dense_", **kwargs)
    net.initialize(mx.init.One())
    return net


def stack(hybrid=True, **flags):
    net = nn.HybridSequential(prefix="stack_")
    net.add(
        nn.Dense(3, in_units=3, activation="relu", prefix="one_"),
        nn.BatchNorm(in_channels=3, prefix="two_"),
        nn.Dense(2, in_units=3, prefix="three_"),
    )
    net.initialize(mx.init.One())
    if hybrid:
        net.hybridize(**flags)
    return net


def after(net, change, *args):
    first = net(*args)
    change(net)
    return [first, net(*args)]


def gradients(net, *args, **options):
    for arg in args:
        arg.attach_grad()
    with autograd.record(**options):
        out = net(*args)
        total = out.sum() if not isinstance(out, (list, tuple)) else sum(o.sum() for o in out)
    total.backward(train_mode=options.get("train_mode", True))
    found = [arg.grad for arg in args]
    return found + [p.grad() for p in net.collect_params().values() if p.grad_req != "null"]


def states(net):
    return [p.data() for p in net.collect_params().values() if p.grad_req == "null"]


def step(net, trainer, data):
    with autograd.record():
        loss = (net(data) ** 2).sum()
    loss.backward()
    trainer.step(1)
    return loss


def train(net, steps=3):
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01, "momentum": 0.9})
    return [step(net, trainer, x) for _ in range(steps)] + [net(x)]


def requested(net, *requests):
    found = [gradients(net, x)]
    for request in requests:
        net.collect_params().setattr("grad_req", request)
        found += [gradients(net, x), gradients(net, x)]
    return found


def hybrid(net, **flags):
    net.hybridize(**flags)
    return net


def exported(net, **options):
    net(x)
    net.export(folder + "/e", **options)
    return net


def load():
    files = folder + "/e-symbol.json", ["data"], folder + "/e-0000.params"
    return gluon.SymbolBlock.imports(*files)


def cumulate(F, a):
    return F.contrib.foreach(lambda d, s: (d * s, d + s), a, F.sum(a, axis=0))[0]


def add_layer(net):
    net.add(nn.Dense(1, in_units=2, weight_initializer="ones", prefix="four_"))
    net.initialize()


def reload(net):
    net.save_parameters(folder + "/p")
    net[0].weight.set_data(nd.zeros((3, 3)))
    net.load_parameters(folder + "/p")


def moved(net):
    first = net(x)
    net.collect_params().reset_ctx(mx.cpu(1))
    return [first, net(x.as_in_context(mx.cpu(1)))]


def seen(net, attach, *args):
    calls = []
    attach(net, lambda *a: calls.append([type(i).__name__ for i in a]))
    out = [net(*args), net(*args)]
    return calls, out
