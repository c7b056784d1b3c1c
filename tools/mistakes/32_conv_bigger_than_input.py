"""The picture became smaller than the kernel."""

import mxnet as mx
from mxnet.gluon import nn

net = nn.HybridSequential()
for _ in range(3):
    net.add(nn.Conv2D(8, 3, activation="relu"), nn.MaxPool2D())
net.add(nn.Dense(10))
net.initialize()
net(mx.nd.zeros((1, 3, 12, 12)))
