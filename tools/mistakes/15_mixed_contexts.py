"""The network is on one device, the data on another."""

import mxnet as mx
from mxnet.gluon import nn

net = nn.HybridSequential()
net.add(nn.Dense(16, activation="relu"), nn.Dense(2))
net.initialize(ctx=mx.cpu(1))
net(mx.nd.ones((4, 8), ctx=mx.cpu(0)))
