"""Sorting, the largest elements, histograms and flat indices."""

from .core import ints, rand, sample, values

TIES = [[3, 1, 2, 3, 1], [5, 5, 0, 6, 5]]
MANY_TIES = [[(7 * i * i + 3 * row) % 5 for i in range(41)] for row in range(3)]
TIES_BELOW = [list(column) for column in zip(*MANY_TIES, strict=True)]
DTYPES = ("float64", "int32", "int64", "uint8", "int8")
INDEX_DTYPES = ("float16", "float32", "float64", "int32", "int64", "uint8")
EDGES = [0, 1, 3, 4]
COUNTED = [0, 1, 2, 2, 3, 3.5, 4, 10, -1]
NO_DEFAULT_GRADIENT = "the original loses the default axis on the way to the gradient and raises"
NO_HALF = "the original does not sort float16"

SAMPLES = [
    *(
        sample(op, rand(2, 3, 4), attrs=way)
        for op in ("sort", "argsort")
        for way in (
            {"axis": -1},
            {"axis": 0},
            {"axis": 1, "is_ascend": False},
            {"axis": -2},
            {"axis": None},
            {"axis": "None", "is_ascend": "0"},
        )
    ),
    *(sample(op, rand(2, 3), gradient=False) for op in ("sort", "argsort")),
    *(sample(op, rand(4), is_ascend=False, gradient=False) for op in ("sort", "argsort")),
    *(
        sample(op, values(TIES, dtype), attrs=way, numeric=False)
        for op in ("sort", "argsort")
        for dtype in ("float32", *DTYPES)
        for way in ({"axis": 1}, {"axis": 1, "is_ascend": False})
    ),
    *(
        sample(op, rand(2, 3), attrs=way, raises=True)
        for op in ("sort", "argsort", "topk")
        for way in ({"axis": 2}, {"axis": -3}, {"axis": (0, 1)}, {"descending": True})
    ),
    sample("sort", rand(3, 2), oracle=False, why=NO_DEFAULT_GRADIENT),
    sample("sort", rand(2, 3, dtype="float16"), axis=1, oracle=False, why=NO_HALF),
    sample("argsort", rand(2, 3, dtype="float16"), axis=1, oracle=False, why=NO_HALF),
    *(sample("argsort", rand(2, 3), axis=1, dtype=dtype) for dtype in INDEX_DTYPES),
    *(
        sample(op, rand(2, 3), dtype=dtype, raises=True)
        for op in ("argsort", "topk")
        for dtype in ("int8", "bool")
    ),
    *(
        sample("topk", rand(3, 4), axis=1, ret_typ=kind, attrs=way)
        for kind in ("value", "indices", "mask", "both")
        for way in ({}, {"k": 2}, {"k": 2, "is_ascend": True}, {"k": 0}, {"k": 4})
    ),
    *(
        sample("topk", rand(2, 3), axis=None, ret_typ=kind, attrs=way)
        for kind in ("value", "indices", "mask", "both")
        for way in ({"k": 3}, {"k": 0, "is_ascend": True})
    ),
    *(
        sample("topk", rand(3, 2, 2), axis=0, k=2, ret_typ=kind)
        for kind in ("value", "indices", "mask", "both")
    ),
    *(
        sample("topk", values(TIES, dtype), axis=-1, k=2, ret_typ=kind, numeric=False)
        for dtype in ("float16", "float32", *DTYPES)
        for kind in ("both", "mask")
    ),
    *(
        sample("topk", values(TIES), axis=1, numeric=False, attrs=way)
        for way in (
            {"k": 1, "is_ascend": True},
            {"k": 3},
            {"k": 4, "is_ascend": True, "ret_typ": "both"},
            {"k": -1},
        )
    ),
    *(
        sample("topk", rand(2, 3), axis=1, k=2, ret_typ="both", dtype=dtype)
        for dtype in INDEX_DTYPES
    ),
    sample("topk", rand(2, 3), gradient=False),
    sample("topk", rand(5), k="2", is_ascend="True", gradient=False),
    *(
        sample("topk", values(MANY_TIES, dtype), axis=1, numeric=False, attrs=way)
        for dtype in ("float32", "int32", "uint8")
        for way in (
            {"k": 2},
            {"k": 5, "ret_typ": "both"},
            {"k": 4, "is_ascend": True},
            {"k": 3, "ret_typ": "mask"},
        )
    ),
    sample("topk", values(MANY_TIES), axis=None, k=7, ret_typ="both", numeric=False),
    sample("topk", values(TIES_BELOW), axis=0, k=4, ret_typ="both", numeric=False),
    sample("topk", rand(2, 20), axis=1, k=3, ret_typ="both"),
    sample("topk", rand(20, 2), axis=0, k=5, ret_typ="value", is_ascend=True),
    sample("topk", rand(2, 20), axis=1, k=0),
    sample("topk", rand(2, 20), axis=1, k=6, ret_typ="mask"),
    sample("topk", rand(2, 3), k=4, raises=True),
    sample("topk", rand(2, 3), axis=0, k=3, raises=True),
    sample("topk", rand(2, 3), axis=None, k=7, raises=True),
    sample("topk", rand(2, 3), ret_typ="values", raises=True),
    sample("topk", rand(2, 3), k="two", raises=True),
    *(
        sample("_histogram", values(COUNTED), gradient=False, attrs=way)
        for way in (
            {"bin_cnt": 4, "range": (0, 4)},
            {"bin_cnt": "3", "range": "(-1.0, 10.0)"},
            {"bin_cnt": 1, "range": (0, 1)},
            {"bin_cnt": 4, "range": (4, 4)},
        )
    ),
    sample("_histogram", values(COUNTED), values(EDGES), gradient=False),
    sample(
        "_histogram",
        values([0.1, 0.2, 0.3, 0.7, 0.9, 1.0]),
        bin_cnt=10,
        range=(0, 1),
        gradient=False,
    ),
    sample("_histogram", rand(3, 4), bin_cnt=5, range=(-0.5, 0.5), gradient=False),
    sample("_histogram", values([0, 1, float("nan")]), bin_cnt=4, range=(0, 4), gradient=False),
    *(
        sample(
            "_histogram", values([[0, 1, 2], [2, 3, 4]], dtype), *bins, gradient=False, attrs=way
        )
        for dtype in ("float16", *DTYPES)
        for bins, way in (((), {"bin_cnt": 3, "range": (0, 4)}), ((values(EDGES, dtype),), {}))
    ),
    *(
        sample("_histogram", values(COUNTED), *bins, gradient=False, raises=True, attrs=way)
        for bins, way in (
            ((), {}),
            ((), {"bin_cnt": 4}),
            ((), {"range": (0, 4)}),
            ((), {"bin_cnt": 4, "range": (4, 0)}),
            ((), {"bin_cnt": -1, "range": (0, 4)}),
            ((), {"bin_cnt": 2, "range": (0, 1, 2)}),
            ((values(EDGES),), {"bin_cnt": 4, "range": (0, 4)}),
            ((values(EDGES),), {"range": (0, 4)}),
            ((values([0]),), {}),
            ((values([[0, 1], [2, 3]]),), {}),
        )
    ),
    *(
        sample("_ravel_multi_index", values([[3, 6, 6], [4, 5, 1]], dtype), shape=(7, 6))
        for dtype in ("float16", "float32", *DTYPES)
    ),
    sample("_ravel_multi_index", values([[3, 6, 6], [4, 5, 1]]), shape=(-1, 6)),
    sample("_ravel_multi_index", values([[3.5, 6.5], [4.5, 5]]), shape="(7, 6)"),
    sample("_ravel_multi_index", values([[9, 6, 6], [4, 50, -1]]), shape=(7, 6)),
    sample("_ravel_multi_index", ints(3, 4, high=2), shape=(2, 3, 4)),
    sample("_ravel_multi_index", values([[1, 5]]), shape=7),
    sample("_ravel_multi_index", values([3, 4]), shape=(7, 6), raises=True),
    sample("_ravel_multi_index", rand(2, 2, 3), shape=(7, 6), raises=True),
    sample("_ravel_multi_index", rand(2, 3), shape=(7, 6, 3), raises=True),
    sample("_ravel_multi_index", rand(2, 3), raises=True),
    *(
        sample("_unravel_index", values([22, 41, 37], dtype), shape=(7, 6))
        for dtype in ("float16", "float32", *DTYPES)
    ),
    sample("_unravel_index", values([22, 41, 37]), shape=(-1, 6)),
    sample("_unravel_index", values([22.7, 3.2]), shape="(7, 6)"),
    sample("_unravel_index", values([100, -1]), shape=(7, 6)),
    sample("_unravel_index", values([22, 1, 7, 13], "int64"), shape=(2, 3, 4)),
    sample("_unravel_index", values([5]), shape=7),
    sample(
        "_unravel_index",
        values([[22, 41], [37, 1]]),
        shape=(7, 6),
        oracle=False,
        why="the original gives the indices back for an input of two axes",
    ),
    sample("_unravel_index", values([5]), shape=(), raises=True),
    sample("_unravel_index", values([5]), raises=True),
]
