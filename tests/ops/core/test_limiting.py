"""Gradients of limited elements next to the limits, at NaN and where denormal numbers are zero."""

from __future__ import annotations

import math

import pytest
import torch

import mxnet as mx

VALUES = [math.nan, -1, 0, -0.0, -1e-45, 3, 6, 6.0000005, 7, math.inf, -math.inf]
FINITE = [value for value in VALUES if math.isfinite(value)]
NONE = float("nan")
"""In place of a limit that is not given."""

# What MXNet 1.9.1 returns for VALUES, in float32.
CLIPPED = {
    (0, 6): [1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0],
    (6, 3): [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    (0, math.inf): [1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 0],
    (-math.inf, 6): [1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1],
    (0, NONE): [1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 0],
    (NONE, 3): [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1],
}
AT_LEAST_ZERO = [0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 0]
AT_MOST_SIX = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1]

CASES = [
    *(
        pytest.param(lambda x, ends=ends: mx.nd.clip(x, *ends), expected, id=f"clip{ends}")
        for ends, expected in CLIPPED.items()
    ),
    pytest.param(lambda x: mx.nd.maximum(x, 0), AT_LEAST_ZERO, id="maximum"),
    pytest.param(lambda x: mx.nd.minimum(x, 6), AT_MOST_SIX, id="minimum"),
]


def gradient_of(function, values) -> list[float]:
    x = mx.nd.array(values)
    x.attach_grad()
    with mx.autograd.record():
        y = function(x)
    y.backward(mx.nd.full(x.shape, 5))
    return (x.grad.asnumpy() / 5).tolist()


@pytest.mark.parametrize("times", [1, 40])  # kernels take the rest of a vector in another way
@pytest.mark.parametrize(("function", "expected"), CASES)
def test_gradients_are_those_of_the_original(function, expected, times):
    assert gradient_of(function, VALUES * times) == expected * times


@pytest.mark.parametrize("times", [1, 40])
@pytest.mark.parametrize(("function", "expected"), CASES)
def test_gradients_without_nan(function, expected, times):
    """Without NaN one kernel does it all."""
    wanted = [e for value, e in zip(VALUES, expected, strict=True) if math.isfinite(value)]
    assert gradient_of(function, FINITE * times) == wanted * times


def test_zero_is_a_limit_where_denormal_numbers_are_flushed():
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor cannot")
    try:
        assert gradient_of(lambda x: mx.nd.clip(x, 0, 6), [-1, 0, 1, 6, 7]) == [0, 1, 1, 1, 0]
        assert gradient_of(lambda x: mx.nd.maximum(x, 0), [-1, 0, 1]) == [0, 1, 1]
    finally:
        torch.set_flush_denormal(False)


def test_limits_are_rounded_to_the_type_of_the_data():
    assert gradient_of(lambda x: mx.nd.clip(x, 0.1, 0.3), [0.1, 0.3, 0.2]) == [1, 1, 1]


def test_the_result_is_limited_exactly():
    x = mx.nd.array([-3, -1e-45, 9])
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.clip(x, 0, 6)
    assert y.asnumpy().tolist() == [0, 0, 6]
