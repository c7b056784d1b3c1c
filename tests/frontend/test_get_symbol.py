"""The graph of what was recorded: `autograd.get_symbol`."""

from __future__ import annotations

import json

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


def operators(array):
    """The operators of the graph of an array, in order, with what each reads."""
    nodes = json.loads(autograd.get_symbol(array).tojson())["nodes"]
    return [
        (node["op"], *(tuple(source[:2]) for source in node["inputs"]))
        for node in nodes
        if node["op"] != "null"
    ]


def written(call, shape=(1, 4), count=1):
    """Records `call(x, outs)`, which writes to arrays, and returns what is computed from these."""
    x = nd.array([[1, -2, 3, 4]])
    x.attach_grad()
    outs = [nd.zeros(shape) for _ in range(count)]
    with autograd.record():
        call(x, outs)
        return x, sum((out * 2 for out in outs[1:]), outs[0] * 2)


def test_a_result_written_to_an_array_keeps_its_operator():
    _, z = written(lambda x, outs: nd.relu(x, out=outs[0]))
    assert operators(z) == [("relu", (0, 0)), ("_mul_scalar", (1, 0))]


def test_several_results_written_to_arrays_are_outputs_of_one_node():
    x, z = written(lambda x, outs: nd.split(x, 2, axis=1, out=outs), (1, 2), 2)
    assert operators(z) == [
        ("SliceChannel", (0, 0)),
        ("_mul_scalar", (1, 0)),
        ("_mul_scalar", (1, 1)),
        ("broadcast_add", (2, 0), (3, 0)),
    ]
    result = autograd.get_symbol(z).eval(ctx=mx.cpu(), var0=x)[0]
    assert result.asnumpy().tolist() == z.asnumpy().tolist() == [[8, 4]]


def test_several_results_written_to_arrays_are_used_up_together():
    x = nd.array([[1, -2, 3, 4]])
    x.attach_grad()
    outs = [nd.zeros((1, 2)), nd.zeros((1, 2))]
    with autograd.record():
        nd.split(x, 2, axis=1, out=outs)
    outs[0].backward()
    with autograd.record():
        y = outs[1] * x[:, :2]
    y.backward()
    assert x.grad.asnumpy().tolist() == [[3, 4, 0, 0]]


@pytest.mark.parametrize(
    "call",
    [
        lambda x, outs: nd.relu(x).copyto(outs[0]),
        lambda x, outs: outs[0].__setitem__(slice(None), nd.relu(x)),
        lambda x, outs: outs.__setitem__(0, nd.relu(x).copy()),
        lambda x, outs: outs.__setitem__(0, nd.relu(x).as_in_context(mx.cpu(1))),
    ],
    ids=["copyto", "assignment", "copy", "as_in_context"],
)
def test_a_copy_keeps_what_it_copies(call):
    _, z = written(call)
    assert operators(z) == [("relu", (0, 0)), ("_copy", (1, 0)), ("_mul_scalar", (2, 0))]


def test_an_assignment_that_broadcasts_says_so():
    x, z = written(lambda x, outs: outs[0].__setitem__(slice(None), nd.relu(x)), (2, 4))
    assert [name for name, *_ in operators(z)] == ["relu", "broadcast_to", "_copy", "_mul_scalar"]
    assert autograd.get_symbol(z).eval(ctx=mx.cpu(), var0=x)[0].shape == (2, 4)


def test_an_update_written_to_an_array_is_a_node_if_its_gradient_is_recorded():
    weight = nd.ones((1, 4))
    _, z = written(lambda x, outs: nd.sgd_update(weight, x * 2, lr=0.1, out=outs[0]))
    assert operators(z) == [
        ("_mul_scalar", (1, 0)),
        ("sgd_update", (0, 0), (2, 0)),
        ("_mul_scalar", (3, 0)),
    ]


def test_what_is_computed_from_constants_alone_is_a_constant():
    x, weight, gradient = nd.ones((1, 4)), nd.ones((1, 4)), nd.ones((1, 4))
    x.attach_grad()
    with autograd.record():
        nd.sgd_update(weight, gradient, lr=0.1, out=weight)
        z = x * weight * nd.sgd_update(weight, gradient, lr=0.1)
    graph = autograd.get_symbol(z)
    assert [name for name, *_ in operators(z)] == ["broadcast_mul", "broadcast_mul"]
    assert graph.list_arguments() == ["var0", "null1", "null2"]


def test_a_written_result_has_the_gradient_of_its_operator():
    x, z = written(lambda x, outs: nd.relu(x, out=outs[0]))
    z.backward()
    assert x.grad.asnumpy().tolist() == [[2, 0, 2, 2]]


@pytest.mark.parametrize("first_call", [True, False])
def test_a_hybridized_block_shows_its_operators(first_call):
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(3), mx.gluon.nn.BatchNorm(), mx.gluon.nn.Dense(1))
    net.initialize()
    net.hybridize(inline_limit=3)  # a larger graph is one node
    x = nd.array([[1, -2, 3], [4, 5, -6]])
    x.attach_grad()
    if not first_call:
        net(x)
    with autograd.record():
        y = net(x)
        z = y * 2 + net(x)
    graph = autograd.get_symbol(z)
    layers = ["FullyConnected", "BatchNorm", "FullyConnected"]
    assert [name for name, *_ in operators(z)] == [
        *(*layers, "_mul_scalar", *layers),
        "broadcast_add",
    ]
    assert graph.list_arguments() == [f"var{number}" for number in range(7)]
    assert graph.list_auxiliary_states() == ["null7", "null8"]
    parameters = [item.data() for item in net.collect_params().values()]
    trained = [item for item in parameters if item.grad is not None]
    names = zip(graph.list_arguments(), [x, *trained], strict=True)
    states = dict(zip(["null7", "null8"], [p for p in parameters if p.grad is None], strict=True))
    executor = graph.bind(mx.cpu(), dict(names), aux_states=states)
    expected = 3 * net(x).asnumpy()
    np.testing.assert_allclose(executor.forward()[0].asnumpy(), expected, rtol=1e-5)


def test_one_result_of_several_of_a_hybridized_block():
    class Two(mx.gluon.nn.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.relu(x), F.sin(x) + 1

    net = Two()
    net.hybridize(inline_limit=3)
    x = nd.array([1, -2])
    x.attach_grad()
    with autograd.record():
        first, second = net(x)
    assert [name for name, *_ in operators(first)] == ["relu"]
    assert [name for name, *_ in operators(second)] == ["sin", "_plus_scalar"]
