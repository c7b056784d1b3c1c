"""Functions of one array, element by element."""

from math import inf, nan

from .core import rand, sample, values

HALF = {"rtol": 2e-3, "atol": 2e-3}
KINKS = values([-2.5, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2.5, 3, 0.49999997, 8388609])

DOMAINS = {
    "sqrt": (0.1, 3),
    "rsqrt": (0.1, 3),
    "reciprocal": (0.5, 3),
    "log": (0.1, 3),
    "log10": (0.1, 3),
    "log2": (0.1, 3),
    "log1p": (-0.7, 3),
    "arcsin": (-0.9, 0.9),
    "arccos": (-0.9, 0.9),
    "arccosh": (1.2, 4),
    "arctanh": (-0.9, 0.9),
    "erfinv": (-0.9, 0.9),
    "gamma": (0.2, 5),
    "gammaln": (0.2, 5),
    "cbrt": (0.2, 3),
    "rcbrt": (0.2, 3),
    "tan": (-1.3, 1.3),
}
"""Where a function is smooth; elsewhere the open interval from -2 to 2."""

SMOOTH = [
    *("square", "negative", "exp", "expm1", "sin", "cos", "arctan", "sinh", "cosh", "tanh"),
    *("arcsinh", "degrees", "radians", "erf", "sigmoid", "softsign", "hard_sigmoid"),
    *("_copy", "_contrib_div_sqrt_dim"),
    *DOMAINS,
]
STEPS = ["abs", "sign", "relu", "round", "rint", "ceil", "floor", "trunc", "fix", "logical_not"]
FLOAT_ONLY = {"hard_sigmoid"}
WHOLE = {
    "gamma": [1, 2, 3, 4, 5, 7, 9, 10],
    "gammaln": [1, 2, 3, 7, 100],
    "cbrt": [-27, -8, -2, 0, 1, 2, 26, 27, 64, 1000],
    "rcbrt": [-2, -1, 1, 2],
    "reciprocal": [-2, -1, 1, 2],
    "arcsin": [-1, 0, 1],
    "arccos": [-1, 0, 1],
    "arctanh": [0],
    "erfinv": [0],
    "sqrt": [0, 1, 2, 3, 4, 15, 16, 100],
    "rsqrt": [1, 2, 100],
    "log": [1, 2, 3, 7, 8, 100],
    "log10": [1, 9, 10, 99, 100],
    "log2": [1, 3, 4, 100],
    "log1p": [0, 1, 2, 100],
    "arccosh": [1, 2, 7, 100],
}
POLES = {
    "sqrt": [-1, 0, inf, nan],
    "rsqrt": [-1, 0, inf, nan],
    "cbrt": [-inf, -1, -0.5, 0, inf, nan],
    "rcbrt": [-inf, -1, -0.5, 0, inf, nan],
    "reciprocal": [-2, 0, inf, nan],
    "log": [-2, 0, inf, nan],
    "log10": [-2, 0, inf, nan],
    "log2": [-2, 0, inf, nan],
    "log1p": [-2, -1, inf, nan],
    "arcsin": [-2, -1, 1, nan],
    "arccos": [-2, -1, 1, nan],
    "arccosh": [-2, 0.5, 1, inf, nan],
    "arctanh": [-2, -1, 1, nan],
    "erfinv": [-2, -1, 1, nan],
    "gamma": [-2.5, -1.5, -0.5, -1, inf, nan],
    "gammaln": [-2.5, -1.5, -0.5, inf, nan],
    "exp": [-inf, 100, inf, nan],
    "sigmoid": [-inf, -100, 100, inf, nan],
    "tanh": [-inf, -100, 100, inf, nan],
    "square": [-inf, inf, nan],
    "hard_sigmoid": [-3, -2.5, 2.5, 3],
}


def _unary(name: str) -> list:
    low, high = DOMAINS.get(name, (-2, 2))
    rows = [
        sample(name, rand(2, 3, low=low, high=high)),
        sample(name, rand(3, dtype="float64", low=low, high=high)),
        sample(name, rand(2, 1, 2, dtype="float16", low=low, high=high), **HALF),
    ]
    if name in POLES:
        rows.append(sample(name, values(POLES[name]), numeric=False))
    if name in FLOAT_ONLY:
        rows.append(sample(name, values([1, 2], "int32"), raises=True))
    else:
        rows.append(sample(name, values(WHOLE.get(name, [-3, -2, -1, 0, 1, 2, 3]), "int32")))
    return rows


def _step(name: str) -> list:
    return [
        sample(name, KINKS, numeric=False),
        sample(name, values([-inf, inf, nan]), gradient=False),
        sample(name, rand(2, 3, dtype="float64", low=-3, high=3), numeric=False),
        sample(name, values([[-2.5, -0.5, 0], [0.5, 1.5, 2]], "float16"), numeric=False),
        sample(name, values([-3, 0, 7], "int32")),
        sample(name, values([0, 1, 200], "uint8")),
        sample(name, values([-128, 0, 7], "int8")),
    ]


FIRST = values([[-2, -1, -0.5], [0.5, 1, 2.75]])
WIDE = values([-200, -5, 0, 5, 200], "int32")

SAMPLES = [
    *(row for name in SMOOTH for row in _unary(name)),
    *(row for name in STEPS for row in _step(name)),
    sample("square", values([-100, 3], "int8")),
    sample("square", values([200, 3], "uint8")),
    sample("negative", values([200, 3, 0], "uint8")),
    sample("exp", values([0, 1, 2, 5], "uint8")),
    sample("exp", values([0, 1, 20], "int64")),
    sample("sigmoid", values([-100, 0, 100], "int64")),
    sample("exp", values([True, False], "bool"), raises=True),
    sample("sqrt", values([True, False], "bool"), raises=True),
    sample("_copy", values([True, False], "bool")),
    sample("_copy", values([[1, 2], [3, 4]], "uint8")),
    sample("_contrib_div_sqrt_dim", rand(2, 3, 5)),
    sample("_contrib_div_sqrt_dim", values([[-9, -2, 0, 100]], "int32")),
    sample("hard_sigmoid", rand(2, 3, low=-3, high=3), alpha=0.5, beta=0.25),
    sample("hard_sigmoid", values([-2, 0, 1, 2]), alpha="0.5", beta="0", numeric=False),
    sample("hard_sigmoid", rand(2), alpha="steep", raises=True),
    *(
        sample("Cast", FIRST, dtype=dtype, gradient=dtype.startswith("float"), numeric=False)
        for dtype in ("float16", "float32", "float64", "int32", "int64", "int8", "bool")
    ),
    sample("Cast", values([0, 1.7, 255.5]), dtype="uint8", gradient=False),
    sample("Cast", rand(2, 3, dtype="float64"), dtype="float32", numeric=False),
    sample("Cast", rand(2, 3, dtype="float16"), dtype="float32"),
    sample("Cast", WIDE, dtype="float32"),
    sample("Cast", WIDE, dtype="uint8"),
    sample("Cast", WIDE, dtype="int8"),
    sample("Cast", WIDE, dtype="bool"),
    sample("Cast", values([True, False], "bool"), dtype="int32"),
    sample("Cast", values([True, False], "bool"), dtype="float16"),
    sample("Cast", FIRST, raises=True),
    sample("Cast", FIRST, dtype="float31", raises=True),
    sample("amp_cast", FIRST, dtype="float16", **HALF),
    sample("amp_cast", FIRST, dtype="float32"),
    sample("amp_cast", rand(2, 3, dtype="float16"), dtype="float32"),
    sample("amp_cast", WIDE, dtype="float16"),
    sample("amp_cast", WIDE, dtype="float32"),
    sample("amp_cast", FIRST, dtype="bool", raises=True),
    sample("amp_cast", FIRST, raises=True),
    sample(
        "amp_cast",
        FIRST,
        dtype="float64",
        oracle=False,
        why="fails: its CPU library has no float64",
    ),
    sample("amp_multicast", rand(2, 3), rand(2), num_outputs=2),
    sample("amp_multicast", rand(2, 3), num_outputs="1", cast_narrow="True"),
    sample("amp_multicast", rand(2), rand(2), raises=True),
    sample("amp_multicast", rand(2), rand(2), num_outputs=1, raises=True),
    *(
        sample(
            "amp_multicast",
            rand(2),
            rand(3, dtype=dtype),
            num_outputs=2,
            cast_narrow=narrow,
            oracle=False,
            why="fails or crashes on the CPU for unequal types",
        )
        for dtype in ("float16", "float64", "int32")
        for narrow in (False, True)
    ),
    sample("clip", values([-2, -1, 0, 0.5, 1, 2]), a_min=-1, a_max=1, numeric=False),
    sample("clip", rand(2, 3, low=-3, high=3), a_min="-1.5", a_max="0.5"),
    sample("clip", rand(2, 3, dtype="float64", low=-3, high=3), a_min=-1.5, a_max=0.5),
    sample("clip", values([-2, 0, 2], "float16"), a_min=-1, a_max=1e9, numeric=False),
    sample("clip", values([-2, 0, 2]), a_min=-inf, a_max=1, numeric=False),
    sample("clip", values([-2, nan, inf]), a_min=-1, a_max=1, gradient=False),
    sample("clip", values([-3, 0, 1, 2, 5], "int32"), a_min=0.5, a_max=2.7),
    sample("clip", values([-3, -1, 0, 5], "int64"), a_min=-1.5, a_max=1.5),
    sample("clip", values([0, 1, 200], "uint8"), a_min=-5.5, a_max=100.5),
    sample("clip", values([0, 1, 200], "uint8"), a_min=-1, a_max=300),
    sample("clip", values([-100, 1, 100], "int8"), a_min=-5, a_max=99),
    sample("clip", rand(2), a_min=0, raises=True),
    sample("clip", rand(2), raises=True),
    sample("clip", rand(2), a_min=None, a_max=1, raises=True),
    sample("smooth_l1", values([-2, -1, 0, 0.5, 1, 2]), scalar=1, numeric=False),
    sample("smooth_l1", rand(2, 3, low=-3, high=3)),
    sample("smooth_l1", rand(2, 3), scalar="2.5"),
    sample("smooth_l1", rand(2, 3), scalar=0),
    sample("smooth_l1", rand(3, dtype="float64", low=-3, high=3), scalar=1.5),
    sample("smooth_l1", rand(3, dtype="float16", low=-3, high=3), scalar=1.5, **HALF),
    sample("smooth_l1", values([-300, 200, 0.05, 1], "float16"), scalar=3, **HALF),
    sample("smooth_l1", values([-30, 20, 0.5, 1], "float16"), scalar=0.001, **HALF),
    sample("smooth_l1", values([-3, 0, 1, 5], "int32"), scalar=1),
    sample("add_n", rand(2, 3)),
    sample("add_n", rand(2, 3), rand(2, 3)),
    sample("add_n", rand(2, 3), rand(2, 3), rand(2, 3), rand(2, 3), num_args=4),
    sample("add_n", rand(3, dtype="float64"), rand(3, dtype="float64")),
    sample("add_n", rand(3, dtype="float16"), rand(3, dtype="float16"), **HALF),
    sample("add_n", values([250, 2], "uint8"), values([30, 4], "uint8")),
    sample("add_n", values([-250, 2], "int32"), values([30, 4], "int32")),
    sample("add_n", rand(2, 3), rand(3), raises=True),
    sample("add_n", rand(2, 3), rand(1, 3), raises=True),
    sample("_contrib_quadratic", rand(2, 3)),
    sample("_contrib_quadratic", rand(2, 3), a=1, b=2, c=3),
    sample("_contrib_quadratic", rand(3, dtype="float64"), a="-0.5", b="0.25"),
    sample("_contrib_quadratic", rand(3, dtype="float16"), a=1.5, c=1, **HALF),
    sample("_contrib_quadratic", values([-1, 1, 2, 5], "int32"), a=1.5, b=2, c=3),
    *(
        sample("_contrib_allclose", *arrays, gradient=False, attrs=attrs)
        for arrays in (
            (values([1, 2]), values([1, 2])),
            (values([1, 2]), values([1, 2.001])),
            (values([1, nan, inf]), values([1, nan, inf])),
            (values([1, inf]), values([1, 3])),
            (values([[1], [2]], "float64"), values([[1], [2.0000001]], "float64")),
        )
        for attrs in ({}, {"rtol": 0.1}, {"atol": "0.01"}, {"equal_nan": False})
    ),
    sample("_contrib_allclose", values([1, 2], "int32"), values([1, 2], "int32")),
    sample("_contrib_allclose", rand(2), rand(3), gradient=False, raises=True),
    sample("_contrib_allclose", rand(1, 2), rand(2), gradient=False, raises=True),
    *(
        sample("all_finite", values(data, dtype), gradient=False)
        for data in ([[1, 2], [3, 4]], [1, nan], [-inf, 1])
        for dtype in ("float16", "float32", "float64")
    ),
    sample("all_finite", values([1], "int32"), raises=True),
    sample("multi_all_finite", rand(2), gradient=False),
    sample("multi_all_finite", rand(2), rand(2, 3), num_arrays=2, gradient=False),
    sample("multi_all_finite", rand(2), values([inf]), num_arrays="2", gradient=False),
    sample("multi_all_finite", values([nan]), rand(3), num_arrays=2, gradient=False),
    sample("multi_all_finite", rand(2), rand(2), gradient=False, raises=True),
    sample("multi_all_finite", values([1], "int32"), raises=True),
    *(
        sample(name, array)
        for name in ("shape_array", "size_array")
        for array in (rand(2, 3, 4), rand(5), values([[True]], "bool"), values([[1, 2]], "int32"))
    ),
]
