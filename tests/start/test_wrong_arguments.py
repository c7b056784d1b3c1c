"""A call with an argument of an unknown name says which one was meant."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn

MEANT = {
    "Conv2D": (lambda: nn.Conv2D(3, kernel=3), "kernel", "kernel_size"),
    "Dense": (lambda: nn.Dense(3, activations="relu"), "activations", "activation"),
    "LSTM": (lambda: gluon.rnn.LSTM(10, num_layer=2), "num_layer", "num_layers"),
    "Dropout": (lambda: nn.Dropout(p=0.5), "p", "rate"),
    "L2Loss": (lambda: gluon.loss.L2Loss(weights=1), "weights", "weight"),
    "Accuracy": (lambda: mx.metric.Accuracy(axes=1), "axes", "axis"),
    "SGD": (lambda: mx.optimizer.SGD(momentun=0.9), "momentun", "momentum"),
    "Adam": (lambda: mx.optimizer.Adam(lr=0.1), "lr", "learning_rate"),
    "Xavier": (lambda: mx.init.Xavier(rand_type="uniform"), "rand_type", "rnd_type"),
    "NDArrayIter": (
        lambda: mx.io.NDArrayIter(np.ones((4, 2)), batchsize=2),
        "batchsize",
        "batch_size",
    ),
    "DataLoader": (lambda: gluon.data.DataLoader([1], batchsize=2), "batchsize", "batch_size"),
    "FactorScheduler": (
        lambda: mx.lr_scheduler.FactorScheduler(step=2, factors=0.1),
        "factors",
        "factor",
    ),
    "imresize": (lambda: mx.image.imresize(mx.nd.ones((2, 2, 3)), w=2, height=2), "height", "h"),
    "split_and_load": (
        lambda: gluon.utils.split_and_load(mx.nd.ones((4, 2)), ctxlist=[mx.cpu()]),
        "ctxlist",
        "ctx_list",
    ),
    "array": (lambda: mx.nd.array([1], ctxx=mx.cpu()), "ctxx", "ctx"),
    "sum": (lambda: mx.np.sum(mx.np.ones((2,)), axes=0), "axes", "axis"),
}
"""Calls, the unknown name and the one that was meant, by what the program has called."""


@pytest.mark.parametrize("name", MEANT)
def test_the_argument_that_was_meant_is_named(name):
    call, given, meant = MEANT[name]
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == (
        f"{name}() got an unexpected keyword argument {given!r} (did you mean {meant!r}?)"
    )


def test_all_are_listed_if_none_is_like_it():
    with pytest.raises(TypeError, match=r"'zebra'; it takes units, activation, use_bias"):
        nn.Dense(3, zebra=1)


def test_options_of_a_trainer_reach_the_optimizer():
    net = nn.Dense(2, in_units=2)
    net.initialize()
    with pytest.raises(TypeError, match=r"'lr' \(did you mean 'learning_rate'\?\)"):
        gluon.Trainer(net.collect_params(), "sgd", {"lr": 0.1})


def test_a_class_of_the_program_is_told_about_the_constructor_that_refused():
    class Wide(nn.Dense):
        def __init__(self, units):
            super().__init__(units, biases=False)

    with pytest.raises(TypeError, match=r"^Dense\(\) got an unexpected keyword argument 'biases'"):
        Wide(3)


def test_messages_on_missing_arguments_stay_as_python_words_them():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'units'"):
        nn.Dense()
