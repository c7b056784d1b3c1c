"""What programs of books on the NumPy dialect share: data, known weights, training and notes."""

from __future__ import annotations

import functools

import numpy as onp
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

r = []


def note(*values):
    """Keeps results, arrays by their class and values: an array of shape () has no old form."""
    r.extend(_kept(value) for value in values)


def _kept(value):
    if isinstance(value, (list, tuple)):
        return [_kept(item) for item in value]
    return [type(value).__name__, value.asnumpy()] if isinstance(value, np.ndarray) else value


def in_numpy_dialect(programs):
    """Makes programs begin with `npx.set_np()`, and leaves the old dialect to those after them."""
    return {name: _in_numpy_dialect(program) for name, program in programs.items()}


def _in_numpy_dialect(program):
    @functools.wraps(program)
    def run(**given):
        npx.set_np()
        try:
            return program(**given)
        finally:
            npx.reset_np()

    return run


class Formula(init.Initializer):
    def __init__(self, scale=0.3):
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, name, arr):
        values = onp.sin(onp.arange(arr.size) * 0.37 + len(arr.shape)) * self.scale
        arr[:] = np.array(values.reshape(arr.shape))


def draw(*shape, seed=1, s=1.0):
    """Returns the same normal numbers under both packages: their own generators differ."""
    return np.array(onp.random.RandomState(seed).normal(0, s, shape).astype("float32"))


def turns(n, m, *shape):
    return np.array((onp.arange(n) * 7 % m).reshape(shape or (n,)))


def made(net, scale=0.3):
    net.initialize(Formula(scale))
    return net


def chain(*layers):
    net = nn.Sequential()
    net.add(*layers)
    return made(net)


def fit(net, compute, name="sgd", steps=3, batch=1, **options):
    trainer = gluon.Trainer(net.collect_params(), name, options)
    for _ in range(steps):
        with autograd.record():
            loss = compute()
        loss.backward()
        trainer.step(batch, ignore_stale_grad=True)
        note(loss.mean())
    return trainer
