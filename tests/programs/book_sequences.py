"""Programs as books on Gluon have them: recurrent networks, detection, text."""

from __future__ import annotations

import os

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn, rnn
from mxnet.gluon.data import DataLoader

from .book_helpers import Formula, chain, fit, made, note, r, turns, wave
from .core import functions


def a_character_model_from_scratch_detach_without_effect():
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    V, H = 5, 4
    ids = turns(40, V)

    def shapes():
        return [(V, H), (H, H), (H,), (H, V), (V,)]

    W_xh, W_hh, b_h, W_hq, b_q = weights = [wave(*s, s=0.3) for s in shapes()]
    for p in weights:
        p.attach_grad()
    state = nd.zeros((2, H))
    for i in range(0, 15, 5):
        X = ids.reshape((2, 20))[:, i : i + 5]
        Y = ids.reshape((2, 20))[:, i + 1 : i + 6]
        state.detach()
        with autograd.record():
            outputs = []
            for x in [nd.one_hot(x, V) for x in X.T]:
                state = nd.tanh(nd.dot(x, W_xh) + nd.dot(state, W_hh) + b_h)
                outputs.append(nd.dot(state, W_hq) + b_q)
            l = cross_entropy(nd.concat(*outputs, dim=0), Y.T.reshape((-1,))).mean()
        l.backward()
        norm = sum((p.grad**2).sum() for p in weights).sqrt().asscalar()
        for p in weights:
            p.grad[:] *= min(1, 0.1 / norm)
            p[:] = p - 10 * p.grad
        note(l, state)
    return r


def the_state_of_a_recurrent_layer_goes_on_from_step_to_step():
    for layer in (rnn.RNN(3), rnn.GRU(3, 2), rnn.LSTM(3, 2), rnn.LSTM(3, bidirectional=True)):
        for hybrid in (False, True):
            layer.initialize(Formula(), force_reinit=True)
            layer.hybridize(hybrid)
            state = layer.begin_state(batch_size=2)
            for _ in range(3):
                for s in state:
                    s.detach()
                with autograd.record():
                    output, state = layer(wave(4, 2, 3), state)
                    l = (output**2).sum()
                l.backward()
                note(l, *(p.grad().norm() for p in layer.collect_params().values()))
        note(*state, layer)
    return r


def cells_in_a_loop_plain_and_hybridized():
    for cell in (rnn.RNNCell(3), rnn.GRUCell(3), rnn.LSTMCell(3)):
        for hybrid in (False, True):
            cell.initialize(Formula(), force_reinit=True)
            cell.hybridize(hybrid)
            state = cell.begin_state(2)
            for _ in range(3):
                with autograd.record():
                    output, state = cell(wave(2, 3), state)
                    l = (output**2).sum()
                l.backward()
                note(l, *(p.grad().norm() for p in cell.collect_params().values()))
            for _ in range(2):
                with autograd.record():
                    output, state = cell.unroll(3, wave(2, 3, 3), state, merge_outputs=True)
                    l = (output**2).sum()
                l.backward()
                note(l, *(p.grad().norm() for p in cell.collect_params().values()))
    return r


def one_of_two_results_goes_on_after_the_others_backward():
    w, state = wave(2, 4), nd.ones((2, 2))
    w.attach_grad()
    for _ in range(3):
        with autograd.record():
            a, state = nd.split(nd.tanh(w * nd.concat(state, state, dim=1)), 2, axis=1)
        a.backward()
        note(w.grad)

    class Net(nn.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.d, self.e = nn.Dense(3), nn.Dense(3)

        def hybrid_forward(self, F, x, s):
            h = F.tanh(self.d(x) + s)
            return h, F.sigmoid(self.e(h))

    net = made(Net())
    net.hybridize()
    s = nd.zeros((2, 3))
    for _ in range(3):
        with autograd.record():
            o, s = net(wave(2, 4), s)
        o.backward()
        note(o, s, net.d.weight.grad())
    return r


def what_comes_out_of_a_result_that_is_used_up_cannot_be_differentiated():
    w, state = wave(2, 2), nd.ones((2, 2))
    w.attach_grad()
    for _ in range(2):
        with autograd.record():
            h = nd.tanh(nd.dot(state, w))
            state = h + 1
        h.backward()
    return r


def constants_written_to_before_backward():
    def writes(x):
        x[:] = 5
        yield
        x += 5
        yield
        x[1] = 7
        yield
        nd.ones(3).copyto(x)
        yield
        nd.exp(nd.ones(3), out=x)
        yield
        x.reshape((3, 1))[:] = 4
        yield
        x[nd.array([0, 2])] = 8
        yield

    for attached in (False, True):
        w, x = nd.ones(3), nd.array([1.0, 2, 3])
        w.attach_grad()
        if attached:
            x.attach_grad()
        following = writes(x)
        for _ in range(7):
            with autograd.record():
                y = nd.dot(w, x) + (w * x).sum()
                with autograd.pause():
                    next(following)
            y.backward()
            note(w.grad, x)
    return r


def a_spectral_norm_that_keeps_its_vector():
    class Normed(nn.Block):
        def __init__(self, **kwargs):
            super(Normed, self).__init__(**kwargs)
            self.weight = self.params.get("weight", shape=(3, 4))
            self.u = self.params.get("u", init=Formula(), shape=(1, 3), grad_req="null")

        def forward(self, x):
            w, u = self.weight.data(), self.u.data()
            v = nd.L2Normalization(nd.dot(u, w))
            u = nd.L2Normalization(nd.dot(v, w.T))
            sigma = nd.sum(nd.dot(u, w) * v)
            with autograd.pause():
                self.u.set_data(u)
            return nd.dot(x, (w / sigma).T)

    net = made(Normed())
    fit(net, lambda: (net(wave(2, 4)) ** 2).mean(), "adam", learning_rate=0.1)
    note(net.u.data(), net.weight.data(), str(net.collect_params()))
    return r


def folded_parameters_follow_writes_inside_of_record():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, 1), nn.BatchNorm())
    made(net).hybridize()
    X = wave(1, 2, 3, 3)
    note(net(X))
    with autograd.record():
        with autograd.pause():
            net[1].running_var.set_data(nd.array([4.0, 9.0]))
    note(net(X))
    return r


def cells_all_ways_to_unroll():
    X = wave(2, 3, 4)

    def unrolled(cell, inputs=X, length=3, **options):
        made(cell)
        for merge in (None, True, False):
            cell.reset()
            outputs, states = cell.unroll(length, inputs, merge_outputs=merge, **options)
            note(type(outputs).__name__, outputs, states)
        note(cell, str(cell.state_info(2)), sorted(cell.collect_params().keys()))

    unrolled(rnn.RNNCell(2, activation="relu"), layout="TNC", length=2)
    unrolled(rnn.LSTMCell(2), [X[:, i] for i in range(3)], valid_length=nd.array([2, 3]))
    unrolled(rnn.GRUCell(2), begin_state=[nd.ones((2, 2))])
    stack = rnn.SequentialRNNCell()
    stack.add(rnn.LSTMCell(2))
    stack.add(rnn.DropoutCell(0.5))
    stack.add(rnn.ResidualCell(rnn.GRUCell(2)))
    unrolled(stack)
    unrolled(rnn.BidirectionalCell(rnn.LSTMCell(2, prefix="l_"), rnn.GRUCell(2, prefix="r_")))
    unrolled(rnn.ZoneoutCell(rnn.RNNCell(2), 0.5, 0.5))
    return r


def anchors_targets_detections():
    X = nd.zeros((1, 3, 2, 3))
    note(nd.contrib.MultiBoxPrior(X, sizes=[0.75, 0.5], ratios=[1, 2, 0.5]))
    truth = nd.array([[0, 0.1, 0.08, 0.52, 0.92], [1, 0.55, 0.2, 0.9, 0.88]])
    boxes = [[0, 0.1, 0.2, 0.3], [0.15, 0.2, 0.4, 0.4], [0.63, 0.05, 0.88, 0.98]]
    boxes = nd.array(boxes + [[0.66, 0.45, 0.8, 0.8], [0.57, 0.3, 0.92, 0.9]])
    one = nd.expand_dims
    note(*nd.contrib.MultiBoxTarget(one(boxes, 0), one(truth, 0), nd.zeros((1, 3, 5))))
    scores = nd.array([[0] * 5, [0.9, 0.8, 0.7, 0.1, 0.3], [0.1, 0.2, 0.3, 0.9, 0.2]])
    offsets = nd.array([0] * boxes.size)
    inputs = (one(scores, 0), one(offsets, 0), one(boxes, 0))
    note(nd.contrib.MultiBoxDetection(*inputs, nms_threshold=0.5))
    note([nd.smooth_l1(nd.arange(-2, 2, 0.5), scalar=s) for s in (10, 1, 0.5)])
    return r


def a_transposed_convolution_that_scales_up():
    def bilinear(channels, size):
        factor = (size + 1) // 2
        center = factor - 1 if size % 2 == 1 else factor - 0.5
        og = np.ogrid[:size, :size]
        filt = (1 - abs(og[0] - center) / factor) * (1 - abs(og[1] - center) / factor)
        weight = np.zeros((channels, channels, size, size), dtype="float32")
        weight[range(channels), range(channels), :, :] = filt
        return nd.array(weight)

    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, kernel_size=1), nn.Conv2DTranspose(2, 4, padding=1, strides=2))
    net[0].initialize(Formula())
    net[1].initialize(init.Constant(bilinear(2, 4)))
    X, y = wave(1, 3, 3, 3), turns(36, 2, 1, 6, 6)
    note(net(X), net)
    loss = gluon.loss.SoftmaxCrossEntropyLoss(axis=1)
    fit(net, lambda: loss(net(X), y), learning_rate=0.1, wd=1e-3)
    note(nd.argmax(net(X), axis=1))
    colors = nd.array([[0, 0, 0], [128, 0, 0]], dtype="uint8")
    note(colors[nd.argmax(net(X), axis=1).astype("int32")[0], :])
    return r


def an_image_as_a_parameter():
    class Generated(nn.Block):
        def __init__(self, shape, **kwargs):
            super(Generated, self).__init__(**kwargs)
            self.weight = self.params.get("weight", shape=shape)

        def forward(self):
            return self.weight.data()

    layers = chain(nn.Conv2D(3, 3, padding=1, activation="relu"), nn.Conv2D(3, 3, padding=1))

    def features(X):
        found = []
        for layer in layers:
            X = layer(X)
            found.append(X)
        return found

    def gram(X):
        Y = X.reshape((X.shape[1], X.size // X.shape[1]))
        return nd.dot(Y, Y.T) / X.size

    def variation(Y):
        down = (Y[:, :, 1:, :] - Y[:, :, :-1, :]).abs().mean()
        return 0.5 * (down + (Y[:, :, :, 1:] - Y[:, :, :, :-1]).abs().mean())

    content, style = wave(1, 3, 4, 4), wave(1, 3, 4, 4, k=0.9)
    wanted, grams = features(content)[1], [gram(f) for f in features(style)]
    image = Generated(content.shape)
    image.initialize(init.Constant(content), ctx=mx.cpu(), force_reinit=True)

    def compute():
        X = image()
        found = features(X)
        styles = [(gram(a) - b).square().mean() for a, b in zip(found, grams)]
        return (found[1] - wanted).square().mean() + 10 * nd.add_n(*styles) + variation(X)

    fit(image, compute, "adam", learning_rate=0.1)
    note(image.weight.data()[0].transpose((1, 2, 0)).clip(0, 1))
    return r


def words_near_words():
    def other(*steps):
        return [(i + step) % 9 for step in steps]

    pairs = []
    for i in range(12):
        pairs.append((i % 9, other(1, 8)[: 1 + i % 2], other(3, 5)))

    def batchify(data):
        size = max(len(c) + len(n) for _, c, n in data)
        rows = [c + n + [0] * (size - len(c) - len(n)) for _, c, n in data]
        masks = [[1] * len(c + n) + [0] * (size - len(c) - len(n)) for _, c, n in data]
        labels = [[1] * len(c) + [0] * (size - len(c)) for _, c, _ in data]
        return nd.array([c for c, _, _ in data]).reshape((-1, 1)), *map(
            nd.array, (rows, masks, labels)
        )

    net = nn.Sequential()
    net.add(nn.Embedding(9, 4), nn.Embedding(9, 4))
    made(net)
    loss = gluon.loss.SigmoidBinaryCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
    for _ in range(2):
        for center, rows, mask, label in DataLoader(pairs, 4, batchify_fn=batchify):
            with autograd.record():
                pred = nd.batch_dot(net[0](center), net[1](rows).swapaxes(1, 2)).reshape(
                    label.shape
                )
                l = loss(pred, label, mask) * mask.shape[1] / mask.sum(axis=1)
            l.backward()
            trainer.step(4)
            note(l)
    W = net[0].weight.data()
    cos = nd.dot(W, W[2]) / (nd.sum(W * W, axis=1) * nd.sum(W[2] * W[2]) + 1e-9).sqrt()
    note(nd.topk(cos, k=3, ret_typ="indices").asnumpy().astype("int32").tolist(), cos)
    return r


def sentiment_both_directions_convolutions():
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()

    class BiRNN(nn.Block):
        def __init__(self, **kwargs):
            super(BiRNN, self).__init__(**kwargs)
            self.embedding = nn.Embedding(10, 4)
            self.encoder = rnn.LSTM(3, num_layers=2, bidirectional=True, input_size=4)
            self.decoder = nn.Dense(2)

        def forward(self, inputs):
            outputs = self.encoder(self.embedding(inputs.T))
            return self.decoder(nd.concat(outputs[0], outputs[-1]))

    class TextCNN(nn.Block):
        def __init__(self, **kwargs):
            super(TextCNN, self).__init__(**kwargs)
            self.embedding, self.fixed = nn.Embedding(10, 4), nn.Embedding(10, 4)
            self.pool, self.decoder, self.convs = nn.GlobalMaxPool1D(), nn.Dense(2), nn.Sequential()
            for size in (2, 3):
                self.convs.add(nn.Conv1D(3, size, activation="relu"))

        def forward(self, inputs):
            e = nd.concat(self.embedding(inputs), self.fixed(inputs), dim=2).transpose((0, 2, 1))
            return self.decoder(
                nd.concat(*[nd.flatten(self.pool(c(e))) for c in self.convs], dim=1)
            )

    X, y = turns(12, 10, 3, 4), nd.array([0, 1, 1])
    first, second = made(BiRNN()), made(TextCNN())
    first.embedding.weight.set_data(wave(10, 4))
    first.embedding.collect_params().setattr("grad_req", "null")
    second.fixed.collect_params().setattr("grad_req", "null")
    for net in (first, second):
        fit(net, lambda: cross_entropy(net(X), y), "adam", batch=3, learning_rate=0.01)
        note(net, net(X).argmax(axis=1), str(net.collect_params()))
    return r


def translation_with_attention_and_a_masked_loss():
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()

    class Decoder(nn.Block):
        def __init__(self, **kwargs):
            super(Decoder, self).__init__(**kwargs)
            self.embedding, self.rnn = nn.Embedding(9, 4), rnn.GRU(5, 2)
            self.out, self.attention = nn.Dense(9, flatten=False), nn.Sequential()
            options = {"use_bias": False, "flatten": False}
            self.attention.add(nn.Dense(3, activation="tanh", **options), nn.Dense(1, **options))

        def forward(self, token, state, memory):
            query = nd.broadcast_axis(state[0][-1].expand_dims(0), axis=0, size=memory.shape[0])
            a = nd.softmax(self.attention(nd.concat(memory, query, dim=2)), axis=0)
            x = nd.concat(self.embedding(token), (a * memory).sum(axis=0), dim=1)
            output, state = self.rnn(x.expand_dims(0), state)
            return self.out(output).squeeze(axis=0), state

    embed, encoder, decoder = made(nn.Embedding(10, 4)), made(rnn.GRU(5, 2)), made(Decoder())
    X, Y = turns(12, 10, 3, 4), nd.array([[3, 4, 2, 0], [5, 2, 0, 0], [6, 7, 8, 2]])

    def compute():
        memory, state = encoder(embed(X).swapaxes(0, 1), encoder.begin_state(batch_size=3))
        token, mask, count, l = nd.array([1] * 3), nd.ones(shape=(3,)), 0, nd.array([0])
        for y in Y.T:
            output, state = decoder(token, state, memory)
            l = l + (mask * cross_entropy(output, y)).sum()
            token = y
            count += mask.sum().asscalar()
            mask = mask * (y != 2)
        return l / count

    for net in (encoder, decoder):
        fit(net, compute, "adam", learning_rate=0.01, steps=2)
    return r


def layers_of_all_kinds_with_gradients_of_inputs_and_states():
    X = wave(3, 2, 4)
    kinds = {"relu": rnn.RNN, "tanh": rnn.RNN, "lstm": rnn.LSTM, "gru": rnn.GRU}
    for kind, make in kinds.items():
        for both in (False, True):
            for layout in ("TNC", "NTC"):
                options = {"activation": kind} if make is rnn.RNN else {}
                layer = made(make(3, num_layers=2, bidirectional=both, layout=layout, **options))
                states = layer.begin_state(2 if layout == "TNC" else 3, func=nd.ones)
                for array in (X, *states):
                    array.attach_grad()
                with autograd.record():
                    output, following = layer(X, states)
                    l = (output**2).sum() + sum((item**2).sum() for item in following)
                l.backward()
                note(l, X.grad.norm(), [item.grad.norm() for item in states])
                note(layer, layer.state_info(1))
                note([p.grad().norm() for p in layer.collect_params().values()])
        note(list(layer.collect_params()))
    return r


def cells_unrolled_inside_of_a_hybrid_block(folder):
    class Encoder(nn.HybridBlock):
        def __init__(self, cell, **kwargs):
            super(Encoder, self).__init__(**kwargs)
            with self.name_scope():
                self.cell, self.out = cell, nn.Dense(2, flatten=False)

        def hybrid_forward(self, F, x, *lengths):
            length = lengths[0] if lengths else None
            outputs, states = self.cell.unroll(4, x, valid_length=length, merge_outputs=True)
            return self.out(outputs), states[0]

    def stack():
        cell = rnn.HybridSequentialRNNCell()
        cell.add(rnn.LSTMCell(3))
        cell.add(rnn.ResidualCell(rnn.GRUCell(3)))
        return cell

    def both():
        return rnn.BidirectionalCell(rnn.GRUCell(2), rnn.GRUCell(2))

    def zoned():
        return rnn.ZoneoutCell(rnn.LSTMCell(3), 0.1, 0.1)

    for make in (lambda: rnn.LSTMCell(3), stack, both, zoned):
        for hybrid in (False, True):
            for inputs in ((wave(2, 4, 3),), (wave(2, 4, 3), nd.array([2, 4]))):
                try:
                    net = made(Encoder(make()))
                    net.hybridize(hybrid)
                    note(*net(*inputs))
                except Exception as error:
                    note("cannot")
    net = made(Encoder(stack()))
    net.hybridize()
    net(wave(2, 4, 3))
    net.export(os.path.join(folder, "e"))
    files = [os.path.join(folder, name) for name in ("e-symbol.json", "e-0000.params")]
    note(*gluon.SymbolBlock.imports(files[0], ["data"], files[1])(wave(3, 4, 3)))
    return r


PROGRAMS = functions(globals())
