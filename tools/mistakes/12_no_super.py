"""The constructor does not call that of its base."""

from mxnet.gluon import nn


class Net(nn.HybridBlock):
    def __init__(self):
        self.dense = nn.Dense(10)


Net()
