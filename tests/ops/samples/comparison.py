"""Comparisons and logical connectives."""

from math import inf, nan

from .core import rand, sample, values

TESTS = [
    *("equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal"),
    *("logical_and", "logical_or", "logical_xor"),
]
LEFT = [[-1, 0, 1, 1], [0, 2, nan, inf]]
RIGHT = [[-1, 0, 2, 0], [3, 0, nan, inf]]


def _arrays(name: str) -> list:
    rows = [
        sample(name, values(LEFT), values(RIGHT)),
        sample(name, values(LEFT, "float64"), values(RIGHT, "float64")),
        sample(name, values([1, 0.5, 0], "float16"), values([1, 0, 0], "float16")),
    ]
    rows += [
        sample(name, values([1, 0, 2, 0], dtype), values([1, 1, 100, 0], dtype), gradient=False)
        for dtype in ("int32", "int64", "int8", "uint8")
    ]
    return rows


def _with_number(name: str) -> list:
    floats = values([-2.5, 0, 1.5, 3, nan])
    integers = values([-2, 0, 1, 2], "int32")
    return [
        sample(name, floats),
        sample(name, floats, scalar=1.5),
        sample(name, floats, scalar="0"),
        sample(name, values([0.1, 1], "float64"), scalar=0.1),
        sample(name, values([0.1, 1]), scalar=0.1),
        sample(name, values([0.1, 1], "float16"), scalar=0.1),
        sample(name, integers, scalar=1.5),
        sample(name, integers, scalar=-2),
        sample(name, integers, scalar=0.5),
        sample(name, integers, scalar=1.5, is_int=False),
        sample(name, values([0, 44, 254], "uint8"), scalar=-2),
        sample(name, values([0, 44, 254], "uint8"), scalar=300.7),
        sample(name, values([0, 1, -1], "int64"), scalar=1),
        sample(name, values([True, False], "bool"), scalar=1),
        sample(name, floats, scalar="one", raises=True),
    ]


SAMPLES = [
    *(row for test in TESTS for row in _arrays(f"_{test}")),
    *(row for test in TESTS for row in _arrays(f"broadcast_{test}")),
    *(row for test in TESTS for row in _with_number(f"_{test}_scalar")),
    *(
        sample(f"_{test}", rand(2, 3), rand(*shape), raises=True)
        for test in TESTS
        for shape in ((3,), (2, 1))
    ),
    *(
        sample(f"broadcast_{test}", *arrays)
        for test in TESTS
        for arrays in (
            (values([[0], [1]]), values([[0, 1, 2]])),
            (values([[[0, 1]], [[2, 0]]]), values([[1], [0]])),
        )
    ),
    *(sample(f"broadcast_{test}", rand(2, 3), rand(2), raises=True) for test in TESTS),
]
