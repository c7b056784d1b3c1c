"""What clients reach for inside of Gluon: nested arguments, graphs of blocks, where names are."""

from __future__ import annotations

import pytest

import mxnet as mx
from mxnet.gluon import nn
from mxnet.gluon.block import _flatten, _regroup


def test_nested_arguments_are_taken_apart_and_put_together():
    a, b, c = (mx.nd.full((1,), value) for value in range(3))
    items, form = _flatten((a, [None, (b,)], [], c), "input")
    assert form == [0, [-1, [0]], [], 0]
    assert [item if item is None else item.asscalar() for item in items] == [0, None, 1, 2]
    assert _regroup(items, form) == [a, [None, [b]], [], c]
    assert _flatten(a, "input") == ([a], 0)


def test_symbols_count_their_outputs():
    x = mx.sym.var("x")
    parts = mx.sym.split(x, num_outputs=2, axis=0)
    assert _flatten([x, parts], "output") == ([x, parts], [0, 2])
    assert _regroup([1, 2, 3, 4], [0, [0, 2]]) == [1, [2, [3, 4]]]


def test_other_things_are_refused():
    with pytest.raises(ValueError, match=r"input of a hybridized block.*got 3 of type int"):
        _flatten([mx.nd.ones(1), 3], "input")
    with pytest.raises(ValueError, match="got None at first"):
        _regroup([1], -1)


def test_a_hybridized_block_shows_its_graph_after_a_call():
    net = nn.Dense(2, in_units=3, prefix="fc_")
    net.initialize()
    net.hybridize()
    assert net._cached_graph == ()
    net(mx.nd.ones((1, 3)))
    inputs, output = net._cached_graph
    assert [item.name for item in inputs] == ["data"]
    assert output.list_arguments() == ["data", "fc_weight", "fc_bias"]
    net._clear_cached_op()
    assert net._cached_graph == ()


def test_clearing_the_graph_lets_a_changed_attribute_count():
    class Scale(nn.HybridBlock):
        factor = 2

        def hybrid_forward(self, F, x):
            return F.identity(x) * self.factor

    net = Scale()
    net.hybridize()
    assert net(mx.nd.ones(1)).asscalar() == 2
    net.factor = 3
    net._clear_cached_op()
    assert net(mx.nd.ones(1)).asscalar() == 3


def test_names_are_where_programs_import_them_from():
    assert mx.gluon.block.SymbolBlock is mx.gluon.SymbolBlock
    assert mx.gluon.tensor_types == (mx.sym.Symbol, mx.nd.NDArray)
    assert mx.metric.ndarray is mx.nd
    assert mx.nd.ndarray.array is mx.nd.array
    assert mx.nd.utils.zeros is mx.nd.zeros
    assert not mx.gluon.loss.is_np_array()
