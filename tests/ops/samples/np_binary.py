"""Arithmetic of two operands in the NumPy dialect."""

from math import inf, nan

from .core import ints, rand, sample, values
from .elementwise import HALF

PROMOTING = ["add", "subtract", "multiply", "true_divide", "mod", "power"]
OF_ONE_DTYPE = ["copysign", "arctan2", "hypot", "ldexp", "maximum", "minimum"]
FLOATS = ["float16", "float32", "float64"]
INTEGERS = ["int8", "uint8", "int32", "int64"]
POSITIVE = {"low": 0.5, "high": 2}
MASK = values([True, False, True, False], "bool")
OTHER_MASK = values([True, False, False, True], "bool")
REFUSED = "refuses dtypes that have a common one"


def _some(dtype: str):
    """Four elements of a dtype, which all functions here take."""
    if dtype == "bool":
        return MASK
    return values([1, 2, 3, 4], dtype)


def _same_dtype(op: str, numbers: dict) -> list:
    return [
        sample(op, rand(2, 3, **numbers), rand(2, 3, **numbers)),
        sample(op, rand(2, 1, 3, **numbers), rand(4, 1, **numbers)),
        sample(op, rand(**numbers), rand(3, **numbers)),
        sample(op, rand(**numbers), rand(**numbers)),
        sample(op, rand(2, 0), rand(1, 1), numeric=False),
        sample(op, rand(0), rand(0)),
        sample(op, rand(3, dtype="float64", **numbers), rand(3, dtype="float64", **numbers)),
        sample(
            op, rand(3, dtype="float16", **numbers), rand(3, dtype="float16", **numbers), **HALF
        ),
        sample(op, rand(2, 3), rand(2), raises=True),
        sample(op, rand(2, 0), rand(3, 1), raises=True),
    ]


def _promoting(name: str) -> list:
    op = f"_npi_{name}"
    rows = _same_dtype(op, POSITIVE)
    for first in (*FLOATS, *INTEGERS, "bool"):
        for second in (*FLOATS, *INTEGERS, "bool"):
            if first == second == "bool":
                refused = name in ("subtract", "mod")
                rows.append(sample(op, MASK, OTHER_MASK, raises=refused))
                continue
            whole = first not in FLOATS and second not in FLOATS
            refused = {first, second} == {"int8", "uint8"} or (
                name in ("subtract", "mod", "true_divide") and whole and first != second
            )
            refused |= name == "true_divide" and {first, second} < set(FLOATS) and first != second
            smooth = name != "mod" and not (name == "power" and "bool" in (first, second))
            rows.append(
                sample(
                    op,
                    _some(first),
                    _some(second),
                    oracle=not refused,
                    why=REFUSED if refused else "",
                    numeric=smooth and not (name == "true_divide" and second == "bool"),
                    gradient=not whole and not (name == "power" and first == "bool"),
                    rtol=1e-3 if "float16" in (first, second) else 1e-4,
                )
            )
    return rows


def _one_dtype(name: str) -> list:
    op = f"_npi_{name}"
    rows = _same_dtype(op, POSITIVE)
    whole = name in ("copysign", "ldexp", "maximum", "minimum")
    rows += [
        sample(
            op, ints(4, low=0, high=5, dtype=d), ints(4, low=0, high=3, dtype=d), raises=not whole
        )
        for d in INTEGERS
    ]
    if name in ("arctan2", "hypot", "copysign"):
        rows.append(sample(op, MASK, OTHER_MASK, raises=True))
    return rows


SCALARS = [
    *("add", "subtract", "rsubtract", "multiply", "true_divide", "rtrue_divide", "mod", "rmod"),
    *("power", "rpower", "arctan2", "rarctan2", "ldexp", "rldexp", "hypot", "maximum", "minimum"),
]
SIGNS = ["copysign", "rcopysign"]
MANY_DTYPES = ["add", "rsubtract", "rtrue_divide", "mod", "arctan2", "rldexp", "copysign"]
"""Functions on all dtypes; the others share the way in which numbers are converted."""


WRONG_GRADIENTS = {
    "copysign": "cannot be recorded",
    "rcopysign": "cannot be recorded",
    "rarctan2": "its gradient is divided by the number and multiplied by the array",
}
"""Why the original does not judge the gradients of these functions."""


def _with_number(name: str) -> list:
    op = f"_npi_{name}_scalar"
    smooth = name not in ("mod", "rmod")
    gradient = name not in WRONG_GRADIENTS
    rows = [
        sample(op, rand(2, 3, **POSITIVE), scalar=1.5, numeric=smooth, gradient=gradient),
        sample(op, rand(**POSITIVE), scalar=2, numeric=smooth, gradient=gradient),
        sample(op, rand(0, 2), scalar=2, gradient=gradient),
        sample(op, rand(2, **POSITIVE), gradient=gradient, numeric=smooth),
        sample(
            op, rand(2, dtype="float64", **POSITIVE), scalar=0.1, numeric=smooth, gradient=gradient
        ),
        sample(op, rand(2, dtype="float16", **POSITIVE), scalar="1.5", gradient=gradient, **HALF),
        sample(
            op, rand(2, **POSITIVE), scalar=1.5, is_int=False, numeric=smooth, gradient=gradient
        ),
    ]
    for dtype in (*INTEGERS, "bool") if name in MANY_DTYPES else ("int32", "bool"):
        data = values([True, True], "bool") if dtype == "bool" else values([1, 2, 5], dtype)
        rows += [
            sample(op, data, scalar=2, gradient=False),
            sample(op, data, scalar=1.5, gradient=False),
            sample(op, data, scalar=1.5, is_int=False, gradient=False),
        ]
        if dtype != "uint8" and name not in ("power", "rpower", "ldexp"):
            rows.append(sample(op, data, scalar=-3, gradient=False))
    return rows


EDGES = values([-inf, -2, -1, -0.5, 0, 0.5, 1, 2, inf, nan])
LEFT = values([0, 1, -1, 0, 3, -3])
RIGHT = values([1, -1, -2, -1, 2, 2])

SAMPLES = [
    *(row for name in PROMOTING for row in _promoting(name)),
    *(row for name in OF_ONE_DTYPE for row in _one_dtype(name)),
    *(row for name in (*SCALARS, *SIGNS) for row in _with_number(name)),
    *(
        sample(f"_npi_{name}_scalar", EDGES, scalar=scalar, numeric=False)
        for name in ("add", "true_divide", "rtrue_divide")
        for scalar in (0.0, -2, 1.5)
    ),
    *(
        sample(f"_npi_{name}", LEFT, RIGHT, numeric=False)
        for name in ("copysign", "arctan2", "hypot", "mod", "maximum", "minimum")
    ),
    sample("_npi_ldexp", LEFT, RIGHT),
    *(
        sample(f"_npi_{name}_scalar", rand(2, 2), scalar=-2.5, oracle=False, why=why)
        for name, why in WRONG_GRADIENTS.items()
    ),
    sample("_npi_power", values([-2, -1, 0.5, 3]), values([2, 3, -1, 0]), numeric=False),
    sample(
        "_npi_power", values([2, 3, -1, 5], "int32"), values([10, 0, 3, 1], "int32"), gradient=False
    ),
    sample(
        "_npi_arctan2",
        values([0.0]),
        values([0.0]),
        numeric=False,
        oracle=False,
        why="the gradient at the origin is nan, where torch has 0",
    ),
    sample("_npi_hypot", values([0.0]), values([0.0]), numeric=False),
    sample("_npi_true_divide", values([1, 0, -1]), values([0, 0, 0]), numeric=False),
    sample("_npi_add", values(1.5, "float64"), rand(2, 3)),
    sample("_npi_add", rand(2, 3), values(1.5, "float64")),
    sample("_npi_add", values(3, "int64"), values([1, 2], "int32"), gradient=False),
    sample("_npi_multiply", values(2.5), values([1, 2], "int64")),
    *(
        sample("_npi_clip", array, a_min=a_min, a_max=a_max, numeric=False)
        for array in (LEFT, values(3.0), rand(0), values([1, 2, 3, 4], "int32"))
        for a_min, a_max in ((1.5, 3), (-1, 2), (2, 1))
    ),
    sample("_npi_clip", MASK, a_min=0, a_max=2, raises=True),
]
