"""Reductions along axes."""

from .core import ints, rand, sample, values

HALF = {"rtol": 2e-3, "atol": 2e-3}
DTYPES = ("float64", "int32", "int64", "uint8", "int8")
REDUCTIONS = ("sum", "mean", "prod", "nansum", "nanprod", "max", "min")
WAYS = (
    {},
    {"axis": 1},
    {"axis": -1},
    {"axis": (0, 2)},
    {"axis": [2, 0]},
    {"axis": ()},
    {"axis": (), "keepdims": True},
    {"keepdims": True},
    {"axis": -2, "keepdims": True},
    {"axis": (0, 1, 2)},
    {"axis": 1, "exclude": True},
    {"axis": (0, -1), "exclude": True, "keepdims": True},
    {"axis": (0, 1, 2), "exclude": True},
    {"axis": "(1, 2)", "keepdims": "True"},
)
MORE_WAYS = ({"axis": (0, 1), "keepdims": True}, {"exclude": True}, {"axis": "None"})
MISTAKES = (
    {"axis": 3},
    {"axis": -4},
    {"axis": (0, 0)},
    {"axis": (0, -3)},
    {"axis": 3, "exclude": True},
    {"axis": (0, 5)},
    {"axes": 1},
    {"axis": "one"},
    {"keepdims": 2},
)
NANS = values([[1, float("nan"), 3], [float("nan")] * 3, [-2, 0.5, 4]])
TIES = values([[1, 2, 2, 1], [0, 0, 0, 0], [3, -1, 3, -1]])
ZERO_PRODUCT = "the gradient of the original is NaN at an element that is zero"
OVERFLOW = "the original adds float16 in float16 and overflows"
SPARSE_ONLY = "the original takes row_sparse arrays only"
OUT_DTYPE = "the original takes another dtype only with MXNET_SAFE_ACCUMULATION=1"

SAMPLES = [
    *(sample(op, rand(2, 3, 4), attrs=way) for op in REDUCTIONS for way in WAYS),
    *(sample("sum", rand(2, 3, 4), attrs=way) for way in MORE_WAYS),
    *(sample(op, rand(2, 3, 4), attrs=way, raises=True) for op in REDUCTIONS for way in MISTAKES),
    *(
        sample(op, values([[1, 2, 4], [3, 100, 2]], dtype), axis=1)
        for op in REDUCTIONS
        for dtype in DTYPES
    ),
    *(sample(op, values([[1, 2, 4], [3, 100, 2]], "int32")) for op in REDUCTIONS),
    *(sample(op, rand(2, 3, dtype="float16"), axis=1, **HALF) for op in REDUCTIONS),
    *(sample(op, rand(2, 3, dtype="float16"), **HALF) for op in REDUCTIONS),
    *(sample(op, rand(5), attrs=way) for op in REDUCTIONS for way in ({}, {"axis": 0})),
    *(sample(op, rand(2, 2, 1, 3, 2), axis=(1, 3)) for op in ("sum", "prod", "max")),
    sample("sum", NANS, axis=1, numeric=False),
    sample("mean", NANS, axis=1, numeric=False),
    *(
        sample(op, NANS, numeric=False, attrs=way)
        for op in ("nansum", "max", "min", "nanprod")
        for way in ({}, {"axis": 1}, {"axis": 0, "keepdims": True})
    ),
    *(
        sample(op, TIES, numeric=False, attrs=way)
        for op in ("max", "min")
        for way in ({}, {"axis": 1}, {"axis": 0}, {"axis": (0, 1), "keepdims": True})
    ),
    sample("max", values([float("-inf"), float("inf"), 0]), numeric=False),
    sample("min", values([float("-inf"), float("inf"), 0]), numeric=False),
    sample("sum", values([200, 100, 50], "uint8")),
    sample("sum", values([100, 100], "int8")),
    sample("mean", values([200, 200, 200], "uint8")),
    sample("mean", values([-1, -2, -4], "int32")),
    sample("prod", values([[100, 100], [3, 5]], "uint8"), axis=1),
    sample("prod", values([[0, 2, 3], [0, 2, 0]]), axis=1, oracle=False, why=ZERO_PRODUCT),
    sample("prod", values([[0, 2, 3], [0, 2, 0]]), axis=1, gradient=False, train=False),
    *(sample(op, values([True, False], "bool"), gradient=False) for op in ("mean", "nanprod")),
    sample("nanprod", values([0, 2, 3]), oracle=False, why=ZERO_PRODUCT),
    sample("sum", values([60000, 60000, -60000], "float16"), oracle=False, why=OVERFLOW),
    sample("mean", values([60000] * 4, "float16"), oracle=False, why=OVERFLOW),
    *(
        sample("_square_sum", rand(2, 3), attrs=way, oracle=False, why=SPARSE_ONLY)
        for way in ({}, {"axis": 0}, {"axis": 1, "keepdims": True}, {"axis": 0, "exclude": True})
    ),
    *(
        sample(op, rand(2, 3, 4), attrs=way)
        for op in ("argmax", "argmin")
        for way in (
            {},
            {"axis": 0},
            {"axis": 1},
            {"axis": -1},
            {"axis": -2, "keepdims": True},
            {"keepdims": True},
            {"axis": "1"},
            {"axis": "None"},
        )
    ),
    *(
        sample(op, rand(2, 3, 4), attrs=way, raises=True)
        for op in ("argmax", "argmin")
        for way in ({"axis": 3}, {"axis": -4}, {"axis": (0, 1)}, {"exclude": True})
    ),
    *(
        sample(op, values([[1, 7, 7, 2], [5, 1, 1, 5]], dtype), axis=1)
        for op in ("argmax", "argmin")
        for dtype in ("float16", "float32", *DTYPES)
    ),
    *(sample(op, rand(5), axis=0) for op in ("argmax", "argmin")),
    *(sample(op, rand(5), axis=0, keepdims=True) for op in ("argmax", "argmin")),
    *(sample(op, NANS, axis=1) for op in ("argmax", "argmin")),
    sample("argmax_channel", rand(3, 4), gradient=False),
    sample("argmax_channel", rand(2, 3, 4), gradient=False),
    sample("argmax_channel", values([[1, 3, 3], [2, 2, 2]]), gradient=False),
    *(
        sample("argmax_channel", ints(2, 5, dtype=dtype), gradient=False)
        for dtype in ("float16", *DTYPES)
    ),
    sample("argmax_channel", rand(4), raises=True),
    *(
        sample("norm", rand(2, 3, 4), attrs=way)
        for way in (
            {},
            {"ord": 1},
            {"ord": "2"},
            {"axis": 1},
            {"axis": -1, "ord": 1},
            {"axis": (0, 2)},
            {"axis": (-1, -2), "ord": 1, "keepdims": True},
            {"axis": (0, 1, 2)},
            {"axis": ()},
            {"axis": (), "keepdims": True},
            {"keepdims": True},
            {"axis": 2, "keepdims": True},
            {"out_dtype": None},
        )
    ),
    *(
        sample("norm", rand(2, 3, 4), attrs=way, raises=True)
        for way in (
            {"ord": 3},
            {"ord": 0},
            {"axis": 5},
            {"axis": -5},
            {"axis": (0, 0)},
            {"out_dtype": "uint8"},
            {"out_dtype": "bool"},
            {"ord": "two"},
        )
    ),
    sample("norm", rand(2, 3, 4), axis=(1, 2), out_dtype="float32", numeric=False),
    sample("norm", rand(6)),
    sample("norm", rand(6), axis=0),
    sample("norm", rand(3, 2, dtype="float64"), axis=1),
    sample("norm", rand(3, 2, dtype="float16"), axis=1, **HALF),
    sample("norm", values([300, 400], "float16"), **HALF),
    *(
        sample("norm", values([[1, 2], [3, 100]], dtype), attrs=way)
        for dtype in ("int32", "int64", "uint8", "int8")
        for way in ({"axis": 1}, {"axis": 1, "ord": 1})
    ),
    sample("norm", values([[3, -4, 0], [-6, 8, 1]]), ord=1, axis=1, numeric=False),
    sample(
        "norm",
        values([3, 4], "int32"),
        oracle=False,
        why="the original divides integers and gives 4",
    ),
    sample(
        "norm",
        values([[0, 0], [3, 4]]),
        axis=1,
        numeric=False,
        oracle=False,
        why="the gradient of the original is NaN at zero",
    ),
    *(
        sample("norm", rand(2, 3), out_dtype=dtype, numeric=False, oracle=False, why=OUT_DTYPE)
        for dtype in ("float16", "float64", "int32")
    ),
    *(
        sample("moments", rand(2, 3, 4), attrs=way)
        for way in (
            {"axes": 0},
            {"axes": (0, 2)},
            {"axes": (0, 1, 2)},
            {"axes": -1, "keepdims": True},
            {"axes": (0, 1, 2), "keepdims": True},
            {"axes": "(1,)"},
        )
    ),
    *(
        sample("moments", rand(2, 3, 4), attrs=way, raises=True)
        for way in ({}, {"axes": ()}, {"axes": (0, 0)}, {"axes": 4}, {"axis": 0})
    ),
    sample("moments", rand(5), axes=0),
    sample("moments", rand(2, 3, dtype="float64"), axes=1),
    sample("moments", rand(2, 3, dtype="float16"), axes=1, **HALF),
    *(
        sample("moments", values([[1, 2], [3, 100]], dtype), axes=1)
        for dtype in ("int32", "int64", "uint8", "int8")
    ),
    *(
        sample("cumsum", rand(2, 3), attrs=way)
        for way in (
            {},
            {"axis": 0},
            {"axis": 1},
            {"axis": "None"},
            {"dtype": "float64"},
            {"dtype": "float64", "axis": 0},
            {"dtype": "float32"},
        )
    ),
    sample("cumsum", rand(2, 3), dtype="float16", numeric=False, **HALF),
    sample("cumsum", rand(4)),
    sample("cumsum", rand(2, 3, 2), axis=1),
    sample("cumsum", values([1.7, 1.7, 1.7]), dtype="int32"),
    sample("cumsum", values([[1.7, -2.5], [1.7, 3.0]]), dtype="int64", axis=1),
    *(
        sample("cumsum", values([[1, 2], [3, 100]], dtype), axis=1)
        for dtype in ("float16", *DTYPES)
    ),
    sample("cumsum", values([100, 100], "int8")),
    sample("cumsum", values([[True, True], [False, True]], "bool")),
    sample("cumsum", rand(2, 3), axis=2, raises=True),
    sample("cumsum", rand(2, 3), axis=-3, raises=True),
    sample("cumsum", rand(2, 3), dtype="uint8", raises=True),
    sample("cumsum", rand(2, 3), dtype="bool", raises=True),
    sample("cumsum", rand(2, 3), axis=-1, oracle=False, why="the original refuses negative axes"),
    sample("pick", rand(3, 4), ints(3, high=4, dtype="float32")),
    sample("pick", rand(3, 4), values([0, 1, 2, 1]), axis=0),
    sample("pick", rand(3, 4), values([0, 1, 2]), axis=1, keepdims=True),
    sample("pick", rand(3, 4), values([0, 1, 2]), keepdims=True, mode="wrap"),
    sample("pick", rand(3, 4), values([-1, 5, 2])),
    sample("pick", rand(3, 4), values([-1, 5, -9]), mode="wrap"),
    sample("pick", rand(3, 4), values([0.9, 1.5, -0.5])),
    sample("pick", rand(3, 4), values([0.9, 4.5, -0.5]), mode="wrap"),
    sample("pick", rand(3, 4), values([[0], [1], [2]])),
    sample("pick", rand(3, 4), values([[0], [1], [2]]), keepdims=True),
    sample("pick", rand(3, 4), values([[0, 1, 2, 0]]), axis=0),
    sample("pick", rand(2, 3, 4), ints(2, 4, high=3, dtype="float32"), axis=1),
    sample("pick", rand(2, 3, 4), ints(2, 1, 4, high=3, dtype="float32"), axis=-2, keepdims="1"),
    sample("pick", rand(2, 3, 4), ints(2, 3, high=4), axis="-1"),
    sample("pick", rand(3), values([2])),
    sample("pick", rand(3), values([2]), keepdims=True),
    *(
        sample("pick", values([[1, 2], [3, 100]], dtype), values([0, 1]))
        for dtype in ("float16", *DTYPES)
    ),
    *(sample("pick", rand(2, 3), values([0, 2], dtype)) for dtype in ("float16", *DTYPES)),
    sample("pick", rand(3, 4), values([0, 1]), raises=True),
    sample("pick", rand(3, 4), rand(3, 3), raises=True),
    sample("pick", rand(3, 4), values([0, 1, 2]), axis=None, raises=True),
    sample("pick", rand(3, 4), values([0, 1, 2]), axis=2, raises=True),
    sample("pick", rand(3, 4), values([0, 1, 2]), axis=-3, raises=True),
    sample("pick", rand(3, 4), values([0, 1, 2]), mode="raise", raises=True),
]
