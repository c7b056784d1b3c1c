"""What is computed while `mxnet._deferred_compute` is on becomes a graph that computes the same."""

from __future__ import annotations

import threading

import numpy as onp
import pytest

import mxnet as mx
import mxnet._deferred_compute as dc
from mxnet import gluon
from mxnet.gluon import nn


def record(function, *arrays):
    """Returns results, and those of the graph that was recorded."""
    names = [f"x{i}" for i in range(len(arrays))]
    is_np = isinstance(arrays[0], mx.np.ndarray)
    variables = [mx.sym.var(name) for name in names]
    if is_np:
        variables = [item.as_np_ndarray() for item in variables]
    dc.set_variable(list(arrays), variables)
    with dc.context():
        results = function(*arrays)
    cls = mx.sym.np._Symbol if is_np else mx.sym.Symbol
    graph = dc.get_symbol(results, sym_cls=cls)
    given = dict(zip(names, arrays, strict=True))
    given = {name: given[name] for name in graph.list_inputs()}
    return results, graph._bind(mx.cpu(), args=given).forward()


CLASSIC = {
    "arithmetic": lambda x: [2 - x * (x + 1), -x, x > 3],
    "views": lambda x: [x[1], x[:, 1:2], x.reshape((0, -1))[0], x.T, x.flatten(), x.detach()],
    "made inside": lambda x: [x + mx.nd.arange(4), x * mx.nd.ones((3, 1)), mx.nd.zeros(2) + 1],
    "several outputs": lambda x: [mx.nd.split(x, 2, axis=1)[1]],
    "moved": lambda x: [(x.as_in_context(mx.cpu(1)) - 1).as_in_context(mx.cpu())],
    "converted": lambda x: [x.astype("int32") + 1, x.copy(), x.as_np_ndarray().as_nd_ndarray()],
    "methods": lambda x: [x.sum(axis=1), x.expand_dims(0), x.broadcast_to((2, 3, 4)), abs(x)],
}
NUMPY = {
    "arithmetic": lambda x: [2 - x @ x.T, -x, x // 2, x % 3],
    "views": lambda x: [x[1], x[..., None], x[-1, ::2], x.reshape(4, 3)[0], x.T[1:]],
    "by an array": lambda x: [x[mx.np.arange(2).astype("int32")]],
    "by a mask": lambda x: [x[x > 3], x[x[:, 0] > 2]],
    "of values": lambda x: [mx.np.flatnonzero(x)],
    "moved": lambda x: [(x.to_device(mx.cpu(1)) - 1).to_device(mx.cpu())],
    "methods": lambda x: [x.mean(), mx.np.concatenate([x, x]), mx.np.tril(x, -1)],
}


@pytest.mark.parametrize("name", CLASSIC)
def test_graphs_of_classic_arrays(name):
    found, repeated = record(CLASSIC[name], mx.nd.arange(12).reshape((3, 4)))
    for one, other in zip(found, repeated, strict=True):
        assert type(one) is mx.nd.NDArray
        onp.testing.assert_array_equal(one.asnumpy(), other.asnumpy())


@pytest.mark.parametrize("name", NUMPY)
def test_graphs_of_numpy_arrays(name):
    with mx.util.np_shape(True):
        found, repeated = record(NUMPY[name], mx.np.arange(12).reshape((3, 4)))
    for one, other in zip(found, repeated, strict=True):
        assert type(one) is mx.np.ndarray
        onp.testing.assert_array_equal(one.asnumpy(), other.asnumpy())


def test_graphs_compute_with_other_values():
    x = mx.nd.arange(6).reshape((2, 3))
    dc.set_variable(x, mx.sym.var("x"))
    with dc.context():
        y = mx.nd.softmax(x[0] * 2)
        assert (y.asnumpy() <= 1).all(), "values are there while it is recorded"
    graph = dc.get_symbol(y)
    other = mx.nd.array([[1, 1, 1], [5, 6, 7]])
    onp.testing.assert_allclose(graph.eval(x=other)[0].asnumpy(), onp.full(3, 1 / 3), rtol=1e-6)


def test_parameters_are_variables_of_their_names():
    net = nn.HybridSequential()
    net.add(nn.Dense(3, activation="relu"), nn.BatchNorm(), nn.Dense(2))
    net.initialize()
    x = mx.nd.random.uniform(shape=(4, 5))
    expected = net(x).asnumpy()
    dc.set_variable(x, mx.sym.var("data"))
    for hybridized in (False, True):
        net.hybridize(hybridized)
        with dc.context():
            y = net(x)
        graph = dc.get_symbol(y)
        assert set(graph.list_inputs()) == {"data", *net.collect_params()}
        block = gluon.SymbolBlock(graph, mx.sym.var("data"), params=net.collect_params())
        onp.testing.assert_allclose(block(x).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    assert type(net[0].weight.data()) is mx.nd.NDArray


def test_each_context_says_whether_it_records():
    x = mx.nd.ones(2)
    dc.set_variable(x, mx.sym.var("x"))
    assert not dc.is_deferred_compute()
    with dc.context():
        assert dc.is_deferred_compute()
        y = x + 1
        with dc.context(False):
            assert not dc.is_deferred_compute()
            outside = y + 1
            assert type(y) is mx.nd.NDArray
        inside = y * 3
    assert not dc.is_deferred_compute()
    assert dc.get_symbol(inside).list_inputs() == ["x"]
    with pytest.raises(mx.MXNetError, match="neither a variable nor a recorded result"):
        dc.get_symbol(outside)


def test_it_is_on_while_a_block_is_hybridized():
    states = []

    class Net(gluon.HybridBlock):
        def forward(self, x):
            states.append(dc.is_deferred_compute())
            return x + 1

    net = Net()
    net(mx.nd.ones(2))
    net.hybridize()
    net(mx.nd.ones(2))
    assert states == [False, True]


def test_a_thread_records_for_itself():
    seen = []
    with dc.context():
        thread = threading.Thread(target=lambda: seen.append(dc.is_deferred_compute()))
        thread.start()
        thread.join()
    assert seen == [False]


def test_gradients_are_recorded_beside_the_graph():
    x = mx.nd.array([1, 2])
    x.attach_grad()
    dc.set_variable(x, mx.sym.var("x"))
    with mx.autograd.record(), dc.context():
        y = (x * x)[1:]
    y.backward()
    assert x.grad.asnumpy().tolist() == [0, 4]
    assert dc.get_symbol(y).list_inputs() == ["x"]


MISTAKES = {
    "in place": (lambda x: x.__iadd__(1), "changed in place"),
    "elements": (lambda x: x.__setitem__(0, 1), "changed in place"),
    "out": (lambda x: mx.nd.exp(x, out=x), "changed in place"),
    "copied to": (lambda x: x.copyto(x), "changed in place"),
    "foreign": (lambda x: x + mx.nd.array([1, 2]), "neither a variable nor"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_what_a_graph_cannot_hold_raises(name):
    function, message = MISTAKES[name]
    x = mx.nd.ones(2)
    dc.set_variable(x, mx.sym.var("x"))
    with dc.context(), pytest.raises(mx.MXNetError, match=message):
        function(x)
    assert type(x) is mx.nd.NDArray
    x += 1
    assert x.asnumpy().tolist() == [2, 2]


def test_variables_are_checked():
    x, y = mx.nd.ones(2), mx.sym.var("y")
    dc.set_variable(x, y)
    dc.set_variable(x, y)
    with pytest.raises(mx.MXNetError, match="'y' in the graph already"):
        dc.set_variable(x, mx.sym.var("z"))
    with pytest.raises(mx.MXNetError, match="is not a variable"):
        dc.set_variable(mx.nd.ones(2), y + 1)
    with pytest.raises(mx.MXNetError, match="takes dense arrays, got CSRNDArray"):
        dc.set_variable(mx.nd.sparse.zeros("csr", (2, 2)), y)
    dc.clear([x])
    with pytest.raises(mx.MXNetError, match="neither a variable"):
        dc.get_symbol(x)


def test_out_takes_an_array_that_has_no_place_yet():
    x, out = mx.nd.ones(2), mx.nd.zeros(2)
    dc.set_variable(x, mx.sym.var("x"))
    with dc.context():
        mx.nd.exp(x, out=out)
    assert dc.get_symbol(out).list_inputs() == ["x"]
    onp.testing.assert_allclose(out.asnumpy(), onp.e, rtol=1e-6)
