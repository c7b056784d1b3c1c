"""Recurrent layers: states, lengths, sharing, training mode, and mistakes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import rnn
from mxnet.gluon.contrib.rnn import LSTMPCell

KINDS = {
    "relu": lambda **options: rnn.RNN(3, activation="relu", **options),
    "tanh": lambda **options: rnn.RNN(3, activation="tanh", **options),
    "lstm": lambda **options: rnn.LSTM(3, **options),
    "gru": lambda **options: rnn.GRU(3, **options),
}


def data(*shape, seed=1):
    return nd.array(np.random.RandomState(seed).uniform(-1, 1, shape))


def ready(layer, *inputs):
    layer.initialize(mx.init.Uniform(0.5))
    layer(*inputs)
    return layer


def close(one, other, tolerance=1e-5):
    np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bidirectional", [False, True])
def test_cells_of_the_same_parameters_compute_the_same(kind, bidirectional):
    layer = KINDS[kind](num_layers=2, bidirectional=bidirectional, layout="NTC", dropout=0.5)
    inputs = data(2, 4, 5)
    ready(layer, inputs)
    stack = layer._unfuse()
    assert set(stack.collect_params()) == set(layer.collect_params())
    outputs, states = stack.unroll(4, inputs, merge_outputs=True)
    fused, last = layer(inputs, layer.begin_state(2))
    close(outputs, fused)
    kinds = len(last)
    joined = [nd.stack(*states[number::kinds], axis=0) for number in range(kinds)]
    for one, other in zip(joined, last, strict=True):
        close(one, other)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bidirectional", [False, True])
def test_lengths_end_sequences_as_in_unrolled_cells(kind, bidirectional):
    options = {"bidirectional": bidirectional, "input_size": 5, "prefix": "x_"}
    layer = KINDS[kind](use_sequence_length=True, **options)
    inputs, lengths = data(4, 3, 5), nd.array([2, 4, 1])
    ready(layer, inputs, None, lengths)
    outputs, last = layer(inputs, layer.begin_state(3), lengths)
    close(layer(inputs, sequence_length=lengths), outputs)
    cell = layer._unfuse()[0]
    expected, states = cell.unroll(
        4, inputs, layout="TNC", merge_outputs=True, valid_length=lengths
    )
    close(outputs, expected)
    kinds = len(last)
    for number, state in enumerate(last):
        close(state, nd.stack(*states[number::kinds], axis=0))


def test_projection_is_that_of_the_cell_and_trains():
    layer = rnn.LSTM(4, projection_size=2, input_size=5)
    inputs = data(3, 2, 5)
    ready(layer, inputs)
    cell = LSTMPCell(4, 2, input_size=5)
    cell.initialize()
    pairs = [
        (layer._reg_params[f"l0_{name}"], parameter) for name, parameter in cell._reg_params.items()
    ]
    for source, target in pairs:
        target.set_data(source.data())
    with autograd.record():
        fused = layer(inputs)
        stepped, _ = cell.unroll(3, inputs, layout="TNC", merge_outputs=True)
        total = fused.sum() + stepped.sum()
    total.backward()
    close(fused, stepped)
    for source, target in pairs:
        close(source.grad(), target.grad())


def test_the_memory_stays_within_bounds():
    layer = rnn.LSTM(3, state_clip_min=-0.01, state_clip_max=0.02)
    inputs = data(6, 2, 5)
    ready(layer, inputs)
    _, (_, memory) = layer(inputs, layer.begin_state(2))
    assert memory.min().asscalar() == pytest.approx(-0.01)
    assert memory.max().asscalar() == pytest.approx(0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_dropout_acts_between_layers_in_training_only(kind):
    mx.random.seed(7)
    layer = KINDS[kind](num_layers=2, dropout=0.5, input_size=5)
    inputs = data(3, 2, 5)
    ready(layer, inputs)
    close(layer(inputs), layer(inputs))
    with autograd.train_mode():
        assert (layer(inputs).asnumpy() != layer(inputs).asnumpy()).any()
    single = KINDS[kind](dropout=0.5, input_size=5)
    ready(single, inputs)
    with autograd.train_mode():
        close(single(inputs), single(inputs))


def test_states_are_returned_if_they_are_given():
    layer = ready(rnn.LSTM(3), data(4, 2, 5))
    assert layer(data(4, 2, 5)).shape == (4, 2, 3)
    outputs, states = layer(data(4, 2, 5), layer.begin_state(2))
    assert isinstance(states, list)
    assert [state.shape for state in states] == [(1, 2, 3)] * 2
    close(outputs[3], states[0][0])
    gru = ready(rnn.GRU(3), data(4, 2, 5))
    _, states = gru(data(4, 2, 5), nd.zeros((1, 2, 3)))  # one array for a list of one
    assert len(states) == 1


def test_a_sequence_continues_from_its_states():
    layer = ready(rnn.GRU(3, num_layers=2, layout="NTC"), data(2, 6, 5))
    whole = layer(data(2, 6, 5))
    first, states = layer(data(2, 6, 5)[:, :4], layer.begin_state(2))
    second, _ = layer(data(2, 6, 5)[:, 4:], states)
    close(whole, nd.concat(first, second, dim=1))


def test_begin_state_takes_a_function_and_its_arguments():
    layer = rnn.LSTM(3, num_layers=2, dtype="float64")
    assert [state.dtype for state in layer.begin_state(4)] == [np.float64] * 2
    states = layer.begin_state(4, func=nd.ones, ctx=mx.cpu(1), dtype="float32")
    assert states[0].context == mx.cpu(1)
    assert states[0].dtype == np.float32
    assert states[0].sum().asscalar() == 24
    assert layer.begin_state(4, func=nd.random.uniform)[0].shape == (2, 4, 3)
    seen = []
    layer.begin_state(1, func=lambda name, shape, **_: seen.append((name, shape)))
    assert seen == [(f"{layer.prefix}h0_0", (2, 1, 3)), (f"{layer.prefix}h0_1", (2, 1, 3))]


def test_the_input_size_is_found_out_inside_of_a_network():
    class Tagger(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.layer = rnn.LSTM(4, bidirectional=True, layout="NTC")
            self.bias = self.params.get("bias", shape=(0, 0, 0), allow_deferred_init=True)

        def hybrid_forward(self, F, x, bias):
            return F.elemwise_add(self.layer(x), bias)

    net = Tagger(prefix="tagger_")
    net.initialize()
    assert net(data(2, 3, 5)).shape == net.bias.shape == (2, 3, 8)
    assert net.layer.l0_i2h_weight.shape == net.layer.r0_i2h_weight.shape == (16, 5)
    assert repr(net.layer) == "LSTM(5 -> 4, NTC, bidirectional)"
    assert net.layer.l0_i2h_weight.name == "tagger_lstm0_l0_i2h_weight"


def test_shapes_are_found_out_without_data():
    layer = rnn.GRU(4, num_layers=2)
    layer.infer_shape(data(3, 2, 5))
    assert layer.l0_i2h_weight.shape == (12, 5)
    assert layer.l1_i2h_weight.shape == (12, 4)


@pytest.mark.parametrize("options", [{}, {"static_alloc": True, "static_shape": True}])
def test_hybridized_layers_compute_the_same(options):
    layer = ready(rnn.LSTM(3, num_layers=2), data(4, 2, 5))
    plain = layer(data(4, 2, 5))
    layer.hybridize(**options)
    close(layer(data(4, 2, 5)), plain)
    outputs, states = layer(data(4, 2, 5), layer.begin_state(2))
    close(outputs, plain)
    assert len(states) == 2


def test_changed_parameters_are_used_at_once():
    layer = ready(rnn.RNN(3), data(4, 2, 5))
    layer.l0_i2h_weight.set_data(nd.zeros((3, 5)))
    assert not layer(data(4, 2, 5)).asnumpy().any()
    layer.l0_i2h_bias.data()[:] = 1
    assert layer(data(4, 2, 5)).asnumpy().any()


def test_parameters_are_shared():
    first = rnn.LSTM(3, input_size=5, prefix="a_")
    second = rnn.LSTM(3, input_size=5, prefix="b_", params=first.params)
    first.initialize()
    close(first(data(4, 2, 5)), second(data(4, 2, 5)))
    assert second.l0_i2h_weight is first.l0_i2h_weight


def test_many_layers_have_paths_too():
    paths = list(rnn.RNN(2, num_layers=11)._collect_params_with_prefix("net"))
    assert paths[-1] == "net._unfused.10.h2h_bias"


def test_layers_are_saved_loaded_and_pickled(tmp_path):
    layer = ready(rnn.GRU(3, num_layers=2, bidirectional=True), data(4, 2, 5))
    layer.save_parameters(tmp_path / "layer.params")
    other = rnn.GRU(3, num_layers=2, bidirectional=True)
    other.load_parameters(tmp_path / "layer.params")
    close(layer(data(4, 2, 5)), other(data(4, 2, 5)))
    close(layer(data(4, 2, 5)), pickle.loads(pickle.dumps(layer))(data(4, 2, 5)))


def test_casting_casts_states_too():
    layer = rnn.LSTM(3, input_size=5)
    layer.initialize()
    layer.cast("float64")
    assert layer.begin_state(2)[0].dtype == np.float64
    assert layer(data(4, 2, 5).astype("float64")).dtype == np.float64


def test_a_layer_runs_on_each_of_its_contexts():
    layer = rnn.LSTM(3)
    layer.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    outputs = [layer(data(4, 2, 5).as_in_context(ctx)) for ctx in (mx.cpu(0), mx.cpu(1))]
    assert [item.context for item in outputs] == [mx.cpu(0), mx.cpu(1)]
    close(*outputs)


def test_hooks_see_what_the_caller_sees():
    layer = ready(rnn.GRU(3), data(4, 2, 5))
    seen = []
    layer.register_forward_hook(lambda _, inputs, output: seen.append((inputs, output)))
    result = layer(data(4, 2, 5))
    assert seen[0][1] is result
    assert len(seen[0][0]) == 1


LAYER = ready(rnn.LSTM(3), data(4, 2, 5))
LENGTHS = rnn.GRU(3, use_sequence_length=True, input_size=5)
LENGTHS.initialize()
MISTAKES = {
    "an unknown layout": (lambda: rnn.LSTM(3, layout="NCT"), AssertionError, "TNC"),
    "an unknown activation": (lambda: rnn.RNN(3, activation="sine"), KeyError, "relu"),
    "an unknown option": (lambda: rnn.GRU(3, projection_size=2), TypeError, "projection_size"),
    "inputs of two axes": (lambda: LAYER(nd.ones((4, 5))), mx.MXNetError, "LSTM"),
    "inputs of another size": (lambda: LAYER(nd.ones((4, 2, 6))), mx.MXNetError, "LSTM"),
    "states of another batch": (
        lambda: LAYER(nd.ones((4, 2, 5)), LAYER.begin_state(3)), ValueError, "states"),
    "too few states": (
        lambda: LAYER(nd.ones((4, 2, 5)), LAYER.begin_state(2)[:1]), ValueError, "states"),
    "lengths that are missing": (
        lambda: LENGTHS(nd.ones((4, 2, 5))), mx.MXNetError, "sequence_length"),
    "lengths in the place of states": (
        lambda: LENGTHS(nd.ones((4, 2, 5)), nd.array([1, 2])), ValueError, "states"),
    "parameters that are not initialized": (
        lambda: rnn.LSTM(3, input_size=5)(nd.ones((4, 2, 5))), mx.MXNetError, "initialize"),
    "parameters before the first call": (
        lambda: deferred(rnn.LSTM(3)).l0_i2h_weight.data(),
        gluon.DeferredInitializationError, "l0_i2h_weight"),
    "a share that is none": (
        lambda: ready(rnn.LSTM(3, 2, dropout=1.5), nd.ones((4, 2, 5))), mx.MXNetError, "1.5"),
    "cells with projection": (
        lambda: rnn.LSTM(3, projection_size=2)._unfuse(), AssertionError, "projection"),
}  # fmt: skip


def deferred(layer):
    layer.initialize()
    return layer


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(mistake):
    call, error, text = MISTAKES[mistake]
    with pytest.raises(error, match=text):
        call()


class Doubled(gluon.Parameter):
    """A parameter that is twice what it holds, as packages have parameters that they drop."""

    def data(self, ctx=None):
        return 2 * super().data(ctx)


class TestDirectCalls:
    """On arrays of the CPU a layer leaves out the vector of its parameters."""

    @staticmethod
    def make(kind, direct, monkeypatch, **options):
        if not direct:
            monkeypatch.setattr(rnn.RNN.__base__, "_may_run_directly", lambda _: False)
        mx.random.seed(1)
        layer = KINDS[kind](num_layers=2, bidirectional=True, input_size=5, prefix="x_", **options)
        layer.initialize(mx.init.Uniform(0.5))
        return layer

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("has_states", [False, True])
    def test_results_gradients_and_graphs_are_those_of_the_operator(
        self, kind, has_states, monkeypatch
    ):
        found = []
        for direct in (True, False):
            layer = self.make(kind, direct, monkeypatch)
            inputs = data(4, 3, 5)
            inputs.attach_grad()
            with autograd.record():
                states = layer.begin_state(3, nd.ones) if has_states else None
                results = layer(inputs, states) if has_states else [layer(inputs), []]
                loss = sum((item * item).sum() for item in (results[0], *results[1]))
            loss.backward()
            graph = autograd.get_symbol(results[0]).tojson()
            gradients = [item.grad() for item in layer.collect_params().values()]
            found.append((graph, [loss, inputs.grad, *gradients]))
        assert found[0][0] == found[1][0]
        for one, other in zip(found[0][1], found[1][1], strict=True):
            close(one, other)

    @pytest.mark.parametrize("kind", KINDS)
    def test_predictions_are_those_of_the_operator(self, kind, monkeypatch):
        inputs = data(4, 3, 5)
        results = [self.make(kind, direct, monkeypatch)(inputs) for direct in (True, False)]
        close(*results)

    def test_batches_and_dtypes_may_change(self):
        layer = ready(rnn.LSTM(3), data(4, 3, 5))
        assert layer(data(2, 7, 5)).shape == (2, 7, 3)
        layer.cast("float64")
        assert layer(data(2, 7, 5).astype("float64")).dtype == np.float64

    @pytest.mark.parametrize("shape", [(4, 3, 6), (4, 3)])
    def test_mistakes_are_reported_as_by_the_operator(self, shape, monkeypatch):
        messages = []
        for direct in (True, False):
            layer = self.make("gru", direct, monkeypatch)
            with pytest.raises(mx.MXNetError) as caught:
                layer(data(*shape))
            messages.append(str(caught.value))
        assert messages[0] == messages[1]

    def test_a_parameter_may_compute_its_value(self):
        inputs = data(4, 3, 5)
        layer = ready(rnn.RNN(3, activation="tanh", input_size=5), inputs)
        doubled = Doubled("weight", shape=(3, 5))
        doubled.initialize(mx.init.Constant(0.25))
        layer.l0_i2h_weight.set_data(nd.full((3, 5), 0.5))
        expected = layer(inputs)
        layer._reg_params["l0_i2h_weight"] = doubled
        close(layer(inputs), expected)

    def test_dropout_between_layers_is_the_operators(self):
        inputs = data(4, 3, 5)
        layer = ready(rnn.GRU(3, num_layers=2, dropout=0.5, input_size=5), inputs)
        with autograd.train_mode():
            mx.random.seed(3)
            one = layer(inputs)
            other = layer(inputs)
        assert (one.asnumpy() != other.asnumpy()).any()
