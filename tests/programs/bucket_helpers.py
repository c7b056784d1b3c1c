"""A module with buckets, its batches, and the stages of its life."""

from __future__ import annotations

import os

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .module_log_helpers import f, lines, log

rng = np.random.RandomState(0)


def generate(size):
    data = mx.sym.var("data")
    net = mx.sym.Embedding(data, input_dim=7, output_dim=4, name="emb")
    net = mx.sym.FullyConnected(mx.sym.mean(net, axis=1), num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(net, name="softmax"), ("data",), ("softmax_label",)


def batch(size):
    return mx.io.DataBatch(
        [nd.array(rng.randint(0, 7, (4, size)))],
        [nd.array([0, 1, 2, 1])],
        pad=0,
        bucket_key=size,
        provide_data=[("data", (4, size))],
        provide_label=[("softmax_label", (4,))],
    )


class Batches(mx.io.DataIter):
    provide_data = [("data", (4, 6))]
    provide_label = [("softmax_label", (4,))]
    default_bucket_key = 6
    items = [batch(3), batch(6), batch(5), batch(3)]

    def reset(self):
        self.number = 0

    def next(self):
        self.number += 1
        if self.number > 4:
            raise StopIteration
        return self.items[self.number - 1]


train = Batches(4)
train.reset()
D, L = train.provide_data, train.provide_label
m = mx.mod.BucketingModule(generate, default_bucket_key=6, logger=log)


def fill():
    m.bind(D, L)
    m.init_params(mx.init.One())


def train_once():
    fill()
    m.init_optimizer(optimizer_params={"learning_rate": 0.5})
    for item in train:
        m.forward_backward(item)
        m.update()
