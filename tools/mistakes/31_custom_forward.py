"""A mistake in a `forward` of one's own, in a net of several blocks."""

import mxnet as mx
from mxnet.gluon import nn


class Residual(nn.Block):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential()
        self.body.add(nn.Conv2D(channels, 3), nn.BatchNorm(), nn.Activation("relu"))

    def forward(self, x):
        return x + self.body(x)


net = nn.Sequential()
net.add(nn.Conv2D(8, 3), Residual(8), nn.Dense(10))
net.initialize()
net(mx.nd.zeros((2, 3, 32, 32)))
