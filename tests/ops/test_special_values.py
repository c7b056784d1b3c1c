"""Elementwise operators on special values against the original.

`DIFFERENCES` names every place where the results are not the original's, with the reason.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from tests.golden.special_value_cases import FLOATS, INTEGERS, cases, run

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "special_values.npz"
TOLERANCE = {"float16": 4e-3, "float32": 1e-4, "float64": 1e-6}

EXACT = "int64 is exact, where the original computes in doubles"
WRAPS = "overflow wraps around, where the original gives the least number"
DIFFERENCES: dict[tuple[str, str], tuple[tuple[str, ...], str]] = {
    **{
        (name, "out"): (("int64",), EXACT)
        for name in ("abs", "ceil", "fix", "floor", "radians", "rint", "round", "trunc")
    },
    ("square", "out"): (INTEGERS, WRAPS),
    ("broadcast_power", "out"): (INTEGERS, WRAPS),
    ("smooth_l1", "out"): (INTEGERS, WRAPS),
    ("sigmoid", "out"): (INTEGERS, "the original's exponent overflows"),
    ("erfinv", "out"): (INTEGERS, "nan becomes the least number, as everywhere"),
    ("broadcast_mod", "out"): (("float32", "float64", "int64"), "quotients beyond the type"),
    ("broadcast_mod", "grad0"): (FLOATS, "1 also for an infinity modulo 0"),
    ("broadcast_mod", "grad1"): (FLOATS, "quotients beyond the type"),
    ("broadcast_div", "grad1"): (FLOATS, "the original's square of the divisor overflows"),
    ("broadcast_power", "grad0"): (FLOATS, "nan at 0 ** 0, where the slope is 0"),
    ("broadcast_power", "grad1"): (FLOATS, "nan at base 0, where the slope is 0"),
    ("expm1", "grad0"): (("float64",), "rounded to 0 below the precision of the result"),
    ("gamma", "grad0"): (("float64",), "the original computes the digamma function in float32"),
    ("gammaln", "grad0"): (FLOATS, "infinite at the poles, where the slope has no sign"),
    ("softsign", "grad0"): (FLOATS, "0 at infinity, where the result is nan"),
}
"""Operator and result with the dtypes that are not compared, and why."""


@cache
def golden() -> dict[str, np.ndarray]:
    with np.load(GOLDEN) as archive:
        return dict(archive)


def agree(found: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Tells which elements agree; a zero may have either sign."""
    if found.dtype.kind != "f":
        return found == expected
    tolerance = TOLERANCE[found.dtype.name]
    least = 8 * float(np.finfo(found.dtype).tiny)
    with np.errstate(all="ignore"):
        a, b = found.astype("float64"), expected.astype("float64")
        close = np.abs(a - b) <= tolerance * np.maximum(np.abs(a), np.abs(b)) + least
    return (np.isnan(a) & np.isnan(b)) | (a == b) | close


def differs(operator: str, part: str, dtype: str) -> bool:
    return dtype in DIFFERENCES.get((operator, part), ((), ""))[0]


CASES = [pytest.param(*case, id="-".join(case[:2])) for case in cases()]


@pytest.mark.parametrize(("operator", "dtype", "inputs"), CASES)
def test_special_values(operator: str, dtype: str, inputs: list[np.ndarray]):
    found, prefix = run(mx, operator, inputs), f"{operator}/{dtype}/"
    parts = {key.removeprefix(prefix) for key in golden() if key.startswith(prefix)}
    assert found.keys() == parts
    of_nan = np.any([item != item for item in inputs], axis=0)
    for part in parts:
        if differs(operator, part, dtype):
            continue
        same = agree(found[part], golden()[prefix + part])
        if part != "out":  # what slope there is at nan, torch decides
            same |= of_nan
        wrong = [tuple(item[k] for item in inputs) for k in np.flatnonzero(~same)]
        assert not wrong, (part, wrong)


@pytest.mark.parametrize("operator", ["broadcast_mod", "broadcast_power", "tan", "erf", "cbrt"])
@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_results_do_not_depend_on_the_length(operator: str, dtype: str):
    inputs = next(row[2] for row in cases() if row[:2] == (operator, dtype))
    function = getattr(mx.nd, operator)
    for values in zip(*inputs, strict=True):
        alone = [mx.nd.array(np.array([value]), dtype=dtype) for value in values]
        many = [mx.nd.array(np.full(67, value), dtype=dtype) for value in values]
        with np.errstate(all="ignore"):
            assert agree(function(*many).asnumpy(), function(*alone).asnumpy()).all(), values
