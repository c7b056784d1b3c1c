"""Files of sparse rows, and their batches."""

from __future__ import annotations

import os

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .data_iterator_helpers import file, folder, names, rows

data = file("d.t", "1.0 0:0.5 2:1.2\n-2.0\n-3.0 0:0.6 1:2.4 2:1.2\n4 2:-1.2\n")
label = file("l.t", "1.0\n-2.0 0:0.125\n-3.0 2:1.2\n4 1:1.0 2:-1.2\n")


def svm(**more):
    it = mx.io.LibSVMIter(**{**dict(data_libsvm=data, data_shape=(3,), batch_size=3), **more})
    return names(it.provide_data), names(it.provide_label), rows(it, 2)
