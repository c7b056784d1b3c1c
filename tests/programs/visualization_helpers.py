"""Networks to be drawn and summarized."""

from __future__ import annotations

import contextlib
import io
import re
import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

warnings.simplefilter("ignore")
S = mx.sym


def mlp():
    net = S.FullyConnected(S.var("data"), num_hidden=128, name="fc1")
    net = S.Activation(net, act_type="relu", name="relu1")
    net = S.FullyConnected(net, num_hidden=10, name="fc2", no_bias=True)
    return S.SoftmaxOutput(net, name="softmax")


def lenet():
    net = S.Convolution(S.var("data"), kernel=(5, 5), num_filter=20, name="conv1")
    net = S.Activation(net, act_type="tanh", name="tanh1")
    net = S.Pooling(net, pool_type="max", kernel=(2, 2), stride=(2, 2), name="pool1")
    net = S.Convolution(net, kernel=(5, 5), num_filter=50, no_bias=True, name="conv2")
    net = S.Pooling(net, pool_type="avg", kernel=(2, 2), stride=(2, 2), name="pool2")
    net = S.FullyConnected(S.Flatten(net, name="flat"), num_hidden=500, name="fc1")
    return S.SoftmaxOutput(S.FullyConnected(net, num_hidden=10, name="fc2"), name="softmax")


def residual():
    conv = S.Convolution(S.var("data"), kernel=(3, 3), pad=(1, 1), num_filter=8, name="conv0")
    relu = S.Activation(S.BatchNorm(conv, name="bn0"), act_type="relu", name="relu0")
    conv = S.Convolution(relu, kernel=(3, 3), pad=(1, 1), num_filter=8, num_group=2, name="conv1")
    total = S.elemwise_add(S.BatchNorm(conv, name="bn1"), relu, name="sum")
    pool = S.Pooling(total, global_pool=True, kernel=(1, 1), pool_type="avg", name="pool")
    flat = S.Flatten(pool, name="flat")
    slope = S.LeakyReLU(S.Dropout(flat, p=0.3, name="drop"), act_type="prelu", name="prelu")
    return S.FullyConnected(S.Concat(flat, slope, dim=1, name="cat"), num_hidden=4, name="fc")


def words():
    net = S.Embedding(S.var("data"), input_dim=100, output_dim=8, name="embed")
    net = S.RNN(net, mode="lstm", state_size=4, num_layers=1, name="rnn")
    net = S.Reshape(S.Reshape(net, shape=(-1, 4), name="rows"), shape=(-1, 4, 1, 1), name="image")
    net = S.Deconvolution(net, kernel=(2, 2), num_filter=3, name="deconv")
    return S.FullyConnected(net, num_hidden=3, name="fc") + 1


def cell():
    outputs, _ = mx.rnn.LSTMCell(4, prefix="lstm_").unroll(2, S.var("data"), merge_outputs=True)
    return S.SoftmaxOutput(S.FullyConnected(outputs, num_hidden=3, name="out"), name="softmax")


def loop():
    return S.contrib.foreach(lambda d, s: (d + s, s * 2), S.var("data"), S.var("s"))[0]


def two():
    return S.split(S.var("data"), num_outputs=2, name="two")


def summary(build, shape=None, **options):
    text = io.StringIO()
    with mx.name.NameManager(), contextlib.redirect_stdout(text):
        mx.viz.print_summary(build(), shape, **options)
    return text.getvalue().splitlines()


def plot(build, **options):
    with mx.name.NameManager():
        found = mx.viz.plot_network(build(), **options)
    # The versions of graphviz order attributes otherwise.
    lines = []
    for line in found.body:
        name, _, attrs = line.strip().partition(" [")
        pairs = re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|[^ \]]+)', attrs)
        lines.append(
            (name, sorted((key, value.strip('"').replace("\n", "\\n")) for key, value in pairs))
        )
    return found.name, found.format, lines
