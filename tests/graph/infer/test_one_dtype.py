"""Dtypes that are told without visits are those that visits find."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.graph.infer import infer_types
from mxnet.graph.infer.types import _Inference
from mxnet.graph.infer.work_list import Session, Uniform
from mxnet.graph.ir import Entry


def make_lstm():
    cell = mx.rnn.LSTMCell(4, prefix="lstm_")
    return cell.unroll(3, mx.sym.var("data"), merge_outputs=True)[0]


def make_two_parts():
    return mx.sym.Group([mx.sym.tanh(mx.sym.var("data")), mx.sym.exp(mx.sym.var("y"))])


def make_joined_parts():
    x, y = mx.sym.var("data"), mx.sym.var("y")
    return mx.sym.Group([mx.sym.tanh(x), mx.sym.exp(y), x * y])


def make_chain_of_groups():
    x, y = mx.sym.var("data"), mx.sym.var("y")
    return mx.sym.Group([x * 2, x + y, mx.sym.transpose(y)])


SYMBOLS = {
    "an LSTM": make_lstm,
    "two parts": make_two_parts,
    "parts that the last output joins": make_joined_parts,
    "outputs one after the other": make_chain_of_groups,
    "a cast": lambda: mx.sym.cast(mx.sym.var("data"), "float16") + mx.sym.var("y"),
    "a normalization": lambda: mx.sym.BatchNorm(mx.sym.var("data")),
    "an embedding": lambda: mx.sym.Embedding(mx.sym.var("data"), input_dim=3, output_dim=2),
    "numbers": lambda: mx.sym.var("data") + mx.sym.zeros((2,), dtype="float64"),
    "numbers of an unknown type": lambda: mx.sym._internal._zeros_without_dtype(
        shape=(2,), dtype=-1
    ),
    "a declared type": lambda: mx.sym.var("data") * mx.sym.var("y", dtype="float64"),
    "a variable": lambda: mx.sym.var("data"),
}


@pytest.mark.parametrize("name", SYMBOLS)
@pytest.mark.parametrize("given", [{}, {"data": torch.float32}, {"data": torch.float16}])
def test_they_agree_with_visits(name, given):
    nodes = SYMBOLS[name]()._graph.nodes
    told = infer_types(nodes, given)
    declared = {"y": torch.float64} if name == "a declared type" else {}
    known = {n: (given | declared)[n.name] for n in nodes.variables if n.name in given | declared}
    visited = _Inference(nodes, Session(nodes)).run(known)
    entries = [Entry(node, output) for node in nodes for output in range(node.num_outputs)]
    assert [told.get(entry) for entry in entries] == [visited.get(entry) for entry in entries]
    assert dict(told) == dict(visited)
    assert len(told) == len(visited)


@pytest.mark.parametrize("name", ["an LSTM", "parts that the last output joins"])
def test_a_graph_of_one_dtype_needs_no_visits(name):
    if name == "parts that the last output joins":
        given, symbol = {"data": torch.float32}, mx.sym.var("data") * mx.sym.var("y")
    else:
        given, symbol = {}, make_lstm()
    assert isinstance(infer_types(symbol._graph.nodes, given), Uniform)


def test_integers_are_left_to_the_kernels():
    x = mx.sym.var("x")
    assert mx.sym.sqrt(x).infer_type(x="int32")[1] != [None]
    assert not isinstance(infer_types((x + x)._graph.nodes, {"x": torch.int32}), Uniform)


def test_entries_of_other_graphs_have_no_dtype():
    types = infer_types(make_lstm()._graph.nodes, {})
    stranger = Entry(mx.sym.var("data")._graph.nodes[0])
    assert types.get(stranger) is None
    assert stranger not in types
    with pytest.raises(KeyError):
        types[stranger]


def test_types_of_several_parts_are_told_apart():
    types = make_two_parts().infer_type(data="float16", y="float64")[1]
    assert types == [np.float16, np.float64]
