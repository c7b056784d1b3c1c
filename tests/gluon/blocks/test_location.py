"""Errors say where in a network they came up, as an expression that finds the block."""

from __future__ import annotations

import pickle

import pytest

import mxnet as mx
from mxnet import nd
from mxnet.errors import MXNetError
from mxnet.gluon import nn


class Branches(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential()
            self.features.add(nn.Dense(3, in_units=4), nn.Dense(2, in_units=5))

    def hybrid_forward(self, _, x):
        return self.features(x)


def message_of(call) -> str:
    with pytest.raises(MXNetError) as info:
        call()
    return str(info.value)


def build(hybridize=False) -> Branches:
    net = Branches()
    net.initialize()
    if hybridize:
        net.hybridize()
    return net


@pytest.mark.parametrize("hybridize", [False, True])
def test_the_way_begins_with_the_variable_of_the_caller(hybridize):
    model = build(hybridize)
    with pytest.raises(MXNetError) as info:
        model(nd.ones((2, 4)))
    assert str(info.value).startswith("model.features[1] (Dense '")


def test_an_attribute_of_self_is_a_beginning():
    class Learner:
        def __init__(self):
            self.net = build()

        def fit(self):
            self.net(nd.ones((2, 4)))

    assert message_of(Learner().fit).startswith("self.net.features[1] (Dense '")


def test_without_a_variable_it_begins_with_the_class():
    assert message_of(lambda: build()(nd.ones((2, 4)))).startswith("Branches.features[1] (Dense '")
    assert message_of(lambda: nn.Dense(2)(4)).startswith("Dense 'dense")


def test_the_block_that_the_program_defines_is_named_for_its_own_mistakes():
    class Wrong(nn.Block):
        def forward(self, x):
            return x + nd.ones((7,))

    net = nn.Sequential()
    net.add(nn.Dense(3, in_units=4), Wrong())
    net.initialize()
    message = message_of(lambda: net(nd.ones((2, 4))))
    assert message.startswith("net[1] (Wrong 'wrong0'): broadcast_add: shapes (2, 3) and (7,)")


def test_a_block_that_is_no_child_keeps_its_own_name():
    class Holder(nn.Block):
        def __init__(self):
            super().__init__()
            self.hidden = [nn.Dense(2, in_units=5, prefix="hidden_")]

        def forward(self, x):
            return self.hidden[0](x)

    net = Holder()
    net.hidden[0].initialize()
    assert message_of(lambda: net(nd.ones((2, 4)))).startswith("Dense 'hidden': Full")


def test_a_first_call_that_fails_does_not_speak_of_initialization():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(3, 3), nn.Dense(2))
    net.initialize()
    message = message_of(lambda: net(nd.ones((1, 2, 6, 6), dtype="uint8")))
    assert message.startswith("net[0] (Conv2D '")
    assert "initializ" not in message
    assert message.endswith(
        "data is uint8, weight is float32\n  Convert the data: x.astype('float32')."
    )


def test_an_error_is_pickled_without_the_network():
    net = build()
    with pytest.raises(MXNetError) as info:
        net(nd.ones((2, 4)))
    data = pickle.dumps(info.value)
    assert b"Branches" not in data
    assert str(pickle.loads(data)) == str(info.value)
    assert mx.MXNetError in type(pickle.loads(data)).__mro__
