"""Sparse arrays and a file for them."""

from __future__ import annotations

import copy
import os
import pathlib
import pickle

import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet.ndarray import sparse

from .core import GIVEN

folder = GIVEN["folder"]


def parts(x):
    if x.stype == "default":
        return x
    fields = [x.stype, x.shape, x.data, x.indices]
    return tuple(fields + [x.indptr] if x.stype == "csr" else fields)


a = sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))
b = sparse.row_sparse_array(([[1, -2], [3, 4]], [1, 2]), shape=(4, 2))
c = sparse.csr_matrix(([1, 2, 3], [1, 0, 2], [0, 1, 2, 3]), shape=(3, 4))
d = sparse.csr_matrix(([4, 5], [0, 3], [0, 1, 1, 2]), shape=(3, 4))
w = nd.arange(8).reshape((4, 2))
v = nd.arange(12).reshape((3, 4))
f = os.path.join(folder, "a.params")
