"""The images have their channels last."""

import mxnet as mx
from mxnet.gluon import nn

net = nn.HybridSequential()
net.add(nn.Conv2D(8, 3, in_channels=3), nn.GlobalAvgPool2D(), nn.Dense(10))
net.initialize()
images = mx.nd.zeros((2, 32, 32, 3))
net(images)
