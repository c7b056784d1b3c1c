"""Statistics, differences and polynomials in the NumPy dialect."""

from math import nan

from .core import ints, rand, sample, values
from .elementwise import HALF
from .np_reduction import AXES, CRASHES, INTEGERS, MASK, WHOLE

NO_GRADIENT = "its gradient is zero everywhere"
ROUNDED = "rounds means of integers before it goes on"


def _spread(op: str) -> list:
    return [
        *(sample(op, rand(2, 3), axis=axis, gradient=False) for axis in (None, *AXES)),
        *(sample(op, rand(2, 3), axis=1, ddof=ddof, gradient=False) for ddof in (1, 2, -1)),
        sample(op, rand(2, 3), ddof=6, gradient=False),
        sample(op, rand(2, 3), axis=1, keepdims=True, gradient=False),
        sample(op, rand(), gradient=False),
        sample(op, rand(0, 3), gradient=False),
        sample(op, rand(0, 3), axis=0, gradient=False),
        sample(op, rand(0, 3), axis=1, gradient=False, oracle=False, why=CRASHES),
        sample(op, values([1, nan, 3]), gradient=False),
        sample(op, rand(2, 3, dtype="float64"), gradient=False),
        sample(op, rand(2, 3, dtype="float16"), gradient=False, **HALF),
        *(
            sample(op, rand(2, 3, high=9), dtype=dtype, gradient=False, rtol=2e-3)
            for dtype in ("float16", "float64", "int32", "int8")
        ),
        sample(op, rand(3, 4), axis=1, ddof=1, oracle=False, why=NO_GRADIENT),
        sample(op, values(WHOLE, "int32"), oracle=False, why=ROUNDED),
        sample(op, values(WHOLE, "int64"), dtype="float64", oracle=False, why=ROUNDED),
        sample(op, MASK, raises=True),
        sample(op, rand(2), dtype="uint8", raises=True),
        sample(op, rand(2, 3), axis=2, raises=True),
        sample(op, rand(2, 3), axis=(0, 0), raises=True),
    ]


AVERAGE, PERCENTILE, COUNT, EDIFF = (
    *("_npi_average", "_npi_percentile", "_npi_bincount", "_npi_ediff1d"),
)
FEW = values([3, 1, 2, 5, 4])
INTERPOLATIONS = ["linear", "lower", "higher", "midpoint", "nearest"]
POSITIVE = {"low": 0.5, "high": 2}

_AVERAGES = [
    *(sample(AVERAGE, rand(2, 3), axis=axis, weighted=False) for axis in (None, 0, -1, (0, 1))),
    sample(AVERAGE, rand(2, 3), axis=1, weighted=False, returned=True),
    sample(AVERAGE, rand(2, 3), rand(3, **POSITIVE), axis=1),
    sample(AVERAGE, rand(2, 3), rand(3, **POSITIVE), axis=-1, returned=True, gradient=False),
    sample(
        AVERAGE,
        rand(2, 3),
        rand(3, **POSITIVE),
        axis=1,
        returned=True,
        oracle=False,
        why="ignores the gradient of the sum of weights",
    ),
    sample(AVERAGE, rand(2, 3), rand(2, 3, **POSITIVE)),
    sample(AVERAGE, rand(2, 3), rand(2, 3, **POSITIVE), axis=0, returned=True, gradient=False),
    sample(AVERAGE, rand(2, 3), rand(2, 3, **POSITIVE), axis=(0, 1)),
    sample(AVERAGE, rand(2, dtype="float64"), rand(2, dtype="float64", **POSITIVE), axis=0),
    sample(AVERAGE, values(WHOLE, "int32"), weighted=False),
    sample(AVERAGE, values(WHOLE, "int32"), values([1, 2, 3], "int32"), axis=1),
    sample(AVERAGE, rand(2, 3), rand(3), axis=0, raises=True),
    sample(AVERAGE, rand(2, 3), rand(3), raises=True),
    sample(AVERAGE, rand(2, 3), rand(2, 1), axis=0, raises=True),
]

_PERCENTILES = [
    *(
        sample(PERCENTILE, FEW, q_scalar=30.0, interpolation=way, gradient=False)
        for way in INTERPOLATIONS
    ),
    *(
        sample(PERCENTILE, FEW, values([0, 30, 55, 100]), interpolation=way, gradient=False)
        for way in INTERPOLATIONS
    ),
    *(
        sample(
            PERCENTILE, rand(2, 3, 2), values([25, 50]), axis=axis, keepdims=keep, gradient=False
        )
        for axis in (None, 1, (0, 2))
        for keep in (False, True)
    ),
    sample(PERCENTILE, rand(2, 3), q_scalar=50, axis=-1, gradient=False),
    sample(PERCENTILE, rand(2, 3), values(50), gradient=False),
    sample(PERCENTILE, FEW, values([25, 50], "int32"), gradient=False),
    sample(PERCENTILE, values([1, nan, 2]), q_scalar=50, gradient=False),
    sample(PERCENTILE, rand(5), q_scalar=40, oracle=False, why=NO_GRADIENT),
    *(
        sample(PERCENTILE, ints(5, low=0, high=9, dtype=dtype), q_scalar=37.5, gradient=False)
        for dtype in (*INTEGERS, "float16", "float64")
    ),
    sample(PERCENTILE, FEW, q_scalar=150, raises=True),
    sample(PERCENTILE, FEW, values([50, -1]), raises=True),
    sample(PERCENTILE, FEW, values([[50, 1]]), raises=True),
    sample(PERCENTILE, MASK, q_scalar=50, raises=True),
]

_COUNTS = [
    *(sample(COUNT, values([0, 1, 1, 3], dtype)) for dtype in INTEGERS),
    sample(COUNT, values([0, 1, 1, 3], "int64"), minlength=6),
    *(
        sample(COUNT, values([0, 1, 1], "int32"), values([5, 1, 2], dtype), has_weights=True)
        for dtype in ("float32", "float64", "int32")
    ),
    sample(COUNT, values([], "int32")),
    sample(COUNT, values([0.0, 1]), raises=True),
    sample(COUNT, values([0, -1], "int32"), raises=True),
    sample(COUNT, values([[0, 1]], "int32"), raises=True),
    sample(COUNT, values([0, 1], "int32"), rand(3), has_weights=True, raises=True),
]

_DIFFERENCES = [
    *(sample("_npi_diff", rand(2, 3), n=n) for n in (0, 1, 2)),
    *(sample("_npi_diff", rand(2, 3), axis=axis) for axis in (0, 1, -2)),
    sample("_npi_diff", rand(2, 3), n=4, numeric=False),
    sample("_npi_diff", rand(0, 3)),
    sample("_npi_diff", rand(3, dtype="float64")),
    sample("_npi_diff", rand(3, dtype="float16"), **HALF),
    *(sample("_npi_diff", values([3, 1, 5], dtype)) for dtype in INTEGERS),
    sample("_npi_diff", rand(3), n=-1, raises=True),
    sample("_npi_diff", rand(3), axis=1, raises=True),
    sample("_npi_diff", rand(), raises=True),
    sample("_npi_diff", MASK, raises=True),
    sample(EDIFF, rand(2, 3)),
    sample(EDIFF, rand(), numeric=False),
    sample(EDIFF, rand(1), numeric=False),
    sample(EDIFF, rand(0), numeric=False),
    sample(EDIFF, rand(3), to_begin_scalar=7.5, to_end_scalar=9.0),
    sample(EDIFF, rand(3), rand(2), to_begin_arr_given=True),
    sample(EDIFF, rand(3), rand(2), to_end_arr_given=True),
    sample(EDIFF, rand(3), rand(2, 2), to_begin_arr_given=True, to_end_scalar=1.0),
    sample(EDIFF, rand(3), rand(1), rand(2), to_begin_arr_given=True, to_end_arr_given=True),
    sample(EDIFF, values([3, 1, 5], "int32"), to_begin_scalar=1.5),
]

_POLYNOMIALS = [
    sample("_npi_polyval", rand(3), rand(2, 2)),
    sample("_npi_polyval", rand(3), rand()),
    sample("_npi_polyval", rand(1), rand(2)),
    sample("_npi_polyval", rand(0), rand(2), numeric=False),
    sample("_npi_polyval", rand(2), rand(0), numeric=False),
    sample("_npi_polyval", rand(3, dtype="float64"), rand(2, dtype="float64")),
    sample("_npi_polyval", rand(3, dtype="float16"), rand(2, dtype="float16"), **HALF),
    *(sample("_npi_polyval", values([1, 2], d), values([1, 2, 3], d)) for d in INTEGERS),
    sample("_npi_polyval", rand(2, 2), rand(2), raises=True),
]

SAMPLES = [
    *(row for op in ("_npi_var", "_npi_std") for row in _spread(op)),
    *_AVERAGES,
    *_PERCENTILES,
    *_COUNTS,
    *_DIFFERENCES,
    *_POLYNOMIALS,
    sample("_npi_histogram", FEW, bin_cnt=3, range=(0, 5), gradient=False),
    sample("_npi_histogram", FEW, values([0, 2, 3, 9]), gradient=False),
]
