"""Operators written in Python: what `tests/programs/custom.py` cannot ask the original.

A mistake in such an operator often ends the original's process.
"""

# ruff: noqa: ARG002, ARG005 - the interface gives the arguments
from __future__ import annotations

import traceback
from typing import ClassVar

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd


class Probe(mx.operator.CustomOp):
    """Copies its input; notes how it is called, and fails where it is told to."""

    def __init__(self, prop):
        super().__init__()
        self.prop = prop

    def forward(self, is_train, req, in_data, out_data, aux):
        self.prop.note("forward", is_train, list(req), autograd.is_recording())
        for target, request in zip(out_data, req, strict=True):
            self.assign(target, request, in_data[0])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.prop.note("backward", list(req), [item.shape for item in in_grad])
        for target, request in zip(in_grad, req, strict=True):
            self.assign(target, request, out_grad[0])


@mx.operator.register("test_probe")
class ProbeProp(mx.operator.CustomOpProp):
    seen: ClassVar = []

    def __init__(self, fails="", inputs="1", outputs="1"):
        super().__init__(need_top_grad=True)
        self.fails, self.inputs, self.outputs = fails, int(inputs), int(outputs)
        self.note("init")

    def note(self, where, *values):
        self.seen.append((where, *values))
        if self.fails == where:
            raise ValueError(f"broken {where}")

    def list_arguments(self):
        return [f"in{index}" for index in range(self.inputs)]

    def list_outputs(self):
        return [f"out{index}" for index in range(self.outputs)]

    def infer_shape(self, in_shape):
        self.note("infer_shape", in_shape)
        return in_shape, [in_shape[0]] * self.outputs, []

    def infer_type(self, in_type):
        self.note("infer_type", in_type)
        return in_type, [in_type[0]] * self.outputs, []

    def create_operator(self, ctx, in_shapes, in_dtypes):
        self.note("create_operator", ctx, in_shapes, in_dtypes)
        return Probe(self)


@pytest.fixture
def seen():
    ProbeProp.seen.clear()
    return ProbeProp.seen


def variable(values):
    array = nd.array(values)
    array.attach_grad()
    return array


def calls_of(seen, where):
    return [values for name, *values in seen if name == where]


def test_each_method_gets_what_the_original_gives(seen):
    x, i = variable([[1, 2, 3]]), nd.array([1], dtype="int32")
    with autograd.record():
        y = nd.Custom(x, i, op_type="test_probe", inputs=2)
    y.backward()
    assert calls_of(seen, "infer_shape") == [[[[1, 3], [1]]]]
    assert calls_of(seen, "infer_type") == [[[np.float32, np.int32]]]
    assert calls_of(seen, "create_operator") == [[mx.cpu(0), [[1, 3], [1]], [0, 4]]]
    assert calls_of(seen, "forward") == [[True, ["write"], False]]
    assert calls_of(seen, "backward") == [[["write", "null"], [(1, 3), (1,)]]]


def test_the_request_of_an_input_without_gradient_is_null(seen):
    x = variable([1, 2])
    with autograd.record():
        y = nd.Custom(nd.ones(2), x, op_type="test_probe", inputs=2)
    y.backward()
    assert calls_of(seen, "backward") == [[["null", "write"], [(2,), (2,)]]]
    np.testing.assert_array_equal(x.grad.asnumpy(), [1, 1])


@pytest.mark.parametrize("training", [True, False])
def test_training_mode_is_told(seen, training):
    with autograd.train_mode() if training else autograd.predict_mode():
        nd.Custom(nd.ones(2), op_type="test_probe")
    assert calls_of(seen, "forward") == [[training, ["write"], False]]


@pytest.mark.parametrize("where", ["init", "infer_shape", "infer_type", "create_operator"])
def test_an_exception_inside_names_the_method(where):
    with pytest.raises(mx.MXNetError, match=f"test_probe.*ValueError: broken {where}") as info:
        nd.Custom(nd.ones(2), op_type="test_probe", fails=where)
    assert isinstance(info.value.__cause__, ValueError)
    assert not autograd.is_recording()


def test_an_exception_inside_of_forward_appears_when_the_result_is_read():
    y = nd.Custom(nd.ones(2), op_type="test_probe", fails="forward")
    assert y.shape == (2,)
    with pytest.raises(mx.MXNetError, match=r"\(test_probe\).forward: ValueError: broken") as info:
        y.asnumpy()
    assert isinstance(info.value.__cause__, ValueError)
    assert not autograd.is_recording()
    frames = traceback.extract_tb(info.value.__cause__.__traceback__)
    assert [frame.name for frame in frames] == ["forward", "note"]


def test_an_exception_inside_of_backward_appears_when_the_gradient_is_read():
    x = variable([1, 2])
    with autograd.record():
        y = nd.Custom(x, op_type="test_probe", fails="backward")
    y.backward()
    with pytest.raises(mx.MXNetError, match=r"\(test_probe\).backward: ValueError: broken"):
        x.grad.asnumpy()
    nd.waitall()


def test_a_result_that_does_not_fit_raises():
    class Wrong(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], nd.ones(7))

    @mx.operator.register("test_wrong")
    class WrongProp(mx.operator.CustomOpProp):
        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Wrong()

    with pytest.raises(mx.MXNetError, match=r"\(7,\)"):
        nd.Custom(nd.ones(3), op_type="test_wrong").wait_to_read()


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (lambda shape: shape[0], "infer_shape: must return a list for inputs, outputs and states"),
        (lambda shape: None, "infer_shape: must return a list"),
        (lambda shape: (shape, shape * 2, []), "infer_shape: expected 1 outputs, got 2"),
    ],
)
def test_what_infer_shape_returns_is_checked(result, message):
    @mx.operator.register("test_shape")
    class ShapeProp(mx.operator.CustomOpProp):
        def infer_shape(self, in_shape):
            return result(in_shape)

    with pytest.raises(mx.MXNetError, match=message):
        nd.Custom(nd.ones(3), op_type="test_shape")


def test_infer_shape_may_leave_the_states_out():
    @mx.operator.register("test_two")
    class TwoProp(mx.operator.CustomOpProp):
        def infer_shape(self, in_shape):
            return in_shape, [[2, 2]]

    assert nd.Custom(nd.ones(3), op_type="test_two").shape == (2, 2)


@pytest.mark.parametrize(
    ("arrays", "options", "message"),
    [
        (1, {"op_type": "test_nothing"}, "op_type 'test_nothing' is not registered"),
        (1, {}, "required attribute `op_type`"),
        (2, {"op_type": "test_probe"}, "expects 1 inputs and 0 states, got 2 arrays"),
        (1, {"op_type": "test_probe", "inputs": 2}, "expects 2 inputs and 0 states, got 1"),
        (0, {"op_type": "test_probe"}, "expects 1 inputs"),
        (1, {"op_type": "test_probe", "colour": 3}, "unexpected keyword argument 'colour'"),
        (1, {"op_type": "test_probe", "in0": nd.ones(1)}, "unexpected keyword argument 'in0'"),
    ],
)
def test_misuse_of_a_call(arrays, options, message):
    with pytest.raises(mx.MXNetError, match=message):
        nd.Custom(*[nd.ones(2)] * arrays, **options)


def test_arrays_only():
    with pytest.raises(AssertionError, match="must be NDArray"):
        nd.Custom([1, 2], op_type="test_probe")


def test_an_output_of_another_shape_raises():
    with pytest.raises(mx.MXNetError, match=r"\(2,\).*\(5,\)"):
        nd.Custom(nd.ones(2), op_type="test_probe", out=nd.zeros(5))


def test_registering_takes_classes_of_the_kind():
    with pytest.raises(mx.MXNetError, match="not a subclass of CustomOpProp"):
        mx.operator.register("test_int")(int)


def test_a_later_registration_replaces_an_earlier():
    def enter(factor):
        class Times(mx.operator.CustomOp):
            def forward(self, is_train, req, in_data, out_data, aux):
                self.assign(out_data[0], req[0], in_data[0] * factor)

        @mx.operator.register("test_again")
        class TimesProp(mx.operator.CustomOpProp):
            def create_operator(self, ctx, in_shapes, in_dtypes):
                return Times()

    for factor in (2, 3):
        enter(factor)
        assert nd.Custom(nd.ones(1), op_type="test_again").asscalar() == factor


def test_an_unknown_request_raises():
    with pytest.raises(mx.MXNetError, match="'sum'"):
        mx.operator.CustomOp().assign(nd.ones(1), "sum", nd.ones(1))


def test_numbers_and_numpy_arrays_are_assigned():
    target = nd.zeros(2)
    mx.operator.CustomOp().assign(target, "write", 5)
    mx.operator.CustomOp().assign(target, "add", nd.array(np.array([1, 2])))
    np.testing.assert_array_equal(target.asnumpy(), [6, 7])


def test_an_operator_that_defines_nothing_gives_zeros():
    @mx.operator.register("test_default")
    class DefaultProp(mx.operator.CustomOpProp):
        pass

    x = variable([1, 2])
    with autograd.record():
        y = nd.Custom(x, op_type="test_default")
    y.backward()
    np.testing.assert_array_equal(y.asnumpy(), [0, 0])
    np.testing.assert_array_equal(x.grad.asnumpy(), [0, 0])


def test_no_second_derivative():
    x = variable([1, 2])
    with autograd.record():
        y = nd.Custom(x * x, op_type="test_probe")
        (g,) = autograd.grad(y, [x], create_graph=True, retain_graph=True)
    with pytest.raises(mx.MXNetError, match=r"Custom\(test_probe\).*differentiated twice"):
        g.backward()


def test_numpy_inside_of_an_operator():
    class Softmax(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            x = in_data[0].asnumpy()
            e = np.exp(x - x.max(axis=1, keepdims=True))
            self.assign(out_data[0], req[0], nd.array(e / e.sum(axis=1, keepdims=True)))

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            y, labels = out_data[0].asnumpy(), in_data[1].asnumpy().astype(int)
            y[np.arange(len(labels)), labels] -= 1
            self.assign(in_grad[0], req[0], nd.array(y))

    @mx.operator.register("test_softmax")
    class SoftmaxProp(mx.operator.CustomOpProp):
        def __init__(self):
            super().__init__(need_top_grad=False)

        def list_arguments(self):
            return ["data", "label"]

        def infer_shape(self, in_shape):
            return [in_shape[0], [in_shape[0][0]]], [in_shape[0]], []

        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Softmax()

    x = variable([[1, 2, 3], [3, 1, 2]])
    with autograd.record():
        y = nd.Custom(x, nd.array([2, 0]), op_type="test_softmax")
    y.backward()
    expected = nd.softmax(x).asnumpy()
    np.testing.assert_allclose(y.asnumpy(), expected, rtol=1e-5)
    expected[[0, 1], [2, 0]] -= 1
    np.testing.assert_allclose(x.grad.asnumpy(), expected, rtol=1e-5)


@pytest.mark.gpu
def test_operators_run_on_the_gpu(seen):
    x = nd.array([1, 2], ctx=mx.gpu())
    x.attach_grad()
    with autograd.record():
        y = nd.Custom(x, op_type="test_probe") * 3
    y.backward()
    assert calls_of(seen, "create_operator") == [[mx.gpu(0), [[2]], [0]]]
    assert y.context == x.grad.context == mx.gpu(0)
    np.testing.assert_array_equal(x.grad.asnumpy(), [3, 3])


def test_equal_options_keep_their_spelling():
    @mx.operator.register("test_spelling")
    class Spelling(ProbeProp):
        given: ClassVar = []

        def __init__(self, flag):
            super().__init__()
            self.given.append(flag)

    for flag in (1, True, 1.0):
        Spelling.given.clear()
        nd.Custom(nd.ones(2), flag=flag, op_type="test_spelling")
        assert set(Spelling.given) == {str(flag)}


class TestInGraphs:
    def test_an_instance_is_made_once_for_an_executor(self, seen):
        exe = mx.sym.Custom(mx.sym.var("a"), op_type="test_probe").simple_bind(mx.cpu(), a=(2,))
        for _ in range(3):
            exe.forward(is_train=True)
            exe.backward(nd.ones(2))
        assert len(calls_of(seen, "create_operator")) == 1

    def test_two_executors_have_instances_of_their_own(self, seen):
        symbol = mx.sym.Custom(mx.sym.var("a"), op_type="test_probe")
        for _ in range(2):
            symbol.simple_bind(mx.cpu(), a=(2,)).forward()
        assert len(calls_of(seen, "create_operator")) == 2

    def test_a_failing_forward_names_the_operator(self):
        @mx.operator.register("test_failing_in_a_graph")
        class FailingProp(mx.operator.CustomOpProp):
            def create_operator(self, ctx, in_shapes, in_dtypes):
                raise ValueError("on purpose")

        symbol = mx.sym.Custom(mx.sym.var("a"), op_type="test_failing_in_a_graph")
        exe = symbol.simple_bind(mx.cpu(), a=(2,))
        with pytest.raises(mx.MXNetError, match=r"test_failing_in_a_graph.*on purpose"):
            exe.forward()

    def test_shapes_that_the_operator_refuses(self):
        @mx.operator.register("test_refusing")
        class RefusingProp(mx.operator.CustomOpProp):
            def infer_shape(self, in_shape):
                if len(in_shape[0]) != 2:
                    raise ValueError("a matrix is needed")
                return in_shape, [in_shape[0]], []

        symbol = mx.sym.Custom(mx.sym.var("a"), op_type="test_refusing")
        with pytest.raises(mx.MXNetError, match="a matrix is needed"):
            symbol.infer_shape(a=(2,))


class NumpyDouble(mx.operator.NumpyOp):
    def forward(self, in_data, out_data):
        out_data[0][:] = np.multiply(in_data[0], 2)

    def backward(self, out_grad, in_data, out_data, in_grad):
        in_grad[0][:] = np.multiply(out_grad[0], 2)


class ArrayDouble(mx.operator.NDArrayOp):
    def forward(self, in_data, out_data):
        out_data[0][:] = in_data[0] * 2

    def backward(self, out_grad, in_data, out_data, in_grad):
        in_grad[0][:] = out_grad[0] * 2


class TestOldStyle:
    @pytest.mark.parametrize("kind", [NumpyDouble, ArrayDouble])
    def test_forward_and_backward(self, kind):
        with pytest.warns(UserWarning, match="CustomOp"):
            double = kind()
        symbol = double(mx.sym.var("a"), name="d")
        assert symbol.list_outputs() == ["d_output"]
        exe = symbol.simple_bind(mx.cpu(), a=(2,))
        exe.forward(is_train=True, a=nd.array([1, 2]))
        exe.backward(nd.array([3, 4]))
        assert exe.outputs[0].asnumpy().tolist() == [2, 4]
        assert exe.grad_dict["a"].asnumpy().tolist() == [6, 8]

    def test_a_loss_needs_no_head_gradient(self):
        with pytest.warns(UserWarning, match="CustomOp"):
            loss = NumpyDouble(need_top_grad=False)
        exe = loss(data=mx.sym.var("a")).simple_bind(mx.cpu(), a=(2,))
        exe.forward(is_train=True)
        exe.backward()
        assert exe.grad_dict["a"].asnumpy().tolist() == [2, 2]


class TestArguments:
    def test_all_operators_are_listed(self):
        assert {"FullyConnected", "relu", "Custom"} <= set(
            mx.operator.get_all_registered_operators()
        )

    def test_names_and_kinds(self):
        found = mx.operator.get_operator_arguments("FullyConnected")
        assert found.narg == 6
        assert found.names == ["data", "weight", "bias", "num_hidden", "no_bias", "flatten"]
        assert found.types[2:5] == [
            "NDArray-or-Symbol",
            "int, required",
            "boolean, optional, default=0",
        ]

    def test_an_unknown_name(self):
        with pytest.raises(mx.MXNetError, match="no_such_operator"):
            mx.operator.get_operator_arguments("no_such_operator")
