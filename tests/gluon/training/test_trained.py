"""Trainers whose parameters get other arrays, and the stores that they call."""

from __future__ import annotations

import sys

import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

CONTEXTS = [mx.cpu(0), mx.cpu(1)]


def make_layer(ctx=None):
    """Makes a layer with weights of one, whose gradient is the sum of its inputs."""
    layer = nn.Dense(1, in_units=2, use_bias=False)
    layer.initialize(mx.init.One(), ctx=ctx)
    return layer


def backward(layer):
    with autograd.record():
        outputs = [layer(nd.ones((4, 2), c, layer.weight.dtype)) for c in layer.weight.list_ctx()]
    autograd.backward(outputs)


def weights(layer):
    return [array.asnumpy().ravel().tolist() for array in layer.weight.list_data()]


def set_other_gradient_request(layer):
    layer.weight.grad_req = "null"
    layer.weight.grad_req = "add"


def initialize_again(layer):
    layer.initialize(mx.init.Constant(0.75), ctx=layer.weight.list_ctx(), force_reinit=True)


REPLACEMENTS = {
    "reset_ctx": lambda layer: layer.collect_params().reset_ctx(layer.weight.list_ctx()[::-1]),
    "cast": lambda layer: layer.cast("float64"),
    "grad_req": set_other_gradient_request,
    "force_reinit": initialize_again,
    "set_data": lambda layer: layer.weight.set_data(nd.full((1, 2), 0.75)),
    "write": lambda layer: [array.__setitem__(0, 0.75) for array in layer.weight.list_data()],
}


@pytest.mark.parametrize("replace", REPLACEMENTS.values(), ids=REPLACEMENTS)
@pytest.mark.parametrize("on_store", [None, False])
@pytest.mark.parametrize("contexts", [CONTEXTS[:1], CONTEXTS], ids=["one", "two"])
def test_a_replaced_parameter_is_trained_on(contexts, on_store, replace):
    layer = make_layer(contexts)
    trainer = gluon.Trainer(
        layer.collect_params(), "sgd", {"learning_rate": 0.25}, update_on_kvstore=on_store
    )
    batch = 4 * len(contexts)
    backward(layer)
    trainer.step(batch)
    assert weights(layer) == [[0.75, 0.75]] * len(contexts)
    replace(layer)
    backward(layer)
    trainer.step(batch)
    assert weights(layer) == [[0.5, 0.5]] * len(contexts)


def test_the_lists_are_kept_while_no_parameter_is_replaced():
    layer = make_layer()
    trainer = gluon.Trainer(layer.collect_params(), "sgd")
    kept = []
    for _ in range(3):
        backward(layer)
        trainer.step(4)
        kept.append(trainer._trained)
    assert kept[0] is kept[1] is kept[2]
    layer.weight.cast("float64")
    backward(layer)
    trainer.step(4)
    assert trainer._trained is not kept[0]


def test_a_step_takes_few_python_calls():
    net = nn.Dense(1, in_units=2)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    calls = []
    for _ in range(2):
        backward(net)
        calls.clear()
        sys.setprofile(lambda frame, event, _: event == "call" and calls.append(frame.f_code))
        trainer.step(4)
        sys.setprofile(None)
    assert len(calls) <= 43, calls  # 62 when every step asked each parameter for its arrays


def test_what_is_not_trained_any_more_keeps_its_value():
    net = nn.Sequential()
    net.add(make_layer(), make_layer())
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.25})
    for request, expected in (("write", 0.75), ("null", 0.75), ("write", 0.5)):
        net[0].weight.grad_req = request
        for layer in net:
            if layer.weight.grad_req != "null":
                backward(layer)
        trainer.step(4)
        assert weights(net[0]) == [[expected, expected]]
    assert weights(net[1]) == [[0.25, 0.25]]


def test_an_optimizer_that_is_changed_midway_updates_in_the_store():
    layer = make_layer(CONTEXTS)
    trainer = gluon.Trainer(layer.collect_params(), "sgd", {"learning_rate": 0.25})
    backward(layer)
    trainer.step(8)
    trainer._init_optimizer("sgd", {"learning_rate": 0.5})
    backward(layer)
    trainer.step(8)
    assert weights(layer) == [[0.25, 0.25]] * 2


class Calls:
    """What a store of a user is called with."""

    def __init__(self, *args):
        super().__init__(*args)
        self.calls = []

    def broadcast(self, key, value, out, priority=0):
        self.calls.append(("broadcast", key, len(out), priority))
        for array in out[1:]:
            value.copyto(array)


class Own(Calls, mx.kv.KVStoreBase):
    """A store that divides the sum by the number of contexts, and may update by it."""

    type = "own"
    rate = None

    def pushpull(self, key, value, out=None, priority=0):
        self.calls.append(("pushpull", key, len(value), out is not None, priority))
        mean = mx.nd.add_n(*(array.as_in_context(mx.cpu()) for array in value)) / len(value)
        for array in value if out is None else out:
            array[:] = mean if out is None else array - self.rate * mean

    def set_optimizer(self, optimizer):
        self.rate = optimizer.learning_rate * 0.125

    @staticmethod
    def is_capable(_):
        return True


@pytest.mark.parametrize("on_store", [True, False])
def test_a_store_of_others_gets_one_key_after_the_other(on_store):
    store = Own()
    net = nn.Sequential()
    net.add(make_layer(CONTEXTS), make_layer(CONTEXTS))
    trainer = gluon.Trainer(
        net.collect_params(),
        "sgd",
        {"learning_rate": 0.5},
        kvstore=store,
        update_on_kvstore=on_store,
    )
    for layer in net:
        backward(layer)
    trainer.step(8)
    assert store.calls == [
        ("broadcast", 0, 2, 0),
        ("broadcast", 1, 2, 0),
        ("pushpull", 0, 2, on_store, 0),
        ("pushpull", 1, 2, on_store, -1),
    ]
    assert weights(net[0]) == weights(net[1]) == [[0.75, 0.75]] * 2


class Derived(mx.kv.KVStore):
    """A store that counts what comes, and else is that of this package."""

    def __init__(self):
        super().__init__("device")
        self.keys = []

    def pushpull(self, key, value, out=None, priority=0):
        self.keys.append(key)
        super().pushpull(key, value, out, priority)


@pytest.mark.parametrize("on_store", [True, False])
def test_a_store_derived_from_ours_sees_every_key(on_store):
    store = Derived()
    layer = make_layer(CONTEXTS)
    trainer = gluon.Trainer(
        layer.collect_params(),
        "sgd",
        {"learning_rate": 0.25},
        kvstore=store,
        update_on_kvstore=on_store,
    )
    for _ in range(2):
        backward(layer)
        trainer.step(8)
    assert store.keys == [0, 0]
    assert weights(layer) == [[0.5, 0.5]] * 2


def test_a_store_that_updates_saves_and_loads_the_states(tmp_path):
    results = []
    for resume in (False, True):
        layer = make_layer(CONTEXTS)
        for step in range(4):
            if step == 0 or (resume and step == 2):
                trainer = gluon.Trainer(
                    layer.collect_params(),
                    "sgd",
                    {"learning_rate": 0.25 if step == 0 else 9, "momentum": 0.5},
                    kvstore=Derived(),
                )
            if resume and step == 2:
                trainer.load_states(tmp_path / "states")
                assert trainer.learning_rate == 0.25
            backward(layer)
            trainer.step(8)
            if step == 1:
                trainer.save_states(tmp_path / "states")
        results.append(weights(layer))
    assert results[0] == results[1]
    assert results[0] != [[0, 0]] * 2  # which is without momentum


def test_the_store_of_a_trainer_has_the_weights():
    store = mx.kv.create("device")
    layer = make_layer(CONTEXTS)
    trainer = gluon.Trainer(layer.collect_params(), "sgd", {"learning_rate": 0.25}, kvstore=store)
    backward(layer)
    trainer.step(8)
    out = nd.zeros((1, 2))
    store.pull(0, out=out)
    assert out.asnumpy().tolist() == [[0.75, 0.75]]
