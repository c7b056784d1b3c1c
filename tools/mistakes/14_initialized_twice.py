"""The parameters are initialized again."""

import mxnet as mx
from mxnet.gluon import nn

net = nn.Dense(2, in_units=3)
net.initialize()
net.initialize(mx.init.Xavier())
