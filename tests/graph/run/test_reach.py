"""Which results of a graph depend on which of its inputs."""

from __future__ import annotations

import pytest

import mxnet as mx
from mxnet.graph.run import Reach
from mxnet.graph.run.reach import _find_users, _pick_bits


def test_users_of_variables():
    a, b, c = (mx.sym.var(name) for name in "abc")
    group = mx.sym.Group([a + b, mx.sym.relu(b), b * mx.sym.relu(c), a + b])
    assert _find_users(group._graph) == {"a": 0b1001, "b": 0b1111, "c": 0b0100}


def test_variables_of_one_name_count_together():
    group = mx.sym.Group([mx.sym.relu(mx.sym.var("a")), mx.sym.tanh(mx.sym.var("a"))])
    assert _find_users(group._graph) == {"a": 0b11}


def test_only_inputs_that_some_results_leave_out_are_kept():
    a, b = mx.sym.var("a"), mx.sym.var("b")
    group = mx.sym.Group([a + b, mx.sym.relu(b), mx.sym.tanh(b)])
    assert Reach(group._graph, ["a", "b", "unused"])._inputs == [(0, 0b001)]


@pytest.mark.parametrize(
    ("bits", "positions", "picked"),
    [(0b101, [0, 1, 2], 0b101), (0b101, [0, 2], 0b11), (0b101, [1], 0), (0b100, [2], 1)],
)
def test_picked_bits_move_together(bits, positions, picked):
    assert _pick_bits(bits, positions) == picked
