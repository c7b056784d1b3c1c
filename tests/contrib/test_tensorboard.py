"""Metrics as curves of TensorBoard."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

import mxnet as mx
from mxnet.contrib.tensorboard import LogMetricsCallback
from mxnet.errors import MissingLibraryError


def parameters(epoch: int, metric: object) -> SimpleNamespace:
    return SimpleNamespace(epoch=epoch, nbatch=1, eval_metric=metric, locals=None)


def accuracy(hits: int) -> mx.metric.EvalMetric:
    metric = mx.metric.Accuracy()
    labels = mx.nd.array([1] * hits + [0] * (4 - hits))
    metric.update([labels], [mx.nd.array([[0, 1]] * 4)])
    return metric


def test_torch_writes_curves_that_tensorboard_reads(tmp_path, monkeypatch):
    pytest.importorskip("tensorboard", reason="needs the extra `tensorboard`")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    monkeypatch.setitem(sys.modules, "mxboard", None)  # not installed
    log = LogMetricsCallback(tmp_path / "logs", prefix="train")
    for epoch, hits in enumerate([1, 2, 4]):
        log(parameters(epoch, accuracy(hits)))
    log(parameters(3, None))
    log.summary_writer.close()
    events = EventAccumulator(str(tmp_path / "logs")).Reload()
    points = events.Scalars("train-accuracy")
    assert [(point.step, point.value) for point in points] == [(0, 0.25), (1, 0.5), (2, 1.0)]


def test_mxboard_comes_first_and_metrics_may_have_several_values(monkeypatch):
    written = []

    class Writer:
        def __init__(self, folder):
            self.folder = folder

        def add_scalar(self, *args, **kwargs):
            written.append((args, kwargs))

        def flush(self):
            written.append("flushed")

    mxboard = ModuleType("mxboard")
    mxboard.SummaryWriter = Writer
    monkeypatch.setitem(sys.modules, "mxboard", mxboard)
    log = LogMetricsCallback("folder")
    assert log.summary_writer.folder == "folder"
    metric = mx.metric.CompositeEvalMetric([mx.metric.Loss(), mx.metric.Loss("other")])
    metric.update(None, [mx.nd.array([2.0])])
    log(parameters(7, metric))
    assert written == [
        (("loss", 2.0), {"global_step": 7}),
        (("other", 2.0), {"global_step": 7}),
        "flushed",
    ]


def test_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mxboard", None)
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(MissingLibraryError, match=r"pip install glueball\[tensorboard\]"):
        LogMetricsCallback("folder")


def test_a_module_logs_while_it_is_fitted(tmp_path, monkeypatch):
    pytest.importorskip("tensorboard", reason="needs the extra `tensorboard`")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    monkeypatch.setitem(sys.modules, "mxboard", None)
    data = mx.io.NDArrayIter(mx.nd.random.normal(shape=(8, 3)), mx.nd.array([0, 1] * 4), 4)
    network = mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2), name="softmax"
    )
    log = LogMetricsCallback(tmp_path)
    mx.mod.Module(network).fit(data, eval_data=data, num_epoch=2, eval_end_callback=log)
    log.summary_writer.close()
    points = EventAccumulator(str(tmp_path)).Reload().Scalars("accuracy")
    assert [point.step for point in points] == [0, 1]
