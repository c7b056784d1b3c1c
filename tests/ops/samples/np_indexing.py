"""Reading, choosing and replacing elements in the NumPy dialect."""

from .core import ints, rand, sample, values

DTYPES = ("float16", "float64", "int8", "uint8", "int32", "int64")
IN_PLACE = "the original writes into the array itself alone, by `out`"
READS_OUTSIDE = "the original reads outside of its memory"
OTHER_GRADIENT = "the original has the gradient of the elements that are not picked"
CANNOT_RECORD = "the original cannot record an empty slice"
NO_BOOL = "the original has no such function of bool"
MASK = values([True, False, True], "bool")
GRID = values([[True, False], [False, True], [True, True]], "bool")

WHERE = [
    sample("_npi_where", values([True, False], "bool"), rand(2), rand(2)),
    *[
        sample("_npi_where", ints(2, 1, high=2, dtype=dtype), rand(3), rand(1))
        for dtype in ("float32", "float16", "int8", "int64", "bool")
    ],
    sample("_npi_where", values([[1], [0]], "int32"), rand(2, 2), rand()),
    sample("_npi_where", values(1, "int32"), rand(), rand()),
    sample("_npi_where", rand(0, dtype="bool"), rand(1), rand(0), oracle=False, why=READS_OUTSIDE),
    *[
        sample("_npi_where", values([1, 0], "int32"), ints(2, dtype=t), ints(2, dtype=t))
        for t in DTYPES
    ],
    sample("_npi_where", values([1, 0], "int32"), rand(2, dtype="bool"), rand(2, dtype="bool")),
    sample("_npi_where", values([1, 0, 1], "int32"), rand(2), rand(2), raises=True),
    *[
        row
        for op in ("_npi_where_lscalar", "_npi_where_rscalar")
        for row in (
            sample(op, values([[1], [0]], "int32"), rand(2), scalar=5.7, gradient=False),
            sample(op, values([True, False], "bool"), rand(2), gradient=False),
            sample(op, values([[1], [0]], "int8"), rand(2), oracle=False, why=OTHER_GRADIENT),
            sample(op, values(0, "int32"), rand(), scalar=2, gradient=False),
            sample(op, rand(0, dtype="bool"), rand(0), scalar=2),
            *[
                sample(op, values([1, 0]), ints(2, dtype=t), scalar=5.7, gradient=False)
                for t in DTYPES
            ],
            sample(op, values([1, 0]), rand(2, dtype="bool"), scalar=5.7),
            sample(op, values([1, 0, 1]), rand(2), scalar=1, raises=True),
        )
    ],
    *[
        sample("_npi_where_scalar2", condition, x=1.5, y=-2)
        for condition in (
            values([1, 0]),
            values([1, 0, 3], "int32"),
            values([[True], [False]], "bool"),
            values(1),
            rand(0, 2),
        )
    ],
    sample("_npi_where_scalar2", values([1, 0])),
]

NONZERO = [
    *[
        sample("_npx_nonzero", array)
        for array in (
            values([[0, 1, 2], [3, 0, -1]]),
            values([0, 0]),
            values(0),
            values(2.5),
            rand(0, 2),
            values([[True, False], [False, True]], "bool"),
            values([[[0, 3]], [[1, 0]]], "int8"),
        )
    ],
    *[sample("_npx_nonzero", values([0, 2, 1], dtype)) for dtype in DTYPES],
    sample("_npi_nonzero", values([0, 2])),
]

MASKS = [
    sample("_npi_boolean_mask", rand(3, 2), MASK),
    sample("_npi_boolean_mask", rand(3, 2), values([1, 0, 1])),
    sample("_npi_boolean_mask", rand(3, 2), values([0, 0, 0]), numeric=False),
    sample("_npi_boolean_mask", rand(3, dtype="bool"), MASK),
    sample("_npi_boolean_mask", rand(3, 2), values([1, 0]), raises=True),
    sample("_npi_boolean_mask", rand(0, 2), rand(0), oracle=False, why=READS_OUTSIDE),
    *[
        sample(
            "_npi_boolean_mask_assign_scalar",
            rand(3, 2),
            mask,
            value=7.9,
            start_axis=start,
            oracle=False,
            why=IN_PLACE,
        )
        for mask, start in [
            (MASK, 0),
            (GRID, 0),
            (values([1, 0]), 1),
            (values([0, 0, 0], "int32"), 0),
            (values(True, "bool"), 0),
        ]
    ],
    *[
        sample(
            "_npi_boolean_mask_assign_scalar",
            ints(3, dtype=dtype),
            MASK,
            value=7.9,
            oracle=False,
            why=IN_PLACE,
        )
        for dtype in (*DTYPES, "bool")
    ],
    sample(
        "_npi_boolean_mask_assign_scalar",
        rand(0, 2),
        rand(0, dtype="bool"),
        value=7,
        oracle=False,
        why=IN_PLACE,
    ),
    sample("_npi_boolean_mask_assign_scalar", rand(3, 2), values([1, 0]), value=7, raises=True),
    *[
        sample(
            "_npi_boolean_mask_assign_tensor",
            rand(3, 2),
            mask,
            rand(*sizes),
            start_axis=start,
            oracle=False,
            why=IN_PLACE,
        )
        for mask, start, sizes in [
            (MASK, 0, (2, 2)),
            (MASK, 0, (2,)),
            (MASK, 0, (1, 2)),
            (MASK, 0, ()),
            (GRID, 0, (4,)),
            (GRID, 0, (1,)),
            (values([1, 0]), 1, (3, 1)),
            (values([1, 1]), 1, (3, 2)),
        ]
    ],
    *[
        sample("_npi_boolean_mask_assign_tensor", rand(3, 2), mask, rand(*sizes), raises=True)
        for mask, sizes in [(MASK, (3, 2)), (GRID, (3,)), (values([1, 0]), (2,))]
    ],
]

READ = [
    *[
        sample("_npi_gather_nd", rand(2, 3), values(index, "int32"))
        for index in [[[0, 1], [1, 2]], [[1, 0]]]
    ],
    sample("_npi_gather_nd", rand(2, 3), values([[-1], [1]], "int32"), gradient=False),
    sample("_npi_gather_nd", rand(2, 3), values([[], []], "int32"), numeric=False),
    sample("_npi_gather_nd", rand(2, 3, dtype="bool"), values([[0], [1]], "int64")),
    sample("_npi_gather_nd", rand(2, 3), values([[3], [1]], "int32"), raises=True),
    sample("_npi_gather_nd", rand(2, 3), values([0, 1], "int32"), raises=True),
    sample(
        "_npi_scatter_set_nd",
        rand(2, 3),
        rand(2),
        values([[0, 1], [1, 2]], "int32"),
        shape=(2, 3),
        oracle=False,
        why=IN_PLACE,
    ),
    *[
        sample("_npi_take", rand(3, 2), values([0, -1, 5]), axis=axis, mode=mode)
        for axis in (0, 1)
        for mode in ("clip", "wrap")
    ],
    sample("_npi_take", rand(3, 2), values([0, 2]), mode="raise"),
    sample("_npi_take", rand(3, 2), values(1, "int64"), mode="raise"),
    sample("_npi_take", rand(3, 2), rand(0), numeric=False),
    sample("_npi_take", rand(0, 2), rand(0), gradient=False),
    sample("_npi_take", rand(3, 2, dtype="bool"), values([0], "int32"), axis=-1, gradient=False),
    sample("_npi_take", rand(3, 2), values([0, -1]), mode="raise", raises=True),
    sample("_npi_take", rand(), values([0]), raises=True),
    sample("_npi_slice", rand(5), begin=(1,), end=(4,)),
    sample("_npi_slice", rand(5), begin=(4,), end=(1,), step=(-1,)),
    *[
        sample("_npi_slice", rand(5), begin=begin, end=end, oracle=False, why=CANNOT_RECORD)
        for begin, end in [(4, 1), (0, 0), (7, 9)]
    ],
    sample("_npi_slice", rand(0, 3), begin=(0, 1), end=(0, 2)),
    sample("_npi_slice", rand(5, dtype="bool"), begin=(1,), end=(3,)),
    sample("_npi_slice_assign", rand(5), rand(2), begin=(1,), end=(3,), gradient=False),
    sample("_npi_slice_assign", rand(5), rand(0), begin=(1,), end=(1,), gradient=False),
    sample("_npi_slice_assign", rand(5), rand(1), begin=(1,), end=(3,), raises=True),
    sample("_npi_slice_assign_scalar", rand(5), scalar=3, begin=(1,), end=(3,), gradient=False),
    sample("_npi_slice_assign_scalar", rand(5), scalar=3, begin=(3,), end=(3,), gradient=False),
    sample(
        "_npi_slice_assign_scalar",
        rand(5, dtype="bool"),
        scalar=3,
        begin=(1,),
        end=(3,),
        oracle=False,
        why=NO_BOOL,
    ),
]

SAMPLES = [*WHERE, *NONZERO, *MASKS, *READ]
