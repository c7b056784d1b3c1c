"""Rows of plain decimals are read exactly, and whatever else there is is left to other readers."""

from __future__ import annotations

import numpy as np
import pytest

from mxnet.io._plain_rows import read_plain_rows


@pytest.mark.parametrize(
    "form", ["%.0f", "%.1f", "%.6f", "%.9f", "%.15f"], ids=lambda form: f"form {form[1:]}"
)
@pytest.mark.parametrize("scale", [1, 1e5])
def test_numbers_are_those_of_python(form, scale):
    drawn = np.random.RandomState(1).uniform(-scale, scale, (40, 7))
    lines = [[form % number for number in row] for row in drawn]
    text = "".join(",".join(row) + "\n" for row in lines).encode()
    values = read_plain_rows(text).values
    # The digits of some numbers do not fit into a float64, which is then rounded twice.
    expected = np.array([[float(number) for number in row] for row in lines])
    np.testing.assert_allclose(values, expected, rtol=3e-16, atol=0)
    if form != "%.15f":
        np.testing.assert_array_equal(values, expected)


def test_the_longest_part_of_a_number_is_known():
    assert read_plain_rows(b"1.25,12.5\n").longest == 2
    assert read_plain_rows(b"-123,4\n").longest == 3


def test_a_negative_zero_keeps_its_sign():
    assert np.signbit(read_plain_rows(b"-0.0,0.0\n").values).tolist() == [[True, False]]


@pytest.mark.parametrize(
    "text",
    [
        "", "1,2\n3", "1,2\n3,4,5", "1,,2", "1,", "-,1", "--1,2", "1-2,3", "1-,2", "+1,2", " 1,2",
        "1.5,2", "1,2\n1.5,2", "1.5,2.5\n1,2", "1.,2.", ".5,.5", "1..5,2", "1.5.2,3", "1e5,2",
        "1.5e1,2.5", "nan,1", "0x1,2", "1,2\n\n3,4", "1.5,2.5\n\n3.5,4.5", "1" * 25,
    ],
)  # fmt: skip
def test_anything_else_is_refused(text):
    assert read_plain_rows(text.encode() + b"\n") is None
