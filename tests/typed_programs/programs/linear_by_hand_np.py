"""Linear regression from scratch, on arrays of `mx.np`."""

import random

from typing_extensions import assert_type

from mxnet import autograd, np, npx

npx.set_np()


def synthetic_data(w, b, num_examples):
    X = np.random.normal(0, 1, (num_examples, len(w)))
    y = np.dot(X, w) + b
    y += np.random.normal(0, 0.01, y.shape)
    return X, y


true_w = np.array([2, -3.4])
features, labels = synthetic_data(true_w, 4.2, 64)
X = np.random.normal(0, 1, (64, 2))
assert_type(X, np.ndarray)
assert_type(X @ true_w + 4.2, np.ndarray)


def data_iter(batch_size, features, labels):
    indices = list(range(len(features)))
    random.shuffle(indices)
    for i in range(0, len(features), batch_size):
        batch = np.array(indices[i : min(i + batch_size, len(features))], dtype="int32")
        yield features[batch], labels[batch]


w = np.random.normal(0, 0.01, (2, 1))
b = np.zeros(1)
w.attach_grad()
b.attach_grad()
for epoch in range(2):
    for X, y in data_iter(16, features, labels):
        with autograd.record():
            y_hat = np.dot(X, w) + b
            loss = ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).sum()
        loss.backward()
        for param in [w, b]:
            param[:] = param - 0.03 * param.grad / 16
assert_type(w.grad, np.ndarray)
assert_type(X[0], np.ndarray)
assert_type(X[X > 0].size, int)
assert_type(2 * X - 1, np.ndarray)
assert_type(-X, np.ndarray)
assert_type(X == X, np.ndarray)
assert_type(X.T, np.ndarray)
assert_type(X.mean(axis=0), np.ndarray)
assert_type(X.astype("float64"), np.ndarray)
assert_type(X.copy(), np.ndarray)
assert_type(X.reshape(2, -1), np.ndarray)
assert_type(float(X.sum()), float)
for row in X:
    assert_type(row, np.ndarray)
assert_type(X.detach(), np.ndarray)
assert_type(X.as_in_ctx(npx.cpu()), np.ndarray)
X += 1
assert_type(X, np.ndarray)
npx.reset_np()
