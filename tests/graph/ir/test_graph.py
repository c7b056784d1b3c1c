"""Graphs: what is found once of the nodes under some outputs."""

import mxnet as mx
from mxnet.graph.ir import Node
from mxnet.graph.ir import graph as module


def normalized():
    return mx.sym.BatchNorm(mx.sym.var("data"), name="bn")


def test_names():
    graph = normalized()._graph
    assert graph.input_names == ["data", "bn_gamma", "bn_beta", "bn_moving_mean", "bn_moving_var"]
    assert graph.argument_names == ["data", "bn_gamma", "bn_beta"]
    assert graph.state_names == ["bn_moving_mean", "bn_moving_var"]
    assert graph.output_names == ["bn_output"]


def test_nodes_are_sorted_once(monkeypatch):
    sorted_heads = []
    sort_nodes = module.sort_nodes

    def count(heads):
        sorted_heads.append(heads)
        return sort_nodes(heads)

    monkeypatch.setattr(module, "sort_nodes", count)
    symbol = normalized()
    symbol.list_arguments(), symbol.list_auxiliary_states(), symbol.list_inputs(), symbol.tojson()
    symbol.infer_shape(data=(2, 3))
    assert len(sorted_heads) == 1


def test_variables_are_looked_up_again_after_a_change_of_attributes(monkeypatch):
    graph = normalized()._graph
    before = graph.variables
    assert graph.variables[0] is before[0]
    monkeypatch.setattr(Node, "updates", lambda *_: False)
    assert graph.state_names == ["bn_moving_mean", "bn_moving_var"]
    graph.heads[0].node.set_attrs({"eps": "0.1"})
    assert graph.state_names == []


def test_what_a_caller_does_to_a_list_of_names_does_not_reach_the_graph():
    symbol = normalized()
    symbol.list_arguments().clear()
    symbol.list_inputs().clear()
    assert symbol.list_arguments() == ["data", "bn_gamma", "bn_beta"]
    assert len(symbol.list_inputs()) == 5
