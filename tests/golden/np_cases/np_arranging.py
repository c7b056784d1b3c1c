"""Functions that shape, permute, repeat, join and split."""

from __future__ import annotations

from np_cases.core import arr, case, values

NEGATIVE_AXES = "the original refuses negative axes"
WRONG_ANGLE = "the original rotates the gradient by a wrong angle"
NO_GRADIENT = "the original has no gradient of it"
IGNORES = "the original ignores constant_values"

SHAPE = [
    *[case("reshape", arr(2, 3), s) for s in [6, (3, 2), (3, -1), [3, -1], (-1,), (1, 2, 3)]],
    *[case("reshape", arr(2, 3), s) for s in [(4, 2), (-2, -1), (0, -1), (-1, -1), "a", ()]],
    case("reshape", arr(2, 3), (3, 2), order="F"),
    case("reshape", arr(), (1, 1)),
    case("reshape", arr(0, 3), (3, 0)),
    case("reshape", arr(2, 2, dtype="bool"), 4),
    case("reshape", [1, 2], (2, 1)),
    *[case("ravel", a) for a in (arr(2, 3), arr(), arr(0, 2), arr(2, 2, dtype="bool"), 3, [1, 2])],
    case("ravel", arr(2, 3), order="F"),
    *[case("transpose", arr(2, 3), axes) for axes in [None, (1, 0), [1, 0], (-1, 0), 1, (0, 0)]],
    *[case("transpose", a) for a in (arr(), arr(3), arr(2, 0), arr(2, 1, 2), [1])],
    *[case("swapaxes", arr(2, 3, 1), 0, axis) for axis in (1, 2, -1, 0, 5)],
    *[
        case("moveaxis", arr(2, 3, 1), source, destination)
        for source, destination in [(0, -1), ([0, 1], [1, 0]), ((0,), (0, 1)), ((0, 0), (0, 1))]
    ],
    case("moveaxis", arr(2, 3), 0.5, 1),
    *[case("squeeze", arr(1, 2, 1), axis) for axis in [None, 0, -1, (0, 2), 1, 5]],
    *[case("squeeze", a) for a in (arr(), arr(1, 1), arr(1, 0), [1])],
    *[case("expand_dims", arr(2, 3), axis) for axis in (0, 1, -1, 5, (0, 1))],
    case("expand_dims", arr(), 0),
    case("expand_dims", 2, 0),
    *[
        row
        for n in (1, 2, 3)
        for row in (
            case(f"atleast_{n}d", arr()),
            case(f"atleast_{n}d", arr(2)),
            case(f"atleast_{n}d", arr(), arr(2), arr(2, 2), arr(1, 2, 1)),
            case(f"atleast_{n}d", 3.0),
            case(f"atleast_{n}d"),
        )
    ],
    *[case("roll", arr(2, 3), shift) for shift in (1, -1, 7)],
    *[
        case("roll", arr(2, 3), shift, axis=axis)
        for shift, axis in [(1, 0), (-2, -1), ((1, 1), (0, 1)), (1, (0, 1)), ((1, 2), 0), (1, 5)]
    ],
    case("roll", 3, 1),
    case("rot90", arr(2, 3), 2),
    *[case("rot90", arr(2, 3), k, gradient=False) for k in (1, 3, 4, -1)],
    case("rot90", arr(2, 3), 3, why=WRONG_ANGLE),
    case("rot90", arr(2)),
    case("rot90", arr(2, 3), axes=(0, 0)),
    *[case("flip", arr(2, 3), axis) for axis in (None, 0, 1, (0, 1), 5)],
    *[case("flip", arr(2, 3), axis, why=NEGATIVE_AXES) for axis in (-1, (0, -1))],
    *[case("flip", a) for a in (arr(), arr(0, 2), 3)],
    *[case("flipud", a) for a in (arr(2, 3), arr(2), arr())],
    *[case("fliplr", a) for a in (arr(2, 3), arr(2))],
    *[case("copy", a) for a in (arr(2), arr(), arr(0), arr(2, dtype="bool"), [1])],
    *[case("repeat", arr(2, 2), n, axis) for n, axis in [(2, None), (3, 1), (2, -2), (1, 5)]],
    *[case("repeat", arr(2), n) for n in (2.0, -1)],
    case("repeat", arr(2, 2), 0, gradient=False),
    case("repeat", arr(), 3),
    case("repeat", 3, 2),
    *[case("tile", arr(2, 2), reps) for reps in [2, (2, 1), (2, 1, 1), (), -1, 1.5]],
    *[case("tile", arr(2), 0, gradient=False), case("tile", arr(), 2), case("tile", 3, (2, 2))],
    *[case("broadcast_to", arr(2, 1), s) for s in [(2, 3), (2, 2, 2), (3, 2), (-1, 2), (2,)]],
    case("broadcast_to", arr(), 3),
    case("broadcast_to", arr(), ()),
    case("broadcast_to", 2, (3, 2)),
    case("broadcast_arrays", arr(2), arr(3, 1)),
    case("broadcast_arrays", arr(2), arr(), arr(1, 1, 1)),
    case("broadcast_arrays", arr(2)),
    case("broadcast_arrays"),
    case("broadcast_arrays", arr(2), arr(3)),
    *[case("meshgrid", *[arr(n) for n in sizes]) for sizes in [(2, 3), (2,), (), (2, 3, 1)]],
    case("meshgrid", arr(2), arr(3), indexing="ij"),
    case("meshgrid", arr(), arr(3)),
    *[
        case("meshgrid", arr(2), arr(3), **option)
        for option in [{"sparse": True}, {"copy": False}, {"indexing": "xx"}, {"foo": 1}]
    ],
    *[case("resize", arr(2, 3), s, gradient=False) for s in [(3, 3), 2, (0,), (2, 2, 2), (-1,)]],
    *[case("resize", arr(0), s, gradient=False) for s in [(2,), 0]],
    case("resize", arr(2), 5, why=NO_GRADIENT),
    case("resize", [1, 2], 3),
    *[case("shape", a) for a in (arr(2, 3), arr(), arr(0))],
]

METHODS = [
    *[
        case(".reshape", arr(2, 3), *args)
        for args in [(3, 2), ((3, -1),), (-1,), (), ((3, 2), 2), (0, -1), (-2, -1)]
    ],
    case(".reshape", arr(1), ()),
    case(".reshape", arr(2, 3), 3, 2, order="F"),
    case(".reshape", arr(2, 3), shape=(3, 2)),
    *[case(".T", a) for a in (arr(2, 3), arr(), arr(2, 1, 3))],
    *[case(".flatten", a) for a in (arr(2, 3), arr())],
    case(".flatten", arr(2, 3), order="F"),
    *[
        case(".transpose", arr(2, 1, 3), *axes)
        for axes in [(), (0, 2, 1), ((0, 2, 1),), ([0, 2, 1],), (None,)]
    ],
    case(".swapaxes", arr(2, 3), 0, 1),
    *[case(".squeeze", arr(2, 1), *axis) for axis in [(), (1,), (0,)]],
    *[case(".repeat", arr(2, 2), 2, *axis) for axis in [(), (1,)]],
    case(".broadcast_to", arr(3), (2, 3)),
    case(".copy", arr(3)),
    case(".copy", arr(3), order="F"),
]

JOIN = [
    *[
        case(f, [arr(*s) for s in shapes])
        for f in ("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "row_stack")
        for shapes in [[(2,), (2,)], [(2, 2), (2, 2)], [(1, 2), (2, 2)], [(), ()], [(2,), (3,)]]
    ],
    *[
        case(f, argument)
        for f in ("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "row_stack")
        for argument in ([], [1, 2], (arr(2), arr(2, dtype="int32")), arr(2, 2))
    ],
    *[case("concatenate", (arr(2, 2), arr(2, 1)), axis=axis) for axis in (1, -1, None, 0, 2)],
    case("concatenate", [arr(2, dtype="bool"), arr(1, dtype="bool")]),
    case("concatenate", [arr(0, 2), arr(1, 2)]),
    *[case("stack", [arr(2), arr(2)], axis=axis) for axis in (1, -1, -2, 3)],
    *[case("append", arr(2, 2), arr(2, 2), axis=axis) for axis in (None, 0, 1, 2)],
    case("append", arr(2), 3),
    case("append", [1], [2]),
]

SPLIT = [
    *[
        case(f, arr(4, 4, 4), places)
        for f in ("split", "array_split", "hsplit", "vsplit", "dsplit")
        for places in [2, 1, [1, 3], (2,), [], 2.5, [3, 1]]
    ],
    *[case(f, arr(4, 4, 4), 3, gradient=False) for f in ("split", "hsplit", "vsplit", "dsplit")],
    *[case(f, arr(3), 3) for f in ("split", "hsplit", "vsplit", "dsplit")],
    *[case(f, arr(), 1) for f in ("split", "array_split", "hsplit", "vsplit", "dsplit")],
    *[case("split", arr(4, 2), places, axis=-1) for places in (2, [1], [9], [-1])],
    *[case("split", arr(4, 2), 2, axis=axis) for axis in (1, 2)],
    *[case("array_split", arr(5), n) for n in (2, 3, 5, 7, 0, -1)],
    case("array_split", arr(2, 5), 2, axis=1),
    case("split", arr(4), values([1, 2], "int64")),
    case("split", arr(0, 2), 1),
]

PAD = [
    *[
        case("pad", arr(2, 3), ((1, 2), (0, 1)), mode, gradient=mode == "constant")
        for mode in ("constant", "edge", "reflect", "symmetric", "maximum", "minimum")
    ],
    case("pad", arr(3), (1, 2)),
    case("pad", arr(3, dtype="bool"), (1, 2)),
    case("pad", arr(2, 2, dtype="int32"), ((1, 0), (0, 1))),
    *[case("pad", arr(3), width) for width in (1, 1.5, None, [[1, 1]], (1,))],
    *[
        case("pad", arr(2, 2), ((1, 1), (1, 1)), mode)
        for mode in ("mean", "wrap", "linear_ramp", "empty", "foo")
    ],
    *[
        case("pad", arr(2, 2), ((1, 1), (1, 1)), mode, gradient=False, **{name: value})
        for mode, name, value in [
            ("reflect", "reflect_type", "even"),
            ("reflect", "reflect_type", "odd"),
            ("maximum", "stat_length", 2),
            ("maximum", "stat_length", None),
            ("edge", "constant_values", 3),
            ("constant", "stat_length", 3),
            ("constant", "constant_values", (4, 5)),
        ]
    ],
    case("pad", arr(3), (1, 1), constant_values=4, why=IGNORES),
    case("pad", 3, ((1, 1),)),
]

CASES = [*SHAPE, *METHODS, *JOIN, *SPLIT, *PAD]
