"""Written by `make stubs`; do not edit."""

from mxnet.symbol.numpy._symbol import _Symbol as _Symbol
from typing import Any

def cholesky(a: Any, upper: bool = False) -> _Symbol:
    """Computes the Cholesky factor of each matrix: a lower triangle `l` with ``a = l @ l.T``."""

def det(a: Any) -> _Symbol:
    """Computes the determinant of each matrix."""

def eig(a: Any) -> tuple[_Symbol, _Symbol]:
    """Returns the tuple of eigenvalues and eigenvectors of each matrix, which must be real."""

def eigh(a: Any, UPLO: str = 'L', upper: bool | None = None) -> tuple[_Symbol, _Symbol]:
    """Returns the tuple of eigenvalues, ascending, and eigenvectors of each symmetric matrix."""

def eigvals(a: Any) -> _Symbol:
    """Returns the eigenvalues of each matrix, which must be real."""

def eigvalsh(a: Any, UPLO: str = 'L', upper: bool | None = None) -> _Symbol:
    """Returns the eigenvalues of each symmetric matrix, ascending."""

def inv(a: Any) -> _Symbol:
    """Inverts each matrix."""

def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> _Symbol:
    """Computes a norm of vectors or matrices."""

def pinv(a: Any, rcond: Any = 1e-15, hermitian: bool = False, rtol: Any = None) -> _Symbol:
    """Computes the pseudo-inverse of each matrix."""

def slogdet(a: Any) -> tuple[_Symbol, _Symbol]:
    """Computes sign and logarithm of the magnitude of each matrix's determinant."""

def solve(a: Any, b: Any) -> _Symbol:
    """Solves ``a @ x = b`` for each pair of matrices."""

def svd(a: Any) -> tuple[_Symbol, _Symbol, _Symbol]:
    """Factorizes each matrix into ``ut @ diag(l) @ v`` and returns the tuple `(ut, l, v)`."""

def tensorinv(a: Any, ind: int = 2) -> _Symbol:
    """Computes the inverse of an array with respect to a sum over its first axes."""

def tensorsolve(a: Any, b: Any, axes: Any = None) -> _Symbol:
    """Solves ``tensordot(a, x, x.ndim) = b`` for `x`."""
