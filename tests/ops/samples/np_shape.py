"""Reshaping, permuting, repeating and broadcasting in the NumPy dialect."""

from .core import ints, rand, sample, values

NO_BOOL = "the original has no such function of bool"
READS_OUTSIDE = "the original reads outside of its memory"
TURNS_BACK_WRONG = "the original rotates the gradient by a wrong angle"
DTYPES = ("float16", "float64", "int8", "uint8", "int32", "int64")


def every_dtype(op, sizes, *, of_bool=True, **attrs):
    """A row for each dtype; the original may have no bool."""
    mask = {} if of_bool else {"oracle": False, "why": NO_BOOL}
    return [
        *[sample(op, ints(*sizes, dtype=dtype), gradient=False, **attrs) for dtype in DTYPES],
        sample(op, rand(*sizes, dtype="bool"), gradient=False, **mask, **attrs),
    ]


RESHAPE = [
    *[
        sample("_np_reshape", rand(2, 3, 4), newshape=s)
        for s in [(-1,), 24, (6, 4), (2, -1), (4, -1, 2, 1), "(8, 3)", [3, 8], (1, 24, -1)]
    ],
    *[
        sample("_np_reshape", rand(2, 3, 4), newshape=s, raises=True)
        for s in [(0, -1), (-2, -1), (-1, -1), (5, -1), (5, 5), (), (-4,), "abc"]
    ],
    sample("_np_reshape", rand(2, 3), raises=True),
    *[sample("_np_reshape", rand(2, 3), newshape=(3, 2), order=order) for order in "CFA"],
    *[sample("_np_reshape", rand(0, 3), newshape=s) for s in [(-1,), (4, 0), (-1, 3)]],
    *[sample("_np_reshape", rand(0, 3), newshape=s, raises=True) for s in [(0, -1), (2,)]],
    *[sample("_np_reshape", rand(1, 1), newshape=s) for s in [(), (1,), (-1,)]],
    *[sample("_np_reshape", rand(), newshape=s) for s in [(), (1, 1), (-1,)]],
    sample("_np_reshape", rand(2), newshape=(), raises=True),
    *every_dtype("_np_reshape", (2, 3), newshape=(3, -1)),
]

CODES = [
    (-1, 4), (-2, -1), (-2, -2, -2, -1), (-4,), (-1, -4), (-5, -4), (-5, -1), (-6, 1, 2, -4),
    (-6, -1, 2, -4), (-6, 1, -1, -4), (-2, -6, 1, -1, -4), (-1, -2, -2), (-4, -4), (24,), (-2, -5),
    (-1, -5), (-4, -1),
]  # fmt: skip
REVERSED = [(-1, -2), (-1, -5), (-4, -1), (-4, -5), (-2, -2, 2, 2, -6), (6, 4), (-4,)]
BAD_CODES = [
    (-2, -3, -2), (1, -4), (-5, -5), (-6, -1, -1, -4), (-6, 2), (-6, 3, 3, -4), (-7,),
    (0, 4), (4, 5), (-2, -2, -2, -2), (-2, -2, -5), (-2, -2, -2, -6, 1, 2), (), (-1, -1),
]  # fmt: skip
BAD_REVERSED = [(-5, -4), (-2, -2, -6, 2, 2), (-2, -2, -6, -1, 2)]

CODED = [
    *[sample("_npx_reshape", rand(2, 3, 4), newshape=s) for s in CODES],
    *[sample("_npx_reshape", rand(2, 3, 4), newshape=s, reverse=True) for s in REVERSED],
    *[sample("_npx_reshape", rand(2, 3, 4), newshape=s, raises=True) for s in BAD_CODES],
    *[
        sample("_npx_reshape", rand(2, 3, 4), newshape=s, reverse=True, raises=True)
        for s in BAD_REVERSED
    ],
    *[
        sample("_npx_reshape", rand(0, 3, 4), newshape=s)
        for s in [(-1, -2), (-1, -5), (-1, 4), (0, 4), (-6, 0, 4, -4), (-6, -1, 4, -4)]
    ],
    *[sample("_npx_reshape", rand(0, 3, 4), newshape=s, raises=True) for s in [(-2, -1), (0, -1)]],
    *[sample("_npx_reshape", rand(), newshape=s) for s in [(), (1, 1), (-4, 1), (-4,), (-1,)]],
    sample("_npx_reshape", rand(1, 1), newshape=()),
    sample("_npx_reshape", rand(2, 1, 4), newshape=(-2, -3, -2)),
    sample("_npx_reshape", rand(1, 2, 1), newshape=(-3, -1, -3)),
    sample("_npx_reshape", rand(1, 2, 3), newshape=(-3, -4)),
    sample("_npx_reshape", rand(8, 3, 3, 1, 2, 2), newshape=(-6, 2, -1, -4)),
    *every_dtype("_npx_reshape", (2, 3), newshape=(-5, 1)),
    sample("_npi_reshape", rand(2, 3), newshape=(-2, 1, -1)),
]

TRANSPOSE = [
    sample("_np_transpose", rand(2, 3, 4)),
    *[
        sample("_np_transpose", rand(2, 3, 4), axes=axes)
        for axes in [(0, 2, 1), (0, -1, 1), (-1, -2, -3), None, "(2, 0, 1)"]
    ],
    *[
        sample("_np_transpose", rand(2, 3, 4), axes=axes, raises=True)
        for axes in [(0, 1), (0, 1, 1), (0, 1, 5), ()]
    ],
    sample("_np_transpose", rand()),
    sample("_np_transpose", rand(), axes=()),
    sample("_np_transpose", rand(0, 3)),
    *every_dtype("_np_transpose", (2, 3), of_bool=False),
    sample("_npi_swapaxes", rand(2, 3, 1), dim1=0, dim2=-1),
    sample("_npi_swapaxes", rand(2, 3, 1), dim1=1, dim2=1),
    sample("_npi_swapaxes", rand(0, 3), dim1=0, dim2=1),
    sample("_npi_swapaxes", rand(2, 3), dim1=0, dim2=3, raises=True),
    *[
        sample("_np_moveaxis", rand(2, 3, 4), source=source, destination=destination)
        for source, destination in [(0, -1), ((0, 1), (-1, -2)), ((2, 0), (0, 1)), ((), ())]
    ],
    *[
        sample("_np_moveaxis", rand(2, 3, 4), source=source, destination=destination, raises=True)
        for source, destination in [((0, 1), -1), ((0, 0), (0, 1)), (3, 1)]
    ],
    sample(
        "_np_moveaxis",
        rand(2, 3),
        source=-4,
        destination=1,
        raises=True,
        oracle=False,
        why=READS_OUTSIDE,
    ),
    sample("_np_moveaxis", rand(), source=(), destination=()),
    sample("_np_moveaxis", rand(0, 3), source=0, destination=1),
    *every_dtype("_np_moveaxis", (2, 3), of_bool=False, source=0, destination=1),
]

SQUEEZE = [
    sample("_np_squeeze", rand(1, 3, 1)),
    *[
        sample("_np_squeeze", rand(1, 3, 1), axis=axis)
        for axis in [0, -1, (0, 2), (0, 0), (0, -3), (), None]
    ],
    *[sample("_np_squeeze", rand(1, 3, 1), axis=axis, raises=True) for axis in [1, 3, (0, 1)]],
    sample("_np_squeeze", rand(1, 1)),
    sample("_np_squeeze", rand()),
    sample("_np_squeeze", rand(), axis=0),
    sample("_np_squeeze", rand(1, 0)),
    *every_dtype("_np_squeeze", (1, 3)),
    *[sample("_npi_expand_dims", rand(2, 3), axis=axis) for axis in (0, 1, 2, -1, -3)],
    *[sample("_npi_expand_dims", rand(2, 3), axis=axis, raises=True) for axis in (3, -4)],
    sample("_npi_expand_dims", rand(), axis=0),
    sample("_npi_expand_dims", rand(0), axis=0),
    sample("_npi_expand_dims", rand(2, dtype="bool"), axis=-1),
]

ROLL = [
    *[sample("_np_roll", rand(2, 3), shift=shift) for shift in (2, -1, 7, 0)],
    *[
        sample("_np_roll", rand(2, 3), shift=shift, axis=axis)
        for shift, axis in [
            (-1, 1),
            ((1, 1), (0, 1)),
            ((1, -2), (1, 0)),
            (1, (0, 1)),
            (7, -1),
            ((1,), (-1, 0)),
        ]
    ],
    *[
        sample("_np_roll", rand(2, 3), shift=shift, axis=axis, raises=True)
        for shift, axis in [((1, 2), 0), ((1, 2), None), ((1, 2), (1, 1)), (7, 2), (None, 0)]
    ],
    sample("_np_roll", rand(), shift=7),
    sample("_np_roll", rand(0, 3), shift=1),
    sample("_np_roll", rand(0, 3), shift=1, axis=0),
    *every_dtype("_np_roll", (2, 3), of_bool=False, shift=1),
    sample("_npi_rot90", rand(2, 3), raises=True),
    *[
        sample("_npi_rot90", rand(2, 3), k=k, axes=axes)
        for k, axes in [(2, (0, 1)), (-2, (1, 0)), (4, (0, 1)), (0, (0, 1))]
    ],
    *[
        sample("_npi_rot90", rand(2, 3), k=k, axes=axes, gradient=False)
        for k, axes in [(1, (0, 1)), (-1, (0, 1)), (5, (1, 0)), (3, (0, 1))]
    ],
    sample("_npi_rot90", rand(2, 3, 2), k=1, axes=(0, -1), gradient=False),
    sample("_npi_rot90", rand(3, 2), k=3, axes=(0, 1), oracle=False, why=TURNS_BACK_WRONG),
    *[
        sample("_npi_rot90", rand(2, 3, 2), axes=axes, raises=True)
        for axes in [(0, 0), (0, 3), (0, 1, 2), (0, -3)]
    ],
    sample("_npi_rot90", rand(3), axes=(0, 1), raises=True),
    sample("_npi_rot90", rand(0, 3), axes=(0, 1)),
    *every_dtype("_npi_rot90", (2, 3), of_bool=False, axes=(0, 1)),
    *[sample("_npi_flip", rand(2, 3), axis=axis) for axis in [0, 1, (0, 1), (0, 0), ()]],
    *[
        sample("_npi_flip", rand(2, 3), axis=axis, oracle=False, why="the original refuses it")
        for axis in (-1, None)
    ],
    sample("_npi_flip", rand(2, 3), axis=2, raises=True),
    sample("_npi_flip", rand(), axis=()),
    sample("_npi_flip", rand(0, 2), axis=0),
    *every_dtype("_npi_flip", (2, 3), of_bool=False, axis=1),
]

ATLEAST = [
    row
    for n in (1, 2, 3)
    for row in (
        sample(f"_np_atleast_{n}d", rand(), num_args=1),
        sample(f"_np_atleast_{n}d", rand(), rand(2), rand(2, 3), rand(2, 3, 1), num_args=4),
        sample(f"_np_atleast_{n}d", rand(0), rand(2, 0), num_args=2),
        sample(f"_np_atleast_{n}d", rand(1, 2, 1, 2), num_args=1),
        *[sample(f"_np_atleast_{n}d", ints(2, dtype=d), num_args=1) for d in ("int8", "int64")],
        sample(f"_np_atleast_{n}d", rand(2, dtype="bool"), num_args=1),
    )
]

REPEAT = [
    sample("_np_copy", rand(2, 3)),
    sample("_np_copy", rand()),
    sample("_np_copy", rand(0)),
    *every_dtype("_np_copy", (2, 3)),
    *[
        sample("_np_repeat", rand(2, 3), repeats=repeats, axis=axis)
        for repeats, axis in [(2, None), (2, -1), (3, 0), (0, None), (0, 1), (1, 1)]
    ],
    sample("_np_repeat", rand(2, 3), repeats=-1, axis=1, raises=True),
    sample("_np_repeat", rand(2, 3), repeats=1, axis=2, raises=True),
    sample("_np_repeat", rand(2, 3), repeats=[1, 2], raises=True),
    sample("_np_repeat", rand(), repeats=3),
    *[
        sample("_np_repeat", rand(0, 2), repeats=3, axis=axis, gradient=False)
        for axis in (None, 0, 1)
    ],
    sample("_np_repeat", rand(2, dtype="bool"), repeats=3),
    *[
        sample("_npi_tile", rand(2, 3), reps=reps)
        for reps in [(2,), (2, 1, 1), (), 0, (0,), (2, 0), (1, 2)]
    ],
    sample("_npi_tile", rand(2, 3), reps=(-1,), raises=True),
    *[sample("_npi_tile", rand(), reps=reps) for reps in [(2,), ()]],
    sample("_npi_tile", rand(0, 2), reps=(2, 2)),
    sample("_npi_tile", rand(2, dtype="bool"), reps=2),
]

BROADCAST = [
    *[
        sample("_npi_broadcast_to", rand(*sizes), shape=shape)
        for sizes, shape in [
            ((3,), (2, 3)),
            ((1, 3), (2, 3)),
            ((2, 1), (2, 0)),
            ((2, 1), (0, 2, 1)),
            ((), (0, 2)),
            ((), ()),
            ((), (2, 2)),
            ((2, 1), (-2, 3)),
            ((2, 1), (3, -2, 3)),
            ((2, 1), (2, 2, 3)),
            ((0, 2), (3, 0, 2)),
        ]
    ],
    *[
        sample("_npi_broadcast_to", rand(*sizes), shape=shape, raises=True)
        for sizes, shape in [
            ((2, 3), (3,)),
            ((2, 3), (2, 0)),
            ((1,), ()),
            ((2, 1), (-1, 3)),
            ((3,), (4,)),
        ]
    ],
    *every_dtype("_npi_broadcast_to", (3,), shape=(2, 3)),
    sample("_npi_broadcast_to", values([1, 2], "float64"), shape=(1, 2)),
]

SAMPLES = [*RESHAPE, *CODED, *TRANSPOSE, *SQUEEZE, *ROLL, *ATLEAST, *REPEAT, *BROADCAST]
