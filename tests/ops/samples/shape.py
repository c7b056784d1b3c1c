"""Reshaping, broadcasting, repeating, padding."""

from .core import ints, rand, sample, values

DTYPES = ("float64", "float16", "uint8", "int64")
EMPTY = "the original takes an empty array for one of unknown shape"
LOSES_MINUS_ONE = "the original puts the size for -1 at the wrong place after -2 and -4"
NOT_CHECKED = "for float32, int8 and uint8 the original changes the number of elements"
FLOATS = "the original implements floats only"
NO_MEANING = "the original gives an array that is not a permutation of the input"


def every_dtype(op, sizes, **attrs):
    """A row for each dtype."""
    return [sample(op, ints(*sizes, dtype=dtype), gradient=False, **attrs) for dtype in DTYPES]


CODES = [
    (6, 4), (24,), 24, "(6,4)", [4, 6], (-1,), (2, 12, 1), (2, 3, -1), (1, 24, -1), (8, -1, 3),
    (0, -1), (-1, 0), (0, 0, 0), (0, 0, 0, -1), (0, 0, 0, 1), (0, -1, -2), (2, -1, 0), (2, 0, 4),
    (-2,), (-2, 1), (-2, 1, 1), (2, -2), (0, -2), (-1, -2), (-2, -2),
    (-3, 0), (0, -3), (-3, -1), (-1, -3), (-3, 4), (-3, -2), (-3, 2, 2),
    (-4, 1, 2, -2), (-4, 2, -1, -2), (-4, -1, 2, -2), (-4, 1, -1, -2), (0, -4, -1, 3, 0),
    (0, -4, 3, -1, -2), (0, 0, -4, 2, 2), (0, 0, -4, -1, 2), (-3, -4, -1, 2), (-1, -4, 1, 3, 4),
    (-4, -1, 1, -4, -1, 1, -4, 2, 2),
]  # fmt: skip
REVERSED = [
    (6, 4), (-1,), (0, -1), (-1, 0), (-3, 0), (0, -3), (-3, -1), (-2,), (1, -2), (1, 1, -2),
    (-2, -3), (-2, -1), (-2, 4), (2, 3, -1), (8, -1, 3), (-2, -2),
    (-2, 2, -1, -4), (0, 0, 2, 2, -4), (0, 0, -1, 2, -4), (0, 1, 3, -4, 0),
]  # fmt: skip
BAD_CODES = [
    (7,), (5, -1), (0,), (0, 0), (-1, -1), (0, 0, 0, 0), (-2, -3), (-3, -3), (-5,), (-4, 2), (-4,),
    (-4, 3, 3, -2), (-4, -1, -1, -2), (-4, -1, 4, -2), (-4, 0, 2, -2), (-4, 2, 0, -2), (-4, 2, -1),
    (6, -3), (6, 0, 4), (1, -2), "abc", None,
]  # fmt: skip
BAD_REVERSED = [
    (-4, 1, 2, -2),
    (-3, -2),
    (0, -2),
    (0, 0, 0, 1),
    (-2, 1),
    (-1, -1),
    (-4, 2, 12),
    (7,),
]

RESHAPE = [
    *[sample("Reshape", rand(2, 3, 4), shape=s, gradient=False) for s in CODES],
    *[sample("Reshape", rand(2, 3, 4), shape=s, reverse=True, gradient=False) for s in REVERSED],
    *[sample("Reshape", ints(2, 3, 4), shape=s, raises=True) for s in BAD_CODES],
    *[sample("Reshape", ints(2, 3, 4), shape=s, reverse=True, raises=True) for s in BAD_REVERSED],
    *[
        sample("Reshape", rand(2, 3, 4), shape=s, oracle=False, why=LOSES_MINUS_ONE)
        for s in [(-2, -1), (-4, 1, 2, -1), (-4, 1, 2, -1, 4)]
    ],
    *[
        sample("Reshape", rand(2, 3, 4), shape=s, raises=True, oracle=False, why=NOT_CHECKED)
        for s in [(7,), (5, -1), (0,), (6, -3), (-4, 2, -1), (-2, -1, -3)]
    ],
    *every_dtype("Reshape", (2, 3), shape=(-1, 2)),
    sample("Reshape", rand(3, 2, 3), shape=(-3, 0)),
    sample("Reshape", rand(3, 2, 3), shape=(-1, 0), reverse="True"),
    sample("Reshape", rand(1), shape=(1, 1, 1)),
    sample("Reshape", rand(1), shape=(-4, 1, 1)),
    sample("Reshape", rand(1, 1), shape=(1,)),
    sample("Reshape", rand(4, 3, 1, 2, 2), shape=(-4, 2, -1, -3, -2)),
    sample("Reshape", rand(2, 3, 4, dtype="float64"), shape=(2, 3, 1, 1, 4, 1, 1, 1)),
    *[
        sample("Reshape", rand(0, 3), shape=s, oracle=False, why=EMPTY)
        for s in [
            (-1,),
            (-2,),
            (-3,),
            (0, 0),
            (-1, 0),
            (0, -1),
            (-4, 0, 4, -2),
            (-4, -1, 4, -2),
            (4, -1),
        ]
    ],
    sample("Reshape", rand(0, 3), shape=(0, 4, -1), raises=True, oracle=False, why=EMPTY),
    *[
        sample("Reshape", rand(2, 3, 4), target_shape=s)
        for s in [(6, 4), (0, 4), (2, 0, 3), (0,), "(4, 0)"]
    ],
    *[
        sample("Reshape", rand(2, 3, 4), target_shape=s, keep_highest=True)
        for s in [(7, 0), (0, 12), (0, 0), (0, 4, 3), (2, 0, 3)]
    ],
    sample("Reshape", rand(2, 3, 4), target_shape=(0, 4), shape=(4, 6)),
    sample("Reshape", rand(2, 3, 4), target_shape=(-1, 4), raises=True),
    sample("Reshape", ints(2, 3, 4), target_shape=(7, 7), raises=True),
    sample(
        "Reshape",
        ints(2, 3, 4),
        target_shape=(0, 0, 1),
        raises=True,
        oracle=False,
        why="gives an empty array",
    ),
    sample("Reshape", ints(2, 3, 4), keep_highest=True, raises=True),
    sample("Reshape", ints(2, 3, 4), raises=True),
]

AXES = [
    *[sample("Flatten", rand(*s)) for s in [(3,), (2, 3), (2, 3, 2), (2, 1, 2, 2)]],
    *every_dtype("Flatten", (2, 2, 1)),
    sample("Flatten", rand(0, 3, 2), oracle=False, why=EMPTY),
    *[
        sample("transpose", rand(*s))
        for s in [(4,), (2, 3), (2, 3, 4), (1, 2, 3, 1, 2), (1, 2, 3, 1, 2, 2)]
    ],
    *[
        sample("transpose", rand(2, 3, 4), axes=a)
        for a in [(0, 2, 1), (2, 0, 1), (), "(1, 0, 2)", [0, 1, 2]]
    ],
    sample("transpose", rand(2, 3, 2, 2), axes=(0, 2, 3, 1)),
    sample("transpose", rand(2), axes=0),
    *every_dtype("transpose", (2, 3)),
    sample("transpose", rand(0, 3), oracle=False, why=EMPTY),
    sample(
        "transpose",
        rand(1, 2, 1, 1, 2, 1, 3),
        oracle=False,
        why="the original transposes 6 axes at most",
    ),
    *[
        sample("transpose", rand(2, 3, 4), axes=a, raises=True)
        for a in [(0, 1), (0, 1, 3), (-1, 0, 1), (-4, 0, 1), (0, 1, 2, 3)]
    ],
    sample("transpose", rand(2, 3, 4), axes=(0, 1, 1), raises=True, oracle=False, why=NO_MEANING),
    *[sample("expand_dims", rand(2, 3), axis=a) for a in (0, 1, 2, -1, -2, -3, "1")],
    sample("expand_dims", rand(2), axis=1),
    *every_dtype("expand_dims", (2, 2), axis=1),
    *[sample("expand_dims", rand(2, 3), axis=a, raises=True) for a in (3, -4, (0, 1))],
    sample("expand_dims", rand(2, 3), raises=True),
    *[
        sample("squeeze", rand(1, 2, 1), axis=a)
        for a in (None, 0, -1, (0, 2), (-1, -3), (), "(0,2)", "None")
    ],
    *[sample("squeeze", rand(*s)) for s in [(1, 2, 1), (1, 1), (1,), (2, 3)]],
    sample("squeeze", rand(1), axis=0),
    sample("squeeze", rand(1, 1), axis=(0, 1)),
    *every_dtype("squeeze", (1, 2, 1), axis=0),
    *[sample("squeeze", rand(1, 2, 1), axis=a, raises=True) for a in (1, (0, 1), (0, 0), 3, -4)],
    *[
        sample("SwapAxis", rand(2, 3, 4), dim1=a, dim2=b)
        for a, b in [(0, 1), (0, 2), (-1, 0), (1, 1), (2, -2), ("2", "1")]
    ],
    sample("SwapAxis", rand(2, 3)),
    sample("SwapAxis", rand(2, 3, 4), dim2=2),
    sample("SwapAxis", rand(1, 2, 1, 2, 3), dim1=4, dim2=1),
    *every_dtype("SwapAxis", (2, 3), dim1=0, dim2=1),
    *[sample("SwapAxis", rand(2, 3, 4), dim1=a, dim2=b, raises=True) for a, b in [(0, 3), (-4, 0)]],
]

LIKE = [
    sample("reshape_like", rand(6), rand(2, 3)),
    sample("reshape_like", rand(6), ints(2, 3)),
    sample("reshape_like", ints(6, dtype="int64"), rand(3, 2)),
    sample("reshape_like", rand(6, dtype="float16"), rand(3, 2)),
    sample(
        "reshape_like",
        rand(5, 12),
        rand(4, 2, 2, 3),
        lhs_begin=-1,
        lhs_end=None,
        rhs_begin=1,
        rhs_end=None,
    ),
    sample(
        "reshape_like",
        rand(5, 12),
        rand(4, 2, 2, 3),
        lhs_begin=1,
        lhs_end=2,
        rhs_begin=1,
        rhs_end=4,
    ),
    sample(
        "reshape_like",
        rand(6, 7),
        rand(3, 2, 4),
        lhs_begin="0",
        lhs_end="1",
        rhs_begin="0",
        rhs_end="2",
    ),
    sample("reshape_like", rand(6, 5), rand(2, 3), lhs_begin=0, lhs_end=1),
    sample(
        "reshape_like", rand(6, 5), rand(2, 3, 5), lhs_begin=0, lhs_end=-1, rhs_begin=-3, rhs_end=-1
    ),
    sample("reshape_like", rand(6, 5), rand(2, 3, 5), lhs_end=1, rhs_end=2),
    sample("reshape_like", rand(6, 5), rand(2, 3, 5), lhs_begin=0, rhs_begin=0),
    sample("reshape_like", rand(6, 5), rand(2, 3, 5), rhs_begin="None", rhs_end=3),
    sample("reshape_like", rand(6, 5), rand(2, 3, 5), lhs_begin=1, rhs_begin=2),
    sample(
        "reshape_like", rand(6, 5), rand(1, 5, 3, 2), lhs_begin=0, lhs_end=1, rhs_begin=2, rhs_end=4
    ),
    sample("reshape_like", rand(6), rand(2, 4), raises=True),
    *[
        sample("reshape_like", rand(6, 5), rand(2, 3, 5), raises=True, **attrs)
        for attrs in [
            {"lhs_begin": 0, "lhs_end": 0, "rhs_begin": 0, "rhs_end": 0},
            {"lhs_begin": 0, "lhs_end": 3, "rhs_begin": 0, "rhs_end": 3},
            {"lhs_begin": 1, "lhs_end": 0, "rhs_begin": 1, "rhs_end": 0},
            {"lhs_begin": -5, "lhs_end": 1, "rhs_begin": 0, "rhs_end": 2},
            {"lhs_begin": 2, "lhs_end": 2, "rhs_begin": 0, "rhs_end": 1},
            {"lhs_begin": 1},
        ]
    ],
    sample("broadcast_like", rand(1, 3), rand(2, 3)),
    sample("broadcast_like", rand(3), rand(3)),
    sample("broadcast_like", rand(1, 3), ints(2, 3)),
    sample("broadcast_like", ints(1, 3, dtype="uint8"), rand(2, 3)),
    sample("broadcast_like", rand(1, 3, dtype="float16"), rand(2, 3)),
    sample("broadcast_like", rand(1, 3), rand(5, 4), lhs_axes=0, rhs_axes=1),
    sample("broadcast_like", rand(1), rand(4, 5), lhs_axes=(0,), rhs_axes=(-1,)),
    sample("broadcast_like", rand(1, 2, 1), rand(4, 5), lhs_axes="(0, 2)", rhs_axes="(1, 0)"),
    sample("broadcast_like", rand(1, 3), rand(5, 4), lhs_axes=(-2,), rhs_axes=(-1,)),
    sample("broadcast_like", rand(1, 3), rand(5, 3), lhs_axes=(0,)),
    sample("broadcast_like", rand(1, 3), rand(3), raises=True),
    sample("broadcast_like", rand(3), rand(2, 3), raises=True),
    sample("broadcast_like", rand(2, 3), rand(1, 3), raises=True),
    *[
        sample("broadcast_like", rand(1, 3), rand(5, 4), lhs_axes=a, rhs_axes=b, raises=True)
        for a, b in [
            ((1,), (0,)),
            ((0,), None),
            (None, (0,)),
            ((), ()),
            ((0, 1), (0,)),
            ((2,), (0,)),
            ((0,), (2,)),
            ((-3,), (0,)),
        ]
    ],
    sample("broadcast_like", rand(1, 3), rand(5, 3), lhs_axes=(1,), rhs_axes=(1,), raises=True),
]

BROADCAST = [
    *[
        sample("broadcast_to", rand(1, 3), shape=s)
        for s in [(2, 3), (1, 3), (0, 3), (2, 0), (0, 0), "(2, 3)"]
    ],
    sample("broadcast_to", rand(1), shape=5),
    sample("broadcast_to", rand(3), shape=(3,)),
    sample("broadcast_to", rand(1, 1, 2, 1, 1), shape=(2, 1, 2, 1, 2)),
    sample("broadcast_to", rand(1, 2, 1), shape=(2, 2, 3)),
    *every_dtype("broadcast_to", (1, 2), shape=(3, 2)),
    sample(
        "broadcast_to",
        rand(1, 2, 1, 3, 1, 2),
        shape=(2, 2, 2, 3, 2, 2),
        oracle=False,
        why="the original joins too few axes",
    ),
    *[
        sample("broadcast_to", rand(1, 3), shape=s, raises=True)
        for s in [(3,), (2, 1, 3), (2, 4), (-1, 3), (), 3]
    ],
    *[
        sample("broadcast_axis", rand(1, 2, 1), axis=a, size=s)
        for a, s in [(2, 3), ((0, 2), (2, 3)), ((2, 0), (2, 3)), (0, 1), ("(0,)", "(2,)"), ((), ())]
    ],
    sample("broadcast_axis", rand(1, 2, 1)),
    sample("broadcast_axis", rand(1), axis=0, size=4),
    *every_dtype("broadcast_axis", (2, 1), axis=1, size=3),
    sample("broadcast_axis", rand(2, 1, dtype="float16"), axis=1, size=2, rtol=1e-2, atol=1e-2),
    *[
        sample("broadcast_axis", rand(1, 2, 1), axis=a, size=s, raises=True)
        for a, s in [
            ((0, 2), (2,)),
            ((0,), (2, 3)),
            (1, 3),
            (1, 2),
            (-1, 3),
            (3, 2),
            ((0, 0), (2, 2)),
            (-4, 2),
            (0, -1),
        ]
    ],
]

BLOCKS = [
    sample("depth_to_space", rand(1, 4, 1, 1), block_size=2),
    sample("depth_to_space", rand(2, 8, 2, 3), block_size=2),
    sample("depth_to_space", rand(1, 9, 1, 2), block_size="3"),
    sample("depth_to_space", rand(1, 3, 1, 2), block_size=1),
    *every_dtype("depth_to_space", (1, 4, 2, 1), block_size=2),
    sample("depth_to_space", rand(0, 4, 1, 1), block_size=2, raises=True),
    sample("depth_to_space", rand(1, 4, 0, 1), block_size=1, raises=True),
    *[sample("depth_to_space", rand(1, 4, 1, 1), block_size=b, raises=True) for b in (0, -2, 3)],
    sample("depth_to_space", rand(4, 2, 2), block_size=2, raises=True),
    sample("depth_to_space", rand(1, 4, 1, 1), raises=True),
    sample("space_to_depth", rand(1, 1, 2, 2), block_size=2),
    sample("space_to_depth", rand(2, 2, 4, 6), block_size=2),
    sample("space_to_depth", rand(1, 2, 3, 6), block_size="3"),
    sample("space_to_depth", rand(1, 2, 1, 2), block_size=1),
    *every_dtype("space_to_depth", (1, 1, 2, 4), block_size=2),
    *[sample("space_to_depth", rand(1, 1, 2, 2), block_size=b, raises=True) for b in (0, -2, 3)],
    sample("space_to_depth", rand(1, 1, 3, 2), block_size=2, raises=True),
    sample("space_to_depth", rand(1, 1, 0, 2), block_size=2, raises=True),
    sample("space_to_depth", rand(1, 1, 2, 3), block_size=2, raises=True),
    sample("space_to_depth", rand(1, 2, 2), block_size=2, raises=True),
]

REPEAT = [
    *[
        sample("reverse", rand(2, 3, 2), axis=a)
        for a in (0, 1, 2, (0, 1), (0, 2), (2, 1, 0), (), "(0,1)")
    ],
    sample("reverse", rand(4), axis=0),
    *every_dtype("reverse", (3, 2), axis=0),
    *[sample("reverse", rand(2, 2, 2), axis=a, raises=True) for a in (-1, (-1, 0), 3, -4, None)],
    sample("reverse", rand(2, 2), raises=True),
    *[
        sample("tile", rand(2, 3), reps=r)
        for r in [(2,), (2, 2), (2, 1, 2), (), (1, 1), 2, "(3, 1)"]
    ],
    sample("tile", rand(2), reps=(2, 2, 2)),
    sample("tile", rand(1, 2, 1, 2), reps=(2, 1, 2)),
    *every_dtype("tile", (2, 1), reps=(1, 2)),
    sample("tile", rand(2, dtype="float64"), reps=(2, 1)),
    *[sample("tile", rand(2, 3), reps=r, raises=True) for r in [0, (0, 2), (2, 0)]],
    sample("tile", rand(2, 3), reps=(-1,), raises=True),
    sample("tile", rand(2, 3), raises=True),
    *[sample("repeat", rand(2, 3), repeats=2, axis=a) for a in (None, 0, 1, -1, -2, "1", "None")],
    sample("repeat", rand(2, 3), repeats="3"),
    sample("repeat", rand(2, 3), repeats=1),
    sample("repeat", rand(2, 1, 3), repeats=2, axis=1),
    sample("repeat", rand(4), repeats=2, axis=0),
    sample("repeat", rand(2, 2), repeats=0, gradient=False),
    sample("repeat", rand(2, 2), repeats=0, axis=1, gradient=False),
    *every_dtype("repeat", (2, 2), repeats=2, axis=0),
    *[sample("repeat", rand(2, 2), repeats=2, axis=a, raises=True) for a in (2, -3)],
    *[sample("repeat", rand(2, 2), repeats=r, raises=True) for r in (-1, (1, 2))],
    sample("repeat", rand(2, 2), raises=True),
]

PLANE = [(0, 0, 0, 0, 1, 1, 1, 1), (0, 0, 0, 0, 1, 2, 2, 1), (0, 0, 0, 0, 0, 0, 0, 2)]
SPACE = [(0, 0, 0, 0, 1, 0, 1, 0, 0, 1), (0, 0, 0, 0, 1, 1, 0, 1, 1, 0)]
MODES = ("constant", "edge", "reflect")

PAD = [
    *[sample("Pad", rand(1, 2, 3, 3), mode=m, pad_width=w) for m in MODES for w in PLANE],
    *[sample("Pad", rand(1, 1, 2, 2, 2), mode=m, pad_width=w) for m in MODES for w in SPACE],
    *[
        sample("Pad", rand(1, 1, 2, 2, dtype=t), mode=m, pad_width=PLANE[0], constant_value=1.5)
        for m in MODES
        for t in ("float64", "float16")
    ],
    sample(
        "Pad",
        rand(1, 1, 2, 2),
        mode="constant",
        pad_width="(0, 0, 0, 0, 1, 0, 0, 2)",
        constant_value="-5",
    ),
    sample("Pad", rand(1, 1, 2, 2), mode="constant", pad_width=(0,) * 8),
    sample("Pad", rand(1, 1, 3, 3), mode="edge", pad_width=(0, 0, 0, 0, 4, 5, 0, 0)),
    sample("Pad", rand(2, 1, 3, 3), mode="reflect", pad_width=(0, 0, 0, 0, 2, 2, 2, 2)),
    sample("Pad", ints(1, 1, 2, 2), mode="constant", pad_width=PLANE[0], oracle=False, why=FLOATS),
    *[
        sample("Pad", rand(1, 1, 3, 3), mode="reflect", pad_width=w, raises=True)
        for w in [(0, 0, 0, 0, 3, 0, 0, 0), (0, 0, 0, 0, 0, 4, 0, 0)]
    ],
    *[
        sample("Pad", rand(1, 1, 2, 2), mode=mode, pad_width=width, raises=True)
        for mode, width in [
            ("constant", (1, 0, 0, 0, 1, 1, 1, 1)),
            ("edge", (0, 0, 1, 1, 0, 0, 0, 0)),
            ("constant", (0, 0, 0, 0, 1, 1)),
            ("constant", (0, 0, 0, 0, 1, 1, 1, 1, 0, 0)),
            ("wrap", (0, 0, 0, 0, 1, 1, 1, 1)),
        ]
    ],
    sample("Pad", rand(2, 2, 2), mode="constant", pad_width=(0, 0, 0, 0, 1, 1), raises=True),
    sample("Pad", rand(2, 2), mode="constant", pad_width=(0, 0, 0, 0), raises=True),
    sample(
        "Pad",
        values([[[[1, 2]]]], "float16"),
        mode="constant",
        pad_width=(0, 0, 0, 0, 0, 0, 1, 0),
        constant_value=-1e9,
    ),
    sample("Pad", rand(1, 1, 1, 1, 2, 2), mode="constant", pad_width=(0,) * 12, raises=True),
    sample("Pad", rand(1, 1, 2, 2), pad_width=PLANE[0], raises=True),
    sample("Pad", rand(1, 1, 2, 2), mode="edge", raises=True),
]

DIAG = [
    *[sample("diag", rand(2, 3), k=k) for k in (0, 1, -1, 2, "1")],
    *[sample("diag", ints(2, 3), k=k) for k in (-2, 3)],
    *[sample("diag", rand(3), k=k) for k in (0, 1, -2)],
    sample("diag", rand(2, 3)),
    sample("diag", rand(1)),
    sample("diag", rand(2), axis1=3, axis2=5),
    sample("diag", values([[1, 2, 3], [4, 5, 6]]), axis1=1, axis2=0, k=1),
    *[
        sample("diag", rand(2, 3, 4), k=k, axis1=a, axis2=b)
        for k, a, b in [
            (0, 0, 1),
            (0, 1, 2),
            (0, -1, 0),
            (1, -1, -2),
            (1, 2, 0),
            (-1, 0, 2),
            (2, 0, 1),
        ]
    ],
    sample("diag", rand(2, 3, 2, 2)),
    *every_dtype("diag", (2, 2)),
    *every_dtype("diag", (2,), k=1),
    *[sample("diag", rand(2, 3), k=k, raises=True) for k in (-3, 4)],
    *[
        sample("diag", rand(2, 3, 4), axis1=a, axis2=b, raises=True)
        for a, b in [(0, 0), (0, 3), (-4, 0), (1, -2)]
    ],
]

SAMPLES = [*RESHAPE, *AXES, *LIKE, *BROADCAST, *BLOCKS, *REPEAT, *PAD, *DIAG]
