"""The images have four channels, the network was built for three."""

import mxnet as mx
from mxnet.gluon import nn

net = nn.HybridSequential()
net.add(
    nn.Conv2D(8, 3, in_channels=3, activation="relu"),
    nn.MaxPool2D(),
    nn.Conv2D(16, 3, in_channels=8),
    nn.Dense(10),
)
net.initialize()
images = mx.nd.zeros((2, 4, 32, 32))
net(images)
