"""Source of lowered graphs: no names of files in it, and gone when its plan is."""

from __future__ import annotations

import gc
import linecache
import re
import traceback
import weakref

import numpy as np
import pytest
import torch
from torch.fx import graph_module

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn
from mxnet.graph.lower import Setting, as_module, compile_graph, lower
from mxnet.graph.lower.code import Source
from mxnet.graph.lower.modules import _forget

X = mx.nd.ones((2, 3))
PREDICT = Setting(training=False, recording=False, device=torch.device("cpu"), generator=None)


def count_sources() -> tuple[int, int]:
    """Counts the generated sources that torch and Python keep."""
    gc.collect()
    kept = [path for path in linecache.cache if path.startswith("<")]
    return len(kept), len(graph_module._loader.eval_cache)


def make_net() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.BatchNorm(), nn.Dropout(0.5), nn.Dense(2))
    net.initialize()
    net.hybridize()
    return net


def lowered(symbol: mx.sym.Symbol, setting: Setting = PREDICT):
    return lower(symbol._graph, symbol.list_inputs(), setting, {})


class TestSources:
    def test_of_hybridized_networks(self):
        make_net()(X)
        before = count_sources()
        for _ in range(50):
            net = make_net()
            net(X)
            with mx.autograd.record():
                net(X).backward()
        del net
        assert count_sources() <= before

    def test_of_executors(self):
        symbol = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=2, name="fc")
        symbol.simple_bind(mx.cpu(), x=(2, 3)).forward()
        before = count_sources()
        for _ in range(50):
            executor = symbol.simple_bind(mx.cpu(), x=(2, 3))
            executor.forward(is_train=True)
            executor.backward(mx.nd.ones((2, 2)))
        del executor
        assert count_sources() <= before

    def test_of_modules_of_torch(self):
        net = make_net()
        net(X)
        before = count_sources()
        for _ in range(20):
            net.to_fx(X)
        assert count_sources() <= before

    def test_leave_with_the_function(self):
        run = compile_graph((graph := lowered(mx.sym.relu(mx.sym.var("x")))).graph, graph)
        path = run.__func__.__code__.co_filename
        assert "return [" in "".join(linecache.getlines(path))
        del run
        assert path not in linecache.cache

    def test_are_in_tracebacks_while_the_plan_lives(self):
        graph = lowered(mx.sym.dot(mx.sym.var("x"), mx.sym.var("y")))
        run = compile_graph(graph.graph, graph)
        with pytest.raises(RuntimeError) as caught:
            run(torch.ones(2, 3), torch.ones(2, 3))
        lines = traceback.extract_tb(caught.value.__traceback__)
        assert any("(input_0, input_1" in line.line for line in lines)

    def test_of_a_torch_that_keeps_them_elsewhere(self, monkeypatch):
        root = lowered(mx.sym.relu(mx.sym.var("x")))
        module = as_module(root, root.graph)
        path = type(module).forward.__code__.co_filename
        monkeypatch.setattr(graph_module, "_loader", None)
        _forget(path)
        assert path not in linecache.cache


class TestPlans:
    def test_are_released_with_the_network(self):
        net = make_net()
        net(X)  # learns shapes
        net(X)
        (compiled,) = {id(c): c for c in net._mx_hybrid._graphs.values()}.values()
        (plan,) = compiled.run._bound.program._plans.values()
        reference = weakref.ref(plan)
        del net, compiled, plan
        gc.collect()
        assert reference() is None

    def test_are_released_with_the_executor_at_once(self):
        executor = mx.sym.relu(mx.sym.var("x")).bind(mx.cpu(), [X])
        executor.forward()
        references = [weakref.ref(plan) for plan in executor._bound.program._plans.values()]
        gc.disable()
        try:
            del executor
            assert [reference() for reference in references] == [None] * len(references)
        finally:
            gc.enable()
        assert references


class TestNames:
    @pytest.mark.parametrize("name", ["self", "a=print(1), *q", "x\ny", "torch", "input_1", ""])
    def test_are_not_in_the_source(self, name):
        symbol = mx.sym.var("x") + mx.sym.var(name)
        graph = lowered(symbol)
        source = Source(graph.graph).text
        assert "def forward(self, input_0, input_1):" in source
        assert "print" not in source
        (result,) = compile_graph(graph.graph, graph)(torch.ones(2), torch.ones(2))
        assert result.tolist() == [2, 2]

    def test_of_a_module_of_torch_are_readable(self):
        names = ["net-0 weight", "net_0_weight", "class", "self", "torch", "", "1x", "w" * 500]
        symbol = mx.sym.add_n(*(mx.sym.var(name) for name in ("x", *names)))
        net = gluon.SymbolBlock(symbol, mx.sym.var("x"))
        net.initialize(mx.init.One())
        net(mx.nd.ones((1,)))
        module = net.to_fx(mx.nd.ones((1,)))
        inputs = [node.name for node in module.graph.nodes if node.op == "placeholder"]
        assert len(inputs) == 1
        members = [name for name, _ in module.named_parameters()]
        kept = [member for member, name in zip(members, names, strict=True) if member == name]
        assert kept == ["net_0_weight", "torch", "1x"]
        stems = [re.sub("_[0-9a-f]{12}$", "", name) for name in members]
        assert stems[:4] == ["net_0_weight", "net_0_weight", "class", "self"]
        assert stems[5::2] == ["", "w" * 40]
        assert len(set(members)) == len(members)
        (result,) = module(torch.ones(1))
        assert result.item() == 9

    def test_of_options_stay_inside_of_functions(self):
        @mx.operator.register("options_of_any_name")
        class Prop(mx.operator.CustomOpProp):
            def __init__(self, **options):
                super().__init__()
                self.options = options

            def create_operator(self, *_):
                return Scale(float(self.options["a=1, b"]))

        class Scale(mx.operator.CustomOp):
            def __init__(self, factor):
                self.factor = factor

            def forward(self, is_train, req, in_data, out_data, aux):
                del is_train, aux
                self.assign(out_data[0], req[0], in_data[0] * self.factor)

        options = {"op_type": "options_of_any_name", "a=1, b": "3"}
        symbol = mx.sym.Custom(mx.sym.var("x"), **options)
        np.testing.assert_equal(symbol.eval(x=X)[0].asnumpy(), np.full((2, 3), 3))
        net = gluon.SymbolBlock(symbol, mx.sym.var("x"))
        np.testing.assert_equal(net(X).asnumpy(), np.full((2, 3), 3))
