"""Which programs become graphs, and what is said about those that do not."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon._hybrid import UntracedWarning

from .observe import assert_same, compiled_blocks, observe, restore, values_of

DATA = nd.array(np.random.RandomState(0).uniform(-1, 1, (3, 4)))
CONSTANT = nd.array([1, 2, 3, 4])


class OnArrays(gluon.HybridBlock):
    """A block whose `forward` is written on arrays."""

    def __init__(self, program):
        super().__init__(prefix="net_")
        self.program = program
        self.weight = self.params.get("weight", shape=(4,), init=mx.init.Uniform(1))
        self.dense = nn.Dense(4, in_units=4, prefix="dense_")
        self.constant = CONSTANT

    def forward(self, *args):
        return self.program(self, *args)


def sign_by_shape(net, x):
    return x * 2 if x.shape[0] > 2 else -x


def loop(net, x):
    for row in range(len(x)):
        x = x + x[row : row + 1]
    return x


TRACED = {
    "parameter": lambda net, x: x * net.weight.data(),
    "of a parameter": lambda net, x: x * (net.weight.data() * 2 + 1),
    "view of a parameter": lambda net, x: x * net.weight.data().reshape((1, 4))[0],
    "all copies of a parameter": lambda net, x: x * net.weight.list_data()[0],
    "constant": lambda net, x: x * net.constant,
    "operator on a constant": lambda net, x: x * nd.softmax(net.constant, axis=0),
    "child": lambda net, x: nd.relu(net.dense(x)) + net.dense(x * 2),
    "shape": sign_by_shape,
    "loop": loop,
    "rows": lambda net, x: [row * 2 for row in x],
    "made": lambda net, x: nd.concat(x, nd.zeros((1, 4)), nd.ones((1, 4)) * nd.arange(4), dim=0),
    "index": lambda net, x: [x[0], x[-1], x[1:], x[-2:], x[:, ::2], x[::-1], x[..., 1], x[None]],
    "index of axes": lambda net, x: [x[0, 1], x[:, -1], x[1:, None, :2], x[..., None], x[-1, -3:]],
    "NumPy's index": lambda net, x: x[np.int64(1)],
    "index by an array": lambda net, x: x[nd.argsort(x[:, 0])],
    "methods": lambda net, x: [x.sum(), x.mean(axis=1), x.T, x.reshape((-1,)), x.reshape(4, 3)],
    "more methods": lambda net, x: [x.exp(), x.clip(-0.5, 0.5), x.expand_dims(0), x.copy()],
    "types": lambda net, x: x.astype("float64") * 2,
    "operators": lambda net, x: [-x, 2 - x, 1 / (x + 3), x**2, 2**x, x % 2, x > 0, x * np.float32(2)],
    "detached": lambda net, x: x.detach() * x,
    "random": lambda net, x: x * nd.random.uniform(shape=x.shape),
    "dropout": lambda net, x: nd.Dropout(x, p=0.5),
    "nested": lambda net, x: (x, [x + 1, (x + 2,)]),
    "argument": lambda net, x: x,
    "loss": lambda net, x: gluon.loss.L2Loss()(x, nd.zeros_like(x)),
}


def compare(program, *, traced: bool):
    net = OnArrays(program)
    net.initialize()
    data = DATA.copy()
    data.attach_grad()
    before = values_of(net)
    modes = ["predict", "record", "train", "predict again"]
    expected = observe(net, lambda: net(data), [data], modes)
    restore(net, before)
    net.hybridize()
    assert_same(observe(net, lambda: net(data), [data], modes), expected)
    assert (net.name in compiled_blocks(net)) == traced


@pytest.mark.parametrize("name", TRACED)
def test_programs_on_arrays_become_graphs(name):
    compare(TRACED[name], traced=True)


def write(net, x):
    y = x.copy()
    y[:] = 1
    return x * y


def add_in_place(net, x):
    y = nd.zeros_like(x).detach()
    y += 1
    return x * y


def pause(net, x):
    with autograd.pause():
        y = x * 2
    return x * y


UNTRACED = {
    "values": lambda net, x: x * float(x.asnumpy().max()),
    "a number": lambda net, x: x * x.max().asscalar(),
    "truth": lambda net, x: x * 2 if x.sum() > 0 else x * 3,
    "values of a parameter": lambda net, x: x * float(net.weight.data().asnumpy().max()),
    "values of a constant": lambda net, x: x * float(net.constant.asnumpy().max()),
    "computing with a constant": lambda net, x: x * (net.constant * 2),
    "an array of values": lambda net, x: x * nd.array([1, 2, 3, 4]),
    "modes": pause,
    "a list as an index": lambda net, x: x[[0, 2]],
}


@pytest.mark.parametrize("name", UNTRACED)
def test_what_cannot_be_traced_runs_as_it_is(name):
    with pytest.warns(UntracedWarning) as caught:
        compare(UNTRACED[name], traced=False)
    # Once for prediction and once for training, where the program may be another.
    assert len(caught) == 2
    message = str(caught[0].message)
    assert "OnArrays 'net'" in message
    source, line = inspect.getsourcefile(UNTRACED[name]), inspect.getsourcelines(UNTRACED[name])[1]
    assert source in message
    assert any(f"{source}:{line + offset}," in message for offset in range(3))


@pytest.mark.parametrize("program", [write, add_in_place])
def test_programs_that_write_run_as_they_are(program):
    net = OnArrays(program)
    net.initialize()
    net.hybridize()
    with pytest.warns(UntracedWarning, match="writes|in place"):
        found = net(DATA)
    np.testing.assert_array_equal(found.asnumpy(), DATA.asnumpy())


def test_an_attempt_to_trace_changes_nothing():
    class Counter(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.count = nd.zeros(1)
            self.total = self.params.get("total", shape=(4,), init="zeros", grad_req="null")

        def forward(self, x):
            self.total.set_data(self.total.data() + x.sum(axis=0))
            self.count += 1
            return x * self.count

    net = Counter()
    net.initialize()
    net.hybridize()
    with pytest.warns(UntracedWarning):
        found = [net(DATA).asnumpy() for _ in range(3)]
    assert net.count.asscalar() == 3
    np.testing.assert_allclose(found[2], DATA.asnumpy() * 3, rtol=1e-6)
    np.testing.assert_allclose(net.total.data().asnumpy(), DATA.asnumpy().sum(0) * 3, rtol=1e-5)


def test_children_of_an_untraced_block_are_compiled():
    class Parent(gluon.HybridBlock):
        def __init__(self):
            super().__init__(prefix="parent_")
            self.child = nn.Dense(4, in_units=4, prefix="child_")

        def hybrid_forward(self, F, x):
            return self.child(x) * float(x.asnumpy().max())

    net = Parent()
    net.initialize()
    expected = net(DATA).asnumpy()
    net.hybridize()
    with pytest.warns(UntracedWarning, match=r"Parent 'parent'.*children are compiled"):
        found = net(DATA)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)
    assert compiled_blocks(net) == ["parent_child"] or compiled_blocks(net) == ["child"]
    with warnings.catch_warnings():  # it is said once
        warnings.simplefilter("error")
        net(DATA)


def test_graphs_on_arrays_follow_parameters_and_constants():
    net = OnArrays(lambda net, x: x * net.weight.data() + net.constant)
    net.initialize()
    net.hybridize()
    net.constant = nd.array([1, 2, 3, 4])
    net(DATA)
    net.weight.set_data(nd.array([4, 3, 2, 1]))
    net.constant[:] = 7
    expected = DATA.asnumpy() * [4, 3, 2, 1] + 7
    np.testing.assert_allclose(net(DATA).asnumpy(), expected, rtol=1e-6)


def test_constants_have_gradients():
    net = OnArrays(lambda net, x: x * net.constant)
    net.constant = nd.ones(4)
    net.constant.attach_grad()
    net.initialize()
    net.hybridize()
    for _ in range(2):
        with autograd.record():
            total = net(DATA).sum()
        total.backward()
        np.testing.assert_allclose(net.constant.grad.asnumpy(), DATA.asnumpy().sum(0), rtol=1e-5)


def test_other_shapes_have_graphs_of_their_own():
    net = OnArrays(sign_by_shape)
    net.initialize()
    net.hybridize()
    for count in (3, 2, 3, 1):
        data = nd.ones((count, 4))
        assert net(data)[0, 0].asscalar() == (2 if count > 2 else -1)


def test_a_forward_around_that_of_the_base():
    class Around(gluon.HybridBlock):
        calls = 0

        def forward(self, x, scale=2):
            self.calls += 1
            return super().forward(x * scale) + 1

        def hybrid_forward(self, F, x):
            return F.relu(x)

    net = Around()
    net.hybridize()
    for scale in (2, 3):
        found = net(DATA, scale)
        np.testing.assert_allclose(
            found.asnumpy(), np.maximum(DATA.asnumpy() * scale, 0) + 1, rtol=1e-6
        )
    assert net.calls == 2
    assert net.name in compiled_blocks(net)


def test_deferred_parameters_are_found_in_the_first_call():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, 3), nn.BatchNorm(), nn.Dense(3, activation="relu"), nn.Dense(2))
    net.initialize()
    net.hybridize()
    data = nd.ones((2, 3, 5, 5))
    first = net(data)
    assert net[0].weight.shape == (2, 3, 3, 3)
    np.testing.assert_allclose(net(data).asnumpy(), first.asnumpy(), rtol=1e-5)
    assert net.name in compiled_blocks(net)


class TestArguments:
    def test_numbers_and_strings(self):
        class Net(gluon.HybridBlock):
            def hybrid_forward(self, F, x, kind, factor=1, flags=()):
                y = getattr(F, kind)(x) * factor
                return y + 1 if flags and flags[0] else y

        net = Net()
        net.hybridize()
        for args in (("relu",), ("relu", 2), ("tanh", 2), ("relu", 2.5), ("relu", 2, [True]),
                     ("relu", True), ("relu", 2, [False])):  # fmt: skip
            net.hybridize(False)
            expected = net(DATA, *args).asnumpy()
            net.hybridize(clear=False)
            np.testing.assert_allclose(net(DATA, *args).asnumpy(), expected, rtol=1e-6)
        assert net.name in compiled_blocks(net)

    def test_what_cannot_be_compared_runs_as_it_is(self):
        class Net(gluon.HybridBlock):
            def hybrid_forward(self, F, x, options):
                return x * options["factor"]

        net = Net()
        net.hybridize()
        for factor in (2, 3):
            found = net(DATA, {"factor": factor}).asnumpy()
            np.testing.assert_allclose(found, DATA.asnumpy() * factor, rtol=1e-6)

    def test_none_and_an_array_in_turn(self):
        class Net(gluon.HybridBlock):
            def hybrid_forward(self, F, x, mask=None):
                return x if mask is None else x * mask

        net = Net()
        net.hybridize()
        for _ in range(2):
            assert (net(DATA).asnumpy() == DATA.asnumpy()).all()
            assert (net(DATA, None).asnumpy() == DATA.asnumpy()).all()
            assert (net(DATA, nd.zeros((3, 4))).asnumpy() == 0).all()

    def test_types_change_between_calls(self):
        net = nn.HybridLambda("square")
        net.hybridize()
        for dtype in ("float32", "float64", "int32", "float16", "float32"):
            assert net(DATA.astype(dtype)).dtype == np.dtype(dtype)


class TestErrors:
    def make(self):
        net = nn.HybridSequential(prefix="net_")
        with net.name_scope():
            net.add(nn.Conv2D(3, 3, in_channels=2), nn.BatchNorm(in_channels=3), nn.Dense(2, in_units=48))
        net.initialize()
        net.hybridize()
        return net

    @pytest.mark.parametrize("shape", [(2, 3, 6, 6), (2, 2, 6), (2, 2, 1, 1), (2, 6, 6)])
    @pytest.mark.parametrize("mode", [autograd.record, autograd.predict_mode])
    def test_data_that_does_not_fit(self, shape, mode):
        net = self.make()
        with mode():
            net(nd.ones((2, 2, 6, 6)))
            with pytest.raises(mx.MXNetError, match="HybridSequential 'net'.*node 'net_conv0_fwd'"):
                net(nd.ones(shape))
            assert net(nd.ones((2, 2, 6, 6))).shape == (2, 2)

    def test_data_that_does_not_fit_a_later_layer(self):
        net = self.make()
        with pytest.raises(mx.MXNetError, match="HybridSequential 'net'.*node 'net_dense0_fwd'"):
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

    def test_the_error_of_a_program(self):
        net = OnArrays(lambda net, x: x * nd.ones((7, 7)))
        net.initialize()
        net.hybridize()
        with pytest.raises(mx.MXNetError, match="broadcast_mul"):
            net(DATA)


def test_hooks_see_arrays():
    net = nn.HybridSequential(prefix="net_")
    net.add(nn.Dense(4, in_units=4), nn.Dense(2, in_units=4))
    net.initialize()
    net.hybridize()
    seen = []
    net.register_forward_hook(lambda block, inputs, output: seen.append((block.name, output.shape)))
    net.register_forward_pre_hook(lambda block, inputs: seen.append(inputs[0].shape))
    net(DATA)
    net(DATA)
    assert seen == [(3, 4), ("net", (3, 2))] * 2


def test_operator_hooks_see_all_operators():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(4, in_units=4, activation="relu"))
    net.initialize()
    net.hybridize()
    net(DATA)
    seen = []
    net.register_op_hook(lambda name, op, array: seen.append((op, array.shape)))
    net(DATA)
    assert [op for op, _ in seen] == ["FullyConnected", "Activation"]


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
        values = [p.data().to_torch() for p in net.collect_params().values()]
        (found,) = module(DATA.to_torch(), *values)
        np.testing.assert_allclose(found.numpy(), net(DATA).asnumpy(), rtol=1e-6)
        assert "fully_connected" in module.code
        assert "net_dense0_weight" in module.code

    def test_a_module_in_training(self):
        net = self.make()
        values = [p.data().to_torch().clone().requires_grad_() for p in net.collect_params().values()]
        with autograd.record():
            module = net.to_fx(DATA)
            output = net(DATA)
        output.backward()
        module(DATA.to_torch(), *values)[0].sum().backward()
        for value, parameter in zip(values, net.collect_params().values(), strict=True):
            np.testing.assert_allclose(value.grad.numpy(), parameter.grad().asnumpy(), rtol=1e-5)

    def test_a_block_that_is_no_graph(self):
        net = OnArrays(UNTRACED["truth"])
        net.initialize()
        with pytest.raises(mx.MXNetError, match="cannot become a graph"):
            net.to_fx(DATA)

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
