"""Handlers and processors of the estimator that MXNet lacks."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import sys

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, nd
from mxnet.errors import ArgumentValueError, MissingLibraryError
from mxnet.gluon import nn
from mxnet.gluon.contrib import estimator as es
from tests.mixed_precision import turn_off


class Terminal(io.StringIO):
    def isatty(self):
        return True


class InterruptedTrainingError(Exception):
    pass


class Interrupt(es.BatchEnd):
    """Raises after a number of batches."""

    def __init__(self, batches):
        self.left = batches

    def batch_end(self, *_, **__):
        self.left -= 1
        if not self.left:
            raise InterruptedTrainingError


@pytest.fixture
def loader():
    data = np.random.RandomState(0).normal(size=(60, 5)).astype("float32")
    labels = (data.sum(axis=1) > 0).astype("float32")
    dataset = gluon.data.ArrayDataset(nd.array(data), nd.array(labels))
    return gluon.data.DataLoader(dataset, batch_size=8, shuffle=True)


def make_estimator(processor=None, dropout=0.5):
    mx.random.seed(3)
    np.random.seed(4)
    random.seed(5)
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu"), nn.Dropout(dropout), nn.Dense(2))
    net.initialize()
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    made = es.Estimator(net, loss, trainer=trainer, context=mx.cpu(), batch_processor=processor)
    made.logger.handlers.clear()
    return made


def weights(estimator):
    values = estimator.net.collect_params().values()
    return np.concatenate([item.data().asnumpy().ravel() for item in values])


def results(estimator):
    return [item.get() for item in [*estimator.train_metrics, *estimator.val_metrics]]


def fit(loader, *handlers, processor=None, epochs=4, dropout=0.5):
    estimator = make_estimator(processor, dropout)
    estimator.fit(loader, val_data=loader, epochs=epochs, event_handlers=list(handlers))
    return estimator


class TestResumeHandler:
    @pytest.mark.parametrize("every", [None, 3])
    @pytest.mark.parametrize("batches", [3, 8, 9, 17])
    def test_a_training_that_was_interrupted_ends_with_the_same_bits(
        self, loader, tmp_path, every, batches
    ):
        expected = fit(loader)
        with pytest.raises(InterruptedTrainingError):
            fit(loader, es.ResumeHandler(tmp_path, every=every), Interrupt(batches))
        resumed = fit(loader, es.ResumeHandler(tmp_path, every=every))
        np.testing.assert_array_equal(weights(resumed), weights(expected))
        assert results(resumed) == results(expected)

    def test_a_complete_training_is_not_trained_again_and_a_longer_one_goes_on(
        self, loader, tmp_path
    ):
        first = fit(loader, es.ResumeHandler(tmp_path), epochs=2)
        again = fit(loader, es.ResumeHandler(tmp_path), epochs=2)
        longer = fit(loader, es.ResumeHandler(tmp_path), epochs=4)
        np.testing.assert_array_equal(weights(again), weights(first))
        np.testing.assert_array_equal(weights(longer), weights(fit(loader, epochs=4)))

    def test_a_number_of_batches_that_ends_within_an_epoch(self, loader, tmp_path):
        for batches in (13, 29):
            parted = make_estimator()
            handler = es.ResumeHandler(tmp_path / "parted")
            parted.fit(loader, batches=batches, event_handlers=handler)
        whole = make_estimator()
        whole.fit(loader, batches=29)
        np.testing.assert_array_equal(weights(parted), weights(whole))

    def test_the_patience_of_an_early_end_goes_on(self, loader, tmp_path):
        def train(folder, *more):
            estimator = make_estimator()
            resume = es.ResumeHandler(folder)
            early = es.EarlyStoppingHandler(estimator.train_metrics[0], patience=2, mode="max")
            estimator.fit(loader, epochs=50, event_handlers=[resume, early, *more])
            return resume.checkpoint.epoch, weights(estimator)

        epochs, expected = train(tmp_path / "whole")
        assert epochs < 50
        with pytest.raises(InterruptedTrainingError):
            train(tmp_path / "parted", Interrupt(8 * (epochs - 1) + 2))
        again, resumed = train(tmp_path / "parted")
        assert again == epochs
        np.testing.assert_array_equal(resumed, expected)
        assert train(tmp_path / "parted")[0] == epochs, "it has ended"

    def test_two_handlers_that_resume_are_refused(self, loader, tmp_path):
        other = es.CheckpointHandler(tmp_path / "other", resume_from_checkpoint=True)
        with pytest.raises(ArgumentValueError, match="leave that argument out"):
            fit(loader, es.ResumeHandler(tmp_path), other)

    def test_numbers_are_checked(self, tmp_path):
        with pytest.raises(ArgumentValueError, match="1 or more"):
            es.ResumeHandler(tmp_path, every=0)


class TestRunFolder:
    def test_files_of_a_run(self, loader, tmp_path):
        pytest.importorskip("matplotlib")
        folder = tmp_path / "runs" / "first"
        estimator = fit(loader, es.RunFolder(folder, config={"units": 8}))
        config = json.loads((folder / "config.json").read_text())
        assert config["config"] == {"units": 8}
        assert (config["parameters"], config["optimizer"], config["epochs"]) == (66, "adam", 4)
        with (folder / "curves.csv").open() as file:
            rows = list(csv.DictReader(file))
        assert [row["epoch"] for row in rows] == ["1", "2", "3", "4"]
        last = {name: float(rows[-1][name]) for name, _ in results(estimator)}
        assert last == dict(results(estimator))
        best = json.loads((folder / "best.json").read_text())
        accuracies = [float(row["validation accuracy"]) for row in rows]
        assert best == {
            "epoch": accuracies.index(max(accuracies)) + 1,
            "metric": "validation accuracy",
            "value": max(accuracies),
        }
        estimator.net.load_parameters(os.fspath(folder / "best.params"))
        log = (folder / "log.txt").read_text().splitlines()
        assert "Train finished" in log[-1]
        assert (folder / "curves.png").read_bytes().startswith(b"\x89PNG")

    def test_smaller_losses_are_better(self, loader, tmp_path):
        estimator = make_estimator()
        run = es.RunFolder(tmp_path, monitor=estimator.val_metrics[1])
        estimator.fit(loader, val_data=loader, epochs=3, event_handlers=run)
        values = [row[estimator.val_metrics[1].name] for row in run.rows]
        assert run.best == min(values)

    def test_curves_and_log_go_on_after_an_interruption(self, loader, tmp_path):
        def handlers():
            return es.ResumeHandler(tmp_path / "state"), es.RunFolder(tmp_path / "run")

        with pytest.raises(InterruptedTrainingError):
            fit(loader, *handlers(), Interrupt(20))
        _, run = resumed = handlers()
        fit(loader, *resumed)
        assert [row["epoch"] for row in run.rows] == [1, 2, 3, 4]
        log = (tmp_path / "run" / "log.txt").read_text()
        assert log.count("Training begin") == 2

    def test_a_configuration_that_is_not_json_is_refused_at_once(self, tmp_path):
        with pytest.raises(ArgumentValueError, match="config is not JSON"):
            es.RunFolder(tmp_path, config={"ctx": mx.cpu()})


def test_tensorboard_gets_all_metrics(loader, tmp_path):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    estimator = fit(loader, es.TensorBoardHandler(tmp_path))
    events = accumulator.EventAccumulator(os.fspath(tmp_path))
    events.Reload()
    names = {"learning rate", *dict(results(estimator))}
    written = {item.replace("_", " ") for item in events.Tags()["scalars"]}
    assert {name.replace("_", " ") for name in names} == written
    for tag in events.Tags()["scalars"]:
        assert [item.step for item in events.Scalars(tag)] == [1, 2, 3, 4]


class TestProgressBarHandler:
    def test_no_bar_without_a_terminal(self, loader, capfd):
        fit(loader, es.ProgressBarHandler())
        assert capfd.readouterr().err == ""

    def test_a_bar_in_a_terminal(self, loader, monkeypatch):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        fit(loader, es.ProgressBarHandler(seconds=0), epochs=1)
        shown = terminal.getvalue()
        assert "epoch 1:" in shown
        assert "8/8" in shown
        assert "training accuracy" in shown

    def test_without_tqdm_the_message_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "tqdm", None)
        with pytest.raises(MissingLibraryError, match="pip install tqdm"):
            es.ProgressBarHandler()


class TestProcessors:
    def test_train_step_makes_the_same_updates_as_the_loop(self, loader):
        expected = fit(loader)
        stepped = fit(loader, processor=es.TrainStepProcessor())
        np.testing.assert_array_equal(weights(stepped), weights(expected))
        assert results(stepped) == results(expected)

    def test_options_of_the_step(self, loader):
        clipped = fit(loader, processor=es.TrainStepProcessor(clip_global_norm=1e-3), epochs=1)
        assert abs(weights(clipped) - weights(fit(loader, epochs=1))).max() > 0

    def test_mixed_precision_trains_close_to_the_loop(self, loader):
        try:
            processor = es.MixedPrecisionProcessor("bfloat16")
            mixed = fit(loader, processor=processor, epochs=1, dropout=0)
            assert mixed.trainer._amp_loss_scaler is not None
            assert mixed.net(nd.ones((1, 5))).dtype != np.float32
        finally:
            turn_off()
        plain = fit(loader, epochs=1, dropout=0)
        assert abs(weights(mixed) - weights(plain)).max() < 0.05
