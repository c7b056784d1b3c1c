"""Storage of results of two operands."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def run(function):
    found = []
    for left in ("default", "row_sparse", "csr"):
        for right in ("default", "row_sparse", "csr"):
            graph = function(mx.sym.var("a", stype=left), mx.sym.var("b", stype=right))
            value = nd.array([[1, 0, 0], [0, 0, 0], [3, 0, 1.0]])
            other = value + (right == "default")
            args = {"a": value.tostype(left), "b": other.tostype(right)}
            out = graph.bind(mx.cpu(), args, grad_req="null").forward()[0]
            found.append((left, right, out.stype, out.asnumpy()))
    return found


S = mx.sym
