"""Mistakes in training loops and layers that are refused where they are made."""

from __future__ import annotations

import pytest

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn


def _trained():
    net = nn.Dense(1, in_units=2)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", update_on_kvstore=False)
    with mx.autograd.record():
        loss = net(mx.nd.ones((4, 2))).sum()
    loss.backward()
    return net, trainer


@pytest.mark.parametrize("method", ["step", "update"])
def test_a_batch_of_no_samples_is_refused_and_changes_nothing(method):
    net, trainer = _trained()
    before = net.weight.data().asnumpy()
    with pytest.raises(ZeroDivisionError, match=rf"Trainer\.{method}: batch_size .* got 0"):
        getattr(trainer, method)(0)
    assert (net.weight.data().asnumpy() == before).all()


def test_a_trainer_of_a_network_names_collect_params():
    with pytest.raises(ValueError, match=r"give it net\.collect_params\(\)"):
        gluon.Trainer(nn.Dense(1), "sgd")


@pytest.mark.parametrize(
    "make", [nn.Dense, lambda n, activation: nn.Conv2D(n, 3, activation=activation)]
)
def test_a_misspelt_activation_is_refused_by_the_constructor(make):
    with pytest.raises(ValueError, match=r"'rellu' \(did you mean 'relu'\?\)"):
        make(3, activation="rellu")


@pytest.mark.parametrize("name", ["relu", "sigmoid", "tanh", "softrelu", "softsign"])
def test_activations_of_the_operator_are_taken(name):
    layer = nn.Dense(3, activation=name)
    layer.initialize()
    assert layer(mx.nd.ones((1, 2))).shape == (1, 3)
