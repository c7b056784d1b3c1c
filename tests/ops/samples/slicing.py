"""Parts of arrays, writing into them, and windows."""

from .core import ints, rand, sample, values

DTYPES = ("float64", "float16", "int8", "uint8", "int32", "int64")
EMPTY = "the original takes an empty array for one of unknown shape"
CLIPPED = "for float32 alone the original does not cut a begin before the array"
FLOAT32 = "the original implements float32 only"
NO_GRADIENT = "the original has no gradient here"

LINE = [
    ((1,), (3,), ()),
    (1, 3, ()),
    ((None,), (3,), ()),
    ((1,), (None,), ()),
    ((-3,), (-1,), ()),
    ((0,), (10,), ()),
    ((None,), (None,), (-1,)),
    ((4,), (0,), (-1,)),
    ((4,), (None,), (-2,)),
    ((None,), (1,), (-1,)),
    ((-1,), (-4,), (-1,)),
    ((10,), (0,), (-1,)),
    ((10,), (None,), (-1,)),
    ((4,), (-10,), (-1,)),
    ((5,), (0,), (-3,)),
    ((None,), (None,), (2,)),
    ((None,), (None,), (None,)),
    ((0,), (5,), (7,)),
    ((4,), (0,), (-7,)),
    ((1,), (6,), (2,)),
    ((-5,), (5,), 2),
    ((-6,), (5,), (2,)),
]
EMPTY_LINE = [
    ((3,), (1,), ()),
    ((2,), (2,), ()),
    ((5,), (6,), ()),
    ((0,), (-10,), ()),
    ((1,), (4,), (-1,)),
    ((4,), (-1,), (-1,)),
    ((2,), (2,), (-1,)),
    ((-6,), (None,), (-1,)),
]
PLANE = [
    ((1,), (2,), ()),
    ((0, 1), (2, 3), ()),
    ((None, 1), (None, 3), ()),
    ((0, 3), (3, 0), (2, -1)),
    ((2, None), (None, None), (-1, -1)),
    ((0, 1), (3, 4), (None, 2)),
    ("(0, None)", "(None, 2)", "(1, 1)"),
    ("(0, 3)", "(3, None)", "(None, -2)"),
    ((), (), ()),
    ([1, 0], [3, 2], [1, 1]),
]
BAD_PLANE = [
    ((0, 1, 0), (2, 3, 1), ()),
    ((0, 1), (2,), ()),
    ((0, 1), (3, 4), (2,)),
    ((0, 3), (3, 0), (2, -1, 1)),
    ((0, 0), (2, 2), (0, 1)),
    ("a", (2, 2), ()),
]

SLICE = [
    *[sample("slice", rand(5), begin=b, end=e, step=s) for b, e, s in LINE],
    *[sample("slice", ints(5), begin=b, end=e, step=s) for b, e, s in EMPTY_LINE],
    *[sample("slice", rand(3, 4), begin=b, end=e, step=s) for b, e, s in PLANE],
    *[sample("slice", rand(3, 4), begin=b, end=e, step=s, raises=True) for b, e, s in BAD_PLANE],
    *[
        sample("slice", ints(3, 3, dtype=t), begin=(0, 2), end=(2, None), step=(1, -2))
        for t in DTYPES
    ],
    sample("slice", rand(3, 4), begin=(1,), end=(3,)),
    sample("slice", ints(3, 4), begin=(0, 0), end=(0, 2)),
    sample("slice", rand(2, 3, 4), begin=(0, 1), end=(1, 3)),
    sample("slice", rand(2, 3, 4), begin=(None, None, 3), end=(None, None, 0), step=(1, 2, -1)),
    sample("slice", rand(2, 2, 2, 3, 2), begin=(0, 1, 0, 1, 0), end=(1, 2, 2, 3, 2)),
    sample("slice", ints(5), begin=(-10,), end=(3,)),
    sample("slice", rand(5), begin=(-10,), end=(3,), oracle=False, why=CLIPPED),
    sample(
        "slice",
        rand(2, 1, 2, 2, 1, 2),
        begin=(0,) * 6,
        end=(1,) * 6,
        oracle=False,
        why="the original slices 5 axes at most",
    ),
    sample("slice", rand(0, 3), begin=(0, 1), end=(None, 3), oracle=False, why=EMPTY),
    sample(
        "slice",
        rand(0, 3),
        begin=(None, None),
        end=(None, None),
        step=(-1, -1),
        oracle=False,
        why=EMPTY,
    ),
    sample("slice", rand(5), begin=(1,), raises=True),
    sample("slice", rand(5), end=(1,), raises=True),
    sample("slice", rand(5), begin=(None,), end=(None,), step=(0,), raises=True),
    *[
        sample("slice_axis", rand(3, 4), axis=axis, begin=begin, end=end)
        for axis, begin, end in [
            (0, 1, 2),
            (1, 0, None),
            (-1, -2, None),
            (-1, -3, -1),
            (-2, -3, 3),
            (1, "1", "None"),
            ("0", 0, "3"),
        ]
    ],
    sample("slice_axis", rand(5), axis=0, begin=2, end=4),
    sample("slice_axis", rand(2, 3, 4), axis=1, begin=1, end=None),
    *[sample("slice_axis", ints(3, 2, dtype=t), axis=0, begin=1, end=None) for t in DTYPES],
    *[
        sample("slice_axis", rand(3, 4), axis=axis, begin=begin, end=end, raises=True)
        for axis, begin, end in [
            (0, 0, 10),
            (0, 2, 1),
            (0, 1, 1),
            (0, -10, 1),
            (2, 0, 1),
            (-3, 0, 1),
            (0, 3, None),
            (0, 0, -3),
            (0, 0, -4),
            (0, 0, 0),
            (0, None, 2),
        ]
    ],
    sample("slice_axis", rand(3, 4), axis=0, begin=0, raises=True),
    sample("slice_axis", rand(0, 3), axis=0, begin=0, end=None, oracle=False, why=EMPTY),
    sample("slice_like", rand(3, 4), rand(2, 3)),
    sample("slice_like", rand(3, 4), rand(3, 4)),
    *[
        sample("slice_like", rand(3, 4), rand(2, 3), axes=a)
        for a in [(0,), 1, (0, 1), (-1,), (), (0, 0), "(-2,)"]
    ],
    sample("slice_like", rand(3, 4), rand(2), axes=0),
    sample("slice_like", rand(3, 4), rand(2, 3, 5), axes=(0, 1)),
    sample("slice_like", rand(3, 4), rand(2, 3, 3), axes=(-1,)),
    sample("slice_like", rand(3, 4, 2), rand(2, 3), axes=(-2,)),
    sample("slice_like", rand(3, 4), rand(3, 5, 2), axes=(0,)),
    sample("slice_like", rand(3, 4), ints(2, 3)),
    sample("slice_like", ints(3, 4, dtype="int64"), rand(2, 3), axes=(1,)),
    sample("slice_like", rand(3, dtype="float16"), rand(2)),
    sample("slice_like", rand(3, 4), rand(2), raises=True),
    sample("slice_like", rand(3, 4), rand(2, 3, 5), raises=True),
    sample("slice_like", rand(3, 4), rand(4, 4), raises=True),
    *[
        sample("slice_like", rand(3, 4), rand(2, 5), axes=a, raises=True)
        for a in [(1,), (2,), (-3,)]
    ],
    sample("slice_like", rand(3, 4, 5), rand(2, 3), axes=(0, -1), raises=True),
]

ASSIGN = [
    *[
        sample("_slice_assign", rand(5), rand(2), begin=b, end=e, step=s, gradient=False)
        for b, e, s in [
            ((1,), (3,), ()),
            ((None,), (2,), ()),
            ((4,), (0,), (-2,)),
            ((3,), (10,), ()),
            ((None,), (4,), (2,)),
        ]
    ],
    sample("_slice_assign", rand(3, 4), rand(2, 2), begin=(0, 1), end=(2, 3), gradient=False),
    sample(
        "_slice_assign",
        rand(3, 4),
        rand(2, 2),
        begin=(0, 1),
        end=(3, 4),
        step=(2, 2),
        gradient=False,
    ),
    sample(
        "_slice_assign",
        rand(3, 4),
        rand(2, 2),
        begin="(0, 3)",
        end="(3, None)",
        step="(2, -2)",
        gradient=False,
    ),
    sample("_slice_assign", rand(3, 4), rand(2, 4), begin=(0,), end=(2,), gradient=False),
    *[
        sample(
            "_slice_assign",
            ints(4, dtype=t),
            ints(2, dtype=t),
            begin=(3,),
            end=(None,),
            step=(-2,),
            gradient=False,
        )
        for t in DTYPES
    ],
    sample(
        "_slice_assign",
        rand(3, 4),
        rand(2, 1),
        begin=(0, 0),
        end=(2, 1),
        oracle=False,
        why=NO_GRADIENT,
    ),
    sample(
        "_slice_assign",
        rand(5),
        rand(3),
        begin=(None,),
        end=(None,),
        step=(-2,),
        oracle=False,
        why=NO_GRADIENT,
    ),
    *[
        sample("_slice_assign", rand(3, 4), rand(*s), begin=(0, 1), end=(2, 3), raises=True)
        for s in [(2, 3), (1, 1), (2,)]
    ],
    sample("_slice_assign", rand(3, 4), rand(4), begin=(0,), end=(2,), raises=True),
    sample("_slice_assign", rand(5), rand(2), begin=(1,), end=(1,), raises=True),
    sample("_slice_assign", rand(5), rand(2), begin=(1, 1), end=(3, 3), raises=True),
    sample("_slice_assign_scalar", rand(3, 4), scalar=9, begin=(0, 1), end=(2, 3), gradient=False),
    sample(
        "_slice_assign_scalar", rand(3, 4), begin=(0, 1), end=(3, 4), step=(2, 2), gradient=False
    ),
    sample(
        "_slice_assign_scalar",
        rand(5),
        scalar="2.5",
        begin=(4,),
        end=(0,),
        step=(-2,),
        gradient=False,
    ),
    sample("_slice_assign_scalar", rand(5), scalar=9, begin=(None,), end=(None,), gradient=False),
    sample("_slice_assign_scalar", rand(5), scalar=9, begin=(1,), end=(1,), gradient=False),
    sample("_slice_assign_scalar", rand(5), scalar=9, begin=(3,), end=(1,), gradient=False),
    sample("_slice_assign_scalar", rand(3, 4), scalar=9, begin=(), end=(), gradient=False),
    sample("_slice_assign_scalar", ints(5, dtype="uint8"), scalar=-1, begin=(1,), end=(3,)),
    *[
        sample(
            "_slice_assign_scalar",
            ints(5, dtype=t),
            scalar=1.7,
            begin=(1,),
            end=(3,),
            gradient=False,
        )
        for t in DTYPES
    ],
    sample(
        "_slice_assign_scalar",
        rand(3, 4),
        scalar=2,
        begin=(0, 1),
        end=(2, 3),
        oracle=False,
        why=NO_GRADIENT,
    ),
    sample(
        "_slice_assign_scalar",
        values([1, 2, 3], "float16"),
        scalar=-1e9,
        begin=(1,),
        end=(2,),
        gradient=False,
    ),
    sample("_slice_assign_scalar", rand(5), scalar=9, begin=(1, 1), end=(2, 2), raises=True),
    sample("_slice_assign_scalar", rand(5), scalar=9, begin=(1,), end=(2,), step=(0,), raises=True),
]

CROP = [
    sample("Crop", rand(1, 2, 5, 6), h_w=(3, 2)),
    sample("Crop", rand(1, 2, 5, 6), h_w="(3, 2)", offset="(1, 2)", num_args=1),
    sample("Crop", rand(1, 1, 5, 6), h_w=(3, 2), offset=(2, 4)),
    sample("Crop", rand(1, 1, 5, 6), h_w=(2, 3), center_crop=True),
    sample("Crop", rand(1, 1, 5, 6), h_w=(3, 2), offset=(9, 9), center_crop=True),
    sample("Crop", rand(1, 1, 5, 6), rand(1, 1, 3, 4)),
    sample("Crop", rand(1, 1, 5, 6), rand(1, 1, 3, 4), offset=(1, 1), num_args=2),
    sample("Crop", rand(1, 1, 5, 6), rand(1, 1, 3, 4), center_crop=True, h_w=(1, 1)),
    sample("Crop", rand(1, 2, 3, 4), rand(2, 3, 2, 2)),
    sample("Crop", rand(1, 1, 3, 3), h_w=(3, 3)),
    sample("Crop", rand(1, 1, 3, 3, dtype="float64"), h_w=(2, 2), oracle=False, why=FLOAT32),
    sample("Crop", ints(1, 1, 3, 3), h_w=(2, 2), oracle=False, why=FLOAT32),
    sample("Crop", rand(1, 1, 5, 6), raises=True),
    sample("Crop", rand(1, 1, 5, 6), rand(1, 1, 7, 4), raises=True),
    sample("Crop", rand(1, 1, 5, 6), rand(1, 1, 3, 4), rand(1, 1, 2, 2), raises=True),
    sample("Crop", rand(5, 6), h_w=(2, 2), raises=True),
    sample("Crop", rand(1, 5, 6), h_w=(2, 2), raises=True),
    *[
        sample("Crop", rand(1, 1, 5, 6), h_w=(3, 2), offset=o, raises=True)
        for o in [(3, 3), (0, 5), (-1, 0), (1,)]
    ],
    *[sample("Crop", rand(1, 1, 5, 6), h_w=s, raises=True) for s in [(6, 2), (0, 2), (3,)]],
]

SPLIT = [
    *[
        sample("SliceChannel", rand(3, 4), num_outputs=n, axis=a, squeeze_axis=s)
        for n, a, s in [
            (2, 1, False),
            (3, 0, False),
            (2, -1, False),
            (4, 1, False),
            (4, 1, True),
            (3, 0, 1),
            (3, -2, "True"),
            ("2", "1", "0"),
            (1, 0, False),
        ]
    ],
    sample("SliceChannel", rand(3, 4), num_outputs=2),
    sample("SliceChannel", rand(2, 1, 4), num_outputs=1, squeeze_axis=True),
    sample("SliceChannel", rand(4), num_outputs=2, axis=0),
    sample("SliceChannel", rand(4), num_outputs=4, axis=0, squeeze_axis=True),
    sample("SliceChannel", rand(1, 4, 1, 2), num_outputs=2),
    *[sample("SliceChannel", ints(2, 4, dtype=t), num_outputs=2) for t in DTYPES],
    *[
        sample("SliceChannel", rand(3, 4), raises=True, **attrs)
        for attrs in [
            {"num_outputs": 3},
            {"num_outputs": 0},
            {"num_outputs": -2},
            {"num_outputs": 2, "axis": 2},
            {"num_outputs": 2, "axis": -3},
            {"num_outputs": 2, "squeeze_axis": True},
            {},
        ]
    ],
    sample("SliceChannel", rand(0, 4), num_outputs=2, oracle=False, why=EMPTY),
    *[
        sample("_split_v2", rand(3, 4), **attrs)
        for attrs in [
            {"indices": (0, 1, 3)},
            {"indices": (0, 2), "axis": -1},
            {"indices": (0,), "axis": 1},
            {"indices": (0, 1, 2), "axis": 0, "squeeze_axis": True},
            {"indices": (0, 1, 2, 3), "squeeze_axis": 1},
            {"indices": (), "sections": 2},
            {"indices": (), "sections": 3},
            {"indices": (), "sections": 3, "axis": 0},
            {"indices": (1, 2), "sections": 2},
            {"indices": "()", "sections": "4", "squeeze_axis": "True"},
            {"indices": "(0, 2)", "axis": "0"},
        ]
    ],
    sample("_split_v2", rand(5), indices=(0, 2), axis=0),
    sample("_split_v2", rand(3), indices=(), sections=3, axis=0, squeeze_axis=True),
    sample("_split_v2", rand(3, 4), indices=(0, 1, 1), gradient=False),
    sample("_split_v2", rand(3, 4), indices=(0, 4), gradient=False),
    *[sample("_split_v2", ints(2, 3, dtype=t), indices=(0, 1)) for t in DTYPES],
    *[
        sample("_split_v2", rand(3, 4), raises=True, **attrs)
        for attrs in [
            {"indices": (1, 3)},
            {"indices": (0, 3, 1)},
            {"indices": (0, 7)},
            {"indices": (0, -1)},
            {"indices": ()},
            {"indices": (), "sections": -2},
            {"indices": (0, 2), "axis": 3},
            {"indices": (0,), "axis": -3},
            {"indices": (0, 1, 2), "squeeze_axis": True},
            {"sections": 2},
        ]
    ],
]

WINDOWS = [
    sample("im2col", rand(1, 2, 3, 4), kernel=(2, 2)),
    sample("im2col", rand(2, 1, 5, 5), kernel=(3, 3), stride=(2, 2), pad=(1, 1), dilate=(1, 1)),
    sample("im2col", rand(1, 1, 5, 5), kernel=(3, 3), dilate=(2, 2)),
    sample(
        "im2col", rand(1, 2, 4, 5), kernel="(2, 3)", stride="(1, 2)", pad="(0, 1)", dilate="(2, 1)"
    ),
    sample("im2col", rand(1, 1, 3, 3, dtype="float64"), kernel=(2, 2)),
    sample("im2col", rand(1, 1, 3, 3, dtype="float16"), kernel=(2, 2)),
    sample("im2col", rand(1, 2, 5, 5), kernel=(6, 6), raises=True),
    sample("im2col", rand(1, 2, 5, 5), kernel=(0, 2), raises=True),
    sample("im2col", rand(1, 2, 5, 5), kernel=(2, 2), stride=(0, 1), raises=True),
    sample("im2col", rand(1, 2, 5, 5), kernel=(2, 2), stride=(1,), raises=True),
    sample("im2col", rand(1, 2, 5, 5), raises=True),
    sample("im2col", rand(2, 5, 5), kernel=(2, 2), raises=True),
    sample("im2col", rand(1, 2, 5), kernel=(2,), raises=True),
    sample("im2col", rand(1, 1, 3, 3, 3), kernel=(2, 2, 2), raises=True),
    sample(
        "im2col",
        rand(1, 2, 5, 5),
        kernel=(2,),
        raises=True,
        oracle=False,
        why="fills half of the result",
    ),
    sample("col2im", rand(1, 8, 6), output_size=(3, 4), kernel=(2, 2)),
    sample("col2im", rand(2, 9, 9), output_size=(5, 5), kernel=(3, 3), stride=(2, 2), pad=(1, 1)),
    sample("col2im", rand(1, 9, 1), output_size=(5, 5), kernel=(3, 3), dilate=(2, 2)),
    sample(
        "col2im",
        rand(1, 12, 6),
        output_size="(4, 5)",
        kernel="(2, 3)",
        stride="(1, 2)",
        pad="(0, 1)",
        dilate="(2, 1)",
    ),
    sample("col2im", rand(1, 4, 4, dtype="float64"), output_size=(3, 3), kernel=(2, 2)),
    sample(
        "col2im",
        rand(1, 4, 4, dtype="float16"),
        output_size=(3, 3),
        kernel=(2, 2),
        rtol=1e-2,
        atol=1e-3,
    ),
    sample("col2im", values([[[1, 2], [3, 4], [5, 6], [7, 8]]]), output_size=(2, 3), kernel=(2, 2)),
    sample("col2im", rand(1, 8, 15), output_size=(5, 5), kernel=(2, 2), raises=True),
    sample("col2im", rand(1, 7, 16), output_size=(5, 5), kernel=(2, 2), raises=True),
    sample("col2im", rand(8, 16), output_size=(5, 5), kernel=(2, 2), raises=True),
    sample("col2im", rand(1, 4, 4), output_size=(5,), kernel=(2,), raises=True),
    sample("col2im", rand(1, 8, 16), kernel=(2, 2), raises=True),
]

SAMPLES = [*SLICE, *ASSIGN, *CROP, *SPLIT, *WINDOWS]
