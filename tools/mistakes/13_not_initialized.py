"""The parameters have no values yet."""

import mxnet as mx
from mxnet.gluon import nn

net = nn.HybridSequential()
net.add(nn.Dense(16, activation="relu"), nn.Dense(2))
net(mx.nd.ones((4, 8)))
