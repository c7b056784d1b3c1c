"""The point where kernels run: what is interposed there sees every operator."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.ops.core.interposing import PlannedCall, Sight, interpose, interposers
from tests.security.threads import NUM_THREADS, run_together

SOURCE = Path(mx.__file__).parent


class Counting:
    """Counts the operators that run."""

    def __init__(self):
        self.names = Counter()

    def __call__(self, op, kernel, tensors, attrs):
        self.names[op.name] += 1
        return kernel(*tensors, **attrs)


def network(hybridized=False, **flags):
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu", in_units=3), nn.Dense(2, in_units=4))
    net.initialize(mx.init.One())
    if hybridized:
        net.hybridize(**flags)
    net(nd.ones((2, 3)))
    return net


def train(net):
    x = nd.array([[1, 2, 3], [4, 5, 6]])
    with autograd.record():
        loss = (net(x) ** 2).sum()
    loss.backward()
    gradients = [parameter.grad().asnumpy() for parameter in net.collect_params().values()]
    return loss.asscalar(), gradients


LAYERS = Counter(FullyConnected=2, Activation=1)
STEP = LAYERS + Counter(_power_scalar=1, sum=1)


@pytest.mark.parametrize("hybridized", [False, True], ids=["eager", "hybridized"])
def test_every_operator_of_a_network_is_seen_and_its_results_stay(hybridized):
    net, counting = network(hybridized), Counting()
    expected = train(net)
    with interpose(counting):
        loss, gradients = train(net)
    assert counting.names == STEP
    assert loss == expected[0]
    assert all(map(np.array_equal, gradients, expected[1]))


def test_a_first_hybridized_call_is_seen_too():
    net, counting = nn.Dense(4), Counting()
    net.initialize()
    net.hybridize()
    with interpose(counting):
        net(nd.ones((2, 3)))
    assert counting.names["FullyConnected"] == 1


def test_operators_of_executors_and_loops_are_seen():
    executor = mx.sym.relu(mx.sym.var("x")).bind(mx.cpu(), {"x": nd.ones(2)})
    data, state = mx.sym.var("data"), mx.sym.var("state")
    outputs, _ = mx.sym.contrib.foreach(lambda x, s: (x + s, s * 2), data, state)
    loop = outputs.bind(mx.cpu(), {"data": nd.ones((3, 2)), "state": nd.ones(2)})
    counting = Counting()
    with interpose(counting):
        executor.forward()
        loop.forward()[0].wait_to_read()
    assert counting.names["relu"] == 1
    assert counting.names["_foreach"] == 1
    assert sum(counting.names[name] for name in ("elemwise_add", "broadcast_add")) == 3


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda x: nd.relu(x), "relu"),
        (lambda x: nd.relu(data=x), "relu"),
        (lambda x: nd.relu(x, out=nd.zeros((2, 2))), "relu"),
        (lambda x: x.sum(axis=0), "sum"),
        (lambda x: nd.dot(x, x), "dot"),
        (lambda x: x + x, "broadcast_add"),
        (lambda x: 2 / x, "_rdiv_scalar"),
        (lambda x: x.__iadd__(1), "_plus_scalar"),
        (lambda x: nd.concat(x, x), "Concat"),
        (lambda x: x.squeeze(inplace=True), "squeeze"),
        (lambda x: -x.tostype("csr") * 2, "_mul_scalar"),
        (lambda x: nd.sparse.square(x.tostype("row_sparse")), "square"),
    ],
)
def test_every_way_to_an_operator_is_seen(call, name):
    counting, x = Counting(), nd.array([[1, 2], [3, 4]])
    with interpose(counting):
        call(x)
    assert counting.names[name] == 1


def test_kernels_run_nowhere_else():
    """A new place that calls `op.kernel` would not be seen: it must ask `kernel_of`."""
    users = set()
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(
            isinstance(node, ast.Attribute) and node.attr == "kernel" for node in ast.walk(tree)
        ):
            users.add(path.relative_to(SOURCE).as_posix())
    # ONNX has windows of that name, and constants of a file that are computed while it is written.
    assert {path for path in users if not path.startswith(("ops/", "onnx/"))} == {
        "_arrays/invoke.py",  # looks at `interposers` first, as do
        "_arrays/straight.py",
        "graph/lower/lowering.py",  # for `Program.run` and `Interpreter`, which look
        "graph/fused/compute.py",  # parts of a fused layer, which is seen as a whole
        "ndarray/_sparse_dispatch.py",  # checks attributes, on tensors without data
    }


def test_the_function_decides_what_is_computed():
    def in_double(op, kernel, tensors, attrs):
        assert op.name == "dot"
        return kernel(*(tensor.double() for tensor in tensors), **attrs).float()

    x = nd.array([[1e4, 1], [1, 1e-4]])
    x.attach_grad()
    with interpose(in_double), autograd.record():
        y = nd.dot(x, x)
    y.backward()
    exact = x.asnumpy().astype("float64") @ x.asnumpy().astype("float64")
    assert np.array_equal(y.asnumpy(), exact.astype("float32"))
    assert x.grad.shape == (2, 2)


def test_attributes_reach_the_function():
    seen = []

    def note(op, kernel, tensors, attrs):
        seen.append((op.name, len(tensors), dict(attrs)))
        return kernel(*tensors, **attrs)

    x = nd.ones((2, 3))
    with interpose(note):
        x.sum(axis=1, keepdims=True)
    assert seen == [("sum", 1, {"axis": (1,), "keepdims": True})]


def test_the_last_interposed_is_the_outermost():
    order = []

    def named(name):
        def function(_, kernel, tensors, attrs):
            order.append(f"{name} begins")
            result = kernel(*tensors, **attrs)
            order.append(f"{name} ends")
            return result

        return function

    x = nd.ones(2)
    with interpose(named("inner")), interpose(named("outer")):
        nd.relu(x)
    assert order == ["outer begins", "inner begins", "inner ends", "outer ends"]


def test_a_function_that_is_interposed_twice_is_removed_once_for_each():
    counting, x = Counting(), nd.ones(2)
    with interpose(counting):
        with interpose(counting):
            nd.relu(x)
        nd.relu(x)
    nd.relu(x)
    assert counting.names == {"relu": 3}


@pytest.mark.parametrize("hybridized", [False, True])
def test_what_the_function_raises_is_raised_and_it_is_removed(hybridized):
    class PlannedError(Exception):
        pass

    def fail(*_):
        raise PlannedError

    net = network(hybridized)
    expected = net(nd.ones((2, 3))).asnumpy()
    with pytest.raises(PlannedError), interpose(fail):
        net(nd.ones((2, 3)))
    assert interposers == []
    assert np.array_equal(net(nd.ones((2, 3))).asnumpy(), expected)


def test_an_error_of_a_kernel_names_the_operator():
    with interpose(Counting()), pytest.raises(mx.MXNetError, match="dot"):
        nd.dot(nd.ones((2, 3)), nd.ones((2, 3)))


def test_removal_restores_the_fast_path():
    net, x, counting = network(hybridized=True), nd.ones((2, 3)), Counting()

    def count_calls():
        calls = []
        sys.setprofile(lambda frame, event, _: calls.append(event == "call" and frame.f_code))
        nd.relu(x), x + 1, net(x)
        sys.setprofile(None)
        return [code for code in calls if code]

    count_calls()
    expected = count_calls()
    with interpose(counting):
        assert len(count_calls()) > len(expected)
    assert counting.names == LAYERS + Counter(relu=1, _plus_scalar=1)
    assert count_calls() == expected


def test_operators_of_all_threads_are_seen():
    seen = []

    def work(number):
        for _ in range(20):
            nd.relu(nd.ones(number + 1))

    def note(op, kernel, tensors, attrs):
        seen.append(op.name)  # appending is atomic, counting is not
        return kernel(*tensors, **attrs)

    with interpose(note):
        run_together(work)
    assert Counter(seen) == dict.fromkeys(("_ones", "relu"), 20 * NUM_THREADS)


def test_a_loss_of_gluon_is_seen_node_by_node():
    counting, loss_of = Counting(), gluon.loss.SoftmaxCrossEntropyLoss()
    loss_of.hybridize()
    data, label = nd.array(np.eye(3)), nd.array([0, 1, 2])
    expected = loss_of(data, label).asnumpy()
    with interpose(counting):
        result = loss_of(data, label).asnumpy()
    assert counting.names["log_softmax"] == counting.names["pick"] == 1
    np.testing.assert_allclose(result, expected, rtol=1e-6)


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}], ids=str)
def test_planned_calls_are_seen_after_the_passes(flags):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(2, 3, in_channels=1), nn.BatchNorm(in_channels=2), nn.Activation("relu"))
        net.add(nn.Dropout(0.5))
    net.initialize()
    net.hybridize(**flags)
    x = nd.random.uniform(shape=(1, 1, 5, 5))
    expected, seen = net(x).asnumpy(), []

    def note(call, kernel, tensors, attrs):
        seen.append(call)
        return kernel(*tensors, **attrs)

    with interpose(note, graphs=Sight.PLANNED_CALLS):
        result = net(x).asnumpy()
    names = ["Convolution", "BatchNorm", "Activation"]
    assert [name for call in seen for name in call.name.split(",")] == names
    assert seen[0].nodes[:2] == ("net_conv0_fwd", "net_batchnorm0_fwd")
    assert isinstance(seen[0], PlannedCall)
    np.testing.assert_allclose(result, expected, rtol=1e-5)


def test_a_merged_loss_names_all_its_operators():
    counting, loss_of = Counting(), gluon.loss.SoftmaxCrossEntropyLoss()
    loss_of.hybridize()
    with interpose(counting, graphs=Sight.PLANNED_CALLS):
        loss_of(nd.array(np.eye(3)), nd.array([0, 1, 2]))
    assert counting.names == {"log_softmax,pick,_mul_scalar,mean": 1}


def test_graphs_that_are_not_to_be_seen_run_as_ever():
    net, x, counting = network(hybridized=True), nd.ones((2, 3)), Counting()
    with interpose(counting, graphs=Sight.NOTHING):
        net(x).relu()
    assert counting.names == {"relu": 1}


def test_who_replaces_kernels_and_who_looks_on_see_the_same_operators():
    net, x, first, second = network(hybridized=True), nd.ones((2, 3)), Counting(), Counting()
    with interpose(first, graphs=Sight.PLANNED_CALLS), interpose(second):
        net(x)
    assert first.names == second.names == LAYERS
