"""Ten steps of training end where the original's end (golden files)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon import nn
from tests.golden import training_cases
from tests.golden.training_cases import CASES, RESUMABLE, STEPS, resume_from, train, values_of

GOLDEN = Path(training_cases.__file__).parent / "training"
RUNS = np.load(GOLDEN / "runs.npz")
READER = GOLDEN.parent / "read_trainer_states_with_original.py"
ONE, TWO = [mx.cpu(0)], [mx.cpu(0), mx.cpu(1)]
SPLITTABLE = [name for name in CASES if name != "lenet"]  # whose batches can be cut anywhere


def check(name, count, losses, net, begin=0, tolerance=1e-4):
    expected = RUNS[f"{name}/{count}/losses"][begin:]
    np.testing.assert_allclose(losses, expected, rtol=tolerance, atol=tolerance)
    flat = np.concatenate([value.ravel() for value in values_of(net)])
    expected = RUNS[f"{name}/{count}/values"]
    np.testing.assert_allclose(flat, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("name", CASES)
def test_training_ends_where_the_original_ends(name, count):
    losses, net, _ = train(CASES[name], TWO[:count])
    check(name, count, losses, net)


@pytest.mark.parametrize("name", SPLITTABLE)
def test_two_contexts_train_as_one(name):
    losses, net, trainer = train(CASES[name], TWO)
    check(name, 1, losses, net)
    for parameter in net.collect_params().values():
        first, second = parameter.list_data()
        np.testing.assert_array_equal(first.asnumpy(), second.asnumpy())
    assert trainer.optimizer.num_update == STEPS


@pytest.mark.parametrize(
    "options", [{"kvstore": "local"}, {"update_on_kvstore": False}, {"kvstore": "device"}], ids=str
)
def test_every_kvstore_gives_the_same(options):
    losses, net, _ = train(CASES["mlp-adam"], TWO, **options)
    check("mlp-adam", 1, losses, net)


@pytest.mark.parametrize("name", RESUMABLE)
def test_hybridized_networks_train_alike(name):
    losses, net, _ = train(CASES[name], ONE, hybridize=True)
    check(name, 1, losses, net)


def test_statistics_moved_and_are_the_original_s():
    _, net, _ = train(CASES["lenet"], ONE)
    before = training_cases.start(CASES["lenet"], ONE).collect_params(".*running").values()
    after = net.collect_params(".*running").values()
    assert len(after) == 6
    for first, second in zip(before, after, strict=True):
        assert first.grad_req == second.grad_req == "null"
        assert np.abs(first.data().asnumpy() - second.data().asnumpy()).max() > 0.01


def test_files_and_moved_parameters_hold_the_mean_over_contexts(tmp_path):
    layer = nn.BatchNorm(in_channels=1)
    layer.initialize(ctx=TWO)
    for value, array in enumerate(layer.running_mean.list_data()):
        array[:] = value
    layer.save_parameters(tmp_path / "params")
    assert mx.nd.load(tmp_path / "params")["running_mean"].asscalar() == 0.5
    layer.collect_params().reset_ctx(mx.cpu(2))
    assert layer.running_mean.data().asscalar() == 0.5


@pytest.mark.parametrize("contexts", [ONE, TWO], ids=["one", "two"])
@pytest.mark.parametrize("name", [n for n in RESUMABLE if n != "lenet"])
def test_training_goes_on_from_states_of_the_original(name, contexts):
    resume = resume_from(RUNS[f"{name}/half/values"], GOLDEN / f"{name}.states")
    losses, net, trainer = train(CASES[name], contexts, begin=STEPS // 2, resume=resume)
    check(name, 1, losses, net, begin=STEPS // 2)
    assert trainer.optimizer.num_update == STEPS
    assert trainer.optimizer.param_dict[0] is trainer._params[0]


def test_lenet_goes_on_from_states_of_the_original():
    resume = resume_from(RUNS["lenet/half/values"], GOLDEN / "lenet.states")
    losses, net, _ = train(CASES["lenet"], ONE, begin=STEPS // 2, resume=resume)
    check("lenet", 1, losses, net, begin=STEPS // 2)


def test_training_without_the_states_goes_elsewhere():
    def resume(net, _):
        training_cases.set_flat(net, RUNS["mlp-sgd/half/values"])

    losses, _, _ = train(CASES["mlp-sgd"], ONE, begin=STEPS // 2, resume=resume)
    assert np.abs(losses - RUNS["mlp-sgd/1/losses"][STEPS // 2 :]).max() > 1e-2


@pytest.mark.parametrize("name", RESUMABLE)
def test_training_goes_on_from_our_states(name, tmp_path):
    _, half, trainer = train(CASES[name], ONE, end=STEPS // 2)
    trainer.save_states(tmp_path / "states")
    half.save_parameters(tmp_path / "params")

    def resume(net, trainer):
        net.load_parameters(tmp_path / "params")
        trainer.load_states(tmp_path / "states")

    losses, net, _ = train(CASES[name], ONE, begin=STEPS // 2, resume=resume)
    check(name, 1, losses, net, begin=STEPS // 2)


@pytest.mark.skipif("ORIGINAL_PYTHON" not in os.environ, reason="needs the original MXNet")
def test_the_original_goes_on_from_our_states(tmp_path):
    for name, case in RESUMABLE.items():
        _, _, trainer = train(case, ONE, end=STEPS // 2)
        trainer.save_states(tmp_path / f"{name}.states")
    command = [os.environ["ORIGINAL_PYTHON"], str(READER), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_dropout_trains_and_leaves_prediction_alone():
    mx.random.seed(1)
    net = nn.HybridSequential()
    net.add(nn.Dense(32, activation="relu"), nn.Dropout(0.5), nn.Dense(1))
    net.initialize(mx.init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    random = np.random.RandomState(0)
    inputs = mx.nd.array(random.normal(size=(64, 4)))
    labels = inputs.sum(axis=1)
    loss = gluon.loss.L2Loss()
    np.testing.assert_array_equal(net(inputs).asnumpy(), net(inputs).asnumpy())
    first = loss(net(inputs), labels).mean().asscalar()
    for _ in range(60):
        with autograd.record():
            value = loss(net(inputs), labels)
        value.backward()
        trainer.step(len(inputs))
    assert loss(net(inputs), labels).mean().asscalar() < first / 2
    with autograd.train_mode():
        assert not np.array_equal(net(inputs).asnumpy(), net(inputs).asnumpy())
