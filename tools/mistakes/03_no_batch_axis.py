"""One image is given where a batch of images is expected."""

import mxnet as mx
from mxnet.gluon import nn


class Net(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.features = nn.HybridSequential()
        self.features.add(nn.Conv2D(8, 3), nn.GlobalAvgPool2D())
        self.output = nn.Dense(10)

    def hybrid_forward(self, F, x):
        return self.output(self.features(x))


net = Net()
net.initialize()
image = mx.nd.zeros((3, 32, 32))
net(image)
