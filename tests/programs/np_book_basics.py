"""The NumPy dialect as its book begins: preliminaries, linear networks, perceptrons, computation."""

from __future__ import annotations

import os

import mxnet as mx
import numpy as onp
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from .core import functions
from .np_book_helpers import Formula, chain, draw, fit, in_numpy_dialect, made, note, r, turns


def arrays_and_what_they_are():
    x = np.arange(12)
    note(x, x.shape, x.size, len(x), str(x), repr(x))
    X = x.reshape(3, 4)
    note(X, x.reshape(-1, 4), x.reshape(3, -1), np.zeros((2, 3, 4)), np.ones((1, 2)), np.eye(2))
    note(np.array([[2, 1, 4, 3], [1, 2, 3, 4]]), str(X), repr(X), repr(np.zeros(())), str(X.sum()))
    note(np.array([True, False]).dtype, np.array([1, 2]).dtype, np.array(3).dtype, X.T, X.ndim)
    return r


def operations_between_arrays():
    x, y = np.array([1, 2, 4, 8]), np.array([2, 2, 2, 2])
    note(x + y, x - y, x * y, x / y, x**y, np.exp(x), x == y, x < y, -x, x % 3, 2**y, 1 / x)
    X, Y = np.arange(12).reshape(3, 4), np.array([[2, 1, 4, 3], [1, 2, 3, 4], [4, 3, 2, 1]])
    note(np.concatenate([X, Y], axis=0), np.concatenate([X, Y], axis=1), X == Y, X.sum())
    a, b = np.arange(3).reshape(3, 1), np.arange(2).reshape(1, 2)
    note(a + b, a * b, (X > Y).sum(), np.stack([X, Y]).shape, np.where(X > Y, X, Y))
    return r


def arrays_without_axes_as_attributes():
    x = np.array([[1.5, -2.0, 3.25], [0.5, 4.0, -1.0]])
    top = x.max()
    note(np.clip(x, 0, top - 1), x.clip(np.min(x[0]), top / 2), np.clip(x, np.array(0.5), None))
    note(npx.leaky_relu(x, act_type="leaky", slope=x[1, 0]), np.arange(top), np.full((2,), top))
    note(np.clip(x, onp.array(-1.0), onp.float64(2)), np.clip(x, 0, np.array(onp.inf)))
    note(np.sum(x, axis=np.array(1, dtype="int32")), np.tile(x, np.array(2, dtype="int32")))
    x.attach_grad()
    with autograd.record():
        y = np.clip(x, 0, x.max() - 1).sum()
    y.backward()
    note(y, x.grad)
    return r


def indexing_and_writing():
    X = np.arange(12).reshape(3, 4)
    note(X[-1], X[1:3], X[1, 2], X[:, 1], X[[0, 2]], X[X > 6], X[..., None].shape)
    X[1, 2] = 9
    X[0:2, :] = 12
    note(X)
    X[X > 11] = -1
    X[:, -1] += 5
    X[[0, 2], [1, 0]] = np.array([70, 80])
    note(X, X[2, 1].item(), X[2, 0].tolist(), X.tolist())
    return r


def saving_memory_and_conversion():
    X, Y = np.arange(6).reshape(2, 3), np.ones((2, 3))
    before = id(Y)
    Y = Y + X
    note(id(Y) == before)
    Z = np.zeros_like(Y)
    before = id(Z)
    Z[:] = X + Y
    note(id(Z) == before, Z)
    before = id(X)
    X += Y
    note(id(X) == before, X, np.add(X, Y, out=Z) is Z, Z)
    A = X.asnumpy()
    B = np.array(A)
    note(type(A).__name__, type(B).__name__, isinstance(A, onp.ndarray), B)
    a = np.array([3.5])
    note(a, a.item(), float(a), int(a), bool(a), a.as_nd_ndarray().shape, type(a.as_nd_ndarray()))
    note(type(a.as_nd_ndarray().as_np_ndarray()).__name__, onp.mean(B), np.array(2.5).shape)
    return r


def missing_values_of_a_table():
    rows = [[None, 1.0, 127500], [2.0, None, 106000], [4.0, 0.0, 178100], [None, None, 140000]]
    table = onp.array([[onp.nan if v is None else v for v in row] for row in rows], "float32")
    table[:, 0] = onp.where(onp.isnan(table[:, 0]), onp.nanmean(table[:, 0]), table[:, 0])
    X, y = np.array(table[:, :2]), np.array(table[:, 2])
    X[:, 1] = np.nan_to_num(X[:, 1])
    note(X, y, np.isnan(np.array(table)).sum(), y.mean(), y.astype("int32"))
    return r


def linear_algebra():
    A = np.arange(20).reshape(5, 4)
    x, y = np.arange(4), np.ones(4)
    note(A.T, A.sum(axis=0), A.sum(axis=[0, 1]), A.mean(), A.sum() / A.size, A.mean(axis=0))
    note(A / A.sum(axis=1, keepdims=True), A.cumsum(axis=0), np.dot(x, y), np.sum(x * y))
    note(np.dot(A, x), np.dot(A, np.ones((4, 3))), A * A, A.copy() is A, A.shape)
    u = np.array([3, -4])
    note(np.linalg.norm(u), np.abs(u).sum(), np.linalg.norm(np.ones((4, 9))), (u**2).sum() ** 0.5)
    S = np.array([[4.0, 1], [1, 3]])
    note(np.linalg.inv(S), np.linalg.det(S), np.linalg.solve(S, np.array([1.0, 2])))
    note(np.linalg.eigvalsh(S), np.linalg.cholesky(S), np.tensordot(A, A, axes=2), np.trace(S))
    note(np.einsum("ij,kj->ik", A, A), np.outer(x, y), np.matmul(S, S), S @ u, np.linalg.svd(S)[1])
    return r


def calculus():
    def f(x):
        return 3 * x**2 - 4 * x

    for h in (0.1, 0.01):
        note(round((f(1 + h) - f(1)) / h, 5))
    x = np.arange(0.5, 3, 0.5)
    note(f(x), 2 * x - 3, np.diff(f(x)), np.gradient(f(x)) if hasattr(np, "gradient") else None)
    note(np.polyval(np.array([3, -4, 0]), x), np.linspace(-1, 1, 5), np.logspace(0, 2, 3))
    return r


def automatic_differentiation():
    x = np.arange(4.0)
    x.attach_grad()
    note(x.grad)
    with autograd.record():
        y = 2 * np.dot(x, x)
    note(y)
    y.backward()
    note(x.grad, x.grad == 4 * x)
    with autograd.record():
        y = x.sum()
    y.backward()
    note(x.grad)
    with autograd.record():
        y = x * x
    y.backward()
    note(x.grad)
    with autograd.record():
        y = x * x
        u = y.detach()
        z = u * x
    z.backward()
    note(x.grad == u)
    y.backward()
    note(x.grad == 2 * x)

    def f(a):
        b = a * 2
        while np.linalg.norm(b) < 1000:
            b = b * 2
        return b if b.sum() > 0 else 100 * b

    for value in (0.3, -1.7):
        a = np.array(value)
        a.attach_grad()
        with autograd.record():
            d = f(a)
        d.backward()
        note(d, a.grad, a.grad == d / a)
    with autograd.record():
        y = np.sin(x)[1:3].prod() + np.log(x[3])
    note(autograd.grad(y, [x])[0].asnumpy())
    return r


def probability():
    fair = np.array([1.0 / 6] * 6)
    counts = np.random.multinomial(1000, fair)
    note(counts.sum(), counts.shape, np.random.multinomial(10, fair, size=(3,)).shape)
    for x in (np.random.normal(0, 1, (3, 4)), np.random.uniform(size=(2, 3)), np.random.rand(2)):
        note(x.shape, str(x.dtype), bool((np.abs(x) < 9).all()))
    x = np.random.normal(2, 3, size=(20000,))
    note(
        round(float(x.mean())) == 2, round(float(x.std())) == 3, np.random.randint(5, size=3).shape
    )
    x = np.arange(6)
    np.random.shuffle(x)
    note(sorted(x.tolist()), np.random.choice(5, 3).shape, str(np.random.randint(0, 9, (2,)).dtype))
    prior, likelihood = np.array([0.0015, 0.9985]), np.array([1.0, 0.01])
    note(prior * likelihood / (prior * likelihood).sum(), draw(50).var(), draw(50, 2).std(axis=0))
    mx.random.seed(3)
    first = np.random.normal(size=4)
    npx.random.seed(3)
    note((first == np.random.normal(size=4)).all())
    return r


def _regression(n=40):
    X = draw(n, 2)
    w, b = np.array([2, -3.4]), 4.2
    return X, np.dot(X, w) + b + draw(n, seed=2, s=0.01)


def linear_regression_from_scratch():
    X, labels = _regression()

    def batches(size):
        for i in range(0, len(X), size):
            j = np.array(list(range(i, min(i + size, len(X)))))
            yield X[j], labels[j]

    w, b = draw(2, 1, seed=3, s=0.01), np.zeros(1)
    w.attach_grad()
    b.attach_grad()

    def squared_loss(p, y):
        return (p - y.reshape(p.shape)) ** 2 / 2

    for epoch in range(3):
        for x, y in batches(10):
            with autograd.record():
                l = squared_loss(np.dot(x, w) + b, y)
            l.backward()
            for p in (w, b):
                p[:] = p - 0.1 * p.grad / 10
        note(
            f"epoch {epoch + 1}, loss {float(squared_loss(np.dot(X, w) + b, labels).mean()):f}"[:16]
        )
    note(w, b, np.array([2, -3.4]) - w.reshape(2))
    return r


def linear_regression_concise():
    X, y = _regression()
    batches = gluon.data.DataLoader(gluon.data.ArrayDataset(X, y), 10, shuffle=False)
    first = next(iter(batches))
    note([type(item).__name__ for item in first], first[0].shape, first[1].shape)
    net = nn.Sequential()
    net.add(nn.Dense(1))
    net.initialize(Formula(0.01))
    loss = gluon.loss.L2Loss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    for _ in range(3):
        for data, label in batches:
            with autograd.record():
                l = loss(net(data), label)
            l.backward()
            trainer.step(10)
        note(loss(net(X), y).mean())
    note(net[0].weight.data(), net[0].bias.data(), net[0].weight.grad(), net)
    return r


def softmax_regression():
    X, y = draw(12, 6), turns(12, 3)

    def softmax(X):
        e = np.exp(X)
        return e / e.sum(1, keepdims=True)

    def accuracy(p, y):
        if p.ndim > 1 and p.shape[1] > 1:
            p = p.argmax(axis=1)
        compared = p.astype(y.dtype) == y
        return float(compared.astype(y.dtype).sum())

    W, b = draw(6, 3, seed=2, s=0.01), np.zeros(3)
    for p in (W, b):
        p.attach_grad()
    for _ in range(4):
        with autograd.record():
            p = softmax(np.dot(X.reshape((-1, W.shape[0])), W) + b)
            l = -np.log(p[range(len(p)), y])
        l.backward()
        for q in (W, b):
            q -= 0.5 * q.grad / 12
        note(l.mean(), accuracy(p, y) / len(y))
    note(W, b, npx.pick(p, y), npx.one_hot(y, 3)[:2], p.argmax(axis=1))
    net = chain(nn.Dense(3))
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    fit(net, lambda: loss(net(X), y), batch=12, learning_rate=0.5)
    note(net(X)[:2], npx.softmax(net(X))[0].sum(), npx.log_softmax(net(X))[1])
    return r


def perceptrons():
    x = np.arange(-8.0, 8.0, 4)
    x.attach_grad()
    for f in (npx.relu, npx.sigmoid, np.tanh, lambda x: np.maximum(x, 0), npx.leaky_relu):
        with autograd.record():
            y = f(x)
        y.backward()
        note(y, x.grad)
    X, y = draw(8, 5), turns(8, 3)
    W1, b1, W2, b2 = draw(5, 7, seed=2, s=0.1), np.zeros(7), draw(7, 3, seed=3, s=0.1), np.zeros(3)
    params, loss = [W1, b1, W2, b2], gluon.loss.SoftmaxCrossEntropyLoss()
    for p in params:
        p.attach_grad()
    for _ in range(3):
        with autograd.record():
            l = loss(np.dot(np.maximum(np.dot(X, W1) + b1, 0), W2) + b2, y)
        l.backward()
        for p in params:
            p[:] = p - 0.5 * p.grad / 8
        note(l.mean())
    net = chain(nn.Dense(7, activation="relu"), nn.Dense(3))
    fit(net, lambda: loss(net(X), y), batch=8, learning_rate=0.5)
    return r


def weight_decay_and_polynomials():
    x = draw(10, 1)
    poly = np.power(x, np.arange(4).reshape(1, -1))
    note(poly[:2], poly.shape)
    y = np.dot(poly, np.array([5, 1.2, -3.4, 5.6])) + draw(10, seed=2, s=0.1)
    w = draw(4, 1, seed=3)
    w.attach_grad()
    with autograd.record():
        l = ((np.dot(poly, w) - y.reshape(-1, 1)) ** 2).mean() + 3 * (w**2).sum() / 2
    l.backward()
    note(l, w.grad)
    net = chain(nn.Dense(1))
    net.collect_params(".*bias").setattr("wd_mult", 0)
    loss = gluon.loss.L2Loss()
    fit(net, lambda: loss(net(poly), y), batch=10, learning_rate=0.003, wd=3)
    note(np.linalg.norm(net[0].weight.data()), net[0].bias.data())
    return r


def dropout():
    def layer(X, keep):
        mask = np.array([0.1, 0.7, 0.4, 0.9]) < keep
        return mask.astype(np.float32) * X / keep

    X = np.arange(8).reshape(2, 4)
    note(layer(X, 0.5), layer(X, 1.0))
    drop = nn.Dropout(0.5)
    note(drop(X), npx.dropout(X, p=0.3))
    with autograd.record():
        Y = drop(np.ones((100, 100)))
    note(bool(((Y == 0) | (Y == 2)).all()), 0.4 < float((Y == 0).mean()) < 0.6)
    with autograd.train_mode():
        note(npx.dropout(X, p=0.0))
    return r


def numerical_stability():
    x = np.arange(-8.0, 8.0, 2)
    x.attach_grad()
    with autograd.record():
        y = npx.sigmoid(x)
    y.backward()
    note(y, x.grad)
    M = draw(4, 4)
    for i in range(10):
        M = np.dot(M, draw(4, 4, seed=i + 2))
    note(M / 1000, np.log(np.array([0.0, -1.0, 1.0])), np.isinf(np.exp(np.array([100.0]))))
    logits = np.array([[1000.0, 0, -1000]])
    note(npx.log_softmax(logits), npx.softmax(logits), np.array(1e30) * np.array(1e30))
    return r


def house_prices():
    rng = onp.random.RandomState(5)
    numbers, kinds = rng.normal(3, 2, (24, 3)), rng.randint(0, 3, 24)
    numbers = (numbers - numbers.mean(0)) / numbers.std(0)
    features = np.array(onp.hstack([numbers, onp.eye(3)[kinds]]), dtype=np.float32)
    labels = np.array(onp.exp(rng.normal(1, 0.3, 24)), dtype=np.float32).reshape(-1, 1)
    loss = gluon.loss.L2Loss()

    def log_rmse(net, X, y):
        clipped = np.clip(net(X), 1, float("inf"))
        return np.sqrt(2 * loss(np.log(clipped), np.log(y)).mean())

    k, size = 3, 8
    for i in range(k):
        train = [None, None]
        for j in range(k):
            part = slice(j * size, (j + 1) * size)
            X, y = features[part, :], labels[part]
            if j == i:
                valid = X, y
            elif train[0] is None:
                train = [X, y]
            else:
                train = [np.concatenate([a, b], 0) for a, b in zip(train, (X, y))]
        net = chain(nn.Dense(1))
        fit(net, lambda: loss(net(train[0]), train[1]), "adam", batch=8, learning_rate=0.5, wd=0.1)
        note(log_rmse(net, *train), log_rmse(net, *valid))
    return r


def blocks():
    class MLP(nn.Block):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.hidden, self.out = nn.Dense(6, activation="relu"), nn.Dense(3)

        def forward(self, X):
            return self.out(self.hidden(X))

    class InOrder(nn.Block):
        def add(self, block):
            self._children[block.name] = block

        def forward(self, X):
            for block in self._children.values():
                X = block(X)
            return X

    class Fixed(nn.Block):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.weight = self.params.get_constant("weight", draw(6, 6, s=0.4))
            self.dense = nn.Dense(6, activation="relu")

        def forward(self, X):
            X = self.dense(X)
            X = self.dense(npx.relu(np.dot(X, self.weight.data()) + 1))
            while np.abs(X).sum() > 1:
                X /= 2
            return X.sum()

    X = draw(2, 6)
    note(made(MLP())(X), made(Fixed())(X))
    net = InOrder()
    net.add(nn.Dense(4, activation="relu"))
    net.add(nn.Dense(2))
    note(made(net)(X), MLP())
    return r


def parameters():
    net = chain(nn.Dense(4, activation="relu"), nn.Dense(2))
    X = draw(2, 3)
    note(net(X), type(net[1].bias).__name__, net[1].bias.data(), net[1].weight.grad())
    note(sorted(p.shape for p in net.collect_params().values()), str(net[0].weight.dtype))

    class Wide(init.Initializer):
        def _init_weight(self, name, data):
            note(type(data).__name__, data.shape)
            data[:] = np.arange(data.size).reshape(data.shape) - 5
            data *= np.abs(data) >= 5

    net.initialize(Wide(), force_reinit=True)
    note(net[0].weight.data())
    for kind in (init.Constant(2), init.One(), init.Zero()):
        net[0].weight.initialize(kind, force_reinit=True)
        note(net[0].weight.data()[0])
    net[0].weight.initialize(init.Xavier(), force_reinit=True)
    note(bool((np.abs(net[0].weight.data()) < 1).all()), net[0].weight.data().shape)
    net[0].weight.data()[:] += 1
    net[0].weight.data()[0, 0] = 42
    note(float(net[0].weight.data()[0, 0]))
    shared = nn.Dense(4, activation="relu")
    net = chain(nn.Dense(4), shared, nn.Dense(4, params=shared.params), nn.Dense(2))
    net(X)
    note((net[1].weight.data()[0] == net[2].weight.data()[0]).all())
    net[1].weight.data()[0, 0] = 100
    note(net[2].weight.data()[0], net[1].weight.data().dtype)
    return r


def deferred_initialization():
    net = nn.Sequential()
    net.add(nn.Dense(5, activation="relu"), nn.Dense(3))
    note(net[0].weight.shape)
    try:
        net[0].weight.data()
    except Exception as error:  # noqa: BLE001
        note(isinstance(error, RuntimeError))
    net.initialize(Formula())
    note(net[0].weight.shape, net(draw(2, 7)), net[0].weight.shape)
    return r


def layers_of_ones_own():
    class Centered(nn.Block):
        def forward(self, X):
            return X - X.mean()

    class MyDense(nn.Block):
        def __init__(self, units, in_units, **kwargs):
            super().__init__(**kwargs)
            self.weight = self.params.get("weight", shape=(in_units, units))
            self.bias = self.params.get("bias", shape=(units,))

        def forward(self, x):
            ctx = x.ctx
            return npx.relu(np.dot(x, self.weight.data(ctx)) + self.bias.data(ctx))

    note(Centered()(np.array([1, 2, 3, 4, 5])))
    net = chain(MyDense(4, 3), Centered(), nn.Dense(2))
    net[0].initialize(init=Formula(), force_reinit=True)
    note(net(draw(2, 3)), net[0].weight.data())
    fit(net, lambda: net(draw(2, 3)) ** 2, batch=2, learning_rate=0.1)
    return r


def files(folder):
    def path(name):
        return os.path.join(folder, name)

    x, y = np.arange(4), np.zeros((2, 0))
    npx.save(path("x"), x)
    note(npx.load(path("x")))
    npx.save(path("xy"), [x, y])
    note(npx.load(path("xy")))
    npx.save(path("named"), {"x": x, "scalar": np.array(2.5)})
    found = npx.load(path("named"))
    note(sorted(found), found["x"], found["scalar"])
    net = chain(nn.Dense(4, activation="relu"), nn.Dense(2))
    X = draw(2, 3)
    Y = net(X)
    net.save_parameters(path("mlp.params"))
    clone = nn.Sequential()
    clone.add(nn.Dense(4, activation="relu"), nn.Dense(2))
    clone.load_parameters(path("mlp.params"))
    note((clone(X) == Y).all(), sorted(npx.load(path("mlp.params"))))
    return r


def devices():
    note(npx.cpu(), str(npx.cpu(1)), npx.gpu(1), isinstance(npx.num_gpus(), int))
    x = np.array([1, 2, 3])
    note(x.ctx, np.ones((2,), ctx=npx.cpu(1)).ctx, x.copyto(npx.cpu(1)).ctx, x.context)
    z = x.as_in_ctx(npx.cpu(1))
    note(z.ctx, x.as_in_ctx(x.ctx) is x, z + 1)
    net = nn.Sequential()
    net.add(nn.Dense(1))
    net.initialize(Formula(), ctx=npx.cpu(1))
    note(net(z.reshape(1, 3)), net[0].weight.data().ctx)
    return r


def dialects_meet():
    note(npx.is_np_array(), npx.is_np_shape(), mx.util.is_np_array(), mx.util.is_np_shape())
    x = mx.nd.ones((2, 3))
    note(type(x).__name__, type(x.as_np_ndarray()).__name__, (x.as_np_ndarray() + np.ones(3)).sum())
    for mix in (lambda: np.ones(3) + mx.nd.ones(3), lambda: mx.nd.relu(np.ones(3))):
        try:
            mix()
        except Exception as error:  # noqa: BLE001
            note(isinstance(error, TypeError))
    npx.reset_np()
    note(npx.is_np_array(), npx.is_np_shape(), type(nn.Dense).__name__)
    with mx.util.np_shape(True), mx.util.np_array(True):
        note(
            npx.is_np_array(), type(gluon.loss.L2Loss()(np.ones((2, 1)), np.ones((2, 1)))).__name__
        )
    return r


PROGRAMS = in_numpy_dialect(functions(globals()))
