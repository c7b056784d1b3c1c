"""Reductions along axes in the NumPy dialect."""

from math import inf, nan

from .core import rand, sample, values
from .elementwise import HALF

INTEGERS = ["int8", "uint8", "int32", "int64"]
WHOLE = [[1, 2, 0], [3, 5, 5]]
MASK = values([[True, False, True], [True, True, True]], "bool")
AXES = [0, -1, (0,), (0, -1), (1, 0), ()]
REDUCTIONS = ["_np_sum", "_np_prod", "_np_max", "_np_min", "_npi_mean"]
CRASHES = "fails or ends the process where a result is empty"
NO_INITIAL = "refuses a number to begin with"


def _axes(op: str, **fields) -> list:
    return [
        sample(op, rand(2, 3), **fields),
        sample(op, rand(2, 3), keepdims=True, **fields),
        *(sample(op, rand(2, 3), axis=axis, **fields) for axis in AXES),
        *(
            sample(op, rand(2, 1, 3), axis=axis, keepdims=True, **fields)
            for axis in (1, (0, 2), ())
        ),
        sample(op, rand(), **fields),
        sample(op, rand(2, 3, dtype="float64"), axis=1, **fields),
        sample(op, rand(2, 3, dtype="float16"), axis=1, **{**HALF, **fields}),
        *(sample(op, rand(2, 3), axis=axis, raises=True) for axis in (2, -3, (0, 0))),
    ]


def _reduction(op: str) -> list:
    rows = _axes(op)
    rows += [sample(op, values(WHOLE, dtype)) for dtype in INTEGERS]
    rows += [
        sample(op, values(WHOLE, "int32"), axis=-1),
        sample(op, MASK),
        sample(op, MASK, axis=0),
    ]
    rows.append(sample(op, values([1, nan, 3]), numeric=False, gradient=op != "_np_prod"))
    rows.append(sample(op, rand(0, 3), axis=1, gradient=False, oracle=False, why=CRASHES))
    return rows


def _with_dtype(op: str) -> list:
    return [
        *(
            sample(op, values([1.5, 2.25, 3.5]), dtype=dtype, gradient=False)
            for dtype in ("float16", "float32", "float64", "int8", "int32", "int64")
        ),
        *(
            sample(op, values([1, 2, 3], "int32"), dtype=dtype)
            for dtype in ("float32", "float64", "int8", "int32", "int64")
        ),
        *(sample(op, MASK, dtype=dtype) for dtype in ("float32", "float64", "int32", "int64")),
        sample(op, rand(3), dtype="uint8", raises=True),
    ]


def _empty(op: str, why: str) -> list:
    return [
        sample(op, rand(0, 3), axis=axis, gradient=False, oracle=not why, why=why)
        for axis in (None, 0)
    ]


def _position(op: str) -> list:
    return [
        sample(op, rand(2, 3)),
        sample(op, rand(2, 3), keepdims=True),
        *(sample(op, rand(2, 3, 2), axis=axis) for axis in (0, 1, -1)),
        sample(op, rand(2, 3, 2), axis=1, keepdims=True),
        sample(op, rand()),
        sample(op, rand(0, 3), axis=1),
        sample(op, values([1, nan, 3, nan])),
        sample(op, values([[2, 1, 2], [1, 1, 3]]), axis=1),
        *(sample(op, values(WHOLE, dtype), axis=1) for dtype in (*INTEGERS, "float16", "float64")),
        sample(op, MASK, raises=True),
        sample(op, rand(2, 3), axis=2, raises=True),
        sample(op, rand(0, 3), raises=True),
        sample(op, rand(0, 3), axis=0, raises=True),
    ]


def _test(op: str) -> list:
    return [
        *_axes(op),
        sample(op, values([0, nan, inf])),
        sample(op, rand(0, 3)),
        sample(op, rand(0, 3), axis=0),
        sample(op, rand(0, 3), axis=1),
        sample(op, values([[True, False], [True, True]], "bool"), axis=1),
        *(sample(op, values([[0, 1], [0, 0]], dtype), axis=0) for dtype in INTEGERS),
    ]


SAMPLES = [
    *(row for op in REDUCTIONS for row in _reduction(op)),
    *(row for op in ("_np_sum", "_np_prod", "_npi_mean") for row in _with_dtype(op)),
    sample("_np_sum", values([0.5, 0.5]), dtype="bool", gradient=False),
    sample("_np_prod", values([1, 0], "int32"), dtype="bool"),
    *_empty("_np_sum", ""),
    *_empty("_np_prod", "the product of no elements is 0 there"),
    *_empty("_npi_mean", CRASHES),
    *(sample(op, rand(0, 3), raises=True) for op in ("_np_max", "_np_min")),
    *(sample(op, rand(0, 3), axis=0, raises=True) for op in ("_np_max", "_np_min")),
    *(
        sample(op, rand(2, 3), axis=1, initial=0.25, oracle=False, why=NO_INITIAL)
        for op in REDUCTIONS[:4]
    ),
    *(
        sample(op, rand(0, 3), axis=0, initial=0.25, oracle=False, why=NO_INITIAL, numeric=False)
        for op in REDUCTIONS[:4]
    ),
    sample("_npi_mean", rand(2), initial=1.0, raises=True),
    sample("_np_prod", values([[2, 0, 3], [0, 0, 1]]), axis=1, gradient=False),
    sample("_np_max", values([[2, 2, 1], [0, 3, 3]]), axis=1, numeric=False),
    sample("_np_min", values([[2, 2, 3], [0, 3, 0]]), axis=1, numeric=False),
    *(row for op in ("_npi_argmax", "_npi_argmin") for row in _position(op)),
    *(row for op in ("_np_all", "_np_any") for row in _test(op)),
    *(
        sample("_np_cumsum", array, axis=axis)
        for array in (rand(2, 3), rand(0, 3), values(WHOLE, "int8"), MASK)
        for axis in (None, 0, 1)
    ),
    sample("_np_cumsum", rand()),
    sample("_np_cumsum", rand(2, 3), axis=2, raises=True),
    sample("_np_cumsum", MASK, dtype="float32"),
]
