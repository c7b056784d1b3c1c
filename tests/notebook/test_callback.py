"""`mx.notebook.callback`: tables need pandas, charts need Bokeh; stand-ins take their places."""

from __future__ import annotations

import sys
from datetime import timedelta
from types import ModuleType, SimpleNamespace

import pytest

import mxnet as mx
from mxnet.notebook import callback


def make_param(nbatch, *values):
    """Returns what `Module.fit` hands to a callback after these values of a metric."""
    metric = mx.metric.Loss(name="error")
    for value in values:
        metric.update(None, mx.nd.array([value]))
    return mx.model.BatchEndParam(epoch=0, nbatch=nbatch, eval_metric=metric, locals=None)


@pytest.fixture
def shown(monkeypatch):
    """Puts stand-ins for pandas and Bokeh in place; returns the handles of updated charts."""
    handles = []
    bokeh_io = SimpleNamespace(
        output_notebook=lambda: None, push_notebook=lambda handle: handles.append(handle)
    )

    def draw(x, y, **options):
        return SimpleNamespace(data_source=SimpleNamespace(data={"x": x, "y": y}), options=options)

    def make_figure(**options):
        return SimpleNamespace(
            line=draw, scatter=draw, legend=SimpleNamespace(), yaxis=SimpleNamespace(), **options
        )

    plotting = SimpleNamespace(figure=make_figure, show=lambda *_, **__: "handle")
    modules = {"bokeh.io": bokeh_io, "bokeh.plotting": plotting}
    modules["pandas"] = SimpleNamespace(DataFrame=dict)
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    return handles


class TestPandasLogger:
    def test_needs_pandas(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "pandas", None)
        with pytest.raises(mx.MXNetError, match="PandasLogger: needs pandas; install it by `pip"):
            callback.PandasLogger(10)

    def test_rows_of_batches(self):
        pytest.importorskip("pandas")
        logger = callback.PandasLogger(10, frequent=2)
        for nbatch in range(5):
            logger.train_cb(make_param(nbatch, 0.5 + nbatch))
        table = logger.train_df
        assert list(table.columns) == [
            *("records_per_sec", "batches_per_sec", "minibatch_count", "epoch", "elapsed"),
            "error",
        ]
        assert list(table["minibatch_count"]) == [0, 2, 4]
        assert list(table["error"]) == [0.5, 2.5, 4.5]
        assert list(table["batches_per_sec"]) == pytest.approx(list(table["records_per_sec"] * 10))
        assert [table[name].dtype.kind for name in table.columns] == list("ffiimf")

    def test_a_row_without_metric(self):
        pytest.importorskip("pandas")
        logger = callback.PandasLogger(10)
        logger.eval_cb(make_param(0, 0.5))
        logger.eval_cb(make_param(1)._replace(eval_metric=None))
        assert logger.eval_df["error"].isna().tolist() == [False, True]
        assert logger.eval_df["minibatch_count"].tolist() == [0, 1]

    def test_the_metric_is_reset(self):
        pytest.importorskip("pandas")
        param = make_param(0, 0.5)
        callback.PandasLogger(10).train_cb(param)
        assert param.eval_metric.num_inst == 0

    def test_epochs_and_new_columns(self):
        pytest.importorskip("pandas")
        logger = callback.PandasLogger(10)
        logger.epoch_cb(0, None, {}, {})
        logger.append_metrics({"a": 1}, "epoch")
        assert list(logger.epoch_df.columns) == ["elapsed", "epoch_time", "a"]
        assert len(logger.all_dataframes["epoch"]) == 2

    def test_tables_that_there_are(self, shown):
        del shown
        logger = callback.PandasLogger(10)
        assert list(logger.all_dataframes) == ["train", "eval", "epoch"]
        assert isinstance(logger.elapsed(), timedelta)
        with pytest.raises(KeyError, match="expected one of"):
            logger.append_metrics({}, "foo")


class TestCharts:
    def test_need_bokeh(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "bokeh.io", None)
        with pytest.raises(mx.MXNetError, match="LiveLearningCurve: needs bokeh"):
            callback.LiveLearningCurve("error")

    def test_base_class_draws_nothing(self, shown):
        del shown
        with pytest.raises(NotImplementedError, match="setup_chart"):
            callback.LiveBokehChart(None, "error")

    def test_learning_curve(self, shown):
        chart = callback.LiveLearningCurve("error", display_freq=-1, frequent=2)
        for nbatch in range(3):
            chart.batch_cb(make_param(nbatch, float(nbatch)))
        chart.eval_cb(make_param(3, 7.0))
        assert chart.train1.data_source.data["y"] == [0.0, 2.0]
        assert chart.train2.data_source.data["y"] == [0.0, 2.0]
        assert chart.valid1.data_source.data["y"] == [7.0]
        assert len(chart.valid1.data_source.data["x"]) == 1
        assert shown == ["handle"] * 4

    def test_updates_wait_for_their_time(self, shown):
        chart = callback.LiveLearningCurve("error", display_freq=1000)
        chart.batch_cb(make_param(0, 1.0))
        assert shown == []
        assert chart.train1.data_source.data["y"] == []

    def test_time_series(self, shown):
        chart = callback.LiveTimeSeries(title="x")
        chart.update_chart_data(3)
        assert chart.fig.title == "x"
        assert chart._curve.data_source.data["y"] == chart.y_axis_val == [3]
        assert shown == ["handle"]


def test_args_wrapper_joins_callbacks(shown):
    del shown
    logger, chart = callback.PandasLogger(10), callback.LiveLearningCurve("error")
    assert callback.args_wrapper(logger, chart) == {
        "batch_end_callback": [logger.train_cb, chart.batch_cb],
        "eval_end_callback": [logger.eval_cb, chart.eval_cb],
        "epoch_end_callback": [logger.epoch_cb],
    }


@pytest.mark.parametrize(
    ("owner", "name", "library", "stand_in"),
    [
        (mx.notebook, "bokeh", "bokeh", mx.notebook.Bokeh_Failed_To_Import),
        (mx.notebook.callback, "pd", "pandas", mx.notebook.callback.Pandas_Failed_To_Import),
    ],
)
def test_a_class_stands_for_a_library_that_is_not_installed(
    monkeypatch, owner, name, library, stand_in
):
    monkeypatch.delitem(vars(owner), name, raising=False)
    monkeypatch.setitem(sys.modules, library, None)  # makes its import fail
    assert getattr(owner, name) is stand_in
    monkeypatch.delitem(vars(owner), name)
    there = ModuleType(library)
    monkeypatch.setitem(sys.modules, library, there)
    assert getattr(owner, name) is there
