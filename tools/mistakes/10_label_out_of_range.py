"""Labels count from 1, or there are more classes than outputs."""

import mxnet as mx
from mxnet import gluon

loss = gluon.loss.SoftmaxCrossEntropyLoss()
scores = mx.nd.random.normal(shape=(4, 10))
labels = mx.nd.array([1, 2, 9, 10])
loss(scores, labels)
