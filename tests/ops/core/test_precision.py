"""Operators of mixed precision."""

from __future__ import annotations

import pytest

from mxnet import nd

INFINITE = float("inf")


@pytest.mark.parametrize(
    ("values", "held", "forgets", "expected"),
    [
        ([1, 2], 0, True, 1),
        ([1, 2], 0, False, 0),
        ([1, 2], 1, False, 1),
        ([1, INFINITE], 1, False, 0),
        ([1, INFINITE], 1, True, 0),
    ],
)
def test_tests_for_overflow_keep_a_zero_in_their_output_if_told_to(values, held, forgets, expected):
    out = nd.full((1,), held)
    nd.all_finite(nd.array(values), init_output=forgets, out=out)
    assert out.asscalar() == expected
    out = nd.full((1,), held)
    arrays = [nd.array([3]), nd.array(values)]
    nd.multi_all_finite(*arrays, num_arrays=2, init_output=forgets, out=out)
    assert out.asscalar() == expected


def test_conversions_do_not_share_memory_with_their_input():
    x = nd.ones(2)
    for y in (nd.amp_cast(x, dtype="float32"), nd.amp_multicast(x, num_outputs=1)):
        y = y[0] if isinstance(y, list) else y
        y[:] = 5
    assert x.asnumpy().tolist() == [1, 1]
