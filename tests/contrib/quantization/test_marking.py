"""What cannot be computed on integers stays as it is, and is said."""

from __future__ import annotations

import logging

import pytest

import mxnet as mx
from mxnet import sym
from mxnet.contrib.quantization._rewriting import Choice, mark


def convolve(**options: object) -> sym.Symbol:
    return sym.Convolution(sym.var("data"), name="c", num_filter=4, **options)


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        (convolve(kernel=(3,)), "kernel"),
        (convolve(kernel=(3, 3), layout="NHWC"), "NHWC"),
        (convolve(kernel=(3, 3), num_group=2), "num_group"),
        (sym.Pooling(sym.var("data"), kernel=(2, 2), pool_type="sum", name="c"), "'sum'"),
        (sym.Activation(sym.var("data"), act_type="tanh", name="c"), "'tanh'"),
        (
            sym.Embedding(sym.var("data"), input_dim=3, output_dim=2, dtype="float64", name="c"),
            "64",
        ),
        (sym.RNN(sym.var("data"), state_size=3, num_layers=1, mode="lstm", name="c"), "no kernel"),
        (sym.concat(sym.var("a"), sym.var("b"), dim=0, name="c"), "dim=0"),
    ],
    ids=str,
)
def test_what_is_not_supported_stays_in_float32(
    graph: sym.Symbol, reason: str, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.WARNING):
        assert not mark(graph._graph, Choice(mode="full"))
    (message,) = caplog.messages
    assert message.startswith("c stays in float32: ")
    assert reason in message


def test_gpus_compute_few_operators_on_integers():
    layers = sym.Activation(convolve(kernel=(3, 3)), act_type="relu", name="r")
    layers = sym.FullyConnected(sym.flatten(layers, name="fl"), num_hidden=2, name="f")
    marked = mark(layers._graph, Choice(mode="full", on_gpu=True))
    assert [node.name for node in marked] == ["c", "fl", "f"]


def test_a_fused_layer_is_excluded_by_the_name_of_a_part():
    layer = sym.Activation(convolve(kernel=(3, 3)), act_type="relu", name="r")
    fused = layer.get_backend_symbol("MKLDNN_QUANTIZE")
    for name in ("c", "r", "sg_mkldnn_conv_act_0"):
        assert not mark(fused._graph, Choice(excluded_names=[name]))
    assert [node.name for node in mark(fused._graph, Choice())] == ["sg_mkldnn_conv_act_0"]


def test_an_unknown_mode_is_refused():
    with pytest.raises(mx.MXNetError, match="expected `full` or `smart`, got 'half'"):
        mark(convolve(kernel=(3, 3))._graph, Choice(mode="half"))
