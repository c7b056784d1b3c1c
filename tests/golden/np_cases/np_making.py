"""Functions that make arrays."""

from __future__ import annotations

from np_cases.core import arr, case

NEGATIVE_AXES = "the original refuses bool"
ALL_DTYPES = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64")

CASES = [
    *[
        row
        for f in ("zeros", "ones")
        for row in (
            *[case(f, shape) for shape in [2, (2, 3), (), 0, (2, 0), [2, 1], (2, -1), 2.5, "a"]],
            *[case(f, 2, dtype) for dtype in (*ALL_DTYPES, "bool", None, "foo")],
            case(f, 2, order="F"),
            case(f),
        )
    ],
    case("empty", 2, order="F"),
    case("empty", 0),
    *[case("full", shape, 3.5) for shape in [2, (2, 3), (), 0]],
    *[case("full", 2, value) for value in (3, True, "a", [1, 2], arr(2), arr(1), arr(3), arr())],
    *[case("full", 2, 3.7, dtype=dtype) for dtype in (*ALL_DTYPES, "bool")],
    case("full", (2, 2), arr(2), dtype="int32"),
    case("full", 2, True, dtype="int32"),
    case("full", 2, 3, order="F"),
    *[
        row
        for f, value in (("zeros_like", ()), ("ones_like", ()), ("full_like", (3.7,)))
        for row in (
            *[case(f, a, *value) for a in (arr(2, 3), arr(), arr(0), [1], 2)],
            *[case(f, arr(2, dtype=dtype), *value) for dtype in (*ALL_DTYPES, "bool")],
            *[case(f, arr(2), *value, dtype=dtype) for dtype in (*ALL_DTYPES, "bool")],
            case(f, arr(2), *value, order="F"),
        )
    ],
    *[case("full_like", arr(2), value) for value in (True, "a", arr(2))],
    case("empty_like", arr(2), order="F"),
    case("empty_like", arr(2), subok=True),
    case("empty_like", arr(2), shape=(3,)),
    case("empty_like", 2),
    *[case("eye", *args) for args in [(2,), (2, 3), (2, 3, 1), (2, 2, -1), (0,), (2, None, 5)]],
    *[case("eye", *args) for args in [(-1,), (2, -1), (2.0,)]],
    *[case("eye", 2, dtype=dtype) for dtype in (*ALL_DTYPES, None)],
    *[case("identity", n) for n in (0, 1, 3, -1, 2.0, (2, 2))],
    *[case("identity", 2, dtype=dtype) for dtype in (*ALL_DTYPES, "bool")],
    *[case("arange", *args) for args in [(3,), (1, 4), (1, 7, 2), (3, 1), (3, 1, -1), (0,)]],
    *[case("arange", *args) for args in [(2.5,), (0.5, 3), (0, 1, 0.3), (5, None), (1, 2, 0)]],
    case("arange", "a"),
    *[case("arange", 1, 6, 2, dtype=dtype) for dtype in ALL_DTYPES],
    *[case("linspace", 0, 1, n) for n in (0, 1, 2, 5, -1, 5.0)],
    *[case("linspace", 0, 1, n, endpoint=False) for n in (0, 1, 4)],
    *[case("linspace", 0, 1, n, retstep=True) for n in (0, 1, 5)],
    *[case("linspace", 0, 9, 4, dtype=dtype) for dtype in ("float64", "int32")],
    case("linspace", 3, 1, 3),
    case("linspace", 0, 1, 3, axis=1),
    case("linspace", [0, 1], 2, 3),
    case("linspace", arr(2), 2, 3),
    case("linspace", "a", 1),
    *[case("logspace", 0, 2, n) for n in (0, 1, 3, -1)],
    *[
        case("logspace", 0, 2, 3, base=base, endpoint=end)
        for base in (2, 3.5)
        for end in (True, False)
    ],
    *[case("logspace", 0, 2, 3, dtype=dtype) for dtype in ("float64", "int32")],
    case("logspace", 0, 2, 3, axis=1),
    case("logspace", [0], 2, 3),
    *[case(f, n) for f in ("blackman", "hamming", "hanning") for n in (0, 1, 2, 6, -2, 5.0)],
    *[case(f, 6, dtype="float64") for f in ("blackman", "hamming", "hanning")],
    *[case("indices", d) for d in [(2, 3), [2, 2], (), (0, 2), 3]],
    *[case("indices", (2, 2), dtype=dtype) for dtype in ALL_DTYPES],
    *[case("diag_indices_from", a) for a in (arr(2, 2), arr(2, 2, 2), arr(2, 3), arr(3))],
    *[case("tril", a) for a in (arr(2, 3), arr(3), arr(2, 2, 2), arr(0, 2), arr(), [1])],
    *[case("tril", arr(3, 3), k) for k in (1, -1, 9)],
    *[case("diag", a) for a in (arr(2), arr(2, 3), arr(), arr(2, 2, 2), arr(0), [1])],
    *[case("diag", a, k) for a in (arr(2), arr(2, 3)) for k in (1, -1)],
    *[case("diagflat", a) for a in (arr(2), arr(2, 2), arr(0), [1])],
    case("diagflat", arr(2), 1),
    *[case("diagonal", arr(2, 3), k) for k in (0, 1, -1)],
    *[case("diagonal", arr(2, 2, 3), 0, *axes) for axes in [(0, 1), (-1, 0), (0, 0), (0, 5)]],
    case("diagonal", arr(3)),
    *[case("trace", arr(2, 3), k) for k in (0, 1, -1, 7)],
    *[case("trace", arr(2, 2, 3), 0, *axes) for axes in [(0, 1), (-1, 0), (0, 0), (0, 5)]],
    *[case("trace", arr(2, 2, dtype=dtype)) for dtype in ALL_DTYPES],
    case("trace", arr(3)),
]
