"""The NumPy dialect in training: optimization, performance and recommenders."""

from __future__ import annotations

import os

import mxnet as mx
from mxnet import autograd, gluon, lr_scheduler, np, npx
from mxnet.gluon import nn

from .core import functions
from .np_book_helpers import Formula, chain, draw, fit, in_numpy_dialect, made, note, r, turns


def _descend(step, states):
    x1, x2 = np.array(-5.0), np.array(-2.0)
    for i in range(6):
        x1.attach_grad()
        x2.attach_grad()
        with autograd.record():
            f = 0.1 * x1**2 + 2 * x2**2
        f.backward()
        for x, state in zip((x1, x2), states):
            step(x, state, i + 1)
        note(x1, x2)


def optimizers_from_scratch():
    def sgd(x, state, t):
        x[()] = x - 0.4 * x.grad

    def momentum(x, state, t):
        state["v"] = 0.5 * state["v"] + x.grad
        x[()] = x - 0.4 * state["v"]

    def adagrad(x, state, t):
        state["v"] += np.square(x.grad)
        x[()] = x - 0.4 * x.grad / np.sqrt(state["v"] + 1e-6)

    def rmsprop(x, state, t):
        state["v"] = 0.9 * state["v"] + 0.1 * np.square(x.grad)
        x[()] = x - 0.4 * x.grad / np.sqrt(state["v"] + 1e-6)

    def adadelta(x, state, t):
        state["v"] = 0.9 * state["v"] + 0.1 * np.square(x.grad)
        g = np.sqrt(state["d"] + 1e-5) / np.sqrt(state["v"] + 1e-5) * x.grad
        x[()] = x - g
        state["d"] = 0.9 * state["d"] + 0.1 * g * g

    def adam(x, state, t):
        state["v"] = 0.9 * state["v"] + 0.1 * x.grad
        state["d"] = 0.999 * state["d"] + 0.001 * np.square(x.grad)
        x[()] = x - 0.4 * state["v"] / (1 - 0.9**t) / (np.sqrt(state["d"] / (1 - 0.999**t)) + 1e-6)

    for step in (sgd, momentum, adagrad, rmsprop, adadelta, adam):
        _descend(step, [{"v": np.zeros(()), "d": np.array(0.0)} for _ in range(2)])
    return r


def optimizers_with_a_trainer():
    X = draw(20, 4)
    y = np.dot(X, np.array([1.0, -2, 3, 0.5])) + 0.1
    l2 = gluon.loss.L2Loss()
    kinds = {"sgd": {"momentum": 0.9}, "nag": {"momentum": 0.9}, "adagrad": {}, "rmsprop": {}}
    kinds.update(adadelta={"rho": 0.9}, adam={"clip_gradient": 0.1, "wd": 0.1}, adamax={}, nadam={})
    kinds.update(ftrl={}, signum={}, lamb={})
    for kind, options in kinds.items():
        net = chain(nn.Dense(1))
        fit(net, lambda: l2(net(X), y), kind, batch=20, **options)
        note(kind, net[0].weight.data())
    return r


def schedulers():
    net = chain(nn.Dense(1))
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    trainer.set_learning_rate(0.1)
    note(f"learning rate is now {trainer.learning_rate:.2f}")
    kinds = (
        lr_scheduler.FactorScheduler(step=2, factor=0.5, stop_factor_lr=1e-2, base_lr=2.0),
        lr_scheduler.MultiFactorScheduler(step=[3, 5], factor=0.5, base_lr=0.5),
        lr_scheduler.CosineScheduler(8, warmup_steps=3, base_lr=0.3, final_lr=0.01),
        lr_scheduler.PolyScheduler(8, base_lr=0.3, pwr=2),
    )
    X, y, loss = draw(4, 3), draw(4, seed=2), gluon.loss.L2Loss()
    for kind in kinds:
        note([round(float(kind(t)), 6) for t in range(1, 9)])
    scheduler = lr_scheduler.FactorScheduler(step=1, factor=0.9, base_lr=0.2)
    fit(net, lambda: loss(net(X), y), batch=4, lr_scheduler=scheduler)
    note(net[0].weight.data())
    return r


def convexity_and_gradients_by_hand():
    f = lambda x: 0.5 * x**2
    x = np.arange(-2, 2, 0.5)
    note(f(x), np.minimum(f(x), np.cos(np.pi * x)), np.meshgrid(np.arange(2), np.arange(3))[0])
    x, results = 10.0, [10.0]
    for _ in range(4):
        x -= 0.2 * 2 * x
        results.append(x)
    note([round(v, 5) for v in results], np.sqrt(np.array(2.0)), np.exp(np.arange(3)).cumsum())
    return r


def hybridized_networks(folder):
    def get_net():
        net = nn.HybridSequential()
        net.add(nn.Dense(6, activation="relu"), nn.Dense(4, activation="relu"), nn.Dense(2))
        return made(net)

    x = draw(3, 5)
    net = get_net()
    before = net(x)
    net.hybridize()
    note(before, net(x), type(net(x)).__name__)
    path = os.path.join(folder, "mlp")
    net.export(path)
    note(sorted(os.listdir(folder)))
    again = gluon.SymbolBlock.imports(path + "-symbol.json", ["data"], path + "-0000.params")
    note(again(x), type(again(x)).__name__)

    class Hybrid(nn.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.hidden, self.output = nn.Dense(4), nn.Dense(2)

        def hybrid_forward(self, F, x):
            x = F.npx.relu(self.hidden(x))
            x = F.np.concatenate([x, F.np.tanh(x) * 2], axis=1)
            return self.output(x) - F.np.mean(x, axis=1, keepdims=True)

    net, loss = made(Hybrid()), gluon.loss.L2Loss()
    note(net(x))
    net.hybridize()
    note(net(x))
    fit(net, lambda: loss(net(x), np.ones((3, 2))), batch=3, learning_rate=0.1)
    note(net(x))
    return r


def asynchronous_computation():
    a, b = draw(40, 40), draw(40, 40, seed=2)
    c = np.dot(a, b)
    c.wait_to_read()
    npx.waitall()
    note(c[0, :3], np.dot(c, b)[0, 0].item() == float(np.dot(c, b)[0, 0]), c.asnumpy().shape)
    with mx.Context(npx.cpu(1)):
        note(np.ones(2).ctx)
    return r


def several_contexts():
    ctx = [npx.cpu(0), npx.cpu(1)]

    def allreduce(data):
        for i in range(1, len(data)):
            data[0][:] += data[i].copyto(data[0].ctx)
        for i in range(1, len(data)):
            data[0].copyto(data[i])

    data = [np.ones((1, 2), ctx=c) * (i + 1) for i, c in enumerate(ctx)]
    allreduce(data)
    note(data)
    split = gluon.utils.split_and_load(np.arange(20).reshape(4, 5), ctx)
    note(split, [type(item).__name__ for item in split])
    net = nn.Sequential()
    net.add(nn.Conv2D(2, 3, activation="relu"), nn.BatchNorm(), nn.Dense(5))
    net.initialize(init=Formula(), ctx=ctx)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    X, y = (gluon.utils.split_and_load(item, ctx) for item in (draw(4, 1, 6, 6), turns(4, 5)))
    for _ in range(3):
        with autograd.record():
            losses = [loss(net(a), b) for a, b in zip(X, y)]
        for l in losses:
            l.backward()
        trainer.step(4)
        note(*losses)
    note(net[0].weight.data(ctx[1]), net[0].weight.list_ctx())
    return r


def metrics():
    for metric in (mx.metric.MSE(), mx.metric.MAE(), mx.metric.RMSE()):
        metric.update([draw(5)], [draw(5, seed=2)])
        note(metric.get()[0], round(float(metric.get()[1]), 5))
    return r


def matrix_factorization():
    class Factors(nn.Block):
        def __init__(self, k, users, items, **kwargs):
            super().__init__(**kwargs)
            self.P, self.Q = nn.Embedding(users, k), nn.Embedding(items, k)
            self.user_bias, self.item_bias = nn.Embedding(users, 1), nn.Embedding(items, 1)

        def forward(self, user, item):
            outputs = (self.P(user) * self.Q(item)).sum(axis=1)
            outputs = outputs + np.squeeze(self.user_bias(user)) + np.squeeze(self.item_bias(item))
            return outputs.flatten()

    net, loss = made(Factors(4, 6, 7)), gluon.loss.L2Loss()
    user, item, score = np.array([0, 1, 5, 5]), np.array([3, 2, 6, 1]), np.array([4.0, 3, 5, 1])
    fit(net, lambda: loss(net(user, item), score), "adam", batch=4, learning_rate=0.02, wd=1e-5)
    rmse = mx.metric.RMSE()
    rmse.update([score], [net(user, item)])
    note(round(float(rmse.get()[1]), 4), net(user, item))
    return r


def ranking_and_factorization_machines():
    class FM(nn.Block):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.embedding, self.fc, self.linear = (
                nn.Embedding(12, 3),
                nn.Embedding(12, 1),
                nn.Dense(1),
            )

        def forward(self, x):
            v = self.embedding(x)
            cross = np.sum(v, axis=1) ** 2 - np.sum(v**2, axis=1)
            x = self.linear(self.fc(x).sum(1)) + 0.5 * cross.sum(1, keepdims=True)
            return npx.sigmoid(x)

    class BPR(gluon.loss.Loss):
        def __init__(self, weight=None, batch_axis=0, **kwargs):
            super().__init__(weight, batch_axis, **kwargs)

        def forward(self, positive, negative):
            return -np.sum(np.log(npx.sigmoid(positive - negative)), 0, keepdims=True)

    class Hinge(gluon.loss.Loss):
        def __init__(self, weight=None, batch_axis=0, **kwargs):
            super().__init__(weight, batch_axis, **kwargs)

        def forward(self, positive, negative, margin=1):
            return np.sum(np.maximum(negative - positive + margin, 0))

    net = made(FM())
    X, y = turns(6, 12, 2, 3), np.array([0, 1])
    note(net(X), BPR()(draw(4), draw(4, seed=2)), Hinge()(draw(4), draw(4, seed=2)))
    bce = gluon.loss.SigmoidBinaryCrossEntropyLoss(from_sigmoid=True)
    fit(net, lambda: bce(net(X).reshape(-1), y), "adam", batch=2, learning_rate=0.02)
    scores = draw(6).tolist()
    note(sorted(range(6), key=lambda i: -scores[i])[:3], npx.topk(np.array(scores), k=3))
    return r


PROGRAMS = in_numpy_dialect(functions(globals()))
