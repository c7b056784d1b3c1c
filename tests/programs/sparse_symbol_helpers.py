"""Variables, a table of one, and the storage types of gradients."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def storage(net, **shapes):
    e = net.simple_bind(mx.cpu(), **shapes)
    return {name: array.stype for name, array in sorted(e.grad_dict.items())}


data, w, b = (mx.sym.var(name) for name in ("data", "w", "b"))
csr = mx.sym.var("data", stype="csr")


def table(x, **options):
    return mx.sym.Embedding(x, w, input_dim=6, output_dim=3, name="table", **options)


def sparse_variable():
    global w
    w = mx.sym.var("w", stype="row_sparse")
