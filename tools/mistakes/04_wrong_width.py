"""A dense layer gets 20 numbers for each example where it has weights for 10."""

import mxnet as mx
from mxnet.gluon import nn

net = nn.HybridSequential()
net.add(nn.Dense(16, in_units=10, activation="relu"), nn.Dense(2, in_units=16))
net.initialize()
net.hybridize()
net(mx.nd.zeros((4, 20)))
