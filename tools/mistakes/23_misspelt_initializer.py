"""An initializer is misspelt."""

from mxnet.gluon import nn

net = nn.Dense(2, in_units=3, weight_initializer="xaiver")
net.initialize()
