"""Written by `make stubs`; do not edit."""

from collections.abc import Mapping, Sequence
from typing import Any

from mxnet.symbol.symbol import Symbol


def det(
    A: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Computes the determinant of each matrix."""

def extractdiag(
    A: Symbol | None = None,
    offset: int = 0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns a diagonal of each matrix."""

def extracttrian(
    A: Symbol | None = None,
    offset: int = 0,
    lower: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Packs a triangle of each matrix into a vector."""

def gelqf(
    A: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Factorizes each matrix into ``L @ Q`` and gives `Q` and `L`."""

def gemm(
    A: Symbol | None = None,
    B: Symbol | None = None,
    C: Symbol | None = None,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Computes ``alpha * A @ B + beta * C`` for each triple of matrices."""

def gemm2(
    A: Symbol | None = None,
    B: Symbol | None = None,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Computes ``alpha * A @ B`` for each pair of matrices."""

def inverse(
    A: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Inverts each matrix."""

def makediag(
    A: Symbol | None = None,
    offset: int = 0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Makes square matrices that are zero but for one diagonal."""

def maketrian(
    A: Symbol | None = None,
    offset: int = 0,
    lower: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Makes square matrices that are zero but for a triangle, from the packed triangles."""

def potrf(
    A: Symbol | None = None,
    lower: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Computes the Cholesky factor of each matrix, `L` with ``A = L @ L.T``."""

def potri(
    A: Symbol | None = None,
    lower: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Computes the inverse of a matrix from its Cholesky factor: of ``A @ A.T``."""

def slogdet(
    A: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Computes sign and logarithm of the magnitude of each matrix's determinant."""

def sumlogdiag(
    A: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Sums the logarithms of the diagonal of each matrix."""

def syevd(
    A: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Computes eigenvectors and eigenvalues of each symmetric matrix."""

def syrk(
    A: Symbol | None = None,
    transpose: bool = False,
    alpha: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Computes ``alpha * A @ A.T`` for each matrix."""

def trmm(
    A: Symbol | None = None,
    B: Symbol | None = None,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Multiplies triangular matrices with others, ``alpha * A @ B``."""

def trsm(
    A: Symbol | None = None,
    B: Symbol | None = None,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Solves ``A @ X = alpha * B`` for triangular matrices `A`."""
