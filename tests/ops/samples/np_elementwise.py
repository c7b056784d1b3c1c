"""Functions of one array in the NumPy dialect."""

from math import inf, nan

from .core import rand, sample, values
from .elementwise import DOMAINS, HALF, KINKS, POLES, WHOLE

SMOOTH = [
    *("absolute", "negative", "square", "sqrt", "cbrt", "expm1", "log1p", "sin", "tan", "arcsin"),
    *("arctan", "sinh", "arcsinh", "arctanh", "degrees", "radians", "reciprocal", "exp", "log"),
    *("log10", "log2", "cos", "arccos", "cosh", "arccosh", "tanh"),
]
STEPS = ["sign", "ceil", "floor", "trunc", "fix", "rint"]
TESTS = ["isnan", "isinf", "isposinf", "isneginf", "isfinite", "logical_not"]
DTYPES = ["float16", "float32", "float64", "int8", "uint8", "int32", "int64"]
MASK = values([True, False], "bool")
EDGES = values([[-inf, inf, nan], [0, -0.0, 2.5]])


def _smooth(name: str) -> list:
    op = f"_npi_{name}"
    low, high = DOMAINS.get(name, (-2, 2))
    rows = [
        sample(op, rand(2, 3, low=low, high=high)),
        sample(op, rand(low=low, high=high)),
        sample(op, rand(0, 3)),
        sample(op, rand(2, dtype="float64", low=low, high=high)),
        sample(op, rand(2, 1, 2, dtype="float16", low=low, high=high), **HALF),
        sample(op, MASK, raises=True),
    ]
    if name in POLES:
        rows.append(sample(op, values(POLES[name]), numeric=False))
    whole = WHOLE.get(name, [-3, -2, -1, 0, 1, 2, 3])
    small = [number for number in whole if abs(number) < 5]
    rows += [sample(op, values(whole, dtype)) for dtype in ("int32", "int64")]
    rows += [sample(op, values(small, "int8")), sample(op, values(list(map(abs, small)), "uint8"))]
    return rows


def _step(name: str) -> list:
    op = f"_npi_{name}"
    return [
        sample(op, KINKS, numeric=False),
        sample(op, values([-inf, inf, nan]), gradient=False),
        sample(op, rand(), numeric=False),
        sample(op, rand(2, 0)),
        sample(op, rand(2, 3, dtype="float64", low=-3, high=3), numeric=False),
        sample(op, values([[-2.5, -0.5, 0], [0.5, 1.5, 2]], "float16"), numeric=False),
        sample(op, values([0, 1, 200], "uint8")),
        sample(op, MASK, raises=True),
        *(sample(op, values([-3, 0, 7], dtype)) for dtype in ("int8", "int32", "int64")),
    ]


def _test(name: str) -> list:
    op = f"_npi_{name}"
    return [
        sample(op, EDGES),
        sample(op, values(inf)),
        sample(op, rand(0)),
        sample(op, values([-inf, 0, nan], "float64")),
        sample(op, values([-inf, 0, nan], "float16")),
        *(sample(op, values([0, 1, 2], dtype)) for dtype in ("uint8", "int8", "int32", "int64")),
        sample(op, MASK),
    ]


ROUNDED = values([1234.5, 0.5, 1.5, 2.5, -0.5, 15, 25, -15, 1.005, 2.675, 1e30, nan, inf])
NOT_FINITE = [nan, inf, -inf, 1, -1]

SAMPLES = [
    *(row for name in SMOOTH for row in _smooth(name)),
    *(row for name in STEPS for row in _step(name)),
    *(row for name in TESTS for row in _test(name)),
    *(sample("_npi_bitwise_not", values([0, 1, 5, 100], dtype)) for dtype in DTYPES[3:]),
    sample("_npi_bitwise_not", MASK),
    sample("_npi_bitwise_not", values(3, "int32")),
    sample("_npi_bitwise_not", rand(2), raises=True),
    *(
        sample("_npi_around", array, decimals=decimals, numeric=False)
        for decimals in (0, 1, 2, -1, -2)
        for array in (
            ROUNDED,
            rand(3, dtype="float64", low=-200, high=200),
            values([15, 25, 35, 50, 115, 120, -15, 4], "int32"),
            values([15, 25, 115, 120, -15, 4], "int8"),
            values([15, 25, 115, 250], "uint8"),
            values([15, 25, -35, 10**12], "int64"),
        )
    ),
    sample("_npi_around", values(2.5), numeric=False),
    sample("_npi_around", rand(0, 2), numeric=False),
    sample("_npi_around", rand(2, dtype="float16"), raises=True),
    sample("_npi_around", MASK, raises=True),
    *(
        sample("_npi_nan_to_num", values(NOT_FINITE, dtype), numeric=False, **attrs)
        for dtype in DTYPES[:3]
        for attrs in ({}, {"nan": 3.5, "posinf": 7, "neginf": -9.0}, {"posinf": 1e300})
    ),
    sample("_npi_nan_to_num", values(nan), numeric=False, copy=False),
    sample("_npi_nan_to_num", rand(0)),
    *(sample("_npi_nan_to_num", values([0, 1, 2], dtype), nan=5) for dtype in DTYPES[3:]),
    sample("_npi_nan_to_num", MASK),
]
