"""Numbers beside arrays: whole ones are exact, others become what an element type holds."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.ops.core.scalars import as_integer, as_number, clip_positions

BEYOND = 2**53 + 1
"""The first whole number that no double can hold."""


def whole(*values: int, dtype: str = "int64") -> mx.nd.NDArray:
    return mx.nd.array(np.array(values), dtype=dtype)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (lambda x: x + BEYOND, BEYOND),
        (lambda x: x - BEYOND, -BEYOND),
        (lambda x: BEYOND - x, BEYOND),
        (lambda x: (x + 1) * BEYOND, BEYOND),
        (lambda x: (x + BEYOND) / BEYOND, 1),
        (lambda x: (x + BEYOND) % (BEYOND + 1), BEYOND),
        (lambda x: x + BEYOND == BEYOND, 1),
        (lambda x: x + 2**53 == BEYOND, 0),
        (lambda x: x + 2**53 < BEYOND, 1),
        (lambda x: mx.nd.maximum(x, BEYOND), BEYOND),
        (lambda x: mx.nd.minimum(x, -BEYOND), -BEYOND),
        (lambda x: (x + 2**60).clip(0, BEYOND), BEYOND),
        (lambda _: mx.nd.full((1,), BEYOND, dtype="int64"), BEYOND),
        (lambda _: mx.nd.arange(BEYOND, BEYOND + 1, dtype="int64"), BEYOND),
        (lambda _: mx.nd.array([BEYOND], dtype="int64"), BEYOND),
        (lambda x: mx.nd._internal._plus_scalar(x, scalar=str(BEYOND)), BEYOND),
        (lambda x: x + np.int64(BEYOND), BEYOND),
    ],
)
def test_whole_numbers_are_exact(result, expected):
    assert result(whole(0)).asnumpy().tolist() == [expected]


def test_assigned_numbers_are_exact():
    x = whole(0, 0)
    x[1] = BEYOND
    assert x.asnumpy().tolist() == [0, BEYOND]
    x[:] = -BEYOND
    assert x.asnumpy().tolist() == [-BEYOND, -BEYOND]


def test_graphs_keep_whole_numbers():
    symbol = mx.sym.load_json((mx.sym.var("x") + BEYOND).tojson())
    executor = symbol.bind(mx.cpu(), {"x": whole(0)})
    assert executor.forward()[0].asnumpy().tolist() == [BEYOND]


def test_graphs_divide_the_least_number():
    x = mx.sym.var("x")
    executor = mx.sym.Group([x / -1, x % -1]).bind(mx.cpu(), {"x": whole(-(2**63), 7)})
    quotient, rest = executor.forward()
    assert quotient.asnumpy().tolist() == [-(2**63), -7]
    assert rest.asnumpy().tolist() == [0, 0]


@pytest.mark.parametrize("value", [0, 1.5, -3, 2**53, float(2**60), True, np.float32(0.5)])
def test_other_numbers_are_floats(value):
    assert type(as_number(value)) is float
    assert as_number(value) == value


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64"])
def test_numbers_become_what_a_cast_gives(dtype: str):
    values = [nan, inf, -inf, 300.0, -300.0, -0.9, 2.0**31, 2.0**40, 2.0**63, -1e30, 127.9]
    for length in (1, 5, 64):
        for value in values:
            cast = mx.nd.full((length,), value, dtype="float64").astype(dtype).asnumpy()
            assert set(cast.tolist()) == {as_integer(value, getattr(torch, dtype))}, value


@pytest.mark.parametrize("size", [3, 1 << 25])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_positions_stay_on_the_axis(size: int, dtype: torch.dtype):
    indices = torch.tensor([nan, -inf, -0.5, 1.9, inf], dtype=dtype)
    assert clip_positions(indices, size).tolist() == [0, 0, 0, 1, size - 1]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, [nan]),
        ([None, 1], [nan, 1]),
        ("12", [12]),
        ([b"1.5"], [1.5]),
        (np.array([5], "timedelta64[s]"), [5]),
        (np.array([(3,)], dtype=[("a", "i4")]), [3]),
        (np.array([1, 2], dtype=object), [1, 2]),
        ([2**100], [2.0**100]),
        (range(2), [0, 1]),
    ],
)
def test_what_is_array_like_to_numpy_is_so_here(value, expected):
    made = mx.nd.array(value).reshape((-1,))
    np.testing.assert_array_equal(made.asnumpy(), np.array(expected, "float32"))
    filled = mx.nd.zeros((len(expected),))
    filled[:] = value
    np.testing.assert_array_equal(filled.asnumpy(), made.asnumpy())


@pytest.mark.parametrize(
    "value",
    [[1j], np.array([1j]), [[1, 2], [3]], {1, 2}, {"a": 1}, (i for i in "a"), "abc", object()],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_array_like_is_refused_everywhere(value):
    with pytest.raises(TypeError, match="array"):
        mx.nd.array(value)
    with pytest.raises(TypeError, match="assignment"):
        mx.nd.zeros((2,))[:] = value
    with pytest.raises(TypeError, match="assignment"):
        mx.nd.full((2,), value)
    with pytest.raises(TypeError, match="broadcast_add"):
        mx.nd.zeros((2,)) + value
