"""Graphs that draw random numbers, and what of these is the same in every run."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd, sym

R = sym.random
a, b = sym.var("a"), sym.var("b")
low, high = nd.array([0.5, 20]), nd.array([31.5, 33])


def drawn(graph, **arrays):
    """Shapes and types of what a graph gives, and what it tells of them before."""
    outputs = graph.bind(mx.cpu(), arrays).forward()
    shapes = graph.infer_shape(**{name: array.shape for name, array in arrays.items()})[1]
    types = graph.infer_type(**{name: array.dtype for name, array in arrays.items()})[1]
    found = [(y.shape, np.dtype(y.dtype).name) for y in outputs]
    names = graph.list_arguments(), graph.list_outputs()
    return found, names, shapes, [np.dtype(t).name for t in types]


def means(graph, digits=0, **arrays):
    """Rounded averages of the rows, which are the same for every seed."""
    mx.random.seed(5)
    rows = graph.bind(mx.cpu(), arrays).forward()[0].asnumpy().astype("float64")
    return [round(float(row.mean()), digits) for row in rows.reshape(rows.shape[0], -1)]


def repeats(draw, seed=3, ctx=None):
    """Whether a seed repeats what was drawn, and whether the next draw is the same."""
    options = {} if ctx is None else {"ctx": ctx}
    mx.random.seed(seed, **options)
    first, second = draw().asnumpy(), draw().asnumpy()
    mx.random.seed(seed, **options)
    again = draw().asnumpy()
    return [bool((first == again).all()), bool((first == second).all())]


def slopes(compute, *values):
    """Results and gradients of a graph, whose draws have no effect on them."""
    arrays = {name: nd.array(value) for name, value in zip("ab", values)}
    gradients = {name: nd.ones(array.shape) for name, array in arrays.items()}
    executor = compute(*[sym.var(name) for name in arrays]).bind(mx.cpu(), arrays, gradients)
    result = executor.forward(is_train=True)[0]
    executor.backward(nd.arange(int(np.prod(result.shape))).reshape(result.shape) - 1.5)
    return [result] + [gradients[name] for name in arrays]


def symbol_after_out(compute):
    """The graph of an array that was given as `out`, and what it computes."""
    x, out = nd.array([1.0, 2]), nd.zeros(2)
    x.attach_grad()
    with autograd.record():
        compute(x, out)
    graph = autograd.get_symbol(out)
    given = {name: nd.array([1.0, 2]) for name in graph.list_arguments()}
    return graph.bind(mx.cpu(), given).forward()[0], len(given), len(graph.get_internals())
