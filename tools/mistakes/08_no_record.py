"""The loss is computed outside of `record`."""

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon import nn

net = nn.Dense(1)
net.initialize()
loss = gluon.loss.L2Loss()(net(mx.nd.ones((4, 3))), mx.nd.ones((4, 1)))
loss.backward()
