"""Functions that pick, find, insert, delete and sort elements."""

from __future__ import annotations

from np_cases.core import arr, case, values

SWAPPED = "the original has the gradient of the elements that are not picked"
NO_GRADIENT = "the original has no gradient of it"
MASK = values([True, False, True], "bool")

CASES = [
    *[case("take", arr(3, 2), values(i, "int32")) for i in ([1, 3], 1, [[0, 5]], [9], [-1, 0, 1])],
    *[
        case("take", arr(3, 2), values([0, 5, -1], "int64"), axis=axis, mode=mode)
        for axis in (None, 0, 1, -1)
        for mode in ("clip", "wrap")
    ],
    *[case("take", arr(3, 2), indices) for indices in (1, [1, 2])],
    case("take", arr(3, 2), values([0]), axis=5),
    case("take", arr(3, 2), values([0]), mode="foo"),
    case("take", [1, 2], values([0])),
    case(".take", arr(3), values([0, 2])),
    case(".take", arr(3, 2), values([0, 2]), axis=1, mode="wrap"),
    *[case("where", c, arr(3), arr(3)) for c in (MASK, arr(3), values([1, 0, 2], "int32"))],
    case("where", arr(3), arr(2, 1), arr(1, 3)),
    case("where", arr(), arr(), arr()),
    *[case("where", MASK, x, y, gradient=False) for x, y in [(arr(3), 2), (1.5, arr(3))]],
    *[case("where", MASK, x, y, why=SWAPPED) for x, y in [(arr(3), 2.5), (2, arr(3))]],
    *[
        case("where", MASK, arr(3, dtype=dtype), 2.5, gradient=False)
        for dtype in ("int32", "int8", "float64", "bool")
    ],
    *[case("where", MASK, x, y) for x, y in [(1, 2), (True, False), (1.5, 2)]],
    *[case("where", condition) for condition in (MASK, arr(2, 2), values(0))],
    *[case("where", flag, arr(2), 3, gradient=False) for flag in (True, False)],
    case("where", True, 1, 2),
    case("where", [1, 0], arr(2), arr(2)),
    case("where", arr(2), [1, 2], arr(2)),
    case("where", arr(2), arr(2)),
    case("where", MASK, arr(3), arr(3, dtype="int32")),
    case("where", MASK, arr(2), arr(2)),
    *[case("nonzero", a) for a in (arr(2, 3), values([0, 2, 0]), values(0), arr(0, 2), MASK, [1])],
    case(".nonzero", values([[0, 2], [1, 0]])),
    *[case("unravel_index", values(i, "int32"), (2, 3)) for i in ([1, 5], 4, [], [9], [[0], [3]])],
    case("unravel_index", values([1], "int64"), 6),
    case("unravel_index", values([1]), (2, 3)),
    case("unravel_index", 5, (2, 3)),
    case("unravel_index", [1, 5], (2, 3)),
    case("unravel_index", values([1], "int32"), (2, 3), order="F"),
    *[case("delete", arr(5), obj, gradient=False) for obj in (1, -1, slice(1, 3), slice(3, None))],
    *[
        case("delete", arr(2, 3), obj, axis=axis, gradient=False)
        for obj in (1, slice(0, 2), values([1], "int64"))
        for axis in (None, 0, 1, -1)
    ],
    case("delete", arr(5), slice(None, None, 2), gradient=False),
    case("delete", arr(5), 1, why=NO_GRADIENT),
    *[case("delete", arr(5), obj) for obj in ([0, 1], (0, 1), 1.5, "a", [], 5)],
    case("delete", [1, 2, 3], 1),
    *[case("insert", arr(3), i, 9, gradient=False) for i in (0, 1, 3, -1)],
    *[case("insert", arr(3), i, arr(2), gradient=False) for i in (1, slice(0, 2), slice(0, 3, 2))],
    case("insert", arr(3), values([1, 2], "int64"), arr(2), gradient=False),
    case("insert", arr(2, 3), 1, arr(2), axis=1, gradient=False),
    case("insert", arr(2, 3), 1, arr(3), axis=0, gradient=False),
    case("insert", arr(3), 1, arr(2), why=NO_GRADIENT),
    *[case("insert", arr(3), obj, 3) for obj in ([1, 2], 1.5, "a", 9)],
    *[case("insert", arr(3), 1, v) for v in ([1, 2], "a", None)],
    case("insert", [1], 1, arr(1)),
    *[case("shares_memory", arr(2), arr(2), gradient=False), case("shares_memory", arr(2), 3)],
    *[case("may_share_memory", arr(2), arr(2), gradient=False, max_work=1)],
    *[case("sort", arr(2, 3), axis) for axis in (-1, 0, None, 5)],
    *[case("sort", a) for a in (arr(), [3, 1])],
    case("sort", arr(0, 2), gradient=False),
    case("sort", arr(3), order="a"),
    *[case("sort", values([3, 1, 2], dtype)) for dtype in ("int8", "uint8", "int32", "int64")],
    *[case("argsort", arr(2, 3), axis) for axis in (-1, 0, None, 5)],
    *[case("argsort", a) for a in (arr(), [3, 1])],
    case("argsort", arr(3), order="a"),
    *[case(".argsort", arr(2, 3), axis) for axis in (-1, 0)],
    *[case("unique", a) for a in (values([3, 1, 2, 1]), arr(2, 3), arr(), arr(0), [1, 1])],
    *[
        case("unique", values([[3, 1], [2, 1], [3, 1]]), *flags)
        for flags in [(True,), (False, True), (False, False, True), (True, True, True)]
    ],
    *[case("unique", values([[3, 1], [2, 1], [3, 1]]), axis=axis) for axis in (0, 1, 2)],
]
