"""Arrays on the memory of torch, NumPy and DLPack."""

from __future__ import annotations

import gc

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, nd

DTYPES = {
    "float16": torch.float16,
    "float32": torch.float32,
    "float64": torch.float64,
    "bfloat16": torch.bfloat16,
    "uint8": torch.uint8,
    "int8": torch.int8,
    "int32": torch.int32,
    "int64": torch.int64,
    "bool": torch.bool,
}


@pytest.mark.parametrize(("name", "dtype"), DTYPES.items())
def test_to_torch_and_back(name, dtype):
    x = nd.array([0, 1, 2], dtype=name)
    tensor = x.to_torch()
    assert tensor.dtype is dtype
    assert tensor.data_ptr() == nd.from_torch(tensor).to_torch().data_ptr()
    assert nd.from_torch(tensor).dtype == x.dtype


def test_to_torch_shares_memory():
    x = nd.zeros((3,))
    tensor = x.to_torch()
    tensor[0] = 5
    x[1] = 6
    assert x.asnumpy().tolist() == tensor.tolist() == [5, 6, 0]


def test_from_torch_shares_memory():
    tensor = torch.zeros(3)
    x = nd.from_torch(tensor)
    x += 1
    tensor[0] = 7
    assert x.asnumpy().tolist() == tensor.tolist() == [7, 1, 1]


def test_to_torch_has_no_history():
    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = x * 2
    assert not x.to_torch().requires_grad
    assert not y.to_torch().requires_grad
    y.backward()
    assert x.grad.asnumpy().tolist() == [2, 2]


def test_from_torch_has_no_history():
    tensor = torch.ones(2, requires_grad=True)
    x = nd.from_torch(tensor * 2)
    assert x.grad is None
    with pytest.raises(mx.MXNetError):
        x.backward()


def test_gradient_seen_through_torch_stays_the_same_memory():
    x = nd.ones((2,))
    x.attach_grad()
    seen = x.grad.to_torch()
    for factor in (2, 3):
        with autograd.record():
            y = x * factor
        y.backward()
        assert seen.tolist() == [factor, factor]


def test_from_torch_keeps_strides():
    tensor = torch.arange(6.0).reshape(2, 3).T
    x = nd.from_torch(tensor)
    assert x.shape == (3, 2)
    assert x.asnumpy().tolist() == [[0, 3], [1, 4], [2, 5]]
    assert x[0].asnumpy().tolist() == [0, 3]
    assert x.reshape((6,)).asnumpy().tolist() == [0, 3, 1, 4, 2, 5]
    assert (x + 1)[2].asnumpy().tolist() == [3, 6]


def test_from_torch_refuses_what_has_no_counterpart():
    with pytest.raises(mx.MXNetError, match="complex64"):
        nd.from_torch(torch.zeros(1, dtype=torch.complex64))
    with pytest.raises(TypeError, match="takes a torch tensor, got list"):
        nd.from_torch([1])


def test_bfloat16_round_trip():
    values = [1.0, -2.5, 3.140625]
    x = nd.array(values).astype("bfloat16")
    assert x.to_torch().dtype is torch.bfloat16
    assert x.astype("float32").asnumpy().tolist() == values
    bits = x.asnumpy()
    assert bits.dtype.names == ("bfloat16",)
    assert nd.array(bits, dtype="bfloat16").to_torch().tolist() == values
    assert nd.array(bits).asnumpy().tolist() == values
    assert nd.from_numpy(bits, zero_copy=False).to_torch().tolist() == values
    assert nd.array(values, dtype="bfloat16").to_torch().tolist() == values


def test_bfloat16_is_shown_as_numbers():
    x = nd.array([1.5], dtype="bfloat16")
    assert str(x) == "\n[1.5]\n<NDArray 1 @cpu(0)>"
    assert x.asscalar() == 1.5
    assert float(x) == 1.5
    assert bool(x)


def test_from_dlpack_shares_memory():
    tensor = torch.zeros(3)
    for source in (tensor, torch.utils.dlpack.to_dlpack(tensor)):
        x = nd.from_dlpack(source)
        x += 1
    assert tensor.tolist() == [2, 2, 2]


def test_from_dlpack_takes_numpy():
    values = np.zeros(3, dtype="float32")
    x = nd.from_dlpack(values)
    x[:] = 4
    assert values.tolist() == [4, 4, 4]


def test_to_dlpack_is_read_by_torch():
    x = nd.array([1, 2])
    for capsule in (x.to_dlpack_for_read(), nd.to_dlpack_for_write(x)):
        torch.utils.dlpack.from_dlpack(capsule).add_(1)
    assert x.asnumpy().tolist() == [3, 4]


def test_from_dlpack_refuses_other_things():
    with pytest.raises(mx.MXNetError, match="DLPack"):
        nd.from_dlpack(5)
    capsule = nd.array([1]).to_dlpack_for_read()
    nd.from_dlpack(capsule)
    with pytest.raises(AssertionError, match="fresh DLPack capsule"):
        nd.from_dlpack(capsule)


def test_to_dlpack_for_write_is_an_assignment():
    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = x * 2
        with pytest.raises(mx.MXNetError, match="computational graph"):
            y.to_dlpack_for_write()


def test_from_numpy_shares_memory_and_locks_the_source():
    values = np.zeros(3, dtype="float32")
    x = nd.from_numpy(values)
    x[0] = 5
    assert values.tolist() == [5, 0, 0]
    with pytest.raises(ValueError, match="read-only"):
        values[1] = 1


def test_from_numpy_keeps_the_memory_alive():
    x = nd.from_numpy(np.full(1000, 3, dtype="float32"))
    gc.collect()
    assert x.sum().asscalar() == 3000


def test_from_numpy_copies_if_told_to():
    values = np.zeros(3, dtype="float32")
    x = nd.from_numpy(values, zero_copy=False)
    values[:] = 1
    assert x.asnumpy().tolist() == [0, 0, 0]


def test_from_numpy_refuses_what_cannot_be_shared():
    with pytest.raises(ValueError, match="C-contiguous"):
        nd.from_numpy(np.zeros((2, 3)).T)
    with pytest.raises(mx.MXNetError, match="complex64"):
        nd.from_numpy(np.zeros(1, dtype="complex64"))


def test_numpy_reads_arrays():
    x = nd.array([[1, 2], [3, 4]], dtype="int32")
    assert np.asarray(x).dtype == np.int32
    assert np.array(x, dtype="float64").tolist() == [[1, 2], [3, 4]]
    assert np.stack([x, x]).shape == (2, 2, 2)
    values = np.array(x)
    values[:] = 0
    assert x.asnumpy().any()


def test_array_of_a_tensor_is_a_copy():
    tensor = torch.ones(2, dtype=torch.float64)
    x = nd.array(tensor)
    assert x.dtype is np.float32
    tensor.zero_()
    assert x.asnumpy().tolist() == [1, 1]
