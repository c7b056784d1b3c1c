"""Products of arrays."""

from __future__ import annotations

from np_cases.core import arr, case

HALF = "the original has half precision on GPUs alone"

PAIRS = [
    (arr(3), arr(3)),
    (arr(2, 3), arr(3)),
    (arr(2, 3), arr(3, 2)),
    (arr(2, 1, 3), arr(3, 2)),
    (arr(2, 0), arr(0, 3)),
    (arr(2, 3), arr(2, 3)),
    (arr(2, 2, dtype="float64"), arr(2, 2, dtype="float64")),
    (arr(2, 2), arr(2, 2, dtype="float64")),
    (arr(2, 2, dtype="int32"), arr(2, 2, dtype="int32")),
    (arr(2, 2), 2.0),
    (2.0, arr(2, 2)),
    ([1.0, 2.0], arr(2)),
]

CASES = [
    *[case(f, a, b) for f in ("dot", "matmul") for a, b in PAIRS],
    *[case(".dot", a, b) for a, b in PAIRS[:6]],
    case("dot", arr(), arr(2, 3)),
    case("dot", arr(), arr()),
    case("dot", arr(2, 2, 3), arr(2, 3, 2)),
    case("matmul", arr(), arr(2)),
    case("matmul", arr(2, 2, 3), arr(2, 3, 2)),
    *[
        case(f, arr(2, 2, dtype="float16"), arr(2, 2, dtype="float16"), gradient=False, why=HALF)
        for f in ("dot", "matmul")
    ],
    case("matmul", arr(2, 2), arr(2, 2), subok=True),
    case("matmul", arr(2, 2), arr(2, 2), unknown=1),
    *[
        case("tensordot", arr(2, 3), arr(2, 3), axes)
        for axes in [2, 0, (0, 0), ((0,), (0,)), ([1, 0], [1, 0]), (-1, -1), -1, (1, 0), "x"]
    ],
    *[case("tensordot", arr(2, 3), arr(2, 3), axes) for axes in (((0, 1),), ((0, 1), (0,)))],
    case("tensordot", arr(2, 3), arr(2, 3)),
    case("tensordot", arr(2, 3), arr(3, 2), axes=1),
    case("tensordot", arr(), arr(2), 0),
    case("tensordot", 2.0, arr(2), 0),
    case("inner", arr(3), arr(3)),
    case("inner", arr(2, 3), arr(4, 3)),
    case("inner", arr(2, 0), arr(3, 0)),
    case("inner", arr(3), arr(1, 3)),
    case("outer", arr(2), arr(3)),
    case("outer", arr(2, 2), arr(3)),
    case("outer", arr(), arr(3)),
    case("outer", arr(0), arr(3)),
    case("vdot", arr(2, 3), arr(3, 2)),
    case("vdot", arr(), arr()),
    case("vdot", arr(3), arr(2)),
    case("vdot", arr(0), arr(0)),
    *[
        case("einsum", subscripts, *arrays)
        for subscripts, *arrays in [
            ("ij,jk->ik", arr(2, 3), arr(3, 2)),
            ("ij,jk", arr(2, 3), arr(3, 2)),
            ("ii", arr(3, 3)),
            ("ij->ji", arr(2, 3)),
            ("...j->...", arr(2, 3)),
            ("i,j->ij", arr(2), arr(3)),
            ("ij,ij", arr(2, 3), arr(2, 3)),
            ("i->", arr(0)),
            ("ij", arr(2)),
            ("ij->ik", arr(2, 3)),
            ("ij,jk", arr(2, 3)),
            ("ij", [[1.0]]),
        ]
    ],
    case("einsum", "ij,jk->ik", arr(2, 3), arr(3, 2), optimize=True),
    case("einsum", "ij,jk", arr(2, 2, dtype="int32"), arr(2, 2, dtype="int32")),
    case("einsum", arr(2, 3), [0, 1]),
    case("einsum"),
]
