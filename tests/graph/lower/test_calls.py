"""Graphs of calls: who reads what, order, changes, and the same graph as one of torch."""

from __future__ import annotations

import operator

import pytest
import torch

from mxnet.graph.lower import CallGraph
from mxnet.graph.lower.modules import as_fx


def make_graph():
    graph = CallGraph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    total = graph.call_function(torch.add, (x, y))
    stacked = graph.call_function(torch.stack, ([x, total],), {"dim": 0})
    graph.output([stacked])
    return graph, x, y, total, stacked


class TestUsers:
    def test_are_found_in_lists_too(self):
        _, x, y, total, stacked = make_graph()
        assert list(x.users) == [total, stacked]
        assert list(y.users) == [total]
        assert stacked.all_input_nodes == [x, total]

    def test_follow_a_change_of_arguments(self):
        _, x, y, total, _ = make_graph()
        total.set_arguments((y, y))
        assert total not in x.users
        assert list(y.users) == [total]
        total.set_arguments(total.args, {"out": x})
        assert total in x.users

    def test_are_handed_over(self):
        _, x, y, total, stacked = make_graph()
        total.replace_all_uses_with(y)
        assert stacked.args == ([x, y],)
        assert not total.users
        assert stacked in y.users


class TestOrder:
    def test_of_calls_that_are_put_between_others(self):
        graph, x, y, total, stacked = make_graph()
        with graph.inserting_before(total):
            before = graph.call_function(torch.neg, (x,))
        with graph.inserting_after(total):
            after = graph.call_function(torch.exp, (total,))
        assert graph.nodes[:6] == [x, y, before, total, after, stacked]

    def test_a_call_that_is_read_cannot_be_removed(self):
        graph, _, y, total, _ = make_graph()
        with pytest.raises(RuntimeError, match="is read by"):
            graph.erase_node(total)
        total.replace_all_uses_with(y)
        graph.erase_node(total)
        assert total not in graph.nodes
        assert total not in y.users

    def test_a_list_of_calls_does_not_change(self):
        graph, x, _, _, _ = make_graph()
        before = graph.nodes
        graph.call_function(torch.neg, (x,))
        assert len(graph.nodes) == len(before) + 1


def test_a_copy_reads_other_calls():
    graph, x, y, total, _ = make_graph()
    total.shape = (2, 3)
    copy = graph.node_copy(total, {x: y, y: x}.__getitem__)
    assert (copy.target, copy.args, copy.shape) == (torch.add, (y, x), (2, 3))


def test_a_graph_of_torch_computes_the_same():
    graph, *_, stacked = make_graph()
    graph.erase_node(graph.nodes[-1])
    second = graph.call_function(operator.getitem, (stacked, 1))
    graph.output([stacked, second])
    module = torch.fx.GraphModule(torch.nn.Module(), as_fx(graph))
    result, last = module(torch.ones(2), torch.ones(2))
    assert result.tolist() == [[1, 1], [2, 2]]
    assert last.tolist() == [2, 2]
