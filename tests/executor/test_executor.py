"""What executors do with memory, states and repeated calls; results are in `tests/programs`."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import nd

A, B = mx.sym.var("a"), mx.sym.var("b")


def perceptron():
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc1")
    net = mx.sym.Activation(net, act_type="relu")
    net = mx.sym.FullyConnected(net, num_hidden=3, name="fc2")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def bound(symbol=None, **shapes):
    symbol = perceptron() if symbol is None else symbol
    exe = symbol.simple_bind(mx.cpu(), **(shapes or {"data": (2, 5)}))
    rng = np.random.default_rng(0)
    for array in exe.arg_arrays:
        array[:] = rng.normal(size=array.shape)
    return exe


class TestMemory:
    def test_outputs_stay_the_same_objects(self):
        exe = bound()
        before = exe.outputs[0]
        assert exe.forward()[0] is before
        assert exe.forward(is_train=True)[0] is before

    def test_an_output_with_a_gradient_of_its_own_is_written_to(self):
        exe = bound(A * 2, a=(2,))
        out = exe.forward()[0]
        out.attach_grad()
        exe.forward(a=nd.array([3, 4]))
        with mx.autograd.record():
            y = out * out
        y.backward()
        assert out.grad.asnumpy().tolist() == [12, 16]

    def test_a_tensor_of_an_output_sees_the_next_values(self):
        exe = bound(A * 2, a=(2,))
        tensor = exe.forward()[0].to_torch()
        exe.forward(a=nd.array([3, 4]))
        assert tensor.tolist() == [6, 8]

    @pytest.mark.parametrize("make", [lambda a: a.reshape((2, 1)), mx.sym.identity, mx.sym.Dropout])
    def test_no_output_lies_on_an_argument(self, make):
        exe = bound(make(A), a=(2,))
        exe.forward()[0][:] = 7
        assert (exe.arg_dict["a"].asnumpy() != 7).all()

    def test_no_output_lies_on_another(self):
        double = A * 2
        exe = bound(mx.sym.Group([double, double, double.reshape((2, 1))]), a=(2,))
        exe.forward()
        exe.outputs[0][:] = 7
        assert (exe.outputs[1].asnumpy() != 7).all()
        assert (exe.outputs[2].asnumpy() != 7).all()

    def test_outputs_are_contiguous(self):
        exe = bound(A.transpose(), a=(2, 3))
        assert exe.forward()[0]._plain.is_contiguous()

    def test_two_gradients_that_are_equal_do_not_share_memory(self):
        exe = bound(A + B, a=(2,), b=(2,))
        exe.forward(is_train=True)
        exe.backward(nd.ones(2))
        exe.grad_dict["a"][:] = 5
        assert exe.grad_dict["b"].asnumpy().tolist() == [1, 1]

    def test_the_head_gradient_stays_the_callers(self):
        exe = bound(A + B, a=(2,), b=(2,))
        head = nd.ones(2)
        exe.forward(is_train=True)
        exe.backward(head)
        exe.grad_dict["a"][:] = 5
        assert head.asnumpy().tolist() == [1, 1]

    def test_a_gradient_of_another_type_takes_converted_values(self):
        gradient = nd.zeros(2, dtype="float64")
        exe = (A * 3).bind(mx.cpu(), [nd.ones(2)], [gradient])
        exe.forward(is_train=True)
        exe.backward(nd.ones(2))
        assert gradient.dtype == np.float64
        assert gradient.asnumpy().tolist() == [3, 3]

    def test_a_row_sparse_gradient(self):
        net = mx.sym.Embedding(A, input_dim=4, output_dim=2, name="e")
        weight, gradient = nd.ones((4, 2)), nd.sparse.zeros("row_sparse", (4, 2))
        exe = net.bind(mx.cpu(), [nd.array([1, 3]), weight], {"e_weight": gradient})
        exe.forward(is_train=True)
        exe.backward(nd.ones((2, 2)))
        assert gradient.indices.asnumpy().tolist() == [1, 3]

    def test_a_sparse_argument(self):
        exe = (A * 2).simple_bind(mx.cpu(), stype_dict={"a": "row_sparse"}, a=(3, 2))
        assert exe.arg_dict["a"].stype == "row_sparse"
        assert exe.forward()[0].shape == (3, 2)

    def test_a_new_tensor_in_an_argument_counts(self):
        exe = bound(A * 2, a=(2,))
        exe.forward(is_train=True)
        exe.arg_dict["a"]._data = torch.tensor([5.0, 6.0])
        assert exe.forward(is_train=True)[0].asnumpy().tolist() == [10, 12]


class TestRepeated:
    def test_a_second_backward_has_the_mask_of_the_forward(self):
        exe = mx.sym.Dropout(A, p=0.5).simple_bind(mx.cpu(), a=(100,))
        exe.arg_dict["a"][:] = 1
        out = exe.forward(is_train=True)[0].asnumpy().copy()
        for factor in (1, 3):
            exe.backward(nd.ones(100) * factor)
            assert (exe.grad_dict["a"].asnumpy() == out * factor).all()

    def test_a_second_backward_leaves_the_random_numbers_alone(self):
        def draw(times):
            mx.random.seed(3)
            exe = mx.sym.Dropout(A, p=0.5).simple_bind(mx.cpu(), a=(8,))
            exe.forward(is_train=True)
            for _ in range(times):
                exe.backward(nd.ones(8))
            return nd.random.uniform(shape=4).asnumpy().tolist()

        assert draw(1) == draw(3)

    def test_a_second_backward_leaves_statistics_alone(self):
        exe = bound(mx.sym.BatchNorm(A, name="bn"), a=(4, 2))
        exe.forward(is_train=True)
        exe.backward(nd.ones((4, 2)))
        before = exe.aux_dict["bn_moving_mean"].asnumpy().copy()
        exe.backward(nd.ones((4, 2)))
        assert (exe.aux_dict["bn_moving_mean"].asnumpy() == before).all()

    def test_backward_after_a_forward_not_for_training(self):
        exe = bound(mx.sym.Dropout(A * 2, p=0.5), a=(2,))
        for _ in range(3):
            exe.forward()
            exe.backward(nd.ones(2))
            assert exe.grad_dict["a"].asnumpy().tolist() == [2, 2]

    def test_statistics_change_in_training_only(self):
        exe = bound(mx.sym.BatchNorm(A, name="bn"), a=(4, 2))
        exe.forward()
        assert exe.aux_dict["bn_moving_mean"].asnumpy().tolist() == [0, 0]
        exe.forward(is_train=True)
        assert (exe.aux_dict["bn_moving_mean"].asnumpy() != 0).all()

    def test_a_backward_that_fails_leaves_nothing_behind(self):
        class Failing(mx.operator.CustomOp):
            fails = True

            def forward(self, req, in_data, out_data, **_):
                self.assign(out_data[0], req[0], in_data[0])

            def backward(self, req, out_grad, in_grad, **_):
                if Failing.fails:
                    raise ValueError("on purpose")
                self.assign(in_grad[0], req[0], out_grad[0])

        @mx.operator.register("failing_backward")
        class FailingProp(mx.operator.CustomOpProp):
            def create_operator(self, *_):
                return Failing()

        net = mx.sym.Custom(A, op_type="failing_backward") + A * 2
        exe = bound(net, a=(2,))
        exe.forward(is_train=True)
        exe.backward(nd.ones(2))
        with pytest.raises(mx.MXNetError, match="on purpose"):
            exe.grad_dict["a"].asnumpy()
        Failing.fails = False
        exe.forward(is_train=True)
        exe.backward(nd.ones(2))
        assert exe.grad_dict["a"].asnumpy().tolist() == [3, 3]


class TestPrediction:
    """What depends on parameters alone is computed once, and again when they change."""

    @staticmethod
    def network():
        net = mx.sym.Convolution(mx.sym.var("data"), kernel=(2, 2), num_filter=3, name="conv")
        net = mx.sym.BatchNorm(net, fix_gamma=False, name="bn")
        net = mx.sym.Activation(net, act_type="relu")
        net = mx.sym.BatchNorm(mx.sym.FullyConnected(net, num_hidden=3, name="fc"), name="bn2")
        return mx.sym.SoftmaxOutput(net, name="softmax")

    @pytest.fixture
    def exe(self):
        return bound(self.network(), data=(2, 1, 4, 4))

    def check(self, exe):
        """Compares with an executor that has never run on these values."""
        fresh = exe._symbol.simple_bind(mx.cpu(), data=(2, 1, 4, 4))
        fresh.copy_params_from(exe.arg_dict, exe.aux_dict)
        for _ in range(2):
            np.testing.assert_allclose(
                exe.forward()[0].asnumpy(), fresh.forward()[0].asnumpy(), rtol=1e-4, atol=1e-6
            )

    def test_it_gives_what_operators_give_one_by_one(self, exe):
        exe.aux_dict["bn_moving_var"][:] = 2
        exe.aux_dict["bn2_moving_var"][:] = 3
        inner = exe.forward()[0].asnumpy().copy()
        exe.set_monitor_callback(lambda *_: None)
        np.testing.assert_allclose(exe.forward()[0].asnumpy(), inner, rtol=1e-4, atol=1e-6)

    def test_after_training(self, exe):
        for _ in range(2):
            exe.forward()
            exe.forward(is_train=True)
            exe.backward()
            for name, gradient in exe.grad_dict.items():
                exe.arg_dict[name][:] -= 0.1 * gradient
            self.check(exe)

    @pytest.mark.parametrize(
        "change",
        [
            lambda exe: exe.copy_params_from({"conv_weight": nd.ones((3, 1, 2, 2))}),
            lambda exe: exe.arg_dict["conv_bias"].__setitem__(slice(None), 3),
            lambda exe: exe.arg_dict["conv_bias"][1:2].__setitem__(slice(None), 3),
            lambda exe: exe.aux_dict["bn_moving_mean"].__setitem__(slice(None), 0.3),
            lambda exe: exe.arg_dict["fc_weight"].to_torch().fill_(0.5),
            lambda exe: exe.arg_dict["bn2_gamma"].__setitem__(slice(None), 7),
        ],
    )
    def test_after_a_parameter_is_written_to(self, exe, change):
        exe.forward()
        change(exe)
        self.check(exe)


class TestSurroundings:
    def test_torch_that_does_not_record(self):
        exe = bound(A * A, a=(2,))
        with torch.no_grad():
            exe.forward(is_train=True, a=nd.array([2, 3]))
            exe.backward(nd.ones(2))
        assert exe.grad_dict["a"].asnumpy().tolist() == [4, 6]

    def test_another_thread(self):
        exe, found = bound(), []

        def work():
            exe.forward(is_train=True)
            exe.backward()
            found.append(exe.grad_dict["fc1_weight"].asnumpy())

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        exe.forward(is_train=True)
        exe.backward()
        np.testing.assert_allclose(found[0], exe.grad_dict["fc1_weight"].asnumpy(), rtol=1e-6)

    def test_gradients_are_those_of_recording(self):
        exe = bound()
        exe.forward(is_train=True)
        exe.backward()
        arrays = {name: array.copy() for name, array in exe.arg_dict.items()}
        for array in arrays.values():
            array.attach_grad()
        with mx.autograd.record():
            x = nd.FullyConnected(
                arrays["data"], arrays["fc1_weight"], arrays["fc1_bias"], num_hidden=4
            )
            x = nd.FullyConnected(
                nd.relu(x), arrays["fc2_weight"], arrays["fc2_bias"], num_hidden=3
            )
            out = nd.SoftmaxOutput(x, arrays["softmax_label"])
        out.backward()
        for name, array in arrays.items():
            np.testing.assert_allclose(
                exe.grad_dict[name].asnumpy(), array.grad.asnumpy(), rtol=1e-5, atol=1e-6
            )

    def test_half_precision(self):
        exe = perceptron().simple_bind(mx.cpu(), type_dict={"data": "float16"}, data=(2, 5))
        for array in exe.arg_arrays:
            array[:] = 0.1
        exe.forward(is_train=True)
        exe.backward()
        assert exe.outputs[0].dtype == np.float16
        assert exe.grad_dict["fc1_weight"].dtype == np.float16
        assert np.isfinite(exe.grad_dict["fc1_weight"].asnumpy()).all()


class TestMessages:
    def test_the_missing_array_is_named(self):
        with pytest.raises(ValueError, match="no array for 'b'"):
            (A * B).bind(mx.cpu(), {"a": nd.ones(2)})

    def test_the_output_without_a_gradient_is_named(self):
        exe = bound(A * B, a=(2,), b=(2,))
        exe.forward(is_train=True)
        with pytest.raises(mx.MXNetError, match=r"_output' is no loss"):
            exe.backward()

    def test_the_node_that_fails_is_named(self):
        net = mx.sym.take(A, B, mode="raise", name="look_up")
        exe = bound(net, a=(2,), b=(1,))
        with pytest.raises(mx.MXNetError, match="look_up"):
            exe.forward(b=nd.array([9]))[0].wait_to_read()

    def test_unknown_shapes_are_listed(self):
        with pytest.raises(mx.MXNetError, match="'fc1_weight'"):
            perceptron().simple_bind(mx.cpu(), softmax_label=(2,))

    def test_a_gradient_of_another_shape(self):
        with pytest.raises(ValueError, match="its gradient"):
            (A * 2).bind(mx.cpu(), [nd.ones(2)], [nd.ones(3)])


def test_the_description_names_all_nodes():
    text = bound().debug_str()
    assert "Op:FullyConnected, Name=fc1" in text
    assert text.split("\n")[-3].endswith("MB allocated")


def test_the_graph_that_is_run():
    assert bound().get_optimized_symbol().list_arguments() == perceptron().list_arguments()
