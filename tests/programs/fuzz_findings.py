"""Programs that random ones were reduced to, where they differed."""

from __future__ import annotations

from functools import partial

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .core import functions, lines
from .heads_helpers import grads, network, x, y

DETACHED = lines(
    "detached_helpers",
    """
    slope(lambda: b.detach() * x, lambda: write(b))
    slope(lambda: b.detach() * x, lambda: grow(b))
    slope(lambda: d * x, lambda: write(b))
    slope(lambda: d * x, lambda: write(d))
    slope(lambda: nd.dot(x.detach(), x), lambda: write(x))
    slope(lambda: nd.exp(b.detach() * x), lambda: b.__setitem__(0, 2))
    """,
)


def _parts(options):
    net = network(options)
    r = []
    for heads in ([0, 1], [0], [1], [0, 1]):
        with autograd.record():
            first, (second, third) = net(x, y)
        autograd.backward([(first, second)[i] for i in heads])
        r.append(grads(net))
    return r


def _trained(options):
    net = network(options)
    r = []
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
    for step in range(4):
        with autograd.record():
            first, (second, third) = net(x, y)
            loss = (first if step % 2 else second).square().sum()
        loss.backward()
        trainer.step(1, ignore_stale_grad=True)
        r += [p.data().copy() for p in net.collect_params().values()]
    return r


def _added(options):
    net = network(options)
    r = []
    net.collect_params().setattr("grad_req", "add")
    for _ in range(2):
        with autograd.record():
            first, (second, third) = net(x, y)
        second.backward(retain_graph=True)
        first.backward()
        r.append(grads(net))
    with autograd.record():
        first, (second, third) = net(x, y)
    r.append(autograd.grad([first], [x, net.one.weight.data()]))
    return r


_OPTIONS = {"eager": None, "hybridized": {}, "static": {"static_alloc": True, "static_shape": True}}

PARTS_OF_RESULTS = {
    f"{what} {name}": partial(program, options)
    for what, program in {"parts": _parts, "trained": _trained, "added": _added}.items()
    for name, options in _OPTIONS.items()
}


def parts_of_a_called_graph():
    a, b = mx.sym.var("a"), mx.sym.var("b")
    call = nd.CachedOp(mx.sym.Group([mx.sym.exp(a * 2), mx.sym.sin(b), a - b]))
    x = nd.array([1.0, 2])
    y = nd.array([3.0, 4])
    x.attach_grad()
    y.attach_grad()
    r = []
    for head in (2, 0, 1):
        with autograd.record():
            results = call(x, y)
        results[head].backward()
        r += [x.grad.copy(), y.grad.copy()]
    return r


def gamma_of_zeros():
    return [nd.gamma(nd.array([0.0, -0.0], dtype=t)) for t in ("float16", "float32", "float64")]


def bytes_that_overflow():
    x = nd.array([3, 6, 21, 22, 23, 28, 54, 100], dtype="uint8")
    return [getattr(x, name)() for name in ("exp", "expm1", "sinh", "cosh", "square", "degrees")]


def negatives():
    arrays = [
        nd.array([1, 0, 2], dtype=t) for t in ("bool", "uint8", "int32", "float16", "float64")
    ]
    x = nd.array([1.0, -2, 0])
    x.attach_grad()
    with autograd.record():
        y = -x
    y.backward()
    return [-a for a in arrays], y, x.grad


def axes_as_strings():
    x = nd.arange(6).reshape((2, 3))
    return [x.expand_dims("1"), x.expand_dims(axis="-3"), x.expand_dims(np.int64(2))]


PROGRAMS = DETACHED | PARTS_OF_RESULTS | functions(globals())
