"""Comparisons, connectives of bits and least common multiples in the NumPy dialect."""

from math import inf, nan

from .comparison import LEFT, RIGHT
from .core import rand, sample, values

TESTS = ["equal", "not_equal", "greater", "greater_equal", "less", "less_equal"]
WHOLE = ["bitwise_and", "bitwise_or", "bitwise_xor", "lcm"]
INTEGERS = ["int8", "uint8", "int32", "int64"]
MASK = values([True, False, True, False], "bool")
OTHER_MASK = values([True, False, False, True], "bool")


def _test(name: str) -> list:
    op = f"_npi_{name}"
    floats = values([-2.5, 0, 1.5, 3, nan, inf])
    rows = [
        sample(op, values(LEFT), values(RIGHT)),
        sample(op, values(LEFT, "float64"), values(RIGHT, "float64")),
        sample(op, values([1, 0.5, 0], "float16"), values([1, 0, 0], "float16")),
        sample(op, values([[0], [1]]), values([0, 1, 2])),
        sample(op, values(1), values(1)),
        sample(op, rand(0, 2), rand(1, 2)),
        sample(op, rand(2, 3), rand(2), raises=True),
        sample(op, MASK, OTHER_MASK),
        sample(
            op,
            values([1, 2, 3]),
            values([3, 2, 1], "int64"),
            oracle=False,
            why="refuses dtypes that have a common one",
        ),
        *(sample(op, values([1, 0, 2], d), values([1, 1, 1], d)) for d in INTEGERS),
        *(sample(f"{op}_scalar", floats, scalar=scalar) for scalar in (1.5, 0, "-2.5")),
        sample(f"{op}_scalar", floats),
        sample(f"{op}_scalar", values(2.0), scalar=2),
        sample(f"{op}_scalar", rand(0), scalar=2),
        sample(f"{op}_scalar", values([0.1, 1]), scalar=0.1),
        sample(f"{op}_scalar", values([0.1, 1], "float16"), scalar=0.1),
        sample(f"{op}_scalar", values([0.1, 1], "float64"), scalar=0.1),
        sample(f"{op}_scalar", values([0, 44, 254], "uint8"), scalar=-2),
        *(sample(f"{op}_scalar", MASK, scalar=scalar) for scalar in (1, 0, 2.5)),
    ]
    for dtype in INTEGERS:
        rows += [
            sample(f"{op}_scalar", values([0, 1, 2], dtype), scalar=scalar, is_int=is_int)
            for scalar, is_int in ((1, True), (1.5, True), (1.5, False))
        ]
    return rows


def _whole(name: str) -> list:
    op = f"_npi_{name}"
    rows = [
        sample(op, values([[3], [4]], "int32"), values([2, 6], "int32")),
        sample(op, values(6, "int64"), values(4, "int64")),
        sample(op, values([], "int32"), values([], "int32")),
        sample(op, MASK, OTHER_MASK),
        sample(op, rand(2), rand(2), raises=True),
        sample(f"{op}_scalar", rand(2), scalar=2, raises=True),
        sample(f"{op}_scalar", values(6, "int64"), scalar=4),
        sample(f"{op}_scalar", values([2, 3], "int32"), scalar=0),
        sample(f"{op}_scalar", values([2, 3], "int32"), scalar=2.7),
    ]
    for dtype in INTEGERS:
        rows.append(sample(op, values([0, 1, 4, 6], dtype), values([3, 0, 6, 4], dtype)))
        rows.append(sample(f"{op}_scalar", values([0, 1, 4, 6], dtype), scalar=6))
    if name != "lcm":
        rows += [sample(f"{op}_scalar", MASK, scalar=scalar) for scalar in (0, 1, 2)]
        rows.append(sample(f"{op}_scalar", values([2, 3], "uint8"), scalar=-1))
    else:
        rows.append(sample(op, values([-4, 6, -3], "int32"), values([6, -4, -5], "int32")))
    return rows


SAMPLES = [
    *(row for name in TESTS for row in _test(name)),
    *(row for name in WHOLE for row in _whole(name)),
]
