"""Functions that act on each element, of one and of two operands."""

from __future__ import annotations

from math import inf, nan

from np_cases.core import arr, case, values

UNARY = (
    *(
        "abs",
        "absolute",
        "fabs",
        "arccos",
        "arcsin",
        "arctan",
        "arcsinh",
        "arctanh",
        "cbrt",
        "ceil",
    ),
    *("cos", "cosh", "degrees", "exp", "expm1", "fix", "floor", "isfinite", "isinf"),
    *("isnan", "isneginf", "isposinf", "log1p", "logical_not", "negative", "radians"),
    *("reciprocal", "rint", "sign", "sin", "sinh", "square", "tan", "tanh", "trunc"),
)
POSITIVE = ("sqrt", "log", "log10", "log2")
MASK = values([True, False, True], "bool")
SMALL = values([-0.75, -0.5, 0.25, 0.75])
WHOLE = values([1, 2, 3], "int32")
PAIRS = (
    *("add", "subtract", "multiply", "divide", "true_divide", "mod", "remainder", "power"),
    *("maximum", "minimum", "hypot", "arctan2", "copysign", "ldexp"),
    *("equal", "not_equal", "greater", "greater_equal", "less", "less_equal"),
)
BITS = ("bitwise_and", "bitwise_or", "bitwise_xor", "lcm")
PLUS = values([1.5, 2, 0.5])
OTHER = values([[0.5], [3.0]])

SWAPPED = "the original has the gradient of another function"
MIXED = "the original refuses dtypes that have a common one"
UNRECORDED = "the original cannot record it"

CASES = [
    *[case(name, SMALL) for name in UNARY],
    *[case(name, PLUS) for name in (*POSITIVE, "arccosh")],
    *[case(name, operand) for name in ("sin", "sqrt", "isnan", "fabs") for operand in (0.25, 1)],
    *[case(name, operand) for name in ("sin", "isnan") for operand in ([1], None, "a")],
    *[
        case(name, array)
        for name in ("sqrt", "abs", "negative")
        for array in (WHOLE, MASK, values(1.5))
    ],
    *[case(name, array) for name in ("bitwise_not", "invert") for array in (WHOLE, MASK, SMALL)],
    *[
        case("sin", SMALL, **options)
        for options in (
            {"where": True},
            {"where": False},
            {"dtype": "float64"},
            {"foo": 1},
            {"casting": "safe"},
            {"order": "K"},
            {"subok": False},
        )
    ],
    *[case("around", values([1.25, -2.5, 0.35, 150.0]), decimals=d) for d in (0, 1, -2)],
    *[case(name, values([1.5, 2.5])) for name in ("round", "round_")],
    *[case("around", operand) for operand in (WHOLE, 2.5, [1.5], MASK, arr(2, dtype="float16"))],
    *[
        case("clip", array, low, high)
        for array in (SMALL, WHOLE)
        for low, high in ((-0.5, 0.5), (None, 0), (0, None), (None, None), (1, 2), (2, 1))
    ],
    *[case("clip", operand, 0, 1) for operand in (0.5, [1, 2], MASK)],
    case("clip", SMALL, arr(4), 1.0),
    *[
        case("nan_to_num", values([nan, inf, -inf, 1.5]), **options)
        for options in ({}, {"nan": 2}, {"posinf": 3, "neginf": -3}, {"copy": False})
    ],
    case("nan_to_num", values([nan, inf]), copy=False, gradient=False),
    *[case("nan_to_num", operand) for operand in (WHOLE, 1.5, [nan], MASK)],
    *[case(name, PLUS, OTHER) for name in PAIRS],
    *[case(name, PLUS, 2.0, gradient=name != "copysign") for name in PAIRS],
    *[case(name, 2.5, PLUS, gradient=name not in ("copysign", "arctan2")) for name in PAIRS],
    *[case(name, 2.0, 3.5) for name in PAIRS],
    *[case(name, values(2.0), values(3.0)) for name in PAIRS],
    *[case(name, WHOLE, 2.5, gradient=False) for name in PAIRS],
    *[case(name, WHOLE, WHOLE, gradient=False) for name in PAIRS],
    *[case(name, PLUS, WHOLE) for name in PAIRS[:8]],
    *[case(name, PLUS, WHOLE, why=MIXED) for name in PAIRS[14:]],
    *[
        case(name, PLUS, operand)
        for name in ("add", "less", "maximum")
        for operand in ([1, 2, 3], None, "a", values([1, 2]))
    ],
    *[case(name, [1, 2, 3], PLUS) for name in ("add", "less", "maximum")],
    *[
        case("add", PLUS, 1, **options)
        for options in ({"where": True}, {"where": False}, {"foo": 1})
    ],
    *[case(name, WHOLE, operand) for name in BITS for operand in (WHOLE, 6, 2.5, PLUS)],
    *[case(name, 6, WHOLE) for name in BITS],
    *[case(name, MASK, values([True, True, False], "bool")) for name in BITS],
    *[case(name, 6, 4) for name in BITS],
    *[case(name, PLUS, 2.0) for name in BITS],
    *[case(name, SMALL, why="the original lacks its operator") for name in ("rad2deg", "deg2rad")],
    case("arctan2", 2.5, PLUS, why=SWAPPED),
    case("copysign", PLUS, -1.0, why=UNRECORDED),
    case(".round", values([1.25, 2.5]), 1),
    case(".clip", SMALL, -0.5, 0.5),
    case(".clip", SMALL, max=0.5),
    *[
        case(f".{name}", PLUS)
        for name in ("abs", "exp", "log", "sin", "cos", "tan", "sqrt", "square", "sign", "floor")
    ],
]
