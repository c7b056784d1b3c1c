"""Dense layers with weights in the order of oneDNN compute the same as without."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon import nn
from mxnet.graph.passes import onednn
from mxnet.test_utils import assert_almost_equal

UNITS, INPUTS = 512, 400  # of a weight that is large enough to be packed
CLOSE = {"rtol": 1e-4, "atol": 1e-5}

pytestmark = pytest.mark.skipif(not onednn._PACKS, reason="torch has no oneDNN here")


@pytest.fixture
def packed(monkeypatch):
    """Lists the shapes of the weights that are packed."""
    shapes, pack = [], onednn._pack

    def note(weight, num_hidden):
        shapes.append(tuple(weight.shape))
        return pack(weight, num_hidden)

    monkeypatch.setattr(onednn, "_pack", note)
    return shapes


def make_dense(**kwargs):
    net = nn.HybridSequential()
    net.add(nn.Dense(UNITS, **kwargs))
    net.initialize(mx.init.Xavier())
    return net


def compare(net, *inputs):
    expected = [net(x).asnumpy() for x in inputs]
    net.hybridize(strict=True)
    for x, reference in zip(inputs, expected, strict=True):
        result = net(x)
        assert result.shape == reference.shape
        assert_almost_equal(result.asnumpy(), reference, **CLOSE)


def test_any_number_of_rows(packed):
    shapes = [(8, INPUTS), (1, INPUTS), (0, INPUTS), (3, INPUTS)]
    compare(make_dense(in_units=INPUTS), *(mx.nd.random.uniform(shape=shape) for shape in shapes))
    assert packed == [(UNITS, INPUTS)]


@pytest.mark.parametrize("use_bias", [False, True])
@pytest.mark.parametrize(
    ("flatten", "shape"), [(True, (3, 4, INPUTS // 4)), (False, (2, 3, INPUTS))]
)
def test_axes_that_are_folded_or_kept(packed, flatten, shape, use_bias):
    net = make_dense(in_units=INPUTS, flatten=flatten, use_bias=use_bias)
    compare(net, mx.nd.random.uniform(shape=shape))
    assert len(packed) == 1


def test_a_vector_is_a_column(packed):
    net = nn.HybridSequential()
    net.add(nn.Dense(200_000, in_units=1))
    net.initialize()
    compare(net, mx.nd.array([1, 2, 3]))
    assert len(packed) == 1


def test_normalization_in_the_weight(packed):
    net = make_dense(in_units=INPUTS)
    net.add(nn.BatchNorm(in_channels=UNITS))
    net[1].initialize()
    net[1].running_mean.set_data(mx.nd.random.uniform(shape=UNITS))
    compare(net, mx.nd.random.uniform(shape=(8, INPUTS)))
    assert len(packed) == 1


def test_a_weight_that_was_written_to_is_packed_again(packed):
    net, x = make_dense(in_units=INPUTS), mx.nd.random.uniform(shape=(4, INPUTS))
    net.hybridize()
    first = net(x)
    net[0].weight.set_data(2 * net[0].weight.data())
    assert_almost_equal(net(x).asnumpy(), 2 * first.asnumpy(), **CLOSE)
    net[0].weight.data()[:] = 0
    assert not net(x).asnumpy().any()
    assert len(packed) == 3


def test_a_weight_that_two_layers_share_is_packed_once(packed):
    size = 448
    net = nn.HybridSequential()
    net.add(nn.Dense(size, in_units=size))
    net.add(nn.Dense(size, in_units=size, params=net[0].params))
    net.initialize(mx.init.Xavier())
    compare(net, mx.nd.random.uniform(shape=(4, size)))
    assert len(packed) == 1


def test_small_weights_and_other_types_are_left_as_they_are(packed):
    small = nn.HybridSequential()
    small.add(nn.Dense(16))
    small.initialize()
    compare(small, mx.nd.random.uniform(shape=(4, 8)))
    net = make_dense(in_units=INPUTS)
    net.cast("float64")
    compare(net, mx.nd.random.uniform(shape=(4, INPUTS), dtype="float64"))
    assert packed == []


def test_training_between_predictions(packed):
    net, x = make_dense(in_units=INPUTS), mx.nd.random.uniform(shape=(4, INPUTS))
    net.hybridize()
    before = net(x).asnumpy()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    with mx.autograd.record():
        loss = net(x).sum()
    loss.backward()
    trainer.step(1)
    after = net(x).asnumpy()
    net.hybridize(active=False)
    assert_almost_equal(after, net(x).asnumpy(), **CLOSE)
    assert np.abs(after - before).max() > 0.1
    assert len(packed) == 2


def test_data_that_does_not_fit_names_the_layer():
    net = make_dense(in_units=INPUTS)
    net.hybridize()
    net(mx.nd.zeros((2, INPUTS)))
    for shape in ((2, INPUTS + 1), (2, 3)):
        with pytest.raises(mx.MXNetError, match="FullyConnected"):
            net(mx.nd.zeros(shape))
    assert net(mx.nd.zeros((2, INPUTS))).shape == (2, UNITS)
