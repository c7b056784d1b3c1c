"""Shapes and element types are inferred node by node, each node once."""

from __future__ import annotations

import pytest

import mxnet as mx

onnx = pytest.importorskip("onnx", reason="needs the extra `onnx`")

from mxnet.onnx._import import inference as module  # noqa: E402 - needs onnx
from mxnet.onnx._import.inference import Inference  # noqa: E402
from mxnet.onnx._import.lengths import Length  # noqa: E402
from tests.onnx.models import make_model, node  # noqa: E402


def test_lengths_are_named_after_those_of_inputs():
    x = mx.sym.var("x")
    inference = Inference()
    inference.follow("N")
    inference.add_input(x, (Length("N"), 3))
    shape = inference.shape_of(mx.sym.concat(x, x, dim=0))
    assert [str(length) for length in shape] == ["2*N", "3"]


def test_lengths_without_a_name_stay_unknown():
    x = mx.sym.var("x")
    inference = Inference()
    inference.add_input(x, (Length(), 3))
    length, other = inference.shape_of(mx.sym.relu(x))
    assert (str(length), other) == ("?", 3)


def test_variables_and_types():
    x = mx.sym.var("x", dtype="float64", shape=(2, 3))
    inference = Inference()
    assert inference.shape_of(x) == (2, 3)
    assert str(inference.dtype_of(mx.sym.relu(x))) == "torch.float64"
    assert inference.shape_of(mx.sym.var("y")) is None


def test_every_output_of_a_node_is_known():
    x = mx.sym.var("x", shape=(4, 6))
    parts = mx.sym.split(x, num_outputs=2, axis=1)
    inference = Inference()
    assert inference.shape_of(parts[1] * 2) == (4, 3)
    assert inference.shape_of(parts[0]) == (4, 3)


def test_nodes_are_not_visited_again(monkeypatch):
    visited = []

    def infer(nodes, *rest):
        visited.append(len(nodes))
        return original(nodes, *rest)

    original = module.infer_shapes
    monkeypatch.setattr(module, "infer_shapes", infer)
    nodes = []
    for k in range(50):
        nodes += [node("Relu", f"x{k}", f"a{k}"), node("Flatten", f"a{k}", f"x{k + 1}", axis=-1)]
    mx.onnx.import_model(make_model(nodes, {"x0": (1, 2)}, ["x50"]))
    assert len(visited) == 50
    assert max(visited) < 5
