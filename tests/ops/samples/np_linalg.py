"""Linear algebra in the NumPy dialect."""

from math import inf

from .core import ints, rand, sample, values
from .linalg import INDEFINITE, LOWER_COUNTS, POSITIVE, REGULAR, SINGULAR

NOT_EXACT = ("float16", "int32", "int64", "uint8", "bool")
EMPTY = ((0, 3, 3), (0, 0), (2, 0, 0))
UNSET = {"numeric": False, "oracle": False, "why": "the original returns memory as it found it"}
NOT_SQUARE = ((2, 3), (3, 2), (3,), (), (2, 2, 3))


def _square(
    op: str, *, integers: bool = False, numeric: bool = True, empty=EMPTY, vectors: bool = False
) -> list:
    """Rows that all functions of square matrices have; the sign of eigenvectors is not defined."""
    kinds = ("float16", "bool") if integers else NOT_EXACT
    return [
        sample(op, values(POSITIVE), numeric=numeric, random=vectors),
        sample(op, values([POSITIVE, POSITIVE]), numeric=numeric, random=vectors),
        sample(op, values([[2]]), numeric=numeric),
        sample(op, values([[POSITIVE]], "float64"), numeric=numeric, random=vectors),
        *(sample(op, rand(*shape), numeric=False) for shape in empty),
        *(sample(op, rand(*shape), raises=True) for shape in NOT_SQUARE),
        *(sample(op, values(POSITIVE, dtype), raises=True) for dtype in kinds),
        *(
            sample(op, values(POSITIVE, dtype), random=vectors)
            for dtype in ("int32", "uint8")
            if integers
        ),
    ]


FACTORIZATIONS = [
    *_square("_npi_cholesky", numeric=False),
    sample("_npi_cholesky", values(LOWER_COUNTS), numeric=False),
    sample("_npi_cholesky", values(INDEFINITE), raises=True),
    *_square("_npi_det", empty=EMPTY[:1]),
    sample("_npi_det", rand(2, 0, 0), **UNSET),
    sample("_npi_det", values(REGULAR)),
    sample("_npi_det", SINGULAR, numeric=False),
    *_square("_npi_slogdet", empty=EMPTY[:1]),
    sample("_npi_slogdet", rand(0, 0), **UNSET),
    sample("_npi_slogdet", values([[REGULAR], [INDEFINITE]])),
    sample("_npi_slogdet", SINGULAR, gradient=False),
    *_square("_npi_inv"),
    sample("_npi_inv", values(REGULAR)),
    sample("_npi_inv", SINGULAR, raises=True),
    sample("_npi_svd", rand(3, 3), numeric=False),
    sample("_npi_svd", rand(2, 4), numeric=False),
    sample("_npi_svd", rand(1, 3), numeric=False),
    sample("_npi_svd", rand(2, 2, 3), numeric=False),
    sample("_npi_svd", values(REGULAR, "float64"), numeric=False),
    *(sample("_npi_svd", rand(*shape), numeric=False) for shape in (*EMPTY, (0, 2))),
    *(sample("_npi_svd", rand(*shape), raises=True) for shape in ((3, 2), (3,), ())),
    *(sample("_npi_svd", values(REGULAR, dtype), raises=True) for dtype in ("float16", "int32")),
]

EIGEN = [
    *(
        row
        for op in ("_npi_eigh", "_npi_eigvalsh")
        for row in (
            *_square(op, integers=True, numeric=False),
            sample(op, values(LOWER_COUNTS), numeric=False),
            sample(op, values(LOWER_COUNTS), UPLO="U", numeric=False),
            sample(op, values([INDEFINITE, POSITIVE]), UPLO="L", numeric=False),
            sample(op, rand(2, 2), UPLO="X", raises=True, oracle=False, why="it takes L instead"),
        )
    ),
    *_square("_npi_eigvals", integers=True, numeric=False),
    sample("_npi_eigvals", values([[4, 9], [2, 5]]), numeric=False),
    sample("_npi_eigvals", values([[0, 1], [-1, 0]]), raises=True),
    *_square("_npi_eig", integers=True, numeric=False, vectors=True),
    sample("_npi_eig", values([[4, 9], [2, 5]]), numeric=False),
    sample("_npi_eig", values([[0, 1], [-1, 0]]), raises=True),
]

SOLVE = [
    sample("_npi_solve", values(REGULAR), rand(3, 2)),
    sample("_npi_solve", values(REGULAR), rand(3), gradient=False),
    sample(
        "_npi_solve",
        *(values(REGULAR), rand(3)),
        label="gradient",
        oracle=False,
        why="the original has no gradient for vectors",
    ),
    sample("_npi_solve", values([REGULAR, POSITIVE]), rand(2, 3, 1)),
    sample("_npi_solve", values([REGULAR, POSITIVE]), rand(2, 3), gradient=False),
    sample("_npi_solve", values([[2]]), rand(1), gradient=False),
    sample("_npi_solve", values(REGULAR, "float64"), rand(3, 1, dtype="float64")),
    sample("_npi_solve", ints(2, 2, low=1), ints(2, high=9), gradient=False),
    sample("_npi_solve", values(REGULAR), rand(3, dtype="float64"), gradient=False),
    *(
        sample("_npi_solve", rand(*a), rand(*b), numeric=False)
        for a, b in [((0, 0), (0,)), ((0, 0), (0, 2)), ((3, 3), (3, 0))]
    ),
    sample("_npi_solve", rand(0, 3, 3), rand(0, 3), gradient=False),
    *(
        sample("_npi_solve", rand(*a), rand(*b), raises=True)
        for a, b in [
            ((2, 3, 3), (3, 1)),
            ((3, 3), (2, 3, 1)),
            ((1, 3, 3), (2, 3, 1)),
            ((2, 3), (2,)),
            ((3,), (3,)),
            ((3, 3), (2,)),
            ((3, 3), ()),
        ]
    ),
    sample("_npi_solve", SINGULAR, rand(2), raises=True),
    sample("_npi_solve", rand(2, 2, dtype="float16"), rand(2, dtype="float16"), raises=True),
    sample("_npi_solve", rand(2, 2, dtype="bool"), rand(2, dtype="bool"), raises=True),
]

TENSORS = [
    *(
        sample("_npi_tensorinv", rand(*shape), ind=ind, rtol=1e-3, atol=1e-3)
        for shape, ind in [((2, 3, 6), 2), ((6, 2, 3), "1"), ((4, 4), 1), ((2, 2, 1, 4), 2)]
    ),
    sample("_npi_tensorinv", rand(2, 1, 2)),
    sample("_npi_tensorinv", rand(2, 2, dtype="float64"), ind=1),
    *(
        sample("_npi_tensorinv", rand(*shape), ind=ind, raises=True)
        for shape, ind in [
            ((2, 3, 6), 0),
            ((2, 3, 6), -1),
            ((2, 3, 6), 3),
            ((2, 3, 6), 1),
            ((4,), 1),
            ((), 1),
            ((0, 0), 1),
            ((2, 2), 4),
        ]
    ),
    sample("_npi_tensorinv", ints(2, 2, low=1), ind=1, raises=True),
    sample("_npi_tensorinv", SINGULAR, ind=1, raises=True),
    *(
        sample("_npi_tensorsolve", rand(*a), rand(*b), attrs=axes, rtol=1e-3, atol=1e-3)
        for a, b, axes in [
            ((2, 3, 6), (2, 3), {}),
            ((2, 6, 3), (2, 3), {"a_axes": (1,)}),
            ((6, 2, 3), (2, 3), {"a_axes": -3}),
            ((2, 3, 2, 3), (2, 3), {"a_axes": ()}),
            ((4, 4), (4,), {}),
            ((3, 2, 6, 1), (6,), {"a_axes": (1, 0)}),
            ((2, 3, 6), (3, 2), {}),
        ]
    ),
    sample("_npi_tensorsolve", rand(), rand()),
    sample("_npi_tensorsolve", rand(1, 1, 1), rand()),
    sample("_npi_tensorsolve", rand(0, 0), rand(0), numeric=False),
    sample("_npi_tensorsolve", rand(2, 2, dtype="float64"), rand(2, dtype="float64")),
    sample("_npi_tensorsolve", ints(2, 2, low=1), ints(2), gradient=False),
    sample("_npi_tensorsolve", rand(2, 2), rand(2, dtype="float64"), gradient=False),
    *(
        sample("_npi_tensorsolve", rand(*a), rand(*b), raises=True)
        for a, b in [((2, 3, 5), (2, 3)), ((2, 3, 6), (6,)), ((2, 3), (2,))]
    ),
]

DIAGONAL = values([[1, 0, 0], [0, 0.1, 0], [0, 0, 0.01]])
PINV = [
    *(
        sample("_npi_pinv", rand(*a), values([0.01] * b[0] if b else 0.01), numeric=False)
        for a, b in [((2, 3), ()), ((3, 2), ()), ((4, 2, 3), ()), ((4, 2, 3), (4,)), ((0, 3), ())]
    ),
    sample("_npi_pinv", rand(2, 2, 2, 3), values([[0.1, 0.01]]), numeric=False),
    sample("_npi_pinv", DIAGONAL, values(0.05), numeric=False),
    sample("_npi_pinv", values(POSITIVE), values(0.05), hermitian=True, numeric=False),
    *(
        sample("_npi_pinv", rand(*a), rand(*b), raises=True)
        for a, b in [((2, 3), (1,)), ((4, 2, 3), (2,)), ((3,), ())]
    ),
    sample("_npi_pinv_scalar_rcond", rand(2, 3), numeric=False),
    sample("_npi_pinv_scalar_rcond", rand(2, 3, 2, dtype="float64"), numeric=False),
    sample("_npi_pinv_scalar_rcond", DIAGONAL, rcond=0.05, numeric=False),
    sample("_npi_pinv_scalar_rcond", values(POSITIVE), hermitian=True, numeric=False),
    *(sample("_npi_pinv_scalar_rcond", rand(*shape), numeric=False) for shape in (*EMPTY, (0, 3))),
    *(sample("_npi_pinv_scalar_rcond", rand(*shape), raises=True) for shape in ((3,), ())),
    *(
        sample("_npi_pinv_scalar_rcond", rand(2, 3, dtype=dtype), raises=True)
        for dtype in NOT_EXACT
    ),
]


MATRIX_ORDERS = (1, -1, 2, -2, inf, -inf)
TWICE = "the original multiplies the gradient of the result in twice"


def _norm(array, order, axis, keepdims=False, flag=-1, **fields):
    """A call with all attributes, as the functions of the original make it."""
    return sample("_npi_norm", array, ord=order, axis=axis, keepdims=keepdims, flag=flag, **fields)


NORM = [
    *(_norm(rand(*shape), 2, None, flag=-2) for shape in ((2, 3), (3,), (), (2, 3, 2))),
    _norm(rand(2, 3), 2, None, True, flag=-2),
    *(
        _norm(rand(2, 3), 2, axis, keepdims, flag=1)
        for axis in (0, -1, (0, 1), (1, 0), (-2, -1), None)
        for keepdims in (False, True)
    ),
    *(_norm(rand(2, 3, 2), order, axis) for order in (1, -1, 2, -2, 3, 0.5) for axis in (0, -1)),
    _norm(values([[0, 2, 0], [1, -1, 0]]), 0, 1, numeric=False),
    *(_norm(rand(3), order, None) for order in (1, -1, 2, 3)),
    *(_norm(rand(2, 3), order, None, gradient=False) for order in MATRIX_ORDERS),
    *(_norm(rand(2, 2, 3), order, None, gradient=False) for order in MATRIX_ORDERS),
    *(_norm(rand(2, 2, 3), order, (0, 1), True, gradient=False) for order in (2, inf)),
    *(
        _norm(rand(2, 3), order, (-2, -1), label="gradient", oracle=False, why=TWICE)
        for order in MATRIX_ORDERS
    ),
    *(_norm(rand(*shape), 2, None, flag=2) for shape in ((2, 3), (2, 2, 3))),
    _norm(rand(2, 3), 2, (0, 1), True, flag=2),
    *(_norm(rand(0), order, 0, numeric=False) for order in (1, 2, -1)),
    _norm(rand(0), 2, None, flag=-2, numeric=False),
    _norm(rand(2, 3, dtype="float64"), 2, None, flag=-2),
    _norm(rand(2, 3, dtype="float16"), 2, None, flag=-2, rtol=1e-2, atol=1e-2),
    _norm(
        *(values([[3, 0], [4, 5]], "int32"), 2, 0),
        oracle=False,
        why="the original adds whole roots up; whole norms are meant",
    ),
    _norm(rand(2, 3), 2, 5, raises=True),
    _norm(rand(2, 3), 2, (0, 0), flag=1, raises=True),
    _norm(rand(2, 3, 4), 2, (0, 1, 2), raises=True),
    _norm(rand(2, 3), 2, 0, flag=2, raises=True),
    _norm(rand(), 2, None, raises=True),
    _norm(
        rand(2, 3), 3, (0, 1), raises=True, oracle=False, why="the original returns another norm"
    ),
    _norm(rand(2, 3), inf, 0, oracle=False, why="the original leaves it to its frontend"),
]

SAMPLES = [*FACTORIZATIONS, *EIGEN, *SOLVE, *TENSORS, *PINV, *NORM]
