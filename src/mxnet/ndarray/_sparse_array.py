"""The two kinds of sparse arrays: some rows of an array, and the elements of a matrix."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from mxnet._arrays.array import place
from mxnet._arrays.bridges import to_numpy, to_tensor
from mxnet._start import public_methods
from mxnet._state import modes
from mxnet.context import Context
from mxnet.errors import (
    ArgumentTypeError,
    AttributeValueError,
    IndexOutOfBoundsError,
    MXNetError,
    NotSupportedError,
    ShapeMismatchError,
)
from mxnet.ndarray import _sparse_kernels as kernels
from mxnet.ndarray._ndarray import STORAGE_CLASSES, NDArray, from_tensor
from mxnet.ndarray._sparse_base import BaseSparseNDArray
from mxnet.ops.core.allocation import check_like, make_zeros

if TYPE_CHECKING:
    from typing_extensions import Self


@public_methods("check_format", "__getitem__", "retain")
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

    __slots__ = ("_is_captured", "_is_padded", "_unmerged")

    _storage = "row_sparse"

    _is_captured: bool
    """Whether a step is being captured, which adds rows up without asking for their number."""
    _is_padded: bool
    """Whether the stored rows are those of a captured step; see `kernels.pad_rows`."""
    _unmerged: Tensor | None
    """The last gradient in torch's sparse form, until its rows are asked for: some may repeat."""

    def _begin(self, ctx: Context) -> None:
        super()._begin(ctx)
        self._is_captured = self._is_padded = False
        self._unmerged = None

    @property
    def _parts(self) -> tuple[Tensor, ...]:
        """The stored rows, then their indices; outside of a capture each index is there once."""
        if self._unmerged is not None:
            self._stored, self._unmerged = kernels.rows_of_gradient(self._unmerged), None
        if self._is_padded and not self._is_captured:
            self._stored, self._is_padded = kernels.drop_padding(self._stored), False  # type: ignore[arg-type]
        return super()._parts

    @_parts.setter
    def _parts(self, parts: tuple[Tensor, ...]) -> None:
        self._stored, self._is_padded, self._is_flawed = parts, self._is_captured, False
        self._unmerged = None

    @property
    def _element_type(self) -> torch.dtype:
        """Type of the elements, for which no rows are added up."""
        return (self._parts[0] if self._unmerged is None else self._unmerged).dtype

    def _show_padded(self, rows: tuple[Tensor, ...]) -> None:
        """Takes the rows that a captured step has computed; what reads them drops the padding."""
        self._stored, self._is_padded, self._unmerged = rows, True, None

    def _with_data(self, data: Tensor) -> Self:
        """Returns an array of other rows at the same places, in a capture as this one is."""
        array = self._of_parts((data, self._parts[1]), self._shape, self._ctx)
        array._is_captured = array._is_padded = self._is_captured
        return array

    def _rows_to_update(self) -> kernels.Rows:
        """Returns rows by which to change those of a weight, equal ones where an index repeats."""
        data, indices = self._parts
        if self._is_captured:
            data = data.index_select(0, torch.searchsorted(indices, indices))
        return data, indices

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
        return (kernels.pad_rows if self._is_captured else kernels.rows_of_gradient)(dense)

    def _expand(self) -> Tensor:
        if self._is_captured:
            return kernels.sum_of_rows(self._rows(), self._shape)
        if self._has_all_rows():
            return self._parts[0]
        return kernels.dense_of_rows(self._rows(), self._shape)

    def _writable(self) -> Tensor:
        return self._parts[0] if self._has_all_rows() else super()._writable()

    def _hook(self, grad_req: str) -> Callable[[Tensor], None]:
        if grad_req != "add":
            write_dense = super()._hook(grad_req)

            def write(leaf: Tensor) -> None:
                gradient = leaf.grad
                if gradient is None or self._is_captured or not gradient.is_sparse:
                    return write_dense(leaf)
                leaf.grad = None
                self._parts = gradient._values(), gradient._indices()[0]
                self._fresh, self._unmerged = True, gradient
                return None

            return write

        def add(leaf: Tensor) -> None:
            gradient, leaf.grad = leaf.grad, None
            self._fresh = True
            if gradient is not None:
                rows = kernels.rows_of_gradient(gradient)
                self._parts = kernels.merge_rows([self._rows(), rows])

        return add

    def _fill(self, value: float) -> None:
        check_like(f"a row_sparse array of shape {self._shape}", self._shape, self._parts[0])
        data = self._parts[0].new_full(self._shape, value)
        self._replace((data, torch.arange(self._shape[0], device=data.device)))

    def __getitem__(self, key: Any) -> NDArray:
        if isinstance(key, slice) and key == slice(None):
            return self
        if isinstance(key, (int, slice)):
            raise NotSupportedError(f"RowSparseNDArray: only x[:] can be read, got key {key!r}")
        raise AttributeValueError(f"RowSparseNDArray: only x[:] can be read, got key {key!r}")

    def retain(self, indices: NDArray, out: NDArray | None = None) -> NDArray:
        """Returns an array of the rows at some places, zeros where none is stored.

        Args:
            indices: The places, in any order.
            out: Array to write to instead.
        """
        if not isinstance(indices, NDArray):
            raise ArgumentTypeError(
                f"retain: indices takes an NDArray, got {type(indices).__name__}"
            )
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
            kept._join(self._recorded() * mask, None)
        if out is None:
            return kept
        kept.copyto(out)
        return out

    def check_format(self, full_check: bool = True) -> None:
        """Checks that there is an index for each row; see `BaseSparseNDArray.check_format`."""
        data, indices = self._unchecked_parts()
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


@public_methods("check_format", "__getitem__")
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
        where = f"row pointers of a csr array of shape {tuple(shape)}"
        indptr = make_zeros(where, (shape[0] + 1,), torch.int64, data.device)
        return cls._of_parts((data, indptr[:0].clone(), indptr), shape, ctx)

    @classmethod
    def _of_scipy(cls, source: Any, ctx: Context) -> Self:
        """Copies a sparse matrix of SciPy, of any format."""
        matrix = source.tocsr().sorted_indices()
        matrix.check_format()
        matrix.sum_duplicates()  # which the check allows
        indices, indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
        parts = tuple(place(to_tensor(part), ctx) for part in (matrix.data, indices, indptr))
        return cls._of_parts(parts, matrix.shape, ctx)

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
        return from_tensor(self._unchecked_parts()[2].clone(), self._ctx)

    def _fill(self, value: float) -> None:
        raise AttributeValueError(f"CSRNDArray: takes arrays in assignments, got {value!r}")

    def __getitem__(self, key: Any) -> NDArray:
        length = self._shape[0]
        if isinstance(key, slice):
            if key == slice(None):
                return self
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
        if self._node is not None and modes.recording:
            return self._compute("slice", begin=(begin,), end=(max(begin, end),))
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
        data, indices, indptr = self._unchecked_parts()
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
    """Returns SciPy's matrix class; SciPy is imported by the programs that have it.

    Raises:
        ImportError: if SciPy is not installed.
    """
    return importlib.import_module("scipy.sparse").csr_matrix


STORAGE_CLASSES.update(row_sparse=RowSparseNDArray, csr=CSRNDArray)
for _cls in (BaseSparseNDArray, RowSparseNDArray, CSRNDArray):
    _cls.__module__ = "mxnet.ndarray.sparse"  # where pickles of the original look for them
