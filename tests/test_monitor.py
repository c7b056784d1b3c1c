"""Monitors; what they show is compared with the original in `tests/programs/monitoring.py`."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd


def bound():
    net = mx.sym.Convolution(mx.sym.var("data"), kernel=(2, 2), num_filter=2, name="conv")
    net = mx.sym.Activation(mx.sym.BatchNorm(net, name="bn"), act_type="tanh", name="act")
    net = mx.sym.Dropout(mx.sym.FullyConnected(net, num_hidden=3, name="fc"), p=0.5, name="drop")
    exe = mx.sym.SoftmaxOutput(net, name="softmax").simple_bind(mx.cpu(), data=(2, 1, 4, 4))
    rng = np.random.default_rng(0)
    for array in exe.arg_arrays:
        array[:] = rng.normal(size=array.shape)
    return exe


def run(exe):
    mx.random.seed(1)
    exe.forward(is_train=True)
    exe.backward()
    arrays = {**exe.output_dict, **exe.grad_dict, **exe.aux_dict}
    return {name: array.asnumpy().copy() for name, array in arrays.items()}


def test_a_watched_executor_computes_the_same():
    expected, watched = run(bound()), bound()
    mx.mon.Monitor(1).install(watched)
    for name, array in run(watched).items():
        np.testing.assert_allclose(array, expected[name], rtol=1e-5, atol=1e-6, err_msg=name)


def test_gradients_that_are_shown_are_those_of_the_arguments():
    exe, shown = bound(), {}
    exe.set_monitor_callback(lambda name, array: shown.__setitem__(name.decode(), array))
    run(exe)
    for argument, name in (
        ("conv_weight", "conv_backward_output1"),
        ("fc_weight", "fc_backward_output1"),
        ("fc_bias", "fc_backward_output2"),
        ("bn_beta", "bn_backward_output2"),
    ):
        np.testing.assert_array_equal(
            shown[name].asnumpy(), exe.grad_dict[argument].asnumpy(), err_msg=name
        )


def test_what_is_shown_is_a_copy():
    exe, shown = bound(), []
    exe.set_monitor_callback(lambda _, array: shown.append(array))
    expected = run(exe)["softmax_output"]
    for array in shown:
        array[:] = 0
    assert (exe.outputs[0].asnumpy() == expected).all()


def test_batches_in_between_are_passed_over():
    exe, monitor = bound(), mx.mon.Monitor(3, pattern="fc_output")
    monitor.install(exe)
    counts = []
    for _ in range(7):
        monitor.tic()
        exe.forward()
        counts.append(len(monitor.toc()))
    assert counts == [1, 0, 0, 1, 0, 0, 1]


def test_a_statistic_must_be_an_array():
    exe, monitor = bound(), mx.mon.Monitor(1, stat_func=lambda _: 1.0)
    monitor.install(exe)
    monitor.tic()
    exe.forward()
    with pytest.raises(AssertionError, match="must give arrays"):
        monitor.toc()


def test_an_error_of_the_callback_reaches_the_caller():
    exe = bound()

    def fail(*_):
        raise KeyError("on purpose")

    exe.set_monitor_callback(fail)
    with pytest.raises(KeyError, match="on purpose"):
        exe.forward()


def test_a_graph_with_an_operator_in_python():
    @mx.operator.register("test_monitored")
    class MonitoredProp(mx.operator.CustomOpProp):
        pass

    net = mx.sym.Custom(mx.sym.var("a"), op_type="test_monitored", name="c")
    net = mx.sym.tanh(net, name="t")
    exe, names = net.simple_bind(mx.cpu(), a=(2,)), []
    exe.set_monitor_callback(lambda name, _: names.append(name))
    exe.forward(is_train=True)
    exe.backward(nd.ones(2))
    assert names == [
        b"c_output",
        b"t_output",
        b"_head_grad_0_id_output",
        b"t_backward_output",
        b"c_backward_output",
    ]
