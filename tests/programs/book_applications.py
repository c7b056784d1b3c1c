"""Programs as examples and repositories have them: whole models, a few steps of each."""

from __future__ import annotations

import math
import os

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn, rnn

from .book_helpers import Formula, chain, fit, made, note, r, turns, wave
from .core import functions


def two_players():
    G, D = chain(nn.Dense(2)), chain(nn.Dense(5, activation="tanh"), nn.Dense(1))
    loss = gluon.loss.SigmoidBinaryCrossEntropyLoss()
    X, Z = wave(8, 2), wave(8, 2, k=0.9)
    options = {"learning_rate": 0.05, "beta1": 0.5}
    of_d, of_g = (gluon.Trainer(net.collect_params(), "adam", options) for net in (D, G))
    for _ in range(3):
        with autograd.record():
            fake = D(G(Z).detach())
            l = (loss(D(X), nd.ones((8,))) + loss(fake, nd.zeros((8,)))) / 2
        l.backward()
        of_d.step(8)
        with autograd.record():
            m = loss(D(G(Z)), nd.ones((8,)))
        m.backward()
        of_g.step(8)
        note(l.mean(), m.mean())
    metric = mx.metric.Loss()
    metric.update(0, [l])
    note(metric.get()[0], round(float(metric.get()[1]), 4))
    return r


def images_from_noise():
    def up(channels, size=4, strides=2, padding=1):
        layers = (
            nn.Conv2DTranspose(channels, size, strides, padding, use_bias=False),
            nn.BatchNorm(),
        )
        return (*layers, nn.Activation("relu"))

    G = chain(*up(3, strides=1, padding=0), nn.Conv2DTranspose(2, 4, 2, 1, activation="tanh"))
    D = chain(
        nn.Conv2D(3, 4, 2, 1, use_bias=False), nn.BatchNorm(), nn.LeakyReLU(0.2), nn.Conv2D(1, 4)
    )
    note(G(wave(2, 3, 1, 1)).shape, D(G(wave(2, 3, 1, 1))).shape)
    fit(G, lambda: (D(G(wave(2, 3, 1, 1))) - 1).square(), "adam", learning_rate=0.005, beta1=0.5)
    note(G, D)
    return r


def a_variational_autoencoder():
    class VAE(gluon.HybridBlock):
        def __init__(self, **kwargs):
            self.tiny = 1e-10
            self.mu = None
            super(VAE, self).__init__(**kwargs)
            with self.name_scope():
                self.encoder = nn.HybridSequential(prefix="encoder")
                self.encoder.add(nn.Dense(6, activation="relu"), nn.Dense(4))
                self.decoder = nn.HybridSequential(prefix="decoder")
                self.decoder.add(nn.Dense(6, activation="relu"), nn.Dense(8, activation="sigmoid"))

        def hybrid_forward(self, F, x, eps):
            mu, lv = F.split(self.encoder(x), axis=1, num_outputs=2)
            self.mu = mu
            y = self.decoder(mu + F.exp(0.5 * lv) * eps)
            kl = 0.5 * F.sum(1 + lv - mu * mu - F.exp(lv), axis=1)
            like = x * F.log(y + self.tiny) + (1 - x) * F.log(1 - y + self.tiny)
            return -F.sum(like, axis=1) - kl

    for hybrid in (False, True):
        net = made(VAE())
        net.hybridize(hybrid)
        fit(
            net,
            lambda: net(nd.sigmoid(wave(4, 8)), wave(4, 2)),
            "adam",
            learning_rate=0.01,
            batch=4,
        )
        note(type(net.mu).__name__, str(net.collect_params()))
    return r


def users_and_items():
    l2 = gluon.loss.L2Loss()

    class Factors(gluon.HybridBlock):
        def __init__(self, k, users, items, **kwargs):
            super(Factors, self).__init__(**kwargs)
            with self.name_scope():
                self.user, self.item = nn.Embedding(users, k), nn.Embedding(items, k)
                self.dense_user = nn.Dense(k, activation="relu")
                self.dense_item = nn.Dense(k, activation="relu")

        def hybrid_forward(self, F, user, item):
            return F.sum(
                self.dense_user(self.user(user)) * self.dense_item(self.item(item)), axis=1
            )

    net = made(Factors(4, 6, 7))
    net.hybridize()
    user, item, score = nd.array([0, 1, 5]), nd.array([3, 2, 6]), nd.array([4.0, 3, 5])
    fit(net, lambda: l2(net(user, item), score), learning_rate=0.02, wd=0.01, momentum=0.9, batch=3)
    rmse = mx.metric.RMSE()
    rmse.update([score], [net(user, item)])
    note(rmse.get()[0], round(float(rmse.get()[1]), 4), net)

    class FM(nn.Block):
        def __init__(self, **kwargs):
            super(FM, self).__init__(**kwargs)
            self.embedding, self.fc, self.linear = (
                nn.Embedding(12, 3),
                nn.Embedding(12, 1),
                nn.Dense(1),
            )

        def forward(self, x):
            v = self.embedding(x)
            cross = nd.sum(v, axis=1) ** 2 - nd.sum(v**2, axis=1)
            return nd.sigmoid(self.linear(self.fc(x).sum(1)) + 0.5 * cross.sum(1, keepdims=True))

    note(made(FM())(turns(6, 12, 2, 3)))
    return r


def an_actor_and_its_critic():
    class Policy(gluon.Block):
        def __init__(self, **kwargs):
            super(Policy, self).__init__(**kwargs)
            with self.name_scope():
                self.dense = nn.Dense(8, in_units=4, activation="relu")
                self.action, self.value = nn.Dense(2, in_units=8), nn.Dense(1, in_units=8)

        def forward(self, x):
            x = self.dense(x)
            return nd.softmax(self.action(x)), self.value(x)

    net, loss = made(Policy()), gluon.loss.L1Loss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 3e-2})
    for _ in range(2):
        state, found, rewards = wave(1, 4), [], []
        with autograd.record():
            for t in range(4):
                chances, value = net(state)
                found.append((nd.log(nd.pick(chances, nd.array([t % 2]))), value))
                state = nd.array(np.cos(np.arange(4) + t).reshape(1, 4))
                rewards = [1 + 0.99 * (rewards[0] if rewards else 0), *rewards]
            scaled = (np.array(rewards) - np.mean(rewards)) / np.std(rewards)
            heads = [sum(loss(v, nd.array([q])) for q, (_, v) in zip(scaled, found))]
            heads += [-log * float(q - v.asnumpy()[0, 0]) for q, (log, v) in zip(scaled, found)]
        autograd.backward(heads)
        trainer.step(len(heads))
        note(heads[0], net.dense.weight.grad().norm())
    return r


class Heads(gluon.HybridBlock):
    def __init__(self, d, h, **kwargs):
        super(Heads, self).__init__(**kwargs)
        self.d, self.h = d, h
        with self.name_scope():
            plain = {"flatten": False, "use_bias": False}
            self.q, self.k = nn.Dense(d, **plain), nn.Dense(d, **plain)
            self.v = nn.Dense(d, **plain)
            self.o = nn.Dense(d, flatten=False)

    def _part(self, F, x):
        x = F.transpose(F.reshape(x, shape=(0, 0, self.h, -1)), axes=(0, 2, 1, 3))
        return F.reshape(x, shape=(-1, 0, 0), reverse=True)

    def hybrid_forward(self, F, x):
        q, k, v = (self._part(F, part(x)) for part in (self.q, self.k, self.v))
        w = F.softmax(F.batch_dot(q, k, transpose_b=True) / math.sqrt(self.d / self.h), axis=-1)
        o = F.reshape(F.batch_dot(w, v), shape=(-1, self.h, 0, 0), reverse=True)
        return self.o(F.reshape(F.transpose(o, axes=(0, 2, 1, 3)), shape=(0, 0, -1)))


class Layer(gluon.HybridBlock):
    def __init__(self, d, **kwargs):
        super(Layer, self).__init__(**kwargs)
        with self.name_scope():
            self.att, self.ln1, self.ln2 = Heads(d, 2), nn.LayerNorm(), nn.LayerNorm()
            self.ffn = nn.HybridSequential()
            self.ffn.add(nn.Dense(8, activation="relu", flatten=False), nn.Dense(d, flatten=False))

    def hybrid_forward(self, F, x):
        x = self.ln1(x + self.att(x))
        return self.ln2(x + self.ffn(x))


class Model(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super(Model, self).__init__(**kwargs)
        places = np.arange(10).reshape(-1, 1) / np.power(100, np.arange(4) / 4)
        with self.name_scope():
            self.emb, self.enc, self.out = (
                nn.Embedding(7, 4),
                Layer(4),
                nn.Dense(7, flatten=False),
            )
            self.place = self.params.get_constant("place", np.sin(places))

    def hybrid_forward(self, F, x, place):
        place = F.expand_dims(F.slice_axis(place, axis=0, begin=0, end=5), axis=0)
        return self.out(self.enc(F.broadcast_add(self.emb(x) * 2.0, place)))


def a_transformer_exported_and_read_again(folder):
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    X = turns(15, 7, 3, 5)
    for hybrid in (False, True):
        net = made(Model())
        net.hybridize(hybrid)
        fit(net, lambda: cross_entropy(net(X), (X + 1) % 7), "adam", learning_rate=0.01, batch=3)
    note(net, list(net.collect_params()))
    net.export(os.path.join(folder, "t"), epoch=2)
    names = [os.path.join(folder, name) for name in ("t-symbol.json", "t-0002.params")]
    note(
        gluon.SymbolBlock.imports(names[0], ["data"], names[1])(X),
        net(X),
        sorted(os.listdir(folder)),
    )
    return r


def reading_text_in_an_image():
    class Reader(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super(Reader, self).__init__(**kwargs)
            with self.name_scope():
                self.cut = nn.HybridSequential()
                self.cut.add(nn.Conv2D(3, 3, padding=1, activation="relu"), nn.MaxPool2D((2, 1)))
                self.rnn = rnn.LSTM(4, bidirectional=True, layout="NTC")
                self.out = nn.Dense(7, flatten=False)

        def hybrid_forward(self, F, x):
            return self.out(self.rnn(self.cut(x).transpose((0, 3, 1, 2)).reshape((0, 0, -1))))

    net, ctc = made(Reader()), gluon.loss.CTCLoss(weight=0.2)
    X, label = wave(2, 1, 4, 8), nd.array([[1, 2, -1], [3, 4, 5]])
    for hybrid in (False, True):
        net.hybridize(hybrid)
        fit(
            net,
            lambda: ctc(net(X), label),
            momentum=0.9,
            clip_gradient=2,
            learning_rate=0.1,
            batch=2,
        )
    note(net(X).argmax(axis=2))
    return r


def capsules():
    def squash(x, axis):
        s = nd.sum(nd.square(x), axis, keepdims=True)
        return s / (1 + s) / nd.sqrt(s + 1e-9) * x

    class Capsules(nn.Block):
        def __init__(self, **kwargs):
            super(Capsules, self).__init__(**kwargs)
            self.weight = self.params.get("weight", shape=(1, 6, 3, 5, 4))

        def forward(self, x):
            x = x.expand_dims(2).expand_dims(4).tile((1, 1, 3, 1, 1))
            u = nd.linalg.gemm2(self.weight.data().tile((len(x), 1, 1, 1, 1)), x).squeeze(axis=4)
            b = nd.zeros(u.shape[:3])
            for i in range(3):
                seen = u if i == 2 else u.detach()
                v = squash(nd.sum(nd.softmax(b, axis=2).expand_dims(3) * seen, axis=1), 2)
                b = b + nd.sum(u.detach() * v.expand_dims(1), axis=3)
            return v

    net, wanted = made(Capsules()), nd.one_hot(nd.array([0, 2]), 3)

    def compute():
        length = nd.sqrt(nd.sum(net(wave(2, 6, 4)) ** 2, axis=2))
        present, absent = nd.maximum(0, 0.9 - length) ** 2, nd.maximum(0, length - 0.1) ** 2
        return nd.sum(wanted * present + 0.5 * (1 - wanted) * absent, axis=1)

    fit(net, compute, "adam", learning_rate=0.01, batch=2)
    return r


def a_gaussian_process():
    X = nd.arange(5).reshape((5, 1)) / 2
    y, scale = nd.sin(X * 3), nd.array([0.5])
    scale.attach_grad()

    def kernel(A, B):
        a, b = (nd.sum(item**2, axis=1, keepdims=True) for item in (A, B))
        return nd.exp(-0.5 * (a + b.T - 2 * nd.dot(A, B.T)) / scale**2)

    for _ in range(2):
        with autograd.record():
            L = nd.linalg.potrf(kernel(X, X) + 0.1 * nd.eye(5))
            a = nd.linalg.trsm(L, y)
            l = 0.5 * nd.sum(a**2) + nd.linalg.sumlogdiag(L)
        l.backward()
        note(l, scale.grad)
        scale -= 0.01 * scale.grad
    v = nd.linalg.trsm(L, kernel(X, nd.array([[0.1], [0.9]])))
    note(nd.dot(v.T, a), 1 - nd.sum(v**2, axis=0), nd.linalg.det(kernel(X, X)))
    return r


def larger_images():
    l2 = gluon.loss.L2Loss()

    class Larger(gluon.Block):
        def __init__(self, r, **kwargs):
            super(Larger, self).__init__(**kwargs)
            with self.name_scope():
                self.first = nn.Conv2D(4, 5, padding=2)
                self.last = nn.Conv2D(r**2, (3, 3), padding=(1, 1))
            self.r = r

        def forward(self, x):
            x = self.last(nd.Activation(self.first(x), act_type="relu"))
            x = nd.reshape(x, (0, -4, -1, self.r**2, 0, 0))
            x = nd.transpose(nd.reshape(x, (0, 0, -4, self.r, self.r, 0, 0)), (0, 1, 4, 2, 5, 3))
            return nd.reshape(x, (0, 0, -3, -3))

    net = made(Larger(2))
    fit(net, lambda: l2(net(wave(2, 1, 4, 4)), wave(2, 1, 8, 8, k=0.2)), "adam", learning_rate=0.01)
    note(net(wave(1, 1, 2, 2)), net)
    return r


def sentences_as_trees():
    class Tree(gluon.Block):
        def __init__(self, size, inputs, **kwargs):
            super(Tree, self).__init__(**kwargs)
            self.size = size
            with self.name_scope():
                self.i2h_weight = self.params.get("i2h_weight", shape=(4 * size, inputs))
                self.h2h_weight = self.params.get("h2h_weight", shape=(3 * size, size))
                self.c2h_weight = self.params.get("c2h_weight", shape=(size, size))

        def forward(self, F, inputs, tree):
            below = [self.forward(F, inputs, child) for child in tree[1:]]
            x = inputs[tree[0]].expand_dims(0)
            with x.context as ctx:
                weights = [p.data(ctx) for p in (self.i2h_weight, self.h2h_weight, self.c2h_weight)]
            full = {"no_bias": True, "num_hidden": self.size * 4}
            i, f, o, g = F.SliceChannel(F.FullyConnected(x, weights[0], **full), num_outputs=4)
            h = F.add_n(*[item[0] for item in below]) if below else F.zeros_like(i)
            full["num_hidden"] = self.size * 3
            parts = F.SliceChannel(F.FullyConnected(h, weights[1], **full), num_outputs=3)
            c = F.sigmoid(i + parts[0]) * F.tanh(g + parts[2])
            for h, memory in below:
                c = c + F.sigmoid(f + F.dot(h, weights[2])) * memory
            return F.sigmoid(o + parts[1]) * F.tanh(c), c

    net, tree = made(Tree(4, 3)), (0, (1,), (2, (3,)))

    def compute():
        h, c = net(nd, wave(4, 3), tree)
        return (h**2).sum() + nd.abs(c).sum()

    fit(net, compute, "adagrad", learning_rate=0.05, wd=1e-4)
    note(net)
    return r


def a_language_model_with_tied_weights():
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()

    class Words(gluon.Block):
        def __init__(self, tie, **kwargs):
            super(Words, self).__init__(**kwargs)
            with self.name_scope():
                self.encoder = nn.Embedding(9, 6, weight_initializer=init.Uniform(0.1))
                self.rnn = rnn.LSTM(6, 2, dropout=0, input_size=6)
                self.decoder = nn.Dense(9, in_units=6, params=self.encoder.params if tie else None)

        def forward(self, inputs, hidden):
            output, hidden = self.rnn(self.encoder(inputs), hidden)
            return self.decoder(output.reshape((-1, 6))), hidden

    ids = turns(62, 9)[:60].reshape((2, 30)).T
    for tie in (True, False):
        net = made(Words(tie))
        for p in net.collect_params().values():
            p.set_data(wave(*p.shape, s=0.3))
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1, "momentum": 0})
        hidden = net.rnn.begin_state(func=mx.nd.zeros, batch_size=2, ctx=mx.cpu())
        for i in range(0, 15, 5):
            hidden = [s.detach() for s in hidden]
            with autograd.record():
                output, hidden = net(ids[i : i + 5], hidden)
                l = cross_entropy(output, ids[i + 1 : i + 6].reshape((-1,)))
                l.backward()
            grads = [p.grad(mx.cpu()) for p in net.collect_params().values()]
            norm = gluon.utils.clip_global_norm(grads, 0.2)
            trainer.step(10)
            note(mx.nd.sum(l), nd.array([norm]))
        note(net, list(net.collect_params()))
    return r


def a_network_inside_of_a_network():
    class Skip(nn.HybridBlock):
        def __init__(self, inner, outer, middle=None, outermost=False, **kwargs):
            super(Skip, self).__init__(**kwargs)
            self.outermost = outermost
            with self.name_scope():
                down = nn.Conv2D(inner, 4, strides=2, padding=1, in_channels=outer, use_bias=False)
                width = inner * 2 if middle else inner
                up = nn.Conv2DTranspose(outer, 4, strides=2, padding=1, in_channels=width)
                layers = [nn.LeakyReLU(0.2), down, nn.BatchNorm(momentum=0.1, in_channels=inner)]
                layers += [middle] if middle else []
                layers += [nn.Activation("relu"), up, nn.Activation("tanh")]
                self.model = nn.HybridSequential()
                with self.model.name_scope():
                    for layer in layers:
                        self.model.add(layer)

        def hybrid_forward(self, F, x):
            return self.model(x) if self.outermost else F.concat(self.model(x), x, dim=1)

    net = made(Skip(3, 2, Skip(3, 3), outermost=True))
    net.hybridize()
    loss = gluon.loss.L1Loss()
    fit(net, lambda: loss(net(wave(2, 2, 8, 8)), wave(2, 2, 8, 8, k=0.11)), "adam", batch=2)
    note(net, list(net.collect_params()))
    return r


def training_goes_on_after_a_break(folder):
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    X, y = wave(8, 4), turns(8, 2)

    def build():
        net = nn.HybridSequential()
        net.add(nn.Dense(4, activation="tanh"), nn.BatchNorm(), nn.Dense(2))
        return net

    params, states = os.path.join(folder, "p"), os.path.join(folder, "s")
    for kind in ("adam", "rmsprop", "adagrad", "ftrl"):
        first, second = made(build()), build()
        trainer = fit(first, lambda: cross_entropy(first(X), y), kind, batch=8, learning_rate=0.05)
        first.save_parameters(params)
        trainer.save_states(states)
        second.load_parameters(params, ctx=mx.cpu())
        other = gluon.Trainer(second.collect_params(), kind, {"learning_rate": 0.05})
        other.load_states(states)
        for net, trainer in ((first, trainer), (second, other)):
            for _ in range(2):
                with autograd.record():
                    l = cross_entropy(net(X), y)
                l.backward()
                trainer.step(8)
            note(l)
    return r


def margins_centers_focus():
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()

    class Arc(nn.HybridBlock):
        def __init__(self, count, size, **kwargs):
            super(Arc, self).__init__(**kwargs)
            self.count = count
            with self.name_scope():
                self.weight = self.params.get("weight", shape=(count, size), init=Formula())

        def hybrid_forward(self, F, x, y, weight):
            x, w = (F.L2Normalization(item, mode="instance") for item in (x, weight))
            cos = F.FullyConnected(x, w, no_bias=True, num_hidden=self.count)
            angle = F.arccos(F.clip(cos, -1 + 1e-5, 1 - 1e-5))
            return 8 * F.where(F.one_hot(y, depth=self.count), F.cos(angle + 0.5), cos)

    class Focal(gluon.loss.Loss):
        def __init__(self, weight=None, batch_axis=0, **kwargs):
            super(Focal, self).__init__(weight, batch_axis, **kwargs)

        def hybrid_forward(self, F, pred, label, sample_weight=None):
            p, hot = F.sigmoid(pred), F.one_hot(label, 3)
            p = F.where(hot, p, 1 - p)
            loss = -((1 - p) ** 2) * F.log(F.minimum(p + 1e-12, 1))
            loss = gluon.loss._apply_weighting(F, loss, self._weight, sample_weight)
            return F.mean(loss, axis=self._batch_axis, exclude=True)

    net, arc, centers, focal = made(nn.Dense(4)), made(Arc(3, 4)), made(nn.Embedding(3, 4)), Focal()
    X, y = wave(6, 5), turns(6, 3)

    def compute():
        f = net(X)
        o = arc(f, y)
        near = nd.mean(nd.square(f - centers(y)), axis=0, exclude=True)
        return cross_entropy(o, y) + 0.1 * near + focal(o, y)

    for hybrid in (False, True):
        for block in (net, arc, centers, focal):
            block.hybridize(hybrid)
            if block is not focal:
                fit(block, compute, learning_rate=0.05, batch=6, steps=2)
    note(focal, arc, arc.weight.data())
    return r


def causal_convolutions():
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()

    class Causal(nn.HybridBlock):
        def __init__(self, channels, dilation, **kwargs):
            super(Causal, self).__init__(**kwargs)
            self.end = -dilation
            with self.name_scope():
                self.f = nn.Conv1D(channels, 2, dilation=dilation, padding=dilation)
                self.g = nn.Conv1D(channels, 2, dilation=dilation, padding=dilation)

        def hybrid_forward(self, F, x):
            f, g = (F.slice_axis(c(x), axis=2, begin=0, end=self.end) for c in (self.f, self.g))
            return F.tanh(f) * F.sigmoid(g) + x

    class Wave(nn.HybridBlock):
        def __init__(self, **kwargs):
            super(Wave, self).__init__(**kwargs)
            self.emb, self.layers, self.out = nn.Embedding(8, 3), [], nn.Conv1D(8, 1)
            for dilation in (1, 2, 4):
                layer = Causal(3, dilation)
                self.register_child(layer)
                self.layers.append(layer)

        def hybrid_forward(self, F, x):
            h = F.transpose(self.emb(x), axes=(0, 2, 1))
            for layer in self.layers:
                h = layer(h)
            return F.transpose(self.out(F.relu(h)), axes=(0, 2, 1))

    X = turns(20, 8, 2, 10)
    for hybrid in (False, True):
        net = made(Wave())
        net.hybridize(hybrid)
        fit(
            net,
            lambda: cross_entropy(net(X)[:, :-1], X[:, 1:]),
            "adam",
            learning_rate=0.01,
            batch=2,
        )
    note(net)
    return r


def channels_are_shuffled_and_weighed():
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()

    class Unit(nn.HybridBlock):
        def __init__(self, channels, **kwargs):
            super(Unit, self).__init__(**kwargs)
            with self.name_scope():
                self.c = nn.Conv2D(channels, 1, groups=2, use_bias=False)
                self.d = nn.Conv2D(channels, 3, padding=1, groups=channels)
                self.bn, self.prelu = nn.BatchNorm(scale=False, epsilon=2e-5), nn.PReLU()
                self.w = nn.Conv2D(channels, 1)

        def hybrid_forward(self, F, x):
            y = self.prelu(self.bn(self.c(x)))
            y = F.swapaxes(F.reshape(y, shape=(0, -4, 2, -1, -2)), 1, 2)
            y = self.d(F.reshape(y, shape=(0, -3, -2)))
            w = F.sigmoid(self.w(F.contrib.AdaptiveAvgPooling2D(y, output_size=1)))
            a, b = F.split(F.broadcast_mul(y, w), num_outputs=2, axis=1)
            return F.concat(a * F.clip(b + 3, 0, 6) / 6, b, dim=1) + x

    net = chain(nn.Conv2D(4, 3), Unit(4), nn.GlobalAvgPool2D(), nn.Flatten(), nn.Dense(3))
    X, y = wave(2, 3, 6, 6, k=0.05), nd.array([0, 2])
    for hybrid in (False, True):
        net.hybridize(hybrid)
        fit(net, lambda: cross_entropy(net(X), y), learning_rate=0.05, batch=2, steps=2)
    note(net)
    return r


PROGRAMS = functions(globals())
