"""The zeros that executors start from."""

from __future__ import annotations

import pytest
import torch

import mxnet as mx
from mxnet.errors import LimitExceededError
from mxnet.executor._analysis import make_lazy_zeros

CPU = torch.device("cpu")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.int8])
@pytest.mark.parametrize("shape", [(), (3,), (0, 5), (300, 501), (70_000,)])
def test_zeros(shape, dtype):
    tensor = make_lazy_zeros("test", shape, dtype, CPU)
    assert tensor.shape == shape
    assert tensor.dtype is dtype
    assert tensor.is_contiguous()
    assert not tensor.any()
    assert tensor.data_ptr() % 64 == 0


def test_memory_is_writable_and_of_its_own():
    first, second = (make_lazy_zeros("test", (300, 300), torch.float32, CPU) for _ in range(2))
    first += 1
    assert first.sum() == 90_000
    assert second.sum() == 0


def test_what_asks_for_too_much_is_named():
    symbol = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1000, name="fc")
    with (
        mx.limits.scope(array_bytes=1000),
        pytest.raises(
            LimitExceededError, match=r"simple_bind: 'fc_weight' of shape .* asks for 8,000 bytes"
        ),
    ):
        symbol.simple_bind(mx.cpu(), data=(1, 2))


def test_outputs_are_checked_too():
    symbol = mx.sym.broadcast_to(mx.sym.var("x"), shape=(1000, 1000), name="wide")
    with (
        mx.limits.scope(array_bytes=1000),
        pytest.raises(
            LimitExceededError, match=r"bind: .*'wide_output' of shape .* 4,000,000 bytes"
        ),
    ):
        symbol.simple_bind(mx.cpu(), x=(1, 1))
