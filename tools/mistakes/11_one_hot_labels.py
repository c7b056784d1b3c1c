"""Labels are one-hot, the loss expects class numbers."""

import mxnet as mx
from mxnet import gluon

loss = gluon.loss.SoftmaxCrossEntropyLoss()
scores = mx.nd.random.normal(shape=(4, 10))
labels = mx.nd.one_hot(mx.nd.array([1, 2, 9, 0]), 10)
loss(scores, labels)
