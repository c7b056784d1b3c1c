"""Exports networks and compares what ONNX Runtime computes with what we do."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn, rnn
from mxnet.gluon.model_zoo import vision

from .test_export import run

SMALL = {
    "alexnet": 96,
    "densenet121": 224,
    "inception_v3": 299,
    "mobilenet0_25": 64,
    "mobilenet_v2_0_25": 64,
    "resnet18_v1": 64,
    "resnet18_v2": 64,
    "squeezenet1_1": 224,
    "vgg11": 32,
}
"""The smallest network of each family of the zoo, and the size of its image."""
FAST = ("mobilenet0_25", "mobilenet_v2_0_25")


def leaves(values):
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in leaves(value)]
    return [values]


def assert_agrees(net, path, *calls, tolerance=1e-4, **options):
    """Exports a network by its first call, and compares the results of all calls."""
    mx.onnx.export_block(net, path, *calls[0], **options)
    for inputs in calls:
        outputs = run(path, *(item.asnumpy() for item in leaves(inputs)))
        expected = [item.asnumpy() for item in leaves(net(*inputs))]
        for output, wanted in zip(outputs, expected, strict=True):
            assert output.dtype == wanted.dtype
            least = tolerance * np.abs(wanted).max()
            assert least > 0
            np.testing.assert_allclose(output, wanted, rtol=tolerance, atol=least)


def initialized(net, initializer=None):
    net.initialize(initializer)
    return net


def random(*shape):
    return nd.random.uniform(-1, 1, shape=shape)


def settle(net, data):
    """Lets moving statistics be those of some data, without which deep networks return zeros."""

    def forget_at_once(block):
        if isinstance(block, nn.BatchNorm):
            block._kwargs["momentum"] = 0.0

    net.apply(forget_at_once)
    with mx.autograd.train_mode():
        net(data)


def zoo_network(name, size):
    net = initialized(getattr(vision, name)(classes=10), mx.init.Xavier())
    images = random(8, 3, size, size)
    settle(net, images)
    return net, (images[:2].copy(),), (images[2:5].copy(),)


@pytest.mark.parametrize("name", FAST)
def test_networks_of_the_zoo(tmp_path, name):
    net, *calls = zoo_network(name, SMALL[name])
    assert_agrees(net, tmp_path / "net.onnx", *calls, dynamic_batch=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(SMALL) - set(FAST)))
def test_other_networks_of_the_zoo(tmp_path, name):
    net, *calls = zoo_network(name, SMALL[name])
    assert_agrees(net, tmp_path / "net.onnx", *calls, dynamic_batch=True)


@pytest.mark.parametrize("layer", [rnn.LSTM, rnn.GRU, rnn.RNN])
@pytest.mark.parametrize("options", [{}, {"bidirectional": True, "num_layers": 2}])
def test_recurrent_layers(tmp_path, layer, options):
    net = initialized(layer(6, **options))
    shapes = [(None, None, 3)]
    assert_agrees(
        net,
        tmp_path / "net.onnx",
        (random(5, 2, 3),),
        (random(7, 4, 3),),
        dynamic_input_shapes=shapes,
    )


def test_recurrent_layer_with_states(tmp_path):
    net = initialized(rnn.LSTM(6, num_layers=2, layout="NTC"))
    assert_agrees(net, tmp_path / "net.onnx", (random(2, 5, 3), [random(2, 2, 6), random(2, 2, 6)]))


class Unrolled(gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.cell = rnn.HybridSequentialRNNCell()
            self.cell.add(rnn.LSTMCell(4))
            self.cell.add(rnn.ResidualCell(rnn.GRUCell(4)))

    def hybrid_forward(self, F, x):
        return self.cell.unroll(4, F.identity(x), merge_outputs=True, layout="NTC")


def test_unrolled_cells(tmp_path):
    assert_agrees(initialized(Unrolled()), tmp_path / "net.onnx", (random(2, 4, 3),))


class Encoder(gluon.HybridBlock):
    """A layer of a transformer, with lengths of sequences."""

    def __init__(self, units, heads):
        super().__init__()
        self.heads = heads
        with self.name_scope():
            self.word = nn.Embedding(20, units)
            self.place = nn.Embedding(16, units)
            self.project = nn.Dense(3 * units, flatten=False)
            self.out = nn.Dense(units, flatten=False)
            self.norm, self.last_norm = nn.LayerNorm(), nn.LayerNorm()
            self.hidden = nn.HybridSequential()
            self.hidden.add(nn.Dense(4 * units, flatten=False), nn.GELU(), nn.Dropout(0.1))
            self.hidden.add(nn.Dense(units, flatten=False))

    def hybrid_forward(self, F, words, lengths):
        places = F.contrib.arange_like(words, axis=0)
        x = F.broadcast_add(self.word(words), F.expand_dims(self.place(places), 1))
        projected = self.project(x)
        scores = F.contrib.interleaved_matmul_selfatt_qk(projected, heads=self.heads)
        weights = F.softmax(scores, length=lengths, use_length=True, axis=-1)
        mixed = F.contrib.interleaved_matmul_selfatt_valatt(projected, weights, heads=self.heads)
        x = self.norm(x + self.out(mixed))
        return self.last_norm(x + self.hidden(x))


def sentences(length, batch, heads):
    words = np.random.RandomState(length).randint(0, 20, (length, batch))
    lengths = np.random.RandomState(batch).randint(1, length + 1, (batch * heads, length))
    return nd.array(words), nd.array(lengths, dtype="int32")


@pytest.mark.parametrize("opset", [13, None])
def test_transformer_with_open_batch_and_length(tmp_path, opset):
    net = initialized(Encoder(8, 2), mx.init.Normal(0.5))
    assert_agrees(
        net,
        tmp_path / "net.onnx",
        sentences(5, 3, 2),
        sentences(4, 2, 2),
        dynamic_input_shapes=[("length", "batch"), (None, "length")],
        opset_version=opset,
    )


def test_half_precision(tmp_path):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Dense(8, activation="relu"), nn.LayerNorm())
    net = initialized(net)
    net.cast("float16")
    call = (random(2, 3, 6, 6).astype("float16"),)
    assert_agrees(net, tmp_path / "net.onnx", call, tolerance=1e-2, dynamic_batch=True)


class NumpyNet(gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.conv, self.norm, self.dense = nn.Conv2D(4, 3), nn.BatchNorm(), nn.Dense(5)

    def hybrid_forward(self, F, x):
        y = F.np.mean(F.npx.relu(self.norm(self.conv(x))), axis=(2, 3))
        y = self.dense(y)
        return F.npx.log_softmax(y / F.np.sqrt(F.np.sum(y * y, axis=-1, keepdims=True) + 1e-5))


def test_network_of_the_numpy_dialect(tmp_path):
    with mx.util.np_shape(True), mx.util.np_array(True):
        net = initialized(NumpyNet())
        calls = [(mx.np.random.uniform(size=(batch, 3, 8, 8)),) for batch in (2, 5)]
        assert_agrees(net, tmp_path / "net.onnx", *calls, dynamic_batch=True)


def assert_symbol_agrees(symbol, path, *arrays):
    names = symbol.list_inputs()
    bound = symbol.bind(mx.cpu(), dict(zip(names, map(nd.array, arrays), strict=True)))
    mx.onnx.export_model(symbol, {}, [array.shape for array in arrays], onnx_file_path=path)
    for output, wanted in zip(run(path, *arrays), bound.forward(), strict=True):
        np.testing.assert_allclose(output, wanted.asnumpy(), rtol=1e-4)


def numbers(*shape):
    return np.random.RandomState(len(shape)).rand(*shape).astype(np.float32)


def test_loop_over_rows(tmp_path):
    x, state, weight = map(mx.sym.var, ("x", "state", "weight"))
    outputs, last = mx.sym.contrib.foreach(
        lambda row, held: (row * 2 + held * weight, held + row), x, state
    )
    both = mx.sym.Group([outputs, last])
    assert_symbol_agrees(both, tmp_path / "net.onnx", numbers(5, 3), numbers(3), numbers(3))


def test_loop_under_a_condition(tmp_path):
    outputs, states = mx.sym.contrib.while_loop(
        lambda count, total: count + total * 0 < 5,
        lambda count, total: ([count + total], [count + 1, total * 2]),
        [mx.sym.var("count"), mx.sym.var("total")],
        max_iterations=8,
    )
    one = np.ones(1, np.float32)
    assert_symbol_agrees(mx.sym.Group([*outputs, *states]), tmp_path / "net.onnx", one, one)


@pytest.mark.parametrize("shift", [0, 5])
def test_branches(tmp_path, shift):
    x, y = mx.sym.var("x"), mx.sym.var("y")
    chosen = mx.sym.contrib.cond(mx.sym.sum(x) > mx.sym.sum(y), lambda: x * 2, lambda: x + y)
    assert_symbol_agrees(chosen, tmp_path / "net.onnx", numbers(3) + shift, numbers(2, 3)[0] + 1)
