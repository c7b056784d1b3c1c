"""Reading decimal numbers many at a time."""

import random

import numpy as np
import pytest

from mxnet.io._decimals import read_decimals


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
