"""Recurrent cells: states, unrolling, modifiers, training mode, and mistakes."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn

MAKERS = {
    "rnn": lambda **options: rnn.RNNCell(3, **options),
    "lstm": lambda **options: rnn.LSTMCell(3, **options),
    "gru": lambda **options: rnn.GRUCell(3, **options),
}


def data(*shape, seed=1):
    return nd.array(np.random.RandomState(seed).uniform(-1, 1, shape))


def ready(cell):
    cell.initialize(mx.init.Uniform(0.5))
    return cell


def close(one, other, tolerance=1e-5):
    np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=tolerance, atol=tolerance)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize("kind", MAKERS)
def test_a_step_gives_an_output_and_new_states(kind):
    cell = ready(MAKERS[kind]())
    states = cell.begin_state(batch_size=2)
    output, new = cell(data(2, 5), states)
    assert output.shape == (2, 3)
    assert [state.shape for state in new] == [info["shape"] for info in cell.state_info(2)]
    close(output, new[0])


def test_the_gates_of_an_lstm_are_in_order():
    cell = ready(rnn.LSTMCell(1, input_size=1))
    cell.i2h_bias.set_data(nd.array([0.1, 0.2, 0.3, 0.4]))
    cell.i2h_weight.set_data(nd.zeros((4, 1)))
    cell.h2h_weight.set_data(nd.zeros((4, 1)))
    output, (_, memory) = cell(nd.ones((1, 1)), [nd.ones((1, 1)), nd.ones((1, 1)) * 2])
    expected = sigmoid(0.2) * 2 + sigmoid(0.1) * np.tanh(0.3)
    assert memory.asscalar() == pytest.approx(expected, rel=1e-5)
    assert output.asscalar() == pytest.approx(sigmoid(0.4) * np.tanh(expected), rel=1e-5)


def test_unroll_takes_and_gives_both_forms():
    cell = ready(rnn.GRUCell(3))
    inputs = data(2, 4, 5)
    listed, states = cell.unroll(4, inputs)
    assert isinstance(listed, list)
    assert len(listed) == 4
    merged, _ = cell.unroll(4, inputs, merge_outputs=True)
    assert merged.shape == (2, 4, 3)
    close(merged, nd.stack(*listed, axis=1))
    close(states[0], listed[-1])
    steps = [inputs[:, number] for number in range(4)]
    close(cell.unroll(4, steps, merge_outputs=True)[0], merged)
    turned, _ = cell.unroll(4, inputs.swapaxes(0, 1), layout="TNC", merge_outputs=True)
    close(turned.swapaxes(0, 1), merged)
    single, _ = cell.unroll(1, inputs[:, :1])
    close(single[0], listed[0])


def test_states_have_the_context_and_type_of_the_inputs():
    cell = rnn.LSTMCell(3)
    cell.initialize(ctx=mx.cpu(1))
    cell.cast("float64")
    inputs = data(2, 4, 5).as_in_context(mx.cpu(1)).astype("float64")
    outputs, states = cell.unroll(4, inputs, merge_outputs=True)
    assert outputs.context == states[1].context == mx.cpu(1)
    assert outputs.dtype == states[1].dtype == np.float64


def test_begin_state_takes_a_function_and_its_arguments():
    cell = rnn.LSTMCell(3, prefix="cell_")
    assert cell.begin_state(2, func=nd.ones, dtype="float64")[1].dtype == np.float64
    assert cell.begin_state(batch_size=2, func=nd.random.uniform)[0].shape == (2, 3)
    cell.reset()
    seen = []
    cell.begin_state(2, func=lambda name, shape: seen.append((name, shape)))
    assert seen == [("cell_begin_state_0", (2, 3)), ("cell_begin_state_1", (2, 3))]


def test_activations_may_be_blocks_and_functions():
    inputs = data(2, 5)
    shared = ready(rnn.RNNCell(3, input_size=5))
    state = shared.begin_state(2)
    for activation in (nn.LeakyReLU(0.1), lambda x: nd.LeakyReLU(x, slope=0.1)):
        cell = rnn.RNNCell(3, activation, input_size=5, params=shared.params)
        output, _ = cell(inputs, state)
        plain = nd.FullyConnected(
            inputs, shared.i2h_weight.data(), shared.i2h_bias.data(), num_hidden=3
        )
        close(output, nd.LeakyReLU(plain, slope=0.1))
        cell.unroll(1, [inputs])


def test_parameters_are_named_within_their_scope():
    class Net(gluon.Block):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.cell = rnn.ZoneoutCell(rnn.LSTMCell(2), 0.1)
                self.both = rnn.BidirectionalCell(rnn.GRUCell(2), rnn.GRUCell(2))

    net = Net(prefix="net_")
    names = list(net.collect_params())
    assert names[0] == "net_lstm0_i2h_weight"
    assert names[4::4] == ["net_gru0_i2h_weight", "net_gru1_i2h_weight"]
    paths = list(net._collect_params_with_prefix())
    assert paths[0] == "cell.base_cell.i2h_weight"
    assert paths[4::4] == ["both.l_cell.i2h_weight", "both.r_cell.i2h_weight"]
    assert net.cell.prefix == "net_net_lstm0_zoneout"


def test_cells_share_parameters():
    first = rnn.LSTMCell(3, prefix="rnn_")
    second = rnn.LSTMCell(3, prefix="rnn_", params=first.params)
    assert second.i2h_weight is first.i2h_weight


def test_input_sizes_are_found_out_inside_of_a_network():
    class Encoder(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.stack = rnn.HybridSequentialRNNCell()
                with self.stack.name_scope():
                    self.stack.add(rnn.ZoneoutCell(rnn.LSTMCell(4), 0.5, 0.5))
                    self.stack.add(rnn.ResidualCell(rnn.GRUCell(4)))
            self.bias = self.params.get("bias", shape=(0, 0, 0), allow_deferred_init=True)

        def hybrid_forward(self, F, x, bias):
            outputs, _ = self.stack.unroll(3, x, merge_outputs=True)
            return F.elemwise_add(outputs, bias)

    net = Encoder()
    net.initialize()
    assert net(data(2, 3, 5)).shape == net.bias.shape == (2, 3, 4)
    assert net.stack[0].base_cell.i2h_weight.shape == (16, 5)


def test_a_stack_runs_cell_after_cell():
    for kind in (rnn.SequentialRNNCell, rnn.HybridSequentialRNNCell):
        stack = kind()
        cells = [rnn.LSTMCell(3), rnn.DropoutCell(0.5), rnn.GRUCell(2)]
        for cell in cells:
            stack.add(cell)
        ready(stack)
        assert len(stack) == 3
        assert stack[0] is cells[0]
        assert stack[-1] is cells[2]
        assert len(stack.state_info()) == 3
        states = stack.begin_state(batch_size=2)
        output, new = stack(data(2, 5), states)
        hidden, first = cells[0](data(2, 5), states[:2])
        expected, second = cells[2](hidden, states[2:])
        close(output, expected)
        for one, other in zip(new, [*first, *second], strict=True):
            close(one, other)


def test_hybridized_cells_compute_the_same():
    stack = rnn.HybridSequentialRNNCell()
    stack.add(rnn.LSTMCell(3))
    stack.add(rnn.GRUCell(3))
    ready(stack)
    plain, _ = stack.unroll(4, data(2, 4, 5), merge_outputs=True)
    stack.hybridize()
    close(stack.unroll(4, data(2, 4, 5), merge_outputs=True)[0], plain)


def test_both_directions_read_their_own_length():
    left, right = ready(rnn.GRUCell(3)), ready(rnn.GRUCell(3))
    both = rnn.BidirectionalCell(left, right)
    inputs, lengths = data(2, 4, 5), nd.array([2, 4])
    outputs, states = both.unroll(4, inputs, valid_length=lengths)
    assert outputs.shape == (2, 4, 6)
    assert not outputs[0, 2:].asnumpy().any()
    alone, last = both.unroll(2, inputs[:1, :2], merge_outputs=True)
    close(outputs[0, :2], alone[0])
    for one, other in zip(states, last, strict=True):
        close(one[0], other[0])


def test_dropout_drops_in_training_only():
    mx.random.seed(3)
    cell = rnn.DropoutCell(0.4)
    ones = nd.ones((50, 4, 50))
    outputs, states = cell.unroll(4, ones)
    assert states == []
    close(outputs, ones)
    with autograd.train_mode():
        outputs, _ = cell.unroll(4, ones, merge_outputs=True)
        listed, _ = cell.unroll(4, ones, merge_outputs=False)
    for values in (outputs.asnumpy(), listed[0].asnumpy()):
        assert set(np.unique(values).round(4)) == {0, np.float32(1 / 0.6).round(4)}
        assert np.mean(values == 0) == pytest.approx(0.4, abs=0.03)
    with autograd.train_mode():
        shared, _ = rnn.DropoutCell(0.4, axes=(1,)).unroll(4, ones, merge_outputs=True)
    assert (shared.asnumpy() == shared.asnumpy()[:, :1]).all()


def test_zoneout_keeps_a_share_of_the_step_before():
    mx.random.seed(3)
    base = rnn.RNNCell(50, input_size=4)
    cell = rnn.ZoneoutCell(base, zoneout_outputs=0.3, zoneout_states=0.2)
    ready(cell)
    first, second = data(60, 4), data(60, 4, seed=2)
    before = nd.ones((60, 50)) * 7
    output, states = cell(first, [before])
    assert not (output.asnumpy() == 0).any()
    assert not (states[0].asnumpy() == 7).any()
    cell.reset()
    with autograd.train_mode():
        output, states = cell(first, [before])
        assert np.mean(output.asnumpy() == 0) == pytest.approx(0.3, abs=0.04)
        assert np.mean(states[0].asnumpy() == 7) == pytest.approx(0.2, abs=0.04)
        later, _ = cell(second, states)
        assert np.mean(later.asnumpy() == output.asnumpy()) == pytest.approx(0.3, abs=0.04)
        cell.reset()
        again, _ = cell(second, states)
        assert np.mean(again.asnumpy() == 0) == pytest.approx(0.3, abs=0.04)


def test_zoneout_has_gradients():
    cell = ready(rnn.ZoneoutCell(rnn.LSTMCell(3), 0.5, 0.5))
    inputs = data(2, 4, 5)
    inputs.attach_grad()
    for _ in range(2):  # what is kept of the first graph must not hinder the second
        with autograd.record():
            outputs, _ = cell.unroll(4, inputs, merge_outputs=True)
        outputs.backward()
    assert inputs.grad.asnumpy().any()


def test_residual_cells_add_their_input():
    base = rnn.GRUCell(5)
    cell = ready(rnn.ResidualCell(base))
    inputs, lengths = data(2, 4, 5), nd.array([1, 3])
    outputs, _ = cell.unroll(4, inputs, valid_length=lengths)
    plain, _ = base.unroll(4, inputs, base_states(base), valid_length=lengths)
    masked = nd.SequenceMask(inputs, lengths, use_sequence_length=True, axis=1)
    close(outputs, plain + masked)
    states = cell.begin_state(batch_size=2)
    output, _ = cell(inputs[:, 0], states)
    close(output, base(inputs[:, 0], states)[0] + inputs[:, 0])


def base_states(cell):
    return [nd.zeros(info["shape"]) for info in cell.state_info(2)]


def test_a_modifier_has_the_parameters_of_its_cell():
    base = rnn.LSTMCell(3)
    cell = rnn.ZoneoutCell(base)
    assert list(cell.collect_params()) == list(base.collect_params())
    assert cell.params is base.params
    assert [state.shape for state in cell.begin_state(batch_size=2)] == [(2, 3)] * 2


def test_cells_written_by_programs():
    class Leaky(rnn.HybridRecurrentCell):
        def __init__(self, size, **kwargs):
            super().__init__(**kwargs)
            self._size = size
            self.rate = self.params.get("rate", shape=(1, size), init="ones")

        def state_info(self, batch_size=0):
            return [{"shape": (batch_size, self._size), "__layout__": "NC"}]

        def hybrid_forward(self, F, inputs, states, rate):
            new = F.broadcast_mul(states[0], rate) * 0.5 + inputs
            return new, [new]

    class Counter(rnn.RecurrentCell):
        def state_info(self, batch_size=0):
            return [{"shape": (batch_size, 1), "__layout__": "NC"}]

        def forward(self, inputs, states):
            return inputs + states[0], [states[0] + 1]

    cell = ready(Leaky(2))
    outputs, _ = cell.unroll(3, nd.ones((1, 3, 2)), merge_outputs=True)
    assert outputs.asnumpy()[0, :, 0].tolist() == [1, 1.5, 1.75]
    outputs, states = Counter().unroll(3, nd.zeros((1, 3, 1)), merge_outputs=True)
    assert outputs.asnumpy().ravel().tolist() == [0, 1, 2]
    assert states[0].asscalar() == 3


CELL = ready(rnn.LSTMCell(3))
CELL.unroll(4, data(2, 4, 5))
INSIDE = rnn.LSTMCell(3)
rnn.ZoneoutCell(INSIDE)
BOTH = rnn.BidirectionalCell(rnn.LSTMCell(3), rnn.LSTMCell(3))
STACK = rnn.SequentialRNNCell()
STACK.add(BOTH)
X = data(2, 4, 5)
MISTAKES = {
    "a length that is wrong": (lambda: CELL.unroll(3, X), AssertionError, "3 steps"),
    "a list of another length": (
        lambda: CELL.unroll(3, [X[:, 0]] * 2), AssertionError, "3 steps, got 2"),
    "no inputs": (lambda: CELL.unroll(0, []), AssertionError, "NDArray"),
    "a layout without time": (lambda: CELL.unroll(4, X, layout="NC"), AssertionError, "layout"),
    "no states": (lambda: CELL(X[:, 0]), TypeError, "states"),
    "states of another batch": (
        lambda: CELL.unroll(4, X, CELL.begin_state(3)), mx.MXNetError, "LSTMCell"),
    "inputs of another size": (lambda: CELL.unroll(4, data(2, 4, 6)), mx.MXNetError, "LSTMCell"),
    "a cell inside of a modifier": (
        lambda: INSIDE.begin_state(2), AssertionError, "modifier"),
    "a step in both directions": (
        lambda: BOTH(X[:, 0], BOTH.begin_state(batch_size=2)), NotImplementedError, "unroll"),
    "too few states for both directions": (
        lambda: BOTH.unroll(4, X, CELL.begin_state(2)), AssertionError, "4 states, got 2"),
    "zoneout of both directions": (
        lambda: rnn.ZoneoutCell(BOTH), AssertionError, "BidirectionalCell"),
    "zoneout of a stack with both directions": (
        lambda: rnn.ZoneoutCell(STACK), AssertionError, "BidirectionalCell"),
    "a rate that is no number": (lambda: rnn.DropoutCell("half"), AssertionError, "rate"),
    "a layer in a stack of cells": (
        lambda: STACK.add(nn.Dense(2)), ValueError, "takes recurrent cells, got Dense"),
    "a plain cell in a hybrid one": (
        lambda: rnn.HybridSequentialRNNCell().add(STACK), ValueError, "hybrid children only"),
    "a cell that says nothing of its states": (
        lambda: rnn.RecurrentCell().begin_state(2), NotImplementedError, "state_info"),
    "a modifier that does nothing": (
        lambda: rnn.ModifierCell(rnn.RNNCell(3))(X, []), NotImplementedError, "hybrid_forward"),
    "parameters that are not initialized": (
        lambda: rnn.RNNCell(3, input_size=5).unroll(4, X), mx.MXNetError, "initialize"),
    "a misspelt option": (lambda: rnn.LSTMCell(3, activaton="relu"), TypeError, "activaton"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(mistake):
    call, error, text = MISTAKES[mistake]
    with pytest.raises(error, match=text):
        call()
