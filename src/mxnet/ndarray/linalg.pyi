"""Written by `make stubs`; do not edit."""

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray._ndarray import NDArray


def det(A: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Computes the determinant of each matrix."""

def extractdiag(
    A: NDArray,
    offset: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns a diagonal of each matrix."""

def extracttrian(
    A: NDArray,
    offset: int = 0,
    lower: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Packs a triangle of each matrix into a vector."""

def gelqf(
    A: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Factorizes each matrix into ``L @ Q`` and gives `Q` and `L`."""

def gemm(
    A: NDArray,
    B: NDArray,
    C: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes ``alpha * A @ B + beta * C`` for each triple of matrices."""

def gemm2(
    A: NDArray,
    B: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes ``alpha * A @ B`` for each pair of matrices."""

def inverse(A: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverts each matrix."""

def makediag(
    A: NDArray,
    offset: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Makes square matrices that are zero but for one diagonal."""

def maketrian(
    A: NDArray,
    offset: int = 0,
    lower: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Makes square matrices that are zero but for a triangle, from the packed triangles."""

def potrf(
    A: NDArray,
    lower: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the Cholesky factor of each matrix, `L` with ``A = L @ L.T``."""

def potri(
    A: NDArray,
    lower: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the inverse of a matrix from its Cholesky factor: of ``A @ A.T``."""

def slogdet(
    A: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes sign and logarithm of the magnitude of each matrix's determinant."""

def sumlogdiag(A: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Sums the logarithms of the diagonal of each matrix."""

def syevd(
    A: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes eigenvectors and eigenvalues of each symmetric matrix."""

def syrk(
    A: NDArray,
    transpose: bool = False,
    alpha: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes ``alpha * A @ A.T`` for each matrix."""

def trmm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies triangular matrices with others, ``alpha * A @ B``."""

def trsm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Solves ``A @ X = alpha * B`` for triangular matrices `A`."""
