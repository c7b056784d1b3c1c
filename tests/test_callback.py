"""Callbacks log the lines that programs of the original parse."""

from __future__ import annotations

import logging
import re
from types import SimpleNamespace

import numpy as np
import pytest

import mxnet as mx
from mxnet import callback
from mxnet.metric import EvalMetric


class Counting(EvalMetric):
    def update(self, *_):
        self.sum_metric += 1
        self.num_inst += 2


@pytest.fixture
def metric():
    made = Counting("share")
    made.update(None, None)
    return made


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.INFO)
    return caplog


@pytest.fixture
def clock(monkeypatch):
    """A clock that shows two seconds more at each look."""
    ticks = iter(range(0, 1000, 2))
    monkeypatch.setattr(callback.time, "time", lambda: float(next(ticks)))


def batch(nbatch, metric=None, epoch=1):
    return SimpleNamespace(epoch=epoch, nbatch=nbatch, eval_metric=metric)


@pytest.mark.usefixtures("clock")
def test_speedometer_logs_speed_and_metric(log, metric):
    speed = callback.Speedometer(batch_size=8, frequent=5)
    for number in range(11):
        speed(batch(number, metric))
    assert log.messages == [
        "Epoch[1] Batch [0-5]\tSpeed: 20.00 samples/sec\tshare=0.500000",
        "Epoch[1] Batch [5-10]\tSpeed: 20.00 samples/sec\tshare=nan",
    ]


@pytest.mark.usefixtures("clock")
def test_speedometer_leaves_values_that_are_no_numbers_to_logging(monkeypatch):
    lines = []
    monkeypatch.setattr(callback.logging, "info", lambda *args: lines.append(args))
    pair = SimpleNamespace(get_name_value=lambda: [(("a", "b"), (1.0, 2.0))])
    speed = callback.Speedometer(8, 5, auto_reset=False)
    speed(batch(0))
    speed(batch(5, pair))
    assert lines[0][-2:] == (("a", "b"), (1.0, 2.0))


@pytest.mark.usefixtures("clock")
def test_speedometer_may_keep_the_metric(log, metric):
    speed = callback.Speedometer(8, 5, auto_reset=False)
    for number in (0, 5, 10):
        speed(batch(number, metric))
    assert log.messages == [
        "Epoch[1] Batch [0-5]\tSpeed: 20.00 samples/sec\tshare=0.500000",
        "Epoch[1] Batch [0-10]\tSpeed: 20.00 samples/sec\tshare=0.500000",
    ]


@pytest.mark.usefixtures("clock")
def test_speedometer_starts_anew_in_every_epoch(log):
    speed = callback.Speedometer(8, 5)
    for epoch in (0, 1):
        for number in (0, 4, 5):
            speed(batch(number, None, epoch))
    assert log.messages == [
        "Iter[0] Batch [5]\tSpeed: 20.00 samples/sec",
        "Iter[1] Batch [5]\tSpeed: 20.00 samples/sec",
    ]


def test_speedometer_survives_a_clock_that_stands(log, monkeypatch):
    monkeypatch.setattr(callback.time, "time", lambda: 3.0)
    speed = callback.Speedometer(8, 1)
    speed(batch(0))
    speed(batch(1))
    assert log.messages == ["Iter[1] Batch [1]\tSpeed: inf samples/sec"]


def test_progress_bar(log):
    bar = callback.ProgressBar(total=3, length=10)
    for number in (1, 3):
        bar(batch(number))
    assert log.messages == ["[===-------] 34%\r", "[==========] 100%\r"]


def test_training_metric_every_few_batches(log, metric):
    log_metric = callback.log_train_metric(2, auto_reset=True)
    for number in (1, 2, 3, 4):
        log_metric(batch(number, metric))
        log_metric(batch(number, None))
    assert log.messages == [
        "Iter[1] Batch[2] Train-share=0.500000",
        "Iter[1] Batch[4] Train-share=nan",
    ]


def test_validation_metric(log, metric):
    callback.LogValidationMetricsCallback()(batch(7, metric, epoch=3))
    callback.LogValidationMetricsCallback()(batch(7, None, epoch=3))
    assert log.messages == ["Epoch[3] Validation-share=0.500000"]


def test_module_checkpoint_saves_every_few_epochs():
    saved = []
    module = SimpleNamespace(save_checkpoint=lambda *args: saved.append(args))
    save = callback.module_checkpoint(module, "net", period=2, save_optimizer_states=True)
    for epoch in range(4):
        save(epoch, None, None, None)
    assert saved == [("net", 2, True), ("net", 4, True)]


def test_a_module_is_saved_and_watched_while_it_learns(log, tmp_path):
    data = mx.io.NDArrayIter(np.ones((40, 3)), np.zeros(40), 4)
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    module = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
    module.fit(
        data,
        eval_data=data,
        num_epoch=2,
        batch_end_callback=[
            callback.log_train_metric(5),
            callback.Speedometer(4, frequent=5),
            callback.ProgressBar(10, length=10),
        ],
        epoch_end_callback=callback.module_checkpoint(module, str(tmp_path / "net"), 1, True),
        eval_end_callback=callback.LogValidationMetricsCallback(),
    )
    lines = [re.sub(r"\d+\.\d+", "N", message) for message in log.messages]
    assert "Epoch[1] Batch [0-5]\tSpeed: N samples/sec\taccuracy=N" in lines
    assert "Iter[0] Batch[5] Train-accuracy=N" in lines
    assert "[=====-----] 50%\r" in lines
    assert lines.count("Epoch[1] Validation-accuracy=N") == 2
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".params", ".states"}
