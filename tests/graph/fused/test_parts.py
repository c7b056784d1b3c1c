"""Files of strangers: a subgraph that is not a fused layer raises an error that says why."""

import json

import pytest

import mxnet as mx
from mxnet.errors import FileFormatError, LimitExceededError, MXNetError
from mxnet.graph.infer import costs


def fused():
    data = mx.sym.var("data")
    conv = mx.sym.Convolution(data, kernel=(3, 3), num_filter=3, pad=(1, 1), name="c")
    added = mx.sym.elemwise_add(mx.sym.BatchNorm(conv, name="b"), data, name="add")
    result = mx.sym.Activation(added, act_type="relu", name="a")
    return json.loads(result.get_backend_symbol("MKLDNN").tojson())


def inside(graph):
    return graph["nodes"][-1]["subgraphs"][0]


def without_subgraph(graph):
    del graph["nodes"][-1]["subgraphs"]


def with_two_subgraphs(graph):
    graph["nodes"][-1]["subgraphs"] *= 2


def with_subgraph_of_numbers(graph):
    graph["nodes"][-1]["subgraphs"] = [3]


def with_missing_input(graph):
    graph["nodes"][-1]["inputs"].pop()


def with_variable_as_layer(graph):
    inside(graph)["heads"] = [[0, 0, 0]]


def with_other_layer(graph):
    next(node for node in inside(graph)["nodes"] if node["name"] == "c").update(
        op="Deconvolution", attrs={"kernel": "(3, 3)", "num_filter": "3", "no_bias": "False"}
    )


def with_other_output(graph):
    inside(graph)["nodes"][-2]["inputs"][0][1] = 1


def with_shared_variable(graph):
    inside(graph)["nodes"][-2]["inputs"][1] = [0, 0, 0]


def with_layer_added_to_itself(graph):
    inside(graph)["nodes"][-2]["inputs"][1] = inside(graph)["nodes"][-2]["inputs"][0]


def with_two_heads(graph):
    inside(graph)["heads"] *= 2


def with_wrong_flag(graph):
    graph["nodes"][-1]["attrs"]["with_act"] = "true"


def without_flag(graph):
    del graph["nodes"][-1]["attrs"]["with_bn"]


def with_unknown_operator(graph):
    inside(graph)["nodes"][-1]["op"] = "system"


def with_hostile_name(graph):
    inside(graph)["nodes"][-1]["name"] = "\ud800"


HOSTILE = {
    without_subgraph: "one subgraph expected, got 0",
    with_two_subgraphs: "one subgraph expected, got 2",
    with_subgraph_of_numbers: "expected subgraphs",
    with_missing_input: "takes 8 inputs, got 7",
    with_variable_as_layer: "a convolution layer expected",
    with_other_layer: "a convolution layer expected, got 'c'",
    with_other_output: "output 1 of 'b' is read",
    with_shared_variable: "each variable is read once",
    with_layer_added_to_itself: "something else than a layer and a variable",
    with_two_heads: "one output expected, got 2",
    with_wrong_flag: "attribute `with_act` is True, but",
    without_flag: "attribute `with_bn` is False, but",
    with_unknown_operator: "operator 'system' is not registered",
    with_hostile_name: "not UTF-8",
}


@pytest.mark.parametrize("damage", HOSTILE, ids=lambda damage: damage.__name__)
def test_damaged_files_raise(damage):
    graph = fused()
    damage(graph)
    with pytest.raises(MXNetError, match=HOSTILE[damage]):
        mx.sym.load_json(json.dumps(graph))


def test_fused_layers_inside_of_each_other_raise():
    graph = fused()
    nested = inside(graph)["nodes"]
    position = next(i for i, node in enumerate(nested) if node["name"] == "c")
    nested[position] = {**fused()["nodes"][-1], "name": "c", "inputs": nested[position]["inputs"]}
    with pytest.raises(FileFormatError):
        mx.sym.load_json(json.dumps(graph))


def test_nesting_is_limited():
    graph = fused()
    for _ in range(40):
        outer = fused()
        inside(outer)["nodes"][-1] = {**graph["nodes"][-1], "inputs": [[0, 0, 0]] * 8}
        graph = outer
    with pytest.raises((LimitExceededError, FileFormatError)):
        mx.sym.load_json(json.dumps(graph))


def test_what_is_read_is_written_again():
    text = mx.sym.load_json(json.dumps(fused())).tojson()
    assert json.loads(text) == fused()


def test_a_fused_layer_counts_the_operations_of_its_parts():
    data = mx.sym.var("data")
    conv = mx.sym.Convolution(data, kernel=(3, 3), num_filter=4, no_bias=True, name="c")
    symbol = mx.sym.Activation(conv, act_type="relu", name="a")
    plain, fused_costs = (
        costs.measure(item._graph, {"data": (2, 3, 6, 6)})
        for item in (symbol, symbol.get_backend_symbol("MKLDNN"))
    )
    assert fused_costs.flops == plain.flops
