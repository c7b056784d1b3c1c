"""Programs as public repositories have them: trainers taken apart, detectors, forecasts, tags."""

from __future__ import annotations

import math

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn, rnn

from .book_helpers import Formula, chain, fit, made, note, r, turns, wave
from .core import functions


def a_trainer_that_adds_gradients_up_in_its_own_way():
    l2 = gluon.loss.L2Loss()

    class Scaled(gluon.Trainer):
        def __init__(self, params, optimizer, options):
            super().__init__(params, optimizer, optimizer_params=options, kvstore=None)
            self._scale /= 2

        def _allreduce_grads(self):
            note("add up")
            for parameter in self._params:
                for gradient in parameter.list_grad():
                    gradient *= 2

        def _init_params(self):
            note("share")
            super()._init_params()

        def _update(self, ignore_stale_grad=False):
            note("update", ignore_stale_grad)
            super()._update(ignore_stale_grad)

    net = chain(nn.Dense(4, activation="tanh"), nn.Dense(2))
    trainer = Scaled(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
    for _ in range(3):
        with autograd.record():
            l = l2(net(wave(3, 2)), wave(3, 2, k=0.7))
        l.backward()
        trainer.step(3)
        note(l, trainer._scale, trainer._optimizer.rescale_grad)
    return r


def the_parts_of_a_step_by_hand():
    l2 = gluon.loss.L2Loss()
    net = chain(nn.Dense(4, activation="tanh"), nn.Dense(2))
    net(wave(3, 2))
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
    note(trainer._kv_initialized, trainer._kvstore, trainer._update_on_kvstore)
    if not trainer._kv_initialized:
        trainer._init_kvstore()
    note(trainer._kv_initialized, trainer._kvstore, [p.name for p in trainer._params])
    for _ in range(2):
        with autograd.record():
            l = l2(net(wave(3, 2)), wave(3, 2, k=0.7))
        l.backward()
        trainer._optimizer.rescale_grad = trainer._scale / 3
        trainer._allreduce_grads()
        trainer._update(False)
        note(l)
    try:
        trainer._update()
    except UserWarning:
        note("no new gradient")
    trainer._init_optimizer("sgd", {"learning_rate": 0.3, "momentum": 0.9})
    note(type(trainer.optimizer).__name__, trainer.learning_rate, len(trainer._updaters))
    for _ in range(2):
        with autograd.record():
            l = l2(net(wave(3, 2)), wave(3, 2, k=0.7))
        l.backward()
        trainer.step(3)
        note(l, net[0].weight.data().copy())
    return r


def parts_of_a_step_on_two_contexts():
    both = [mx.cpu(0), mx.cpu(1)]
    net = nn.Dense(2, in_units=3)
    net.initialize(Formula(), ctx=both)
    for on_store in (None, False):
        trainer = gluon.Trainer(
            net.collect_params(),
            "sgd",
            {"learning_rate": 0.1},
            kvstore="local",
            update_on_kvstore=on_store,
        )
        trainer._init_kvstore()
        note(type(trainer._kvstore).__name__, trainer._update_on_kvstore)
        for _ in range(2):
            with autograd.record():
                losses = [net(x).square() for x in gluon.utils.split_and_load(wave(4, 3), both)]
            autograd.backward(losses)
            trainer.step(4)
            note([d.copy() for d in net.weight.list_data()])
    return r


def centres_of_objects():
    class Focal(gluon.loss.Loss):
        def __init__(self):
            super().__init__(None, 0)

        def hybrid_forward(self, F, x, y):
            p = F.sigmoid(x)
            there = y == 1
            pos = F.sum(F.log(p + 1e-12) * F.power(1 - p, 2) * there)
            neg = F.sum(F.log(1 - p + 1e-12) * F.power(p, 2) * F.power(1 - y, 4) * (y < 1))
            n = F.sum(there)
            return F.where(n > 0, -(pos + neg) / F.maximum(n, F.ones_like(n)), -neg)

    class Peaks(gluon.HybridBlock):
        def hybrid_forward(self, F, x, size):
            _, _, h, w = x.shape_array().split(num_outputs=4, axis=0)
            score, index = x.reshape((0, -1)).topk(k=3, ret_typ="both")
            index = F.cast(index, "int64")
            kind = F.cast(F.broadcast_div(index, h * w), "int32")
            place = F.cast(F.broadcast_mod(index, h * w), "int32")
            rows = F.cast(F.arange(64).slice_like(x, axes=(0)), "int32")
            rows = rows.expand_dims(-1).tile(reps=(1, 3))
            size = size.transpose((0, 2, 3, 1)).reshape((0, -1))
            return kind, score, place, F.gather_nd(size, F.stack(rows, place))

    heads = gluon.contrib.nn.HybridConcurrent(axis=1)
    heads.add(nn.Conv2D(2, 1, bias_initializer=init.Constant(-2.19)), nn.Conv2D(1, 1))
    net = chain(nn.Conv2D(4, 3, padding=1, activation="relu"), heads)
    bump = np.exp(-(np.arange(-2, 3) ** 2)[:, None] / 2.0 - np.arange(-2, 3) ** 2 / 2.0)
    map_ = np.zeros((2, 2, 8, 8), "float32")
    map_[0, 1, 1:6, 2:7] = map_[1, 0, 0:5, 3:8] = bump
    map_ = nd.array(map_)
    focal, peaks, X = Focal(), Peaks(), wave(2, 3, 8, 8)

    def compute():
        heat, size = nd.split_v2(net(X), (2,), axis=1)
        return focal(heat, map_) + (size - 1).abs().mean()

    for hybrid in (False, True):
        for block in (net, focal, peaks):
            block.hybridize(hybrid)
        fit(net, compute, "adam", learning_rate=0.01)
        heat, size = nd.split_v2(net(X), (2,), axis=1)
        note(peaks(nd.sigmoid(heat), size))
    return r


def forecasts_with_a_heavy_tail():
    class Forecast(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.cells = rnn.HybridSequentialRNNCell()
                self.heads = [
                    nn.Dense(1, flatten=False, prefix=name) for name in ("mu_", "s_", "nu_")
                ]
                self.kinds = nn.Embedding(3, 2)
            for head in self.heads:
                self.register_child(head)
            with self.name_scope():
                self.cells.add(rnn.LSTMCell(4))
                self.cells.add(
                    rnn.ZoneoutCell(rnn.ResidualCell(rnn.LSTMCell(4)), zoneout_states=0.0)
                )

        def hybrid_forward(self, F, x, seen, kind):
            scale = F.maximum((x.abs() * seen).sum(axis=1, keepdims=True), 1e-10)
            e = F.broadcast_axis(self.kinds(kind).expand_dims(1), axis=1, size=6)
            inputs = F.concat(F.broadcast_div(x, scale).expand_dims(-1), e, dim=-1)
            h, states = self.cells.unroll(length=6, inputs=inputs, layout="NTC", merge_outputs=True)
            mu, s, nu = [head(h).squeeze(axis=-1) for head in self.heads]
            s, nu = [F.Activation(v, act_type="softrelu") for v in (s, nu)]
            mu, s, nu = F.broadcast_mul(mu, scale), F.broadcast_mul(s, scale), nu + 2.0
            half = (nu + 1.0) / 2.0
            z = F.gammaln(half) - F.gammaln(nu / 2.0) - 0.5 * F.log(math.pi * nu) - F.log(s)
            log_p = z - half * F.log(1.0 + ((x - mu) / s) ** 2 / nu)
            return F.mean(-log_p * seen, axis=1), states

    for hybrid in (False, True):
        net = made(Forecast(prefix="f_"))
        net.hybridize(hybrid)
        X, seen = wave(3, 6) * 3 + 4, wave(3, 6, k=1.3) > -0.5
        fit(net, lambda: net(X, seen, nd.array([0, 2, 1]))[0], "adam", learning_rate=0.01)
        note(len(net(X, seen, nd.array([0, 2, 1]))[1]), list(net.collect_params())[:4])
    return r


def what_layers_a_gradient_looks_at():
    class Guided(autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return nd.maximum(x, nd.zeros_like(x))

        def backward(self, dy):
            (x,) = self.saved_tensors
            return dy * (x > 0) * (dy > 0)

    class Rectify(gluon.HybridBlock):
        guided = False

        def hybrid_forward(self, F, x):
            return Guided()(x) if Rectify.guided else F.Activation(x, act_type="relu")

    class Kept(gluon.HybridBlock):
        def __init__(self, channels):
            super().__init__()
            with self.name_scope():
                self.conv = nn.Conv2D(channels, 3, padding=1)
            self.kept = None

        def hybrid_forward(self, F, x):
            y = self.conv(x)
            y.attach_grad()
            self.kept = y
            return y

    net = chain(nn.Conv2D(3, 3), Rectify(), nn.MaxPool2D(), Kept(4), Rectify(), nn.Dense(3))
    for Rectify.guided in (False, True):
        X = wave(1, 2, 8, 8, k=0.17)
        X.attach_grad()
        with autograd.record(train_mode=False):
            y = net(X)
        y.backward(nd.one_hot(nd.array([1]), 3), train_mode=False)
        weights = nd.mean(net[3].kept.grad, axis=(2, 3))[0]
        seen = sum(w * f for w, f in zip(weights, net[3].kept[0]))
        note(y, nd.relu(seen), X.grad.sum(axis=(2, 3)))
    return r


def images_changed_two_at_a_time():
    def targets(label, part, eta=0.1):
        on, off = 1 - eta + eta / 4, eta / 4
        return part * label.one_hot(4, on, off) + (1 - part) * label[::-1].one_hot(4, on, off)

    net = chain(nn.Dense(6, activation="relu"), nn.Dropout(0), nn.Dense(4))
    net.collect_params(".*bias").setattr("wd_mult", 0.0)
    net.hybridize(static_alloc=True, static_shape=True)
    soft = gluon.loss.SoftmaxCrossEntropyLoss(sparse_label=False)
    both = mx.metric.CompositeEvalMetric([mx.metric.RMSE(), mx.metric.Loss()])
    options = {"learning_rate": 0.1, "wd": 0.1, "momentum": 0.9}
    trainer = gluon.Trainer(net.collect_params(), "nag", options)
    for step in range(4):
        X, y = wave(8, 5, k=0.3 + step), targets(turns(8, 4), 0.3 + 0.1 * step)
        with autograd.record():
            out = net(0.3 * X + 0.7 * X[::-1])
            l = soft(out, y.astype("float32", copy=False))
        l.backward()
        trainer.step(8)
        both.update([y], [nd.softmax(out)])
        note(l, both.get()[0], [round(float(v), 4) for v in both.get()[1]])
    return r


PROGRAMS = functions(globals())
