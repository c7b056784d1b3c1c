"""Lowered graphs compute on tensors what the operators do."""

import pytest
import torch

import mxnet as mx
from mxnet.graph.run import Program

SUPPLIED = {"training": True, "generator": None, "device": torch.device("cpu")}


def test_several_outputs_and_inner_results():
    x = mx.sym.var("x")
    parts = mx.sym.split(x, num_outputs=2, axis=1)
    graph = mx.sym.Group([parts[1], parts[0] + parts[1], x])._graph
    found = Program(graph, ["x"])([torch.arange(8.0).reshape(2, 4)], SUPPLIED)
    assert [item.tolist() for item in found[:2]] == [[[2, 3], [6, 7]], [[2, 4], [10, 12]]]
    assert found[2].shape == (2, 4)


def test_gradients_pass_through():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (found,) = Program((mx.sym.var("x") ** 2)._graph, ["x"])([x], SUPPLIED)
    found.sum().backward()
    assert x.grad.tolist() == [2, 4]


def test_no_gradient_passes_through_a_step_without_one():
    x = torch.tensor([1.5, 2.0], requires_grad=True)
    (found,) = Program((mx.sym.round(mx.sym.var("x")) * 2)._graph, ["x"])([x], SUPPLIED)
    found.sum().backward()
    assert x.grad is None or not x.grad.any()


def test_inputs_that_are_off_are_left_out():
    dense = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=2, no_bias=True, name="fc")
    program = Program(dense._graph, ["x", "fc_weight"])
    assert program([torch.ones(1, 3), torch.ones(2, 3)], SUPPLIED)[0].tolist() == [[3, 3]]


def test_states_are_updated_in_place():
    norm = mx.sym.BatchNorm(mx.sym.var("x"), name="bn", momentum=0.5)
    names = norm.list_inputs()
    values = {"x": torch.tensor([[1.0], [3.0]]), "bn_gamma": torch.ones(1)}
    tensors = [values.get(name, torch.zeros(1)) for name in names]
    Program(norm._graph, names)(tensors, SUPPLIED)
    assert tensors[names.index("bn_moving_mean")].item() == 1.0


def test_the_node_that_fails_is_named():
    total = mx.sym.dot(mx.sym.var("x"), mx.sym.var("y"), name="product")
    program = Program(total._graph, ["x", "y"])
    with pytest.raises(mx.MXNetError, match="node 'product': dot"):
        program([torch.ones(2, 3), torch.ones(2, 3)], SUPPLIED)


def test_a_variable_without_value_is_named():
    with pytest.raises(mx.MXNetError, match="'y'"):
        Program((mx.sym.var("x") + mx.sym.var("y"))._graph, ["x"])


def test_plans_for_ever_new_shapes_are_bounded(monkeypatch):
    monkeypatch.setattr("mxnet.graph.run.program._MOST_PLANS", 3)
    # A first state, whose batch size is that of the data.
    total = mx.sym.var("x") + mx.sym.zeros(shape=(0, 2))
    program = Program(total._graph, ["x"])
    for rows in (1, 2, 3, 4, 5, 1):
        (found,) = program([torch.ones(rows, 2)], SUPPLIED)
        assert found.shape == (rows, 2)
    assert len(program._plans) == 3
