"""The HTML that notebooks show of symbols, parameters, metrics, trainers and loaders."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

HOSTILE = "<script>alert('x')</script>"


class Table(HTMLParser):
    """Reads title, rows and notes, and checks that every element is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.lines: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, _):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "div":
            self.lines.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "tr" in self.open:
            self.rows[-1][-1] += data
        else:
            self.lines[-1] += data


def read(item: Any) -> tuple[list[str], list[list[str]]]:
    """Returns the lines outside of the table of an object, and the rows of the table."""
    table = Table(item._repr_html_())
    return [line for line in table.lines if line], table.rows


def make_net(**options: Any) -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(4, activation="relu", **options), nn.Dense(2, in_units=4))
    return net


def test_a_symbol_is_a_table_of_operators():
    data = mx.sym.var("data")
    hidden = mx.sym.FullyConnected(data, num_hidden=3, name="fc")
    lines, rows = read(mx.sym.BatchNorm(mx.sym.relu(hidden, name="act"), name="norm"))
    assert lines == [
        "Symbol norm, 3 operators",
        "outputs: norm_output",
        "arguments: data, fc_weight, fc_bias, norm_gamma, norm_beta",
        "auxiliary states: norm_moving_mean, norm_moving_var",
    ]
    assert rows[:3] == [
        ["node", "operator", "inputs", "attributes"],
        ["fc", "FullyConnected", "data, fc_weight, fc_bias", "num_hidden=3"],
        ["act", "relu", "fc", ""],
    ]


def test_a_group_and_a_variable():
    group = mx.sym.Group([mx.sym.var("a") + 1, mx.sym.var("b")])
    assert read(group)[0][0].startswith("Symbol group [")
    lines, rows = read(mx.sym.var("a"))
    assert (lines[0], rows) == ("Symbol a, 0 operators", [])


def test_a_symbol_of_the_numpy_dialect():
    lines, rows = read(mx.sym.np.tanh(mx.sym.var("a").as_np_ndarray()))
    assert lines[0].endswith("1 operator")
    assert rows[1][2] == "a"


def test_long_graphs_are_cut_in_the_middle():
    net = mx.sym.var("data")
    for number in range(200):
        net = mx.sym.relu(net, name=f"relu{number}")
    rows = read(net)[1]
    assert len(rows) == 52
    assert rows[26] == ["… 150 more"]
    assert [rows[1][0], rows[-1][0]] == ["relu0", "relu199"]


def test_parameters_with_and_without_shapes():
    net = make_net()
    lines, rows = read(net.collect_params())
    assert lines == ["ParameterDict net_, 4 parameters, 14 elements"]
    assert rows[:2] == [
        ["name", "shape", "type", "gradient", "where"],
        ["net_dense0_weight", "4x?", "float32", "write", "no data yet"],
    ]
    net.initialize()
    net(nd.ones((1, 3)))
    lines, rows = read(net.collect_params())
    assert lines == ["ParameterDict net_, 4 parameters, 26 elements"]
    assert rows[1] == ["net_dense0_weight", "4x3", "float32", "write", "cpu(0)"]


def test_no_parameters():
    assert read(gluon.ParameterDict()) == (["ParameterDict, 0 parameters, 0 elements"], [])


def test_metrics():
    metric = mx.metric.create(["acc", "ce"])
    assert read(metric)[1][1] == ["accuracy", "nan"]
    metric.update([nd.array([1, 0])], [nd.array([[0, 1], [0.25, 0.75]])])
    lines, rows = read(metric)
    assert lines == ["CompositeEvalMetric"]
    assert [rows[0], rows[1]] == [["metric", "value"], ["accuracy", "0.5"]]
    assert rows[2][0] == "cross-entropy"


def test_a_trainer_before_and_after_a_step():
    net = make_net(in_units=3)
    net.initialize()
    net[0].weight.lr_mult = 0.5
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.003, "wd": 0.01})
    lines, rows = read(trainer)
    assert lines == [
        "Trainer with Adam, 4 parameters",
        "learning rate 0.003, weight decay 0.01, 0 updates",
        "store device, contexts cpu(0)",
    ]
    assert ["net_dense0_weight", "4x3", "0.5", "1.0", "write"] in rows
    with autograd.record():
        loss = net(nd.ones((2, 3))).sum()
    loss.backward()
    trainer.step(2)
    assert read(trainer)[0][1].endswith("1 update")


class Unreadable:
    """A dataset that fails when a sample is asked for."""

    def __len__(self) -> int:
        return 10

    def __getitem__(self, index: int) -> Any:
        raise AssertionError("a sample was loaded")


def test_a_loader_loads_nothing():
    loader = gluon.data.DataLoader(Unreadable(), batch_size=4, shuffle=True, num_workers=2)
    lines, rows = read(loader)
    assert lines == ["DataLoader"]
    assert rows == [
        ["dataset", "Unreadable, 10 samples"],
        ["batches", "BatchSampler, 3 batches"],
        ["batch_size", "4"],
        ["last_batch", "keep"],
        ["order", "RandomSampler"],
        ["workers", "2 processes, 4 batches ahead"],
        ["pin_memory", "False"],
    ]


def test_a_loader_with_batches_that_cannot_be_counted():
    loader = gluon.data.DataLoader(Unreadable(), batch_sampler=iter([[0, 1]]))
    rows = read(loader)[1]
    assert rows[1] == ["batches", "list_iterator"]
    assert ["workers", "none"] in rows


def hostile_items() -> list[Any]:
    """Returns one object of each kind whose names are HTML."""
    parameter = gluon.Parameter(HOSTILE, shape=(1,))
    parameter.initialize()
    parameters = gluon.ParameterDict(HOSTILE)
    parameters.update({f"{HOSTILE}a": parameter})
    metric = mx.metric.Loss(name=HOSTILE)
    loader = gluon.data.DataLoader(type(HOSTILE, (Unreadable,), {})(), batch_size=1)
    symbol = mx.sym.relu(mx.sym.var(f"{HOSTILE}v", attr={"a": HOSTILE}), name=HOSTILE)
    return [symbol, parameters, metric, gluon.Trainer(parameters, "sgd"), loader]


@pytest.mark.parametrize("item", hostile_items(), ids=lambda item: type(item).__name__)
def test_names_are_escaped(item: Any):
    html = item._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_long_texts_are_cut():
    rows = read(mx.sym.relu(mx.sym.var("v" * 1000), name="r"))[1]
    assert rows[1][2] == "v" * 120 + "…"


def test_showing_tables_is_loaded_late():
    program = "import sys, mxnet; print('mxnet._formats.html_tables' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert shown.stdout == "False\n"


def test_a_network_of_numpy_parameters():
    with mx.util.np_array(True):
        net = nn.Dense(2, in_units=3)
        net.initialize()
        net(mx.np.array(np.ones((1, 3), "float32")))
        assert read(net.collect_params())[1][1][1:3] == ["2x3", "float32"]
