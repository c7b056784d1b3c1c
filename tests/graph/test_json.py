"""Symbol files: what is written is read again, and damaged files raise an error that says why."""

import json

import pytest

import mxnet as mx
from mxnet.graph.json import read_json, write_json


def network():
    hidden = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    return mx.sym.BatchNorm(hidden, name="bn")


def damaged(**changes):
    found = json.loads(network().tojson())
    found.update(changes)
    return json.dumps(found)


def with_node(position, **changes):
    found = json.loads(network().tojson())
    found["nodes"][position].update(changes)
    return json.dumps(found)


def test_a_graph_is_read_as_it_was_written():
    text = network().tojson()
    assert write_json(read_json(text)) == text


def test_bytes_are_read_too():
    assert read_json(network().tojson().encode()).heads[0].node.name == "bn"


HOSTILE = {
    "no JSON": ("{", "not JSON"),
    "deep nesting": ("[" * 100_000, "not JSON"),
    "a list": ("[]", "expected an object"),
    "nothing inside": ("{}", "expected a list under 'nodes'"),
    "nodes are no list": (damaged(nodes=3), "expected a list under 'nodes'"),
    "no heads": (damaged(heads=[]), "no heads"),
    "head out of range": (damaged(heads=[[99, 0, 0]]), "there is no node 99"),
    "head below zero": (damaged(heads=[[-1, 0, 0]]), "there is no node -1"),
    "head without number": (damaged(heads=[["x", 0, 0]]), "expected \\[node, output\\]"),
    "head of truth": (damaged(heads=[[True, 0, 0]]), "expected \\[node, output\\]"),
    "head of no output": (damaged(heads=[[8, 3, 0]]), "heads: 'bn' has no output 3"),
    "head of an output below zero": (damaged(heads=[[8, -1, 0]]), "heads: 'bn' has no output -1"),
    "too many outputs": (
        with_node(3, op="SliceChannel", inputs=[[0, 0]], attrs={"num_outputs": "999999999"}),
        "node 'fc': SliceChannel: asks for 999,999,999 outputs of a node",
    ),
    "arguments of nothing": (damaged(arg_nodes=[99]), "arg_nodes: 99 is no variable"),
    "arguments that are computed": (damaged(arg_nodes=[3]), "arg_nodes: 3 is no variable"),
    "arguments of text": (damaged(arg_nodes=["x"]), "arg_nodes: 'x' is no variable"),
    "attributes are no object": (damaged(attrs=5), "expected an object under 'attrs'"),
    "version of text": (damaged(attrs={"mxnet_version": "new"}), "mxnet_version"),
    "node is no object": (damaged(nodes=[3]), "node 0 has no operator"),
    "node without name": (damaged(nodes=[{"op": "null"}]), "node 0 has no name"),
    "attributes of numbers": (with_node(0, attrs={"a": 3}), "must hold strings"),
    "a cycle": (with_node(3, inputs=[[3, 0], [1, 0], [2, 0]]), "does not come before"),
    "a later node": (with_node(3, inputs=[[8, 0], [1, 0], [2, 0]]), "does not come before"),
    "input out of range": (with_node(3, inputs=[[77, 0], [1, 0], [2, 0]]), "there is no node 77"),
    "output out of range": (with_node(3, inputs=[[0, 5], [1, 0], [2, 0]]), "has no output 5"),
    "inputs are no list": (with_node(3, inputs=7), "expected \\[node, output\\]"),
    "too few inputs": (with_node(3, inputs=[[0, 0]]), "takes 3 inputs, got 1"),
    "unknown operator": (with_node(3, op="Fancy"), "node 'fc': operator 'Fancy'"),
    "unknown attribute": (with_node(3, attrs={"colour": "red"}), "node 'fc'.*colour"),
    "malformed attribute": (with_node(3, attrs={"num_hidden": "x"}), "node 'fc'.*num_hidden"),
    "subgraphs": (with_node(3, subgraphs=[{}]), "subgraphs"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_damaged_files_are_refused(name):
    text, message = HOSTILE[name]
    with pytest.raises(mx.MXNetError, match=message):
        read_json(text)


def test_a_deep_graph_needs_no_deep_stack():
    deep = mx.sym.var("x")
    for _ in range(5000):
        deep = deep + 1
    again = mx.sym.load_json(deep.tojson())
    assert len(again.get_internals()) == 5001
    assert again.infer_shape(x=(2,))[1] == [(2,)]


def test_operators_without_attributes_ignore_those_of_a_file():
    text = (mx.sym.relu(mx.sym.var("x"), name="r")).tojson()
    found = json.loads(text)
    found["nodes"][1]["attrs"] = {"axis": "1"}
    read = mx.sym.load_json(json.dumps(found))
    assert read.attr_dict() == {"r": {"axis": "1"}}
    assert read.eval(x=mx.nd.array([-1, 2]))[0].asnumpy().tolist() == [0, 2]
    with pytest.warns(UserWarning, match="axis"):
        mx.sym.relu(mx.sym.var("x"), axis=1)
