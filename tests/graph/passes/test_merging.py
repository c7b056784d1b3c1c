"""The chain of the softmax cross entropy loss is one call in a plan, and no other chain is."""

from __future__ import annotations

import pytest
import torch

import mxnet as mx
from mxnet.graph.lower import Setting, lower
from mxnet.graph.passes import patterns
from mxnet.graph.run.plan import Plan

SETTING = Setting(training=True, recording=True, device=torch.device("cpu"), generator=None)
DATA = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.0, -0.5]])
LABEL = torch.tensor([2.0, 7.0])  # the last one is outside: it counts as the nearest class


def make_loss(axis=-1, factor=-1.0, keepdims=True):
    """Returns the loss as blocks of gluon write it, with the options that the merged call fixes."""
    scores = mx.sym.log_softmax(mx.sym.var("data"), axis=axis)
    picked = mx.sym.pick(scores, mx.sym.var("label"), axis=-1, keepdims=keepdims)
    return mx.sym.mean(picked * factor, axis=0, exclude=True)


def run_plan(symbol):
    """Returns what a plan calls, its result, and the result of the graph as it is written."""
    names = ["data", "label"]
    plan = Plan(lower(symbol._graph, names, SETTING, {}), {}, SETTING)
    targets = [node.target for node in plan.module.graph.nodes if node.op == "call_function"]
    plain = lower(symbol._graph, names, SETTING, {})(DATA, LABEL)
    return targets, plan([DATA, LABEL])[0], plain[0]


def test_the_chain_becomes_one_call():
    targets, result, plain = run_plan(make_loss())
    assert targets == [patterns.cross_entropy]
    torch.testing.assert_close(result, plain)


def test_the_chain_of_the_numpy_dialect_becomes_one_call():
    data, label = (mx.sym.var(name).as_np_ndarray() for name in ("data", "label"))
    with mx.util.np_array(True):
        loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()(data, label)
    targets, result, plain = run_plan(loss)
    assert targets == [patterns.cross_entropy]
    torch.testing.assert_close(result, plain)


@pytest.mark.parametrize(
    "options",
    [{"axis": 0}, {"factor": -2.0}, {"keepdims": False}],
    ids=lambda given: next(iter(given)),
)
def test_other_attributes_are_another_chain(options):
    targets, result, plain = run_plan(make_loss(**options))
    assert patterns.cross_entropy not in targets
    torch.testing.assert_close(result, plain)


def test_another_operator_is_another_chain():
    scores = mx.sym.log_softmax(mx.sym.var("data"))
    picked = mx.sym.pick(scores, mx.sym.var("label"), keepdims=True)
    targets, result, plain = run_plan(mx.sym.sum(picked * -1.0, axis=0, exclude=True))
    assert patterns.cross_entropy not in targets
    torch.testing.assert_close(result, plain)


def test_a_chain_that_is_read_elsewhere_stays():
    scores = mx.sym.log_softmax(mx.sym.var("data"))
    picked = mx.sym.pick(scores, mx.sym.var("label"), keepdims=True)
    loss = mx.sym.mean(picked * -1.0, axis=0, exclude=True)
    targets, *_ = run_plan(mx.sym.Group([loss, scores]))
    assert patterns.cross_entropy not in targets
