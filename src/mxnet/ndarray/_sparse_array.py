"""Array classes that store the rows or elements in use alone.

A sparse array is an array to every operator: what has no way of its own to deal with it reads
`_data`, which is the dense tensor, made for the occasion. Its parts are never changed in place but
replaced, except for a row_sparse array that has all of its rows, whose data are the dense tensor.
"""

from __future__ import annotations

import importlib
import operator
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from mxnet import _dtypes
from mxnet._array import attach_gradient, check_fit, place
from mxnet._array_record import ArrayRecord, Storage
from mxnet._modes import modes
from mxnet._numpy_bridge import context_from_record, to_numpy, to_tensor
from mxnet.context import CPU0, Context, intern
from mxnet.errors import (
    ArgumentTypeError,
    AttributeValueError,
    IndexOutOfBoundsError,
    MXNetError,
    ShapeMismatchError,
    UnsupportedTypeError,
)
from mxnet.ndarray import _sparse_kernels as kernels
from mxnet.ndarray.ndarray import STORAGE_CLASSES, NDArray, from_tensor, storage_class

if TYPE_CHECKING:
    from typing_extensions import Self


class SparseOnlyError(MXNetError, NotImplementedError):
    """A method that needs the memory of all elements is called on a sparse array."""


class BaseSparseNDArray(NDArray):
    """What row_sparse and csr arrays share; they are made by the functions of `mx.nd.sparse`."""

    __slots__ = ("_parts", "_shape")

    _parts: tuple[Tensor, ...]
    """The stored elements, then the indices that tell where they belong."""
    _shape: tuple[int, ...]

    _storage: ClassVar[Storage]

    def __init__(self, handle: None = None, writable: bool = True) -> None:
        if handle is not None or not writable:
            raise MXNetError(f"{type(self).__name__}: made by mx.nd.sparse, not from a handle")
        self._parts, self._shape, self._node, self._ctx = (), (), None, CPU0

    @classmethod
    def _of_parts(cls, parts: tuple[Tensor, ...], shape: Sequence[int], ctx: Context) -> Self:
        """Makes an array of tensors that fit together and live on the context's device."""
        array: Self = object.__new__(cls)
        array._parts, array._shape = parts, tuple(shape)
        array._node, array._ctx = None, ctx
        return array

    @classmethod
    def _zeros(cls, shape: Sequence[int], dtype: torch.dtype, ctx: Context) -> Self:
        """Makes an array without any stored element."""
        raise NotImplementedError

    def _replace(self, parts: tuple[Tensor, ...]) -> None:
        """Takes new parts; a variable stays one."""
        self._parts = parts
        if getattr(self, "_grad", None) is not None:
            attach_gradient(self, self._grad, self._grad_req)  # type: ignore[type-var]

    def _compress(self, dense: Tensor) -> tuple[Tensor, ...]:
        raise NotImplementedError

    def _expand(self) -> Tensor:
        raise NotImplementedError

    @property
    def _data(self) -> Tensor:  # type: ignore[override]
        return self._expand()

    @_data.setter
    def _data(self, dense: Tensor) -> None:
        self._shape = tuple(dense.shape)
        self._replace(self._compress(dense))

    @property
    def _plain(self) -> Tensor:
        return self._expand()

    def _writable(self) -> Tensor:
        raise SparseOnlyError(
            f"a {self.stype} array cannot be changed element by element; assign all of it by "
            "x[:] = ..., or change x.tostype('default')"
        )

    def _overwrite(self, where: str, result: Tensor) -> Tensor:
        check_fit(where, self._shape, self._parts[0].dtype, result)
        self._data = result.clone()
        return result

    def _hook(self, grad_req: str) -> Callable[[Tensor], None]:
        def write(leaf: Tensor) -> None:
            found, leaf.grad = leaf.grad, None
            self._fresh = True
            if grad_req == "add" and found is not None:
                found = self._expand() + found
            if found is not None:
                self._parts = self._compress(found)
            elif grad_req != "add":  # an operator has no gradient for this input
                self._parts = self._zeros(self._shape, leaf.dtype, self._ctx)._parts

        return write

    def _join(self, recorded: Tensor) -> None:
        """Takes the place in the graph of a dense tensor with the same elements."""
        if recorded.requires_grad:
            self._node, self._tape = recorded, modes.tape

    def _dense(self) -> NDArray:
        """Gives the array in dense form, with its place in the graph."""
        return NDArray._wrap_recorded(self._read(), self._ctx)

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        return self._shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self._shape)

    @property
    def size(self) -> int:
        """Number of elements, stored or not."""
        return int(np.prod(self._shape, dtype=np.int64))

    @property
    def dtype(self) -> Any:
        """Element type, as NumPy's scalar class."""
        return self.data.dtype

    @property
    def stype(self) -> str:
        """Storage type: `"row_sparse"` or `"csr"`."""
        return self._storage

    @property
    def T(self) -> NDArray:  # noqa: N802 - the name is NumPy's
        """Dense array with the axes in reverse order."""
        return self._dense().T

    @property
    def data(self) -> NDArray:
        """Copy of the stored elements."""
        return from_tensor(self._parts[0].clone(), self._ctx)

    @property
    def indices(self) -> NDArray:
        """Copy of the places of the stored elements: rows of row_sparse, columns of csr arrays."""
        return from_tensor(self._parts[1].clone(), self._ctx)

    def __repr__(self) -> str:
        size = "x".join(str(length) for length in self._shape)
        return f"\n<{type(self).__name__} {size} @{self._ctx}>"

    def __setitem__(self, key: Any, value: Any) -> None:
        if not (isinstance(key, slice) and key == slice(None)):
            raise UnsupportedTypeError(
                f"{type(self).__name__}: elements can only be assigned all at once by x[:] = ..., "
                f"got key {key!r}"
            )
        if isinstance(value, NDArray):
            if value is not self:
                value.copyto(self)
            return
        if isinstance(value, (int, float, np.number)):
            self._fill(float(value))
            return
        values = to_tensor(np.asarray(value)).to(self._parts[0].dtype)
        self._overwrite("assignment", place(values, self._ctx).expand(self._shape))

    def _fill(self, value: float) -> None:
        raise NotImplementedError

    def _to_record(self) -> ArrayRecord:
        data, *aux = (to_numpy(part) for part in self._parts)
        # Files have the row pointers of a csr array before its columns.
        context = (self._ctx.device_typeid, self._ctx.device_id)
        return ArrayRecord(data, self._storage, self._shape, tuple(reversed(aux)), context)

    def _take_record(self, record: ArrayRecord) -> None:
        self._ctx, self._node = context_from_record(record), None
        self._shape = record.shape
        if record.data is None:
            raise MXNetError(f"a stored {record.storage} array has no data")
        indices = [to_tensor(part.astype(np.int64)) for part in reversed(record.aux)]
        parts = (to_tensor(record.data), *indices)
        if self._storage == "csr" and not len(parts[2]):  # as the original stores a new array
            parts = (*parts[:2], torch.zeros(record.shape[0] + 1, dtype=torch.int64))
        self._parts = tuple(place(part, self._ctx) for part in parts)

    def asscalar(self) -> Any:
        """Raises: a sparse array is no number."""
        raise SparseOnlyError(f"asscalar: not available for a {self.stype} array")

    def reshape(self, *shape: Any, **kwargs: Any) -> NDArray:
        """Raises: a sparse array has no memory to be seen in another shape."""
        raise SparseOnlyError(
            f"reshape: not available for a {self.stype} array, got {shape or kwargs}; "
            "use x.tostype('default')"
        )

    def __neg__(self) -> NDArray:
        return like(self, -self._parts[0]) if self._node is None else -self._dense()

    def __abs__(self) -> NDArray:
        return like(self, self._parts[0].abs()) if self._node is None else abs(self._dense())

    def expand_dims(self, axis: int, inplace: bool = False) -> NDArray:
        """Gives the dense form with another axis; see `NDArray.expand_dims`."""
        return self._dense().expand_dims(axis, inplace)

    def flatten(self, inplace: bool = False) -> NDArray:
        """Gives the dense form with all axes but the first folded into one."""
        return self._dense().flatten(inplace)

    def squeeze(self, axis: int | Sequence[int] | None = None, inplace: bool = False) -> NDArray:
        """Gives the dense form without axes of length 1."""
        return self._dense().squeeze(axis, inplace)

    def broadcast_to(self, shape: Sequence[int]) -> NDArray:
        """Gives the dense form repeated to a shape; see `NDArray.broadcast_to`."""
        return self._dense().broadcast_to(shape)

    def astype(self, dtype: Any, copy: bool = True) -> NDArray:
        """Converts the stored elements; see `NDArray.astype`."""
        target = _dtypes.to_torch("float32" if dtype is None else dtype)
        if not copy and target is self._parts[0].dtype:
            return self
        return like(self, self._parts[0].to(target, copy=True))

    def copy(self) -> NDArray:
        """Copies the array on the same context."""
        return self.copyto(self._ctx)  # type: ignore[return-value]

    def copyto(self, other: NDArray | Context) -> NDArray | bool:
        """Copies into another array, dense or of the same storage type, or to a context.

        Returns:
            The array copied to; False if that is this array.
        """
        if isinstance(other, Context):
            ctx = intern(other)
            parts = tuple(place(part.clone(), ctx) for part in self._parts)
            return type(self)._of_parts(parts, self._shape, ctx)
        if other is self:
            warnings.warn("copyto: an array is copied to itself", RuntimeWarning, stacklevel=2)
            return False
        if isinstance(other, type(self)):
            if other._shape != self._shape:
                raise ShapeMismatchError(f"copyto: expected shape {other._shape}, got {self._shape}")
            copied = tuple(place(part.clone(), other._ctx) for part in self._parts)
            other._replace((copied[0].to(other._parts[0].dtype), *copied[1:]))
            return other
        if isinstance(other, BaseSparseNDArray):
            raise UnsupportedTypeError(f"copyto: from {self.stype} to {other.stype} is not possible")
        return super().copyto(other)

    def detach(self) -> NDArray:
        """Gives an array of the same parts that is in no graph."""
        return type(self)._of_parts(self._parts, self._shape, self._ctx)

    def tostype(self, stype: str) -> NDArray:
        """Copies the array to a storage type, its own or `"default"`."""
        if stype == "default":
            return NDArray._wrap_recorded(self._read().clone(), self._ctx)
        if storage_class(stype, "tostype") is not type(self):
            raise AttributeValueError(f"tostype: from {self.stype} to {stype} is not possible")
        return self.copy()

    def check_format(self, full_check: bool = True) -> None:
        """Checks that the parts fit together.

        Args:
            full_check: Whether to look at every index, which takes time.

        Raises:
            MXNetError: if they do not.
        """
        raise NotImplementedError

    def attach_grad(self, grad_req: str = "write", stype: str | None = None) -> None:
        """Makes the array a variable; the gradient is stored as the array is by default."""
        super().attach_grad(grad_req, self.stype if stype is None else stype)

    def wait_to_read(self) -> None:
        """Waits until the elements are there."""
        from_tensor(self._parts[0], self._ctx).wait_to_read()


def like(array: BaseSparseNDArray, data: Tensor) -> BaseSparseNDArray:
    """Makes an array of other elements at the same places."""
    return type(array)._of_parts((data, *array._parts[1:]), array._shape, array._ctx)


class RowSparseNDArray(BaseSparseNDArray):
    """An array of which some slices along the first axis are stored, the others being zero.

    Gradients of embeddings are such arrays.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.sparse.row_sparse_array(([[1, 2]], [3]), shape=(5, 2))
        >>> x
        <BLANKLINE>
        <RowSparseNDArray 5x2 @cpu(0)>
        >>> x.indices.asnumpy()
        array([3])
    """

    __slots__ = ()

    _storage = "row_sparse"

    @classmethod
    def _zeros(cls, shape: Sequence[int], dtype: torch.dtype, ctx: Context) -> Self:
        data = place(torch.zeros((0, *tuple(shape)[1:]), dtype=dtype), ctx)
        indices = torch.zeros(0, dtype=torch.int64, device=data.device)
        return cls._of_parts((data, indices), shape, ctx)

    def _rows(self) -> kernels.Rows:
        return self._parts  # type: ignore[return-value]  # two of them

    def _has_all_rows(self) -> bool:
        indices = self._parts[1]
        return len(indices) == self._shape[0] and kernels.in_order(indices)

    def _compress(self, dense: Tensor) -> tuple[Tensor, ...]:
        return kernels.rows_of_gradient(dense)

    def _expand(self) -> Tensor:
        if self._has_all_rows():
            return self._parts[0]
        return kernels.dense_of_rows(self._rows(), self._shape)

    def _writable(self) -> Tensor:
        return self._parts[0] if self._has_all_rows() else super()._writable()

    def _hook(self, grad_req: str) -> Callable[[Tensor], None]:
        if grad_req != "add":
            return super()._hook(grad_req)

        def add(leaf: Tensor) -> None:
            found, leaf.grad = leaf.grad, None
            self._fresh = True
            if found is not None:
                rows = kernels.rows_of_gradient(found)
                self._parts = kernels.merge_rows([self._rows(), rows])

        return add

    def _fill(self, value: float) -> None:
        data = self._parts[0].new_full(self._shape, value)
        self._replace((data, torch.arange(self._shape[0], device=data.device)))

    def __getitem__(self, key: Any) -> NDArray:
        if isinstance(key, slice) and key == slice(None):
            return self
        if isinstance(key, (int, slice)):
            raise SparseOnlyError(f"RowSparseNDArray: only x[:] can be read, got key {key!r}")
        raise AttributeValueError(f"RowSparseNDArray: only x[:] can be read, got key {key!r}")

    def retain(self, indices: NDArray, out: NDArray | None = None) -> NDArray:
        """Gives an array of the rows at some places, zeros where none is stored.

        Args:
            indices: The places, in any order.
            out: Array to write to instead.
        """
        if not isinstance(indices, NDArray):
            raise ArgumentTypeError(f"retain: indices takes an NDArray, got {type(indices).__name__}")
        places = indices._plain.to(self._parts[1]).view(-1)
        if len(places) and not 0 <= int(places.min()) <= int(places.max()) < self._shape[0]:
            raise IndexOutOfBoundsError(
                f"retain: expected indices below {self._shape[0]}, got {places.tolist()}"
            )
        kept = self._of_parts(kernels.pick_rows(self._rows(), places), self._shape, self._ctx)
        if self._node is not None and modes.recording:
            mask = torch.zeros(self._shape[0], dtype=torch.bool, device=places.device)
            mask[places] = True
            mask = mask.view(-1, *[1] * (len(self._shape) - 1))
            kept._join(self._recorded() * mask)
        if out is None:
            return kept
        kept.copyto(out)
        return out

    def check_format(self, full_check: bool = True) -> None:
        """Checks that there is an index for each row; see `BaseSparseNDArray.check_format`."""
        data, indices = self._parts
        if tuple(data.shape) != (len(indices), *self._shape[1:]):
            raise MXNetError(
                f"check_format: rows of shape {tuple(data.shape)} at {len(indices)} indices do not "
                f"fit a row_sparse array of shape {self._shape}"
            )
        if full_check and len(indices):
            ends = int(indices.min()), int(indices.max())
            if ends[0] < 0 or ends[1] >= self._shape[0] or not kernels.in_order(indices):
                raise MXNetError(
                    f"check_format: expected rising indices below {self._shape[0]}, "
                    f"got {indices.tolist()}"
                )


class CSRNDArray(BaseSparseNDArray):
    """A matrix whose elements are stored row by row, with the column of each; zeros are not.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[0, 1, 0], [2, 0, 0]]).tostype("csr")
        >>> print(x.data.asnumpy(), x.indices.asnumpy(), x.indptr.asnumpy())
        [1. 2.] [1 0] [0 1 2]
    """

    __slots__ = ()

    _storage = "csr"

    @classmethod
    def _zeros(cls, shape: Sequence[int], dtype: torch.dtype, ctx: Context) -> Self:
        data = place(torch.zeros(0, dtype=dtype), ctx)
        indptr = torch.zeros(tuple(shape)[0] + 1, dtype=torch.int64, device=data.device)
        return cls._of_parts((data, indptr[:0].clone(), indptr), shape, ctx)

    def _matrix(self) -> kernels.Matrix:
        return self._parts  # type: ignore[return-value]  # three of them

    def _compress(self, dense: Tensor) -> tuple[Tensor, ...]:
        if dense.ndim != 2:
            raise ShapeMismatchError(
                f"csr: expected an array of two axes, got shape {tuple(dense.shape)}"
            )
        return kernels.matrix_of_dense(dense.to_dense())

    def _expand(self) -> Tensor:
        return kernels.dense_of_matrix(self._matrix(), self._shape)

    @property
    def indptr(self) -> NDArray:
        """Copy of the place where each row begins; the last one is the number of elements."""
        return from_tensor(self._parts[2].clone(), self._ctx)

    def _fill(self, value: float) -> None:
        raise AttributeValueError(f"CSRNDArray: takes arrays in assignments, got {value!r}")

    def __getitem__(self, key: Any) -> NDArray:
        length = self._shape[0]
        if isinstance(key, slice):
            if key.step not in (None, 1):
                raise AttributeValueError(f"CSRNDArray: rows are read in steps of 1, got {key!r}")
            begin, end, _ = key.indices(length)
        elif isinstance(key, (int, np.integer)):
            begin = operator.index(key) + (length if key < 0 else 0)
            if not 0 <= begin < length:
                raise IndexOutOfBoundsError(f"index {key} is out of bounds for {length} rows")
            end = begin + 1
        else:
            raise AttributeValueError(f"CSRNDArray: rows are read by int or slice, got {key!r}")
        return self._slice(begin, max(begin, end))

    def _slice(self, begin: int, end: int) -> CSRNDArray:
        parts = kernels.take_matrix_rows(self._matrix(), begin, end)
        return CSRNDArray._of_parts(parts, (end - begin, self._shape[1]), self._ctx)

    def asscipy(self) -> Any:
        """Copies the matrix to SciPy's `csr_matrix`.

        Raises:
            ImportError: if SciPy is not installed.
        """
        data, indices, indptr = (to_numpy(part) for part in self._parts)
        return scipy_csr_class()((data, indices, indptr), shape=self._shape, dtype=self.dtype)

    def check_format(self, full_check: bool = True) -> None:
        """Checks pointers and columns; see `BaseSparseNDArray.check_format`."""
        data, indices, indptr = self._parts
        if len(self._shape) != 2 or len(indptr) != self._shape[0] + 1 or len(data) != len(indices):
            raise MXNetError(
                f"check_format: {len(data)} elements, {len(indices)} columns and {len(indptr)} row "
                f"pointers do not fit a csr array of shape {self._shape}"
            )
        if not full_check:
            return
        ends = indptr[0] == 0 and indptr[-1] == len(indices)
        if not ends or bool((indptr.diff() < 0).any()):
            raise MXNetError(
                f"check_format: expected row pointers that rise from 0 to {len(indices)}, "
                f"got {indptr.tolist()}"
            )
        place_in_order = kernels.row_numbers(indptr) * self._shape[1] + indices
        outside = (indices < 0) | (indices >= self._shape[1])
        if bool(outside.any()) or not kernels.in_order(place_in_order):
            raise MXNetError(
                f"check_format: expected columns below {self._shape[1]} that rise in each row, "
                f"got {indices.tolist()}"
            )


def scipy_csr_class() -> Any:
    """Gives SciPy's matrix class; SciPy is imported by the programs that have it.

    Raises:
        ImportError: if SciPy is not installed.
    """
    return importlib.import_module("scipy.sparse").csr_matrix


STORAGE_CLASSES.update(row_sparse=RowSparseNDArray, csr=CSRNDArray)
for _cls in (BaseSparseNDArray, RowSparseNDArray, CSRNDArray):
    _cls.__module__ = "mxnet.ndarray.sparse"  # where pickles of the original look for them
