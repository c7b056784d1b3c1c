"""Programs as books on Gluon have them: regression, parameters, convolutions, optimizers."""

from __future__ import annotations

import math

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn, rnn
from mxnet.gluon.data import ArrayDataset, DataLoader

from .book_helpers import Formula, chain, fit, made, note, r, turns, wave
from .core import functions


def linear_regression_from_scratch():
    X = wave(40, 2, k=1.7)
    y = 2 * X[:, 0] - 3.4 * X[:, 1] + 4.2
    y += wave(40, s=0.01)
    w, b = nd.array([[0.01], [0.02]]), nd.zeros(shape=(1,))
    w.attach_grad()
    b.attach_grad()

    def batches(size):
        order = list(range(len(X)))[::-1]
        for i in range(0, len(X), size):
            j = nd.array(order[i : min(i + size, len(X))])
            yield X.take(j), y.take(j)

    def squared_loss(p, t):
        return (p - t.reshape(p.shape)) ** 2 / 2

    for epoch in range(3):
        for data, label in batches(10):
            with autograd.record():
                l = squared_loss(nd.dot(data, w) + b, label)
            l.backward()
            for p in (w, b):
                p[:] = p - 0.3 * p.grad / 10
        mean = squared_loss(nd.dot(X, w) + b, y).mean().asnumpy()
        note("epoch %d, loss %.2f" % (epoch + 1, mean), float(mean) == mean[0], repr(mean.round(1)))
    note(w, b)
    return r


def an_array_of_one_element_as_a_number():
    a = nd.array([2.5]).asnumpy()
    note("%.1f %d" % (a, a), float(a), int(a), math.sqrt(a * 2.5), repr(a), a, float(a.sum() + 1))
    note([type(v).__name__ for v in (a[0], a.sum(), a.max(), np.concatenate([a, a]), np.array(a))])
    import pickle

    note(pickle.loads(pickle.dumps(a)), (a * np.arange(3)).tolist(), isinstance(a, np.ndarray))
    note("%.1f" % nd.array([[2]]).asnumpy(), int(nd.array([3], dtype="int32").asnumpy()))
    return r


def linear_regression_with_a_trainer():
    l2 = gluon.loss.L2Loss()
    X = wave(40, 2, k=1.7)
    y = 2 * X[:, 0] - 3.4 * X[:, 1] + 4.2
    net = nn.Sequential()
    net.add(nn.Dense(1))
    made(net)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.3})
    for epoch in range(2):
        for data, label in DataLoader(ArrayDataset(X, y), 10, shuffle=False):
            with autograd.record():
                l = l2(net(data), label)
            l.backward()
            trainer.step(10)
        note(l2(net(X), y).mean())
    note(
        net[0].weight.data(),
        net[0].bias.data(),
        net[0].weight.grad(),
        net,
        l2,
        trainer.learning_rate,
    )
    return r


def softmax_regression_from_scratch():
    X, y = wave(8, 12), turns(8, 3)
    W, b = wave(12, 3, s=0.1), nd.zeros(3)
    for p in (W, b):
        p.attach_grad()

    def net(X):
        e = (nd.dot(X.reshape((-1, 12)), W) + b).exp()
        return e / e.sum(axis=1, keepdims=True)

    for _ in range(3):
        with autograd.record():
            p = net(X)
            l = (-nd.pick(p, y).log()).sum()
        l.backward()
        for q in (W, b):
            q[:] -= 0.1 * q.grad / 8
        note(l, (p.argmax(axis=1) == y.astype("float32")).mean().asscalar())
    return r


def weights_and_biases_with_trainers_of_their_own():
    l2 = gluon.loss.L2Loss()
    X = wave(20, 12)
    y = nd.dot(X, nd.ones((12, 1)) * 0.01) + 0.05
    net = nn.Sequential()
    net.add(nn.Dense(1))
    made(net, 1)
    of = net.collect_params
    weights = gluon.Trainer(of(".*weight"), "sgd", {"learning_rate": 0.003, "wd": 3})
    biases = gluon.Trainer(of(".*bias"), "sgd", {"learning_rate": 0.003})
    for _ in range(3):
        with autograd.record():
            l = l2(net(X), y)
        l.backward()
        weights.step(20)
        biases.step(20)
        note(net[0].weight.data().norm())
    note(str(of(".*weight")))
    return r


def prices_with_folds():
    l2 = gluon.loss.L2Loss()
    table = np.array([[1, 20, 3.5], [2, 30, np.nan], [3, 40, 7.5], [4, 10, 2.5]])
    scaled = (table - np.nanmean(table, 0)) / np.nanstd(table, 0)
    scaled[np.isnan(scaled)] = 0
    X, y = nd.array(scaled), nd.array([200.0, 150.0, 300.0, 90.0]).reshape((-1, 1))

    def log_rmse(net, X, y):
        return nd.sqrt(2 * l2(nd.clip(net(X), 1, float("inf")).log(), y.log()).mean())

    for i in range(2):
        j = 1 - i
        part = [item[slice(2 * k, 2 * k + 2), :] for k in (i, j) for item in (X, y)]
        net = chain(nn.Dense(1))
        fit(net, lambda: l2(net(part[0]), part[1]), "adam", batch=2, learning_rate=5, wd=0.1)
        note(log_rmse(net, *part[:2]), log_rmse(net, *part[2:]), net(nd.concat(X, X, dim=0)))
    return r


def parameters_access_own_initializers_sharing():
    net = nn.Sequential()
    net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
    made(net)
    X = wave(2, 3)
    note(
        str(net.collect_params()), net(X), str(type(net[0].params)), net[0].params["dense0_weight"]
    )
    note(net[0].weight.list_ctx(), net[0].weight.grad(), str(net.collect_params(".*weight")))

    class Wide(init.Initializer):
        def _init_weight(self, name, data):
            note(name, data.shape)
            data[:] = nd.arange(data.size).reshape(data.shape) - 5
            data *= data.abs() >= 5

    net.initialize(Wide(), force_reinit=True)
    note(net[0].weight.data())
    net[0].weight.set_data(net[0].weight.data() + 1)
    note(net[0].weight.data()[0])
    net = nn.Sequential()
    shared = nn.Dense(4, activation="relu")
    net.add(nn.Dense(4), shared, nn.Dense(4, activation="relu", params=shared.params), nn.Dense(2))
    made(net)
    with autograd.record():
        l = net(X).sum()
    l.backward()
    note(net[2].weight.grad(), net, str(net.collect_params()))
    return r


def where_classes_say_they_are_from():
    found = [gluon.Parameter, gluon.ParameterDict, gluon.Block, gluon.HybridBlock, nn.Sequential]
    found += [
        nn.Dense,
        nn.Conv2D,
        nn.BatchNorm,
        nn.MaxPool2D,
        rnn.LSTMCell,
        rnn.LSTM,
        gluon.Trainer,
    ]
    found += [gluon.loss.L2Loss, gluon.data.vision.transforms.ToTensor, mx.base.MXNetError]
    found += [mx.rnn.LSTMCell, mx.operator.CustomOp, gluon.SymbolBlock, mx.executor.Executor]
    note(*(f"{item.__module__}.{item.__qualname__}" for item in found))
    return r


def blocks_with_constants_and_control_flow():
    class Fancy(nn.Block):
        def __init__(self, **kwargs):
            super(Fancy, self).__init__(**kwargs)
            self.rand_weight = self.params.get_constant("rand_weight", wave(6, 6).asnumpy())
            self.dense = nn.Dense(6, activation="relu")

        def forward(self, x):
            x = self.dense(x)
            x = self.dense(nd.relu(nd.dot(x, self.rand_weight.data()) + 1))
            while x.norm().asscalar() > 1:
                x /= 2
            if x.norm().asscalar() < 0.8:
                x *= 10
            return x.sum()

    net = nn.Sequential()
    net.add(nn.Dense(6), Fancy())
    made(net)
    note(net(wave(2, 6)), net, str(net.collect_params()))
    return r


def a_kernel_is_learnt():
    def corr2d(X, K):
        h, w = K.shape
        Y = nd.zeros((X.shape[0] - h + 1, X.shape[1] - w + 1))
        for i in range(Y.shape[0]):
            for j in range(Y.shape[1]):
                Y[i, j] = (X[i : i + h, j : j + w] * K).sum()
        return Y

    X = nd.ones((6, 8))
    X[:, 2:6] = 0
    Y = corr2d(X, nd.array([[1, -1]]))
    conv = made(nn.Conv2D(1, kernel_size=(1, 2)))
    for i in range(6):
        with autograd.record():
            l = (conv(X.reshape((1, 1, 6, 8))) - Y.reshape((1, 1, 6, 7))) ** 2
        l.backward()
        conv.weight.data()[:] -= 3e-2 * conv.weight.grad()
    note(l.sum(), conv.weight.data(), conv)
    note(nd.add_n(*[corr2d(x, k) for x, k in zip(wave(2, 3, 3), wave(2, 2, 2))]))
    return r


def batch_normalization_from_scratch_and_ready_made():
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()

    class Scratch(nn.Block):
        def __init__(self, shape, **kwargs):
            super(Scratch, self).__init__(**kwargs)
            self.gamma = self.params.get("gamma", shape=shape, init=init.One())
            self.beta = self.params.get("beta", shape=shape, init=init.Zero())
            self.mean, self.var = nd.zeros(shape), nd.zeros(shape)

        def forward(self, X):
            axes, mean, var = (0, 2, 3)[: 1 if X.ndim == 2 else 3], self.mean, self.var
            if autograd.is_training():
                mean = X.mean(axis=axes, keepdims=True)
                var = ((X - mean) ** 2).mean(axis=axes, keepdims=True)
                self.mean, self.var = 0.9 * self.mean + 0.1 * mean, 0.9 * self.var + 0.1 * var
            return self.gamma.data() * (X - mean) / nd.sqrt(var + 1e-5) + self.beta.data()

    X, y = wave(6, 1, 10, 10, k=0.017), turns(6, 4)
    for norms in ((Scratch((1, 3, 1, 1)), Scratch((1, 5))), (nn.BatchNorm(), nn.BatchNorm())):
        net = nn.Sequential()
        net.add(nn.Conv2D(3, kernel_size=5), norms[0], nn.Activation("sigmoid"), nn.MaxPool2D(2, 2))
        net.add(nn.Dense(5), norms[1], nn.Activation("sigmoid"), nn.Dense(4))
        made(net)
        fit(net, lambda: cross_entropy(net(X), y), learning_rate=1.0, batch=6)
        note(net[1].gamma.data().reshape((-1,)), net[1].beta.data().reshape((-1,)), net(X))
    return r


def residual_and_parallel_paths():
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()

    class Residual(nn.Block):
        def __init__(self, channels, use_1x1conv=False, strides=1, **kwargs):
            super(Residual, self).__init__(**kwargs)
            self.conv1 = nn.Conv2D(channels, kernel_size=3, padding=1, strides=strides)
            self.conv2 = nn.Conv2D(channels, kernel_size=3, padding=1)
            self.conv3 = nn.Conv2D(channels, 1, strides=strides) if use_1x1conv else None
            self.bn1, self.bn2 = nn.BatchNorm(), nn.BatchNorm()

        def forward(self, X):
            Y = self.bn2(self.conv2(nd.relu(self.bn1(self.conv1(X)))))
            return nd.relu(Y + (self.conv3(X) if self.conv3 else X))

    class Inception(nn.Block):
        def __init__(self, c1, c2, c4, **kwargs):
            super(Inception, self).__init__(**kwargs)
            self.p1 = nn.Conv2D(c1, kernel_size=1, activation="relu")
            self.p2 = nn.Sequential()
            self.p2.add(nn.Conv2D(c2[0], kernel_size=1), nn.Conv2D(c2[1], kernel_size=3, padding=1))
            self.pool = nn.MaxPool2D(pool_size=3, strides=1, padding=1)
            self.p4 = nn.Conv2D(c4, kernel_size=1)

        def forward(self, x):
            return nd.concat(self.p1(x), self.p2(x), self.p4(self.pool(x)), dim=1)

    net = nn.Sequential()
    net.add(Residual(3, True, 2), Residual(3), Inception(2, (2, 3), 2), nn.GlobalAvgPool2D())
    net.add(nn.Dense(4))
    made(net)
    X, y = wave(3, 2, 8, 8, k=0.11), turns(3, 4)
    for layer in net:
        X = layer(X)
        note(layer.name, X.shape)
    X = wave(3, 2, 8, 8, k=0.11)
    fit(net, lambda: cross_entropy(net(X), y), learning_rate=0.05, batch=3)
    note(net)
    return r


def a_network_prints_what_it_computes_with():
    class Noisy(nn.HybridBlock):
        def __init__(self, **kwargs):
            super(Noisy, self).__init__(**kwargs)
            self.hidden, self.output = nn.Dense(4), nn.Dense(2)

        def hybrid_forward(self, F, x):
            note(F.__name__, type(x).__name__, str(x) if F is mx.sym else x)
            x = F.relu(self.hidden(x))
            note(str(x) if F is mx.sym else x)
            return self.output(x)

    net = made(Noisy())
    x = wave(1, 3)
    net(x)
    net.hybridize()
    note(net(x), net(x), str(net(mx.sym.var("data"))))
    return r


def the_text_of_a_symbol_file():
    v = [mx.sym.var(f"v{i}") for i in range(12)]
    note(mx.sym.add_n(*v, name="s").tojson(), mx.sym.var('a"b\n\té').tojson())
    net = mx.sym.FullyConnected(v[0], num_hidden=3, flatten=False, name="fc")
    note(mx.sym.SoftmaxOutput(net, name="softmax").tojson(), mx.sym.Group([net, v[1] * 2]).tojson())
    return r


def optimizers_on_a_regression():
    l2 = gluon.loss.L2Loss()
    X = wave(20, 4, k=0.77)
    y = nd.dot(X, nd.array([1.0, -2, 3, 0.5])) + 0.1
    kinds = {"sgd": {"momentum": 0.9}, "nag": {"momentum": 0.9}, "adagrad": {}, "rmsprop": {}}
    kinds.update(adadelta={"rho": 0.9}, adam={"clip_gradient": 0.1, "wd": 0.1}, adamax={}, nadam={})
    kinds.update(ftrl={}, ftml={}, signum={}, dcasgd={}, lbsgd={}, lamb={}, lars={})
    for kind, options in kinds.items():
        net = chain(nn.Dense(1))
        fit(net, lambda: l2(net(X), y), kind, batch=20, **options)
        note(kind, net[0].weight.data())
    return r


def two_devices_gradients_summed_by_hand_and_by_a_trainer():
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    ctx = [mx.cpu(0), mx.cpu(1)]

    def allreduce(data):
        for item in data[1:]:
            data[0][:] += item.copyto(data[0].context)
        for item in data[1:]:
            data[0].copyto(item)

    data = [nd.ones((1, 2), ctx=c) * (c.device_id + 1) for c in ctx]
    allreduce(data)
    note(data)
    net = nn.Sequential()
    net.add(nn.Conv2D(2, 3, activation="relu"), nn.BatchNorm(), nn.Dense(5))
    net.initialize(init=Formula(), ctx=ctx)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    X, y = (gluon.utils.split_and_load(item, ctx) for item in (wave(4, 1, 6, 6), turns(4, 5)))
    for _ in range(3):
        with autograd.record():
            losses = [cross_entropy(net(a), b) for a, b in zip(X, y)]
        for l in losses:
            l.backward()
        trainer.step(4)
        note(*losses)
    note(net[0].weight.data(ctx[1]), net[0].weight.list_ctx())
    return r


PROGRAMS = functions(globals())
