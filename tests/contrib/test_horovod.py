"""Horovod's interface, on two processes and on one."""

from __future__ import annotations

import importlib
import subprocess
import sys

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon
from mxnet.contrib import horovod as hvd
from tests.distributed import _ranks

FEATURES = np.random.RandomState(0).uniform(-1, 1, (8, 3)).astype("float32")
TARGETS = FEATURES.sum(axis=1, keepdims=True)


def exchange(rank):
    own = mx.nd.array([1, 2]) * (rank + 1)
    in_place = [own.copy(), mx.nd.ones((2, 2), dtype="int32") * (rank + 2)]
    hvd.allreduce_(in_place[0], average=False, name="sum", prescale_factor=2, postscale_factor=3)
    hvd.grouped_allreduce_(in_place[1:], average=True)
    rows = mx.nd.ones((rank + 1, 2)) * rank
    truths = mx.nd.array([rank, 1 - rank]).astype("bool")
    mine = mx.nd.arange(4) + 10 * rank
    results = [
        hvd.allreduce(own),
        *in_place,
        hvd.allgather(rows),
        hvd.broadcast(own, root_rank=1),
        hvd.alltoall(mine),
        hvd.alltoall(mine, splits=[1, 3]),
        hvd.broadcast(truths, root_rank=1),
        hvd.allgather(truths),
    ]
    assert own.asnumpy().tolist() == [rank + 1, 2 * rank + 2]
    objects = hvd.broadcast_object({"rank": rank}, root_rank=1), hvd.allgather_object(rank)
    carried = hvd.broadcast_object([mx.nd.arange(2), {"rows": np.arange(3)}] if rank else None, 1)
    assert carried[0].asnumpy().tolist() == [0, 1]
    assert carried[1]["rows"].tolist() == [0, 1, 2]
    for send in (lambda: hvd.broadcast_object(print, 1), lambda: hvd.allgather_object(print)):
        with pytest.raises(TypeError, match="cannot send its object"):
            send()
    return [array.asnumpy().tolist() for array in results], objects


def make_net(offset, in_units):
    net = gluon.nn.Dense(1, in_units=in_units)
    net.initialize(mx.init.Constant(0.1 + offset))
    return net


def train(net, make_step, part):
    """Trains four steps with a part of the data, and returns the parameters."""
    features, targets = mx.nd.array(FEATURES[part]), mx.nd.array(TARGETS[part])
    step, loss_function = None, gluon.loss.L2Loss()
    for _ in range(4):
        with mx.autograd.record():
            loss = loss_function(net(features), targets)
        loss.backward()
        step = step or make_step(net)
        step(len(features))
    return [parameter.data().asnumpy() for parameter in net.collect_params().values()]


def step_of_trainer(net):
    options = {"learning_rate": 0.1, "momentum": 0.9}
    return hvd.DistributedTrainer(net.collect_params(), "sgd", options).step


def step_in_half_precision(net):
    options = {"learning_rate": 0.1, "momentum": 0.9}
    parameters = net.collect_params()
    return hvd.DistributedTrainer(
        parameters, "sgd", options, hvd.Compression.fp16, gradient_predivide_factor=2
    ).step


def step_of_optimizer(net):
    optimizer = mx.optimizer.create("sgd", learning_rate=0.1, momentum=0.9)
    distributed = hvd.DistributedOptimizer(optimizer)
    assert isinstance(distributed, mx.optimizer.SGD)
    return gluon.Trainer(net.collect_params(), distributed, kvstore=None).step


def step_of_one(net):
    options = {"learning_rate": 0.1, "momentum": 0.9}
    return gluon.Trainer(net.collect_params(), "sgd", options).step


def broadcast_arrays(rank):
    arrays = {"a": mx.nd.ones(2) * rank, "b": mx.nd.ones((1, 2)) * 5 * rank}
    hvd.broadcast_parameters(arrays, root_rank=1)
    return [array.asnumpy().tolist() for array in arrays.values()]


def run_on_two():
    hvd.init()
    rank = hvd.rank()
    found = {"numbers": (rank, hvd.size(), hvd.local_rank(), hvd.local_size())}
    found["cross"] = (hvd.cross_rank(), hvd.cross_size())
    found["exchange"] = exchange(rank)
    found["arrays"] = broadcast_arrays(rank)
    part = slice(4 * rank, 4 * rank + 4)
    for name, make_step, in_units in (
        ("trainer", step_of_trainer, 3),
        ("deferred", step_of_trainer, 0),
        ("half", step_in_half_precision, 3),
        ("optimizer", step_of_optimizer, 3),
    ):
        net = make_net(rank, in_units)
        hvd.broadcast_parameters(net.collect_params(), root_rank=0)
        found[name] = train(net, make_step, part)
    hvd.shutdown()
    return found


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return _ranks.run_once(run_on_two, 2, tmp_path_factory)


@pytest.fixture
def alone(monkeypatch):
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "DMLC_ROLE"):
        monkeypatch.delenv(name, raising=False)
    hvd.init()
    yield
    hvd.shutdown()


def test_numbers(two):
    assert [one["numbers"] for one in two] == [(0, 2, 0, 2), (1, 2, 1, 2)]
    assert [one["cross"] for one in two] == [(0, 1), (0, 1)]


def test_exchanges(two):
    for rank, one in enumerate(two):
        arrays, objects = one["exchange"]
        mean, total, integers, rows, broadcast, halves, parts, *truths = arrays
        assert mean == [1.5, 3.0]
        assert total == [18.0, 36.0]
        assert integers == [[2, 2], [2, 2]]  # 5 / 2
        assert rows == [[0, 0], [1, 1], [1, 1]]
        assert broadcast == [2.0, 4.0]
        assert halves == ([0, 1, 10, 11] if rank == 0 else [2, 3, 12, 13])
        assert parts == ([0, 10] if rank == 0 else [1, 2, 3, 11, 12, 13])
        assert truths == [[True, False], [False, True, True, False]]
        assert objects == ({"rank": 1}, [0, 1])


def test_arrays_of_another_root(two):
    for one in two:
        assert one["arrays"] == [[1, 1], [[5, 5]]]


@pytest.mark.parametrize("name", ["trainer", "deferred", "optimizer"])
def test_two_processes_learn_what_one_learns(two, name):
    expected = train(make_net(0, 3), step_of_one, slice(0, 8))
    for one in two:
        for array, wanted in zip(one[name], expected, strict=True):
            np.testing.assert_allclose(array, wanted, rtol=1e-5, atol=1e-6)


def test_gradients_travel_in_half_precision(two):
    exact = train(make_net(0, 3), step_of_one, slice(0, 8))
    first, second = (np.concatenate([array.ravel() for array in one["half"]]) for one in two)
    wanted = np.concatenate([array.ravel() for array in exact])
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(first, wanted, rtol=1e-2, atol=1e-3)
    assert np.abs(first - wanted).max() > 1e-6  # they were rounded


def test_calls_before_init_say_so():
    for call in (hvd.rank, hvd.size, hvd.local_rank, lambda: hvd.allreduce(mx.nd.ones(1))):
        with pytest.raises(mx.MXNetError, match=r"use hvd\.init\(\)"):
            call()


@pytest.mark.usefixtures("alone")
def test_wrong_arguments_raise():
    weight = mx.nd.ones(3)
    optimizer = hvd.DistributedOptimizer(mx.optimizer.create("sgd"))
    parameters = make_net(0, 3).collect_params()
    for call, message in (
        (lambda: hvd.allreduce([1.0]), "takes dense arrays"),
        (lambda: hvd.allreduce(weight.astype("bool")), "takes arrays of numbers, got bool"),
        (lambda: hvd.broadcast_parameters({"a": 1.0}), "takes dense arrays"),
        (lambda: hvd.broadcast(weight, root_rank=1), "root_rank is below"),
        (lambda: hvd.alltoall(weight, splits=[2]), "splits takes 1 numbers that add up to 3"),
        (lambda: hvd.init(comm=[0]), "comm and process_sets take None"),
        (lambda: hvd.broadcast_parameters([weight]), "takes a dictionary"),
        (lambda: hvd.DistributedOptimizer("sgd"), "takes an Optimizer"),
        (lambda: hvd.DistributedOptimizer(optimizer), "that is not one"),
        (lambda: hvd.DistributedTrainer(parameters, optimizer), "not a DistributedOptimizer"),
        (
            lambda: hvd.DistributedTrainer(parameters, "sgd", compression="int8"),
            "compression takes Compression.none or",
        ),
    ):
        with pytest.raises(mx.MXNetError, match=message):
            call()


def test_install_makes_it_importable(monkeypatch):
    for name in ("horovod", "horovod.mxnet"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    try:
        assert hvd.install()
        assert importlib.import_module("horovod.mxnet") is hvd
        assert hvd.install()
    finally:
        for name in ("horovod", "horovod.mxnet"):
            sys.modules.pop(name, None)


def test_install_leaves_horovod_alone(monkeypatch):
    monkeypatch.delitem(sys.modules, "horovod.mxnet", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    assert not hvd.install()
    assert "horovod.mxnet" not in sys.modules


def test_unchanged_program_is_run(tmp_path):
    program = tmp_path / "train.py"
    program.write_text(
        "import horovod.mxnet as hvd\nimport mxnet as mx\nimport sys\nhvd.init()\n"
        "print(sys.argv[1:], hvd.size(), hvd.allreduce(mx.nd.ones(1)).asscalar(), __name__)\n"
    )
    variables = _ranks.rank_variables(0, 1, _ranks.free_port())
    ended = subprocess.run(
        [sys.executable, "-m", "mxnet.contrib.horovod", program, "--lr", "1"],
        **{"env": variables, "capture_output": True, "text": True, "timeout": 120, "check": False},
    )
    assert ended.stdout == "['--lr', '1'] 1 1.0 __main__\n", ended.stderr
