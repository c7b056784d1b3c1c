"""What hybridized blocks take and say, what hooks see, and other forms of their graphs."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

from .observe import assert_same, observe

DATA = nd.array(np.random.RandomState(0).uniform(-1, 1, (3, 4)))


class TestNames:
    @pytest.mark.filterwarnings("error")
    def test_a_program_may_call_something_compute(self):
        class Net(gluon.HybridBlock):
            def __init__(self, compute):
                super().__init__()
                self._compute = compute

            def hybrid_forward(self, F, x):
                return self._compute(F, x)

        net = Net(lambda F, x: F.relu(x) * 2)
        net.hybridize()
        assert net(nd.array([-1, 2])).asnumpy().tolist() == [0, 4]


class TestArguments:
    def test_numbers_and_strings_of_a_forward_on_arrays(self):
        class Net(gluon.HybridBlock):
            def forward(self, x, kind, factor=1, flags=()):
                y = getattr(nd, kind)(x) * factor
                return y + 1 if flags and flags[0] else y

        net = Net()
        net.hybridize()
        for args in (("relu",), ("relu", 2), ("tanh", 2), ("relu", 2.5), ("relu", 2, [True]),
                     ("relu", True), ("relu", 2, [False])):  # fmt: skip
            net.hybridize(False)
            expected = net(DATA, *args).asnumpy()
            net.hybridize(clear=False)
            np.testing.assert_allclose(net(DATA, *args).asnumpy(), expected, rtol=1e-6)

    def test_what_cannot_be_compared_runs_as_it_is(self):
        class Net(gluon.HybridBlock):
            def forward(self, x, options):
                return x * options["factor"]

        net = Net()
        net.hybridize()
        for factor in (2, 3):
            found = net(DATA, {"factor": factor}).asnumpy()
            np.testing.assert_allclose(found, DATA.asnumpy() * factor, rtol=1e-6)

    def test_a_first_call_that_fails_leaves_the_structure_open(self):
        class Net(gluon.HybridBlock):
            def hybrid_forward(self, F, x, y):  # noqa: ARG002 - as the class asks for it
                return x + y

        net = Net()
        net.hybridize()
        with pytest.raises(TypeError):
            net(DATA)
        assert (net(DATA, DATA).asnumpy() == 2 * DATA.asnumpy()).all()

    def test_types_change_between_calls(self):
        net = nn.HybridLambda("square")
        net.hybridize()
        for dtype in ("float32", "float64", "int32", "float16", "float32"):
            assert net(DATA.astype(dtype)).dtype == np.dtype(dtype)


class TestErrors:
    def make(self):
        net = nn.HybridSequential(prefix="net_")
        with net.name_scope():
            net.add(
                nn.Conv2D(3, 3, in_channels=2),
                nn.BatchNorm(in_channels=3),
                nn.Dense(2, in_units=48),
            )
        net.initialize()
        net.hybridize()
        return net

    @pytest.mark.parametrize("shape", [(2, 3, 6, 6), (2, 2, 6), (2, 2, 1, 1), (2, 6, 6)])
    @pytest.mark.parametrize("mode", [autograd.record, autograd.predict_mode])
    def test_data_that_does_not_fit(self, shape, mode):
        net = self.make()
        with mode():
            net(nd.ones((2, 2, 6, 6)))
            with pytest.raises(
                mx.MXNetError, match=r"net\[0\] \(Conv2D 'net_conv0'\): node 'net_conv0_fwd'"
            ):
                net(nd.ones(shape))
            assert net(nd.ones((2, 2, 6, 6))).shape == (2, 2)

    def test_data_that_does_not_fit_a_later_layer(self):
        net = self.make()
        with pytest.raises(
            mx.MXNetError, match=r"net\[2\] \(Dense 'net_dense0'\): node 'net_dense0_fwd'"
        ):
            net(nd.ones((2, 2, 7, 7)))

    def test_parameters_without_values(self):
        net = nn.Dense(2, in_units=4)
        net.hybridize()
        with pytest.raises(RuntimeError, match="initialize"):
            net(DATA)
        net = nn.HybridSequential()
        net.add(nn.Dense(2))
        net.hybridize()
        with pytest.raises(RuntimeError, match="initialize"):
            net(DATA)

    def test_a_first_call_that_fails_can_be_repeated(self):
        net = nn.HybridSequential()
        net.add(nn.Conv2D(2, 3), nn.Dense(2))
        net.initialize()
        net.hybridize()
        with pytest.raises(mx.MXNetError):
            net(nd.ones((2, 3)))
        assert net(nd.ones((2, 3, 5, 5))).shape == (2, 2)

    def test_backends(self):
        with pytest.raises(mx.MXNetError, match=r"inductor.*got 'nothing'"):
            nn.Dense(2).hybridize(backend="nothing")
        with pytest.raises(ValueError, match="optimize_for"):
            nn.Dense(2).optimize_for(DATA)


def test_hooks_see_arrays():
    net = nn.HybridSequential(prefix="net_")
    net.add(nn.Dense(4, in_units=4), nn.Dense(2, in_units=4))
    net.initialize()
    net.hybridize()
    seen = []
    net.register_forward_hook(lambda block, _, output: seen.append((block.name, output.shape)))
    net.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0].shape))
    net(DATA)
    net(DATA)
    assert seen == [(3, 4), ("net", (3, 2))] * 2


def watch(block, **options):
    seen = []
    block.register_op_hook(lambda *found: seen.append(found), **options)
    block(DATA)
    return [(name.decode(), kind.decode(), array.shape) for name, kind, array in seen]


class TestOperatorHooks:
    def make(self):
        net = nn.HybridSequential(prefix="net_")
        with net.name_scope():
            net.add(nn.Dense(2, in_units=4, activation="relu"))
            net.add(nn.HybridLambda(lambda F, x: F.Dropout(x * 2, p=0.5), prefix="twice_"))
        net.initialize()
        return net

    def test_results(self):
        net = self.make()
        net.hybridize()
        expected = net(DATA).asnumpy()
        assert watch(net) == [
            ("net_dense0_fwd_output", "FullyConnected", (3, 2)),
            ("net_dense0_relu_fwd_output", "Activation", (3, 2)),
            ("net_twice__mulscalar0_0", "_mul_scalar", (3, 2)),
            ("net_twice_dropout0_output", "Dropout", (3, 2)),
        ]
        np.testing.assert_allclose(net(DATA).asnumpy(), expected, rtol=1e-6)

    def test_inputs(self):
        net = self.make()
        net.hybridize()
        names = [name for name, *_ in watch(net, monitor_all=True)]
        assert names == [
            *(f"net_dense0_fwd_{part}" for part in ("data", "weight", "bias", "output")),
            *(f"net_dense0_relu_fwd_{part}" for part in ("input0", "output")),
            *(f"net_twice__mulscalar0_{part}" for part in ("input0", "0")),
            *(f"net_twice_dropout0_{part}" for part in ("data", "output")),
        ]

    def test_gradients_stay(self):
        net = self.make()
        net.hybridize()
        found = observe(net[0], lambda: net[0](DATA), [DATA])
        watch(net[0])
        assert_same(observe(net[0], lambda: net[0](DATA), [DATA]), found)

    def test_nothing_without_a_graph(self):
        assert watch(self.make()) == []

    def test_an_error_in_the_function(self):
        net = self.make()
        net.hybridize()
        net.register_op_hook(lambda *_: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            net(DATA)

    def test_symbol_blocks(self):
        data = mx.sym.var("data")
        assert watch(gluon.SymbolBlock(mx.sym.relu(data, name="r"), data)) == [
            ("r_0", "relu", (3, 4))
        ]


class TestModules:
    def make(self):
        net = nn.HybridSequential(prefix="net_")
        with net.name_scope():
            net.add(nn.Dense(4, in_units=4, activation="relu"), nn.Dense(2, in_units=4))
        net.initialize(mx.init.Uniform(1))
        return net

    def test_a_module_of_torch(self):
        net = self.make()
        module = net.to_fx(DATA)
        assert isinstance(module, torch.fx.GraphModule)
        (found,) = module(DATA.to_torch())
        np.testing.assert_allclose(found.detach().numpy(), net(DATA).asnumpy(), rtol=1e-6)
        assert "fully_connected" in module.code
        assert module.state_dict().keys() == net._collect_params_with_prefix().keys()
        other = self.make()
        module.load_state_dict(
            {n: p.data().to_torch() for n, p in other._collect_params_with_prefix().items()}
        )
        np.testing.assert_array_equal(net(DATA).asnumpy(), other(DATA).asnumpy())

    def test_a_module_with_parameters_as_inputs(self):
        net = self.make()
        module = net.to_fx(DATA, hold_parameters=False)
        assert not module.state_dict()
        assert "net_dense0_weight" in module.code
        values = [p.data().to_torch() for p in net.collect_params().values()]
        (result,) = module(DATA.to_torch(), *values)
        np.testing.assert_allclose(result.numpy(), net(DATA).asnumpy(), rtol=1e-6)

    def test_states_of_a_module_are_buffers(self):
        net = nn.HybridSequential()
        net.add(nn.BatchNorm(in_channels=4), nn.Dense(2, in_units=4))
        net.graph = nn.Dense(1, in_units=2)
        net.initialize()
        with autograd.train_mode():
            module = net.to_fx(DATA)
        module(DATA.to_torch())
        assert {name for name, _ in module.named_buffers()} == {"0.running_mean", "0.running_var"}
        assert net[0].running_mean.data().asnumpy().any()
        assert "graph_.weight" in module.state_dict()

    def test_a_module_in_training(self):
        net = self.make()
        with autograd.record():
            module = net.to_fx(DATA)
            output = net(DATA)
        output.backward()
        module(DATA.to_torch())[0].sum().backward()
        for name, parameter in net._collect_params_with_prefix().items():
            value = module.get_parameter(name)
            np.testing.assert_allclose(value.grad.numpy(), parameter.grad().asnumpy(), rtol=1e-5)

    def test_export_after_hybridize(self, tmp_path):
        net = self.make()
        net.hybridize()
        expected = net(DATA).asnumpy()
        net.export(tmp_path / "net")
        block = gluon.SymbolBlock.imports(
            tmp_path / "net-symbol.json", ["data"], tmp_path / "net-0000.params"
        )
        for flags in ({}, {"static_alloc": True, "static_shape": True}, {"active": False}):
            block.hybridize(**flags)
            np.testing.assert_allclose(block(DATA).asnumpy(), expected, rtol=1e-6)
        block.cast("float64")
        assert block(DATA.astype("float64")).dtype == np.float64

    def test_names_of_backends_that_need_no_compiler(self):
        net = self.make()
        expected = net(DATA).asnumpy()
        net.optimize_for(DATA, backend="MKLDNN", clear=True)
        np.testing.assert_allclose(net(DATA).asnumpy(), expected, rtol=1e-6)

    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore::DeprecationWarning")
    def test_inductor(self):
        net = self.make()
        data = DATA.copy()
        data.attach_grad()
        expected = observe(net, lambda: net(data), [data])
        net.hybridize(backend="inductor")
        assert_same(observe(net, lambda: net(data), [data]), expected, 1e-4)

    def test_a_compiler_of_torch(self):
        net = self.make()
        data = DATA.copy()
        data.attach_grad()
        expected = observe(net, lambda: net(data), [data])
        net.hybridize(backend="eager")
        assert_same(observe(net, lambda: net(data), [data]), expected)
