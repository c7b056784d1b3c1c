"""Joins of results without a derivative: which ones a plan needs, and that gradients stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.graph.lower import Setting, lower, without_gradient
from mxnet.graph.passes.table import _WITH_HISTORY, remove_joins
from mxnet.ops.core.registry import as_tuple
from tests.ops.harness import VALID, parse_call, supplied

S = mx.sym
RECORD = Setting(training=True, recording=True, device=torch.device("cpu"), generator=None)


def count_joins(*outputs: Any) -> tuple[int, int]:
    """Counts the joins of a graph before and after the pass."""
    symbol = S.Group(outputs)
    graph = lower(symbol._graph, symbol.list_inputs(), RECORD, {}).graph
    counts = []
    for _ in range(2):
        counts.append(sum(call.target is without_gradient for call in graph.nodes))
        remove_joins(graph)
    return counts[0], counts[1]


x, w = S.var("x"), S.var("w")
mask = S.ones_like(x * w)


class TestJoins:
    def test_of_what_has_a_gradient_anyway_go(self):
        assert count_joins(x * w * mask) == (1, 0)

    @pytest.mark.parametrize("outputs", [[mask], [x * mask], [x * w * mask, x * mask]])
    def test_that_are_the_only_way_to_an_input_stay(self, outputs):
        assert count_joins(*outputs) == (1, 1)

    def test_stay_where_the_other_way_goes_through_integers(self):
        assert count_joins(S.cast(x, "int32") * mask * w) == (1, 1)
        assert count_joins(S.cast(x, "float64") * mask * w) == (1, 0)

    def test_stay_where_the_other_way_has_no_gradient_either(self):
        assert count_joins(S.BlockGrad(x) * mask * w) == (2, 2)

    def test_stay_where_the_other_way_is_a_place_to_read(self):
        weight = S.var("weight")
        rows = S.Embedding(x, weight, input_dim=4, output_dim=2)
        assert count_joins(S.broadcast_mul(rows, S.ones_like(x * 1))) == (1, 1)
        assert count_joins(S.broadcast_mul(rows, S.sum(S.ones_like(rows)))) == (1, 0)


@pytest.mark.parametrize("hybridize", [False, True])
def test_gradients_are_zero_where_only_a_join_leads(hybridize):
    class Net(mx.gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any, w: Any) -> tuple[Any, Any]:
            kept = F.where(F.Dropout(F.ones_like(x * w), p=0.0), x * w, x)
            return kept, x * F.ones_like(w)

    net = Net()
    if hybridize:
        net.hybridize()
    data, weight = mx.nd.array([1.0, 2.0]), mx.nd.array([3.0, 4.0])
    for array in (data, weight):
        array.attach_grad()
        array.grad[:] = 7
    with mx.autograd.record():
        _, second = net(data, weight)
    second.backward()
    np.testing.assert_equal(data.grad.asnumpy(), [1, 1])
    np.testing.assert_equal(weight.grad.asnumpy(), [0, 0])
    with mx.autograd.record():
        first, _ = net(data, weight)
    first.backward()
    np.testing.assert_equal(data.grad.asnumpy(), [3, 4])
    np.testing.assert_equal(weight.grad.asnumpy(), [1, 2])


class Encoder(gluon.HybridBlock):
    """Compares boxes that learn, of which only the squares have a derivative."""

    def hybrid_forward(self, F, x):
        boxes = x.reshape((1, -1, 4))
        parts = F.contrib.box_encode(
            F.ones((1, 2)), F.zeros((1, 2)), boxes, boxes * 1.5, F.zeros((4,)), F.ones((4,))
        )
        return (x * x).sum() + parts[0].sum()


def test_what_torch_would_differentiate_is_cut_off_although_its_inputs_have_gradients():
    net = Encoder()
    x = nd.array([[0.0, 0, 1, 2], [1, 1, 3, 2]])
    x.attach_grad()
    for hybridize in (False, True):
        net.hybridize(hybridize)
        with autograd.record():
            loss = net(x)
        loss.backward()
        np.testing.assert_array_equal(x.grad.asnumpy(), 2 * x.asnumpy())


def has_history(sample: Any) -> bool:
    """Returns whether torch finds slopes that are not zero through an operator's kernel."""
    op, attrs = parse_call(sample)
    tensors = [None if a is None else torch.tensor(a) for a in sample.make_inputs()]
    leaves = [item for item in tensors if item is not None and item.is_floating_point()]
    for leaf in leaves:
        leaf.requires_grad_()
    for result in as_tuple(op.kernel(*tensors, **attrs, **supplied(op, sample.train))):
        if result.requires_grad:
            try:
                slopes = torch.autograd.grad(
                    result.sum(), leaves, allow_unused=True, retain_graph=True
                )
            except RuntimeError:  # torch has no formula for it
                return True
            if any(slope is not None and slope.abs().sum() > 0 for slope in slopes):
                return True
    return False


def test_operators_with_history_are_known():
    samples = [p.values[1] for p in VALID]
    pairs = [(parse_call(sample)[0], sample) for sample in samples]
    found = {
        op.name
        for op, sample in pairs
        if not (op.differentiable or op.mutates) and has_history(sample)
    }
    assert sorted(found) == sorted(_WITH_HISTORY)
