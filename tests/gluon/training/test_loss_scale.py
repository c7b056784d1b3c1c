"""Whole steps with the loss scale of mixed precision, captured on the CPU with a stand-in."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.contrib import amp
from mxnet.contrib.amp.loss_scaler import LossScaler
from mxnet.gluon import nn
from mxnet.gluon.train_step import UncapturedStepWarning
from tests.gluon.training.fake_capture import FakeEngine
from tests.mixed_precision import turn_off

LOSS = gluon.loss.L2Loss()


def set_up(optimizer="sgd", options=None, dtype="float32", window=4):
    """Returns a network, and a trainer that scales losses."""
    mx.random.seed(1)
    net = nn.Dense(3, in_units=5)
    net.initialize(mx.init.Xavier())
    net.cast(dtype)
    options = {"learning_rate": 0.05, "momentum": 0.9} if options is None else options
    trainer = gluon.Trainer(net.collect_params(), optimizer, options)
    trainer._amp_loss_scaler = scaler = LossScaler()
    trainer._amp_original_scale = trainer._scale
    scaler._scale_seq_len = window
    return net, trainer


def make_step(net, trainer, **options):
    step = gluon.TrainStep(net, LOSS, trainer, **options)
    step._engine = FakeEngine()
    step.reset()
    return step


def loop_step(net, trainer, data, label):
    """Does what a program with `amp.scale_loss` does."""
    scale = trainer._amp_loss_scaler.loss_scale
    trainer._scale = trainer._amp_original_scale / scale
    with autograd.record():
        loss = LOSS(net(data), label)
        scaled = loss * scale
    scaled.backward()
    trainer.step(len(data))
    return loss


def batches(overflows, dtype="float32"):
    """Yields one batch for each number; those that are true have gradients that overflow."""
    numbers = np.random.RandomState(0)
    for overflow in overflows:
        data, label = numbers.rand(4, 5), numbers.rand(4, 3)
        if overflow:
            label[1, 2] = np.inf
        yield nd.array(data, dtype=dtype), nd.array(label, dtype=dtype)


def numbers_of(trainer):
    scaler, optimizer = trainer._amp_loss_scaler, trainer.optimizer
    return (
        scaler._loss_scale,
        scaler._next_loss_scale,
        scaler._unskipped,
        optimizer.num_update,
        [getattr(optimizer, name) for name in getattr(optimizer, "_history", ())],
        dict(optimizer._index_update_count),
    )


def same(first, second, tolerance):
    for one, other in zip(
        first.collect_params().values(), second.collect_params().values(), strict=True
    ):
        for read in ("data", "grad"):
            np.testing.assert_allclose(
                getattr(one, read)().asnumpy(),
                getattr(other, read)().asnumpy(),
                rtol=tolerance,
                atol=tolerance,
            )


OVERFLOWS = [0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("optimizer", "options", "tolerance"),
    [
        ("sgd", {"learning_rate": 0.05, "momentum": 0.9}, 0.0),
        ("sgd", {"learning_rate": 0.05, "wd": 0.01}, 1e-6),
        ("adam", {"learning_rate": 0.05}, 1e-5),
        ("nadam", {"learning_rate": 0.05}, 1e-5),
        ("lars", {"learning_rate": 0.5, "momentum": 0.9}, 1e-5),
    ],
)
def test_overflows_are_skipped_and_move_the_scale(optimizer, options, tolerance):
    loop, whole = (set_up(optimizer, options) for _ in range(2))
    step = make_step(*whole)
    for data, label in batches(OVERFLOWS):
        losses = [loop_step(*loop, data, label), step(data, label)]
        np.testing.assert_allclose(*(item.asnumpy() for item in losses), rtol=tolerance)
        same(loop[0], whole[0], tolerance)
    step.reset()
    assert numbers_of(whole[1]) == numbers_of(loop[1])
    assert step._engine.num_replays == len(OVERFLOWS) - 3


def test_a_schedule_does_not_count_skipped_steps():
    runs = []
    for _ in range(2):
        schedule = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.1)
        runs.append(set_up("sgd", {"learning_rate": 0.1, "lr_scheduler": schedule}))
    step = make_step(*runs[1])
    for data, label in batches(OVERFLOWS):
        loop_step(*runs[0], data, label)
        step(data, label)
        same(runs[0][0], runs[1][0], 1e-6)


def test_a_busy_device_is_not_waited_for():
    loop, whole = set_up(), set_up()
    step = make_step(*whole)
    step._engine.is_idle = False
    for data, label in batches(OVERFLOWS):
        loop_step(*loop, data, label)
        step(data, label)
    assert whole[1]._amp_loss_scaler._loss_scale != loop[1]._amp_loss_scaler._loss_scale
    same(loop[0], whole[0], 0.0)
    step.reset()
    assert numbers_of(whole[1]) == numbers_of(loop[1])


def test_half_precision_is_unscaled_in_single():
    options = {"learning_rate": 0.05, "momentum": 0.9, "multi_precision": True}
    loop, whole = (set_up(options=options, dtype="float16") for _ in range(2))
    step = make_step(*whole)
    for _, trainer in (loop, whole):
        trainer._amp_loss_scaler._loss_scale = trainer._amp_loss_scaler._next_loss_scale = 512.0
    for data, label in batches(OVERFLOWS, "float16"):
        loop_step(*loop, data, label)
        step(data, label)
        same(loop[0], whole[0], 0.0)
    assert step._engine.num_replays == len(OVERFLOWS) - 3


def test_updates_after_the_capture_are_skipped_by_the_host():
    loop, whole = (set_up("lbsgd", {"learning_rate": 0.05}) for _ in range(2))
    step = make_step(*whole)
    with pytest.warns(UncapturedStepWarning, match="LBSGD"):
        for data, label in batches(OVERFLOWS):
            loop_step(*loop, data, label)
            step(data, label)
            same(loop[0], whole[0], 0.0)
    assert numbers_of(whole[1]) == numbers_of(loop[1])
    assert step._engine.num_replays == len(OVERFLOWS) - 3


def test_the_limit_of_the_norm_is_that_of_unscaled_gradients():
    loop, whole = set_up(), set_up()
    step = make_step(*whole, clip_global_norm=0.5)
    net, trainer = loop
    for data, label in batches([0] * 7):
        scale = trainer._amp_loss_scaler.loss_scale
        trainer._scale = trainer._amp_original_scale / scale
        with autograd.record():
            scaled = LOSS(net(data), label) * scale
        scaled.backward()
        gradients = [item.grad() for item in net.collect_params().values()]
        gluon.utils.clip_global_norm(gradients, 0.5 * scale)
        trainer.step(4)
        step(data, label)
        same(net, whole[0], 1e-6)
    assert step._engine.num_replays == 4


def test_kinds_of_batches_share_the_scale():
    loop, whole = set_up(), set_up()
    step = make_step(*whole)
    for number, (data, label) in enumerate(batches(OVERFLOWS)):
        part = slice(0, 2 if number % 3 == 2 else 4)
        loop_step(*loop, data[part], label[part])
        step(data[part], label[part])
        same(loop[0], whole[0], 0.0)
    assert len(step._engine.captures) == 2
    step.reset()
    assert numbers_of(whole[1]) == numbers_of(loop[1])


@pytest.fixture
def mixed_precision():
    amp.init("bfloat16")
    yield
    turn_off()


@pytest.mark.usefixtures("mixed_precision")
@pytest.mark.parametrize("hybridize", [False, True])
def test_mixed_precision_is_that_of_the_loop(hybridize):
    runs = []
    for _ in range(2):
        mx.random.seed(1)
        net = nn.HybridSequential()
        net.add(nn.Dense(8, activation="relu", in_units=5), nn.Dense(3, in_units=8))
        net.initialize(mx.init.Xavier())
        if hybridize:
            net.hybridize()
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.05})
        amp.init_trainer(trainer)
        trainer._amp_loss_scaler = LossScaler()
        runs.append((net, trainer))
    step = make_step(*runs[1])
    net, trainer = runs[0]
    for data, label in batches(OVERFLOWS):
        with autograd.record():
            loss = LOSS(net(data), label)
            with amp.scale_loss(loss, trainer) as scaled:
                autograd.backward(scaled)
        trainer.step(4)
        step(data, label)
        same(net, runs[1][0], 1e-6 if hybridize else 0.0)
    step.reset()
    assert numbers_of(trainer) == numbers_of(runs[1][1])
    assert step._engine.num_replays == len(OVERFLOWS) - 3
