"""Mixed precision: what `amp.init` does to arrays, graphs, blocks and trainers."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet._dtypes import element_type
from mxnet.contrib import amp
from mxnet.gluon import nn
from mxnet.ops.core.registry import all_ops, get_op
from tests.golden.amp_cases import nodes_after_init, trained

DTYPES = ["float16", "bfloat16"]
LISTS = [name for name in amp.__all__ if name.startswith("list_")]


def dtype_of(array):
    return element_type(array.dtype).name


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", LISTS)
def test_lists_are_those_of_the_original(golden, name, dtype):
    found = getattr(amp, name)(dtype)
    if found and name == "list_conditional_fp32_ops":
        found = [list(row) for row in found]
    assert found == golden["lists"][name][dtype]


@pytest.mark.parametrize("dtype", ["float32", "int8", "x", None])
def test_other_precisions_are_refused(dtype):
    with pytest.raises(AssertionError, match="target_dtype takes 'float16' or 'bfloat16'"):
        amp.list_fp32_ops(dtype)
    with pytest.raises(AssertionError, match="target_dtype"):
        amp.init(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_graphs_get_the_conversions_of_the_original(golden, dtype):
    amp.init(dtype)
    found = nodes_after_init(mx)
    for name, nodes in golden[dtype]["nodes"].items():
        assert found[name] == nodes, name


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_are_computed_in_the_precision_of_the_lists(dtype):
    amp.init(dtype)
    x, w = nd.ones((2, 3)), nd.ones((4, 3))
    low = nd.FullyConnected(x, w, num_hidden=4, no_bias=True)
    assert dtype_of(low) == dtype
    assert dtype_of(nd.exp(low)) == "float32"
    assert dtype_of(low.sum()) == "float32"
    assert dtype_of(low**2) == "float32"
    assert dtype_of(nd.softmax(low)) == "float32"
    assert dtype_of(nd.relu(low)) == dtype
    assert dtype_of(low + low) == dtype
    assert dtype_of(low + nd.ones((2, 4))) == "float32"
    assert dtype_of(nd.broadcast_add(nd.ones((2, 4)), low)) == "float32"
    assert dtype_of(nd.dot(low, nd.ones((4, 2)))) == "float32"
    assert dtype_of(nd.Activation(low, act_type="relu")) == dtype
    assert dtype_of(nd.Activation(low, act_type="softrelu")) == "float32"
    assert dtype_of(nd.LeakyReLU(low, act_type="elu")) == "float32"
    assert dtype_of(nd.LeakyReLU(low)) == dtype


def test_a_scalar_stays_in_the_precision_of_its_array():
    amp.init()
    low = nd.ones(2, dtype="float16")
    assert dtype_of(low * 2 + 1) == "float16"
    assert dtype_of(1 / low) == "float32"


def test_other_dtypes_stay():
    amp.init()
    assert nd.exp(nd.ones(2, dtype="float64")).dtype == np.float64
    assert (nd.ones(2, dtype="int32") + nd.ones(2, dtype="int32")).dtype == np.int32
    assert nd.sum(nd.ones(2, dtype="int32")).dtype == np.int32


def test_an_array_copied_or_written_keeps_its_dtype():
    amp.init("bfloat16")
    x = nd.ones((2, 2)).astype("bfloat16")
    for same in (x.copy(), x[0:1], x.reshape(4), x.as_in_context(mx.cpu(1)), x.detach()):
        assert dtype_of(same) == "bfloat16"
    out = nd.zeros((2, 2))
    nd.exp(x, out=out)
    np.testing.assert_allclose(out.asnumpy(), np.e, rtol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_gradients_of_parameters_are_float32(dtype):
    amp.init(dtype)
    net = nn.Dense(2, in_units=3)
    net.initialize()
    with autograd.record():
        loss = net(nd.ones((4, 3))).sum()
    loss.backward()
    assert net.weight.grad().dtype == np.float32
    np.testing.assert_array_equal(net.weight.grad().asnumpy(), 4)


def test_lists_can_be_given():
    amp.init(
        target_precision_ops=["dot"],
        fp32_ops=["relu"],
        conditional_fp32_ops=[("Activation", "act_type", ["tanh"])],
    )
    x = nd.ones((2, 2))
    low = nd.dot(x, x)
    assert dtype_of(low) == "float16"
    assert dtype_of(nd.relu(low)) == "float32"
    assert dtype_of(nd.exp(low)) == "float16"
    assert dtype_of(nd.FullyConnected(x, x, num_hidden=2, no_bias=True)) == "float32"
    assert dtype_of(nd.Activation(low, act_type="tanh")) == "float32"


@pytest.mark.parametrize(
    "options",
    [
        {"target_precision_ops": ["FullConnected"]},
        {"fp32_ops": ["esp"]},
        {"conditional_fp32_ops": [("Act", "act_type", ["relu"])]},
    ],
)
def test_a_misspelt_function_is_named(options):
    with pytest.raises(AttributeError, match="there is no function"):
        amp.init(**options)


def test_a_second_call_does_nothing():
    amp.init("float16")
    amp.init("bfloat16", target_precision_ops=["dot"])
    assert dtype_of(nd.dot(nd.ones((2, 2)), nd.ones((2, 2)))) == "float32"


def test_all_threads_follow():
    amp.init()
    found = []
    x = nd.ones((2, 2))
    call = lambda: found.append(nd.FullyConnected(x, x, num_hidden=2, no_bias=True))  # noqa: E731
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert dtype_of(found[0]) == "float16"


def test_small_operators_take_the_short_way_unless_a_rule_needs_the_other():
    assert not any(op.detours for op in all_ops())
    amp.init()
    assert get_op("exp").detours
    assert get_op("_power_scalar").detours
    assert not get_op("relu").detours
    assert not get_op("broadcast_add").detours


def test_optimizers_are_left_alone():
    amp.init("bfloat16")
    weight = nd.ones(2).astype("bfloat16")
    optimizer = mx.optimizer.create("sgd", learning_rate=0.5, multi_precision=True)
    mx.optimizer.get_updater(optimizer)(0, nd.ones(2).astype("bfloat16"), weight)
    assert dtype_of(weight) == "bfloat16"
    assert weight.astype("float32").asnumpy().tolist() == [0.5, 0.5]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("hybrid", [False, True])
def test_a_block_computes_the_same_both_ways(dtype, hybrid):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation("relu"), nn.GlobalAvgPool2D())
    net.add(nn.Dense(3), nn.LayerNorm(), nn.Dense(2))
    net.initialize(mx.init.Xavier())
    x = nd.random.uniform(shape=(2, 3, 8, 8))
    with autograd.record():
        expected = net(x)
    expected.backward()
    gradients = {name: p.grad().asnumpy() for name, p in net.collect_params("weight").items()}
    amp.init(dtype)
    if hybrid:
        net.hybridize()
    with autograd.record():
        found = net(x)
    found.backward()
    assert dtype_of(found) == dtype
    np.testing.assert_allclose(found.astype("float32").asnumpy(), expected.asnumpy(), atol=0.05)
    for name, gradient in gradients.items():
        parameter = net.collect_params()[name]
        assert parameter.grad().dtype == np.float32
        np.testing.assert_allclose(parameter.grad().asnumpy(), gradient, atol=0.1)


def test_a_program_on_arrays_is_traced_with_its_conversions():
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, in_units=3)

        def forward(self, x):
            low = self.dense(x)
            return (low + x).exp()

    net = Net()
    net.initialize(mx.init.Normal(1))
    x = nd.random.uniform(shape=(2, 3))
    exact = net(x).asnumpy()
    amp.init()
    expected = net(x).asnumpy()
    net.hybridize()
    found = net(x).asnumpy()
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert abs(found - exact).max() > 1e-4


def test_loss_outputs_scale_their_gradient(caplog):
    amp.init()
    x = nd.array([[1.0, 2.0]])
    x.attach_grad()
    with autograd.record():
        out = nd.LinearRegressionOutput(x, nd.zeros((1, 2)), grad_scale=2.0)
    out.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), [[2.0**16, 2.0**17]])
    mx.sym.LinearRegressionOutput(mx.sym.var("x"), mx.sym.var("y"))
    assert "LinearRegressionOutput does not support dynamic loss scaling" in caplog.text


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_trainer_skips_steps_and_moves_its_scale_as_the_original(golden, dtype):
    amp.init(dtype)
    assert trained(mx, amp) == golden[dtype]["trained"]


def test_a_skipped_step_leaves_gradients_for_another():
    amp.init()
    parameter = gluon.Parameter("weight", shape=(1,), init="ones")
    parameter.initialize()
    trainer = gluon.Trainer([parameter], "sgd", {"learning_rate": 1.0})
    amp.init_trainer(trainer)
    with autograd.record():
        loss = parameter.data() * 1
    loss.backward()
    parameter.grad()[:] = float("inf")
    trainer.step(1)
    parameter.grad()[:] = 0.5
    trainer.step(1)
    assert parameter.data().asscalar() == 0.5


@pytest.mark.parametrize("on_store", [False, True])
def test_several_contexts_skip_together(on_store):
    amp.init()
    contexts = [mx.cpu(0), mx.cpu(1)]
    parameter = gluon.Parameter("weight", shape=(2,), init="ones")
    parameter.initialize(ctx=contexts)
    trainer = gluon.Trainer([parameter], "sgd", {"learning_rate": 0.5}, update_on_kvstore=on_store)
    amp.init_trainer(trainer)

    def step(factor):
        with autograd.record():
            losses = [parameter.data(ctx) * factor for ctx in contexts]
            with amp.scale_loss(losses, trainer) as scaled:
                autograd.backward(scaled)
        if np.isnan(factor):
            parameter.grad(contexts[1])[:] = float("nan")
        trainer.step(1)

    step(1.0)
    step(float("nan"))
    for ctx in contexts:
        np.testing.assert_allclose(parameter.data(ctx).asnumpy(), 0.0)
    assert trainer._amp_loss_scaler._next_loss_scale == 2.0**15


def test_trainers_have_scalers_of_their_own():
    amp.init()
    trainers = [gluon.Trainer([], "sgd") for _ in range(2)]
    for trainer in trainers:
        amp.init_trainer(trainer)
    assert trainers[0]._amp_loss_scaler is not trainers[1]._amp_loss_scaler


def test_what_is_not_initialized_says_so():
    trainer = gluon.Trainer([], "sgd")
    with pytest.raises(AssertionError, match=r"call amp.init\(\) before"):
        amp.init_trainer(trainer)
    with (
        pytest.raises(AssertionError, match=r"call amp.init_trainer\(\) before"),
        amp.scale_loss(nd.ones(1), trainer),
    ):
        pass
    amp.init()
    for wrong in (mx.optimizer.SGD(), 3):
        with pytest.raises(TypeError, match="takes a gluon Trainer"):
            amp.init_trainer(wrong)
        with pytest.raises(TypeError, match="takes a gluon Trainer"):
            amp.unscale(wrong)


def test_a_module_trains_with_conversions():
    amp.init("bfloat16")
    data, label = nd.random.uniform(shape=(8, 4)), nd.array([0, 1] * 4)
    out = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    out = mx.sym.SoftmaxOutput(out, name="softmax")
    module = mx.mod.Module(out)
    module.fit(
        mx.io.NDArrayIter(data, label, batch_size=4),
        num_epoch=2,
        optimizer_params={"learning_rate": 0.1},
    )
    assert module.get_params()[0]["fc_weight"].dtype == np.float32


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("hybrid", [False, True])
def test_operators_without_a_rule_may_get_two_dtypes(dtype, hybrid):
    amp.init(dtype)
    net = nn.HybridSequential()
    net.add(nn.Dense(3, in_units=2), nn.PReLU())
    net.initialize()
    if hybrid:
        net.hybridize()
    with autograd.record():
        out = net(nd.array([[1, -2]]))
    out.backward()
    assert net[1].alpha.grad().dtype == np.float32


@pytest.mark.parametrize("dtype", DTYPES)
def test_shapes_are_found_through_conversions(dtype):
    """States of a cell begin as zeros of an unknown batch size."""
    amp.init(dtype)
    cell = gluon.rnn.LSTMCell(3, input_size=2)
    cell.initialize()
    x = nd.random.uniform(shape=(4, 5, 2))
    expected, _ = cell.unroll(5, x, merge_outputs=True)
    outputs, _ = cell.unroll(5, mx.sym.var("data"), merge_outputs=True)
    assert outputs.infer_shape(data=(4, 5, 2))[1] == [(4, 5, 3)]
    net = gluon.SymbolBlock(outputs, mx.sym.var("data"), params=cell.collect_params())
    np.testing.assert_allclose(net(x).asnumpy(), expected.asnumpy(), atol=1e-3)


def test_types_are_found_through_conversions():
    a, b = mx.sym.var("a"), mx.sym.var("b")
    wide = mx.sym.amp_multicast(a, b, mx.sym.var("c"), num_outputs=3)
    types = wide.infer_type(a="float16", b="float32", c="int32")[1]
    assert types == [np.float32, np.float32, np.int32]
    narrow = mx.sym.amp_multicast(a, b, num_outputs=2, cast_narrow=True)
    assert narrow.infer_type(a="float16", b="float32")[1] == [np.float16, np.float16]
    assert mx.sym.amp_cast(a, dtype="float16").infer_type(a="int32")[1] == [np.int32]
