"""Linear algebra."""

from __future__ import annotations

from math import inf

from np_cases.core import arr, case, values

POSITIVE = [[4, 2, 1], [2, 5, 3], [1, 3, 6]]
REGULAR = [[0, 2, 1], [2, -5, 3], [7, 3, 6]]
P, R, S = values(POSITIVE), values(REGULAR), values([POSITIVE, POSITIVE])
SINGULAR = values([[1, 1], [1, 1]])
HEADS = "the original multiplies the gradient of the result in twice"
VECTORS = "the original has no gradient for vectors"
NEGATIVE = "the original counts negative axes wrongly here"
REFUSES = "the original refuses what NumPy computes"

MATRIX = [
    *[case(f"linalg.{f}", P) for f in ("cholesky", "inv", "det", "slogdet", "eigvals", "eigvalsh")],
    *[case(f"linalg.{f}", P) for f in ("svd", "eigh", "pinv")],
    *[case(f"linalg.{f}", S) for f in ("cholesky", "inv", "det", "slogdet", "eigvals", "eigvalsh")],
    *[case(f"linalg.{f}", S) for f in ("eigh", "pinv")],
    *[
        case(f"linalg.{f}", wrong)
        for f in ("cholesky", "inv", "det", "slogdet", "eig", "eigvals", "eigh", "svd", "pinv")
        for wrong in (arr(3), arr(), arr(2, 2, dtype="float16"), [[1.0]])
    ],
    *[
        case(f"linalg.{f}", arr(2, 3))
        for f in ("cholesky", "inv", "det", "slogdet", "eig", "eigvals", "eigh")
    ],
    *[case(f"linalg.{f}", arr(0, 3, 3)) for f in ("cholesky", "inv", "det", "eigvalsh", "pinv")],
    *[case(f"linalg.{f}", values(POSITIVE, "float64")) for f in ("inv", "det", "eigvalsh")],
    *[case(f"linalg.{f}", values(POSITIVE, "int32")) for f in ("eigvalsh", "inv", "eigvals")],
    case("linalg.inv", SINGULAR),
    case("linalg.cholesky", values([[1, 2], [2, 1]])),
    case("linalg.svd", arr(2, 3)),
    case("linalg.svd", arr(3, 2)),
    *[case("linalg.eigh", R, uplo) for uplo in ("L", "U")],
    *[case("linalg.eigvalsh", R, UPLO=uplo) for uplo in ("L", "U")],
    case("linalg.eigvals", values([[0, 1], [-1, 0]])),
    case("linalg.pinv", arr(2, 3), 0.5),
    case("linalg.pinv", arr(2, 3), values(0.5)),
    case("linalg.pinv", S, values([0.5, 0.01])),
    case("linalg.pinv", P, hermitian=True),
    case("linalg.solve", R, arr(3, 2)),
    case("linalg.solve", R, arr(3), gradient=False),
    case("linalg.solve", R, arr(3), why=VECTORS),
    case("linalg.solve", S, arr(2, 3, 1)),
    case("linalg.solve", R, arr(2)),
    case("linalg.solve", SINGULAR, arr(2)),
    case("linalg.solve", R, values([1, 2, 3], "float64"), gradient=False),
    case("linalg.tensorinv", values([[[4, 2]], [[1, 3]]])),
    case("linalg.tensorinv", P, 1),
    case("linalg.tensorinv", P, ind=1),
    case("linalg.tensorinv", P),
    case("linalg.tensorinv", P, 0),
    case("linalg.tensorsolve", R, arr(3)),
    case("linalg.tensorsolve", R, arr(3), (0,)),
    case("linalg.tensorsolve", R, arr(3), axes=None),
    case("linalg.tensorsolve", R, arr(2)),
]

NORM = [
    *[case("linalg.norm", a) for a in (arr(3), arr(2, 3), arr(), arr(2, 3, 2), arr(0))],
    *[case("linalg.norm", arr(2, 3), keepdims=keepdims) for keepdims in (True, False)],
    *[
        case("linalg.norm", arr(2, 3), order, axis, keepdims)
        for order in (None, 1, 2, 3, -1)
        for axis in (0, -1)
        for keepdims in (True, False)
    ],
    *[
        case("linalg.norm", arr(2, 3), order, axis)
        for order in ("fro", None)
        for axis in ((0, 1), (1, 0), (-2, -1), 0)
    ],
    *[case("linalg.norm", arr(2, 3), "nuc", axis) for axis in (None, (0, 1), 0)],
    *[case("linalg.norm", arr(2, 3), order, gradient=False) for order in (1, -1, 2, -2, inf, -inf)],
    *[
        case("linalg.norm", arr(2, 3), order, axis=(0, 1), keepdims=keepdims, gradient=False)
        for order in (1, -1, 2, -2, inf, -inf)
        for keepdims in (True, False)
    ],
    *[case("linalg.norm", arr(2, 3), order, why=HEADS) for order in (1, 2, inf)],
    *[case("linalg.norm", arr(2, 3), order, axis=(-2, -1), why=NEGATIVE) for order in (1, -1)],
    *[case("linalg.norm", arr(2, 3), order, axis=0, why=REFUSES) for order in (inf, -inf)],
    *[case("linalg.norm", arr(3), order, axis=0) for order in ("inf", "-inf")],
    *[case("linalg.norm", arr(3, dtype=dtype)) for dtype in ("float64", "float16")],
    case("linalg.norm", arr(2, 3), "unknown"),
    case("linalg.norm", arr(2, 3), 2, 5),
    case("linalg.norm", arr(2, 3, 2), 2, (0, 1, 2)),
    case("linalg.norm", [1.0, 2.0]),
]

CASES = [*MATRIX, *NORM]
