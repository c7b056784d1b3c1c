"""Whole steps with row_sparse gradients: as the loop, with as many rows in every capture."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import gluon, nd
from mxnet.contrib.amp.loss_scaler import LossScaler
from mxnet.gluon import nn
from mxnet.gluon.train_step import UncapturedStepWarning
from mxnet.ndarray import _sparse_kernels as kernels
from mxnet.ops.math import indexing
from tests.gluon.training.test_loss_scale import loop_step, make_step, numbers_of
from tests.gluon.training.test_train_step import Run, train

ROWS = 9


@pytest.fixture(autouse=True)
def _indices_unread(monkeypatch):
    """Leaves out the test of indices, which reads them on the CPU alone."""
    monkeypatch.setattr(indexing, "check_positions", lambda *_: None)


class Twice(nn.HybridBlock):
    """Looks rows up in one table for both columns of its data."""

    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.table = nn.Embedding(ROWS, 4, sparse_grad=True)
            self.out = nn.Dense(3, in_units=4)

    def hybrid_forward(self, F, x):
        first, second = F.split(x, num_outputs=2, axis=1, squeeze_axis=True)
        return self.out(self.table(first) + self.table(second) * 2)


def make(hybridize=True, **options):
    mx.random.seed(2)
    net = Twice()
    net.initialize(mx.init.Xavier())
    if hybridize:
        net.hybridize(**options)
    return net


def batches(count, size=5, seed=0):
    numbers = np.random.RandomState(seed)
    return [
        (nd.array(numbers.randint(0, ROWS, (size, 2))), nd.array(numbers.randint(0, 3, size)))
        for _ in range(count)
    ]


def runs_of(hybridize=True, **options):
    return [Run(captured, make(hybridize), **options) for captured in (False, True)]


LAZY = ["sgd", "adam", "adagrad"]
DENSE = ["nag", "rmsprop", "ftrl", "signum"]


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("optimizer", [*LAZY, *DENSE])
def test_a_captured_step_is_that_of_the_loop(optimizer, hybridize):
    options = {"learning_rate": 0.05}
    if optimizer in ("sgd", "nag"):
        options["momentum"] = 0.9
    runs = runs_of(hybridize, optimizer=optimizer, options=options)
    train(runs, batches(8), 1e-5)
    assert len(runs[1].engine.captures) == 1
    assert runs[1].engine.num_replays == 5


def test_gradients_have_each_row_once():
    runs = runs_of()
    for data, label in batches(7):
        for run in runs:
            run(data, label)
        expected, found = (run.net.table.weight.grad() for run in runs)
        assert found.stype == "row_sparse"
        np.testing.assert_array_equal(found.indices.asnumpy(), expected.indices.asnumpy())
        np.testing.assert_allclose(
            found.data.asnumpy(), expected.data.asnumpy(), rtol=1e-5, atol=1e-7
        )
        np.testing.assert_array_equal(np.unique(data.asnumpy()), found.indices.asnumpy())
        found.check_format()
    assert runs[1].engine.num_replays == 4


def test_rows_that_a_batch_does_not_use_stay():
    run = Run(True, make(), optimizer="sgd", options={"learning_rate": 0.1, "momentum": 0.9})
    for data, label in batches(5):
        run(data, label)
    before = run.net.table.weight.data().asnumpy()
    data, label = nd.array([[1, 1], [1, 4], [4, 1], [1, 1], [4, 4]]), nd.zeros(5)
    run(data, label)
    changed = (run.net.table.weight.data().asnumpy() != before).any(axis=1)
    assert changed.nonzero()[0].tolist() == [1, 4]
    assert run.engine.num_replays == 3


@pytest.mark.parametrize("clip", [0.01, 100.0])
def test_the_norm_counts_each_row_once(clip):
    nets = [make(), make()]
    found = []
    for net, captured in zip(nets, (False, True), strict=True):
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
        loss = gluon.loss.SoftmaxCrossEntropyLoss()
        step = gluon.TrainStep(net, loss, trainer, clip_global_norm=clip)
        if captured:
            step._engine = Run(False, make()).engine
            step.reset()
        for data, label in batches(6):
            step(data, label)
        found.append(net.table.weight.data().asnumpy())
    np.testing.assert_allclose(*found, rtol=1e-5, atol=1e-6)


def test_learning_rates_that_change():
    runs = runs_of(optimizer="adam")
    data = batches(12)
    train(runs, data[:6], 1e-5)
    for run in runs:
        run.trainer.set_learning_rate(0.2)
    train(runs, data[6:], 1e-5)


def test_added_rows_stay_in_the_loop():
    runs = runs_of()
    for run in runs:
        run.net.table.weight.grad_req = "add"
    with pytest.warns(UncapturedStepWarning, match="rows are added"):
        train(runs, batches(6), 1e-6)
    assert not runs[1].engine.captures


class Tied(nn.HybridBlock):
    """Multiplies by the table as well, whose gradient is dense then."""

    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.table = self.params.get(
                "table", shape=(3, 4), grad_stype="row_sparse", init=mx.init.Xavier()
            )

    def hybrid_forward(self, F, x, table):
        x = F.slice_axis(x, axis=1, begin=0, end=1).reshape(-1)
        rows = F.Embedding(x % 3, table, input_dim=3, output_dim=4, sparse_grad=True)
        return F.dot(rows, table, transpose_b=True)


def test_gradients_that_are_dense_stay_in_the_loop():
    runs = []
    for captured in (False, True):
        mx.random.seed(3)
        net = Tied()
        net.initialize()
        runs.append(Run(captured, net))
    with pytest.warns(UncapturedStepWarning, match="computed dense"):
        train(runs, batches(6), 1e-6)
    assert runs[1].net.table.grad().stype == "row_sparse"


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "nag"])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_overflows_undo_updates_of_rows(optimizer, dtype, monkeypatch):
    # As on a GPU: a CPU gives the gradient of such a table dense.
    monkeypatch.setattr(indexing, "_can_add_rows", lambda _: True)
    options = {"learning_rate": 0.05, "multi_precision": dtype == "float16"}
    if optimizer != "adam":
        options["momentum"] = 0.9
    numbers, sides = np.random.RandomState(0), []
    for _ in range(2):
        mx.random.seed(4)
        net = nn.HybridSequential()
        net.add(nn.Embedding(ROWS, 4, sparse_grad=True), nn.Dense(3, in_units=8))
        net.initialize(mx.init.Xavier())
        net.cast(dtype)
        net.hybridize()
        trainer = gluon.Trainer(net.collect_params(), optimizer, options)
        trainer._amp_loss_scaler = scaler = LossScaler()
        trainer._amp_original_scale = trainer._scale
        scaler._scale_seq_len, scaler._loss_scale, scaler._next_loss_scale = 4, 64.0, 64.0
        sides.append((net, trainer))
    step = make_step(*sides[1])
    for overflow in [0, 1, 0, 0, 1, 1, 0, 0]:
        data = nd.array(numbers.randint(0, ROWS, (5, 2)))
        label = numbers.rand(5, 3)
        label[2] = np.inf if overflow else 1
        label = nd.array(label, dtype=dtype)
        loop_step(*sides[0], data, label)
        step(data, label)
        for one, other in zip(*(net.collect_params().values() for net, _ in sides), strict=True):
            np.testing.assert_allclose(
                one.data().asnumpy(), other.data().asnumpy(), rtol=2e-3, atol=1e-5
            )
    step.reset()
    assert numbers_of(sides[0][1]) == numbers_of(sides[1][1])
    assert step._engine.num_replays == 5


@pytest.mark.parametrize("places", [[4, 1, 4, 4, 0], [2], [3, 3, 3], []])
def test_padded_rows_are_those_of_the_gradient(places):
    values = torch.arange(len(places) * 2, dtype=torch.float32).view(-1, 2)
    gradient = torch.sparse_coo_tensor([places], values, (6, 2), check_invariants=True)
    padded = kernels.pad_rows(gradient)
    assert len(padded[0]) == len(padded[1]) == len(places)
    torch.testing.assert_close(kernels.sum_of_rows(padded, (6, 2)), gradient.to_dense())
    for one, other in zip(
        kernels.drop_padding(padded), kernels.rows_of_gradient(gradient), strict=True
    ):
        torch.testing.assert_close(one, other)
