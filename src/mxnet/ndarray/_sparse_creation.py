"""Functions that make sparse arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from torch import Tensor

from mxnet._formats import element_types
from mxnet.context import Context, resolve
from mxnet.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    AttributeValueError,
    IndexOutOfBoundsError,
    MXNetError,
    ShapeMismatchError,
    UnsupportedTypeError,
)
from mxnet.ndarray import _creation
from mxnet.ndarray import _sparse_kernels as kernels
from mxnet.ndarray._ndarray import NDArray, storage_class
from mxnet.ndarray._sparse_array import CSRNDArray, RowSparseNDArray
from mxnet.ndarray._sparse_base import BaseSparseNDArray, is_scipy


def _tensor(values: Any, dtype: Any, ctx: Context) -> Tensor:
    """Makes a tensor; the type is the one asked for, else the source's own, else float32."""
    if dtype is None and not isinstance(values, NDArray):
        dtype = getattr(values, "dtype", "float32")
    return _creation.array(values, ctx=ctx, dtype=dtype)._plain


def _indices(values: Any, ctx: Context) -> Tensor:
    return _tensor(values, "int64", ctx).view(-1)


def _in_range(indices: Tensor, limit: int) -> bool:
    return not len(indices) or 0 <= int(indices.min()) <= int(indices.max()) < limit


def _check_range(indices: Tensor, limit: int, where: str) -> None:
    if not _in_range(indices, limit):
        raise IndexOutOfBoundsError(
            f"{where}: expected indices below {limit}, got {indices.tolist()}"
        )


def row_sparse_array(
    arg1: Any, shape: Sequence[int] | None = None, ctx: Context | None = None, dtype: Any = None
) -> RowSparseNDArray:
    """Makes an array of which some rows are stored.

    Args:
        arg1: `(data, indices)`, the stored rows and their places; a shape, for an array without
            stored rows; a row_sparse array; or anything dense.
        shape: Shape of the whole array; for `(data, indices)` as few rows as there can be.
        ctx: Context, the current one if not given.
        dtype: Element type, that of the source or float32 if not given.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [0, 2]), shape=(3, 2))
        >>> print(x.asnumpy())
        [[1. 2.]
         [0. 0.]
         [3. 4.]]
    """
    ctx = resolve(ctx)
    if isinstance(arg1, tuple):
        if len(arg1) < 2:
            raise AttributeValueError(
                f"row_sparse_array: takes (data, indices) or a shape, got a tuple of {len(arg1)}"
            )
        if all(isinstance(item, (int, np.integer)) for item in arg1):
            _check_shape(arg1, shape, "row_sparse_array")
            wanted = element_types.to_torch("float32" if dtype is None else dtype)
            return RowSparseNDArray._zeros(arg1, wanted, ctx)
        if len(arg1) != 2:
            raise AttributeValueError("row_sparse_array: takes (data, indices), got more parts")
        return _from_rows(*arg1, shape, ctx, dtype)
    if isinstance(arg1, BaseSparseNDArray) and not isinstance(arg1, RowSparseNDArray):
        raise AttributeValueError(f"row_sparse_array: takes no {arg1.stype} array")
    made = _from_dense(arg1, ctx, dtype, "row_sparse")
    _check_shape(made.shape, shape, "row_sparse_array")
    return made  # type: ignore[return-value]


def _from_rows(
    data: Any, indices: Any, shape: Sequence[int] | None, ctx: Context, dtype: Any
) -> RowSparseNDArray:
    rows, places = _tensor(data, dtype, ctx), _indices(indices, ctx)
    if shape is None:
        if not len(places):
            raise AttributeValueError("row_sparse_array: without rows the shape must be given")
        shape = (int(places.max()) + 1, *rows.shape[1:])
    size = tuple(shape)
    if tuple(rows.shape) != (len(places), *size[1:]):
        raise ShapeMismatchError(
            f"row_sparse_array: rows of shape {tuple(rows.shape)} at {len(places)} indices do not "
            f"fit the shape {size}"
        )
    fits = _in_range(places, size[0])
    make = RowSparseNDArray._of_parts if fits else RowSparseNDArray._of_flawed
    return make((rows, places), size, ctx)


def csr_matrix(
    arg1: Any, shape: Sequence[int] | None = None, ctx: Context | None = None, dtype: Any = None
) -> CSRNDArray:
    """Makes a matrix whose elements other than zero are stored.

    Args:
        arg1: `(data, indices, indptr)`, the elements row by row, the column of each and where each
            row begins; `(data, (row, column))`, the elements and the place of each; a shape, for
            a matrix without elements; a csr array, also of SciPy; or anything dense.
        shape: Shape of the matrix; as small as it can be if not given.
        ctx: Context, the current one if not given.
        dtype: Element type, that of the source or float32 if not given.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.sparse.csr_matrix(([5, 7], [1, 0], [0, 1, 2]), shape=(2, 3))
        >>> print(x.asnumpy())
        [[0. 5. 0.]
         [7. 0. 0.]]
    """
    ctx = resolve(ctx)
    if isinstance(arg1, tuple):
        if len(arg1) == 3:
            return _from_matrix(arg1, shape, ctx, dtype)
        if len(arg1) != 2:
            raise AttributeValueError(f"csr_matrix: takes 2 or 3 parts, got {len(arg1)}")
        if isinstance(arg1[1], tuple):
            return _from_elements(arg1[0], arg1[1], shape, ctx, dtype)
        if not all(isinstance(item, (int, np.integer)) for item in arg1):
            raise UnsupportedTypeError(f"csr_matrix: takes a shape of two ints, got {arg1!r}")
        _check_shape(arg1, shape, "csr_matrix")
        wanted = element_types.to_torch("float32" if dtype is None else dtype)
        return CSRNDArray._zeros(arg1, wanted, ctx)
    if isinstance(arg1, BaseSparseNDArray) and not isinstance(arg1, CSRNDArray):
        raise AttributeValueError(f"csr_matrix: takes no {arg1.stype} array")
    if is_scipy(arg1):
        made = _creation.array(arg1, ctx=ctx, dtype=dtype)
    else:
        made = _from_dense(arg1, ctx, dtype, "csr")
    _check_shape(made.shape, shape, "csr_matrix")
    return made  # type: ignore[return-value]


def _from_matrix(
    parts: tuple[Any, Any, Any], shape: Sequence[int] | None, ctx: Context, dtype: Any
) -> CSRNDArray:
    data = _tensor(parts[0], dtype, ctx).view(-1)
    indices, indptr = _indices(parts[1], ctx), _indices(parts[2], ctx)
    if shape is None:
        if not len(indices):
            raise AttributeValueError("csr_matrix: without elements the shape must be given")
        shape = (len(indptr) - 1, int(indices.max()) + 1)
    size = tuple(shape)
    if len(size) != 2:
        raise AttributeValueError(f"csr_matrix: takes a shape of two lengths, got {size}")
    if len(data) != len(indices) or len(indptr) != size[0] + 1:
        raise ShapeMismatchError(
            f"csr_matrix: {len(data)} elements, {len(indices)} columns and {len(indptr)} row "
            f"pointers do not fit the shape {size}"
        )
    rises = int(indptr[0]) == 0 and bool((indptr.diff() >= 0).all())
    fits = rises and int(indptr[-1]) == len(indices) and _in_range(indices, size[1])
    make = CSRNDArray._of_parts if fits else CSRNDArray._of_flawed
    return make((data, indices, indptr), size, ctx)


def _from_elements(
    data: Any, places: tuple[Any, Any], shape: Sequence[int] | None, ctx: Context, dtype: Any
) -> CSRNDArray:
    row, column = _indices(places[0], ctx), _indices(places[1], ctx)
    size = tuple(shape) if shape is not None else (int(row.max()) + 1, int(column.max()) + 1)
    _check_range(row, size[0], "csr_matrix")
    _check_range(column, size[1], "csr_matrix")
    if dtype is None and not isinstance(data, NDArray):  # SciPy makes such a matrix there
        data = np.asarray(data)
    parts = kernels.matrix_of_elements(row, column, _tensor(data, dtype, ctx).view(-1), size)
    return CSRNDArray._of_parts(parts, size, ctx)


def _from_dense(source: Any, ctx: Context, dtype: Any, stype: str) -> NDArray:
    if isinstance(source, NDArray):
        moved = source.as_in_context(ctx)
        copied = moved.tostype(stype)
        return copied if dtype is None else copied.astype(dtype, copy=False)
    try:
        values = np.asarray(source)
    except ValueError as error:
        raise ArgumentValueError(f"{stype}: cannot make an array of it: {error}") from error
    if values.dtype.kind not in "biuf":
        raise ArgumentTypeError(f"{stype}: cannot make an array of {type(source).__name__}")
    dtype = dtype or (source.dtype if isinstance(source, np.ndarray) else None)
    dense = _tensor(values, dtype or "float32", ctx)
    return storage_class(stype, stype)._wrap(dense, ctx)


def _check_shape(found: Sequence[int], given: Sequence[int] | None, where: str) -> None:
    if given is not None and tuple(given) != tuple(found):
        raise ShapeMismatchError(f"{where}: expected shape {tuple(given)}, got {tuple(found)}")


def zeros(
    stype: str, shape: Sequence[int], ctx: Context | None = None, dtype: Any = None, **kwargs: Any
) -> NDArray:
    """Makes an array of zeros of a storage type.

    Args:
        stype: `"row_sparse"`, `"csr"` or `"default"`.
        shape: Length of each axis.
        ctx: Context, the current one if not given.
        dtype: Element type, float32 if not given.
        **kwargs: `out`, an array to fill instead; for `"default"`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.sparse.zeros("row_sparse", (1000, 2))
        >>> print(x.shape, x.data.shape)
        (1000, 2) (0, 2)
    """
    return _creation.zeros(shape, ctx=ctx, dtype=dtype, stype=stype, **kwargs)


def empty(
    stype: str, shape: Sequence[int], ctx: Context | None = None, dtype: Any = None
) -> NDArray:
    """Makes an array without stored elements; the arguments are those of `zeros`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.sparse.empty("csr", (2, 3)).stype)
        csr
    """
    return zeros(stype, shape, ctx, dtype)


def array(source_array: Any, ctx: Context | None = None, dtype: Any = None) -> NDArray:
    """Copies a sparse array of this package or of SciPy.

    Args:
        source_array: The sparse array.
        ctx: Context, the current one if not given.
        dtype: Element type, that of the source if not given.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.sparse.array(mx.nd.array([[0, 1], [2, 0]]).tostype("csr"))
        >>> print(x.stype, x.data.asnumpy())
        csr [1. 2.]
    """
    if isinstance(source_array, BaseSparseNDArray):
        place = resolve(ctx)
        is_here = place == source_array._ctx  # where a copy is recorded
        copied = source_array.copy() if is_here else source_array.copyto(place)
        return copied.astype(dtype or copied.dtype, copy=False)  # type: ignore[union-attr]
    if is_scipy(source_array):
        return csr_matrix(source_array, ctx=ctx, dtype=dtype)
    if isinstance(source_array, NDArray):
        raise ArgumentTypeError("sparse.array: use x.tostype(...) to make a dense array sparse")
    raise AttributeValueError(
        f"sparse.array: takes a sparse array, got {type(source_array).__name__}"
    )


def retain(
    data: Any = None,
    indices: Any = None,
    out: NDArray | None = None,
    name: str | None = None,  # noqa: ARG001 - for compatibility
    **kwargs: Any,
) -> NDArray:
    """Keeps the rows of a row_sparse array at some places.

    Args:
        data: The array.
        indices: Places to keep; one that is not stored becomes a row of zeros.
        out: Array to write to instead.
        name: Accepted for compatibility.
        **kwargs: None are known.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[1, 2], [3, 4], [5, 6]]).tostype("row_sparse")
        >>> print(mx.nd.sparse.retain(x, mx.nd.array([0, 2])).asnumpy())
        [[1. 2.]
         [0. 0.]
         [5. 6.]]
    """
    if kwargs:
        raise MXNetError(f"retain: unknown argument {', '.join(kwargs)}")
    if not isinstance(data, RowSparseNDArray):
        raise ArgumentTypeError(f"retain: data takes a RowSparseNDArray, got {type(data).__name__}")
    return data.retain(indices, out=out)


def cast_storage(
    data: Any = None,
    stype: str = "default",
    out: NDArray | None = None,
    name: str | None = None,  # noqa: ARG001 - for compatibility
) -> NDArray:
    """Copies an array to a storage type; see `NDArray.tostype`.

    Args:
        data: The array.
        stype: `"default"`, `"row_sparse"` or `"csr"`.
        out: Array to write to instead.
        name: Accepted for compatibility.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[0, 0], [1, 2]])
        >>> print(mx.nd.cast_storage(x, "row_sparse").indices.asnumpy())
        [1]
    """
    if not isinstance(data, NDArray):
        raise ArgumentTypeError(f"cast_storage: data takes an NDArray, got {type(data).__name__}")
    result = data.tostype(stype)
    if out is None:
        return result
    result.copyto(out)
    return out
