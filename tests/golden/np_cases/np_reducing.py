"""Functions that reduce axes, and statistics."""

from __future__ import annotations

from np_cases.core import arr, case, values

NO_GRADIENT = "the original has no gradient of it"
ROUNDED = "the original rounds means of integers before it goes on"
MASK = values([[True, False], [True, True]], "bool")
WHOLE = values([[1, 2, 0], [3, 5, 5]], "int32")
WEIGHTS = values([0.5, 1, 2])
AXES = (None, 0, -1, (0, 1), (-1,), ())
PLAIN = ("sum", "mean", "max", "min", "amax", "amin")
TESTS = ("all", "any", "sometrue")

CASES = [
    *[case(name, arr(2, 3), axis=axis) for name in PLAIN for axis in AXES],
    *[case(name, arr(2, 3), axis, keepdims=True) for name in PLAIN for axis in (None, 1)],
    *[
        case(name, array)
        for name in PLAIN
        for array in (arr(), WHOLE, MASK, arr(3, dtype="float16"))
    ],
    *[case(name, arr(2, 3), axis=axis) for name in PLAIN for axis in (2, -3, (0, 0), 1.5, "a")],
    *[case(name, operand) for name in PLAIN for operand in ([1, 2], 2.5)],
    *[
        case(name, values([1, 2, 3]), axis=axis)
        for name in ("prod", "product")
        for axis in (None, 0)
    ],
    case("prod", arr(2, 3), axis=1, keepdims=True),
    *[case("prod", array) for array in (WHOLE, MASK, values(3))],
    case("prod", WHOLE, dtype="float32"),
    case("prod", [1, 2]),
    *[case("sum", arr(2, 3), dtype=dtype, gradient=False) for dtype in ("float64", "int32")],
    *[case("mean", arr(2, 3), dtype=dtype, gradient=False) for dtype in ("float64", "float16")],
    case("sum", arr(2, 3), initial=1, why="the original refuses it"),
    *[
        case(name, array, axis=axis)
        for name in TESTS
        for array in (MASK, WHOLE)
        for axis in (None, 1)
    ],
    *[case(name, arr(2, 3), axis=(0, 1), keepdims=True) for name in TESTS],
    *[case(name, [1, 0]) for name in TESTS],
    *[
        case(name, arr(2, 3), axis=axis)
        for name in ("argmax", "argmin")
        for axis in (None, 0, -1, 5)
    ],
    *[case(name, array) for name in ("argmax", "argmin") for array in (arr(), WHOLE, MASK, [1, 2])],
    *[case("cumsum", arr(2, 3), axis=axis) for axis in (None, 0, 1, 2)],
    *[case("cumsum", array) for array in (WHOLE, MASK, arr(), [1, 2])],
    case("cumsum", WHOLE, dtype="float32"),
    case("cumsum", WHOLE, dtype="uint8"),
    *[
        case(name, arr(2, 3), axis=axis, ddof=ddof, gradient=False)
        for name in ("std", "var")
        for axis in (None, 1, (0, 1))
        for ddof in (0, 1)
    ],
    *[
        case(name, arr(2, 3), dtype="float64", keepdims=True, gradient=False)
        for name in ("std", "var")
    ],
    *[case(name, arr(2, 3), axis=0, why=NO_GRADIENT) for name in ("std", "var")],
    *[case(name, WHOLE, why=ROUNDED) for name in ("std", "var")],
    *[case(name, argument) for name in ("std", "var") for argument in (MASK, [1, 2], 2.5)],
    *[case("average", arr(2, 3), axis=axis) for axis in (None, 0, (0, 1))],
    *[
        case("average", arr(2, 3), axis=1, weights=WEIGHTS, returned=flag, gradient=False)
        for flag in (False, True)
    ],
    case("average", arr(2, 3), weights=arr(2, 3, dtype="float32")),
    case("average", arr(2, 3), returned=True, gradient=False),
    case("average", arr(2, 3), weights=WEIGHTS),
    case("average", arr(2, 3), axis=0, weights=WEIGHTS),
    case("average", WHOLE),
    case("average", [1, 2]),
    case("average", arr(3), weights=[1, 2, 3]),
    *[
        case(name, arr(2, 3), q, axis=axis, gradient=False)
        for name, q in (("percentile", 30), ("quantile", 0.3), ("percentile", 42.5))
        for axis in (None, 0, -1, (0, 1))
    ],
    *[
        case("percentile", arr(5), 30, interpolation=way, gradient=False)
        for way in ("linear", "lower", "higher", "midpoint", "nearest", "other")
    ],
    *[
        case(name, arr(2, 3), values([0.2, 1]), axis=1, gradient=False)
        for name in ("percentile", "quantile")
    ],
    *[
        case(name, arr(2, 3), q, gradient=False)
        for name in ("percentile", "quantile")
        for q in ([0.2, 1], (0, 0.5), 101, -1, "a")
    ],
    *[
        case(name, arr(2, 3), 0.5, axis=0, keepdims=True, gradient=False)
        for name in ("percentile", "quantile")
    ],
    *[
        case(name, arr(2, 3), 0.5, overwrite_input=flag, gradient=False)
        for name in ("percentile", "quantile")
        for flag in (True, False)
    ],
    *[
        case(name, operand, 0.5, gradient=False)
        for name in ("percentile", "quantile")
        for operand in (WHOLE, [1, 2], 2.5, arr(4, dtype="float64"))
    ],
    *[
        case("histogram", arr(7), gradient=False, **options)
        for options in ({}, {"bins": 3}, {"bins": 3, "range": (-1, 1)})
    ],
    *[
        case("histogram", arr(7), bins, gradient=False)
        for bins in (values([-1, 0, 1]), [-1, 0, 1], "auto", 0)
    ],
    *[
        case("histogram", arr(7), gradient=False, **options)
        for options in ({"normed": True}, {"density": True}, {"weights": arr(7)})
    ],
    case("histogram", WHOLE, bins=3, range=(0, 6)),
    case("histogram", [1, 2]),
    *[
        case("bincount", values(numbers, "int32"))
        for numbers in ([0, 1, 1, 3], [], [-1, 0], [[0, 1]])
    ],
    case("bincount", values([0, 1, 1], "int64"), minlength=5),
    case("bincount", values([0, 1, 1], "int64"), minlength=-1),
    case("bincount", values([0, 1, 1], "int32"), WEIGHTS, gradient=False),
    case("bincount", values([0, 1, 1], "int32"), weights=values([1, 2], "float32"), gradient=False),
    case("bincount", arr(3)),
    case("bincount", [0, 1]),
    *[case("diff", arr(2, 3), n, axis) for n in (0, 1, 2) for axis in (0, -1)],
    *[
        case("diff", arr(2, 3), **options)
        for options in ({"n": -1}, {"axis": 2}, {"prepend": 1.5}, {"append": arr(2, 1)})
    ],
    *[case("diff", argument) for argument in (WHOLE, arr(), [1, 2], 2.5)],
    case("ediff1d", arr(2, 3)),
    *[
        case("ediff1d", arr(3), to_end=end, to_begin=begin)
        for end in (None, 2.5, arr(2))
        for begin in (None, 1.5, arr(1))
    ],
    case("ediff1d", arr(3), to_end=[1, 2]),
    case("ediff1d", WHOLE, to_begin=1.5),
    case("ediff1d", [1, 2]),
    case("quantile", arr(5, dtype="float16"), 0.5, gradient=False),
    *[case("polyval", arr(3), x) for x in (arr(2, 2), arr(), 2.5, [1, 2])],
    *[case("polyval", p, arr(3)) for p in (arr(2, 2), arr(1), [1, 2], 2.5)],
    case("polyval", values([1, 2], "int32"), values([1, 2], "int32")),
    *[
        case(f".{name}", arr(2, 3), axis=1)
        for name in ("sum", "mean", "max", "min", "all", "any", "argmax", "argmin", "cumsum")
    ],
    *[case(f".{name}", arr(2, 3), axis=1, gradient=False) for name in ("std", "var")],
    case(".prod", values([1, 2, 3])),
    case(".sum", arr(2, 3), 0, "float64", None, True),
    case(".mean", arr(2, 3), axis=(0, 1), keepdims=True),
]
