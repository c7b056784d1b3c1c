"""Random shapes and dense arrays, and small helpers on arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray as Values

from mxnet import ndarray as nd
from mxnet.errors import CheckFailedError
from mxnet.ndarray import NDArray
from mxnet.test_utils._running import default_dtype

T = TypeVar("T")


def rand_shape_2d(dim0: int = 10, dim1: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """Returns a random shape of two axes, of at most `dim0` and `dim1`."""
    return _rand_shape((dim0, dim1), allow_zero_size)


def rand_shape_3d(
    dim0: int = 10, dim1: int = 10, dim2: int = 10, allow_zero_size: bool = False
) -> tuple[int, ...]:
    """Returns a random shape of three axes, of at most `dim0`, `dim1` and `dim2`."""
    return _rand_shape((dim0, dim1, dim2), allow_zero_size)


def rand_shape_nd(num_dim: int, dim: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """Returns a random shape of a number of axes, each of at most `dim`."""
    return _rand_shape((dim,) * num_dim, allow_zero_size)


def _rand_shape(largest: Sequence[int], allow_zero_size: bool) -> tuple[int, ...]:
    low = 0 if allow_zero_size else 1
    return tuple(int(np.random.randint(low, size + 1)) for size in largest)


def rand_coord_2d(x_low: int, x_high: int, y_low: int, y_high: int) -> tuple[int, int]:
    """Returns a random pair of whole numbers, each below its upper bound."""
    x = np.random.randint(x_low, x_high)
    return int(x), int(np.random.randint(y_low, y_high))


def random_arrays(*shapes: tuple[int, ...]) -> Any:
    """Returns arrays of normal random numbers, or the one array for one shape.

    Args:
        *shapes: The shapes.
    """
    arrays = [np.array(np.random.randn(*shape), dtype=default_dtype()) for shape in shapes]
    return arrays[0] if len(arrays) == 1 else arrays


def random_uniform_arrays(
    *shapes: tuple[int, ...], low: float = 0.0, high: float = 1.0, dtype: Any = None
) -> list[Values[Any]]:
    """Returns arrays of uniform random numbers.

    Args:
        *shapes: The shapes.
        low: Lower bound.
        high: Upper bound.
        dtype: Element type.
    """
    chosen_dtype = default_dtype() if dtype is None else dtype
    return [np.random.uniform(low, high, shape).astype(chosen_dtype) for shape in shapes]


def random_sample(population: Sequence[T], k: int) -> list[T]:
    """Returns `k` elements of a sequence, each at most once, in random order."""
    return [population[i] for i in np.random.permutation(len(population))[:k]]


def assign_each(the_input: Values[Any], function: Callable[[Any], Any] | None) -> Values[Any]:
    """Returns an array with a function applied to each element."""
    if function is None:
        return np.array(the_input)
    return np.asarray(np.vectorize(function, otypes=[the_input.dtype])(the_input))


def assign_each2(
    input1: Values[Any], input2: Values[Any], function: Callable[[Any, Any], Any] | None
) -> Values[Any]:
    """Returns an array with a function applied to each pair of elements of two arrays."""
    if function is None:
        return np.array(input1)
    return np.asarray(np.vectorize(function, otypes=[input1.dtype])(input1, input2))


def np_reduce(
    dat: Values[Any], axis: Any, keepdims: bool, numpy_reduce_func: Callable[..., Any]
) -> Values[Any]:
    """Reduces an array by a function that takes one axis at a time.

    Args:
        dat: The array.
        axis: An axis, several, or None for all.
        keepdims: Whether reduced axes stay, with size 1.
        numpy_reduce_func: The function, such as `numpy.sum`.
    """
    axes = range(dat.ndim) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    reduced = sorted(int(i) % dat.ndim for i in axes)
    result: Any = dat
    for i in reversed(reduced):
        result = numpy_reduce_func(result, axis=i)
    if keepdims:
        shape = [1 if i in reduced else size for i, size in enumerate(dat.shape)]
        result = np.asarray(result).reshape(shape)
    return cast("Values[Any]", result)


def collapse_sum_like(a: T, shape: Sequence[int]) -> T:
    """Sums an array over the axes along which it would have to be repeated from a shape.

    Args:
        a: The array, of NumPy or of this package.
        shape: The shape, which could be broadcast to that of `a`.

    Raises:
        CheckFailedError: if the shape could not be broadcast so.
    """
    array: Any = a
    extra = array.ndim - len(shape)
    pairs = list(zip(shape, array.shape[max(extra, 0) :], strict=False))
    if extra < 0 or any(size not in (1, whole) for size, whole in pairs):
        raise CheckFailedError(
            f"collapse_sum_like: an array of shape {array.shape} is no sum to {tuple(shape)}"
        )
    if extra:
        array = array.sum(axis=tuple(range(extra)))
    repeated = tuple(i for i, (size, whole) in enumerate(pairs) if size != whole)
    return cast(T, array.sum(axis=repeated, keepdims=True) if repeated else array)


def create_vector(size: int, dtype: Any = np.int64) -> NDArray:
    """Returns the array of the numbers below `size`."""
    return nd.arange(0, size, dtype=dtype)


def create_2d_tensor(rows: int, columns: int, dtype: Any = np.int64) -> NDArray:
    """Returns an array in which each row holds its number."""
    return nd.arange(0, rows, dtype=dtype).reshape((rows, 1)).broadcast_to((rows, columns))


def get_identity_mat(size: int) -> NDArray:
    """Returns the identity matrix."""
    return nd.array(np.eye(size))


def get_identity_mat_batch(size: int) -> NDArray:
    """Returns two identity matrices."""
    return nd.array(np.stack([np.eye(size)] * 2))


def new_orthonormal_matrix_2d(n: int) -> Values[Any]:
    """Returns a random matrix whose columns are orthogonal and of length 1."""
    q, _ = np.linalg.qr(np.random.randn(n, n))
    return q


def new_matrix_with_real_eigvals_2d(n: int) -> Values[Any]:
    """Returns a random matrix whose eigenvalues are real numbers."""
    q = np.random.randn(n, n)
    return np.asarray(q @ np.diag(np.random.uniform(-1.0, 1.0, n)) @ np.linalg.inv(q))


def new_sym_matrix_with_real_eigvals_2d(n: int) -> Values[Any]:
    """Returns a random symmetric matrix."""
    half = np.random.randn(n, n)
    return np.asarray(half + half.T)


def new_matrix_with_real_eigvals_nd(shape: Sequence[int]) -> Values[Any]:
    """Returns random matrices whose eigenvalues are real numbers, in the last two axes."""
    return _stack_of(new_matrix_with_real_eigvals_2d, shape)


def new_sym_matrix_with_real_eigvals_nd(shape: Sequence[int]) -> Values[Any]:
    """Returns random symmetric matrices, in the last two axes."""
    return _stack_of(new_sym_matrix_with_real_eigvals_2d, shape)


def _stack_of(make: Callable[[int], Values[Any]], shape: Sequence[int]) -> Values[Any]:
    count = int(np.prod(shape[:-2]))
    return np.stack([make(shape[-1]) for _ in range(count)]).reshape(tuple(shape))
