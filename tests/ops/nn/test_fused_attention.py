"""One kernel for attention, at the edges that graphs of the CPU leave to the single steps."""

from __future__ import annotations

import math

import pytest
import torch

from mxnet.ops.nn.attention import attend

QUERIES, KEYS, VALUES = torch.randn(3, 2, 4, 8, generator=torch.Generator().manual_seed(0))


def by_steps(bias):
    return torch.softmax(QUERIES @ KEYS.mT * 0.5 + bias, -1) @ VALUES


@pytest.mark.parametrize("far", [-1e4, -1e18, -math.inf])
def test_a_query_whose_keys_are_all_far_has_the_result_of_the_steps(far):
    bias = torch.zeros(2, 4, 4)
    bias[0, 1], bias[1, :, 2] = far, far
    result = attend(QUERIES, KEYS, VALUES, scale=0.5, bias=bias)
    torch.testing.assert_close(result, by_steps(bias), rtol=2e-3, atol=2e-3, equal_nan=True)


def test_a_bias_of_a_wider_type_stays_finite():
    halves = [item.to(torch.bfloat16) for item in (QUERIES, KEYS, VALUES)]
    bias = torch.zeros(4, 4)
    bias[1] = -math.inf
    bias[2] = -3.4e38
    result = attend(*halves, scale=0.5, bias=bias)
    assert result.isfinite().all()


def test_a_query_without_keys_takes_all_values_alike_or_none():
    allowed = torch.ones(2, 4, 4, dtype=torch.bool)
    allowed[0, 1] = False
    alike = attend(QUERIES, KEYS, VALUES, scale=0.5, allowed=allowed)
    torch.testing.assert_close(alike[0, 1], VALUES[0].mean(0))
    zero = attend(QUERIES, KEYS, VALUES, scale=0.5, allowed=allowed, unserved=0.0)
    assert not zero[0, 1].any()
    torch.testing.assert_close(zero[1], alike[1])
