"""Sorting, inserting, deleting, padding and diagonals in the NumPy dialect."""

from math import inf

from .core import ints, rand, sample, values

DTYPES = ("float16", "float64", "int8", "uint8", "int32", "int64")
NO_BOOL = "the original has no such function of bool"
GARBAGE = "the original returns what was in its memory"
WRONG_TYPE = "the original takes the number for an array of another type"
NUMBERS_INTO_VECTORS = "the original inserts numbers into vectors alone"
REPEATED = [3, 1, 2, 1, 3, 3]
ROWS = [[3, 1], [2, 1], [3, 1], [0, 5]]
ALL = {"return_index": True, "return_inverse": True, "return_counts": True}

SORT = [
    *[
        sample("_npi_sort", rand(2, 3), axis=axis, is_ascend=ascend)
        for axis in (-1, 0, None)
        for ascend in (True, False)
    ],
    sample("_npi_sort", rand(2, 3), axis=2, raises=True),
    sample("_npi_sort", rand(), axis=None),
    *[sample("_npi_sort", rand(*sizes), gradient=False) for sizes in [(0, 2), (2, 0)]],
    *[sample("_npi_sort", values([3, 1, 2, 1], t), gradient=False) for t in DTYPES[1:]],
    sample("_npi_sort", rand(4, dtype="bool"), oracle=False, why=NO_BOOL),
    *[
        sample("_npi_argsort", rand(2, 3), axis=axis, is_ascend=ascend, dtype="int64")
        for axis in (-1, 0, None)
        for ascend in (True, False)
    ],
    sample("_npi_argsort", rand(2, 3)),
    sample("_npi_argsort", rand(0, 2)),
    *[sample("_npx_topk", rand(2, 3), k=2, ret_typ=kind) for kind in ("indices", "value")],
    sample("_npx_topk", rand(2, 3), k=2, ret_typ="both", gradient=False),
    sample("_npx_topk", rand(2, 3), k=2, ret_typ="mask", gradient=False),
    *[
        sample("_npi_unique", values(data), **flags)
        for data in (REPEATED, [[3, 1], [2, 1]], 5, [])
        for flags in ({}, ALL)
    ],
    *[sample("_npi_unique", values(REPEATED), **{flag: True}) for flag in ALL],
    *[sample("_npi_unique", values(ROWS), axis=axis, **ALL) for axis in (0, 1, -1)],
    *[sample("_npi_unique", rand(*sizes), axis=0) for sizes in [(0, 2), (2, 0)]],
    *[sample("_npi_unique", values(REPEATED, dtype), **ALL) for dtype in DTYPES],
    sample("_npi_unique", values(ROWS), axis=2, raises=True),
    sample("_npi_unique", values([True, False, True], "bool"), **ALL, oracle=False, why=NO_BOOL),
]

DELETE = [
    *[sample("_npi_delete", rand(5), int_ind=i, gradient=False) for i in (0, 1, 4, -1, -5)],
    *[sample("_npi_delete", rand(5), int_ind=i, raises=True) for i in (5, -6)],
    *[
        sample("_npi_delete", rand(2, 3), int_ind=1, axis=axis, gradient=False)
        for axis in (None, 0, 1, -1)
    ],
    sample("_npi_delete", rand(2, 3), int_ind=1, axis=2, raises=True),
    *[
        sample("_npi_delete", rand(5), start=start, stop=stop, step=step, gradient=False)
        for start, stop, step in [(1, 4, 2), (None, None, 2), (4, 0, -2), (3, 1, 1), (-2, None, 1)]
    ],
    *[
        sample("_npi_delete", rand(5), values(obj, dtype), gradient=False, label="obj")
        for obj, dtype in [
            ([0, 2], "int64"),
            ([0, 0], "int32"),
            ([0, -1], "int32"),
            ([0, 7], "int32"),
            ([0, 1], "float32"),
            ([], "int64"),
            (2, "int64"),
        ]
    ],
    sample("_npi_delete", rand(2, 3), values([2, 0], "int64"), axis=1, gradient=False, label="obj"),
    *[sample("_npi_delete", ints(3, dtype=dtype), int_ind=0, gradient=False) for dtype in DTYPES],
    sample("_npi_delete", rand(3, dtype="bool"), int_ind=0, oracle=False, why=NO_BOOL),
    sample("_npi_delete", rand(), int_ind=0, gradient=False),
    sample("_npi_delete", rand(0), int_ind=0, raises=True),
]

INSERT = [
    *[
        sample("_npi_insert_scalar", rand(3), val=9, int_ind=i, gradient=False)
        for i in (0, 1, 3, -1, -3)
    ],
    *[sample("_npi_insert_scalar", rand(3), val=9, int_ind=i, raises=True) for i in (4, -4)],
    sample("_npi_insert_scalar", rand(2, 3), val=9, int_ind=1, gradient=False),
    *[
        sample(
            "_npi_insert_scalar",
            rand(2, 3),
            val=9,
            int_ind=1,
            axis=axis,
            oracle=False,
            why=NUMBERS_INTO_VECTORS,
        )
        for axis in (0, -1)
    ],
    *[
        sample("_npi_insert_scalar", rand(2, 3), rand(*sizes), int_ind=1, axis=axis, gradient=False)
        for axis, sizes in [
            (1, (2,)),
            (1, (2, 1)),
            (1, (1, 2)),
            (1, (2, 2)),
            (0, (3,)),
            (0, (2, 3)),
            (-2, (3,)),
        ]
    ],
    *[
        sample("_npi_insert_scalar", rand(3), rand(*sizes), int_ind=1, gradient=False)
        for sizes in [(1,), (2,), ()]
    ],
    sample("_npi_insert_scalar", rand(2, 3), rand(4), int_ind=1, axis=1, raises=True),
    *[
        sample("_npi_insert_scalar", ints(3, dtype=t), val=9.7, int_ind=1, gradient=False)
        for t in DTYPES
    ],
    sample(
        "_npi_insert_scalar", ints(3), values([9.7, 3.2]), int_ind=1, gradient=False, numeric=False
    ),
    sample("_npi_insert_scalar", rand(), val=9.7, int_ind=0, gradient=False),
    sample("_npi_insert_scalar", rand(0), val=9.7, int_ind=0, gradient=False),
    sample("_npi_insert_scalar", rand(3), val=9, raises=True, oracle=False, why="it crashes"),
    *[
        sample("_npi_insert_slice", rand(4), rand(n), start=a, stop=b, step=step, gradient=False)
        for n, a, b, step in [
            (2, 0, 4, 2),
            (2, 3, None, -2),
            (1, 1, 3, 1),
            (3, 1, 2, 1),
            (2, None, None, 2),
            (2, -2, None, 1),
        ]
    ],
    sample("_npi_insert_slice", rand(4), rand(3), start=1, stop=3, step=1, raises=True),
    *[
        sample(
            "_npi_insert_slice",
            rand(2, 3),
            rand(*sizes),
            start=1,
            stop=3,
            step=1,
            axis=1,
            gradient=False,
        )
        for sizes in [(2,), (2, 1), (2, 2)]
    ],
    sample(
        "_npi_insert_slice", rand(4), val=9, start=0, stop=4, step=2, oracle=False, why=WRONG_TYPE
    ),
    *[
        sample("_npi_insert_tensor", rand(4), rand(n), values(obj, "int64"), gradient=False)
        for n, obj in [
            (2, [1, 3]),
            (2, [1, 1]),
            (2, [3, 1]),
            (2, [-1, 0]),
            (2, [4, 0]),
            (2, [1]),
            (1, [1, 2]),
            (2, 2),
            (0, []),
        ]
    ],
    *[
        sample(
            "_npi_insert_tensor",
            rand(2, 3),
            rand(*sizes),
            values(obj, "int64"),
            axis=axis,
            gradient=False,
        )
        for axis, sizes, obj in [
            (1, (2,), [1, 3]),
            (1, (2, 1), [1, 3]),
            (1, (2, 2), [3, 1]),
            (1, (2, 2), [1]),
            (0, (3,), 1),
        ]
    ],
    sample(
        "_npi_insert_tensor",
        rand(2, 3),
        rand(2),
        values(1, "int64"),
        axis=1,
        oracle=False,
        why=GARBAGE,
    ),
    sample(
        "_npi_insert_tensor",
        rand(4),
        rand(2),
        values([5, 0], "int64"),
        raises=True,
        oracle=False,
        why=GARBAGE,
    ),
    *[
        sample("_npi_insert_tensor", rand(4), rand(n), values(obj, dtype), raises=True)
        for n, obj, dtype in [
            (3, [1, 2], "int64"),
            (2, [1, 3], "int32"),
            (2, [1, 3], "float32"),
            (2, [[1, 3]], "int64"),
        ]
    ],
]

MODES = ("constant", "edge", "reflect", "symmetric", "maximum", "minimum")

PAD = [
    *[
        sample("_npi_pad", rand(2, 3), pad_width=width, mode=mode, gradient=mode == "constant")
        for mode in MODES
        for width in [((1, 2), (2, 1)), ((0, 0), (1, 0)), ((0, 0), (0, 0))]
    ],
    *[sample("_npi_pad", rand(3), pad_width=(2, 1), mode=m, gradient=False) for m in MODES],
    sample("_npi_pad", rand(2, 2), pad_width="((1, 0), (0, 1))", constant_value=9),
    *[
        sample("_npi_pad", ints(2, 2, dtype=t), pad_width=((1, 0), (0, 1)), mode=m, gradient=False)
        for m in ("constant", "edge")
        for t in DTYPES
    ],
    sample("_npi_pad", rand(2, 1, 2, 1), pad_width=((1, 0), (0, 1)) * 2),
    sample("_npi_pad", rand(0, 2), pad_width=((1, 1), (0, 0))),
    sample("_npi_pad", rand(2, 3), pad_width=((1, 2),), raises=True),
    sample(
        "_npi_pad",
        rand(2, 3),
        pad_width=((-1, 2), (0, 0)),
        raises=True,
        oracle=False,
        why="the original reads outside of its memory",
    ),
    *[
        sample(
            "_npi_pad",
            rand(3, 2),
            pad_width=((1, 2), (2, 1)),
            mode=mode,
            oracle=False,
            why="the original has no gradient of it",
        )
        for mode in MODES[1:]
    ],
    sample("_npi_pad", rand(2, 3), pad_width=((1, 2), (0, 0)), mode="wrap", raises=True),
    sample("_npi_pad", rand(2, 3), raises=True),
]

DIAGONALS = [
    *[sample("_npi_tril", rand(3, 3), k=k) for k in (0, 1, -1, 9, -9)],
    *[sample("_npi_tril", rand(*sizes)) for sizes in [(2, 2, 3), (3,), (3, 2)]],
    sample("_npi_tril", rand(0, 2)),
    sample("_npi_tril", rand(), raises=True),
    *[sample("_npi_tril", ints(2, 2, dtype=dtype)) for dtype in DTYPES],
    sample("_npi_tril", rand(2, 2, dtype="bool"), oracle=False, why=NO_BOOL),
    *[sample("_np_diag", rand(3), k=k) for k in (0, 1, -2)],
    *[sample("_np_diag", rand(2, 3), k=k) for k in (0, 1, -1)],
    *[sample("_np_diag", rand(2, 3), k=k, numeric=False) for k in (3, -2, 5)],
    *[sample("_np_diag", rand(0), k=k, numeric=False) for k in (0, 2)],
    sample("_np_diag", rand(0, 2)),
    *[sample("_np_diag", rand(*sizes), raises=True) for sizes in [(), (2, 2, 2)]],
    *[sample("_np_diag", ints(2, 2, dtype=dtype)) for dtype in DTYPES],
    *[sample("_np_diagflat", rand(*sizes), k=k) for sizes in [(2,), (2, 2)] for k in (0, 1, -1)],
    *[sample("_np_diagflat", rand(0), k=k) for k in (0, 1)],
    sample("_np_diagflat", rand(), oracle=False, why="the original has no diagonal of a scalar"),
    *[sample("_np_diagflat", ints(2, dtype=dtype)) for dtype in DTYPES],
    *[sample("_np_diagonal", rand(2, 3), offset=k) for k in (0, 1, -1)],
    *[sample("_np_diagonal", rand(2, 3), offset=k, numeric=False) for k in (7, -7)],
    *[
        sample("_np_diagonal", rand(2, 2, 3), axis1=first, axis2=second)
        for first, second in [(0, 1), (1, 2), (-1, 0)]
    ],
    sample("_np_diagonal", rand(0, 2)),
    *[
        sample("_np_diagonal", rand(2, 2, 3), axis1=0, axis2=second, raises=True)
        for second in (0, 3, -3)
    ],
    *[sample("_np_diagonal", rand(*sizes), raises=True) for sizes in [(), (3,)]],
    *[sample("_np_diagonal", ints(2, 2, dtype=dtype)) for dtype in DTYPES],
    *[sample("_np_trace", rand(2, 3), offset=k) for k in (0, 1, -1)],
    sample("_np_trace", rand(2, 3), offset=7, numeric=False),
    *[
        sample("_np_trace", rand(2, 2, 3), axis1=first, axis2=second)
        for first, second in [(0, 1), (1, 2), (-1, 0)]
    ],
    *[sample("_np_trace", rand(*sizes), numeric=False) for sizes in [(0, 2), (0, 2, 2), (2, 2, 0)]],
    *[
        sample("_np_trace", rand(2, 2, 3), axis1=0, axis2=second, raises=True)
        for second in (0, 5, -3)
    ],
    sample("_np_trace", rand(3), raises=True),
    *[sample("_np_trace", ints(2, 2, dtype=dtype)) for dtype in DTYPES],
    sample("_np_trace", values([[100, 0], [0, 100]], "int8")),
]

EXTREMES = [sample("_npi_sort", values([inf, -inf, 0.0]), gradient=False)]

SAMPLES = [*SORT, *DELETE, *INSERT, *PAD, *DIAGONALS, *EXTREMES]
