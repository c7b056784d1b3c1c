"""Graphs that run one operator at a time, with functions that look on."""

import pytest
import torch

import mxnet as mx
from mxnet.graph.lower import Interpreter, NodeError, Setting, lower

PREDICT = Setting(False, False, torch.device("cpu"), None)


def lowered(symbol):
    return lower(symbol._graph, symbol.list_inputs(), PREDICT, {})


def doubled_square():
    return mx.sym.elemwise_add(*[mx.sym.square(mx.sym.var("x"), name="s")] * 2, name="sum")


def test_runs_a_graph():
    (result,) = Interpreter(lowered(doubled_square())).run(torch.tensor([3.0]))
    assert result.tolist() == [18.0]


def test_after_sees_what_each_node_computed():
    seen = []
    run = Interpreter(
        lowered(doubled_square()), after=lambda node, out: seen.append((node.name, out.tolist()))
    )
    run.run(torch.tensor([3.0]))
    assert seen == [("s", [9.0]), ("sum", [18.0])]


def test_before_chooses_the_arguments_of_one_call():
    def before(node, args):
        return (args[0], torch.zeros(1)) if node.name == "sum" else args

    (result,) = Interpreter(lowered(doubled_square()), before=before).run(torch.tensor([3.0]))
    assert result.tolist() == [9.0]


def test_resolve_replaces_a_value_for_all_that_read_it():
    def resolve(call, node, known):
        if node.name == "s":
            known[call.args[0]] = torch.tensor([2.0])

    (result,) = Interpreter(lowered(doubled_square()), resolve=resolve).run(None)
    assert result.tolist() == [8.0]


def test_note_sees_every_value_also_those_of_no_node():
    noted = []
    run = Interpreter(lowered(doubled_square()), note=lambda call, _: noted.append(call.op))
    run.run(torch.tensor([3.0]))
    assert noted == ["placeholder", "call_function", "call_function", "output"]


def test_an_error_names_the_node_and_what_it_read():
    symbol = mx.sym.elemwise_add(mx.sym.var("a"), mx.sym.var("b"), name="total")
    with pytest.raises(NodeError, match=r"node 'total': .*\n  inputs: lhs \(2,\), rhs \(3,\)"):
        Interpreter(lowered(symbol)).run(torch.ones(2), torch.ones(3))


def test_an_error_of_a_function_is_raised_as_it_is():
    def fail(*_):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        Interpreter(lowered(doubled_square()), after=fail).run(torch.ones(1))
