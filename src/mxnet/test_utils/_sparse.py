"""Random sparse arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray as Values

from mxnet import ndarray as nd
from mxnet.context import Context
from mxnet.errors import CheckFailedError, InvalidArgumentError
from mxnet.ndarray import NDArray
from mxnet.ndarray.sparse import csr_matrix, row_sparse_array
from mxnet.test_utils._data import assign_each, random_arrays
from mxnet.test_utils._running import default_dtype

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
    values = np.random.uniform(0, 1, shape)
    return np.where(values < density, values, 0)


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
