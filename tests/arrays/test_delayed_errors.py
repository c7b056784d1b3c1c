"""Tests of errors that appear when a result is read."""

from __future__ import annotations

import contextlib
import copy
import ctypes
import pickle
import sys

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, base, gluon, metric, nd

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


def raises(read):
    """Returns whether an array raises when it is read, which is the same each time."""
    with contextlib.suppress(mx.MXNetError):
        read()
        read()
        return False
    with pytest.raises(mx.MXNetError):
        read()
    return True


def test_an_error_is_raised_every_time():
    array = failed()
    for read in (array.wait_to_read, array.asnumpy, array.wait_to_read, (array + 1).asnumpy):
        with pytest.raises(mx.MXNetError, match="scale"):
            read()
    nd.waitall()  # the program knows of it
    assert raises(array.asnumpy)


def test_each_time_raises_an_error_of_its_own():
    array, errors = failed(), []
    for _ in range(2):
        with pytest.raises(mx.MXNetError) as raised:
            array.asnumpy()
        errors.append(raised.value)
    first, second = errors
    assert first is not second
    assert (type(first), str(first)) == (type(second), str(second))
    assert first.__cause__ is second.__cause__
    if sys.version_info >= (3, 11):
        assert first.__notes__ == second.__notes__
        assert len(first.__notes__) == 1


def test_waiting_for_all_raises_what_nobody_has_read():
    array = failed()
    with pytest.raises(mx.MXNetError, match="scale"):
        nd.waitall()
    nd.waitall()
    assert array.shape == (2, 2)
    assert raises(array.asnumpy)


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
    assert raises(out.asnumpy)
    nd.random.normal(0, 1, shape=(2,), out=out)
    assert not raises(out.asnumpy)


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


def test_the_error_of_one_array_says_nothing_of_another():
    first, second = failed(), nd.linalg.potrf(nd.array(INDEFINITE))
    copy, row = first.copy(), first[0]
    with pytest.raises(mx.MXNetError, match="potrf"):
        second.asnumpy()
    for array in (first, copy, row, row + 1):
        with pytest.raises(mx.MXNetError, match="scale"):
            array.asnumpy()
    with pytest.raises(mx.MXNetError, match="potrf"):
        second.asnumpy()


def test_a_draw_after_one_that_failed_is_a_draw():
    bad, good = failed(), nd.random.normal(0, 1, shape=(2, 2))
    assert good.asnumpy().any()
    assert raises(bad.asnumpy)


def test_an_assignment_keeps_an_error_that_the_program_does_not_know():
    array = failed()
    array[:] = 3
    with pytest.raises(mx.MXNetError, match="scale"):
        array.asnumpy()
    assert raises(array.asnumpy)
    array[:] = 4
    assert array.asnumpy().tolist() == [[4, 4], [4, 4]]


def test_a_part_that_is_written_is_not_the_whole():
    array = failed()
    row, flat = array[0], array.reshape((4,))
    assert raises(array.asnumpy)
    row[:] = 1
    assert row.asnumpy().tolist() == [1, 1]
    assert raises(array.asnumpy)
    assert raises(array[1].asnumpy)
    array[0:1] = 5
    assert raises(array.asnumpy)
    flat[:] = 2
    assert array.asnumpy().tolist() == [[2, 2], [2, 2]]
    assert array[1].asnumpy().tolist() == [2, 2]


def test_all_views_of_what_is_written_have_the_new_elements():
    array = failed()
    row, part = array[1], array[1][0:1]
    assert raises(part.asnumpy)
    array[:] = nd.array([[1, 2], [3, 4]])
    assert [view.asnumpy().tolist() for view in (row, part)] == [[3, 4], [3]]
    assert (array * 2).sum().asscalar() == 20


def test_an_array_that_was_written_can_fail_again():
    array = failed()
    assert raises(array.asnumpy)
    array[:] = 1
    array[:] = failed()
    assert raises(array.asnumpy)
    array[:] = 1
    array += failed()
    assert raises(array.asnumpy)


def test_an_assignment_takes_the_error_of_what_is_assigned():
    other = nd.ones((2, 2))
    other[0] = failed()[1]
    assert raises(other.asnumpy)
    other[:] = 1
    other[1] = failed()[1]
    with pytest.raises(mx.MXNetError, match="scale"):
        other.wait_to_read()
    with pytest.raises(mx.MXNetError, match="broadcast"):
        other[0] = nd.random.normal(0, -1, shape=(3,))


def test_saving_tells_of_the_error_and_leaves_no_file(tmp_path):
    array = failed()
    for _ in range(2):
        with pytest.raises(mx.MXNetError, match="scale"):
            nd.save(str(tmp_path / "array"), array)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("grad_req", ["write", "add"])
def test_gradients_of_a_failed_head_raise_when_they_are_read(grad_req):
    x = nd.ones((2, 2))
    x.attach_grad(grad_req)
    with autograd.record():
        y = nd.dot(x, failed()) * 2
    y.backward()
    with pytest.raises(mx.MXNetError, match="scale"):
        x.grad.asnumpy()
    assert raises(y.asnumpy)
    for _ in range(2):
        with autograd.record():
            z = x * 2
        z.backward()
        # A sum has the error of what it was added to.
        assert raises(x.grad.asnumpy) == (grad_req == "add")
    if grad_req == "add":
        x.grad[:] = 0
        z = x * 2
        with autograd.record():
            z = x * 2
        z.backward()
    assert x.grad.asnumpy().tolist() == [[2, 2], [2, 2]]


def test_a_head_of_which_the_error_is_known_has_the_same_gradient():
    x = nd.ones((2, 2))
    x.attach_grad()
    with autograd.record():
        y = nd.dot(x, failed()) * 2
    with pytest.raises(mx.MXNetError, match="scale"):
        y.asnumpy()
    y.backward()
    assert raises(x.grad.asnumpy)


def test_a_failed_gradient_of_a_head_goes_to_the_variables():
    x = nd.ones((2, 2))
    x.attach_grad()
    with autograd.record():
        y = x * 2
    y.backward(failed())
    assert raises(x.grad.asnumpy)
    executor = (mx.sym.var("x") * 2).bind(mx.cpu(), {"x": x}, {"x": nd.zeros((2, 2))})
    executor.forward(is_train=True)
    executor.backward(failed())
    assert raises(executor.grad_dict["x"].asnumpy)


class FailsInside(autograd.Function):
    """A function whose results, or gradients, could not be computed."""

    def __init__(self, where):
        super().__init__()
        self._where = where

    def forward(self, x):
        return failed() if self._where == "forward" else x * 2

    def backward(self, *_):
        return failed()


class FailingOp(mx.operator.CustomOp):
    def __init__(self, where):
        super().__init__()
        self._where = where

    def forward(self, req, in_data, out_data, **_):
        self.assign(out_data[0], req[0], failed() if self._where == "forward" else in_data[0])

    def backward(self, req, in_grad, **_):
        self.assign(in_grad[0], req[0], failed())


@mx.operator.register("assigns_failed_arrays")
class FailingProp(mx.operator.CustomOpProp):
    def __init__(self, where):
        super().__init__()
        self._where = where

    def create_operator(self, *_):
        return FailingOp(self._where)


@pytest.mark.parametrize("where", ["forward", "backward"])
@pytest.mark.parametrize("kind", ["function", "operator"])
def test_failed_arrays_of_operators_in_python_are_no_numbers(kind, where):
    x = nd.ones((2, 2))
    x.attach_grad()
    with autograd.record():
        if kind == "function":
            y = FailsInside(where)(x) * 2
        else:
            y = nd.Custom(x, op_type="assigns_failed_arrays", where=where) * 2
    assert raises(y.asnumpy) == (where == "forward")
    y.backward()
    assert raises(x.grad.asnumpy)


READS = {
    "asnumpy": lambda x: x.asnumpy(),
    "asscalar": lambda x: x[0, 0].asscalar(),
    "item": lambda x: x.as_np_ndarray()[0, 0].item(),
    "tolist": lambda x: x.as_np_ndarray().tolist(),
    "iteration": lambda x: [row.asnumpy() for row in x],
    "numpy": np.asarray,
    "bytes": lambda x: x.tobytes(),
    "interface": lambda x: x.__array_interface__,
    "torch": lambda x: x.to_torch(),
    "dlpack": lambda x: x.to_dlpack_for_read(),
    "dlpack to write": lambda x: x.to_dlpack_for_write(),
    "torch from dlpack": lambda x: mx.nd.from_dlpack(x),
    "pickle": pickle.dumps,
    "copy": lambda x: copy.deepcopy(x).asnumpy(),
    "html": lambda x: x._repr_html_(),
    "np text": lambda x: str(x.as_np_ndarray()),
    "np repr": lambda x: repr(x.as_np_ndarray()),
    "condition": lambda x: bool(x[0, 0]),
    "comparison": lambda x: bool((x == x).sum()),
    "index": lambda x: nd.arange(9)[x[0]].asnumpy(),
    "sparse": lambda x: x.tostype("csr").asnumpy(),
    "context": lambda x: x.as_in_context(mx.cpu(1)).asnumpy(),
    "address": lambda x: _address_of(x),
    "metric": lambda x: metric.create("mse").update([nd.ones((2, 2))], [x]),
    "accuracy": lambda x: metric.create("acc").update([nd.array([0, 1])], [x]),
    "iterator": lambda x: [b.data[0].asnumpy() for b in mx.io.NDArrayIter(x, batch_size=1)],
    "loader": lambda x: _load(x, num_workers=0),
    "threads": lambda x: _load(x, num_workers=1, thread_pool=True),
    "processes": lambda x: _load(x, num_workers=1),
    "store": lambda x: _push(x),
    "loss": lambda x: gluon.loss.L2Loss()(x, nd.ones((2, 2))).mean().asscalar(),
    "norm": lambda x: gluon.utils.clip_global_norm([x], 1.0),
    "parameter": lambda x: _set_parameter(x),
    "split": lambda x: [a.asnumpy() for a in gluon.utils.split_and_load(x, [mx.cpu(0)] * 2)],
}
"""Ways to read a failed array."""


def _address_of(array):
    address = ctypes.c_void_p()
    base.check_call(base._LIB.MXNDArrayGetData(array.handle, ctypes.byref(address)))


def _load(array, **options):
    data = gluon.data.ArrayDataset([array, array])
    return [b.asnumpy() for b in gluon.data.DataLoader(data, 2, **options)]


def _push(array):
    store = mx.kv.create("local")
    store.init(0, nd.ones((2, 2)))
    store.push(0, array)
    out = nd.zeros((2, 2))
    store.pull(0, out)
    return out.asnumpy()


def _set_parameter(array):
    parameter = gluon.Parameter("weight", shape=(2, 2))
    parameter.initialize()
    parameter.set_data(array)
    return parameter.data().asnumpy()


@pytest.mark.parametrize("way", READS)
def test_every_way_to_read_raises_every_time(way):
    array = failed()
    for _ in range(3):
        with pytest.raises(mx.MXNetError, match="scale"):
            READS[way](array)
    array[:] = 7
    with contextlib.suppress(mx.MXNetError):  # of a worker process, of which this one knows not
        array.asnumpy()
    array[:] = 7
    assert array.asnumpy().tolist() == [[7, 7], [7, 7]]
    assert (array + 1).asnumpy().tolist() == [[8, 8], [8, 8]]


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
    assert raises(x.grad.asnumpy)
    x[:] = 1
    for _ in range(2):
        with autograd.record():
            y = x * 2
        y.backward()
        assert x.grad.asnumpy().tolist() == [[2, 2], [2, 2]]


def test_an_executor_of_a_failed_array_works_when_that_is_written():
    executor = (mx.sym.var("x") * 2).bind(mx.cpu(), {"x": failed()}, {"x": nd.zeros((2, 2))})
    executor.forward(is_train=True)
    executor.backward(nd.ones((2, 2)))
    with pytest.raises(mx.MXNetError, match="scale"):
        executor.outputs[0].asnumpy()
    executor.forward(is_train=True)
    executor.backward(nd.ones((2, 2)))
    assert raises(executor.outputs[0].asnumpy)
    assert raises(executor.grad_arrays[0].asnumpy)
    executor.forward(is_train=True, x=nd.ones((2, 2)))
    executor.backward(nd.ones((2, 2)))
    assert executor.outputs[0].asnumpy().tolist() == [[2, 2], [2, 2]]
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


def test_waiting_for_all_passes_over_arrays_that_are_gone_once_a_later_error_was_raised():
    nd.random.normal(0, -1, (2, 2))
    with pytest.raises(mx.MXNetError):
        nd.random.normal(0, -1, (2, 2)).asnumpy()
    nd.waitall()
    held, later = nd.random.normal(0, -1, (2, 2)), nd.random.normal(0, -1, (2, 2))
    with pytest.raises(mx.MXNetError):
        later.asnumpy()
    with pytest.raises(mx.MXNetError):
        nd.waitall()
    with pytest.raises(mx.MXNetError):
        held.asnumpy()


def test_waiting_for_all_raises_for_an_array_that_is_gone():
    nd.random.normal(0, -1, (2, 2))
    with pytest.raises(mx.MXNetError):
        nd.waitall()
