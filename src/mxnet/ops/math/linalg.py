"""Products of vectors, matrices and higher arrays, linear algebra, and Fourier transforms."""

from __future__ import annotations

from dataclasses import replace
from math import isqrt
from typing import Literal, TypeAlias

import torch
from torch import Tensor, mm

from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.devices import is_captured
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import Attention, Files, Fusion, Labels, Shapes, Storage, Traits
from mxnet.ops.rules import flops, misfits, shape_rules, storage_types

StorageType: TypeAlias = Literal["csr", "default", "row_sparse"]


@op(
    "dot",
    strict_dtypes=True,
    fresh=True,
    traits=Traits(
        flops=flops.transposable_product(first=0),
        shapes=Shapes(misfit=misfits.product_over(0)),
        storage=Storage(
            result=storage_types.of_product,
            gradient=storage_types.of_product_gradient,
            algorithm="matrix_product",
        ),
    ),
)
def dot(
    lhs: Tensor,
    rhs: Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: StorageType | None = None,
) -> Tensor:
    """Multiplies two arrays over the last axis of the first and the first axis of the second.

    Args:
        lhs: Array of any shape.
        rhs: Array of any shape.
        transpose_a: Whether to take the first axis of `lhs` as its last one.
        transpose_b: Whether to take the last axis of `rhs` as its first one.
        forward_stype: Storage type of the result, for sparse frontends.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.dot(mx.nd.array([1, 2]), mx.nd.array([3, 4])).asnumpy())
        [11.]
    """
    if lhs.ndim == 2 == rhs.ndim:
        return mm(lhs.t() if transpose_a else lhs, rhs.t() if transpose_b else rhs)
    if lhs.ndim == 1 and rhs.ndim == 1:
        if transpose_a or transpose_b:
            raise MXNetError("dot: expected matrices to transpose, got two vectors")
        return torch.dot(lhs, rhs).view(1)
    if transpose_a:
        lhs = lhs.movedim(0, -1)
    if transpose_b:
        rhs = rhs.movedim(-1, 0)
    product = mm(lhs.reshape(-1, lhs.shape[-1]), rhs.reshape(rhs.shape[0], -1))
    return product.reshape(lhs.shape[:-1] + rhs.shape[1:])


def _split_scores(
    lhs: Tensor,
    rhs: Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    **_: object,
) -> tuple[Tensor, Tensor, float]:
    return lhs.mT if transpose_a else lhs, rhs if transpose_b else rhs.mT, alpha


def _find_weights(
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
    **_: object,
) -> tuple[int, ...]:
    """Returns which factor can have weights in its rows, which multiply the rows of the other."""
    if alpha != 1 or axis != -2:
        return ()
    return (*(() if transpose_a else (0,)), *((1,) if transpose_b else ()))


def _split_values(
    other: Tensor, *, place: int, transpose_a: bool = False, transpose_b: bool = False, **_: object
) -> Tensor:
    if place:
        return other if transpose_a else other.mT
    return other.mT if transpose_b else other


def _join(sums: Tensor, *, place: int, **_: object) -> Tensor:
    return sums.mT.contiguous() if place else sums


PRODUCT_OF_ATTENTION = Attention(
    split_scores=_split_scores, weights=_find_weights, split_values=_split_values, join=_join
)
"""Of matrices, the first or second of which may be transposed."""


@op(
    "batch_dot",
    aliases=("_npx_batch_dot",),
    strict_dtypes=True,
    fresh=True,
    traits=Traits(
        flops=flops.transposable_product(first=-2),
        shapes=Shapes(misfit=misfits.product_over(-2), ready=shape_rules.has_inner_lengths),
        fusion=Fusion(attention=PRODUCT_OF_ATTENTION),
    ),
)
def batch_dot(
    lhs: Tensor,
    rhs: Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: StorageType | None = None,
) -> Tensor:
    """Multiplies batches of matrices.

    Args:
        lhs: Array of shape `(..., m, k)`, of three axes or more.
        rhs: Array of shape `(..., k, n)` with the same leading axes.
        transpose_a: Whether `lhs` has shape `(..., k, m)`.
        transpose_b: Whether `rhs` has shape `(..., n, k)`.
        forward_stype: Storage type of the result, for sparse frontends.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.batch_dot(mx.nd.ones((4, 2, 3)), mx.nd.ones((4, 3, 5))).shape
        (4, 2, 5)
        >>> mx.nd.batch_dot(mx.nd.ones((4, 2, 3)), mx.nd.ones((4, 5, 3)), transpose_b=True).shape
        (4, 2, 5)
    """
    if lhs.ndim < 3 or lhs.shape[:-2] != rhs.shape[:-2]:
        raise MXNetError(
            "batch_dot: expected matrices in equal batches, "
            f"got shapes {tuple(lhs.shape)} and {tuple(rhs.shape)}"
        )
    product = torch.bmm if lhs.ndim == 3 == rhs.ndim else torch.matmul
    return product(lhs.mT if transpose_a else lhs, rhs.mT if transpose_b else rhs)


@op("khatri_rao")
def khatri_rao(*args: Tensor) -> Tensor:
    """Computes the Khatri-Rao product: the Kronecker product column by column.

    Args:
        *args: Matrices with equal numbers of columns.

    Example:
        >>> import mxnet as mx
        >>> x, y = mx.nd.array([[1, 2], [3, 4]]), mx.nd.array([[1, 10], [2, 20]])
        >>> print(mx.nd.khatri_rao(x, y).asnumpy())
        [[ 1. 20.]
         [ 2. 40.]
         [ 3. 40.]
         [ 6. 80.]]
    """
    if not args or any(array.ndim != 2 for array in args):
        raise MXNetError("khatri_rao: expected one or more matrices")
    columns = args[0].shape[1]
    check_like("khatri_rao", (*(len(array) for array in args), columns), args[0])
    product = args[0].clone()
    for array in args[1:]:
        if array.shape[1] != columns:
            raise MXNetError(f"khatri_rao: expected {columns} columns, got {array.shape[1]}")
        product = (product.unsqueeze(1) * array).reshape(-1, columns)
    return product


def _check_matrices(name: str, A: Tensor, *, square: bool = False) -> None:
    if not A.is_floating_point() or A.ndim < 2 or (square and A.shape[-1] != A.shape[-2]):
        expected = "square matrices" if square else "matrices"
        raise MXNetError(
            f"{name}: expected {expected} of floats, got shape {tuple(A.shape)} of {A.dtype}"
        )


def _check_batches(name: str, A: Tensor, B: Tensor) -> None:
    if A.ndim != B.ndim or A.shape[:-2] != B.shape[:-2]:
        raise MXNetError(
            f"{name}: expected equal batches, got shapes {tuple(A.shape)} and {tuple(B.shape)}"
        )


def _scaled(result: Tensor, factor: float) -> Tensor:
    return result if factor == 1 else result * factor


def _row_axis(name: str, ndim: int, axis: int) -> int:
    position = axis + ndim if axis < 0 else axis
    if not 0 <= position < ndim - 1:
        raise MXNetError(f"{name}: expected a row axis before the last one, got axis {axis}")
    return position


def _product(name: str, A: Tensor, B: Tensor, transpose_a: bool, transpose_b: bool) -> Tensor:
    _check_matrices(name, A)
    _check_batches(name, A, B)
    return torch.matmul(A.mT if transpose_a else A, B.mT if transpose_b else B)


_PRODUCT = Traits(
    flops=flops.transposable_product(first=-2), shapes=Shapes(misfit=misfits.product_over(-2))
)
_SQUARE = Traits(shapes=Shapes(inputs=shape_rules.like_output))
_TRIANGULAR = Traits(shapes=Shapes(inputs=shape_rules.triangular))


@op(
    "_linalg_gemm2",
    aliases=("linalg_gemm2",),
    traits=replace(_PRODUCT, fusion=Fusion(attention=PRODUCT_OF_ATTENTION)),
)
def gemm2(
    A: Tensor,
    B: Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
) -> Tensor:
    """Computes ``alpha * A @ B`` for each pair of matrices.

    Args:
        A: Matrices of shape `(..., m, k)`.
        B: Matrices of shape `(..., k, n)` in equal batches.
        transpose_a: Whether to transpose the matrices in `A`.
        transpose_b: Whether to transpose the matrices in `B`.
        alpha: Factor of the product.
        axis: Axis that holds the rows; the columns are the last one.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.linalg.gemm2(mx.nd.ones((2, 3)), mx.nd.ones((4, 3)), transpose_b=True).shape
        (2, 4)
    """
    if axis == -2:
        return _scaled(_product("_linalg_gemm2", A, B, transpose_a, transpose_b), alpha)
    rows = _row_axis("_linalg_gemm2", A.ndim, axis)
    left, right = A.movedim(rows, -2), B.movedim(rows, -2)
    product = _product("_linalg_gemm2", left, right, transpose_a, transpose_b)
    return _scaled(product, alpha).movedim(-2, rows)


@op(
    "_linalg_gemm",
    aliases=("linalg_gemm",),
    traits=replace(_PRODUCT, shapes=Shapes(inputs=shape_rules.add_product)),
)
def gemm(
    A: Tensor,
    B: Tensor,
    C: Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
) -> Tensor:
    """Computes ``alpha * A @ B + beta * C`` for each triple of matrices.

    Args:
        A: Matrices of shape `(..., m, k)`.
        B: Matrices of shape `(..., k, n)` in equal batches.
        C: Matrices of shape `(..., m, n)` in equal batches.
        transpose_a: Whether to transpose the matrices in `A`.
        transpose_b: Whether to transpose the matrices in `B`.
        alpha: Factor of the product.
        beta: Factor of `C`.
        axis: Axis that holds the rows; the columns are the last one.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[1, 2], [3, 4]])
        >>> print(mx.nd.linalg.gemm(x, x, mx.nd.ones((2, 2)), alpha=2, beta=10).asnumpy())
        [[24. 30.]
         [40. 54.]]
    """
    product = gemm2(A, B, transpose_a=transpose_a, transpose_b=transpose_b, alpha=alpha, axis=axis)
    if product.shape != C.shape:
        raise MXNetError(
            f"_linalg_gemm: expected C of shape {tuple(product.shape)}, got {tuple(C.shape)}"
        )
    return torch.add(product, C, alpha=beta)


@op("_linalg_syrk", aliases=("linalg_syrk",))
def syrk(A: Tensor, *, transpose: bool = False, alpha: float = 1.0) -> Tensor:
    """Computes ``alpha * A @ A.T`` for each matrix.

    Args:
        A: Matrices of shape `(..., m, n)`.
        transpose: Whether to compute ``alpha * A.T @ A`` instead.
        alpha: Factor of the product.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.linalg.syrk(mx.nd.array([[1, 2], [3, 4]])).asnumpy())
        [[ 5. 11.]
         [11. 25.]]
    """
    return _scaled(_product("_linalg_syrk", A, A, transpose, not transpose), alpha)


def _check_triangular(name: str, A: Tensor, B: Tensor, rightside: bool) -> None:
    _check_matrices(name, A, square=True)
    _check_batches(name, A, B)
    if B.shape[-1 if rightside else -2] != A.shape[-1]:
        raise MXNetError(
            f"{name}: expected B to fit A, got shapes {tuple(A.shape)} and {tuple(B.shape)}"
        )


def _triangle(A: Tensor, lower: bool, transpose: bool) -> Tensor:
    triangle = A.tril() if lower else A.triu()
    return triangle.mT if transpose else triangle


@op("_linalg_trmm", aliases=("linalg_trmm",), traits=_TRIANGULAR)
def trmm(
    A: Tensor,
    B: Tensor,
    *,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
) -> Tensor:
    """Multiplies triangular matrices with others, ``alpha * A @ B``.

    Args:
        A: Square matrices, of which only one triangle is read.
        B: Matrices in equal batches.
        transpose: Whether to transpose the triangular matrices.
        rightside: Whether the triangular matrices stand on the right.
        lower: Whether the lower triangle is read.
        alpha: Factor of the product.

    Example:
        >>> import mxnet as mx
        >>> lower = mx.nd.array([[1, 0], [2, 3]])
        >>> print(mx.nd.linalg.trmm(lower, mx.nd.array([[1, 1], [1, 2]])).asnumpy())
        [[1. 1.]
         [5. 8.]]
    """
    _check_triangular("_linalg_trmm", A, B, rightside)
    triangle = _triangle(A, lower, transpose)
    return _scaled(B @ triangle if rightside else triangle @ B, alpha)


@op("_linalg_trsm", aliases=("linalg_trsm",), traits=_TRIANGULAR)
def trsm(
    A: Tensor,
    B: Tensor,
    *,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
) -> Tensor:
    """Solves ``A @ X = alpha * B`` for triangular matrices `A`.

    Args:
        A: Square matrices, of which only one triangle is read.
        B: Right-hand sides in equal batches.
        transpose: Whether to transpose the triangular matrices.
        rightside: Whether to solve ``X @ A = alpha * B`` instead.
        lower: Whether the lower triangle is read.
        alpha: Factor of the right-hand sides.

    Example:
        >>> import mxnet as mx
        >>> lower = mx.nd.array([[1, 0], [2, 4]])
        >>> print(mx.nd.linalg.trsm(lower, mx.nd.array([[1], [6]])).asnumpy())
        [[1.]
         [1.]]
    """
    _check_triangular("_linalg_trsm", A, B, rightside)
    solution: Tensor = torch.linalg.solve_triangular(
        _triangle(A, lower, transpose),
        _scaled(B, alpha),
        upper=lower == transpose,
        left=not rightside,
    )
    return solution


def cholesky_of(matrices: Tensor, *, upper: bool = False) -> Tensor:
    """Returns Cholesky factors; work that is captured cannot refuse what has none."""
    factor: Tensor
    if is_captured(matrices):
        factor = torch.linalg.cholesky_ex(matrices, upper=upper).L
    else:
        factor = torch.linalg.cholesky(matrices, upper=upper)
    return factor


def inverse_of(matrices: Tensor) -> Tensor:
    """Returns inverses; work that is captured cannot refuse singular matrices."""
    inverse: Tensor
    if is_captured(matrices):
        inverse = torch.linalg.inv_ex(matrices).inverse
    else:
        inverse = torch.linalg.inv(matrices)
    return inverse


def solution_of(matrices: Tensor, sides: Tensor) -> Tensor:
    """Returns solutions of equations; work that is captured cannot refuse singular matrices."""
    solution: Tensor
    if is_captured(matrices):
        solution = torch.linalg.solve_ex(matrices, sides).result
    else:
        solution = torch.linalg.solve(matrices, sides)
    return solution


@op("_linalg_potrf", aliases=("linalg_potrf",), traits=_SQUARE)
def potrf(A: Tensor, *, lower: bool = True) -> Tensor:
    """Computes the Cholesky factor of each matrix, `L` with ``A = L @ L.T``.

    Args:
        A: Symmetric, positive definite matrices, of which one triangle is read.
        lower: Whether to read the lower triangle and give `L`; else the upper one and ``L.T``.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.linalg.potrf(mx.nd.array([[4, 2], [2, 10]])).asnumpy())
        [[2. 0.]
         [1. 3.]]
    """
    return cholesky_of(A, upper=not lower)


@op("_linalg_potri", aliases=("linalg_potri",), traits=_SQUARE)
def potri(A: Tensor, *, lower: bool = True) -> Tensor:
    """Computes the inverse of a matrix from its Cholesky factor: of ``A @ A.T``.

    Args:
        A: Triangular matrices; the other triangle is not read.
        lower: Whether they are lower triangular; else the inverse is that of ``A.T @ A``.

    Example:
        >>> import mxnet as mx
        >>> factor = mx.nd.linalg.potrf(mx.nd.array([[4, 0], [0, 2]]))
        >>> print(mx.nd.linalg.potri(factor).asnumpy().round(3) + 0)
        [[0.25 0.  ]
         [0.   0.5 ]]
    """
    _check_matrices("_linalg_potri", A, square=True)
    return torch.cholesky_inverse(A.tril() if lower else A.triu(), upper=not lower)


@op("_linalg_sumlogdiag", aliases=("linalg_sumlogdiag",))
def sumlogdiag(A: Tensor) -> Tensor:
    """Sums the logarithms of the diagonal of each matrix.

    Args:
        A: Square matrices.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.linalg.sumlogdiag(mx.nd.array([[1, 5], [0, 1]])).asnumpy())
        [0.]
    """
    _check_matrices("_linalg_sumlogdiag", A, square=True)
    return _per_matrix(A.diagonal(0, -2, -1).log().sum(-1))


def _per_matrix(result: Tensor) -> Tensor:
    """Returns the number of a single matrix the shape `(1,)`."""
    return result if result.ndim else result.view(1)


@op("_linalg_gelqf", aliases=("linalg_gelqf",), num_outputs=2)
def gelqf(A: Tensor) -> tuple[Tensor, Tensor]:
    """Factorizes each matrix into ``L @ Q`` and gives `Q` and `L`.

    The rows of `Q` are orthonormal, `L` is lower triangular.

    Args:
        A: Matrices of shape `(..., m, n)` with `m <= n`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[3, 4], [0, 5]])
        >>> q, lower = mx.nd.linalg.gelqf(x)
        >>> print(mx.nd.dot(lower, q).asnumpy().round(3))
        [[3. 4.]
         [0. 5.]]
        >>> print(mx.nd.dot(q, q.T).asnumpy().round(3) + 0)
        [[1. 0.]
         [0. 1.]]
    """
    _check_matrices("_linalg_gelqf", A)
    if A.shape[-2] > A.shape[-1]:
        raise MXNetError(
            f"_linalg_gelqf: expected no more rows than columns, got shape {tuple(A.shape)}"
        )
    orthonormal, triangle = torch.linalg.qr(A.mT)
    return orthonormal.mT, triangle.mT


@op("_linalg_syevd", num_outputs=2)
def syevd(A: Tensor) -> tuple[Tensor, Tensor]:
    """Computes eigenvectors and eigenvalues of each symmetric matrix.

    The eigenvectors are rows, in order of ascending eigenvalues; the entry of largest magnitude in
    each is positive.

    Args:
        A: Symmetric matrices, of which the lower triangle is read.

    Example:
        >>> import mxnet as mx
        >>> vectors, values = mx.nd.linalg.syevd(mx.nd.array([[2, 0], [0, 5]]))
        >>> print(values.asnumpy())
        [2. 5.]
        >>> print(vectors.abs().asnumpy())
        [[1. 0.]
         [0. 1.]]
    """
    values, columns = torch.linalg.eigh(A)
    vectors = columns.mT
    largest = vectors.detach().abs().argmax(-1, keepdim=True)
    return torch.where(vectors.gather(-1, largest) < 0, -vectors, vectors), values


@op("_linalg_inverse", aliases=("linalg_inverse", "_npi_inv"))
def inverse(A: Tensor) -> Tensor:
    """Inverts each matrix.

    Args:
        A: Square matrices that are not singular.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.linalg.inverse(mx.nd.array([[2, 0], [0, 4]])).asnumpy())
        [[0.5  0.  ]
         [0.   0.25]]
    """
    return inverse_of(A)


@op(
    "_linalg_det",
    aliases=("linalg_det",),
    traits=Traits(
        labels=Labels(outputs=("output0", "output1", "output2")), files=Files(numpy_twin="_npi_det")
    ),
)
def det(A: Tensor) -> Tensor:
    """Computes the determinant of each matrix.

    Args:
        A: Square matrices.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.linalg.det(mx.nd.array([[2, 1], [0, 4]])).asnumpy())
        [8.]
    """
    return _per_matrix(torch.linalg.det(A))


@op(
    "_linalg_slogdet",
    aliases=("linalg_slogdet",),
    num_outputs=2,
    traits=Traits(
        labels=Labels(outputs=("output0", "output1", "output2", "output3")),
        files=Files(numpy_twin="_npi_slogdet"),
    ),
)
def slogdet(A: Tensor) -> tuple[Tensor, Tensor]:
    """Computes sign and logarithm of the magnitude of each matrix's determinant.

    Args:
        A: Square matrices.

    Example:
        >>> import mxnet as mx
        >>> sign, logarithm = mx.nd.linalg.slogdet(mx.nd.array([[-1, 0], [0, 1]]))
        >>> print(sign.asnumpy(), logarithm.asnumpy())
        [-1.] [0.]
    """
    sign, logarithm = torch.linalg.slogdet(A)
    return _per_matrix(sign), _per_matrix(logarithm)


def _check_offset(name: str, A: Tensor, offset: int) -> None:
    _check_matrices(name, A, square=True)
    if abs(offset) >= A.shape[-1]:
        raise MXNetError(f"{name}: expected an offset inside {tuple(A.shape)}, got {offset}")


@op("_linalg_extractdiag", aliases=("linalg_extractdiag",))
def extractdiag(A: Tensor, *, offset: int = 0) -> Tensor:
    """Returns a diagonal of each matrix.

    Args:
        A: Square matrices.
        offset: Which diagonal; positive above the main one, negative below.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.linalg.extractdiag(mx.nd.array([[1, 2], [3, 4]])).asnumpy())
        [1. 4.]
    """
    _check_offset("_linalg_extractdiag", A, offset)
    return A.diagonal(offset, -2, -1).clone()


@op("_linalg_makediag", aliases=("linalg_makediag",))
def makediag(A: Tensor, *, offset: int = 0) -> Tensor:
    """Makes square matrices that are zero but for one diagonal.

    Args:
        A: Diagonals, along the last axis.
        offset: Which diagonal; positive above the main one, negative below.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.linalg.makediag(mx.nd.array([1, 2])).asnumpy())
        [[1. 0.]
         [0. 2.]]
    """
    _check_vectors("_linalg_makediag", A)
    check_like("_linalg_makediag", (*A.shape[:-1], *(A.shape[-1] + abs(offset),) * 2), A)
    return torch.diag_embed(A, offset)


def _check_vectors(name: str, A: Tensor) -> None:
    if not A.is_floating_point():
        raise MXNetError(f"{name}: expected floats, got {A.dtype}")


def _triangle_indices(size: int, offset: int, lower: bool, A: Tensor) -> tuple[Tensor, Tensor]:
    """Returns rows and columns of a triangle, packed as the rows of the lower one are."""
    outer, inner = torch.tril_indices(size, size, -abs(offset), device=A.device)
    return (outer, inner) if offset < 0 or (lower and offset == 0) else (inner, outer)


@op("_linalg_extracttrian", aliases=("linalg_extracttrian",))
def extracttrian(A: Tensor, *, offset: int = 0, lower: bool = True) -> Tensor:
    """Packs a triangle of each matrix into a vector.

    The lower triangle is packed row by row, the upper one column by column.

    Args:
        A: Square matrices.
        offset: The diagonal that bounds the triangle; positive for the triangle above, negative for
            that below.
        lower: Which triangle to take for offset 0.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.linalg.extracttrian(mx.nd.array([[1, 2], [3, 4]])).asnumpy())
        [1. 3. 4.]
    """
    _check_offset("_linalg_extracttrian", A, offset)
    rows, columns = _triangle_indices(A.shape[-1], offset, lower, A)
    return A[..., rows, columns]


@op("_linalg_maketrian", aliases=("linalg_maketrian",))
def maketrian(A: Tensor, *, offset: int = 0, lower: bool = True) -> Tensor:
    """Makes square matrices that are zero but for a triangle, from the packed triangles.

    Args:
        A: Triangles along the last axis: the lower one row by row, the upper one column by column.
        offset: The diagonal that bounds the triangle; positive for the triangle above, negative for
            that below.
        lower: Which triangle to fill for offset 0.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.linalg.maketrian(mx.nd.array([1, 2, 3])).asnumpy())
        [[1. 0.]
         [2. 3.]]
    """
    _check_vectors("_linalg_maketrian", A)
    length = A.shape[-1]
    side = (isqrt(8 * length + 1) - 1) // 2
    if side * (side + 1) // 2 != length:
        raise MXNetError(f"_linalg_maketrian: expected the size of a triangle, got {length}")
    size = side + abs(offset)
    check_like("_linalg_maketrian", (*A.shape[:-1], size, size), A)
    rows, columns = _triangle_indices(size, offset, lower, A)
    matrices = A.new_zeros((*A.shape[:-1], size, size))
    matrices[..., rows, columns] = A
    return matrices


def _check(name: str, data: Tensor, multiple: int) -> None:
    if data.ndim not in (2, 4) or data.shape[-1] % multiple or not data.is_floating_point():
        raise MXNetError(
            f"{name}: floats with 2 or 4 axes, the last of a size in multiples of {multiple}, "
            f"expected, got {data.dtype} of shape {tuple(data.shape)}"
        )


def _wide(data: Tensor) -> Tensor:
    """Returns single precision at least: transforms of half precision are not everywhere."""
    return data.float() if data.element_size() < 4 else data


@op("_contrib_fft")
def fft(data: Tensor, *, compute_size: int = 128) -> Tensor:
    """Computes the Fourier transform of real numbers along the last axis.

    Args:
        data: Array of shape `(..., size)` with 2 or 4 axes.
        compute_size: Accepted for compatibility.

    Returns:
        Array of shape `(..., 2 * size)`: real and imaginary parts in turn.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.contrib.fft(mx.nd.array([[1, 0, 0, 0]])).asnumpy() + 0)
        [[1. 0. 1. 0. 1. 0. 1. 0.]]
    """
    _check("_contrib_fft", data, 1)
    return torch.view_as_real(torch.fft.fft(_wide(data))).flatten(-2).to(data.dtype)


@op("_contrib_ifft")
def ifft(data: Tensor, *, compute_size: int = 128) -> Tensor:
    """Computes the real part of the inverse Fourier transform, without the division by the size.

    Args:
        data: Real and imaginary parts in turn, of shape `(..., 2 * size)` with 2 or 4 axes.
        compute_size: Accepted for compatibility.

    Returns:
        Array of shape `(..., size)`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.contrib.ifft(mx.nd.array([[1, 0, 1, 0]])).asnumpy())
        [[2. 0.]]
    """
    _check("_contrib_ifft", data, 2)
    pairs = torch.view_as_complex(_wide(data).reshape(*data.shape[:-1], -1, 2))
    return torch.view_as_real(torch.fft.ifft(pairs, norm="forward"))[..., 0].to(data.dtype)


@op("_contrib_count_sketch")
def count_sketch(
    data: Tensor, h: Tensor, s: Tensor, *, out_dim: int, processing_batch_size: int = 32
) -> Tensor:
    """Projects to fewer numbers: each element is added, with a sign, to one place of the result.

    Args:
        data: Array of shape `(batch, size)`.
        h: The places of the elements, of shape `(1, size)`.
        s: Their signs, of shape `(1, size)`.
        out_dim: Size of the result.
        processing_batch_size: Accepted for compatibility.

    Returns:
        Array of shape `(batch, out_dim)`.

    Example:
        >>> import mxnet as mx
        >>> place, sign = mx.nd.array([[0, 1, 0]]), mx.nd.array([[1, 1, -1]])
        >>> x = mx.nd.array([[5, 6, 7]])
        >>> print(mx.nd.contrib.count_sketch(x, place, sign, out_dim=2).asnumpy())
        [[-2.  6.]]
    """
    if data.ndim != 2 or h.shape != (1, data.shape[1]) or s.shape != h.shape or out_dim < 1:
        raise MXNetError(
            "_contrib_count_sketch: data (batch, size), h and s (1, size) expected, got "
            f"{tuple(data.shape)}, {tuple(h.shape)} and {tuple(s.shape)}"
        )
    check_like("_contrib_count_sketch", (len(data), out_dim), data)
    signed = data * s.detach()
    return data.new_zeros(len(data), out_dim).index_add(1, h.detach()[0].long(), signed)
