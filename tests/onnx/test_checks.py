"""Graphs that are not what ONNX allows are refused before anything is made of them."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import FileFormatError, MXNetError

onnx = pytest.importorskip("onnx", reason="needs the extra `onnx`")

from tests.onnx.models import FLOAT, floats, make_model, node  # noqa: E402 - needs onnx


def one(op, inputs, outputs=("y",), opset=17, **attrs):
    made = onnx.helper.make_node(op, inputs, outputs, name="here", **attrs)
    return make_model([made], {"x": (1, 2, 4, 4)}, ["y"], {"w": floats(2, 2, 1, 1)}, opset)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (one("Relu", ["x", "x"]), "takes 1 inputs, got 2"),
        (one("Conv", ["x"]), "takes 2 to 3 inputs, got 1"),
        (one("Concat", [], axis=0), "takes at least 1 inputs, got 0"),
        (one("Conv", ["", "w"]), "input 0 is missing"),
        (one("Relu", ["x"], ["y", "z"]), "has 1 outputs, got 2"),
        (one("Cast", ["x"]), "attribute 'to' is missing"),
        (one("Cast", ["x"], to="float"), "attribute 'to' takes a INT, got a STRING"),
        (one("LeakyRelu", ["x"], alpha=[1.0]), "attribute 'alpha' takes a FLOAT, got a FLOATS"),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_nodes_are_compared_with_schemas(model, message):
    with pytest.raises(
        NotImplementedError, match=rf"model: node 'here' \(.*, opset 17\): {message}"
    ):
        mx.onnx.import_model(model)


def test_whole_numbers_stand_for_others():
    sym, _, _ = mx.onnx.import_model(one("LeakyRelu", ["x"], alpha=1))
    assert sym.list_arguments() == ["x"]


def test_roi_of_resize_may_be_left_out_in_every_version():
    made = onnx.helper.make_node("Resize", ["x", "", "s"], ["y"])
    constants = {"s": np.float32([1, 1, 2, 2])}
    model = make_model([made], {"x": (1, 2, 4, 4)}, ["y"], constants, 11)
    assert mx.onnx.import_to_gluon(model)(mx.nd.ones((1, 2, 4, 4))).shape == (1, 2, 8, 8)


def branch(*nodes, tensors=()):
    output = onnx.helper.make_tensor_value_info("b", FLOAT, None)
    return onnx.helper.make_graph(list(nodes), "branch", [], [output], list(tensors))


def choose(then, other):
    made = node("If", "c", "y", then_branch=then, else_branch=other)
    return make_model([made], {"x": (2,)}, ["y"], {"c": np.array(True)})


def test_branches_that_are_not_taken_are_checked():
    good, wrong = branch(node("Relu", "x", "b")), branch(node("Conv", "x", "b"))
    with pytest.raises(MXNetError, match=r"node 'b' \(Conv.*takes 2 to 3 inputs, got 1"):
        mx.onnx.import_model(choose(good, wrong))


def test_names_of_branches_are_their_own():
    good = branch(node("Relu", "x", "a"), node("Neg", "a", "b"))
    net = mx.onnx.import_to_gluon(choose(good, good))
    assert net(mx.nd.ones(2)).asnumpy().tolist() == [-1, -1]


def test_a_branch_may_hide_a_name_as_some_files_do():
    hiding = branch(node("Neg", "x", "c"), node("Relu", "c", "b"))
    mx.onnx.import_model(choose(hiding, hiding))


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([node("Relu", "x", "y"), node("Neg", "x", "y")], "node 'y' defines 'y', which there is"),
        ([node("Relu", "x", "x")], "node 'x' defines 'x', which there is"),
        ([node("Relu", "z", "y"), node("Neg", "x", "z")], "node 'y' reads 'z', which is no input"),
    ],
)
def test_names_are_defined_once_and_before_they_are_read(nodes, message):
    with pytest.raises(FileFormatError, match=message):
        mx.onnx.import_model(make_model(nodes, {"x": (2,)}, [nodes[0].output[0]]))


def test_functions_are_checked_with_their_own_versions():
    opsets = [onnx.helper.make_opsetid("", 11), onnx.helper.make_opsetid("own", 1)]
    body = [onnx.helper.make_node("Squeeze", ["a"], ["b"], axes=[0])]
    model = make_model([onnx.helper.make_node("F", ["x"], ["y"], domain="own")], {"x": (1, 2)}, "y")
    model.functions.append(onnx.helper.make_function("own", "F", ["a"], ["b"], body, opsets))
    model.opset_import.append(opsets[1])
    assert mx.onnx.import_to_gluon(model)(mx.nd.ones((1, 2))).shape == (2,)
