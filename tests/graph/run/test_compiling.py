"""Graphs that a compiler of torch has taken over: repeated backward passes, and what is reported.

`aot_eager` differentiates and keeps buffers as `inductor` does, and needs no C++ compiler.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import fx

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn
from mxnet.graph.lower import PlanError, Report, Setting
from mxnet.graph.run import captured
from mxnet.graph.run.captured import CapturedPlan, SecondOrder
from mxnet.graph.run.plan import Compiled
from mxnet.ops.nn import rnn as rnn_kernels

BACKENDS = [
    "aot_eager",
    pytest.param(
        "inductor",
        marks=[pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")],
    ),
]


@pytest.fixture(autouse=True)
def _without_earlier_compilations():
    torch._dynamo.reset()


def network():
    """Returns a network whose backward pass reads what is computed on the way."""
    mx.random.seed(2)
    net = nn.HybridSequential()
    net.add(nn.Dense(6, activation="tanh"), nn.BatchNorm(), nn.Dense(3, activation="sigmoid"))
    net.initialize()
    net(nd.ones((4, 5)))
    return net


def gradients(net):
    return [
        p.grad().asnumpy().copy() for p in net.collect_params().values() if p.grad_req != "null"
    ]


def assert_close(results, expected):
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
class TestRetainedGraphs:
    def expect(self, data):
        net = network()
        with autograd.record():
            loss = (net(data) ** 2).sum()
        loss.backward()
        return gradients(net)

    def test_after_a_pass_that_retained_nothing(self, backend):
        data = nd.random.uniform(shape=(4, 5))
        expected, net = self.expect(data), network()
        net.hybridize(backend=backend, strict=True)
        for retained in (False, True):
            with autograd.record():
                loss = (net(data) ** 2).sum()
            loss.backward(retain_graph=retained)
        first = gradients(net)
        loss.backward()
        assert_close(first, expected)
        assert_close(gradients(net), expected)

    def test_in_the_first_pass(self, backend):
        data = nd.random.uniform(shape=(4, 5))
        expected, net = self.expect(data), network()
        net.hybridize(backend=backend, strict=True)
        with autograd.record():
            loss = (net(data) ** 2).sum()
        for retained in (True, True, False):
            loss.backward(retain_graph=retained)
            assert_close(gradients(net), expected)


class RunOnce:
    """Stands for a capture on a device that is not here: its results are those of one run.

    So they hold for the first inputs, and for a backward pass that starts from ones.
    """

    def __init__(self, work, pool=None):
        del pool
        self.result = work()

    def replay(self):
        """Has nothing to do in the first call."""


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_call_that_finds_the_shapes_and_a_compiled_one_share_a_backward_pass(backend):
    first, second = nd.random.normal(shape=(4, 5)), nd.random.normal(shape=(4, 5))
    found = []
    for options in (None, {"backend": backend, "strict": True}):
        mx.random.seed(2)
        net = nn.HybridSequential()
        net.add(nn.Dense(6), nn.BatchNorm(), nn.Dense(1))
        net.initialize(mx.init.Xavier())
        if options is not None:
            net.hybridize(**options)
        with autograd.record():
            loss = net(first).square().mean() + net(second).square().mean()
        loss.backward()
        found.append([*gradients(net), net[1].running_mean.data().asnumpy()])
    assert_close(*found)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_compiled_plan_is_captured_with_its_backward_pass(backend, monkeypatch):
    def warm_up(work, device, states):
        del device, states
        work()  # compiles the backward pass, and does not retain the graph

    monkeypatch.setattr(captured, "Capture", RunOnce)
    monkeypatch.setattr(captured, "make_pool", lambda: None)
    monkeypatch.setattr(captured, "warm_up", warm_up)

    def compute(data, weight):
        return [torch.tanh(data * weight).exp()]

    module = fx.symbolic_trace(compute)
    compiled = Compiled(module, backend, {}, ["data", "weight"], Report("f", strict=True))
    report = Report("f", strict=True)
    setting = Setting(True, True, torch.device("cpu"), None)
    second_order = SecondOrder(lambda tensors: compute(*tensors), [], False, setting, report)
    plan = CapturedPlan(lambda tensors: compiled(*tensors), [0], [], second_order)
    data = torch.randn(3, 2, requires_grad=True)
    weight = torch.randn(2, requires_grad=True)
    (result,) = plan([data, weight])
    slopes = torch.autograd.grad(result.sum(), [data, weight])
    (expected,) = compute(data, weight)
    torch.testing.assert_close(result, expected)
    torch.testing.assert_close(slopes, torch.autograd.grad(expected.sum(), [data, weight]))


# The compiler hides this one by itself, but not where warnings are errors.
@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")
class TestOpaqueOperators:
    """Recurrent layers and loops are not compiled; what lies around them is, without a break."""

    @pytest.mark.parametrize("dropout", [0.0, 0.4])
    @pytest.mark.parametrize("layer", [rnn.LSTM, rnn.GRU, rnn.RNN])
    @pytest.mark.parametrize("backend", BACKENDS)
    def test_recurrent_layers(self, backend, layer, dropout):
        def observe(**options):
            mx.random.seed(2)
            net = nn.HybridSequential()
            net.add(nn.Embedding(9, 4), layer(5, 2, dropout=dropout, bidirectional=True))
            net.add(nn.Dense(3, flatten=False))
            net.initialize()
            data = nd.array(np.arange(12).reshape(6, 2) % 9)
            net(data)
            if options:
                net.hybridize(**options)
            mx.random.seed(3)
            results = [net(data).asnumpy()]
            for _ in range(2):
                with autograd.record():
                    loss = (net(data) ** 2).sum()
                loss.backward()
                results += [loss.asnumpy(), *gradients(net)]
            return results

        found = observe(backend=backend, fullgraph=True, strict=True)
        assert_close(found, observe())

    def test_they_run_by_their_kernels(self, monkeypatch):
        tensors = []
        lstm = torch.lstm

        def look(data, *rest):
            tensors.append(type(data))
            return lstm(data, *rest)

        monkeypatch.setitem(rnn_kernels._FUSED, "lstm", look)
        net = nn.HybridSequential()
        net.add(rnn.LSTM(3), rnn.LSTM(3))
        net.initialize()
        net.hybridize(backend="aot_eager", fullgraph=True, strict=True)
        for _ in range(3):
            net(nd.ones((4, 2, 3)))
        assert tensors == [torch.Tensor] * 6  # and none that stands for data while compiling

    def test_loops(self):
        class Powers(gluon.HybridBlock):
            def hybrid_forward(self, F, x):
                def step(item, state):
                    return item * state, state * 2

                results, state = F.contrib.foreach(step, F.tanh(x), F.ones((3,)))
                return F.broadcast_add(F.exp(results), state)

        data = nd.random.uniform(shape=(4, 3))
        block = Powers()
        expected = block(data).asnumpy()
        block.hybridize(backend="aot_eager", fullgraph=True, strict=True)
        np.testing.assert_allclose(block(data).asnumpy(), expected, rtol=1e-6)


def test_a_convolutional_network_is_compiled_without_a_break():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation("relu"), nn.Dense(2))
    net.initialize()
    data = nd.random.uniform(shape=(2, 3, 6, 6))
    expected = net(data).asnumpy()
    net.hybridize(backend="aot_eager", fullgraph=True, strict=True)
    np.testing.assert_allclose(net(data).asnumpy(), expected, rtol=1e-4, atol=1e-6)


class Critic(gluon.HybridBlock):
    """Compares what learns and what is held constant with arrays that it makes."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Dense(4, in_units=3), nn.Dense(1, in_units=4)
        self.loss = gluon.loss.SigmoidBinaryCrossEntropyLoss()

    def hybrid_forward(self, F, real, made):
        real = self.last(self.first(real))
        made = self.last(F.stop_gradient(self.first(made)))
        losses = self.loss(real, F.ones_like(real)) + self.loss(made, F.zeros_like(made))
        return (losses + (made * F.stop_gradient(real)).sum(axis=1)).mean()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch's own tracing
@pytest.mark.parametrize("limits", [{}, {"array_bytes": 10**6}], ids=["", "within limits"])
def test_joins_and_new_arrays_are_compiled_without_a_break(limits):
    net = Critic()
    net.initialize()
    real, made = nd.random.uniform(shape=(2, 3)), nd.random.uniform(shape=(2, 3))

    def step():
        with autograd.record():
            loss = net(real, made)
        loss.backward()
        return [loss.asnumpy(), *gradients(net)]

    expected = step()
    net.hybridize(backend="aot_eager", fullgraph=True, strict=True)
    with mx.limits.scope(**limits):
        assert_close(step(), expected)
        assert_close(step(), expected)


class TestReports:
    def test_a_second_compilation_is_named_once_with_its_reason(self):
        net = network()
        net.hybridize(backend="aot_eager")
        net(nd.ones((4, 5)))
        with pytest.warns(UserWarning, match=r"compiled again .*is float32 3x5, was float32 4x5"):
            net(nd.ones((3, 5)))
        net(nd.ones((2, 5)))

    def test_strict_raises_for_it(self):
        net = network()
        net.hybridize(backend="aot_eager", strict=True)
        net(nd.ones((4, 5)))
        with pytest.raises(mx.MXNetError, match=r"HybridSequential '.*dynamic=True") as caught:
            net(nd.ones((3, 5)))
        assert isinstance(caught.value, PlanError)

    def test_a_graph_for_all_lengths_is_compiled_once(self):
        net = network()
        net.hybridize(backend="aot_eager", strict=True, dynamic=True)
        for size in (4, 3, 7):
            assert net(nd.ones((size, 5))).shape == (size, 3)

    def test_a_plan_that_fails_is_given_up_with_its_reason(self, monkeypatch):
        def fail(*_, **__):
            raise RuntimeError("no such kernel\nwith details")

        monkeypatch.setattr("mxnet.graph.run.program.Plan", fail)
        net = network()
        net.hybridize()
        with pytest.warns(UserWarning, match=r"failed \(RuntimeError: no such kernel\); its op"):
            net(nd.ones((4, 5)))
        net(nd.ones((4, 5)))
        net.hybridize(strict=True)
        with pytest.raises(PlanError, match=r"HybridSequential '.*no such kernel\)$"):
            net(nd.ones((4, 5)))

    def test_strict_leaves_errors_of_operators_as_they_are(self):
        net = network()
        net.hybridize(strict=True)
        with pytest.raises(mx.MXNetError, match="FullyConnected") as caught:
            net(nd.ones((4, 6)))
        assert not isinstance(caught.value, PlanError)

    def test_strict_raises_for_a_block_that_cannot_become_a_graph(self):
        class Untraceable(gluon.HybridBlock):
            def forward(self, x):
                return x * x.asnumpy().sum()

        block = Untraceable()
        block.hybridize(strict=True)
        with pytest.raises(
            mx.MXNetError, match=r"Untraceable '.*cannot become a graph.*values of an array"
        ):
            block(nd.ones((2,)))


@pytest.mark.slow
def test_a_second_process_finds_what_the_first_has_compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    program = """
import warnings; warnings.simplefilter("ignore")
import torch, mxnet as mx
from mxnet import autograd, nd
from mxnet.gluon import nn, rnn
net = nn.HybridSequential()
net.add(nn.Dense(6, activation="tanh"), nn.BatchNorm(), nn.Dense(3))
net.initialize()
net.hybridize(backend="inductor", strict=True)
for _ in range(2):
    with autograd.record():
        loss = net(nd.ones((4, 5))).sum()
    loss.backward(retain_graph=True)
counted = torch._dynamo.utils.counters["aot_autograd"]
print(counted["autograd_cache_hit"], counted["autograd_cache_miss"])
"""
    counts = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert counts == [["0", "1"], ["1", "0"]]
