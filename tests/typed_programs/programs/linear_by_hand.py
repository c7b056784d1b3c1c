"""Linear regression from scratch, on arrays of `mx.nd`."""

import random

from typing_extensions import assert_type

from mxnet import autograd, nd

true_w, true_b = nd.array([2, -3.4]), 4.2
features = nd.random.normal(scale=1, shape=(64, 2))
labels = nd.dot(features, true_w) + true_b
labels += nd.random.normal(scale=0.01, shape=labels.shape)
assert_type(labels, nd.NDArray)


def batches(batch_size, features, labels):
    indices = list(range(len(features)))
    random.shuffle(indices)
    for start in range(0, len(features), batch_size):
        chosen = nd.array(indices[start : start + batch_size])
        yield features.take(chosen), labels.take(chosen)


def linear(X, w, b):
    return nd.dot(X, w) + b


def squared_loss(prediction, y):
    return (prediction - y.reshape(prediction.shape)) ** 2 / 2


def sgd(params, lr, batch_size):
    for param in params:
        param[:] = param - lr * param.grad / batch_size


w = nd.random.normal(scale=0.01, shape=(2, 1))
b = nd.zeros(shape=(1,))
for param in [w, b]:
    param.attach_grad()
for _ in range(2):
    for X, y in batches(16, features, labels):
        with autograd.record():
            loss = squared_loss(linear(X, w, b), y)
        loss.backward()
        sgd([w, b], 0.03, 16)
train_loss = squared_loss(linear(features, w, b), labels)
print(f"loss {train_loss.mean().asnumpy()}")
assert_type(w.grad, nd.NDArray)
assert_type(features[0], nd.NDArray)
assert_type(features[0:3, 1], nd.NDArray)
assert_type(features > 0, nd.NDArray)
assert_type(nd.dot(-features, w), nd.NDArray)
assert_type(1 - features, nd.NDArray)
assert_type(features.T, nd.NDArray)
assert_type(features.shape, tuple[int, ...])
assert_type(float(b), float)
noise = nd.random_normal(shape=(2, 3), ctx=features.context)
assert_type(noise + nd.random_uniform(low=0, high=1, shape=(2, 3), ctx="cpu(0)"), nd.NDArray)
