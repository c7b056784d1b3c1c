"""Which arrays share memory, also after recording; the original gave the expected values."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd


def recorded_transpose():
    x = nd.arange(4).reshape((2, 2))
    x.attach_grad()
    with autograd.record():
        y = x.T
    return x, y


def test_a_view_of_a_recorded_view_does_not_reach_its_input():
    x, y = recorded_transpose()
    y[0:1] = 99
    assert x.asnumpy().tolist() == [[0, 1], [2, 3]]
    assert y.asnumpy().tolist() == [[99, 99], [1, 3]]


def test_a_used_up_view_has_memory_of_its_own_to_share():
    x, y = recorded_transpose()
    y.backward()
    part = y[0:1]
    part[:] = 99
    assert x.asnumpy().tolist() == [[0, 1], [2, 3]]
    assert y.asnumpy().tolist() == [[99, 99], [1, 3]]


@pytest.mark.parametrize("share", [nd.NDArray.detach, lambda y: y.reshape((4,))])
def test_sharing_a_recorded_view_does_not_reach_its_input(share):
    x, y = recorded_transpose()
    share(y)[:] = 7
    assert x.asnumpy().tolist() == [[0, 1], [2, 3]]
    assert y.asnumpy().tolist() == [[7, 7], [7, 7]]


def test_a_tensor_of_a_recorded_view_does_not_reach_its_input():
    x, y = recorded_transpose()
    y.to_torch().fill_(7)
    assert x.asnumpy().tolist() == [[0, 1], [2, 3]]
    assert y.asnumpy().tolist() == [[7, 7], [7, 7]]


def test_what_is_written_to_a_recorded_view_is_read_when_recording_goes_on():
    x, y = recorded_transpose()
    y[:] = 7
    with autograd.record():
        z = y * 2
    z.backward()
    assert z.asnumpy().tolist() == [[14, 14], [14, 14]]
    assert x.grad.asnumpy().tolist() == [[2, 2], [2, 2]]


def test_a_recorded_view_can_become_a_variable():
    x, y = recorded_transpose()
    y.attach_grad()
    y[:] = 3
    with autograd.record():
        z = y * y
    z.backward()
    assert z.asnumpy().tolist() == [[9, 9], [9, 9]]
    assert y.grad.asnumpy().tolist() == [[6, 6], [6, 6]]
    assert x.asnumpy().tolist() == [[0, 1], [2, 3]]


def test_parts_of_results_that_torch_lays_out_otherwise_are_views():
    matrix = nd.array([[2, 1], [1, 2]])
    for result in (nd.linalg.potrf(matrix), nd.linalg.inverse(matrix)):
        result[0:1][:] = 5
        assert result[0].asnumpy().tolist() == [5, 5]


def test_the_result_may_be_written_over_the_input():
    x = nd.arange(4).reshape((2, 2))
    assert nd.transpose(x, out=x) is x
    assert x.asnumpy().tolist() == [[0, 2], [1, 3]]
    v = nd.arange(4)
    v[0:2].copyto(v[1:3])
    assert v.asnumpy().tolist() == [0, 0, 1, 3]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_out_takes_an_array_for_each_output(count):
    x = nd.arange(6).reshape((2, 3))
    with pytest.raises(mx.MXNetError, match="out takes 3 arrays"):
        nd.split(x, 3, out=[nd.zeros((2, 1)) for _ in range(count)])
    with pytest.raises(mx.MXNetError, match="out takes 3 arrays, got 1"):
        nd.split(x, 3, out=nd.zeros((2, 1)))


@pytest.mark.parametrize("out", [5, [5]])
def test_out_takes_nothing_but_arrays(out):
    with pytest.raises(TypeError, match="relu: out takes arrays, got int"):
        nd.relu(nd.ones(2), out=out)


def test_any_layout_of_numpy_can_be_assigned():
    fixed = np.arange(3.0)
    fixed.flags.writeable = False
    for source in (np.arange(3.0)[::-1], fixed, np.arange(3, dtype=">f4")):
        x = nd.zeros(3)
        x[:] = source
        assert x.asnumpy().tolist() == source.tolist()
