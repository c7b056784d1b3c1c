"""Symbolic cells beyond what `tests/programs/rnn_cells.py` compares with the original."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd, rnn


def run(cell, arrays, data, **options):
    outputs, _ = cell.unroll(3, mx.sym.var("data"), merge_outputs=True, **options)
    return outputs.eval(data=data, **arrays)[0].asnumpy()


def test_a_time_first_layout_is_the_fast_one():
    with pytest.warns(UserWarning, match="TNC"):
        rnn.FusedRNNCell(3).unroll(2, mx.sym.var("data"), layout="NTC")


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("mode", ["lstm", "gru", "rnn_relu", "rnn_tanh"])
def test_fused_cells_compute_what_their_parts_compute(mode, both):
    fused = rnn.FusedRNNCell(3, num_layers=2, mode=mode, bidirectional=both, prefix="f_")
    parts = fused.unfuse()
    data = nd.random.uniform(shape=(3, 2, 4))
    outputs, _ = fused.unroll(3, mx.sym.var("data"), layout="TNC")
    size = outputs.infer_shape(data=data.shape)[0][1]
    packed = {"f_parameters": nd.random.uniform(-0.5, 0.5, shape=size)}
    separate = parts.pack_weights(fused.unpack_weights(packed))
    found = run(fused, packed, data, layout="TNC")
    np.testing.assert_allclose(run(parts, separate, data, layout="TNC"), found, atol=1e-6)


def test_zoneout_goes_around_a_stack_of_cells():
    stack = rnn.SequentialRNNCell()
    stack.add(rnn.RNNCell(3, prefix="a_"))
    stack.add(rnn.RNNCell(3, prefix="b_"))
    outputs, states = rnn.ZoneoutCell(stack, 0.5, 0.5).unroll(2, mx.sym.var("data"))
    assert len(outputs) == len(states) == 2
    stack.add(rnn.BidirectionalCell(rnn.RNNCell(2), rnn.RNNCell(2)))
    with pytest.raises(AssertionError, match="Bidirectional"):
        rnn.ZoneoutCell(stack)


def test_zoneout_keeps_what_was_before():
    cell = rnn.ZoneoutCell(rnn.RNNCell(40), zoneout_outputs=0.5)
    outputs, _ = cell.unroll(2, mx.sym.var("data"), merge_outputs=True)
    executor = outputs.simple_bind(mx.cpu(), data=(2, 2, 3))
    for array in executor.arg_arrays:
        array[:] = nd.random.uniform(0.1, 1, shape=array.shape)
    first, second = executor.forward(is_train=True)[0].asnumpy().transpose(1, 0, 2)
    assert 0 < (first == 0).mean() < 1
    assert 0 < (second == first).mean() < 1


def test_rnn_unroll_makes_a_variable_for_each_step():
    with pytest.warns(UserWarning, match="unroll"):
        outputs, _ = rnn.rnn_unroll(rnn.RNNCell(2), 2, input_prefix="in_")
    arguments = outputs[1].list_arguments()
    assert {name for name in arguments if "data" in name} == {"in_t0_data", "in_t1_data"}


def test_parameters_are_shared_between_cells():
    shared = rnn.RNNParams("shared_")
    cells = [rnn.GRUCell(2, prefix=f"{name}_", params=shared) for name in "ab"]
    data = mx.sym.var("data")
    outputs = [cell.unroll(1, [data])[0][0] for cell in cells]
    arguments = mx.sym.Group(outputs).list_arguments()
    assert [name for name in arguments if "weight" in name] == [
        "shared_i2h_weight",
        "shared_h2h_weight",
    ]
    assert len(arguments) == 5


def test_initializers_of_cells_are_used():
    cell = rnn.LSTMCell(2, forget_bias=3.0)
    symbol = cell.unroll(1, [mx.sym.var("data")])[0][0]
    bias = nd.zeros((8,))
    description = mx.init.InitDesc("lstm_i2h_bias", symbol.attr_dict()["lstm_i2h_bias"])
    mx.init.Uniform()(description, bias)
    assert bias.asnumpy().tolist() == [0, 0, 3, 3, 0, 0, 0, 0]
