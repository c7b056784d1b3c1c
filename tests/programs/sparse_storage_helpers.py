"""Arrays of every storage type, and what operators, executors and optimizers make of them."""

from __future__ import annotations

from itertools import product

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd, sym

STYPES = ("default", "row_sparse", "csr")
ONE = np.array([[0, 1, 0, 2], [0, 0, 0, 0], [3, -4, 0, 0]], "float32")
TWO = np.array([[5, 0, 0, 1], [0, 0, 0, 0], [0, 2, 0, 0]], "float32")
sparse = nd.sparse


def parts(array):
    """Storage type and elements; the order of elements in a row of a csr array is left open."""
    return [array.stype, array.asnumpy()]


def attempt(compute):
    try:
        return compute()
    except Exception:  # noqa: BLE001 - that it fails is the result
        return "error"


def each(compute, stypes=STYPES):
    """What a function of one array gives for each storage type."""
    return {s: attempt(lambda s=s: parts(compute(nd.array(ONE).tostype(s)))) for s in stypes}


def pairs(compute, *kinds):
    """What a function of two arrays gives for some storage types, such as `"row_sparse csr"`."""
    chosen = [kind.split() for kind in kinds] or list(product(STYPES, repeat=2))
    return {
        f"{a} {b}": attempt(
            lambda a=a, b=b: parts(compute(nd.array(ONE).tostype(a), nd.array(TWO).tostype(b)))
        )
        for a, b in chosen
    }


def recorded(compute, *stypes):
    """A result computed while recording, and the gradients of its inputs."""
    arrays = [nd.array(v).tostype(s) for v, s in zip((ONE, TWO), stypes)]
    variables = [x for x in arrays if x.stype != "csr"]
    for x in variables:
        x.attach_grad(stype=x.stype)
    with autograd.record():
        y = compute(*arrays)
    y.backward(nd.arange(int(np.prod(y.shape))).reshape(y.shape) - 2)
    return [parts(y)] + [parts(x.grad) for x in variables]


def bound(compute, *stypes):
    """Storage types of the output and the gradients that `simple_bind` makes."""
    names = "ab"[: len(stypes)]
    y = compute(*[sym.var(name, stype=s) for name, s in zip(names, stypes)])
    executor = y.simple_bind(mx.cpu(), **{name: (3, 4) for name in names})
    return [executor.outputs[0].stype] + [executor.grad_dict[name].stype for name in names]


def gradient_storage(compute):
    """Those for a function of one symbol, alone and between others."""
    uses = (
        compute,
        lambda a: sym.sum(compute(a), axis=1),
        lambda a: sym.negative(compute(a)),
        lambda a: compute(sym.negative(a)),
        lambda a: sym.sin(compute(a)),
        lambda a: sym.elemwise_add(compute(a), a),
    )
    return [[attempt(lambda u=u, s=s: bound(u, s)) for s in STYPES] for u in uses]


def gradient_storage_of_two(compute):
    uses = (compute, lambda a, b: sym.sum(compute(a, b)))
    kinds = list(product(STYPES, repeat=2))
    return [[attempt(lambda u=u, k=k: bound(u, *k)) for k in kinds] for u in uses]


W = np.arange(18, dtype="float32").reshape((6, 3)) / 10
G = np.array([[0, 0, 0], [1, -2, 3], [0, 0, 0], [0, 0, 0], [0.5, 0.5, -1], [0, 0, 0]])


def updated(name, weight, gradient, dtype="float32", **options):
    """A weight after two steps of an optimizer."""
    optimizer = mx.optimizer.create(name, learning_rate=0.1, rescale_grad=0.5, **options)
    w, g = nd.array(W, dtype=dtype).tostype(weight), nd.array(G, dtype=dtype).tostype(gradient)
    update = mx.optimizer.get_updater(optimizer)
    update(0, g, w)
    update(0, g, w)
    return parts(w)


def csr(data, columns, pointers, shape=(3, 4), **options):
    return sparse.csr_matrix((data, columns, pointers), shape=shape, **options)


unsorted = csr([1, 2, 3, 4], [3, 1, 2, 0], [0, 2, 2, 4])
repeated = csr([1, 2, 3, 4, 5], [1, 1, 0, 3, 3], [0, 2, 2, 5])


def looked_up(indices, **options):
    """Vectors of a table and the rows of its gradient."""
    table = nd.array(W)
    table.attach_grad(stype="row_sparse")
    with autograd.record():
        y = nd.Embedding(nd.array(indices), table, input_dim=6, output_dim=3, **options)
    y.backward(nd.arange(int(np.prod(y.shape))).reshape(y.shape) - 2)
    return [y, table.grad.indices, table.grad.data]
