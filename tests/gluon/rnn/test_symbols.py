"""Recurrent layers with lengths, and the loss of pairs, as graphs."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import rnn

LENGTHS = nd.array([4, 2, 3])


def numbers(*shape):
    return nd.array(np.random.RandomState(len(shape)).uniform(-1, 1, shape))


@pytest.mark.parametrize("options", [{}, {"bidirectional": True}, {"layout": "NTC"}], ids=str)
@pytest.mark.parametrize("kind", [rnn.LSTM, rnn.GRU, rnn.RNN])
def test_a_layer_with_lengths_exports_what_it_computes(kind, options, tmp_path):
    layer = kind(3, use_sequence_length=True, num_layers=2, **options)
    layer.initialize(mx.init.Uniform(0.5))
    data = numbers(3, 4, 5) if "layout" in options else numbers(4, 3, 5)
    states = [numbers(*state.shape) for state in layer.begin_state(3)]
    expected, last = layer(data, states, LENGTHS)
    layer.hybridize()
    found, _ = layer(data, states, LENGTHS)
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
    layer.export(str(tmp_path / "layer"))
    symbol = mx.sym.load(str(tmp_path / "layer-symbol.json"))
    names = [name for name in symbol.list_inputs() if name.startswith("data")]
    loaded = gluon.SymbolBlock.imports(
        str(tmp_path / "layer-symbol.json"), names, str(tmp_path / "layer-0000.params")
    )
    outputs = loaded(*(dict(zip(sorted(names), (data, *states, LENGTHS), strict=True))[n]
                       for n in names))  # fmt: skip
    for one, other in zip(outputs, (expected, *last), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


def test_a_graph_of_a_layer_reads_lengths():
    layer = rnn.GRU(3, use_sequence_length=True, input_size=5, prefix="gru_")
    outputs = layer(mx.sym.var("x"), sequence_length=mx.sym.var("lengths"))
    assert "lengths" in outputs.list_arguments()
    assert outputs.infer_shape(x=(4, 2, 5), lengths=(2,))[1] == [(4, 2, 3)]


@pytest.mark.parametrize("batch", [1, 4])
def test_the_loss_of_pairs_is_the_same_as_a_graph(batch):
    first, second = numbers(batch, 6), numbers(batch, 6) * 0.5
    loss = gluon.loss.SDMLLoss(smoothing_parameter=0.2)
    with autograd.record():
        first.attach_grad()
        expected = loss(first, second)
    expected.backward()
    symbol = loss(mx.sym.var("a"), mx.sym.var("b"))
    gradient = nd.zeros(first.shape)
    executor = symbol.bind(mx.cpu(), {"a": first, "b": second}, args_grad={"a": gradient})
    found = executor.forward(is_train=True)[0]
    executor.backward(nd.ones(found.shape))
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5)
    np.testing.assert_allclose(gradient.asnumpy(), first.grad.asnumpy(), rtol=1e-4, atol=1e-6)
