"""Products, norms and linear algebra by NumPy's rules: stacks of matrices, true scalars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf, prod
from typing import Literal

import torch
from torch import Tensor, matmul, mm
from torch.nn.functional import pad

from mxnet._formats.element_types import name_of
from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import Fusion, Labels, Shapes, Traits
from mxnet.ops.math.linalg import PRODUCT_OF_ATTENTION, cholesky_of, inverse_of, solution_of
from mxnet.ops.rules import flops, misfits, shape_rules


def axes_of(name: str, axes: Sequence[int], ndim: int) -> list[int]:
    """Returns axes counted from the first one.

    Args:
        name: Operator that errors name.
        axes: Axes, which may be counted from the last one by negative numbers.
        ndim: Number of axes that there are.

    Raises:
        MXNetError: if an axis is none of them or occurs twice.
    """
    positions = [axis + ndim if axis < 0 else axis for axis in axes]
    if len(set(positions)) < len(axes) or not all(0 <= axis < ndim for axis in positions):
        raise MXNetError(f"{name}: expected different axes of {ndim}, got {tuple(axes)}")
    return positions


_PRODUCT = Traits(low_precision=True, flops=flops.product)


def _require_floats(name: str, a: Tensor) -> None:
    if not a.is_floating_point():
        raise MXNetError(f"{name}: expected floating-point arrays, got {name_of(a.dtype)}")


def _of_one_dtype(name: str, a: Tensor, b: Tensor) -> Tensor:
    if a.dtype is not b.dtype:
        raise MXNetError(
            f"{name}: expected arrays of one dtype, got {name_of(a.dtype)} and {name_of(b.dtype)}"
        )
    return b


@op(
    "_np_dot",
    strict_dtypes=True,
    fresh=True,
    traits=replace(
        _PRODUCT, shapes=Shapes(inputs=shape_rules.dot, misfit=misfits.product_over(-2))
    ),
)
def dot(a: Tensor, b: Tensor) -> Tensor:
    """Multiplies two arrays over the last axis of the first and the last but one of the second.

    Of vectors this is the inner product, of matrices the product; a scalar multiplies all elements.

    Args:
        a: First array.
        b: Second array, of the same dtype.

    Example:
        >>> from mxnet import np
        >>> print(np.dot(np.array([1.0, 2.0]), np.array([3.0, 4.0])))
        11.0
    """
    if not a.is_floating_point():
        _require_floats("_np_dot", a)
    if a.ndim == 2 == b.ndim:
        return mm(a, b)
    if not (a.ndim and b.ndim):
        return a * _of_one_dtype("_np_dot", a, b)
    if b.ndim <= 2:
        return matmul(a, b)
    product: Tensor = torch.tensordot(a, b, dims=([-1], [-2]))
    return product


@op(
    "_npi_matmul",
    strict_dtypes=True,
    fresh=True,
    traits=replace(
        _PRODUCT,
        labels=Labels(outputs=("out",)),
        shapes=Shapes(inputs=shape_rules.matmul, misfit=misfits.product_over(-2)),
        fusion=Fusion(attention=PRODUCT_OF_ATTENTION),
    ),
)
def matrix_product(a: Tensor, b: Tensor) -> Tensor:
    """Multiplies matrices or stacks of them, which broadcast against each other.

    Args:
        a: Matrices of shape `(..., m, k)`, or a vector of `k` elements, taken as a row.
        b: Matrices of shape `(..., k, n)`, or a vector of `k` elements, taken as a column.
    """
    if not a.is_floating_point():
        _require_floats("_npi_matmul", a)
    if not (a.ndim and b.ndim):
        raise MXNetError(
            "_npi_matmul: expected vectors or matrices, got a scalar; multiply with * instead"
        )
    return matmul(a, b)


def _sum_over(name: str, a: Tensor, b: Tensor, a_axes: list[int], b_axes: list[int]) -> Tensor:
    _require_floats(name, a)
    lengths = [a.shape[axis] for axis in a_axes], [b.shape[axis] for axis in b_axes]
    if lengths[0] != lengths[1]:
        raise MXNetError(
            f"{name}: expected equal lengths of the axes to sum over, "
            f"got {lengths[0]} and {lengths[1]}"
        )
    summed = prod(lengths[0])
    if summed:
        check_like(name, (a.numel() // summed, b.numel() // summed), a)
    product: Tensor = torch.tensordot(a, b, dims=(a_axes, b_axes))
    return product


@op(
    "_npi_tensordot",
    traits=replace(
        _PRODUCT,
        flops=flops.product_over("a_axes_summed"),
        shapes=Shapes(inputs=shape_rules.tensordot),
    ),
)
def tensordot(a: Tensor, b: Tensor, *, a_axes_summed: Shape, b_axes_summed: Shape) -> Tensor:
    """Multiplies two arrays and sums over pairs of axes.

    Args:
        a: First array.
        b: Second array, of the same dtype.
        a_axes_summed: Axes of `a` to sum over.
        b_axes_summed: The axis of `b` that belongs to each of them.
    """
    name = "_npi_tensordot"
    if len(a_axes_summed) != len(b_axes_summed):
        raise MXNetError(
            f"{name}: expected as many axes of each array, got {a_axes_summed} and {b_axes_summed}"
        )
    a_axes, b_axes = axes_of(name, a_axes_summed, a.ndim), axes_of(name, b_axes_summed, b.ndim)
    return _sum_over(name, a, b, a_axes, b_axes)


@op(
    "_npi_tensordot_int_axes",
    traits=replace(
        _PRODUCT,
        flops=flops.product_over("axes"),
        shapes=Shapes(inputs=shape_rules.tensordot_count),
    ),
)
def tensordot_int_axes(a: Tensor, b: Tensor, *, axes: int) -> Tensor:
    """Multiplies two arrays and sums over the last axes of the first, the first of the second.

    Args:
        a: First array.
        b: Second array, of the same dtype.
        axes: How many axes to sum over; 0, like any number below, gives the outer product.
    """
    name, count = "_npi_tensordot_int_axes", max(axes, 0)
    if count > min(a.ndim, b.ndim):
        raise MXNetError(
            f"{name}: expected at most {min(a.ndim, b.ndim)} axes to sum over, got {axes}"
        )
    return _sum_over(name, a, b, list(range(a.ndim - count, a.ndim)), list(range(count)))


_NORM = "_npi_norm"
_FLAT, _BY_ORDER, _FROBENIUS, _NUCLEAR = -2, -1, 1, 2
"""Which norm `flag` asks for: that of all elements, of order `ord`, or one of two with a name."""
_MATRIX_ORDERS = (1, -1, 2, -2, inf, -inf)


def _over_axes(data: Tensor, flag: int, order: float, axes: list[int], keepdims: bool) -> Tensor:
    if flag == _FROBENIUS or len(axes) == 1:
        vector_order = 2 if flag == _FROBENIUS else order
        if flag == _NUCLEAR:
            raise MXNetError(f"{_NORM}: expected two axes for the nuclear norm, got {axes}")
        norm: Tensor = torch.linalg.vector_norm(data, vector_order, axes, keepdims)
        return norm
    if flag == _NUCLEAR:
        norm = torch.linalg.matrix_norm(data, "nuc", axes, keepdims)
        return norm
    if order not in _MATRIX_ORDERS:
        raise MXNetError(f"{_NORM}: expected one of the orders {_MATRIX_ORDERS}, got {order}")
    norm = torch.linalg.matrix_norm(data, order, axes, keepdims)
    return norm


def _reduced(shape: Sequence[int], axes: Sequence[int], keepdims: bool) -> list[int]:
    lengths = [1 if axis in axes else length for axis, length in enumerate(shape)]
    return lengths if keepdims else [s for i, s in enumerate(lengths) if i not in axes]


@op(_NORM, traits=Traits(labels=Labels(outputs=("output0", "output1", "output2", "output3"))))
def norm(
    data: Tensor,
    *,
    ord: float = 2.0,
    axis: Shape | None = None,
    keepdims: bool = False,
    flag: int = _BY_ORDER,
) -> Tensor:
    """Computes a norm of vectors or matrices.

    Args:
        data: The array.
        ord: Order of the norm, which `flag` may override.
        axis: One axis along which vectors lie or two that matrices have. By default vectors and
            matrices are whole, and matrices are the last two axes of what has more.
        keepdims: Whether the axes stay, with length 1.
        flag: -1 for the norm of order `ord`, -2 for the 2-norm of all elements, 1 for the Frobenius
            norm, 2 for the nuclear norm.
    """
    if flag == _FLAT:
        axes = list(range(data.ndim))
    elif axis is None:
        axes = axes_of(_NORM, (-1,) if data.ndim < 2 else (-2, -1), data.ndim)
    else:
        axes = axes_of(_NORM, axis, data.ndim)
    if not (1 <= len(axes) <= 2 or flag == _FLAT):
        raise MXNetError(f"{_NORM}: expected one or two axes, got {axis}")
    if not data.numel():
        return data.new_zeros(_reduced(data.shape, axes, keepdims))
    exact = data if data.is_floating_point() else data.double()
    if flag == _FLAT:
        result: Tensor = torch.linalg.vector_norm(exact, 2, keepdim=keepdims)
    else:
        result = _over_axes(exact, flag, ord, axes, keepdims)
    return result.to(data.dtype)


_EXACT = (torch.float32, torch.float64)


def _check(name: str, A: Tensor, *, square: bool = True, integers: bool = False) -> None:
    """Refuses what is no stack of matrices, or of a dtype that factorizations do not take."""
    if A.ndim < 2 or (square and A.shape[-1] != A.shape[-2]):
        expected = "square matrices" if square else "matrices"
        raise MXNetError(f"{name}: expected {expected}, got shape {tuple(A.shape)}")
    _check_dtype(name, A, integers)


def _check_dtype(name: str, A: Tensor, integers: bool) -> None:
    is_integer = not (A.is_floating_point() or A.dtype is torch.bool)
    if A.dtype not in _EXACT and not (integers and is_integer):
        raise MXNetError(f"{name}: expected float32 or float64, got {name_of(A.dtype)}")


def _as_floats(A: Tensor) -> Tensor:
    """Returns integers as float64, which is the dtype that their results have."""
    return A if A.is_floating_point() else A.double()


@op("_npi_cholesky")
def cholesky(A: Tensor) -> Tensor:
    """Computes the Cholesky factor of each matrix: a lower triangle `L` with ``A = L @ L.T``.

    Args:
        A: Symmetric, positive definite matrices, of which the lower triangle is read.
    """
    _check("_npi_cholesky", A)
    return cholesky_of(A)


@op("_npi_det", traits=Traits(labels=Labels(outputs=("output0", "output1", "output2"))))
def det(A: Tensor) -> Tensor:
    """Computes the determinant of each matrix.

    Args:
        A: Square matrices.
    """
    _check("_npi_det", A)
    result: Tensor = torch.linalg.det(A)
    return result


@op(
    "_npi_slogdet",
    num_outputs=2,
    traits=Traits(labels=Labels(outputs=("output0", "output1", "output2", "output3"))),
)
def slogdet(A: Tensor) -> tuple[Tensor, Tensor]:
    """Computes sign and logarithm of the magnitude of each matrix's determinant.

    Args:
        A: Square matrices.
    """
    _check("_npi_slogdet", A)
    sign, logarithm = torch.linalg.slogdet(A)
    return sign, logarithm


@op("_npi_svd", num_outputs=3)
def svd(A: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Factorizes each matrix into ``U @ diag(L) @ V`` and returns `U`, `L` and `V`.

    The columns of `U` and the rows of `V` are orthonormal, the singular values `L` descend.

    Args:
        A: Matrices of shape `(..., m, n)` with `m <= n`.
    """
    _check("_npi_svd", A, square=False)
    if A.shape[-2] > A.shape[-1]:
        raise MXNetError(
            f"_npi_svd: expected no more rows than columns, got shape {tuple(A.shape)}; "
            "transpose the matrices"
        )
    left, values, right = torch.linalg.svd(A, full_matrices=False)
    # The entry of largest magnitude in each row of V is positive, as in the original.
    largest = right.detach().abs().argmax(-1, keepdim=True) if right.numel() else None
    if largest is None:
        return left, values, right
    sign = torch.where(right.detach().gather(-1, largest) < 0, -1, 1).to(A.dtype)
    return left * sign.mT, values, right * sign


@op("_npi_solve", strict_dtypes=True)
def solve(A: Tensor, B: Tensor) -> Tensor:
    """Solves ``A @ X = B`` for each pair of matrices.

    Args:
        A: Square matrices that are not singular.
        B: Right-hand sides in equal stacks: matrices, or vectors if they have one axis less.
    """
    name = "_npi_solve"
    _check(name, A, integers=True)
    _check_dtype(name, B, integers=True)
    rows = B.shape[:-1] if B.ndim == A.ndim else B.shape
    if B.ndim not in (A.ndim - 1, A.ndim) or rows != A.shape[:-1]:
        raise MXNetError(
            f"{name}: expected right-hand sides for each matrix, "
            f"got shapes {tuple(A.shape)} and {tuple(B.shape)}"
        )
    matrices, sides = _alike(A, B)
    vectors = B.ndim < A.ndim
    result = solution_of(matrices, sides.unsqueeze(-1) if vectors else sides)
    return result.squeeze(-1) if vectors else result


def _alike(A: Tensor, B: Tensor) -> tuple[Tensor, Tensor]:
    """Returns two arrays in the dtype of their results: float64 unless both are float32."""
    dtype = torch.promote_types(_as_floats(A).dtype, _as_floats(B).dtype)
    return A.to(dtype), B.to(dtype)


def _pseudo_inverse(A: Tensor, cutoff: Tensor | float) -> Tensor:
    result: Tensor = torch.linalg.pinv(A, rtol=cutoff)
    return result


@op("_npi_pinv", differentiable=False)
def pinv(A: Tensor, rcond: Tensor, *, hermitian: bool = False) -> Tensor:
    """Computes the pseudo-inverse of each matrix.

    Args:
        A: Matrices of shape `(..., m, n)`.
        rcond: Share of the largest singular value of a matrix below which its others count as
            zero, for each matrix or for all.
        hermitian: Whether the matrices are symmetric. It is accepted and has no effect.
    """
    _check("_npi_pinv", A, square=False)
    if rcond.ndim > A.ndim - 2:
        raise MXNetError(
            f"_npi_pinv: expected one number of `rcond` for each matrix, "
            f"got shapes {tuple(A.shape)} and {tuple(rcond.shape)}"
        )
    return _pseudo_inverse(A, rcond.detach().expand(A.shape[:-2]))


@op("_npi_pinv_scalar_rcond", differentiable=False)
def pinv_scalar_rcond(A: Tensor, *, rcond: float = 1e-15, hermitian: bool = False) -> Tensor:
    """Computes the pseudo-inverse of each matrix.

    Args:
        A: Matrices of shape `(..., m, n)`.
        rcond: Share of the largest singular value of a matrix below which its others count as zero.
        hermitian: Whether the matrices are symmetric. It is accepted and has no effect.
    """
    _check("_npi_pinv_scalar_rcond", A, square=False)
    return _pseudo_inverse(A, rcond)


@op("_npi_qr", num_outputs=2)
def qr(A: Tensor) -> tuple[Tensor, Tensor]:
    """Splits each matrix into one with orthonormal columns and an upper triangular one.

    Args:
        A: Matrices of shape `(..., m, n)`.
    """
    _check("_npi_qr", A, square=False, integers=True)
    q, r = torch.linalg.qr(_as_floats(A))
    return q, r


@op("_npi_lstsq", num_outputs=4, differentiable=False)
def lstsq(
    A: Tensor,
    B: Tensor,
    *,
    rcond: float = -1.0,
    finfoEps32: float = 2.0**-23,
    finfoEps64: float = 2.0**-52,
    new_default: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Solves linear equations so that the sum of squared deviations is least.

    Args:
        A: Matrix of shape `(m, n)`.
        B: Right sides, of shape `(m,)` or `(m, k)`.
        rcond: Share of the largest singular value below which others count as zero; -1 is the
            precision of the type.
        finfoEps32: Precision of float32.
        finfoEps64: Precision of float64.
        new_default: Whether `rcond` is the precision times the larger length of the matrix.

    Returns:
        Solution, sums of squared deviations (none where the rank is not `n`, or `m` not above
        `n`), rank and singular values of the matrix.
    """
    _check("_npi_lstsq", A, square=False, integers=True)
    matrix, right = _as_floats(A), _as_floats(B)
    is_vector = right.ndim == 1
    columns = right[:, None] if is_vector else right
    u, values, v = torch.linalg.svd(matrix, full_matrices=False)
    precision = finfoEps64 if matrix.dtype is torch.float64 else finfoEps32
    share = precision * max(matrix.shape) if new_default else (precision if rcond < 0 else rcond)
    kept = values > share * values.amax() if len(values) else values > 0
    factors = torch.where(kept, 1 / torch.where(kept, values, 1), 0)
    solution = v.mT @ (factors[:, None] * (u.mT @ columns))
    rank, (rows, width) = kept.sum(), matrix.shape
    deviations = (matrix @ solution - columns).square().sum(0)
    is_full = rows > width and (matrix.is_meta or int(rank) == width)
    deviations = deviations if is_full else deviations[:0]
    return solution[:, 0] if is_vector else solution, deviations, rank, values


def _count_above(name: str, M: Tensor, limit: Tensor | None, hermitian: bool) -> Tensor:
    """Counts singular values above a limit, by default the precision of the largest one."""
    _check(name, M, square=False, integers=True)
    matrix = _as_floats(M)
    values = torch.linalg.eigvalsh(matrix).abs() if hermitian else torch.linalg.svdvals(matrix)
    if limit is None:
        precision = torch.finfo(matrix.dtype).eps * max(matrix.shape[-2:])
        limit = values.amax(-1) * precision
    counts: Tensor = (values > limit[..., None].to(values)).sum(-1)
    return counts


@op("_npi_matrix_rank", differentiable=False)
def matrix_rank(M: Tensor, tol: Tensor, *, hermitian: bool = False) -> Tensor:
    """Counts the singular values of each matrix above a limit.

    Args:
        M: Matrices of shape `(..., m, n)`.
        tol: The limit for each matrix, or for all.
        hermitian: Whether the matrices are symmetric.
    """
    return _count_above("_npi_matrix_rank", M, tol.detach(), hermitian)


@op("_npi_matrix_rank_none_tol", differentiable=False)
def matrix_rank_none_tol(
    M: Tensor,
    *,
    finfoEps32: float = 2.0**-23,
    finfoEps64: float = 2.0**-52,
    hermitian: bool = False,
) -> Tensor:
    """Counts the singular values of each matrix that are not zero in its precision.

    Args:
        M: Matrices of shape `(..., m, n)`.
        finfoEps32: Accepted for compatibility.
        finfoEps64: Accepted for compatibility.
        hermitian: Whether the matrices are symmetric.
    """
    return _count_above("_npi_matrix_rank_none_tol", M, None, hermitian)


@op("_npi_eig", num_outputs=2, differentiable=False)
def eig(A: Tensor) -> tuple[Tensor, Tensor]:
    """Computes eigenvalues and eigenvectors of each matrix, which must be real.

    Args:
        A: Square matrices.
    """
    _check("_npi_eig", A, integers=True)
    values, vectors = torch.linalg.eig(_as_floats(A))
    _check_real("_npi_eig", values)
    return values.real.contiguous(), vectors.real.contiguous()


@op("_npi_eigvals", differentiable=False)
def eigvals(A: Tensor) -> Tensor:
    """Computes the eigenvalues of each matrix, which must be real.

    Args:
        A: Square matrices.
    """
    _check("_npi_eigvals", A, integers=True)
    values: Tensor = torch.linalg.eigvals(_as_floats(A))
    _check_real("_npi_eigvals", values)
    return values.real.contiguous()


def _check_real(name: str, values: Tensor) -> None:
    if not values.is_meta and bool((values.imag.abs() > 1e-15).any()):
        raise MXNetError(f"{name}: expected real eigenvalues, got complex ones")


@op("_npi_eigh", num_outputs=2, differentiable=False)
def eigh(A: Tensor, *, UPLO: Literal["L", "U"] = "L") -> tuple[Tensor, Tensor]:
    """Computes eigenvalues, ascending, and eigenvectors of each symmetric matrix.

    Args:
        A: Symmetric matrices, of which one triangle is read.
        UPLO: Which triangle: `L` for the lower, `U` for the upper one.
    """
    _check("_npi_eigh", A, integers=True)
    values, vectors = torch.linalg.eigh(_as_floats(A), UPLO=UPLO)
    if not vectors.numel():
        return values, vectors
    # The entry of largest magnitude in each eigenvector is positive, as in the original.
    largest = vectors.abs().argmax(-2, keepdim=True)
    return values, torch.where(vectors.gather(-2, largest) < 0, -vectors, vectors)


@op("_npi_eigvalsh", differentiable=False)
def eigvalsh(A: Tensor, *, UPLO: Literal["L", "U"] = "L") -> Tensor:
    """Computes the eigenvalues of each symmetric matrix, ascending.

    Args:
        A: Symmetric matrices, of which one triangle is read.
        UPLO: Which triangle: `L` for the lower, `U` for the upper one.
    """
    _check("_npi_eigvalsh", A, integers=True)
    values: Tensor = torch.linalg.eigvalsh(_as_floats(A), UPLO=UPLO)
    return values


@op("_npi_tensorinv")
def tensorinv(a: Tensor, *, ind: int = 2) -> Tensor:
    """Computes the inverse of an array with respect to a sum over its first axes.

    Args:
        a: Array whose first `ind` axes have as many elements as its others.
        ind: Number of the first axes.
    """
    name = "_npi_tensorinv"
    _check_dtype(name, a, integers=False)
    rows, columns = tuple(a.shape[: max(ind, 0)]), tuple(a.shape[max(ind, 0) :])
    if ind <= 0 or a.ndim == 0 or prod(rows) != prod(columns) or not a.numel():
        raise MXNetError(
            f"{name}: expected as many elements along the first axes as along the others, "
            f"got shape {tuple(a.shape)} and ind {ind}"
        )
    return inverse_of(a.reshape(prod(rows), prod(columns))).reshape(columns + rows)


@op("_npi_tensorsolve", strict_dtypes=True)
def tensorsolve(a: Tensor, b: Tensor, *, a_axes: Shape = ()) -> Tensor:
    """Solves ``tensordot(a, x, x.ndim) = b`` for `x`.

    Args:
        a: Array whose last axes, beyond as many as `b` has, have as many elements as `b`.
        b: Right-hand side.
        a_axes: Axes of `a` to move to its end before.
    """
    name = "_npi_tensorsolve"
    _check_dtype(name, a, integers=True)
    _check_dtype(name, b, integers=True)
    moved = axes_of(name, a_axes, a.ndim)
    order = [axis for axis in range(a.ndim) if axis not in moved] + moved
    matrix, side = _alike(a.permute(order), b)
    # The last axes, as many as `a` has more; all if it has as many, and fewer if it has fewer.
    shape = tuple(matrix.shape[b.ndim - a.ndim :])
    if prod(shape) ** 2 != a.numel() or prod(shape) != b.numel():
        raise MXNetError(
            f"{name}: expected as many elements along the axes {shape} as along the others and "
            f"in b, got shapes {tuple(matrix.shape)} and {tuple(b.shape)}"
        )
    return solution_of(matrix.reshape(b.numel(), b.numel()), side.reshape(-1)).reshape(shape)


def _is_vector_axis(name: str, vectors: Tensor) -> int:
    """Returns the number of elements of vectors, which a cross product takes 2 or 3 of."""
    length = vectors.shape[-1] if vectors.ndim else 0
    if length not in (2, 3):
        raise MXNetError(f"{name}: expected vectors of 2 or 3 elements, got {length}")
    return length


@op("_npi_cross")
def cross(a: Tensor, b: Tensor, *, axisa: int = -1, axisb: int = -1, axisc: int = -1) -> Tensor:
    """Computes cross products of vectors in a plane or in space.

    Of two vectors in a plane it is a number; otherwise a missing third element counts as zero.

    Args:
        a: First vectors.
        b: Second vectors, which broadcast to the first.
        axisa: Axis of `a` along which its vectors lie.
        axisb: Axis of `b` along which its vectors lie.
        axisc: Axis of the result along which vectors lie.
    """
    name = "_npi_cross"
    for data, axis in ((a, axisa), (b, axisb)):
        axes_of(name, (axis,), data.ndim)
    a, b = a.movedim(axisa, -1), b.movedim(axisb, -1)
    if _is_vector_axis(name, a) == 2 == _is_vector_axis(name, b):
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    a, b = (pad(data, (0, 3 - data.shape[-1])) for data in (a, b))
    product: Tensor = torch.linalg.cross(a, b, dim=-1)
    axes_of(name, (axisc,), product.ndim)
    return product.movedim(-1, axisc)


@op("_npi_kron", fresh=True)
def kron(a: Tensor, b: Tensor) -> Tensor:
    """Replaces each element of an array by its product with another array.

    Args:
        a: First array.
        b: Second array; axes that one has less are added before its own.
    """
    axes = max(a.ndim, b.ndim)
    shape = [1] * (axes - a.ndim) + list(a.shape)
    other = [1] * (axes - b.ndim) + list(b.shape)
    check_like("_npi_kron", tuple(x * y for x, y in zip(shape, other, strict=True)), a)
    return torch.kron(a, b)
