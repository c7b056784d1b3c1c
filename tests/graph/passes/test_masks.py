"""Masks of zoneout in graphs draw the same numbers as operators that run one by one."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.graph.passes import patterns


class Zoneout(mx.gluon.HybridBlock):
    """Chooses at random between two arrays.

    Args:
        options: Attributes of dropout.
        times: What the mask is multiplied by before it is looked at; None leaves it alone.
    """

    def __init__(self, options, times=None):
        super().__init__()
        self._options, self._times = options, times

    def hybrid_forward(self, F, x, y):
        mask = F.Dropout(F.ones_like(x), **self._options)
        if self._times is not None:
            mask = mask * self._times
        return F.where(mask, x, y) + F.Dropout(F.ones_like(y), p=0.5)


@pytest.fixture
def drawn(monkeypatch):
    """Counts the masks that are drawn alone."""
    shapes = []
    draw = patterns._draw_mask

    def count(data, **options):
        shapes.append(tuple(data.shape))
        return draw(data, **options)

    monkeypatch.setattr(patterns, "_draw_mask", count)
    return shapes


def run(net):
    mx.random.seed(3)
    x, y = mx.nd.arange(20).reshape((4, 5)) + 1, -mx.nd.ones((4, 5))
    x.attach_grad()
    y.attach_grad()
    with mx.autograd.record():
        result = net(x, y)
        loss = (result * result).sum()
    loss.backward()
    return [array.asnumpy() for array in (result, x.grad, y.grad)]


CASES = [
    pytest.param({"p": 0.3}, None, 1, id="a share"),
    pytest.param({}, None, 1, id="the default share"),
    pytest.param({"p": 0.3, "mode": "always"}, None, 1, id="always"),
    pytest.param({"p": 0.3, "axes": (0,)}, None, 0, id="rows together"),
    pytest.param({"p": 0}, None, 0, id="none"),
    pytest.param({"p": 0.3}, 2, 0, id="a mask that something else reads"),
]


@pytest.mark.parametrize(("options", "times", "count"), CASES)
def test_results_and_gradients_stay(options, times, count, drawn):
    imperative, hybridized = Zoneout(options, times), Zoneout(options, times)
    hybridized.hybridize()
    for expected, result in zip(run(imperative), run(hybridized), strict=True):
        np.testing.assert_array_equal(result, expected)
    assert drawn == [(4, 5)] * count


def test_whole_numbers_are_refused_as_before():
    net = Zoneout({"p": 0.3})
    net.hybridize()
    x = mx.nd.ones((2, 2), dtype="int32")
    with mx.autograd.record(), pytest.raises(mx.MXNetError, match="Dropout"):
        net(x, x)


class Unrolled(mx.gluon.HybridBlock):
    """An LSTM with zoneout of five steps."""

    def __init__(self):
        super().__init__()
        cell = mx.gluon.rnn.LSTMCell(4, input_size=3, prefix="cell_")
        self.cell = mx.gluon.rnn.ZoneoutCell(cell, zoneout_outputs=0.2, zoneout_states=0.3)

    def hybrid_forward(self, F, x):  # noqa: ARG002 - the interface
        return self.cell.unroll(5, x, layout="NTC", merge_outputs=True)[0]


def test_zoneout_of_an_unrolled_cell(drawn):
    results = []
    for hybridize in (False, True):
        net = Unrolled()
        net.initialize(mx.init.Constant(0.1))
        net.hybridize(hybridize)
        mx.random.seed(2)
        with mx.autograd.record():
            results.append(net(mx.nd.ones((2, 5, 3))).asnumpy())
    np.testing.assert_allclose(results[0], results[1], rtol=1e-6)
    assert drawn
