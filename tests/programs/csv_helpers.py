"""Files of numbers with commas, and their batches."""

from __future__ import annotations

import os

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .data_iterator_helpers import file, folder, names, rows

data = file("d.csv", "1,2,3\n2,3,4\n3,4,5\n4,5,6\n")
label = file("l.csv", "1\n2\n3\n4\n")


def csv(**more):
    it = mx.io.CSVIter(**{**dict(data_csv=data, data_shape=(3,), batch_size=3), **more})
    batches = rows(it, 3)
    return names(it.provide_data), names(it.provide_label), it.batch_size, batches


def indices(**more):
    it = mx.io.CSVIter(**{**dict(data_csv=data, data_shape=(3,), batch_size=3), **more})
    return [b.index.tolist() for b in it]
