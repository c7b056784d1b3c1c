"""Products of all steps of an unrolled network at once."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.graph.passes import patterns


@pytest.fixture
def joined(monkeypatch):
    """Notes the shapes of the data that are multiplied at once."""
    shapes = []
    multiply = patterns._multiply

    def note(kernel, axis, attrs, data, *weights):
        shapes.append(tuple(data.shape))
        return multiply(kernel, axis, attrs, data, *weights)

    monkeypatch.setattr(patterns, "_multiply", note)
    return shapes


class Unrolled(mx.gluon.HybridBlock):
    """A recurrent network.

    Args:
        make: Makes the cell.
        length: Number of steps.
        layout: Order of the axes of the data.
    """

    def __init__(self, make, length, layout):
        super().__init__()
        self._length, self._layout = length, layout
        self.cell = make()

    def hybrid_forward(self, F, x):  # noqa: ARG002 - the interface
        return self.cell.unroll(self._length, x, layout=self._layout, merge_outputs=True)[0]


def make_bidirectional():
    return mx.gluon.rnn.BidirectionalCell(mx.gluon.rnn.GRUCell(3), mx.gluon.rnn.GRUCell(3))


CELLS = {
    "lstm": (lambda: mx.gluon.rnn.LSTMCell(3), 1),
    "gru": (lambda: mx.gluon.rnn.GRUCell(3), 1),
    "both directions": (make_bidirectional, 2),
}


def train(net, x):
    x.attach_grad()
    with mx.autograd.record():
        result = net(x)
        loss = (result * result).sum()
    loss.backward()
    gradients = [parameter.grad() for parameter in net.collect_params().values()]
    return [array.asnumpy() for array in (result, x.grad, *gradients)]


@pytest.mark.parametrize("layout", ["NTC", "TNC"])
@pytest.mark.parametrize("name", CELLS)
def test_results_and_gradients_stay(name, layout, joined):
    make, count = CELLS[name]
    net = Unrolled(make, 4, layout)
    net.initialize(mx.init.Normal(0.5))
    x = mx.nd.random.normal(shape=(2, 4, 5) if layout == "NTC" else (4, 2, 5))
    expected = train(net, x)
    assert not joined
    net.hybridize()
    for result, value in zip(train(net, x), expected, strict=True):
        np.testing.assert_allclose(result, value, rtol=1e-5, atol=1e-6)
    assert joined == [x.shape] * count
    np.testing.assert_allclose(net(x).asnumpy(), expected[0], rtol=1e-5, atol=1e-6)


def test_a_compiler_of_torch_takes_them(joined):
    net = Unrolled(CELLS["lstm"][0], 4, "NTC")
    net.initialize(mx.init.Normal(0.5))
    x = mx.nd.random.normal(shape=(2, 4, 5))
    expected = net(x).asnumpy()
    net.hybridize(backend="aot_eager", strict=True)
    np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    assert joined


def compute(symbol, **arrays):
    executor = symbol.bind(mx.cpu(), {name: mx.nd.array(a) for name, a in arrays.items()})
    return [output.asnumpy() for output in executor.forward()]


WEIGHT = mx.sym.var("w")


def multiply_parts(parts, **options):
    return [
        mx.sym.FullyConnected(part, WEIGHT, num_hidden=2, no_bias=True, **options) for part in parts
    ]


def split(axis=1):
    parts = mx.sym.SliceChannel(mx.sym.var("x"), num_outputs=3, axis=axis, squeeze_axis=True)
    return list(parts)


def test_products_of_other_attributes_stay_apart(joined):
    weights = np.arange(8).reshape(2, 4).astype("float32")
    data = np.arange(24).reshape(2, 3, 4).astype("float32")
    parts = split()
    products = [*multiply_parts(parts[:2]), *multiply_parts(parts[2:], flatten=False)]
    results = compute(mx.sym.Group(products), x=data, w=weights)
    for index, result in enumerate(results):
        np.testing.assert_allclose(result, data[:, index] @ weights.T)
    assert not joined


@pytest.mark.parametrize(("shape", "axis"), [((2, 3, 4), 1), ((3, 2, 4), -3), ((2, 4, 3), 2)])
@pytest.mark.parametrize("flatten", [True, False])
def test_any_axis(shape, axis, flatten, joined):
    data = np.random.RandomState(0).normal(size=shape).astype("float32")
    weights = np.arange(8).reshape(2, 4).astype("float32")
    results = compute(mx.sym.Group(multiply_parts(split(axis), flatten=flatten)), x=data, w=weights)
    for index, result in enumerate(results):
        np.testing.assert_allclose(result, data.take(index, axis) @ weights.T, rtol=1e-5)
    assert joined == [shape]


def test_data_of_more_axes(joined):
    data = np.random.RandomState(0).normal(size=(2, 3, 2, 2)).astype("float32")
    weights = np.arange(8).reshape(2, 4).astype("float32")
    results = compute(mx.sym.Group(multiply_parts(split())), x=data, w=weights)
    for index, result in enumerate(results):
        np.testing.assert_allclose(result, data[:, index].reshape(2, 4) @ weights.T, rtol=1e-5)
    assert joined == [(2, 3, 2, 2)]


def test_large_products_are_computed_one_by_one(joined, monkeypatch):
    monkeypatch.setattr(patterns, "_MOST_ELEMENTS", 11)
    data = np.ones((2, 3, 4), "float32")
    results = compute(mx.sym.Group(multiply_parts(split())), x=data, w=np.ones((2, 4)))
    assert all((result == 4).all() for result in results)
    assert joined == [(2, 3, 4)]


def test_weights_that_do_not_fit_are_refused_by_the_operator():
    net = mx.sym.Group(multiply_parts(split()))
    executor = net.bind(mx.cpu(), {"x": mx.nd.ones((2, 3, 4)), "w": mx.nd.ones((2, 4))})
    executor.arg_dict["w"]._data = mx.nd.ones((3, 4))._data
    with pytest.raises(mx.MXNetError, match="fullyconnected"):
        executor.forward()
