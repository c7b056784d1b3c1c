"""Tests of errors that appear when a result is read."""

from __future__ import annotations

import contextlib
import sys

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd

INDEFINITE = [[1.0, 2.0], [2.0, 1.0]]


@pytest.fixture(autouse=True)
def _no_errors_of_other_tests():
    with contextlib.suppress(mx.MXNetError):
        nd.waitall()


def failed():
    return nd.random.normal(0, -1, shape=(2, 2))


def test_a_call_with_values_that_do_not_fit_returns_an_array_of_the_shape():
    factor = nd.linalg.potrf(nd.array(INDEFINITE))
    assert factor.shape == (2, 2)
    assert factor.dtype is np.float32
    with pytest.raises(mx.MXNetError, match="potrf"):
        factor.wait_to_read()


def test_what_is_computed_from_a_failed_array_raises_the_first_error():
    result = (nd.dot(failed(), nd.ones((2, 3))) + 1).sum(axis=1) * 2
    assert result.shape == (2,)
    with pytest.raises(mx.MXNetError, match="_random_normal: expected scale above 0"):
        result.asnumpy()


def test_an_error_is_raised_once():
    array = failed()
    with pytest.raises(mx.MXNetError):
        array.wait_to_read()
    array.wait_to_read()
    nd.waitall()
    assert array.asnumpy().tolist() == [[0, 0], [0, 0]]


def test_waiting_for_all_raises_what_nobody_has_read():
    array = failed()
    with pytest.raises(mx.MXNetError, match="scale"):
        nd.waitall()
    nd.waitall()
    assert array.shape == (2, 2)


def test_waiting_for_all_raises_the_error_of_an_array_that_is_gone():
    failed() + 1
    with pytest.raises(mx.MXNetError, match="scale"):
        nd.waitall()


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have no notes")
def test_an_error_says_which_line_made_the_call():
    array = failed()
    with pytest.raises(mx.MXNetError) as raised:
        array.asnumpy()
    assert "test_delayed_errors.py, line" in raised.value.__notes__[0]


@pytest.mark.parametrize("use", [repr, float, bool, lambda x: x.asscalar(), lambda x: x.copy()])
def test_every_use_of_the_elements_raises(use):
    array = nd.random.normal(0, -1, shape=(1,))
    with pytest.raises(mx.MXNetError, match="scale"):
        use(array).wait_to_read()


def test_shapes_that_do_not_fit_raise_at_once():
    with pytest.raises(mx.MXNetError):
        nd.dot(failed(), nd.ones((3, 3)))
    with pytest.raises(mx.MXNetError):
        nd.linalg.potrf(nd.ones((2, 3)))


def test_out_raises_when_it_is_read():
    out = nd.ones(2)
    nd.random.normal(0, -1, shape=(2,), out=out)
    with pytest.raises(mx.MXNetError, match="scale"):
        out.asnumpy()
    assert out.asnumpy().tolist() == [1, 1]


def test_out_that_shares_memory_raises_at_once():
    whole = nd.ones((2, 2))
    with pytest.raises(mx.MXNetError, match="scale"):
        nd.random.normal(0, -1, shape=(2,), out=whole[0])
    nd.waitall()


@pytest.mark.parametrize("out", [nd.ones(3), nd.ones(2, dtype="int32")])
def test_out_that_does_not_fit_raises_at_once(out):
    with pytest.raises(mx.MXNetError, match="output 0"):
        nd.linalg.potrf(nd.array(INDEFINITE), out=out)
    assert out.asnumpy().min() == 1


def test_whoever_knows_of_one_error_knows_of_all():
    first, second = failed(), failed()
    copy, row = first.copy(), first[0]
    with pytest.raises(mx.MXNetError):
        second.asnumpy()
    for array in (first, copy, row, row + 1):
        array.asnumpy()
    with pytest.raises(mx.MXNetError):
        failed().asnumpy()


def test_an_assignment_keeps_the_error_of_either_side():
    array, other = failed(), nd.ones((2, 2))
    array[:] = 3
    other[0] = failed()[1]
    with pytest.raises(mx.MXNetError, match="scale"):
        array.asnumpy()
    assert array.asnumpy().tolist() == [[3, 3], [3, 3]]
    other[1] = failed()[1]
    with pytest.raises(mx.MXNetError, match="scale"):
        other.wait_to_read()
    with pytest.raises(mx.MXNetError, match="broadcast"):
        other[0] = nd.random.normal(0, -1, shape=(3,))


def test_saving_and_showing_tell_of_the_error(tmp_path):
    for use in (repr, lambda array: nd.save(str(tmp_path / "array"), array)):
        array = failed()
        with pytest.raises(mx.MXNetError, match="scale"):
            use(array)
        use(array)
        nd.waitall()


@pytest.mark.parametrize("grad_req", ["write", "add"])
def test_gradients_of_a_failed_head_raise_when_they_are_read(grad_req):
    x = nd.ones((2, 2))
    x.attach_grad(grad_req)
    with autograd.record():
        y = nd.dot(x, failed()) * 2
    y.backward()
    with pytest.raises(mx.MXNetError, match="scale"):
        x.grad.asnumpy()
    y.asnumpy()
    with autograd.record():
        z = x * 2
    z.backward()
    assert x.grad.asnumpy().tolist() == [[2, 2], [2, 2]]


def test_a_head_of_which_the_error_is_known_has_no_gradient():
    x = nd.ones((2, 2))
    x.attach_grad()
    with autograd.record():
        y = nd.dot(x, failed()) * 2
    with pytest.raises(mx.MXNetError, match="scale"):
        y.asnumpy()
    y.backward()
    assert x.grad.asnumpy().tolist() == [[0, 0], [0, 0]]


def test_a_failed_head_without_variables_raises_its_own_error():
    with autograd.record():
        y = failed() * 2
    with pytest.raises(mx.MXNetError, match="scale"):
        y.backward()


def test_gradients_of_an_executor_that_failed_raise_when_they_are_read():
    out = mx.sym.random.normal(0, -1, shape=(2,)) * mx.sym.var("a")
    executor = out.bind(mx.cpu(), {"a": nd.ones(2)}, {"a": nd.zeros(2)})
    executor.forward(is_train=True)
    executor.backward(nd.ones(2))
    with pytest.raises(mx.MXNetError, match="scale"):
        executor.grad_dict["a"].asnumpy()


@pytest.mark.parametrize("hybridize", [False, True])
def test_blocks_return_failed_arrays(hybridize):
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(3, activation="tanh"), gluon.nn.Dense(2))
    net.initialize()
    if hybridize:
        net.hybridize()
    net(nd.ones((2, 2)))
    result = net(failed())
    assert result.shape == (2, 2)
    with pytest.raises(mx.MXNetError, match="scale"):
        result.wait_to_read()


def test_executors_return_failed_arrays():
    bad = mx.sym.random.normal(0, -1, shape=(2, 2))
    executor = mx.sym.dot(mx.sym.var("x"), bad).bind(mx.cpu(), {"x": nd.ones((2, 2))})
    (output,) = executor.forward()
    with pytest.raises(mx.MXNetError, match="scale"):
        output.asnumpy()


def test_a_failed_array_can_be_a_variable():
    x = failed()
    x.attach_grad()
    with autograd.record():
        y = x * 2
    y.backward()
    with pytest.raises(mx.MXNetError, match="scale"):
        x.grad.asnumpy()
    for _ in range(2):
        with autograd.record():
            y = x * 2
        y.backward()
        assert x.grad.asnumpy().tolist() == [[2, 2], [2, 2]]


def test_an_executor_of_a_failed_array_works_after_the_error():
    executor = (mx.sym.var("x") * 2).bind(mx.cpu(), {"x": failed()}, {"x": nd.zeros((2, 2))})
    executor.forward(is_train=True)
    executor.backward(nd.ones((2, 2)))
    with pytest.raises(mx.MXNetError, match="scale"):
        executor.outputs[0].asnumpy()
    executor.forward(is_train=True)
    executor.backward(nd.ones((2, 2)))
    assert executor.outputs[0].asnumpy().tolist() == [[0, 0], [0, 0]]
    assert executor.grad_arrays[0].asnumpy().tolist() == [[2, 2], [2, 2]]


@pytest.mark.parametrize("hybridize", [False, True])
def test_a_first_call_on_a_failed_array_finds_out_shapes(hybridize):
    net = gluon.nn.Dense(3)
    net.initialize()
    net.hybridize(hybridize)
    result = net(failed())
    assert result.shape == (2, 3)
    assert net.weight.shape == (3, 2)
    with pytest.raises(mx.MXNetError, match="scale"):
        result.asnumpy()
    assert net(nd.ones((2, 2))).asnumpy().shape == (2, 3)
