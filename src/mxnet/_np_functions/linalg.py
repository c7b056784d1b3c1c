"""Linear algebra: `mx.np.linalg`."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from mxnet._np_functions.table import LINALG, Operators, np_function
from mxnet.errors import ArgumentValueError, NotSupportedError

_FLAT, _BY_ORDER, _SPECTRAL, _FROBENIUS, _NUCLEAR = -2, -1, 0, 1, 2
"""Which norm the operator computes; see its attribute `flag`."""
_INFINITE = {"inf": inf, "-inf": -inf}


def _as_outputs(F: Operators, result: Any) -> Any:
    """Returns several results as the original does: a tuple of arrays, a list of symbols."""
    return list(result) if F.for_symbols else tuple(result)


@np_function(LINALG)
def norm(F: Operators, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Computes a norm of vectors or matrices.

    Args:
        F: Operators of the frontend.
        x: The array.
        ord: Order of the norm, `"fro"` or `"nuc"`. Without it, it is the 2-norm of vectors and the
            Frobenius norm of matrices.
        axis: One axis along which vectors lie, or two that matrices have; by default `x` is a
            vector or a matrix as a whole.
        keepdims: Whether the axes stay, with length 1.
    """
    if ord is None and axis is None:
        return F._npi_norm(x, ord=2, axis=None, keepdims=keepdims, flag=_FLAT)
    axes = (axis,) if isinstance(axis, int) else axis
    order = _INFINITE.get(ord, ord) if isinstance(ord, str) else ord
    if order is None or order == "fro":
        return F._npi_norm(x, ord=2, axis=axes, keepdims=keepdims, flag=_FROBENIUS)
    if order == "nuc":
        return F._npi_norm(x, ord=2, axis=axes, keepdims=keepdims, flag=_NUCLEAR)
    if isinstance(order, str):
        raise ArgumentValueError(f"norm: expected a number, 'fro' or 'nuc', got {ord!r}")
    if axes is not None and len(axes) == 1 and abs(order) == inf:
        # Files for the original have these operators, whose own norm refuses vectors here.
        extreme = F._np_max if order > 0 else F._np_min
        return extreme(F._npi_absolute(x), axis=axes, keepdims=keepdims)
    flag = _SPECTRAL if axes is not None and len(axes) == 2 and order == 2 else _BY_ORDER
    return F._npi_norm(x, ord=order, axis=axes, keepdims=keepdims, flag=flag)


@np_function(LINALG)
def svd(F: Operators, a: Any) -> Any:
    """Factorizes each matrix into ``ut @ diag(l) @ v`` and returns the tuple `(ut, l, v)`.

    Args:
        F: Operators of the frontend.
        a: Matrices of shape `(..., m, n)` with `m <= n`.
    """
    return _as_outputs(F, F._npi_svd(a))


@np_function(LINALG)
def slogdet(F: Operators, a: Any) -> Any:
    """Computes sign and logarithm of the magnitude of each matrix's determinant.

    Args:
        F: Operators of the frontend.
        a: Square matrices.
    """
    return list(F._npi_slogdet(a))


@np_function(LINALG)
def eig(F: Operators, a: Any) -> Any:
    """Returns the tuple of eigenvalues and eigenvectors of each matrix, which must be real.

    Args:
        F: Operators of the frontend.
        a: Square matrices.
    """
    return _as_outputs(F, F._npi_eig(a))


@np_function(LINALG)
def eigh(F: Operators, a: Any, UPLO: str = "L") -> Any:
    """Returns the tuple of eigenvalues, ascending, and eigenvectors of each symmetric matrix.

    Args:
        F: Operators of the frontend.
        a: Symmetric matrices, of which one triangle is read.
        UPLO: Which triangle: `L` for the lower, `U` for the upper one.
    """
    return _as_outputs(F, F._npi_eigh(a, UPLO=UPLO))


@np_function(LINALG)
def eigvalsh(F: Operators, a: Any, UPLO: str = "L") -> Any:
    """Returns the eigenvalues of each symmetric matrix, ascending.

    Args:
        F: Operators of the frontend.
        a: Symmetric matrices, of which one triangle is read.
        UPLO: Which triangle: `L` for the lower, `U` for the upper one.
    """
    return F._npi_eigvalsh(a, UPLO=UPLO)


@np_function(LINALG)
def pinv(F: Operators, a: Any, rcond: Any = 1e-15, hermitian: bool = False) -> Any:
    """Computes the pseudo-inverse of each matrix.

    Args:
        F: Operators of the frontend.
        a: Matrices of shape `(..., m, n)`.
        rcond: Share of the largest singular value below which others count as zero: a number, or
            an array of one for each matrix.
        hermitian: Not supported.
    """
    if hermitian:
        raise NotSupportedError("pinv: hermitian=True is not supported")
    if isinstance(rcond, F.operand):
        return F._npi_pinv(a, rcond, hermitian=hermitian)
    return F._npi_pinv_scalar_rcond(a, rcond=rcond, hermitian=hermitian)


@np_function(LINALG)
def solve(F: Operators, a: Any, b: Any) -> Any:
    """Solves ``a @ x = b`` for each pair of matrices.

    Args:
        F: Operators of the frontend.
        a: Square matrices that are not singular.
        b: Right-hand sides in equal stacks: matrices, or vectors if they have one axis less.
    """
    return F._npi_solve(a, b)


@np_function(LINALG)
def tensorinv(F: Operators, a: Any, ind: int = 2) -> Any:
    """Computes the inverse of an array with respect to a sum over its first axes.

    Args:
        F: Operators of the frontend.
        a: Array whose first `ind` axes have as many elements as its others.
        ind: Number of the first axes.
    """
    return F._npi_tensorinv(a, ind=ind)


@np_function(LINALG)
def tensorsolve(F: Operators, a: Any, b: Any, axes: Any = None) -> Any:
    """Solves ``tensordot(a, x, x.ndim) = b`` for `x`.

    Args:
        F: Operators of the frontend.
        a: Array whose last axes, beyond as many as `b` has, have as many elements as `b`.
        b: Right-hand side.
        axes: Axes of `a` to move to its end before.
    """
    return F._npi_tensorsolve(a, b, a_axes=axes)


def _add_simple(name: str, operator: str, summary: str, meaning: str) -> None:
    """Adds a function of an array that is its operator."""

    def function(F: Operators, a: Any) -> Any:
        return getattr(F, operator)(a)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{summary}\n\nArgs:\n    F: Operators of the frontend.\n    a: {meaning}."
    add: Callable[[Callable[..., Any]], Any] = np_function(LINALG)
    add(function)


_SIMPLE = (
    (
        "cholesky",
        "_npi_cholesky",
        "Computes the Cholesky factor of each matrix: a lower triangle `l` with ``a = l @ l.T``.",
        "Symmetric, positive definite matrices",
    ),
    ("inv", "_npi_inv", "Inverts each matrix.", "Square matrices that are not singular"),
    ("det", "_npi_det", "Computes the determinant of each matrix.", "Square matrices"),
    (
        "eigvals",
        "_npi_eigvals",
        "Returns the eigenvalues of each matrix, which must be real.",
        "Square matrices",
    ),
)

for _row in _SIMPLE:
    _add_simple(*_row)
