"""Products and diagonals of arrays, and linear algebra: `mx.np.linalg`."""

from __future__ import annotations

from math import inf
from typing import Any

from mxnet._np_functions.table import (
    LINALG,
    Operators,
    by_numpy,
    check_options,
    forward,
    np_function,
)
from mxnet.errors import ArgumentValueError, NotSupportedError, UnsupportedTypeError

_FLAT, _BY_ORDER, _SPECTRAL, _FROBENIUS, _NUCLEAR = -2, -1, 0, 1, 2
"""Which norm the operator computes; see its attribute `flag`."""
_INFINITE = {"inf": inf, "-inf": -inf}


def _as_outputs(F: Operators, result: Any) -> Any:
    """Returns several results as the original does: a tuple of arrays, a list of symbols."""
    return list(result) if F.for_symbols else tuple(result)


@forward("_np_dot")
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Multiplies two arrays over the last axis of `a` and the last but one of `b`.

    Args:
        a: First array; a scalar multiplies all elements.
        b: Second array, of the same dtype.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 2], [3, 4]])
        >>> mx.np.dot(a, mx.np.array([1, 10]))
        array([21., 43.])
    """


@np_function(operator="_npi_matmul")
def matmul(F: Operators, a: Any, b: Any, out: Any = None, **kwargs: Any) -> Any:
    """Multiplies matrices, or stacks of them that broadcast against each other.

    Args:
        F: Operators of the frontend.
        a: Matrices of shape `(..., m, k)`, or a vector, taken as a row.
        b: Matrices of shape `(..., k, n)`, or a vector, taken as a column.
        out: Array to write the result into.
        **kwargs: Options of NumPy, of which only the default values are available.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 2], [3, 4]])
        >>> mx.np.matmul(a, a)
        array([[ 7., 10.],
               [15., 22.]])
        >>> mx.np.matmul(mx.np.ones((5, 2, 3)), mx.np.ones((3, 4))).shape
        (5, 2, 4)
    """
    if kwargs:
        check_options("matmul", kwargs)
    return F._npi_matmul(a, b, out=out)


@np_function(LINALG)
@np_function()
def tensordot(F: Operators, a: Any, b: Any, axes: Any = 2) -> Any:
    """Multiplies two arrays and sums over axes.

    Args:
        F: Operators of the frontend.
        a: First array.
        b: Second array.
        axes: How many of the last axes of `a` and the first of `b` to sum over, or a pair: the axes
            of `a` and the axis of `b` that belongs to each.

    Example:
        >>> import mxnet as mx
        >>> a, b = mx.np.ones((2, 3, 4)), mx.np.ones((4, 3, 5))
        >>> mx.np.tensordot(a, b, axes=([1, 2], [1, 0])).shape
        (2, 5)
    """
    if not isinstance(axes, (list, tuple)):
        return F._npi_tensordot_int_axes(a, b, axes=axes)
    if len(axes) != 2:
        raise ArgumentValueError(f"tensordot: expected axes of two arrays, got {axes!r}")
    first, second = ((axis,) if isinstance(axis, int) else axis for axis in axes)
    return F._npi_tensordot(a, b, a_axes_summed=first, b_axes_summed=second)


@np_function()
def inner(F: Operators, a: Any, b: Any) -> Any:
    """Multiplies two arrays and sums over the last axis of both.

    Args:
        F: Operators of the frontend.
        a: First array.
        b: Second array, whose last axis has the same length.

    Example:
        >>> import mxnet as mx
        >>> mx.np.inner(mx.np.array([1, 2]), mx.np.array([[3, 4], [5, 6]]))
        array([11., 17.])
    """
    return F._npi_tensordot(a, b, a_axes_summed=(-1,), b_axes_summed=(-1,))


@np_function(LINALG)
@np_function()
def outer(F: Operators, a: Any, b: Any) -> Any:
    """Multiplies each element of one array with each of another.

    Args:
        F: Operators of the frontend.
        a: First array, read in order whatever its shape.
        b: Second array, likewise.

    Example:
        >>> import mxnet as mx
        >>> mx.np.outer(mx.np.array([1, 2]), mx.np.array([3, 4, 5]))
        array([[ 3.,  4.,  5.],
               [ 6.,  8., 10.]])
    """
    return F._npi_tensordot_int_axes(_flat(F, a), _flat(F, b), axes=0)


@np_function()
def vdot(F: Operators, a: Any, b: Any) -> Any:
    """Multiplies the elements of two arrays in order, and sums all up.

    Args:
        F: Operators of the frontend.
        a: First array, read in order whatever its shape.
        b: Second array of as many elements.

    Example:
        >>> import mxnet as mx
        >>> mx.np.vdot(mx.np.array([[1, 2], [3, 4]]), mx.np.ones((2, 2)))
        array(10.)
    """
    return F._npi_tensordot_int_axes(_flat(F, a), _flat(F, b), axes=1)


def _flat(F: Operators, a: Any) -> Any:
    return F._np_reshape(a, newshape=(-1,))


@np_function()
def einsum(F: Operators, *operands: Any, **kwargs: Any) -> Any:
    """Multiplies arrays and sums over axes by Einstein's convention.

    Args:
        F: Operators of the frontend.
        *operands: Subscripts such as `"ij,jk->ik"`, then the arrays.
        **kwargs: `out` and `optimize`; other options of NumPy have no effect.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 2], [3, 4]])
        >>> mx.np.einsum("ij,jk->ik", a, a)
        array([[ 7., 10.],
               [15., 22.]])
        >>> mx.np.einsum("ii", a)
        array(5.)
    """
    if not operands or not isinstance(operands[0], str):
        raise UnsupportedTypeError("einsum: expected subscripts first, then arrays")
    subscripts, *arrays = operands
    optimize = int(kwargs.get("optimize", 0))
    return F._npi_einsum(*arrays, subscripts=subscripts, optimize=optimize, out=kwargs.get("out"))


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

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[3, 4], [6, 8]])
        >>> mx.np.linalg.norm(a, axis=1)
        array([ 5., 10.])
        >>> mx.np.linalg.norm(a, ord=1)
        array(12.)
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

    Example:
        >>> import mxnet as mx
        >>> ut, l, v = mx.np.linalg.svd(mx.np.array([[3, 0], [0, 2]]))
        >>> l
        array([3., 2.])
        >>> mx.np.matmul(ut * l, v).round(4)
        array([[3., 0.],
               [0., 2.]])
    """
    return _as_outputs(F, F._npi_svd(a))


@np_function(LINALG)
def slogdet(F: Operators, a: Any) -> Any:
    """Computes sign and logarithm of the magnitude of each matrix's determinant.

    Args:
        F: Operators of the frontend.
        a: Square matrices.

    Example:
        >>> import mxnet as mx
        >>> sign, logarithm = mx.np.linalg.slogdet(mx.np.array([[0, 1], [2, 0]]))
        >>> sign, logarithm.round(4)
        (array(-1.), array(0.6931))
    """
    return list(F._npi_slogdet(a))


@np_function(LINALG)
def eig(F: Operators, a: Any) -> Any:
    """Returns the tuple of eigenvalues and eigenvectors of each matrix, which must be real.

    Args:
        F: Operators of the frontend.
        a: Square matrices.

    Example:
        >>> import mxnet as mx
        >>> values, vectors = mx.np.linalg.eig(mx.np.array([[2, 0], [0, 3]]))
        >>> values
        array([2., 3.])
        >>> vectors
        array([[1., 0.],
               [0., 1.]])
    """
    return _as_outputs(F, F._npi_eig(a))


def _triangle(UPLO: str | bool, upper: bool | None) -> str:
    """Returns which triangle to read; MXNet 2 says it by a truth value."""
    if isinstance(UPLO, bool):
        upper = UPLO
    return str(UPLO) if upper is None else "LU"[upper]


@np_function(LINALG)
def eigh(F: Operators, a: Any, UPLO: str = "L", upper: bool | None = None) -> Any:
    """Returns the tuple of eigenvalues, ascending, and eigenvectors of each symmetric matrix.

    Args:
        F: Operators of the frontend.
        a: Symmetric matrices, of which one triangle is read.
        UPLO: Which triangle: `L` for the lower, `U` for the upper one.
        upper: Whether to read the upper one, in place of `UPLO`.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[2, 1], [1, 2]])
        >>> values, vectors = mx.np.linalg.eigh(a)
        >>> values.round(4)
        array([1., 3.])
        >>> mx.np.abs(vectors).round(2)
        array([[0.71, 0.71],
               [0.71, 0.71]])
    """
    return _as_outputs(F, F._npi_eigh(a, UPLO=_triangle(UPLO, upper)))


@np_function(LINALG)
def eigvalsh(F: Operators, a: Any, UPLO: str = "L", upper: bool | None = None) -> Any:
    """Returns the eigenvalues of each symmetric matrix, ascending.

    Args:
        F: Operators of the frontend.
        a: Symmetric matrices, of which one triangle is read.
        UPLO: Which triangle: `L` for the lower, `U` for the upper one.
        upper: Whether to read the upper one, in place of `UPLO`.

    Example:
        >>> import mxnet as mx
        >>> mx.np.linalg.eigvalsh(mx.np.array([[2, 1], [1, 2]])).round(4)
        array([1., 3.])
    """
    return F._npi_eigvalsh(a, UPLO=_triangle(UPLO, upper))


@np_function(LINALG)
def pinv(
    F: Operators, a: Any, rcond: Any = 1e-15, hermitian: bool = False, rtol: Any = None
) -> Any:
    """Computes the pseudo-inverse of each matrix.

    Args:
        F: Operators of the frontend.
        a: Matrices of shape `(..., m, n)`.
        rcond: Share of the largest singular value below which others count as zero: a number, or
            an array of one for each matrix.
        hermitian: Not supported.
        rtol: `rcond` under its name in MXNet 2.

    Example:
        >>> import mxnet as mx
        >>> mx.np.linalg.pinv(mx.np.array([[2, 0], [0, 4], [0, 0]]))
        array([[0.5 , 0.  , 0.  ],
               [0.  , 0.25, 0.  ]])
    """
    if hermitian:
        raise NotSupportedError("pinv: hermitian=True is not supported")
    rcond = rcond if rtol is None else rtol
    if isinstance(rcond, F.operand):
        return F._npi_pinv(a, rcond, hermitian=hermitian)
    return F._npi_pinv_scalar_rcond(a, rcond=rcond, hermitian=hermitian)


@forward("_npi_solve", LINALG)
def solve(a: Any, b: Any) -> Any:
    """Solves ``a @ x = b`` for each pair of matrices.

    Args:
        a: Square matrices that are not singular.
        b: Right-hand sides in equal stacks: matrices, or vectors if they have one axis less.

    Example:
        >>> import mxnet as mx
        >>> a, b = mx.np.array([[3, 1], [1, 2]]), mx.np.array([9, 8])
        >>> mx.np.linalg.solve(a, b).round(4)
        array([2., 3.])
    """


@forward("_npi_tensorinv", LINALG)
def tensorinv(a: Any, ind: int = 2) -> Any:
    """Computes the inverse of an array with respect to a sum over its first axes.

    Args:
        a: Array whose first `ind` axes have as many elements as its others.
        ind: Number of the first axes.

    Example:
        >>> import mxnet as mx
        >>> a = 2 * mx.np.eye(6).reshape(2, 3, 3, 2)
        >>> mx.np.linalg.tensorinv(a, ind=2).shape
        (3, 2, 2, 3)
    """


@np_function(LINALG)
def tensorsolve(F: Operators, a: Any, b: Any, axes: Any = None) -> Any:
    """Solves ``tensordot(a, x, x.ndim) = b`` for `x`.

    Args:
        F: Operators of the frontend.
        a: Array whose last axes, beyond as many as `b` has, have as many elements as `b`.
        b: Right-hand side.
        axes: Axes of `a` to move to its end before.

    Example:
        >>> import mxnet as mx
        >>> a = 2 * mx.np.eye(6).reshape(2, 3, 6)
        >>> mx.np.linalg.tensorsolve(a, mx.np.ones((2, 3)))
        array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
    """
    return F._npi_tensorsolve(a, b, a_axes=axes)


@np_function(LINALG, operator="_npi_cholesky")
def cholesky(F: Operators, a: Any, upper: bool = False) -> Any:
    """Computes the Cholesky factor of each matrix: a lower triangle `l` with ``a = l @ l.T``.

    Args:
        F: Operators of the frontend.
        a: Symmetric, positive definite matrices.
        upper: Whether to return the upper triangle `l.T`.

    Example:
        >>> import mxnet as mx
        >>> mx.np.linalg.cholesky(mx.np.array([[4, 2], [2, 5]]))
        array([[2., 0.],
               [1., 2.]])
    """
    lower = F._npi_cholesky(a)
    return F._npi_swapaxes(lower, dim1=-2, dim2=-1) if upper else lower


@forward("_npi_inv", LINALG)
def inv(a: Any) -> Any:
    """Inverts each matrix.

    Args:
        a: Square matrices that are not singular.

    Example:
        >>> import mxnet as mx
        >>> mx.np.linalg.inv(mx.np.array([[2, 0], [0, 4]]))
        array([[0.5 , 0.  ],
               [0.  , 0.25]])
    """


@forward("_npi_det", LINALG)
def det(a: Any) -> Any:
    """Computes the determinant of each matrix.

    Args:
        a: Square matrices.

    Example:
        >>> import mxnet as mx
        >>> mx.np.linalg.det(mx.np.array([[2, 0], [0, 4]]))
        array(8.)
    """


@forward("_npi_eigvals", LINALG)
def eigvals(a: Any) -> Any:
    """Returns the eigenvalues of each matrix, which must be real.

    Args:
        a: Square matrices.

    Example:
        >>> import mxnet as mx
        >>> mx.np.linalg.eigvals(mx.np.array([[2, 0], [0, 3]]))
        array([2., 3.])
    """


@by_numpy(LINALG)
def cond(x: Any, p: Any = None) -> Any:
    """Returns how much a matrix magnifies errors: the product of its norm and its inverse's.

    Args:
        x: Matrices of shape `(..., n, n)`; for the 2-norm also of other lengths.
        p: Order of the norm; None is the ratio of the largest to the least singular value.

    Example:
        >>> import mxnet as mx
        >>> float(mx.np.linalg.cond(mx.np.array([[4, 0], [0, 0.5]])))
        8.0
    """


@by_numpy(LINALG)
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """Finds `x` for which the squares of `a @ x - b` have the least sum.

    Args:
        a: Matrix of shape `(m, n)`.
        b: Vector of length `m`, or a matrix with a problem in each column.
        rcond: Singular values below this share of the largest one count as zero.

    Returns:
        The solution, the sums of squares that are left, the rank of `a`, its singular values.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[0, 1], [1, 1], [2, 1]])
        >>> x, rest, rank, values = mx.np.linalg.lstsq(a, mx.np.array([1, 3, 5]), rcond=None)
        >>> x.round(3), int(rank)
        (array([2., 1.]), 2)
    """


@by_numpy(LINALG)
def matrix_power(a: Any, n: int) -> Any:
    """Multiplies square matrices with themselves `n` times.

    Args:
        a: Matrices of shape `(..., n, n)`.
        n: The power; of a negative one the inverse is multiplied.

    Example:
        >>> import mxnet as mx
        >>> fibonacci = mx.np.array([[1, 1], [1, 0]])
        >>> mx.np.linalg.matrix_power(fibonacci, 10)
        array([[89., 55.],
               [55., 34.]])
    """


@by_numpy(LINALG)
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False) -> Any:
    """Counts the independent rows of a matrix: its singular values above a threshold.

    Args:
        A: Matrices of shape `(..., m, n)`.
        tol: The threshold, by default one that fits the dtype.
        hermitian: Whether the matrices are known to be symmetric.

    Example:
        >>> import mxnet as mx
        >>> int(mx.np.linalg.matrix_rank(mx.np.array([[1, 2], [2, 4]])))
        1
    """


@by_numpy(LINALG)
def multi_dot(arrays: Any) -> Any:
    """Multiplies several matrices, in the order that takes the fewest products of numbers.

    Args:
        arrays: The matrices; the first and the last may be vectors.

    Example:
        >>> import mxnet as mx
        >>> a, b, c = mx.np.ones((2, 50)), mx.np.ones((50, 3)), mx.np.ones((3, 4))
        >>> mx.np.linalg.multi_dot([a, b, c])
        array([[150., 150., 150., 150.],
               [150., 150., 150., 150.]])
    """


@by_numpy(LINALG)
def qr(a: Any, mode: str = "reduced") -> Any:
    """Splits matrices into orthonormal columns `q` and an upper triangle `r` with `a = q @ r`.

    Args:
        a: Matrices of shape `(..., m, n)`.
        mode: `"reduced"` for `q` of shape `(..., m, min(m, n))`, `"complete"` for a square `q`,
            `"r"` for the triangle alone.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[3, 1], [4, 2]])
        >>> q, r = mx.np.linalg.qr(a)
        >>> (q.T @ q).round(3)
        array([[1., 0.],
               [0., 1.]])
        >>> mx.np.allclose(q @ r, a)
        True
    """


@np_function(LINALG)
def cross(F: Operators, a: Any, b: Any, axis: int = -1) -> Any:
    """Computes cross products of vectors in space, which lie along one axis of both arrays.

    Args:
        F: Operators of the frontend.
        a: First vectors.
        b: Second vectors.
        axis: The axis.

    Example:
        >>> import mxnet as mx
        >>> mx.np.linalg.cross(mx.np.array([1, 0, 0]), mx.np.array([0, 1, 0]))
        array([0., 0., 1.])
    """
    return F.cross(a, b, axis=axis)
