"""Operators whose attributes tell how much there is to go through."""

from __future__ import annotations

import pytest
import torch

import mxnet as mx
from mxnet.errors import LimitExceededError
from mxnet.ops.core.registry import get_op
from mxnet.ops.meta import infer

FLOAT = torch.float32
MILLION = 10**6


def shapes_of(name, shapes, **attrs):
    op = get_op(name)
    return [shape for shape, _ in infer(op, shapes, [FLOAT] * len(shapes), op.parse_attrs(attrs))]


def test_correlation_counts_displacements_before_it_goes_through_them():
    maps = [mx.nd.ones((1, 1, 4, 4))] * 2
    with pytest.raises(LimitExceededError, match=r"Correlation.*40,000,400,001 steps"):
        mx.nd.Correlation(*maps, max_displacement=10**5, pad_size=10**5)


def test_correlation_has_the_shape_that_is_inferred():
    maps = [mx.nd.ones((2, 3, 9, 8))] * 2
    attrs = {"max_displacement": 3, "stride2": 2, "pad_size": 2, "kernel_size": 3}
    result = mx.nd.Correlation(*maps, **attrs)
    assert shapes_of("Correlation", [(2, 3, 9, 8)] * 2, **attrs)[0] == result.shape


@pytest.mark.parametrize("mode", ["rnn_relu", "rnn_tanh", "lstm", "gru"])
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("num_layers", [1, 2, 3])
def test_the_vector_of_a_recurrent_network_is_counted_as_it_is_split(
    mode, bidirectional, num_layers
):
    attrs = {"state_size": 3, "num_layers": num_layers, "bidirectional": bidirectional}
    layer = {"lstm": mx.gluon.rnn.LSTM, "gru": mx.gluon.rnn.GRU}.get(mode, mx.gluon.rnn.RNN)
    net = layer(3, num_layers, bidirectional=bidirectional, input_size=4)
    net.initialize()
    count = sum(p.data().size for p in net.collect_params().values())
    fill = get_op("RNN").fill_shapes
    filled = fill((5, 2, 4), mode=mode, projection_size=None, **attrs)
    assert filled["parameters"] == (count,)


def test_layers_of_a_recurrent_network_are_limited():
    data, state = mx.nd.ones((1, 1, 1)), mx.nd.ones((MILLION, 1, 1))
    with pytest.raises(LimitExceededError, match=r"RNN: attribute `num_layers`.*1,000,000 steps"):
        mx.nd.RNN(
            data, mx.nd.ones(4 * MILLION), state, mode="gru", state_size=1, num_layers=MILLION
        )


def test_sections_are_limited():
    with pytest.raises(LimitExceededError, match="_split_v2"):
        mx.nd._internal._split_v2(mx.nd.ones((2, 2)), indices=(), sections=MILLION)


HAWKES = [(2, 3), (3,), (3,), (2, 3), (2, 10**9), (2, 10**9), (2,), (2,)]
PROPOSAL = [(10**6, 24, 5, 5), (10**6, 48, 5, 5), (10**6, 3)]
LONG = [
    ("_contrib_hawkesll", HAWKES, {}, [(2,), (2, 3)]),
    ("_contrib_bipartite_matching", [(10**6, 10**5)], {"threshold": 0.5}, [(10**6,), (10**5,)]),
    ("_contrib_MultiProposal", PROPOSAL, {}, [(3 * 10**8, 5), (3 * 10**8, 1)]),
    ("_image_resize", [(4, 4, 3)], {"size": (10**9, 2)}, [(2, 10**9, 3)]),
    ("_cvimresize", [(4, 4, 3)], {"w": 10**9, "h": 2}, [(2, 10**9, 3)]),
]


@pytest.mark.parametrize(("name", "shapes", "attrs", "expected"), LONG)
def test_shapes_do_not_need_what_they_stand_for(name, shapes, attrs, expected):
    assert shapes_of(name, shapes, **attrs) == expected
