"""`gluon.contrib.plot`: curves of a training."""

from __future__ import annotations

import math
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon.contrib.estimator import Estimator
from mxnet.gluon.contrib.plot import LivePlot, PlotHandler, _live_plot
from mxnet.gluon.contrib.plot import _live_plot as _drawing
from mxnet.gluon.contrib.plot._live_plot import Curve, group_by_panel

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def shown(monkeypatch):
    """Makes the test a notebook, and returns the pictures that it shows."""
    pictures = []

    def display(plot, display_id):
        assert display_id
        pictures.append(["new", plot._repr_html_()])
        return SimpleNamespace(
            update=lambda plot: pictures.append(["replaced", plot._repr_html_()])
        )

    monkeypatch.setattr(_live_plot, "notebook_display", lambda: display)
    return pictures


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until its time is set."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(_live_plot.time, "monotonic", lambda: clock.now)
    return clock


@pytest.fixture
def without_matplotlib(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)


def test_lines_are_printed_where_there_is_no_notebook(capsys):
    plot = LivePlot(interval=0)
    plot.update(loss=0.5)
    plot.update(loss=0.25, accuracy=0.9)
    plot.update(step=10, loss=1e-7)
    assert capsys.readouterr().out.splitlines() == [
        "step 1: loss 0.5",
        "step 2: loss 0.25, accuracy 0.9",
        "step 10: loss 1e-07, accuracy 0.9",
    ]
    assert plot.steps("loss") == [1, 2, 10]
    assert plot.names() == ["loss", "accuracy"]


def test_lines_come_not_more_often_than_the_interval(capsys, clock):
    with LivePlot(interval=5, xlabel="batch") as plot:
        for clock.now in (100, 101, 104, 106, 107):
            plot.update(loss=clock.now)
    assert capsys.readouterr().out.splitlines() == [
        "batch 1: loss 100",
        "batch 4: loss 106",
        "batch 5: loss 107",
    ]


def test_nothing_is_drawn_twice(capsys):
    with LivePlot(interval=0) as plot:
        plot.update(loss=1)
        plot.update()
    plot.close()
    assert capsys.readouterr().out.count("\n") == 1


def test_a_file_is_written_instead_of_lines(tmp_path, capsys):
    path = tmp_path / "curve.png"
    with LivePlot("title", path=path, smoothing=0.5) as plot:
        plot.update(loss=1)
        first = path.read_bytes()
        plot.update(loss=2)
    assert first.startswith(PNG)
    assert path.read_bytes() != first
    assert capsys.readouterr().out == ""


def test_a_notebook_shows_one_picture_that_is_replaced(shown, capsys):
    plot = LivePlot(interval=0)
    plot.update(loss=1)
    plot.update(loss=2)
    assert [how for how, _ in shown] == ["new", "replaced"]
    assert shown[0][1] != shown[1][1]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "value",
    [
        2,
        np.float32(2),
        nd.array([1, 3]),
        nd.array([1, 3], dtype="int32"),
        nd.array([1, 3]).astype("bfloat16"),
        mx.np.array(2.0),
        torch.tensor([1.0, 3.0]),
    ],
    ids=repr,
)
def test_values_of_many_types(value, capsys):
    plot = LivePlot()
    plot.update(loss=value)
    assert plot.values("loss") == [2]
    assert capsys.readouterr().out == "step 1: loss 2\n"


def test_the_loss_of_a_recorded_batch_can_still_go_backward(capsys):
    x = nd.ones(2)
    x.attach_grad()
    with mx.autograd.record():
        loss = x * 2
        LivePlot().update(loss=loss)
    loss.backward()
    assert x.grad.asnumpy().tolist() == [2, 2]
    assert capsys.readouterr().out == "step 1: loss 2\n"


def test_a_metric_has_its_value(capsys):
    metric = mx.metric.Accuracy()
    plot = LivePlot(interval=0)
    plot.update(accuracy=metric)
    metric.update(nd.array([1, 1]), nd.array([[0, 1], [1, 0]]))
    plot.update(accuracy=metric)
    assert capsys.readouterr().out.splitlines() == ["step 1: accuracy nan", "step 2: accuracy 0.5"]


def test_what_is_no_number_is_refused_and_leaves_the_curves_alone():
    plot = LivePlot()
    with pytest.raises(TypeError, match="expected a number, an array or a metric for 'name', got"):
        plot.update(loss=1, name="resnet")
    assert plot.names() == []
    with pytest.raises(ValueError, match="expected a curve of none yet, got 'loss'"):
        plot.values("loss")


def test_arguments_are_checked():
    with pytest.raises(ValueError, match="smoothing from 0 to below 1, got 1"):
        LivePlot(smoothing=1)
    with pytest.raises(ValueError, match="interval of at least 0, got -1"):
        LivePlot(interval=-1)
    with pytest.raises(ValueError, match="batches above 0 or None, got 0"):
        PlotHandler(batches=0)


def test_smoothed_values_start_at_the_first_and_leave_out_nan(capsys):
    def smooth(values, smoothing):
        return Curve(values, values, [*range(1, len(values) + 1)]).smooth(smoothing)

    assert smooth([4, 4, 4], 0.9) == pytest.approx([4, 4, 4])
    assert smooth([1, 3], 0.5) == pytest.approx([1, 7 / 3])
    assert smooth([1, math.nan, math.inf, 1], 0.5) == pytest.approx([1, 1, 1, 1])
    assert math.isnan(smooth([math.nan], 0.5)[0])
    plot = LivePlot(smoothing=0.5, interval=0)
    plot.update(loss=1)
    plot.update(loss=3)
    assert plot.values("loss", smoothed=True) == pytest.approx([1, 7 / 3])
    assert capsys.readouterr().out.endswith("step 2: loss 3 (smoothed 2.333)\n")


def test_a_curve_with_few_points_is_smoothed_less():
    plot = LivePlot(smoothing=0.5, interval=0, path="unused.png")
    plot.draw = lambda: None
    for value in range(21):
        plot.update(loss=value)
        if value % 10 == 0:
            plot.update(val_loss=value)
    assert plot.values("loss", smoothed=True)[-1] == pytest.approx(19, abs=0.01)
    assert plot.values("val_loss", smoothed=True) == pytest.approx([0, 10, 20], abs=0.01)


def test_training_and_validation_share_a_panel():
    names = ["train_loss", "training accuracy", "val_loss", "validation accuracy", "lr", "train"]
    assert group_by_panel(names) == {
        "loss": ["train_loss", "val_loss"],
        "accuracy": ["training accuracy", "validation accuracy"],
        "lr": ["lr"],
        "train": ["train"],
    }


@pytest.mark.parametrize("suffix", ["svg", "html"])
def test_save_chooses_the_format_by_the_ending(suffix: str, tmp_path, capsys):
    plot = LivePlot("a <b>", smoothing=0.9)
    plot.update(train_loss=1, val_loss=math.nan, lr=math.inf, accuracy=2)
    path = tmp_path / f"curve.{suffix}"
    plot.save(path)
    begins = {"svg": b"<?xml", "html": b"<!doctype html>"}
    assert path.read_bytes().startswith(begins[suffix])
    with pytest.raises(ValueError, match=r"expected a picture format of .*png.*, got 'docx'"):
        plot.save("curve.docx")
    assert capsys.readouterr().out.startswith("step 1: train_loss 1 (smoothed 1), val_loss nan")


def test_html_is_a_picture_with_a_text(capsys):
    plot = LivePlot()
    assert plot._repr_html_() == "<div>LivePlot without points</div>"
    plot.update(**{'<b>"': 1})
    html = plot._repr_html_()
    assert re.fullmatch(r'<img src="data:image/png;base64,[^"]+" alt="[^"]+" width="\d+">', html)
    assert "step 1: &lt;b&gt;&quot; 1" in html
    assert capsys.readouterr().out == 'step 1: <b>" 1\n'


def test_long_curves_are_thinned():
    points = []
    axes = SimpleNamespace(plot=lambda steps, _, **__: points.append(len(steps)))
    _drawing._draw_curve(axes, "loss", Curve([*range(10**5)], [1.0] * 10**5), 0)
    assert points == [2000]


@pytest.mark.usefixtures("without_matplotlib")
def test_without_matplotlib_lines_work_and_pictures_say_what_to_install(capsys, tmp_path):
    plot = LivePlot()
    plot.update(loss=1)
    assert capsys.readouterr().out == "step 1: loss 1\n"
    with pytest.raises(ImportError, match=r"pip install glueball\[plot\]"):
        plot.save(tmp_path / "curve.png")
    with pytest.raises(ImportError, match=r"pip install glueball\[plot\]"):
        LivePlot(path=tmp_path / "curve.png")


def fit(handler: PlotHandler, *, validate: bool, epochs: int = 2) -> None:
    net = gluon.nn.Dense(2)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    estimator = Estimator(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer=trainer)
    estimator.logger.disabled = True
    samples = gluon.data.ArrayDataset(nd.ones((6, 3)), nd.zeros(6))
    loader = gluon.data.DataLoader(samples, batch_size=2)
    estimator.fit(loader, loader if validate else None, epochs=epochs, event_handlers=[handler])


def test_a_handler_draws_metrics_after_each_epoch(capsys):
    handler = PlotHandler()
    fit(handler, validate=True)
    assert set(handler.plot.names()) == {
        f"{phase} {name}"
        for phase in ("training", "validation")
        for name in ("accuracy", "softmaxcrossentropyloss")
    }
    assert handler.plot.steps("validation accuracy") == [1, 2]
    assert capsys.readouterr().out.splitlines()[-1].startswith("epoch 2: training accuracy ")


def test_a_handler_draws_metrics_after_batches(capsys):
    handler = PlotHandler(LivePlot(interval=1000), batches=2)
    fit(handler, validate=True)
    assert handler.plot.steps("training accuracy") == [2, 4, 6]
    assert handler.plot.steps("validation accuracy") == [3, 6]
    assert len(capsys.readouterr().out.splitlines()) == 2  # the first, and the rest at the end


def test_metrics_that_nobody_updates_have_no_curve(capsys):
    handler = PlotHandler()
    fit(handler, validate=False, epochs=1)
    assert handler.plot.names() == ["training accuracy", "training softmaxcrossentropyloss"]
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.slow  # starts a kernel
def test_a_real_notebook_has_one_output_with_the_last_picture():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    program = (
        "from mxnet.gluon.contrib.plot import LivePlot\n"
        "with LivePlot(interval=0) as plot:\n"
        "    for loss in (3, 2, 1):\n"
        "        plot.update(loss=loss)\n"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(program)])
    nbclient.NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    (output,) = notebook.cells[0].outputs
    assert 'alt="step 3: loss 1"' in output["data"]["text/html"]
