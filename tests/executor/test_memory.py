"""The zeros that executors start from."""

from __future__ import annotations

import pytest
import torch

import mxnet as mx
from mxnet.errors import LimitExceededError


def zeros(shape, dtype="float32"):
    """Binds an input, and returns the tensor that it starts from."""
    with mx.np_shape(True):
        executor = mx.sym.identity(mx.sym.var("x")).simple_bind(
            mx.cpu(), grad_req="null", type_dict={"x": dtype}, x=shape
        )
        return executor.arg_dict["x"].to_torch()


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int8"])
@pytest.mark.parametrize("shape", [(), (3,), (0, 5), (300, 501), (70_000,)])
def test_zeros(shape, dtype):
    tensor = zeros(shape, dtype)
    assert tensor.shape == shape
    assert tensor.dtype is getattr(torch, dtype)
    assert tensor.is_contiguous()
    assert not tensor.any()
    assert tensor.data_ptr() % 64 == 0


def test_memory_is_writable_and_of_its_own():
    first, second = zeros((300, 300)), zeros((300, 300))
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
