"""Written by `make stubs`; do not edit."""

from mxnet.numpy._ndarray import ndarray as ndarray
from typing import Any

def cholesky(a: Any, upper: bool = False) -> ndarray:
    """Computes the Cholesky factor of each matrix: a lower triangle `l` with ``a = l @ l.T``."""

def cond(x: Any, p: Any = None) -> ndarray:
    """Returns how much a matrix magnifies errors: the product of its norm and its inverse's."""

def det(a: Any) -> ndarray:
    """Computes the determinant of each matrix."""

def eig(a: Any) -> tuple[ndarray, ndarray]:
    """Returns the tuple of eigenvalues and eigenvectors of each matrix, which must be real."""

def eigh(a: Any, UPLO: str = 'L', upper: bool | None = None) -> tuple[ndarray, ndarray]:
    """Returns the tuple of eigenvalues, ascending, and eigenvectors of each symmetric matrix."""

def eigvals(a: Any) -> ndarray:
    """Returns the eigenvalues of each matrix, which must be real."""

def eigvalsh(a: Any, UPLO: str = 'L', upper: bool | None = None) -> ndarray:
    """Returns the eigenvalues of each symmetric matrix, ascending."""

def inv(a: Any) -> ndarray:
    """Inverts each matrix."""

def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[ndarray, ...]:
    """Finds `x` for which the squares of `a @ x - b` have the least sum."""

def matrix_power(a: Any, n: int) -> ndarray:
    """Multiplies square matrices with themselves `n` times."""

def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False) -> ndarray:
    """Counts the independent rows of a matrix: its singular values above a threshold."""

def multi_dot(arrays: Any) -> ndarray:
    """Multiplies several matrices, in the order that takes the fewest products of numbers."""

def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> ndarray:
    """Computes a norm of vectors or matrices."""

def pinv(a: Any, rcond: Any = 1e-15, hermitian: bool = False, rtol: Any = None) -> ndarray:
    """Computes the pseudo-inverse of each matrix."""

def qr(a: Any, mode: str = 'reduced') -> tuple[ndarray, ndarray]:
    """Splits matrices into orthonormal columns `q` and an upper triangle `r` with `a = q @ r`."""

def slogdet(a: Any) -> tuple[ndarray, ndarray]:
    """Computes sign and logarithm of the magnitude of each matrix's determinant."""

def solve(a: Any, b: Any) -> ndarray:
    """Solves ``a @ x = b`` for each pair of matrices."""

def svd(a: Any) -> tuple[ndarray, ndarray, ndarray]:
    """Factorizes each matrix into ``ut @ diag(l) @ v`` and returns the tuple `(ut, l, v)`."""

def tensorinv(a: Any, ind: int = 2) -> ndarray:
    """Computes the inverse of an array with respect to a sum over its first axes."""

def tensorsolve(a: Any, b: Any, axes: Any = None) -> ndarray:
    """Solves ``tensordot(a, x, x.ndim) = b`` for `x`."""
