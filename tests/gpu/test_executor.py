"""Executors on an accelerator."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd

pytestmark = pytest.mark.gpu


def network():
    net = mx.sym.Convolution(mx.sym.var("data"), kernel=(3, 3), num_filter=4, name="conv")
    net = mx.sym.Activation(mx.sym.BatchNorm(net, name="bn"), act_type="relu")
    net = mx.sym.FullyConnected(net, num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def run(ctx, times=2):
    exe = network().simple_bind(ctx, data=(4, 2, 8, 8))
    rng = np.random.default_rng(0)
    for name, array in exe.arg_dict.items():
        array[:] = np.arange(4) % 3 if name == "softmax_label" else rng.normal(size=array.shape)
    for _ in range(times):
        exe.forward(is_train=True)
        exe.backward()
    return exe


def test_results_are_those_of_the_cpu():
    here, there = run(mx.cpu()), run(mx.gpu())
    for group in ("output_dict", "grad_dict", "aux_dict"):
        for name, array in getattr(there, group).items():
            assert array.context == mx.gpu(0)
            np.testing.assert_allclose(
                array.asnumpy(),
                getattr(here, group)[name].asnumpy(),
                rtol=2e-3,
                atol=2e-3,
                err_msg=name,
            )


def test_a_second_backward_has_the_mask_of_the_forward():
    exe = mx.sym.Dropout(mx.sym.var("a"), p=0.5).simple_bind(mx.gpu(), a=(1000,))
    exe.arg_dict["a"][:] = 1
    out = exe.forward(is_train=True)[0].asnumpy()
    for factor in (1, 3):
        exe.backward(nd.ones(1000, ctx=mx.gpu()) * factor)
        np.testing.assert_array_equal(exe.grad_dict["a"].asnumpy(), out * factor)


def test_groups_on_two_devices():
    with mx.AttrScope(ctx_group="here"):
        a = mx.sym.var("a") * 2
    with mx.AttrScope(ctx_group="there"):
        net = a + mx.sym.var("b")
    groups = {"here": mx.cpu(), "there": mx.gpu()}
    exe = net.simple_bind(mx.gpu(), group2ctx=groups, a=(2,), b=(2,))
    assert exe.arg_dict["a"].context == mx.cpu()
    exe.arg_dict["a"][:] = 3
    assert exe.forward(is_train=True)[0].context == mx.gpu(0)
    exe.backward(nd.ones(2, ctx=mx.gpu()))
    assert exe.outputs[0].asnumpy().tolist() == [6, 6]
    assert exe.grad_dict["a"].context == mx.cpu()
    assert exe.grad_dict["a"].asnumpy().tolist() == [2, 2]


def test_an_array_on_another_device_is_refused():
    with pytest.raises(mx.MXNetError, match="must be on gpu"):
        (mx.sym.var("a") * 2).bind(mx.gpu(), [nd.ones(2)])


def test_values_come_from_the_cpu():
    exe = (mx.sym.var("a") * 2).simple_bind(mx.gpu(), a=(2,))
    assert exe.forward(a=nd.array([1, 2]))[0].asnumpy().tolist() == [2, 4]
    exe.copy_params_from({"a": nd.array([3, 4])})
    assert exe.forward()[0].asnumpy().tolist() == [6, 8]


def test_half_precision():
    exe = network().simple_bind(mx.gpu(), type_dict={"data": "float16"}, data=(4, 2, 8, 8))
    for array in exe.arg_arrays:
        array[:] = 0.1
    exe.forward(is_train=True)
    exe.backward()
    assert exe.grad_dict["conv_weight"].dtype == np.float16
    assert np.isfinite(exe.grad_dict["conv_weight"].asnumpy()).all()


def test_a_monitor():
    exe, monitor = run(mx.gpu()), mx.mon.Monitor(1)
    monitor.install(exe)
    monitor.tic()
    exe.forward(is_train=True)
    exe.backward()
    assert len(monitor.toc()) > 10
