"""Gradients as shorter codes."""

from __future__ import annotations

import pytest
import torch

import mxnet as mx
from mxnet.kvstore._replicas import HalfCompression, TwoBitCompression


def test_two_bits_keep_what_is_lost_for_the_next_gradient():
    compress = TwoBitCompression({"type": "2bit", "threshold": 0.5})
    gradient = torch.tensor([0.3, -0.6, 0.5])
    assert compress.encode("a", gradient).tolist() == [0, -1, 1]
    compress.settle()
    assert compress.encode("a", gradient).tolist() == [1, -1, 1]
    assert compress.encode("b", gradient).tolist() == [0, -1, 1]
    assert compress.decode(torch.tensor([2, -1])).tolist() == [1.0, -0.5]


def test_two_bits_forget_what_is_not_sent():
    compress = TwoBitCompression({"type": "2bit", "threshold": 0.5})
    compress.encode("a", torch.tensor([0.3]))
    assert compress.encode("a", torch.tensor([0.3])).tolist() == [0]
    compress.settle()
    compress.settle()
    assert compress.encode("a", torch.tensor([0.2])).tolist() == [1]


@pytest.mark.parametrize("threshold", [0, -1, float("nan")])
def test_threshold_is_positive(threshold):
    with pytest.raises(mx.MXNetError, match="threshold is above 0"):
        TwoBitCompression({"type": "2bit", "threshold": threshold})


def test_sums_of_two_bits_fit_their_dtype():
    compress = TwoBitCompression({"type": "2bit"})
    assert compress.code_dtype(torch.float32, 127) is torch.int8
    assert compress.code_dtype(torch.float32, 128) is torch.int32


@pytest.mark.parametrize(
    ("dtype", "sent"),
    [
        (torch.float32, torch.float16),
        (torch.float64, torch.float16),
        (torch.float16, torch.float16),
        (torch.bfloat16, torch.bfloat16),
        (torch.int32, torch.int32),
    ],
)
def test_half_precision_shortens_floating_point_numbers(dtype, sent):
    compress = HalfCompression()
    codes = compress.encode("a", torch.ones(2, dtype=dtype))
    assert codes.dtype is compress.code_dtype(dtype, 2) is sent


def test_sums_in_half_precision_do_not_overflow_if_they_are_divided():
    large = torch.full((1,), 60000.0)
    for divisor, wanted in ((1.0, float("inf")), (4.0, 120000.0)):
        compress = HalfCompression(divisor)
        codes = compress.encode("a", large)
        assert compress.decode(codes + codes).item() == pytest.approx(wanted, rel=1e-3)


def test_what_arrives_has_the_dtype_of_the_gradient():
    gradient = mx.nd.array([1.0001, 3])
    arrived = HalfCompression(2.0)("a", gradient)
    assert arrived.dtype == gradient.dtype
    assert arrived.asnumpy().tolist() == [1, 3]
    rows = gradient.reshape((2, 1)).tostype("row_sparse")
    assert HalfCompression()("a", rows) is rows
