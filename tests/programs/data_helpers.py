"""Datasets, samplers and loaders of data."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet.gluon.contrib.data import IntervalSampler

data = mx.gluon.data
A, S, L = data.ArrayDataset, data.SimpleDataset, data.DataLoader
X = np.arange(12).reshape(6, 2)
N = nd.array(X)
ten = S(list(range(10)))


def samplers():
    np.random.seed(3)
    R = data.RandomSampler
    return locals()


def loaders():
    np.random.seed(5)
    D = A(N, list(range(6)))

    def every(loader, rounds=2):
        return len(loader), [[batch for batch in loader] for _ in range(rounds)]

    seq = data.SequentialSampler(6)
    return locals()
