"""The graph of what was recorded: `autograd.get_symbol`."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd


def record():
    x, w, b = nd.array([[1, -2, 3], [4, 5, -6]]), nd.ones((4, 3)), nd.ones(4)
    x.attach_grad()
    w.attach_grad()
    with autograd.record():
        y = nd.FullyConnected(x, w, b, num_hidden=4)
        z = nd.relu(y) * 2 + x.sum() - 1
        part = nd.split(z[0:1].reshape((2, 2)), 2, axis=1)[1]
    return (x, w, b), (y, z, part)


def test_names_are_those_of_the_original():
    _, (y, z, _) = record()
    for array, last in ((y, "node_0"), (z, "node_5")):
        graph = autograd.get_symbol(array)
        assert graph.list_arguments() == ["var0", "var1", "null2"]
        assert graph.list_outputs() == [f"{last}_output"]


def test_the_graph_computes_the_array():
    inputs, results = record()
    for array in results:
        graph = autograd.get_symbol(array)
        names = dict(zip(["var0", "var1", "null2"], inputs, strict=True))
        np.testing.assert_allclose(
            graph.eval(ctx=mx.cpu(), **names)[0].asnumpy(), array.asnumpy(), rtol=1e-6
        )


def test_a_variable_is_itself():
    (x, _, _), _ = record()
    assert autograd.get_symbol(x).list_arguments() == ["var0"]


def test_states_are_auxiliary():
    x, ones, zeros = nd.ones((2, 3)), nd.ones(3), nd.zeros(3)
    x.attach_grad()
    with autograd.record():
        y = nd.BatchNorm(x, ones, zeros, nd.zeros(3), nd.ones(3))
    graph = autograd.get_symbol(y)
    assert graph.list_arguments() == ["var0", "null1", "null2"]
    assert graph.list_auxiliary_states() == ["null3", "null4"]


@pytest.mark.parametrize("other", [nd.ones(2), 3])
def test_what_is_in_no_graph_is_refused(other):
    with pytest.raises(mx.MXNetError, match="get_symbol"):
        autograd.get_symbol(other)


def test_a_used_up_graph_is_gone():
    _, (y, z, _) = record()
    z.backward()
    with pytest.raises(mx.MXNetError, match="get_symbol"):
        autograd.get_symbol(z)
    del y
