"""Reports on plans tell what runs, what was fused, and what was given up and why."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.hybrid.forward import UntracedWarning
from mxnet.graph.run import plan as plans
from tests.graph.replaying import capture_on_cpu

STATIC = {"static_alloc": True, "static_shape": True}


def convolutional() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, in_channels=3), nn.BatchNorm(in_channels=4), nn.Activation("relu"))
    net.add(nn.Conv2D(4, 1, in_channels=4), nn.Dropout(0.5), nn.Flatten(), nn.Dense(2))
    net.initialize()
    net(nd.ones((1, 3, 8, 8)))
    return net


def record(net: gluon.Block, *data: nd.NDArray) -> None:
    with autograd.record():
        loss = net(*data).sum()
    loss.backward()


def only(net: gluon.HybridBlock) -> Any:
    (row,) = net.plan_report().rows
    return row


def test_a_network_that_is_not_hybridized_or_not_called_says_so() -> None:
    net = convolutional()
    assert net.plan_report().rows == []
    assert "call net.hybridize()" in str(net.plan_report())
    net.hybridize()
    assert only(net).way == "hybridized, not called yet"
    assert "not called yet" in str(net.plan_report())


def test_a_prediction_and_a_training_step_have_a_row_each() -> None:
    net = convolutional()
    net.hybridize(channels_last=False)
    net(nd.ones((1, 3, 8, 8)))
    record(net, nd.ones((1, 3, 8, 8)))
    prediction, training = net.plan_report().rows
    assert (prediction.block, prediction.kind) == ("net", "HybridSequential")
    assert prediction.plan.mode == "prediction"
    assert prediction.plan.num_operators == 7
    assert prediction.plan.num_calls == 4
    assert prediction.plan.num_prepared > 0
    assert prediction.plan.layout == "channels first"
    assert "Convolution + BatchNorm + Activation" in prediction.plan.fused
    assert training.plan.mode == "training"
    assert training.plan.num_calls == 7
    assert training.plan.fused == {}
    text = str(net.plan_report())
    assert "7 -> 4" in text
    assert "one call: Convolution + BatchNorm + Activation" in text
    assert net.plan_report().given_up == []


def test_the_order_of_images_is_told() -> None:
    net = convolutional()
    net.hybridize(channels_last=True)
    net(nd.ones((1, 3, 8, 8)))
    facts = only(net).plan
    assert facts.layout == "channels last"
    assert facts.num_conversions == 2  # of the data, and before the dense layer
    assert "channels last, 2 reordered" in str(net.plan_report())


def test_attention_is_one_call() -> None:
    class Attention(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return F.batch_dot(F.softmax(F.batch_dot(x, x, transpose_b=True) / 2), x)

    net = Attention()
    net.hybridize()
    net(nd.ones((1, 3, 4)))
    facts = only(net).plan
    assert (facts.num_operators, facts.num_calls) == (4, 1)
    assert facts.fused == {"batch_dot + _div_scalar + softmax + batch_dot": 1}


@pytest.mark.parametrize("options", [STATIC, {}], ids=["static", "auto"])
def test_captures_are_counted(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    capture_on_cpu(monkeypatch)
    net = convolutional()
    net.hybridize(**options)
    net(nd.ones((1, 3, 8, 8)))
    first = only(net)
    assert first.way == ("captured" if options else "graph, to be captured")
    for _ in range(3):
        net(nd.ones((1, 3, 8, 8)))
    assert only(net).way == "captured"
    assert only(net).plan.captures == 1
    assert "captured x1" in str(net.plan_report())


@pytest.mark.filterwarnings("ignore:.*is differentiated twice")
def test_a_second_derivative_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    capture_on_cpu(monkeypatch)
    net, data = nn.Dense(1, activation="tanh", in_units=3), nd.ones((2, 3))
    net.initialize()
    net.hybridize(**STATIC)
    data.attach_grad()
    with autograd.record():
        (slope,) = autograd.grad(net(data), data, create_graph=True)
    slope.backward()
    (row,) = net.plan_report().given_up
    assert "twice" in row.reason
    assert row.way == "graph"


def test_a_capture_that_fails_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    capture_on_cpu(monkeypatch)
    from mxnet.graph.run import captured

    def refuse(*_: object) -> None:
        raise RuntimeError("not permitted")

    monkeypatch.setattr(captured, "Capture", refuse)
    net = convolutional()
    net.hybridize()
    with pytest.warns(UserWarning, match="not captured any more"):
        for _ in range(4):
            net(nd.ones((1, 3, 8, 8)))
    assert only(net).reason == "RuntimeError: not permitted"
    assert only(net).way == "graph"
    assert "because: RuntimeError: not permitted" in str(net.plan_report())


def test_a_plan_that_fails_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: plans.Plan, _tensors: Any) -> Any:
        raise RuntimeError("no such kernel")

    monkeypatch.setattr(plans.Plan, "__call__", fail)
    net = convolutional()
    net.hybridize()
    with pytest.warns(UserWarning, match="no such kernel"):
        net(nd.ones((1, 3, 8, 8)))
    row = only(net)
    assert row.way == "given up"
    assert row.reason == "RuntimeError: no such kernel"
    assert row.plan.num_calls == 7


def test_a_block_inside_that_cannot_become_a_graph_leaves_plans_to_its_children() -> None:
    class Asking(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.layer, self.unused = nn.Dense(2, in_units=2), nn.Dense(2, in_units=2)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.layer(F.identity(x)) if x.sum().asscalar() > 0 else x

    net = nn.Sequential()
    net.add(nn.Dense(2, in_units=2), Asking(), nn.HybridLambda("relu"), nn.Lambda("relu"))
    net.initialize(mx.init.One())
    net.hybridize()
    with pytest.warns(UntracedWarning):
        net(nd.ones((1, 2)))
        net(nd.ones((1, 2)))
    rows = {row.block: row for row in net.plan_report().rows}
    assert [*rows] == ["net[0]", "net[1]", "net[1].layer", "net[2]"]
    assert rows["net[1]"].way == "imperative"
    assert "asscalar" in rows["net[1]"].reason
    assert rows["net[1].layer"].way == "graph"


def test_compilers_are_named() -> None:
    net = convolutional()
    net.hybridize(backend="eager")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        net(nd.ones((1, 3, 8, 8)))
    assert only(net).way == "eager"


def test_sparse_calls_are_a_reason() -> None:
    net = nn.Dense(2, in_units=3)
    net.initialize()
    net.hybridize()
    with pytest.warns(UntracedWarning):
        net(nd.ones((2, 3)).tostype("csr"))
    assert "sparse" not in only(net).way
    assert only(net).reason.startswith("graphs take dense arrays")


def test_nothing_is_kept_for_reports() -> None:
    net = convolutional()
    net.hybridize()
    net(nd.ones((1, 3, 8, 8)))
    (program,) = net._mx_hybrid.find_programs()
    before = {**vars(program)}
    net.plan_report()
    assert vars(program) == before
    assert program.describe() == program.describe()
