"""The NumPy dialect with sequences: recurrent networks, attention and language."""

from __future__ import annotations

import collections
import math

from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn, rnn

from .core import functions
from .np_book_helpers import chain, draw, fit, in_numpy_dialect, made, note, r, turns

TEXT = "the time machine by the time the machine made time"


def _vocabulary(tokens):
    counts = sorted(collections.Counter(tokens).items(), key=lambda pair: (-pair[1], pair[0]))
    return ["<unk>"] + [token for token, _ in counts]


def _corpus():
    names = _vocabulary(TEXT)
    return names, np.array([names.index(c) for c in TEXT])


def text_and_batches_of_it():
    names, corpus = _corpus()
    note(names[:5], corpus[:9])
    size, steps = 2, 5
    count = ((len(corpus) - 1) // size) * size
    Xs, Ys = corpus[:count].reshape(size, -1), corpus[1 : count + 1].reshape(size, -1)
    for i in range(0, Xs.shape[1] // steps * steps, steps * 2):
        note(Xs[:, i : i + steps], Ys[:, i : i + steps])
    note(npx.one_hot(np.array([0, 2]), 4), npx.one_hot(Xs[:, :2].T, 3).shape)
    x = np.sin(0.1 * np.arange(30))
    features = np.stack([x[i : 26 + i] for i in range(4)], axis=1)
    note(features[:2], features.shape)
    return r


def _clip(params, theta):
    norm = math.sqrt(sum(float((p.grad**2).sum()) for p in params))
    if norm > theta:
        for p in params:
            p.grad[:] *= theta / norm
    return norm > theta


def _train_by_hand(step, state, params, vocab):
    for p in params:
        p.attach_grad()
    _, corpus = _corpus()
    X, Y = corpus[:20].reshape(4, 5), corpus[1:21].reshape(4, 5)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    for _ in range(3):
        for s in state:
            s.detach()
        with autograd.record():
            outputs, now = step(npx.one_hot(X.T, vocab), state, params)
            l = loss(outputs, Y.T.reshape(-1)).mean()
        l.backward()
        note(l, _clip(params, 0.05))
        for p in params:
            p[:] = p - 1.0 * p.grad
    note(*now)


def a_recurrent_network_from_scratch():
    vocab, hidden = len(_corpus()[0]), 6
    params = [draw(vocab, hidden, s=0.1), draw(hidden, hidden, s=0.1), np.zeros(hidden)]
    params += [draw(hidden, vocab, s=0.1), np.zeros(vocab)]

    def step(inputs, state, params):
        W_xh, W_hh, b_h, W_hq, b_q = params
        (H,) = state
        outputs = []
        for X in inputs:
            H = np.tanh(np.dot(X, W_xh) + np.dot(H, W_hh) + b_h)
            outputs.append(np.dot(H, W_hq) + b_q)
        return np.concatenate(outputs, axis=0), (H,)

    _train_by_hand(step, (np.zeros(shape=(4, hidden)),), params, vocab)
    return r


def gated_units_from_scratch():
    vocab, hidden = len(_corpus()[0]), 5

    def three(i):
        return (
            draw(vocab, hidden, seed=i, s=0.3),
            draw(hidden, hidden, seed=i + 9, s=0.3),
            np.zeros(hidden),
        )

    def step(inputs, state, params):
        W_xz, W_hz, b_z, W_xr, W_hr, b_r, W_xh, W_hh, b_h, W_hq, b_q = params
        (H,) = state
        outputs = []
        for X in inputs:
            Z = npx.sigmoid(np.dot(X, W_xz) + np.dot(H, W_hz) + b_z)
            R = npx.sigmoid(np.dot(X, W_xr) + np.dot(H, W_hr) + b_r)
            candidate = np.tanh(np.dot(X, W_xh) + np.dot(R * H, W_hh) + b_h)
            H = Z * H + (1 - Z) * candidate
            outputs.append(np.dot(H, W_hq) + b_q)
        return np.concatenate(outputs, axis=0), (H,)

    params = [*three(1), *three(2), *three(3), draw(hidden, vocab, s=0.3), np.zeros(vocab)]
    _train_by_hand(step, (np.zeros((4, hidden)),), params, vocab)
    return r


def a_memory_from_scratch():
    vocab, hidden = len(_corpus()[0]), 5
    params = [
        draw(vocab, 4 * hidden, s=0.3),
        draw(hidden, 4 * hidden, seed=2, s=0.3),
        np.zeros(4 * hidden),
    ]
    params += [draw(hidden, vocab, seed=3, s=0.3), np.zeros(vocab)]

    def step(inputs, state, params):
        W, U, b, W_hq, b_q = params
        H, C = state
        outputs = []
        for X in inputs:
            I, F, O, G = np.split(np.dot(X, W) + np.dot(H, U) + b, 4, axis=1)
            C = npx.sigmoid(F) * C + npx.sigmoid(I) * np.tanh(G)
            H = npx.sigmoid(O) * np.tanh(C)
            outputs.append(np.dot(H, W_hq) + b_q)
        return np.concatenate(outputs, axis=0), (H, C)

    _train_by_hand(step, (np.zeros((4, hidden)), np.zeros((4, hidden))), params, vocab)
    return r


def recurrent_layers():
    names, corpus = _corpus()

    class Model(nn.Block):
        def __init__(self, layer, vocab, **kwargs):
            super().__init__(**kwargs)
            self.rnn, self.vocab, self.dense = layer, vocab, nn.Dense(vocab)

        def forward(self, inputs, state):
            Y, state = self.rnn(npx.one_hot(inputs.T, self.vocab), state)
            return self.dense(Y.reshape(-1, Y.shape[-1])), state

        def begin_state(self, *args, **kwargs):
            return self.rnn.begin_state(*args, **kwargs)

    X, Y = corpus[:12].reshape(3, 4), corpus[1:13].reshape(3, 4)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    layers = (rnn.RNN(4), rnn.GRU(4), rnn.LSTM(4), rnn.LSTM(3, 2), rnn.GRU(3, bidirectional=True))
    for layer in layers:
        net = made(Model(layer, len(names)))
        state = net.begin_state(batch_size=3)
        note(len(state), [s.shape for s in state], type(state[0]).__name__)
        net(X, state)
        fit(net, lambda: loss(net(X, state)[0], Y.T.reshape(-1)).mean(), learning_rate=1.0)
        out, state = net(X, state)
        note(out[0], out.argmax(axis=1), [s[0] for s in state])
    return r


class Encoder(nn.Block):
    def __init__(self, vocab, embed, hidden, **kwargs):
        super().__init__(**kwargs)
        self.embedding, self.rnn = nn.Embedding(vocab, embed), rnn.GRU(hidden, 2)

    def forward(self, X):
        X = self.embedding(X).swapaxes(0, 1)
        return self.rnn(X, self.rnn.begin_state(batch_size=X.shape[1], ctx=X.ctx))


class Decoder(nn.Block):
    def __init__(self, vocab, embed, hidden, **kwargs):
        super().__init__(**kwargs)
        self.embedding, self.rnn = nn.Embedding(vocab, embed), rnn.GRU(hidden, 2)
        self.dense = nn.Dense(vocab, flatten=False)

    def forward(self, X, state):
        X = self.embedding(X).swapaxes(0, 1)
        context = np.broadcast_to(state[0][-1], (X.shape[0],) + state[0][-1].shape)
        Y, state = self.rnn(np.concatenate((X, context), 2), state)
        return self.dense(Y).swapaxes(0, 1), state


class MaskedSoftmaxCELoss(gluon.loss.SoftmaxCELoss):
    def forward(self, pred, label, valid_len):
        weights = np.ones_like(np.expand_dims(label, axis=-1))
        weights = npx.sequence_mask(weights, valid_len, True, axis=1)
        return super().forward(pred, label, weights)


def from_sequence_to_sequence():
    loss = MaskedSoftmaxCELoss()
    note(loss(np.ones((3, 4, 10)), np.ones((3, 4)), np.array([4, 2, 0])))
    note(npx.sequence_mask(np.array([[1, 2, 3], [4, 5, 6]]), np.array([1, 2]), True, axis=1))
    encoder, decoder = made(Encoder(8, 3, 4)), made(Decoder(8, 3, 4))
    X, Y, valid = turns(8, 8, 2, 4), turns(10, 8, 2, 5), np.array([5, 3])
    bos = np.array([1] * 2, dtype=Y.dtype).reshape(-1, 1)
    trainers = [
        gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 2.0})
        for net in (encoder, decoder)
    ]
    for _ in range(3):
        with autograd.record():
            _, state = encoder(X)
            predicted, _ = decoder(np.concatenate([bos, Y[:, :-1]], 1), state)
            l = loss(predicted, Y, valid)
        l.backward()
        for trainer in trainers:
            trainer.step(int(valid.sum()))
        note(l)
    _, state = encoder(X[:1])
    token, found = bos[:1], []
    for _ in range(4):
        predicted, state = decoder(token, state)
        token = predicted.argmax(axis=2)
        found.append(int(token.squeeze(axis=0).astype("int32").item()))
    note(found, [s.shape for s in state])
    return r


def beams():
    scores = np.log(npx.softmax(draw(3, 5, 5)))
    beams = [([], np.array(0.0), 0)]
    for step in range(3):
        grown = []
        for tokens, total, last in beams:
            best = npx.topk(scores[step, last], k=2, ret_typ="both")
            for value, index in zip(best[0].tolist(), best[1].tolist()):
                grown.append(([*tokens, int(index)], total + value, int(index)))
        beams = sorted(grown, key=lambda beam: -float(beam[1]))[:2]
        note([tokens for tokens, _, _ in beams], [total for _, total, _ in beams])
    order = np.argsort(-scores[0, 0])
    note(order[:2], np.sort(scores[0, 0])[-1], (beams[0][1] / len(beams[0][0]) ** 0.75))
    return r


def _masked_softmax(X, valid):
    if valid is None:
        return npx.softmax(X)
    shape = X.shape
    valid = valid.repeat(shape[1]) if valid.ndim == 1 else valid.reshape(-1)
    X = npx.sequence_mask(X.reshape(-1, shape[-1]), valid, True, value=-1e6, axis=1)
    return npx.softmax(X).reshape(shape)


class Additive(nn.Block):
    def __init__(self, hidden, dropout, **kwargs):
        super().__init__(**kwargs)
        self.W_k = nn.Dense(hidden, use_bias=False, flatten=False)
        self.W_q = nn.Dense(hidden, use_bias=False, flatten=False)
        self.w_v = nn.Dense(1, use_bias=False, flatten=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid):
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = np.tanh(np.expand_dims(queries, axis=2) + np.expand_dims(keys, axis=1))
        self.weights = _masked_softmax(np.squeeze(self.w_v(features), axis=-1), valid)
        return npx.batch_dot(self.dropout(self.weights), values)


class DotProduct(nn.Block):
    def forward(self, queries, keys, values, valid=None):
        scores = npx.batch_dot(queries, keys, transpose_b=True) / math.sqrt(queries.shape[-1])
        self.weights = _masked_softmax(scores, valid)
        return npx.batch_dot(self.weights, values)


def attention():
    note(_masked_softmax(draw(2, 2, 4), np.array([2, 3])))
    note(
        _masked_softmax(draw(2, 2, 4), np.array([[1, 3], [2, 4]])),
        _masked_softmax(draw(1, 1, 3), None),
    )
    queries, keys = draw(2, 1, 20), np.ones((2, 10, 2))
    values = np.arange(40).reshape(1, 10, 4).repeat(2, axis=0)
    valid = np.array([2, 6])
    additive, dot = made(Additive(8, 0.1)), DotProduct()
    note(additive(queries, keys, values, valid), additive.weights)
    note(dot(draw(2, 1, 2), keys, values, valid), dot.weights)
    x, y = np.sort(np.array([3.1, 0.4, 2.2, 1.7])), np.array([1.0, 2, 3, 4])
    weights = npx.softmax(-((np.arange(0, 4, 1).reshape(-1, 1) - x) ** 2) / 2)
    note(weights, np.dot(weights, y), np.tile(x, (2, 1)), (1 - np.eye(3)).astype("bool"))
    return r


def _split_heads(X, heads):
    X = X.reshape(X.shape[0], X.shape[1], heads, -1).transpose(0, 2, 1, 3)
    return X.reshape(-1, X.shape[2], X.shape[3])


def _join_heads(X, heads):
    X = X.reshape(-1, heads, X.shape[1], X.shape[2]).transpose(0, 2, 1, 3)
    return X.reshape(X.shape[0], X.shape[1], -1)


class MultiHead(nn.Block):
    def __init__(self, hidden, heads, **kwargs):
        super().__init__(**kwargs)
        self.heads, self.attention = heads, DotProduct()
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Dense(hidden, use_bias=False, flatten=False))

    def forward(self, queries, keys, values, valid=None):
        queries, keys, values = (
            _split_heads(layer(x), self.heads)
            for layer, x in ((self.W_q, queries), (self.W_k, keys), (self.W_v, values))
        )
        if valid is not None:
            valid = valid.repeat(self.heads, axis=0)
        return self.W_o(_join_heads(self.attention(queries, keys, values, valid), self.heads))


class Position(nn.Block):
    def __init__(self, hidden, longest=20, **kwargs):
        super().__init__(**kwargs)
        self.P = np.zeros((1, longest, hidden))
        X = np.arange(longest).reshape(-1, 1) / np.power(10000, np.arange(0, hidden, 2) / hidden)
        self.P[:, :, 0::2] = np.sin(X)
        self.P[:, :, 1::2] = np.cos(X)

    def forward(self, X):
        return X + self.P[:, : X.shape[1], :].as_in_ctx(X.ctx)


class EncoderBlock(nn.Block):
    def __init__(self, hidden, inner, heads, **kwargs):
        super().__init__(**kwargs)
        self.attention, self.norm1, self.norm2 = (
            MultiHead(hidden, heads),
            nn.LayerNorm(),
            nn.LayerNorm(),
        )
        self.dense1 = nn.Dense(inner, flatten=False, activation="relu")
        self.dense2 = nn.Dense(hidden, flatten=False)

    def forward(self, X, valid):
        Y = self.norm1(X + self.attention(X, X, X, valid))
        return self.norm2(Y + self.dense2(self.dense1(Y)))


def a_transformer():
    note(
        Position(6).P[0, :3],
        made(MultiHead(4, 2))(draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 4), np.array([3, 2])),
    )

    class Translator(nn.Block):
        def __init__(self, vocab, hidden, **kwargs):
            super().__init__(**kwargs)
            self.hidden, self.embedding = hidden, nn.Embedding(vocab, hidden)
            self.position, self.block = Position(hidden), EncoderBlock(hidden, 6, 2)
            self.own, self.cross = MultiHead(hidden, 2), MultiHead(hidden, 2)
            self.norm, self.out = nn.LayerNorm(), nn.Dense(vocab, flatten=False)

        def embed(self, tokens):
            return self.position(self.embedding(tokens) * math.sqrt(self.hidden))

        def forward(self, X, Y, valid):
            memory, X = self.block(self.embed(X), valid), self.embed(Y)
            seen = (
                np.tile(np.arange(1, X.shape[1] + 1), (X.shape[0], 1))
                if autograd.is_training()
                else None
            )
            X = self.norm(X + self.own(X, X, X, seen))
            return self.out(X + self.cross(X, memory, memory, valid))

    net, loss = made(Translator(9, 4)), MaskedSoftmaxCELoss()
    X, Y, valid = turns(8, 9, 2, 4), turns(10, 9, 2, 5), np.array([3, 2])
    fit(
        net,
        lambda: loss(net(X, Y, valid), Y, np.array([5, 4])),
        "adam",
        batch=7,
        learning_rate=0.02,
    )
    note(net(X, Y, valid)[0, 0])
    return r


def word_vectors_with_masks():
    centers, contexts = turns(4, 10, 4, 1), turns(24, 10, 4, 6)
    masks = np.array([[1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 0], [1] * 6])
    labels = np.array([[1, 0, 0, 0, 0, 0]] * 4)
    loss = gluon.loss.SigmoidBCELoss()
    note(loss(draw(2, 3), np.ones((2, 3)), np.array([[1, 1, 1], [1, 0, 0]])))
    net = chain(nn.Embedding(10, 4), nn.Embedding(10, 4))

    def compute():
        v, u = net[0](centers), net[1](contexts)
        predicted = npx.batch_dot(v, u.swapaxes(1, 2))
        return (
            loss(predicted.reshape(labels.shape), labels, masks)
            / masks.sum(axis=1)
            * masks.shape[1]
        )

    fit(net, compute, "adam", batch=4, learning_rate=0.05)
    W = net[0].weight.data()
    x = W[3]
    cosine = np.dot(W, x) / np.sqrt(np.sum(W * W, axis=1) * np.sum(x * x) + 1e-9)
    note(cosine, npx.topk(cosine, k=3, ret_typ="indices").astype("int32"))
    return r


def sentiment():
    class Convolutions(nn.Block):
        def __init__(self, vocab, embed, **kwargs):
            super().__init__(**kwargs)
            self.embedding, self.constant = nn.Embedding(vocab, embed), nn.Embedding(vocab, embed)
            self.pool, self.out = nn.GlobalMaxPool1D(), nn.Dense(2)
            self.convs = nn.Sequential()
            for channels, size in ((3, 2), (2, 3)):
                self.convs.add(nn.Conv1D(channels, size, activation="relu"))

        def forward(self, inputs):
            X = np.concatenate((self.embedding(inputs), self.constant(inputs)), axis=2).transpose(
                0, 2, 1
            )
            return self.out(
                np.concatenate([np.squeeze(self.pool(c(X)), axis=-1) for c in self.convs], axis=1)
            )

    class Recurrent(nn.Block):
        def __init__(self, vocab, embed, **kwargs):
            super().__init__(**kwargs)
            self.embedding = nn.Embedding(vocab, embed)
            self.encoder, self.out = rnn.LSTM(3, num_layers=2, bidirectional=True), nn.Dense(2)

        def forward(self, inputs):
            outputs = self.encoder(self.embedding(inputs.T))
            return self.out(np.concatenate((outputs[0], outputs[-1]), axis=1))

    X, loss = turns(18, 11, 3, 6), gluon.loss.SoftmaxCrossEntropyLoss()
    for kind in (Convolutions, Recurrent):
        net = made(kind(11, 4))
        fit(net, lambda: loss(net(X), np.array([0, 1, 1])), "adam", batch=3, learning_rate=0.01)
        note(net(X))
    return r


def a_tiny_bert():
    class Bert(nn.Block):
        def __init__(self, vocab, hidden, **kwargs):
            super().__init__(**kwargs)
            self.token, self.segment = nn.Embedding(vocab, hidden), nn.Embedding(2, hidden)
            self.position = self.params.get("position", shape=(1, 20, hidden))
            self.block, self.next = EncoderBlock(hidden, 6, 2), nn.Dense(2)
            self.words = nn.Sequential()
            self.words.add(nn.Dense(hidden, flatten=False, activation="relu"), nn.LayerNorm())
            self.words.add(nn.Dense(vocab, flatten=False))

        def forward(self, tokens, segments, valid, positions):
            X = self.token(tokens) + self.segment(segments)
            X = X + self.position.data(ctx=X.ctx)[:, : X.shape[1], :]
            X = self.block(X, valid)
            batch = np.repeat(np.arange(0, X.shape[0]), positions.shape[1])
            masked = X[batch, positions.reshape(-1)].reshape((X.shape[0], positions.shape[1], -1))
            return X, self.words(masked), self.next(X[:, 0, :])

    net = made(Bert(12, 4))
    tokens, segments = turns(16, 12, 2, 8), np.array([[0] * 4 + [1] * 4] * 2)
    valid, positions = np.array([8, 6]), np.array([[1, 5, 2], [6, 1, 0]])
    weights, labels = np.array([[1, 1, 1], [1, 1, 0]]), np.array([[7, 8, 9], [10, 2, 3]])
    loss = gluon.loss.SoftmaxCELoss()
    encoded, words, following = net(tokens, segments, valid, positions)
    note(encoded[0, 0], words.shape, following)

    def compute():
        _, words, following = net(tokens, segments, valid, positions)
        masked = loss(words.reshape((-1, 12)), labels.reshape(-1), weights.reshape(-1, 1))
        return masked.sum() / (weights.sum() + 1e-8) + loss(following, np.array([0, 1])).mean()

    fit(net, compute, "adam", learning_rate=0.02)
    note(net(tokens, segments, valid, positions)[1][0, 0])
    return r


PROGRAMS = in_numpy_dialect(functions(globals()))
