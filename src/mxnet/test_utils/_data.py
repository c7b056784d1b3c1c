"""Random shapes and arrays, dense and sparse, and small helpers on arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray as Values

from mxnet import ndarray as nd
from mxnet.context import Context
from mxnet.errors import CheckFailedError, InvalidArgumentError
from mxnet.ndarray import NDArray
from mxnet.ndarray.sparse import csr_matrix, row_sparse_array
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


def create_2d_np_tensor(rows: int, columns: int, dtype: Any = np.int64) -> NDArray:
    """Returns an array of `mx.np` in which each row holds its number."""
    made: NDArray = create_2d_tensor(rows, columns, dtype).as_np_ndarray()  # type: ignore[attr-defined]  # set by mx.np
    return made


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


Modifier = Callable[[Any], Any] | None


def rand_ndarray(
    shape: Sequence[int],
    stype: str = "default",
    density: float | None = None,
    dtype: Any = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
    distribution: str | None = None,
    ctx: Context | None = None,
) -> NDArray:
    """Returns an array of random numbers.

    Args:
        shape: Its shape.
        stype: `"default"`, `"row_sparse"` or `"csr"`.
        density: Share of rows or elements that are stored, random if None.
        dtype: Element type.
        modifier_func: Applied to each stored element of a sparse array.
        shuffle_csr_indices: Whether the columns of a row stand in any order.
        distribution: `"uniform"` or, for `"csr"`, `"powerlaw"`.
        ctx: Context of a dense array.

    Example:
        >>> from mxnet.test_utils import rand_ndarray
        >>> rand_ndarray((2, 3)).shape
        (2, 3)
    """
    if stype == "default":
        return nd.array(random_arrays(tuple(shape)), dtype=dtype, ctx=ctx)
    made: NDArray
    made, _ = rand_sparse_ndarray(
        shape,
        stype,
        density=density,
        dtype=dtype,
        distribution=distribution,
        modifier_func=modifier_func,
        shuffle_csr_indices=shuffle_csr_indices,
        ctx=ctx,
    )
    return made


def rand_sparse_ndarray(
    shape: Sequence[int],
    stype: str,
    density: float | None = None,
    dtype: Any = None,
    distribution: str | None = None,
    data_init: float | None = None,
    rsp_indices: Any = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
    ctx: Context | None = None,
) -> tuple[Any, tuple[Any, ...]]:
    """Returns a sparse array of random numbers and what it is made of.

    Args:
        shape: Its shape.
        stype: `"row_sparse"` or `"csr"`.
        density: Share of rows or elements that are stored, random if None.
        dtype: Element type.
        distribution: `"uniform"` or, for `"csr"`, `"powerlaw"`.
        data_init: Value of all stored elements, random ones if None.
        rsp_indices: The rows that are stored, random ones if None.
        modifier_func: Applied to each stored element.
        shuffle_csr_indices: Whether the columns of a row stand in any order.
        ctx: Context of the array.

    Returns:
        The array; its values and rows, or its row ends, columns and values.
    """
    chosen_dtype = default_dtype() if dtype is None else dtype
    share = float(np.random.rand()) if density is None else density
    if stype == "row_sparse":
        return _make_row_sparse(
            shape, share, chosen_dtype, data_init, rsp_indices, modifier_func, ctx
        )
    if stype != "csr":
        raise CheckFailedError(f"rand_sparse_ndarray: unknown storage type {stype!r}")
    makers = {"uniform": _uniform_values, "powerlaw": _powerlaw_values}
    chosen = distribution or "uniform"
    if chosen not in makers:
        raise CheckFailedError(f"rand_sparse_ndarray: unknown distribution {distribution!r}")
    if len(shape) != 2:
        raise CheckFailedError(f"rand_sparse_ndarray: csr takes two axes, got shape {shape}")
    dense = makers[chosen]((shape[0], shape[1]), share)
    stored = dense != 0
    values = np.full(dense.shape, data_init) if data_init is not None else dense
    return _make_csr(values, stored, chosen_dtype, modifier_func, shuffle_csr_indices, ctx)


def _make_row_sparse(
    shape: Sequence[int],
    density: float,
    dtype: Any,
    data_init: float | None,
    rsp_indices: Any,
    modifier_func: Modifier,
    ctx: Context | None,
) -> tuple[Any, tuple[Any, Any]]:
    if rsp_indices is not None:
        rows = np.asarray(rsp_indices)
        if len(rows) > shape[0]:
            raise CheckFailedError(f"rand_sparse_ndarray: {len(rows)} rows of {shape[0]}")
    else:
        rows = np.flatnonzero(np.random.rand(shape[0]) < density)
    values = np.random.rand(len(rows), *shape[1:]).astype(dtype)
    if data_init is not None:
        values.fill(data_init)
    if modifier_func is not None:
        values = assign_each(values, modifier_func)
    if not len(rows):
        return nd.sparse.zeros("row_sparse", tuple(shape), dtype=dtype, ctx=ctx), (values, rows)
    array = row_sparse_array((values, rows), shape=tuple(shape), dtype=dtype, ctx=ctx)
    return array, (values, rows)


def _make_csr(
    values: Values[Any],
    stored: Values[Any],
    dtype: Any,
    modifier_func: Modifier,
    shuffle: bool,
    ctx: Context | None,
) -> tuple[Any, tuple[Any, ...]]:
    rows, columns = np.nonzero(stored)
    data = values[rows, columns].astype(dtype)
    if modifier_func is not None:
        data = assign_each(data, modifier_func)
    ends = np.concatenate([[0], np.cumsum(stored.sum(axis=1))]).astype("int64")
    if shuffle:
        order = np.lexsort((np.random.rand(len(rows)), rows))
        columns, data = columns[order], data[order]
    array: Any
    if not len(data):
        array = nd.sparse.zeros("csr", values.shape, dtype=dtype, ctx=ctx)
    else:
        array = csr_matrix((data, columns, ends), shape=values.shape, dtype=dtype, ctx=ctx)
    return array, (array.indptr, array.indices, array.data)


def _uniform_values(shape: tuple[int, int], density: float) -> Values[Any]:
    size = shape[0] * shape[1]
    values = np.zeros(size)
    places = np.random.choice(size, round(size * density), replace=False)
    values[places] = np.random.rand(len(places))
    return values.reshape(shape)


def _powerlaw_values(shape: tuple[int, int], density: float) -> Values[Any]:
    """Returns rows, each of twice as many elements as the one before, as far as they go."""
    rows, columns = shape
    left = int(rows * columns * density)
    if left < 2 * rows:
        raise InvalidArgumentError(
            f"rand_sparse_ndarray: powerlaw needs two elements for each of {rows} rows, "
            f"density {density} gives {left} in all"
        )
    values = np.zeros(shape)
    values[:, 0] = 1 + np.random.uniform(0.001, 2, rows)
    left -= rows
    for row in range(rows):
        count = min(2 ** (row + 1), columns) - 1
        count = min(count, left)
        values[row, 1 : 1 + count] = 1 + np.random.uniform(0.001, 2, count)
        left -= count
    if left:
        raise InvalidArgumentError(
            f"rand_sparse_ndarray: powerlaw with density {density} does not fit into {shape}"
        )
    return values


def create_sparse_array(
    shape: Sequence[int],
    stype: str,
    data_init: float | None = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Modifier = None,
    density: float = 0.5,
    shuffle_csr_indices: bool = False,
) -> Any:
    """Returns a sparse array; the arguments are those of `rand_sparse_ndarray`."""
    if stype not in ("row_sparse", "csr"):
        raise CheckFailedError(f"create_sparse_array: unknown storage type {stype!r}")
    array, _ = rand_sparse_ndarray(
        shape,
        stype,
        density=density,
        dtype=dtype,
        data_init=data_init,
        rsp_indices=rsp_indices if stype == "row_sparse" else None,
        modifier_func=modifier_func,
        shuffle_csr_indices=shuffle_csr_indices,
    )
    return array


def create_sparse_array_zd(
    shape: Sequence[int],
    stype: str,
    density: float,
    data_init: float | None = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
) -> Any:
    """Returns a sparse array, of which `"row_sparse"` ones hold nothing unless rows are given.

    The other arguments are those of `rand_sparse_ndarray`.
    """
    if stype == "row_sparse" and rsp_indices is None:
        density = 0
    return create_sparse_array(
        shape, stype, data_init, rsp_indices, dtype, modifier_func, density, shuffle_csr_indices
    )


def shuffle_csr_column_indices(csr: Any) -> None:
    """Brings the columns of each row of a sparse matrix of SciPy into another order.

    Args:
        csr: The matrix, whose `indices` are changed and whose values stay where they are.
    """
    for begin, end in zip(csr.indptr[:-1], csr.indptr[1:], strict=True):
        np.random.shuffle(csr.indices[begin:end])
