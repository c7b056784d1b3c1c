"""Graphs in which other nodes stand in the place of some."""

import pytest

import mxnet as mx
from mxnet.errors import MXNetError
from mxnet.graph.ir import Entry, Node, rewrite
from mxnet.ops.core.registry import get_op


def network():
    data = mx.sym.var("data")
    left = mx.sym.relu(data, name="left")
    right = mx.sym.tanh(data, name="right")
    return mx.sym.elemwise_add(left, right, name="sum")


def named(graph):
    return {node.name: node for node in graph.nodes}


def test_a_graph_that_is_not_changed_is_returned_as_it_is():
    graph = network()._graph
    assert rewrite(graph, lambda *_: None) is graph


def test_a_changed_node_is_read_by_copies_and_the_rest_is_shared():
    graph = network()._graph

    def change(node, inputs):
        if node.name == "left":
            return Node(get_op("sigmoid"), node.name, node.attrs, inputs)
        return None

    before, after = named(graph), named(rewrite(graph, change))
    assert after["left"].op.name == "sigmoid"
    assert after["right"] is before["right"]
    assert after["data"] is before["data"]
    assert after["sum"] is not before["sum"]
    assert before["left"].op.name == "relu"
    assert before["sum"].inputs[0].node is before["left"]


def test_a_node_that_is_taken_out():
    graph = network()._graph
    result = rewrite(graph, lambda node, inputs: inputs if node.name == "left" else None)
    assert [entry.node.name for entry in result.heads[0].node.inputs] == ["data", "right"]


def test_a_node_that_is_put_after_another():
    def change(node, inputs):
        if node.op is not None and node.op.name in ("relu", "tanh"):
            copy = Node(node.op, node.name, node.attrs, inputs)
            return [Entry(Node(get_op("square"), f"{node.name}_squared", {}, [Entry(copy)]))]
        return None

    symbol = mx.sym.Symbol._of_graph(rewrite(network()._graph, change))
    (result,) = symbol.eval(data=mx.nd.array([-1.0, 2.0]))
    assert result.asnumpy() == pytest.approx([0.58002, 4.92935], rel=1e-4)


def test_heads_are_mapped_and_each_output_finds_its_own():
    parts = mx.sym.split(mx.sym.var("x"), num_outputs=2, name="parts")
    graph = mx.sym.Group([parts[1], parts[0]])._graph

    def change(node, inputs):
        return [*inputs, Entry(Node(None, "y"))] if node.name == "parts" else None

    assert [head.node.name for head in rewrite(graph, change).heads] == ["y", "x"]


def test_an_output_without_a_place_is_refused():
    parts = mx.sym.split(mx.sym.var("x"), num_outputs=2, name="parts")
    with pytest.raises(MXNetError, match="output 1 of 'parts' is read"):
        rewrite(parts._graph, lambda node, inputs: inputs if node.name == "parts" else None)
