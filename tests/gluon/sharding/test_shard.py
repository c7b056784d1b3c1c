import gc

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon
from mxnet._state import processes
from mxnet.contrib.amp.loss_scaler import LossScaler
from mxnet.gluon import nn
from mxnet.gluon.sharding._parameter import ShardedParameter
from tests.distributed._ranks import run_ranks
from tests.gluon.sharding.jobs import BATCH, CASES, batches, make, train, values_of


def train_all(path):
    """Runs in each rank what the tests of this module look at."""
    results = {case: train(*case, sharded=True) for case in CASES}
    results["clipped"] = train("dense", False, "sgd", sharded=True, clip=0.5)
    net = make("dense", sharded=True)
    net.save_parameters(path)
    results["held"] = {
        name: (p.shape, p._data[0].shape, p.grad().shape)
        for name, p in net._collect_params_with_prefix().items()
    }
    results["kept"] = count_kept()
    results["unused"] = find_stale()
    results["frozen"] = train_frozen()
    results["loaded"] = load_again(path)
    results["whole step"] = train_by_steps(sharded=True)
    results["added"] = add_gradients(sharded=True)
    results["overflow"] = overflow_on_one_rank()
    results["penalized"] = penalize_gradients(sharded=True)
    processes.leave()
    return results


def count_kept():
    """Returns how many bytes of whole weights are alive after a forward pass in training."""
    net = nn.Sequential()
    net.add(*(nn.Dense(64, in_units=64, use_bias=False) for _ in range(4)))
    gluon.shard(net).initialize()
    alive = []
    for layer in net:
        layer.register_forward_hook(lambda *_: alive.append(count_weights()))
    with autograd.record():
        loss = net(mx.nd.ones((2, 64))).sum()
    between = count_weights()
    loss.backward()
    return alive, between, count_weights()


def count_weights():
    gc.collect()
    found = [item for item in gc.get_objects() if type(item) is torch.Tensor]
    return len({t.data_ptr() for t in found if tuple(t.shape) == (64, 64)})


def find_stale():
    net = nn.HybridSequential()
    net.add(nn.Dense(3, in_units=2), nn.Dense(3, in_units=2))
    gluon.shard(net, units=[nn.HybridSequential]).initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")

    def forward(x):
        net[1].weight.data()
        return net[0](x)

    net.forward = forward
    with autograd.record():
        loss = net(mx.nd.ones((1, 2))).sum()
    loss.backward()
    try:
        trainer.step(1)
    except gluon.trainer.StaleGradientError as error:
        return str(error)
    return None


def train_frozen():
    """Returns whether a frozen weight, and whether another, changed in a step."""
    net = make("dense", sharded=True)
    net[0].weight.grad_req = "null"
    before = [net[0].weight.data().asnumpy(), net[0].bias.data().asnumpy()]
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    with autograd.record():
        loss = net(mx.nd.ones((2, 7))).square().sum()
    loss.backward()
    trainer.step(1)
    after = [net[0].weight.data().asnumpy(), net[0].bias.data().asnumpy()]
    return [bool((a != b).any()) for a, b in zip(before, after, strict=True)]


def train_by_steps(sharded):
    """Returns the weights after steps of `TrainStep`, with a hybridized network."""
    net = make("dense", sharded, hybridized=True)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    step = gluon.TrainStep(net, gluon.loss.L2Loss(), trainer, clip_global_norm=0.3)
    for x, y in batches("dense", 3, sharded):
        step(x, y, batch_size=BATCH)
    return values_of(net)


def add_gradients(sharded):
    """Returns the weights after a step by gradients that several passes added up."""
    net = make("dense", sharded)
    net.collect_params().setattr("grad_req", "add")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    for x, y in batches("dense", 2, sharded):
        with autograd.record():
            loss = (net(x) - y).square().sum()
        loss.backward(retain_graph=True)
        loss.backward()
    trainer.step(BATCH)
    return values_of(net)


def overflow_on_one_rank():
    """Returns whether a rank skips a step because a gradient of another one is not finite."""
    net = make("dense", sharded=True)
    for parameter in net.collect_params().values():
        parameter.zero_grad()
    if processes.rank() == 1:
        net[0].weight.grad()[0] = float("inf")
    return LossScaler().has_overflow(net.collect_params().values())


def penalize_gradients(sharded):
    """Returns the weights after a step on the size of the gradient of the input."""
    net = make("dense", sharded)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    for x, _ in batches("dense", 1, sharded):
        x.attach_grad()
        with autograd.record():
            y = net(x).square().sum()
            (gradient,) = autograd.grad(y, [x], create_graph=True, retain_graph=True)
            loss = gradient.square().sum() + y
        loss.backward()
    trainer.step(BATCH)
    return values_of(net)


def load_again(path):
    net = make("dense", sharded=True)
    for parameter in net.collect_params().values():
        parameter.set_data(mx.nd.zeros(parameter.shape))
    empty = max(float(p.data().norm().asscalar()) for p in net.collect_params().values())
    net.load_parameters(path)
    return empty, {k: p.data().asnumpy() for k, p in net._collect_params_with_prefix().items()}


@pytest.fixture(scope="module", params=[2, pytest.param(4, marks=pytest.mark.slow)])
def ranks(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranks")
    path = folder / "whole.params"
    ended = run_ranks(train_all, request.param, folder / "job", str(path))
    return [one.result for one in ended], path


@pytest.mark.parametrize("case", CASES, ids=str)
def test_split_parameters_train_as_whole_ones_do(ranks, case):
    losses, weights = train(*case, sharded=False)
    parts = [result[case] for result in ranks[0]]
    np.testing.assert_allclose(sum(np.array(part[0]) for part in parts), losses, rtol=1e-5)
    for _, found in parts:
        assert found.keys() == weights.keys()
        for name, value in weights.items():
            np.testing.assert_allclose(found[name], value, atol=1e-5, err_msg=name)


def test_clip_global_norm_takes_the_norm_of_whole_gradients(ranks):
    norms, weights = train("dense", False, "sgd", sharded=False, clip=0.5)
    for result in ranks[0]:
        np.testing.assert_allclose(result["clipped"][0], norms, rtol=1e-5)
        for name, value in weights.items():
            np.testing.assert_allclose(result["clipped"][1][name], value, atol=1e-5)


def test_each_rank_holds_its_rows_alone(ranks):
    results, _ = ranks
    for shape, held, gradient in results[0]["held"].values():
        assert held[0] == -(-shape[0] // len(results))
        assert held[1:] == shape[1:]
        assert gradient == held
    for name, (shape, _, _) in results[0]["held"].items():
        assert sum(result["held"][name][1][0] for result in results) == shape[0]


def test_whole_weights_live_while_their_block_runs(ranks):
    for result in ranks[0]:
        alive, between, after = result["kept"]
        assert max(alive) <= 1  # a hook runs when the call of its block has ended
        assert between == after == 0


def test_whole_steps_and_added_gradients_work_with_parts(ranks):
    steps, added = train_by_steps(sharded=False), add_gradients(sharded=False)
    for result in ranks[0]:
        for name in steps:
            np.testing.assert_allclose(result["whole step"][name], steps[name], atol=1e-5)
            np.testing.assert_allclose(result["added"][name], added[name], atol=1e-5)


def test_all_ranks_skip_a_step_that_overflows_on_one(ranks):
    assert [result["overflow"] for result in ranks[0]] == [True] * len(ranks[0])


def test_gradients_of_gradients_reach_the_parts(ranks):
    expected = penalize_gradients(sharded=False)
    for result in ranks[0]:
        for name, value in expected.items():
            np.testing.assert_allclose(result["penalized"][name], value, atol=1e-5, err_msg=name)


def test_an_unused_parameter_has_no_gradient(ranks):
    for result in ranks[0]:
        assert "has not been updated by backward" in result["unused"]


def test_a_frozen_parameter_stays_as_it_is(ranks):
    for result in ranks[0]:
        assert result["frozen"] == [False, True]


def test_save_parameters_writes_an_ordinary_file(ranks):
    results, path = ranks
    net = make("dense", sharded=False)
    net.load_parameters(str(path))
    for name, parameter in make("dense", sharded=False)._collect_params_with_prefix().items():
        loaded = net._collect_params_with_prefix()[name]
        np.testing.assert_array_equal(loaded.data().asnumpy(), parameter.data().asnumpy())
        for result in results:
            assert result["loaded"][0] == 0
            np.testing.assert_array_equal(result["loaded"][1][name], parameter.data().asnumpy())


@pytest.fixture
def alone():
    yield
    processes.leave()


@pytest.mark.usefixtures("alone")
def test_one_process_holds_all_rows():
    net = make("dense", sharded=True)
    assert all(isinstance(item, ShardedParameter) for item in net.collect_params().values())
    assert net[0].weight._data[0].shape == (33, 7)


@pytest.mark.usefixtures("alone")
def test_parameters_of_a_trainer_are_refused():
    net = make("dense", sharded=False)
    gluon.Trainer(net.collect_params(), "sgd")
    with pytest.raises(mx.MXNetError, match="has a Trainer already; make it after shard"):
        gluon.shard(net)


@pytest.mark.usefixtures("alone")
def test_a_trainer_takes_all_parameters_split_or_none():
    net, other = make("dense", sharded=True), make("dense", sharded=False)
    parameters = [*net.collect_params().values(), *other.collect_params().values()]
    with pytest.raises(mx.MXNetError, match=r"is sharded and .* is not; shard all networks"):
        gluon.Trainer(parameters, "sgd")


@pytest.mark.usefixtures("alone")
def test_row_sparse_gradients_are_refused_before_anything_changes():
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=2), nn.Embedding(4, 2, sparse_grad=True))
    with pytest.raises(mx.MXNetError, match="sparse_grad=False"):
        gluon.shard(net)
    assert not any(isinstance(item, ShardedParameter) for item in net.collect_params().values())


@pytest.mark.usefixtures("alone")
def test_optimizers_that_need_whole_weights_are_refused():
    net = make("dense", sharded=True)
    with pytest.raises(mx.MXNetError, match="LBSGD needs whole weights"):
        gluon.Trainer(net.collect_params(), "lbsgd")


@pytest.mark.usefixtures("alone")
def test_states_of_one_rank_are_not_saved_as_if_they_were_all(tmp_path):
    net = make("dense", sharded=True)
    trainer = gluon.Trainer(net.collect_params(), "adam")
    with pytest.raises(mx.MXNetError, match=r"use gluon\.Checkpoint"):
        trainer.save_states(str(tmp_path / "states"))


def test_shard_takes_blocks():
    with pytest.raises(mx.MXNetError, match="shard: takes a Block, got list"):
        gluon.shard([nn.Dense(2)])
