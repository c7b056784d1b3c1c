"""Convolutional cells: layouts, shapes, mistakes; values are in tests/gluon/rnn/test_golden.py."""

from __future__ import annotations

import numpy as np
import pytest

from mxnet import nd
from mxnet.gluon.contrib import rnn


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_channels_may_come_last(kind):
    make = getattr(rnn, f"Conv2D{kind}Cell")
    first = make((2, 5, 6), 3, 3, 3, i2h_pad=1)
    last = make((5, 6, 2), 3, 3, 3, i2h_pad=1, conv_layout="NHWC")
    first.initialize()
    last.initialize()
    assert last.i2h_weight.shape == (first.i2h_weight.shape[0], 3, 3, 2)
    for name, parameter in first._reg_params.items():
        value = parameter.data()
        last._reg_params[name].set_data(value.transpose((0, 2, 3, 1)) if value.ndim == 4 else value)
    inputs = nd.random.uniform(shape=(2, 2, 5, 6))
    states = [nd.random.uniform(shape=info["shape"]) for info in first.state_info(2)]
    expected, _ = first(inputs, states)
    found, _ = last(inputs.transpose((0, 2, 3, 1)), [s.transpose((0, 2, 3, 1)) for s in states])
    np.testing.assert_allclose(
        found.asnumpy(), expected.transpose((0, 2, 3, 1)).asnumpy(), rtol=1e-5, atol=1e-6
    )


def test_states_have_the_shape_of_the_convolved_input():
    cell = rnn.Conv1DLSTMCell((2, 10), 3, 4, 3, i2h_pad=1, i2h_dilate=2)
    assert cell.state_info(5)[0] == {"shape": (5, 3, 6), "__layout__": "NCW"}
    cell.initialize()
    outputs, states = cell.unroll(2, [nd.ones((5, 2, 10))] * 2)
    assert outputs[0].shape == states[1].shape == (5, 3, 6)


MISTAKES = {
    "an even kernel": (lambda: rnn.Conv1DGRUCell((2, 5), 3, 3, 4), "odd"),
    "a kernel of too many axes": (lambda: rnn.Conv1DGRUCell((2, 5), 3, 3, (3, 3)), "h2h_kernel"),
    "a layout of too few axes": (
        lambda: rnn.Conv2DRNNCell((2, 5, 5), 3, 3, 3, conv_layout="NCW"), "conv_layout"),
    "an input of too few axes": (
        lambda: rnn.Conv2DRNNCell((2, 5), 3, 3, 3), "input_shape"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(mistake):
    call, text = MISTAKES[mistake]
    with pytest.raises(AssertionError, match=text):
        call()
