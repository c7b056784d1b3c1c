"""Decimal numbers are read exactly, many at a time; what else there is is left to others."""

import random

import numpy as np
import pytest

from mxnet.io._decimals import read_decimals, read_plain_rows


@pytest.mark.parametrize(
    ("text", "values", "per_line"),
    [
        (b"1,2\n", [1, 2], [2]),
        (b"-1.5,2e3\n+4,-0.25\n", [-1.5, 2000, 4, -0.25], [2, 2]),
        (b"1e-3,1.25E+02\n", [0.001, 125], [2]),
        (b",1,,\n\n2\n", [1, 2], [1, 0, 1]),
        (b"123456789012,0.123456789012345678\n", [123456789012, 0.12345678901234568], [2]),
        (b"1e400,-1e-400,0e400,1e99999\n", [np.inf, 0, 0, np.inf], [4]),
    ],
)
def test_plain_numbers_are_read(text, values, per_line):
    found = read_decimals(text, b",\n")
    assert found.values.tolist() == values
    assert found.per_line.tolist() == per_line
    assert found.separators == sum(text.count(byte) for byte in (b",", b"\n"))


@pytest.mark.parametrize(
    "text",
    [
        *("1-2", "1+2", "1.2.3", ".5", "-.5", "5.", "5-", "--1", "-", "1.-5", "1.+5", "a1", "1 2"),
        *("1e2e3", "1e2.5", "1e", "e5", "1.e5", "1e--5", "1e5-3", "0x10", "nan", "inf", ""),
        "1234567890123456789012345",
    ],
)
def test_anything_else_is_left_to_others(text):
    assert read_decimals(text.encode() + b"\n", b",\n") is None


def test_results_are_rounded_as_by_python():
    random.seed(3)
    values = [random.gauss(0, 10 ** random.randint(-8, 8)) for _ in range(3000)]
    forms = ("%.6f", "%d", "%.18e", "%r", "%.3g", "%g", "%.9f")
    texts = [forms[place % len(forms)] % value for place, value in enumerate(values)]
    found = read_decimals(",".join(texts).encode() + b"\n", b",\n").values
    expected = np.array([float(text) for text in texts])
    np.testing.assert_allclose(found, expected, rtol=4e-16)
    np.testing.assert_array_equal(found.astype("float32"), expected.astype("float32"))


@pytest.mark.parametrize(
    "form", ["%.0f", "%.1f", "%.6f", "%.9f", "%.15f"], ids=lambda form: f"form {form[1:]}"
)
@pytest.mark.parametrize("scale", [1, 1e5])
def test_plain_rows_hold_the_numbers_of_python(form, scale):
    drawn = np.random.RandomState(1).uniform(-scale, scale, (40, 7))
    lines = [[form % number for number in row] for row in drawn]
    text = "".join(",".join(row) + "\n" for row in lines).encode()
    values = read_plain_rows(text).values
    # The digits of some numbers do not fit into a float64, which is then rounded twice.
    expected = np.array([[float(number) for number in row] for row in lines])
    np.testing.assert_allclose(values, expected, rtol=3e-16, atol=0)
    if form != "%.15f":
        np.testing.assert_array_equal(values, expected)


def test_the_longest_part_of_a_number_in_rows_is_known():
    assert read_plain_rows(b"1.25,12.5\n").longest == 2
    assert read_plain_rows(b"-123,4\n").longest == 3


def test_a_negative_zero_in_rows_keeps_its_sign():
    assert np.signbit(read_plain_rows(b"-0.0,0.0\n").values).tolist() == [[True, False]]


@pytest.mark.parametrize(
    "text",
    [
        "", "1,2\n3", "1,2\n3,4,5", "1,,2", "1,", "-,1", "--1,2", "1-2,3", "1-,2", "+1,2", " 1,2",
        "1.5,2", "1,2\n1.5,2", "1.5,2.5\n1,2", "1.,2.", ".5,.5", "1..5,2", "1.5.2,3", "1e5,2",
        "1.5e1,2.5", "nan,1", "0x1,2", "1,2\n\n3,4", "1.5,2.5\n\n3.5,4.5", "1" * 25,
    ],
)  # fmt: skip
def test_anything_but_plain_rows_is_refused(text):
    assert read_plain_rows(text.encode() + b"\n") is None
