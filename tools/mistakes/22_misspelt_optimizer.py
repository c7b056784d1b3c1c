"""An optimizer is misspelt."""

from mxnet import gluon
from mxnet.gluon import nn

net = nn.Dense(2, in_units=3)
net.initialize()
gluon.Trainer(net.collect_params(), "adamm")
