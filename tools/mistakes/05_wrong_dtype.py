"""Pixels are bytes, weights are float32."""

import mxnet as mx
from mxnet.gluon import nn

net = nn.HybridSequential()
net.add(nn.Conv2D(8, 3), nn.Dense(10))
net.initialize()
images = mx.nd.zeros((2, 3, 32, 32), dtype="uint8")
net(images)
