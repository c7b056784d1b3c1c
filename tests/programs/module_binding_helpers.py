"""Modules of one layer, with and without buckets."""

from __future__ import annotations

import warnings

import mxnet as mx
import numpy as np
from mxnet import nd

S = mx.sym
v = S.var


def net(n=3):
    return S.SoftmaxOutput(S.FullyConnected(v("data"), num_hidden=n, name="fc"), name="softmax")


def attempted(function, *arguments, **options):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*arguments, **options)
    except Exception as error:
        return error


def made(need=False, req="write", train=True, ctx=None, **options):
    module = mx.mod.Module(net(), context=ctx or mx.cpu(), **options)
    module.bind(
        [("data", (2, 4))],
        [("softmax_label", (2,))],
        for_training=train,
        inputs_need_grad=need,
        grad_req=req,
    )
    module.init_params(mx.init.Constant(0.1))
    return module


def batch(n=2, d=4):
    return mx.io.DataBatch([nd.arange(n * d).reshape((n, d)) / 8], [nd.ones(n)])


def dense(key):
    """The network of a bucket, for rows of any length."""
    total = S.sum(v("data"), axis=1, keepdims=True)
    layer = S.FullyConnected(total, num_hidden=3, name="fc")
    return S.SoftmaxOutput(layer, name="softmax"), ("data",), ("softmax_label",)


def summed(key):
    """The same with a node more that has no name."""
    total = S.sum(v("data"), axis=1, keepdims=True)
    layer = S.tanh(S.FullyConnected(total, num_hidden=3, name="fc"))
    return S.SoftmaxOutput(layer, name="softmax"), ("data",), ("softmax_label",)


def bucketed(generate=dense, **options):
    module = mx.mod.BucketingModule(generate, default_bucket_key=4, **options)
    module.bind([("data", (2, 4))], [("softmax_label", (2,))])
    module.init_params(mx.init.Constant(0.1))
    module.init_optimizer(optimizer_params={"learning_rate": 0.5})
    return module


def bucket_batch(key):
    return mx.io.DataBatch(
        [nd.ones((2, key))],
        [nd.ones(2)],
        bucket_key=key,
        provide_data=[("data", (2, key))],
        provide_label=[("softmax_label", (2,))],
    )
