"""A network, and how it is watched."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

data = mx.sym.var("data")
net = mx.sym.FullyConnected(data, num_hidden=2, name="fc1")
net = mx.sym.Activation(net, act_type="relu", name="act")
net = mx.sym.FullyConnected(net, num_hidden=2, name="fc2")
net = mx.sym.SoftmaxOutput(net, name="softmax")


def make(symbol, **shapes):
    exe = symbol.simple_bind(mx.cpu(), **shapes)
    for array in exe.arg_arrays:
        array[:] = 0.5
    return exe


def watch(symbol, *steps, shapes={"data": (2, 4)}, **options):
    exe = make(symbol, **shapes)
    monitor = mx.mon.Monitor(**options)
    monitor.install(exe)
    found = []
    for train in steps:
        monitor.tic()
        exe.forward(is_train=train)
        if train:
            exe.backward()
        found.append(monitor.toc())
    return found


def names(symbol, heads=None, monitor_all=False, train=True, **shapes):
    exe = make(symbol, **shapes)
    found = []
    exe.set_monitor_callback(lambda name, array: found.append(name), monitor_all)
    exe.forward(is_train=True)
    if train:
        exe.backward(heads)
    return found


a, b = mx.sym.var("a"), mx.sym.var("b")
loss = mx.sym.MakeLoss
rounded = lambda x: (x.abs().max() * 8).round()
