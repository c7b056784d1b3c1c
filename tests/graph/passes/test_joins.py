"""Joins of results without a derivative: which ones a plan needs, and that gradients stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.graph.lower import Setting, lower, without_gradient
from mxnet.graph.passes.table import remove_joins

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
