"""Iterators, files for them, and what their batches are."""

from __future__ import annotations

import copy
import os
import pickle
from collections import OrderedDict

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .core import GIVEN

folder = GIVEN["folder"]
DataDesc, DataBatch, DataIter = mx.io.DataDesc, mx.io.DataBatch, mx.io.DataIter
NDArrayIter, ResizeIter = mx.io.NDArrayIter, mx.io.ResizeIter
PrefetchingIter = mx.io.PrefetchingIter
a = np.arange(12).reshape(6, 2)
x = mx.nd.array(a)
names = lambda it: [(d.name, d.shape, str(np.dtype(d.dtype)), d.layout) for d in it]


def rows(it, rounds=1, reset="reset"):
    batches = []
    for _ in range(rounds):
        batches.append(
            [
                (
                    [d.asnumpy().ravel().tolist() for d in b.data],
                    [d.asnumpy().ravel().tolist() for d in b.label],
                    b.pad,
                )
                for b in it
            ]
        )
        getattr(it, reset)()
    return batches


def numbers(count, size, handle, **more):
    data = np.arange(count)
    return NDArrayIter(data, data * 10, size, last_batch_handle=handle, **more)


def file(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as f:
        f.write(text)
    return path


class Ones(DataIter):
    provide_data = [DataDesc("d", (2,), layout="NTC")]
    provide_label = [DataDesc("l", (2,))]
    default_bucket_key = 9
    left = 3

    def next(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return DataBatch([mx.nd.ones((2,))], [mx.nd.zeros((2,))], 0, bucket_key=4)

    def reset(self):
        self.left = 3


def iterator():
    it = numbers(10, 4, "pad")
    return locals()
