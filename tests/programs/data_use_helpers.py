"""Datasets and loaders, and what is kept of a round."""

from __future__ import annotations

import collections
import os
import pickle
import random

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

data = mx.gluon.data
vision = data.vision
A, L = data.ArrayDataset, data.DataLoader
X = np.arange(24, dtype="float32").reshape(8, 3)
Y = np.arange(8, dtype="int32")


def show(batch):
    if isinstance(batch, (list, tuple)):
        return [type(batch).__name__] + [show(part) for part in batch]
    if isinstance(batch, mx.nd.NDArray):
        kind = np.dtype(batch.dtype).name
        return ["nd", kind, list(batch.shape), batch.asnumpy().ravel().tolist()]
    if isinstance(batch, np.ndarray):
        return ["np", str(batch.dtype), list(batch.shape), batch.ravel().tolist()]
    return [type(batch).__name__, str(batch)]


def every(loader):
    return [show(batch) for batch in loader]


class Own(data.Dataset):
    def __init__(self, n=7):
        self.n = n

    def __getitem__(self, i):
        return X[i % 8], i

    def __len__(self):
        return self.n


class Dicts(Own):
    def __getitem__(self, i):
        return {"x": X[i], "y": i}


class Named(Own):
    P = collections.namedtuple("P", "image label")

    def __getitem__(self, i):
        return self.P(X[i], i)


class Lists(Own):
    def __getitem__(self, i):
        return [X[i], [i, X[i, :2]]]


class Single(Own):
    def __getitem__(self, i):
        return X[i]


class Arrays(Own):
    def __getitem__(self, i):
        return nd.array(X[i]), nd.array([i])


class NoLen:
    def __getitem__(self, i):
        return X[i]


class Plain:
    def __len__(self):
        return 5

    def __getitem__(self, i):
        return i, i * 0.5


class Ragged(Own):
    def __getitem__(self, i):
        return np.arange(i + 1), i


class Nested(Own):
    def __getitem__(self, i):
        return (X[i], (np.float32(i), nd.ones((2,)) * i)), "no"


def pad(samples):
    width = max(len(x) for x, _ in samples)
    out = np.zeros((len(samples), width))
    for row, (x, _) in zip(out, samples):
        row[: len(x)] = x
    return nd.array(out), nd.array([y for _, y in samples])


bs = data.BatchSampler
seq = data.SequentialSampler
