"""Networks that nobody tuned for, each small enough for a test, as strangers write them.

`make()` returns a network, and `draw()` the arrays of a call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mxnet import gluon, nd
from mxnet.gluon import nn, rnn


class Strange(NamedTuple):
    """A network with its data."""

    make: Callable[[], gluon.HybridBlock]
    draw: Callable[[], Sequence[nd.NDArray]]


NETWORKS: dict[str, Strange] = {}


def network(*draws: Callable[[], nd.NDArray]) -> Callable[[Any], Any]:
    def add(make: Any) -> Any:
        NETWORKS[make.__name__] = Strange(make, lambda: [draw() for draw in draws])
        return make

    return add


def normal(*shape: int) -> Callable[[], nd.NDArray]:
    return lambda: nd.array(np.random.normal(size=shape))


def below(limit: int, *shape: int) -> Callable[[], nd.NDArray]:
    return lambda: nd.array(np.random.randint(0, limit, size=shape))


def sequential(*layers: gluon.Block) -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(*layers)
    return net


class Down(nn.HybridSequential):
    def __init__(self, channels: int) -> None:
        super().__init__()
        for _ in range(2):
            self.add(nn.Conv2D(channels, 3, padding=1), nn.BatchNorm(), nn.Activation("relu"))


@network(normal(2, 3, 16, 16))
class UNet(gluon.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.down1, self.down2, self.bottom = Down(4), Down(8), Down(8)
            self.pool = nn.MaxPool2D(2)
            self.up2 = nn.Conv2DTranspose(8, 2, strides=2)
            self.up1 = nn.Conv2DTranspose(4, 2, strides=2)
            self.join2, self.join1, self.head = Down(8), Down(4), nn.Conv2D(2, 1)

    def hybrid_forward(self, F, x):
        one = self.down1(x)
        two = self.down2(self.pool(one))
        low = self.up2(self.bottom(self.pool(two)))
        up = self.up1(self.join2(F.concat(two, low, dim=1)))
        return self.head(self.join1(F.concat(F.Crop(up, one), one, dim=1)))


@network(below(11, 2, 6), below(11, 2, 5))
class Translator(gluon.HybridBlock):
    """GRU cells, with attention to the source in every step of the target."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.source, self.target = nn.Embedding(11, 6), nn.Embedding(11, 6)
            self.encoder, self.cell = rnn.GRUCell(8), rnn.GRUCell(8)
            self.query, self.out = nn.Dense(8, flatten=False), nn.Dense(11, flatten=False)

    def hybrid_forward(self, F, source, target):
        memory, (state,) = self.encoder.unroll(6, self.source(source), merge_outputs=True)
        words = F.split(self.target(target), num_outputs=5, axis=1, squeeze_axis=True)
        found = []
        for word in words:
            scores = F.batch_dot(memory, F.expand_dims(self.query(state), 2))
            weights = F.softmax(scores, axis=1)
            context = F.sum(F.broadcast_mul(weights, memory), axis=1)
            output, (state,) = self.cell(F.concat(word, context, dim=1), [state])
            found.append(output)
        return self.out(F.stack(*found, axis=1))


@network(normal(3, 5, 1, 1))
def generator():
    net = nn.HybridSequential()
    for channels, stride, pad in ((8, 1, 0), (4, 2, 1)):
        net.add(nn.Conv2DTranspose(channels, 4, stride, pad, use_bias=False))
        net.add(nn.BatchNorm(), nn.Activation("relu"))
    net.add(nn.Conv2DTranspose(3, 4, 2, 1, use_bias=False), nn.Activation("tanh"))
    return net


@network(normal(4, 3, 16, 16))
def discriminator():
    net = nn.HybridSequential()
    for channels in (4, 8):
        net.add(nn.Conv2D(channels, 4, 2, 1, use_bias=False), nn.BatchNorm(), nn.LeakyReLU(0.2))
    net.add(nn.InstanceNorm(), nn.Conv2D(1, 4), nn.Flatten())
    return net


@network(normal(3, 1, 12, 12), normal(3, 1, 12, 12))
class Siamese(gluon.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        self.body = sequential(
            nn.Conv2D(4, 3), nn.PReLU(), nn.MaxPool2D(), nn.Dense(6, activation="tanh"), nn.Dense(3)
        )

    def hybrid_forward(self, F, first, second):
        difference = self.body(first) - self.body(second)
        return F.sqrt(F.sum(F.square(difference), axis=1, keepdims=True) + 1e-6)


class Dilated(gluon.HybridBlock):
    def __init__(self, dilation: int) -> None:
        super().__init__()
        with self.name_scope():
            self.filters = nn.Conv1D(4, 2, dilation=dilation, padding=dilation)
            self.gates = nn.Conv1D(4, 2, dilation=dilation, padding=dilation)
            self.mix, self.skip = nn.Conv1D(4, 1), nn.Conv1D(6, 1)
        self.dilation = dilation

    def hybrid_forward(self, F, x):
        both = F.tanh(self.filters(x)) * F.sigmoid(self.gates(x))
        both = F.slice_axis(both, axis=2, begin=0, end=-self.dilation)
        mixed = self.mix(both) + x
        return mixed, self.skip(mixed)


@network(normal(2, 1, 32))
class Waves(gluon.HybridBlock):
    """Gated convolutions over time with ever wider steps."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.first = nn.Conv1D(4, 1)
            self.layers = [Dilated(2**i) for i in range(4)]
            for layer in self.layers:
                self.register_child(layer)
            self.norm, self.last = nn.LayerNorm(axis=1), nn.Conv1D(5, 1)

    def hybrid_forward(self, F, x):
        x, total = self.first(x), 0
        for layer in self.layers:
            x, skip = layer(x)
            total = total + skip
        return self.last(F.relu(self.norm(total)))


@network(normal(2, 3, 8, 16, 16))
def videos():
    return sequential(
        nn.Conv3D(4, 3, padding=1),
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.MaxPool3D((1, 2, 2)),
        nn.Conv3D(6, 3, padding=1, groups=2),
        nn.GroupNorm(3),
        nn.Swish(),
        nn.AvgPool3D(2),
        nn.Conv3DTranspose(4, 2, strides=2),
        nn.GlobalAvgPool3D(),
        nn.Dense(5),
    )


class Decoder(gluon.HybridBlock):
    def __init__(self, units: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        with self.name_scope():
            self.before, self.between = nn.LayerNorm(), nn.LayerNorm()
            self.qkv = nn.Dense(3 * units, flatten=False)
            self.out = nn.Dense(units, flatten=False)
            self.wide = nn.Dense(4 * units, flatten=False)
            self.gelu, self.narrow = nn.GELU(), nn.Dense(units, flatten=False)

    def hybrid_forward(self, F, x):
        parts = F.reshape(self.qkv(self.before(x)), shape=(0, 0, 3, self.heads, -1))
        q, k, v = F.split(F.transpose(parts, axes=(2, 0, 3, 1, 4)), 3, axis=0, squeeze_axis=True)
        scores = F.batch_dot(F.contrib.div_sqrt_dim(q), k, transpose_b=True)
        steps = F.contrib.arange_like(scores, axis=3)
        allowed = F.broadcast_lesser_equal(F.expand_dims(steps, 0), F.expand_dims(steps, 1))
        allowed = F.broadcast_like(F.expand_dims(F.expand_dims(allowed, 0), 0), scores)
        scores = F.where(allowed, scores, F.ones_like(scores) * -1e9)
        found = F.transpose(F.batch_dot(F.softmax(scores), v), axes=(0, 2, 1, 3))
        x = x + self.out(F.reshape(found, shape=(0, 0, -3)))
        return x + self.narrow(self.gelu(self.wide(self.between(x))))


@network(below(13, 2, 7))
class Gpt(gluon.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.words = nn.Embedding(13, 12)
            self.places = self.params.get("places", shape=(1, 7, 12), init="normal")
            self.body = sequential(Decoder(12, 3), Decoder(12, 3), nn.LayerNorm())
            self.head = nn.Dense(13, flatten=False, use_bias=False)

    def hybrid_forward(self, F, x, places):
        return self.head(self.body(F.broadcast_add(self.words(x), places)))


@network(normal(2, 3, 16, 16))
class VisionTransformer(gluon.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.patches = nn.Conv2D(12, 4, strides=4)
            self.first = self.params.get("first", shape=(1, 1, 12), init="normal")
            self.places = self.params.get("places", shape=(1, 17, 12), init="normal")
            self.norm, self.qkv = nn.LayerNorm(), nn.Dense(36, flatten=False)
            self.out, self.head = nn.Dense(12, flatten=False), nn.Dense(5)

    def hybrid_forward(self, F, x, first, places):
        x = F.transpose(F.reshape(self.patches(x), shape=(0, 0, -1)), axes=(0, 2, 1))
        first = F.broadcast_like(first, x, lhs_axes=(0,), rhs_axes=(0,))
        x = F.broadcast_add(F.concat(first, x, dim=1), places)
        q, k, v = F.split(self.qkv(self.norm(x)), num_outputs=3, axis=2)
        q, k, v = (F.swapaxes(F.reshape(i, shape=(0, 0, 3, -1)), 1, 2) for i in (q, k, v))
        weights = F.softmax(F.batch_dot(q, k, transpose_b=True) * 4**-0.5, axis=-1)
        found = F.reshape(F.swapaxes(F.batch_dot(weights, v), 1, 2), shape=(0, 0, -3))
        x = x + self.out(found)
        return self.head(F.slice_axis(x, axis=1, begin=0, end=1))


@network(normal(6, 4), below(6, 9), below(6, 9))
class Messages(gluon.HybridBlock):
    """Nodes of a graph send messages along its edges, twice."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.send = [nn.Dense(5, flatten=False), nn.Dense(3, flatten=False)]
            self.keep = [nn.Dense(5, flatten=False), nn.Dense(3, flatten=False)]
            for layer in (*self.send, *self.keep):
                self.register_child(layer)

    def hybrid_forward(self, F, nodes, tails, heads):
        incoming = F.transpose(F.one_hot(heads, 6))
        for send, keep in zip(self.send, self.keep, strict=True):
            sent = send(F.take(nodes, tails))
            degree = F.expand_dims(F.sum(incoming, axis=1), 1) + 1
            nodes = F.relu(F.broadcast_div(F.dot(incoming, sent), degree) + keep(nodes))
        picked = F.gather_nd(nodes, F.expand_dims(tails, 0))
        return F.scatter_nd(picked, F.expand_dims(F.arange(9), 0), shape=(9, 3))


@network(normal(2, 3, 16, 16))
class Detector(gluon.HybridBlock):
    """Two scales, with anchors, classes and offsets of boxes."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.body, self.deeper = Down(4), sequential(nn.MaxPool2D(2), Down(6))
            self.classes = [nn.Conv2D(4 * 3, 3, padding=1) for _ in range(2)]
            self.boxes = [nn.Conv2D(4 * 4, 3, padding=1) for _ in range(2)]
            for layer in (*self.classes, *self.boxes):
                self.register_child(layer)

    def hybrid_forward(self, F, x):
        one = self.body(x)
        maps, anchors, classes, boxes = [one, self.deeper(one)], [], [], []
        sizes = [(0.2, 0.3), (0.5, 0.6)]
        for place, features in enumerate(maps):
            anchors.append(
                F.contrib.MultiBoxPrior(features, sizes=sizes[place], ratios=(1, 2, 0.5))
            )
            found = F.transpose(self.classes[place](features), axes=(0, 2, 3, 1))
            classes.append(F.reshape(found, shape=(0, -1, 3)))
            found = F.transpose(self.boxes[place](features), axes=(0, 2, 3, 1))
            boxes.append(F.flatten(found))
        scores = F.softmax(F.concat(*classes, dim=1), axis=-1)
        return scores, F.concat(*boxes, dim=1), F.concat(*anchors, dim=1)


@network(normal(2, 4, 8, 8))
def upsampling():
    return sequential(
        nn.Conv2D(4, 3, padding=1, groups=4),
        nn.ELU(),
        nn.HybridLambda(lambda F, x: F.UpSampling(x, scale=2, sample_type="nearest")),
        nn.Conv2D(6, 1),
        nn.HybridLambda(lambda F, x: F.contrib.BilinearResize2D(x, height=12, width=12)),
        nn.ReflectionPad2D(1),
        nn.Conv2D(3, 3),
        nn.SELU(),
    )


@network(below(2, 4, 5), normal(4, 3))
class Recommender(gluon.HybridBlock):
    """Embeddings of categories, their pairwise products, and a deep part."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.factors, self.linear = nn.Embedding(10, 4), nn.Embedding(10, 1)
            self.deep = sequential(nn.Dense(8, activation="relu"), nn.Dropout(0.0), nn.Dense(1))

    def hybrid_forward(self, F, categories, numbers):
        places = F.broadcast_add(categories, F.reshape(F.arange(5) * 2, shape=(1, -1)))
        factors = self.factors(places)
        pairs = F.square(F.sum(factors, axis=1)) - F.sum(F.square(factors), axis=1)
        deep = self.deep(F.concat(F.flatten(factors), numbers, dim=1))
        return deep + F.sum(pairs, axis=1, keepdims=True) + F.sum(self.linear(places), axis=1)


@network(normal(5, 2, 4))
class Captions(gluon.HybridBlock):
    """A loop that the graph keeps, over a bidirectional network."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.body = rnn.LSTM(4, bidirectional=True)
            self.gate = nn.Dense(8)

    def hybrid_forward(self, F, x):
        def step(item, states):
            new = F.tanh(self.gate(item) + states[0])
            return new, [new]

        features = self.body(x)
        start = F.zeros_like(F.squeeze(F.slice_axis(features, axis=0, begin=0, end=1), axis=0))
        found, _ = F.contrib.foreach(step, features, [start])
        return found
