"""The trainer: steps and their parts, contexts, stale gradients, multipliers, states."""

from __future__ import annotations

import os
import pickle

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.trainer import StaleGradientError

CONTEXTS = [mx.cpu(0), mx.cpu(1)]


def make_layer(ctx=None, **kwargs):
    """Makes a layer with weights of one, whose gradient is the sum of its inputs."""
    layer = nn.Dense(1, in_units=2, use_bias=False, **kwargs)
    layer.initialize(mx.init.One(), ctx=ctx)
    return layer


def backward(layer, *inputs):
    """Runs the layer on an input for each context and differentiates the sum."""
    with autograd.record():
        outputs = [layer(item) for item in inputs]
    autograd.backward(outputs)


def ones(value=1.0, rows=4, ctx=None):
    return nd.full((rows, 2), value, ctx=ctx)


def weights(layer):
    return [array.asnumpy().ravel().tolist() for array in layer.weight.list_data()]


def gradients(layer):
    return [array.asnumpy().ravel().tolist() for array in layer.weight.list_grad()]


def make_trainer(layer, rate=0.25, optimizer="sgd", *, kvstore="device", on_store=None, **options):
    return gluon.Trainer(
        layer.collect_params(),
        optimizer,
        {"learning_rate": rate, **options},
        kvstore=kvstore,
        update_on_kvstore=on_store,
    )


def test_step_divides_by_the_batch_size():
    layer = make_layer()
    trainer = make_trainer(layer)
    backward(layer, ones())
    trainer.step(4)
    assert weights(layer) == [[0.75, 0.75]]
    backward(layer, ones())
    trainer.step(8)
    assert weights(layer) == [[0.625, 0.625]]
    backward(layer, ones())
    trainer.step(batch_size=1)
    assert weights(layer) == [[-0.375, -0.375]]


def test_rescale_grad_of_the_optimizer_stays_a_factor():
    layer = make_layer()
    trainer = make_trainer(layer, rescale_grad=0.5)
    backward(layer, ones())
    trainer.step(4)
    assert weights(layer) == [[0.875, 0.875]]
    assert trainer.optimizer.rescale_grad == 0.125


def test_allreduce_and_update_are_a_step():
    layer = make_layer()
    trainer = make_trainer(layer)
    backward(layer, ones())
    trainer.allreduce_grads()
    layer.weight.grad()[:] *= 2
    trainer.update(4)
    assert weights(layer) == [[0.5, 0.5]]


@pytest.mark.parametrize("kvstore", ["device", "local"])
def test_gradients_of_several_contexts_are_added(kvstore):
    layer = make_layer(CONTEXTS)
    trainer = make_trainer(layer, kvstore=kvstore)
    backward(layer, ones(1, ctx=CONTEXTS[0]), ones(2, ctx=CONTEXTS[1]))
    trainer.step(8)
    assert weights(layer) == [[0.625, 0.625]] * 2
    assert gradients(layer) == [[4, 4], [8, 8]]  # left as they are


@pytest.mark.parametrize("kvstore", ["device", "local"])
def test_gradients_of_several_contexts_are_added_in_place(kvstore):
    layer = make_layer(CONTEXTS)
    trainer = make_trainer(layer, kvstore=kvstore, on_store=False)
    backward(layer, ones(1, ctx=CONTEXTS[0]), ones(2, ctx=CONTEXTS[1]))
    trainer.allreduce_grads()
    assert gradients(layer) == [[12, 12], [12, 12]]
    trainer.update(8)
    assert weights(layer) == [[0.625, 0.625]] * 2


def test_without_kvstore_every_context_is_on_its_own():
    layer = make_layer(CONTEXTS)
    trainer = make_trainer(layer, kvstore=None)
    backward(layer, ones(1, ctx=CONTEXTS[0]), ones(2, ctx=CONTEXTS[1]))
    trainer.allreduce_grads()
    assert gradients(layer) == [[4, 4], [8, 8]]
    trainer.update(4)
    assert weights(layer) == [[0.75, 0.75], [0.5, 0.5]]


def test_parts_of_a_step_on_several_contexts_need_an_option():
    trainer = make_trainer(make_layer(CONTEXTS))
    for call in (trainer.allreduce_grads, lambda: trainer.update(1)):
        with pytest.raises(AssertionError, match="update_on_kvstore=False"):
            call()


@pytest.mark.parametrize(
    ("variable", "on_store", "expected"), [("0", None, False), ("0", True, True), ("1", None, True)]
)
def test_a_variable_decides_where_weights_are_updated(monkeypatch, variable, on_store, expected):
    monkeypatch.setenv("MXNET_UPDATE_ON_KVSTORE", variable)
    layer = make_layer(ctx=[mx.cpu(0), mx.cpu(1)])
    trainer = make_trainer(layer, on_store=on_store)
    trainer._init_kvstore()
    assert trainer._update_on_kvstore is expected


def test_replicas_stay_equal_where_the_optimizer_draws_random_numbers():
    layer = make_layer(CONTEXTS)
    trainer = make_trainer(layer, optimizer="sgld")
    for _ in range(3):
        backward(layer, *(ones(ctx=ctx) for ctx in CONTEXTS))
        trainer.step(8)
    first, second = weights(layer)
    assert first == second


@pytest.mark.parametrize("on_store", [None, False])
def test_sparse_gradients_of_several_contexts_are_added(on_store):
    layer = nn.Embedding(4, 1, sparse_grad=True)
    layer.initialize(mx.init.One(), ctx=CONTEXTS)
    trainer = make_trainer(layer, on_store=on_store)
    with autograd.record():
        outputs = [layer(nd.array([i, 3], ctx=ctx)) for i, ctx in enumerate(CONTEXTS)]
    autograd.backward(outputs)
    trainer.step(1)
    assert weights(layer) == [[0.75, 0.75, 1, 0.5]] * 2


def test_statistics_begin_with_those_of_the_first_context():
    net = nn.BatchNorm(in_channels=1)
    net.initialize(ctx=CONTEXTS)
    trainer = make_trainer(net)
    for value in (1, 2):
        with autograd.record():
            outputs = [net(nd.full((2, 1), value + i, ctx=ctx)) for i, ctx in enumerate(CONTEXTS)]
        autograd.backward(outputs)
        trainer.step(4)
    means = [array.asscalar() for array in net.running_mean.list_data()]
    np.testing.assert_allclose(means, [0.1 * 0.9 + 0.2, 0.1 * 0.9 + 0.3], rtol=1e-5)


def test_a_stale_gradient_is_refused_and_changes_nothing():
    net = nn.Sequential(prefix="net_")
    with net.name_scope():
        net.add(make_layer(), make_layer())
    trainer = make_trainer(net)
    backward(net[1], ones())
    with pytest.raises(UserWarning, match=r"`net_dense0_weight` on context cpu\(0\).*backward"):
        trainer.step(4)
    assert weights(net[1]) == [[1, 1]]
    trainer.step(4, ignore_stale_grad=True)
    assert weights(net[0]) == [[1, 1]]
    assert weights(net[1]) == [[0.75, 0.75]]
    with pytest.raises(StaleGradientError):
        trainer.update(4)
    trainer.update(4, ignore_stale_grad=True)
    assert weights(net[1]) == [[0.75, 0.75]]


@pytest.mark.parametrize("on_store", [None, False])
def test_a_stale_gradient_on_one_of_several_contexts(on_store):
    layer = make_layer(CONTEXTS)
    trainer = make_trainer(layer, on_store=on_store)
    backward(layer, ones(ctx=CONTEXTS[0]))
    with pytest.raises(StaleGradientError, match=r"cpu\(1\)"):
        trainer.step(4)
    assert weights(layer) == [[1, 1], [1, 1]]


def test_a_stale_replica_takes_the_update_of_the_others():
    layer = make_layer(CONTEXTS)
    trainer = make_trainer(layer)
    backward(layer, *(ones(ctx=ctx) for ctx in CONTEXTS))
    trainer.step(8)
    backward(layer, ones(ctx=CONTEXTS[1]))
    trainer.step(4, ignore_stale_grad=True)
    assert weights(layer) == [[0.5, 0.5], [0.5, 0.5]]


def test_parameters_without_gradient_are_left_alone():
    net = nn.Sequential()
    net.add(make_layer(), make_layer())
    net[0].weight.grad_req = "null"
    trainer = make_trainer(net)
    backward(net[1], ones())
    trainer.step(4)
    assert weights(net[0]) == [[1, 1]]
    assert weights(net[1]) == [[0.75, 0.75]]


def test_added_gradients():
    layer = make_layer()
    layer.weight.grad_req = "add"
    trainer = make_trainer(layer)
    backward(layer, ones())
    backward(layer, ones())
    trainer.step(8)
    assert weights(layer) == [[0.75, 0.75]]
    layer.collect_params().zero_grad()
    backward(layer, ones())
    trainer.step(4)
    assert weights(layer) == [[0.5, 0.5]]


def test_grad_req_changes_between_steps():
    layer = make_layer()
    trainer = make_trainer(layer)
    for request, expected in (("null", 1), ("write", 0.75), ("null", 0.75), ("add", 0.5)):
        layer.weight.grad_req = request
        if request != "null":
            backward(layer, ones())
        trainer.step(4)
        assert weights(layer) == [[expected, expected]]


def test_learning_rate():
    trainer = make_trainer(make_layer())
    assert trainer.learning_rate == 0.25
    trainer.set_learning_rate(0.5)
    assert trainer.learning_rate == trainer.optimizer.lr == 0.5
    layer = make_layer()
    trainer = make_trainer(layer)
    trainer.set_learning_rate(0.5)
    backward(layer, ones())
    trainer.step(4)
    assert weights(layer) == [[0.5, 0.5]]


@pytest.mark.parametrize("contexts", [CONTEXTS[:1], CONTEXTS], ids=["one", "two"])
def test_learning_rate_of_a_schedule(contexts):
    layer = make_layer(contexts)
    schedule = mx.lr_scheduler.FactorScheduler(step=2, factor=0.5, base_lr=0.25)
    trainer = make_trainer(layer, lr_scheduler=schedule)
    rates = []
    for _ in range(6):
        rates.append(trainer.learning_rate)
        backward(layer, *(ones(ctx=ctx) for ctx in contexts))
        trainer.step(4 * len(contexts))
    assert rates == [0.25, 0.25, 0.25, 0.125, 0.125, 0.0625]
    with pytest.raises(UserWarning, match="lr_scheduler"):
        trainer.set_learning_rate(1)


def test_multipliers_of_parameters():
    net = nn.Dense(1, in_units=2)
    net.initialize(mx.init.One())
    net.bias.set_data(nd.ones(1))
    net.weight.lr_mult, net.bias.wd_mult = 2.0, 0.0
    trainer = make_trainer(net, wd=1.0)
    backward(net, ones())
    trainer.step(4)
    np.testing.assert_allclose(net.weight.data().asnumpy(), [[0, 0]])
    np.testing.assert_allclose(net.bias.data().asnumpy(), [0.75])
    net.collect_params().setattr("lr_mult", 0)
    backward(net, ones())
    trainer.step(4)
    np.testing.assert_allclose(net.bias.data().asnumpy(), [0.75])


def test_an_optimizer_as_object():
    layer = make_layer()
    optimizer = mx.optimizer.SGD(learning_rate=0.25)
    trainer = gluon.Trainer(layer.collect_params(), optimizer)
    assert trainer.optimizer is optimizer
    assert optimizer.param_dict == {0: layer.weight}
    backward(layer, ones())
    trainer.step(4)
    assert weights(layer) == [[0.75, 0.75]]
    with pytest.raises(AssertionError, match="optimizer_params"):
        gluon.Trainer(layer.collect_params(), optimizer, {"learning_rate": 1})


def test_parameters_as_list_and_as_dictionary():
    net = nn.Dense(1, in_units=2)
    net.initialize()
    parameters = net.collect_params()
    for given in (parameters, dict(parameters.items()), list(parameters.values())):
        trainer = gluon.Trainer(given, "sgd")
        assert {p.name for p in trainer._params} == set(parameters)
    assert trainer._params == [net.weight, net.bias]  # a list keeps its order, names are sorted
    assert gluon.Trainer(parameters, "sgd")._params == [net.bias, net.weight]
    for wrong in (3, [3], parameters.values()):
        with pytest.raises(ValueError, match="list or dict of Parameters"):
            gluon.Trainer(wrong, "sgd")


def test_several_trainers_on_parts_of_a_network():
    net = nn.Sequential()
    net.add(make_layer(), make_layer())
    first, second = make_trainer(net[0]), make_trainer(net[1], 0.5)
    backward(net[0], ones())
    backward(net[1], ones())
    first.step(4)
    assert (weights(net[0]), weights(net[1])) == ([[0.75, 0.75]], [[1, 1]])
    second.step(4)
    assert weights(net[1]) == [[0.5, 0.5]]


def test_a_trainer_needs_initialized_parameters_on_equal_contexts():
    layer = nn.Dense(1, in_units=2, prefix="raw_")
    with pytest.raises(RuntimeError, match="'raw_bias' has not been initialized"):
        gluon.Trainer(layer.collect_params(), "sgd")
    parameters = [make_layer(CONTEXTS).weight, make_layer(prefix="odd_").weight]
    with pytest.raises(AssertionError, match=r"odd_weight.*\[cpu\(0\)\].*\[cpu\(0\), cpu\(1\)\]"):
        gluon.Trainer(parameters, "sgd")


def test_deferred_parameters_are_trained_once_they_are_there():
    net = nn.Dense(1)
    net.initialize(mx.init.One(), ctx=CONTEXTS)
    trainer = make_trainer(net)
    backward(net, *(ones(ctx=ctx) for ctx in CONTEXTS))
    trainer.step(8)
    assert weights(net) == [[0.75, 0.75]] * 2


def test_a_store_is_not_a_number():
    with pytest.raises(mx.MXNetError, match="kvstore"):
        make_trainer(make_layer(), kvstore=3)


@pytest.mark.parametrize("kvstore", ["dist_sync", "dist_async", "horovod"])
@pytest.mark.parametrize("contexts", [CONTEXTS[:1], CONTEXTS], ids=["one", "two"])
def test_a_process_alone_trains_with_a_store_of_several(kvstore, contexts):
    net = make_layer(contexts)
    trainer = make_trainer(net, kvstore=kvstore)
    backward(net, *(ones(ctx=ctx) for ctx in contexts))
    trainer.step(8)
    usual = make_layer(contexts)
    trainer = make_trainer(usual)
    backward(usual, *(ones(ctx=ctx) for ctx in contexts))
    trainer.step(8)
    assert weights(net) == weights(usual)


def test_unknown_optimizers_and_options():
    with pytest.raises(ValueError, match="no optimizer 'sdg'"):
        make_trainer(make_layer(), optimizer="sdg")
    with pytest.raises(TypeError, match="momentun"):
        make_trainer(make_layer(), momentun=0.9)


@pytest.mark.parametrize("contexts", [CONTEXTS[:1], CONTEXTS], ids=["one", "two"])
def test_states_come_back(contexts, tmp_path):
    file = tmp_path / "trainer.states"
    results = []
    for resume in (False, True):
        layer = make_layer(contexts)
        trainer = make_trainer(layer, momentum=0.5)
        for step in range(4):
            if resume and step == 2:
                trainer = make_trainer(layer, rate=9)
                trainer.load_states(file)
                layer.weight.lr_mult = 1.0
            backward(layer, *(ones(ctx=ctx) for ctx in contexts))
            trainer.step(4 * len(contexts))
            if step == 1 and not resume:
                trainer.save_states(str(file))
        results.append(weights(layer))
        assert trainer.learning_rate == 0.25
    assert results[0] == results[1]


def test_states_keep_the_multipliers_of_the_present_parameters(tmp_path):
    layer = make_layer()
    layer.weight.lr_mult = 4.0
    make_trainer(layer).save_states(tmp_path / "states")
    other = make_layer()
    trainer = make_trainer(other)
    trainer.load_states(tmp_path / "states")
    backward(other, ones())
    trainer.step(4)
    assert weights(other) == [[0.75, 0.75]]


def test_a_missing_file_of_states(tmp_path):
    with pytest.raises(FileNotFoundError):
        make_trainer(make_layer()).load_states(tmp_path / "none")


class Attack:
    def __reduce__(self):
        return os.system, ("exit 1",)


@pytest.mark.parametrize(
    "states",
    [
        pickle.dumps(({0: Attack()}, None)),
        pickle.dumps(({}, Attack())),
        pickle.dumps([1, 2]),
        pickle.dumps(({}, "sgd")),
        b"",
        b"junk",
    ],
)
def test_hostile_and_damaged_states_are_refused_and_change_nothing(states, tmp_path):
    layer = make_layer(CONTEXTS)
    trainer = make_trainer(layer, momentum=0.5)
    backward(layer, *(ones(ctx=ctx) for ctx in CONTEXTS))
    trainer.step(8)
    before = trainer.optimizer, [updater.states for updater in trainer._updaters]
    (tmp_path / "states").write_bytes(states)
    with pytest.raises(mx.MXNetError):
        trainer.load_states(tmp_path / "states")
    assert before == (trainer.optimizer, [updater.states for updater in trainer._updaters])
    backward(layer, *(ones(ctx=ctx) for ctx in CONTEXTS))
    trainer.step(8)
    np.testing.assert_allclose(weights(layer), [[0.375, 0.375]] * 2)


def test_an_interrupted_save_leaves_the_old_file(tmp_path, monkeypatch):
    layer = make_layer()
    trainer = make_trainer(layer)
    trainer.save_states(tmp_path / "states")
    before = (tmp_path / "states").read_bytes()
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        trainer.save_states(tmp_path / "states")
    assert (tmp_path / "states").read_bytes() == before
    assert os.listdir(tmp_path) == ["states"]


def test_reset_store_is_chosen_anew():
    net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
    net.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    for _ in range(2):
        for context in (mx.cpu(0), mx.cpu(1)):
            with mx.autograd.record():
                net(mx.nd.ones((1, 1), ctx=context)).backward()
        trainer.step(2)
        trainer._reset_kvstore()
        assert not trainer._kv_initialized
    assert [array.asscalar() for array in net.weight.list_data()] == [0, 0]
