"""`trainer.step` comes before `backward`."""

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon import nn

net = nn.Dense(1, in_units=3)
net.initialize()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
with autograd.record():
    loss = net(mx.nd.ones((4, 3))).sum()
trainer.step(4)
