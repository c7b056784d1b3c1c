"""Variational dropout, projection and unrolling of any length."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd
from mxnet.gluon import rnn
from mxnet.gluon.contrib.rnn import LSTMPCell, VariationalDropoutCell
from mxnet.gluon.contrib.rnn.rnn_cell import dynamic_unroll


class Echo(rnn.HybridRecurrentCell):
    """Returns its input out, and the state it was given as the next one."""

    def state_info(self, batch_size=0):
        return [{"shape": (batch_size, 50), "__layout__": "NC"}] * 2

    def hybrid_forward(self, F, inputs, states):
        del F
        return inputs, states


def test_one_mask_serves_all_steps():
    mx.random.seed(1)
    ones = nd.ones((40, 3, 50))
    for options in ({"drop_inputs": 0.3}, {"drop_outputs": 0.3}, {"drop_states": 0.3}):
        cell = VariationalDropoutCell(Echo(), **options)
        states = [nd.ones((40, 50)), nd.ones((40, 50))]
        with autograd.train_mode():
            outputs, last = cell.unroll(3, ones, states, merge_outputs=True)
        dropped = last[0] if "drop_states" in options else outputs
        values = dropped.asnumpy()
        assert np.mean(values == 0) == pytest.approx(0.3, abs=0.04)
        if dropped is outputs:
            assert (values == values[:, :1]).all()
        assert (last[1].asnumpy() == 1).all()  # the memory stays whole


def test_masks_last_until_reset():
    mx.random.seed(1)
    cell = VariationalDropoutCell(Echo(), 0.5, 0.5, 0.5)
    ones, states = nd.ones((40, 50)), [nd.ones((40, 50))] * 2
    with autograd.train_mode():
        first, _ = cell(ones, states)
        second, _ = cell(ones, states)
        cell.reset()
        third, _ = cell(ones, states)
    assert (first.asnumpy() == second.asnumpy()).all()
    assert (first.asnumpy() != third.asnumpy()).any()


@pytest.mark.parametrize("states", [0.0, 0.4])
def test_nothing_is_dropped_in_prediction(states):
    base = rnn.LSTMCell(3)
    cell = VariationalDropoutCell(base, 0.5, states, 0.5)
    cell.initialize()
    inputs = nd.random.uniform(shape=(2, 4, 5))
    outputs, _ = cell.unroll(4, inputs, merge_outputs=True)
    plain, _ = base.unroll(4, inputs, [nd.zeros((2, 3))] * 2, merge_outputs=True)
    np.testing.assert_allclose(outputs.asnumpy(), plain.asnumpy(), rtol=1e-5)
    assert isinstance(cell.unroll(4, inputs, merge_outputs=False)[0], list)


def test_states_of_both_directions_cannot_be_dropped():
    both = rnn.BidirectionalCell(rnn.LSTMCell(3), rnn.LSTMCell(3))
    with pytest.raises(AssertionError, match="BidirectionalCell"):
        VariationalDropoutCell(both, drop_states=0.5)
    cell = VariationalDropoutCell(both, drop_inputs=0.5)
    cell.initialize()
    outputs, _ = cell.unroll(4, nd.ones((2, 4, 5)))
    assert outputs.shape == (2, 4, 6)


@pytest.mark.parametrize("layout", ["TNC", "NTC"])
def test_dynamic_unroll_is_an_unroll(layout):
    cell = LSTMPCell(4, 3)
    cell.initialize()
    shape = (4, 2, 5) if layout == "TNC" else (2, 4, 5)
    inputs, lengths = nd.random.uniform(shape=shape), nd.array([2, 4])
    outputs, states = dynamic_unroll(
        cell, inputs, cell.begin_state(2), layout=layout, valid_length=lengths
    )
    expected, last = cell.unroll(4, inputs, layout=layout, merge_outputs=True, valid_length=lengths)
    np.testing.assert_array_equal(outputs.asnumpy(), expected.asnumpy())
    np.testing.assert_array_equal(states[1].asnumpy(), last[1].asnumpy())


def test_dynamic_unroll_drops_one_mask():
    mx.random.seed(1)
    with autograd.train_mode():
        outputs, _ = dynamic_unroll(Echo(), nd.ones((3, 40, 50)), [nd.ones((40, 50))] * 2, 0.2, 0.3)
    values = outputs.asnumpy()
    assert (values == values[:1]).all()
    assert np.mean(values == 0) == pytest.approx(1 - 0.8 * 0.7, abs=0.05)
