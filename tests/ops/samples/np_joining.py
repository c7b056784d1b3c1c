"""Joining and splitting in the NumPy dialect."""

from .core import ints, rand, sample

NO_BOOL = "the original has no such function of bool"
DTYPES = ("float16", "float64", "int8", "uint8", "int32", "int64")


def pair_of_every_dtype(op, *, of_bool=True, **attrs):
    """A row for each dtype; the original may have no bool."""
    mask = {} if of_bool else {"oracle": False, "why": NO_BOOL}
    vectors = [ints(2, dtype=dtype) for dtype in DTYPES]
    return [
        *[sample(op, vector, vector, gradient=False, num_args=2, **attrs) for vector in vectors],
        sample(op, *[rand(2, dtype="bool")] * 2, num_args=2, gradient=False, **mask, **attrs),
    ]


JOIN = [
    *[
        sample("_npi_concatenate", *[rand(*s) for s in shapes], num_args=len(shapes), axis=axis)
        for axis, *shapes in [
            (0, (2, 3), (1, 3)),
            (-1, (2, 3), (2, 1)),
            (1, (2, 1, 2), (2, 2, 2), (2, 1, 2)),
            (None, (2, 1), (2, 2)),
            (None, (), (2,)),
            (0, (3,)),
        ]
    ],
    sample("_npi_concatenate", rand(2), rand(1), num_args=2),
    sample("_npi_concatenate", rand(0, 3), rand(2, 3), num_args=2, numeric=False),
    sample("_npi_concatenate", rand(2, 3), rand(2, 1), num_args=2, axis=0, raises=True),
    sample("_npi_concatenate", rand(2, 3), rand(2, 3), num_args=2, axis=2, raises=True),
    sample("_npi_concatenate", rand(), rand(), num_args=2, axis=0, raises=True),
    sample("_npi_concatenate", rand(2, 3), rand(0), num_args=2, axis=0, raises=True),
    *pair_of_every_dtype("_npi_concatenate", axis=0),
    *[
        sample("_npi_stack", rand(2, 3), rand(2, 3), num_args=2, axis=axis)
        for axis in (0, 1, 2, -1, -3)
    ],
    *[
        sample("_npi_stack", rand(2, 3), rand(2, 3), num_args=2, axis=axis, raises=True)
        for axis in (3, -4)
    ],
    sample("_npi_stack", rand(), rand(), num_args=2),
    sample("_npi_stack", rand(0), rand(0), num_args=2),
    sample("_npi_stack", rand(2), rand(3), num_args=2, raises=True),
    *pair_of_every_dtype("_npi_stack"),
    sample("_npi_vstack", rand(2), rand(2), num_args=2),
    sample("_npi_vstack", rand(), rand(), num_args=2),
    sample("_npi_vstack", rand(2), rand(3, 2), rand(2), num_args=3),
    sample("_npi_vstack", rand(2, 3, 1), rand(1, 3, 1), num_args=2),
    sample("_npi_vstack", rand(0, 2), rand(2), num_args=2, numeric=False),
    sample("_npi_vstack", rand(2), rand(3), num_args=2, raises=True),
    *pair_of_every_dtype("_npi_vstack", of_bool=False),
    sample("_npi_hstack", rand(2), rand(3), num_args=2),
    sample("_npi_hstack", rand(), rand(2), num_args=2),
    sample("_npi_hstack", rand(), rand(), num_args=2),
    sample("_npi_hstack", rand(2, 1), rand(2, 3), num_args=2),
    sample("_npi_hstack", rand(2, 1, 2), rand(2, 3, 2), num_args=2),
    sample("_npi_hstack", rand(0), rand(2), num_args=2),
    sample("_npi_hstack", rand(2, 1), rand(3, 1), num_args=2, raises=True),
    *pair_of_every_dtype("_npi_hstack", of_bool=False),
    sample("_npi_dstack", rand(2), rand(2), num_args=2),
    sample("_npi_dstack", rand(), rand(), num_args=2),
    sample("_npi_dstack", rand(2, 3), rand(2, 3), num_args=2),
    sample("_npi_dstack", rand(2, 3), rand(2, 3, 2), num_args=2),
    sample("_npi_dstack", rand(2, 0), rand(2, 0), num_args=2),
    sample("_npi_dstack", rand(2), rand(3), num_args=2, raises=True),
    *pair_of_every_dtype("_npi_dstack", of_bool=False),
    sample("_npi_column_stack", rand(2), rand(2), num_args=2),
    sample("_npi_column_stack", rand(2), rand(2, 2), num_args=2),
    sample("_npi_column_stack", rand(), rand(), num_args=2),
    sample("_npi_column_stack", rand(2, 3, 1), rand(2, 1, 1), num_args=2),
    sample("_npi_column_stack", rand(0), rand(0), num_args=2),
    sample("_npi_column_stack", rand(2), rand(3), num_args=2, raises=True),
    *pair_of_every_dtype("_npi_column_stack", of_bool=False),
]

SPLIT = [
    sample("_npi_split", rand(6), indices=(0, 2), axis=0),
    sample("_npi_split", rand(2, 6), indices=(0, 3, 3, 5), axis=1),
    *[sample("_npi_split", rand(7), indices=(), axis=0, sections=n) for n in (1, 3, 7, 9)],
    sample("_npi_split", rand(2, 0), indices=(), axis=1, sections=2),
    sample("_npi_split", rand(0, 2), indices=(), axis=1, sections=2),
    *[
        sample("_npi_split", rand(2, 6), indices=indices, axis=1, raises=True)
        for indices in [(0, 5, 3), (0, 8), (0, -2), (1, 3)]
    ],
    sample("_npi_split", rand(), indices=(), axis=0, sections=2, raises=True),
    *[
        sample("_npi_hsplit", rand(*sizes), indices=indices, axis=1)
        for sizes in [(6,), (2, 6), (2, 6, 2)]
        for indices in [(0, 2), (0, 2, 4), (0,)]
    ],
    *[
        sample("_npi_hsplit", rand(2, 7), indices=(), axis=1, sections=sections)
        for sections in (1, 3, 7)
    ],
    sample("_npi_hsplit", rand(6), indices=[], axis=1, sections=4),
    sample("_npi_hsplit", rand(2, 0), indices=(), axis=1, sections=2),
    sample("_npi_hsplit", rand(2, 6), indices=(2, 4), axis=1, raises=True),
    sample("_npi_hsplit", rand(), indices=(), axis=1, sections=1, raises=True),
    *[
        sample("_npi_dsplit", rand(2, 3, 4), indices=indices, axis=2)
        for indices in [(0, 2), (0, 1, 3), (0,)]
    ],
    sample("_npi_dsplit", rand(2, 3, 4), indices=[], axis=2, sections=2),
    sample("_npi_dsplit", rand(0, 3, 4), indices=(), axis=2, sections=2),
    sample("_npi_dsplit", rand(2, 3), indices=(), axis=2, sections=1, raises=True),
    *[
        sample(op, ints(1, 2, 4, dtype=dtype), indices=(), axis=axis, sections=2)
        for op, axis in [("_npi_split", 2), ("_npi_hsplit", 1), ("_npi_dsplit", 2)]
        for dtype in ("float64", "float16", "int8", "int64")
    ],
]

SAMPLES = [*JOIN, *SPLIT]
