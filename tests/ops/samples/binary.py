"""Arithmetic of two arrays, and of an array and a number."""

from math import inf, nan

from .core import rand, sample, values

HALF = {"rtol": 2e-3, "atol": 2e-3}

FUNCTIONS = {
    "add": ("elemwise_add", "broadcast_add"),
    "sub": ("elemwise_sub", "broadcast_sub"),
    "mul": ("elemwise_mul", "broadcast_mul"),
    "div": ("elemwise_div", "broadcast_div"),
    "mod": ("_mod", "broadcast_mod"),
    "power": ("_power", "broadcast_power"),
    "maximum": ("_maximum", "broadcast_maximum"),
    "minimum": ("_minimum", "broadcast_minimum"),
    "hypot": ("_hypot", "broadcast_hypot"),
}
SMOOTH = {"mod": False}

TIES = {
    "maximum": ([1, 2, 3, 0, -1], [1, 3, 2, 0, -1]),
    "minimum": ([1, 2, 3, 0, -1], [1, 3, 2, 0, -1]),
    "mod": ([-5, 5, -5, 5, 4.5], [3, -3, -3, 3, 1.5]),
    "div": ([1, -1, 0, 3], [2, 0, 1, -inf]),
    "power": ([2, 3, 0.5, 1], [3, -1, 0, 2]),
    "hypot": ([3, 0, -5], [4, 2, 12]),
}
INTEGERS = {
    "power": ([-7, 2, -1, 3, 1, 2], [3, -1, -3, 9, -1, 0]),
    "hypot": ([3, 5, -6, 0], [4, 5, 8, 0]),
    "mod": ([-7, 7, -7, 7, 5], [3, -3, -3, 3, 0]),
}
BYTES = {"power": ([200, 3, 2, 0], [2, 5, 8, 0]), "hypot": ([3, 5, 60, 0], [4, 5, 80, 0])}


def _pair(shape: tuple, other: tuple, dtype: str = "float32") -> tuple:
    return rand(*shape, dtype=dtype, low=0.5, high=2), rand(*other, dtype=dtype, low=0.5, high=2)


def _alike(kind: str, name: str) -> list:
    numeric = SMOOTH.get(kind, True)
    left, right = INTEGERS.get(kind, ([-7, 7, 5, 0], [2, 2, -3, 3]))
    byte_left, byte_right = BYTES.get(kind, ([250, 7, 0], [7, 251, 3]))
    rows = [
        sample(name, *_pair((2, 3), (2, 3)), numeric=numeric),
        sample(name, *_pair((3,), (3,), "float64"), numeric=numeric),
        sample(name, *_pair((1, 3), (1, 3), "float16"), **HALF),
        sample(name, values(left, "int32"), values(right, "int32")),
        sample(name, values(byte_left, "uint8"), values(byte_right, "uint8")),
        sample(name, *_pair((2, 3), (3,)), raises=True),
        sample(name, *_pair((2, 3), (2, 1)), raises=True),
    ]
    if kind in TIES:
        rows.append(sample(name, *map(values, TIES[kind]), numeric=False))
    return rows


def _broadcast(kind: str, name: str) -> list:
    numeric = SMOOTH.get(kind, True)
    left, right = INTEGERS.get(kind, ([-7, 7, 5, 0], [2, 2, -3, 3]))
    rows = [
        sample(name, *_pair((2, 3), (2, 3)), numeric=numeric),
        sample(name, *_pair((2, 1), (1, 3)), numeric=numeric),
        sample(name, *_pair((2, 1, 2), (3, 1)), numeric=numeric),
        sample(name, *_pair((1,), (2, 2), "float64"), numeric=numeric),
        sample(name, *_pair((2, 2), (2,), "float16"), rtol=4e-3, atol=4e-3),
        sample(name, values([left], "int64"), values(right, "int64")),
        sample(name, values([[9], [20]], "int8"), values([[3, 7]], "int8")),
        sample(name, *_pair((2, 3), (2,)), raises=True),
    ]
    if kind in TIES:
        rows.append(sample(name, *map(values, TIES[kind]), numeric=False))
    return rows


NUMBERS = {
    "_plus_scalar": 1.5,
    "_minus_scalar": 1.5,
    "_rminus_scalar": 1.5,
    "_mul_scalar": -1.5,
    "_div_scalar": -2.5,
    "_rdiv_scalar": 2.5,
    "_mod_scalar": 1.5,
    "_rmod_scalar": 2.5,
    "_power_scalar": 2.5,
    "_rpower_scalar": 2.5,
    "_maximum_scalar": 1.5,
    "_minimum_scalar": 1.5,
    "_hypot_scalar": 1.5,
    "_scatter_plus_scalar": 1.5,
    "_scatter_minus_scalar": 1.5,
}
BYTE_NUMBERS = {"_power_scalar": (2,), "_rpower_scalar": (2,), "_hypot_scalar": (0, 3)}


def _with_number(name: str, number: float) -> list:
    smooth = "mod" not in name
    floats = rand(2, 3, low=0.6, high=2)
    integers = values([-7, -3, -1, 1, 2, 5], "int32")
    return [
        sample(name, floats, numeric=smooth),
        sample(name, floats, scalar=number, is_int=False, numeric=smooth),
        sample(name, rand(3, dtype="float64", low=0.6, high=2), scalar=str(number), numeric=smooth),
        sample(name, rand(2, 2, dtype="float16", low=0.6, high=2), scalar=number, **HALF),
        sample(name, integers, scalar=number),
        sample(name, integers, scalar=-2),
        sample(name, integers, scalar=number, is_int=False),
        *(
            sample(name, values([1, 2, 5, 7], "uint8"), scalar=byte)
            for byte in BYTE_NUMBERS.get(name, (3, -2, 300.7))
        ),
        sample(name, values([-3, 1, 6], "int8"), scalar=3),
        sample(name, values([1, 2, 20], "int64"), scalar=2),
        sample(name, values([True, True], "bool"), scalar=2),
        sample(name, floats, scalar="two", raises=True),
    ]


SAMPLES = [
    *(row for kind, (name, _) in FUNCTIONS.items() for row in _alike(kind, name)),
    *(row for kind, (_, name) in FUNCTIONS.items() for row in _broadcast(kind, name)),
    *(row for name, number in NUMBERS.items() for row in _with_number(name, number)),
    *(
        sample(name, values([1, nan, 2, nan]), values([nan, 1, -inf, nan]), gradient=False)
        for name in ("_maximum", "_minimum", "broadcast_maximum", "broadcast_minimum")
    ),
    sample("broadcast_maximum", rand(2, 1), rand(1, 3), gradient=False),
    sample("broadcast_minimum", rand(2, 1), rand(1, 3), gradient=False),
    sample("_maximum_scalar", values([-1, 1.5, 3, 0]), scalar=1.5, numeric=False),
    sample("_minimum_scalar", values([-1, 1.5, 3, 0]), scalar=1.5, numeric=False),
    sample("_maximum_scalar", values([-1, nan, inf]), scalar=0, gradient=False),
    sample("_minimum_scalar", values([-1, 2], "float16"), scalar=1e9, gradient=False),
    sample("_mod_scalar", values([-2.5, -1, 0, 0.5, 3]), scalar=2, numeric=False),
    sample("_mod_scalar", values([-2.5, -1, 0, 0.5, 3]), scalar=-2, numeric=False),
    sample("_mod_scalar", values([-2.5, 1, 0]), scalar=0, numeric=False),
    sample("_mod_scalar", values([-7, 7], "int32"), scalar=0),
    sample("_rmod_scalar", values([-2.5, -1, 0.5, 3]), scalar=-2, numeric=False),
    sample("_rmod_scalar", values([0, 7, -7], "int32"), scalar=5),
    sample("_mod", values([1, 0, -3]), values([0, 0, 2]), gradient=False),
    sample("_div_scalar", values([-1, 0, 2]), scalar=0, gradient=False),
    sample("_rdiv_scalar", values([-1, 0, 49]), scalar=49, numeric=False),
    sample("_power_scalar", values([-2, 0, 3]), scalar=2),
    sample("_power_scalar", values([-2, 0.5, 3]), scalar=-1),
    sample("_power_scalar", values([0.25, 4]), scalar=0.5),
    sample("_power_scalar", values([-2, 0.5, 3]), scalar=0),
    sample("_rpower_scalar", values([-2, 0, 3]), scalar=-2, gradient=False),
    sample("_rpower_scalar", values([-2, 0, 3], "int32"), scalar=-2),
    sample("_plus_scalar", values([250, 1], "uint8"), scalar=10),
    sample("_plus_scalar", values([True, False], "bool"), scalar=1.5, is_int=False),
    sample("_minus_scalar", values([250, 1], "uint8"), scalar=10),
    sample("_mul_scalar", values([250, 1], "uint8"), scalar=10),
    sample("_grad_add", rand(2, 3), rand(2, 3), gradient=False),
    sample("_grad_add", values([250], "uint8"), values([7], "uint8")),
    sample("_grad_add", rand(2, 3), rand(3), raises=True),
    sample("_scatter_elemwise_div", *_pair((2, 3), (2, 3))),
    sample("_scatter_elemwise_div", *_pair((2, 3), (3,)), raises=True),
    sample("_identity_with_attr_like_rhs", rand(2, 3), rand(2, 3)),
    sample("_identity_with_attr_like_rhs", values([1, 2], "int32"), values([3, 4], "int32")),
    sample("_identity_with_attr_like_rhs", rand(2, 3), rand(3), raises=True),
]
