"""Lengths of constants that are those of inputs."""

from __future__ import annotations

import pytest

import mxnet as mx
from mxnet.errors import MXNetError
from mxnet.graph.infer import Axis, is_open, trace_lengths


def lengths_of(symbol, **shapes):
    (attrs,) = trace_lengths(symbol._graph, shapes, {}).values()
    return attrs["shape"]


def test_a_length_is_that_of_an_axis_of_an_input():
    data = mx.sym.var("data")
    added = mx.sym.elemwise_add(mx.sym.transpose(data), mx.sym.zeros((0, 3)))
    assert lengths_of(added, data=(3, 5)) == (Axis("data", 1), 3)


def test_a_length_that_never_changes_is_a_number():
    constant = mx.sym.elemwise_add(mx.sym.zeros((0, 3)), mx.sym.ones((4, 3)))
    both = mx.sym.Group([constant, mx.sym.var("data")])
    assert lengths_of(both, data=(7,)) == (4, 3)


def test_a_length_that_is_computed_is_refused():
    data = mx.sym.var("data")
    flat = mx.sym.reshape(data, shape=(-1,))
    with pytest.raises(MXNetError, match="depends on the data"):
        lengths_of(mx.sym.elemwise_add(flat, mx.sym.zeros((0,))), data=(3, 5))


def test_constants_of_known_shape_are_not_open():
    graph = mx.sym.zeros((2, 3))._graph
    assert not any(is_open(node) for node in graph.nodes)
