"""Linear algebra with NumPy's rules: stacks of matrices, and scalars of shape `()` for one."""

from __future__ import annotations

from math import prod
from typing import Literal

import torch
from torch import Tensor

from mxnet._dtypes import name_of
from mxnet.errors import MXNetError
from mxnet.ops.attrs import Shape
from mxnet.ops.np.axes import axes_of
from mxnet.ops.registry import op
from mxnet.ops.traits import Labels, Traits

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
    factor: Tensor = torch.linalg.cholesky(A)
    return factor


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
    result: Tensor = torch.linalg.solve(matrices, sides.unsqueeze(-1) if vectors else sides)
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
    inverse: Tensor = torch.linalg.inv(a.reshape(prod(rows), prod(columns)))
    return inverse.reshape(columns + rows)


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
    shape = tuple(matrix.shape[b.ndim :])
    if prod(shape) != prod(matrix.shape[: b.ndim]) or prod(shape) != b.numel():
        raise MXNetError(
            f"{name}: expected as many elements along the first {b.ndim} axes as along the others, "
            f"got shape {tuple(matrix.shape)}"
        )
    solution: Tensor = torch.linalg.solve(matrix.reshape(b.numel(), b.numel()), side.reshape(-1))
    return solution.reshape(shape)
