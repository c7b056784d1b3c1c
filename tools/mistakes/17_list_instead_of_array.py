"""A list is given in the place of an array."""

import mxnet as mx
from mxnet.gluon import nn

net = nn.HybridSequential()
net.add(nn.Dense(16, activation="relu"), nn.Dense(2))
net.initialize()
net([[1.0, 2.0, 3.0]])
