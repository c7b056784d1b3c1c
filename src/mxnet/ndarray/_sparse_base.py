"""Array classes that store the rows or elements in use alone.

A sparse array is an array to every operator: what has no way of its own to deal with it reads
`_data`, which is the dense tensor, made for the occasion. Its parts are never changed in place but
replaced, except for a row_sparse array that has all of its rows, whose data are the dense tensor.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from mxnet._arrays.array import Origin, Recorded, Variable, check_fit, origin_of, place
from mxnet._arrays.autograd.gradients import attach_gradient
from mxnet._arrays.bridges import context_from_record, to_numpy, to_tensor
from mxnet._formats import element_types
from mxnet._formats.array_record import ArrayRecord
from mxnet._start import level_of_program, public_call
from mxnet._state import modes
from mxnet.context import CPU0, Context, intern
from mxnet.errors import (
    AttributeValueError,
    MXNetError,
    NotSupportedError,
    ShapeMismatchError,
    UnsupportedTypeError,
)
from mxnet.ndarray._ndarray import NDArray, from_tensor, storage_class
from mxnet.ops.core.allocation import make_zeros
from mxnet.ops.core.registry import get_op
from mxnet.ops.core.scalars import as_number

if TYPE_CHECKING:
    from typing_extensions import Self


class BaseSparseNDArray(NDArray):
    """What row_sparse and csr arrays share; they are made by the functions of `mx.nd.sparse`.

    Example:
        >>> import mxnet as mx
        >>> array = mx.nd.sparse.zeros("csr", (2, 3))
        >>> isinstance(array, mx.nd.sparse.BaseSparseNDArray)
        True
        >>> isinstance(mx.nd.zeros((2, 3)), mx.nd.sparse.BaseSparseNDArray)
        False
    """

    __slots__ = ("_is_flawed", "_shape", "_stored")

    _stored: tuple[Tensor, ...]
    """The parts as they were given; read them by `_parts`."""
    _is_flawed: bool
    """Whether a program made the array of indices that do not fit, which `check_format` reports."""
    _shape: tuple[int, ...]

    def _begin(self, ctx: Context) -> None:
        super()._begin(ctx)
        self._is_flawed = False

    @property
    def _parts(self) -> tuple[Tensor, ...]:
        """The stored elements, then the indices that tell where they belong."""
        if self._is_flawed:  # no kernel reads by such indices
            self.check_format()
        return self._stored

    @_parts.setter
    def _parts(self, parts: tuple[Tensor, ...]) -> None:
        self._stored, self._is_flawed = parts, False

    @public_call
    def __init__(self, handle: None = None, writable: bool = True) -> None:
        if handle is not None or not writable:
            raise MXNetError(f"{type(self).__name__}: made by mx.nd.sparse, not from a handle")
        self._begin(CPU0)
        self._parts, self._shape = (), ()

    @classmethod
    def _of_parts(cls, parts: tuple[Tensor, ...], shape: Sequence[int], ctx: Context) -> Self:
        """Makes an array of tensors that fit together and live on the context's device."""
        array: Self = object.__new__(cls)
        array._begin(ctx)
        array._stored, array._shape = parts, tuple(shape)
        return array

    @classmethod
    def _wrap(cls, tensor: Tensor, ctx: Context) -> Self:
        """Makes an array of the elements of a dense tensor."""
        array: Self = object.__new__(cls)
        array._begin(ctx)
        array._data = tensor
        return array

    @classmethod
    def _of_flawed(cls, parts: tuple[Tensor, ...], shape: Sequence[int], ctx: Context) -> Self:
        """Makes an array of tensors that do not fit together, which can be checked and copied."""
        array = cls._of_parts(parts, shape, ctx)
        array._is_flawed = True
        return array

    def _unchecked_parts(self) -> tuple[Tensor, ...]:
        """Returns the parts, whether they fit together or not."""
        return self._stored if self._is_flawed else self._parts

    @classmethod
    def _zeros(cls, shape: Sequence[int], dtype: torch.dtype, ctx: Context) -> Self:
        """Makes an array without any stored element."""
        raise NotImplementedError

    def _replace(self, parts: tuple[Tensor, ...]) -> None:
        """Takes new parts; a variable stays one."""
        self._parts = parts
        if isinstance(self._role, Variable):
            attach_gradient(self, self._role.gradient, self._role.grad_req)  # type: ignore[type-var]

    def _compress(self, dense: Tensor) -> tuple[Tensor, ...]:
        raise NotImplementedError

    def _expand(self) -> Tensor:
        raise NotImplementedError

    @property
    def _data(self) -> Tensor:
        return self._expand()

    @_data.setter
    def _data(self, dense: Tensor) -> None:
        self._shape = tuple(dense.shape)
        self._replace(self._compress(dense))

    @property
    def _plain(self) -> Tensor:
        return self._expand()

    @property
    def _memory(self) -> Tensor:
        return self._parts[0]

    def _writable(self) -> Tensor:
        raise NotSupportedError(
            f"a {self.stype} array cannot be changed element by element; assign all of it by "
            "x[:] = ..., or change x.tostype('default')"
        )

    def _overwrite(self, where: str, result: Tensor) -> Tensor:
        check_fit(where, self._shape, self._parts[0].dtype, result)
        self._data = result.clone()
        return result

    def _hook(self, grad_req: str) -> Callable[[Tensor], None]:
        def write(leaf: Tensor) -> None:
            gradient, leaf.grad = leaf.grad, None
            self._fresh = True
            if grad_req == "add" and gradient is not None:
                gradient = self._expand() + gradient
            if gradient is not None:
                self._parts = self._compress(gradient)
            elif grad_req != "add":  # an operator has no gradient for this input
                self._parts = self._zeros(self._shape, leaf.dtype, self._ctx)._parts

        return write

    def _join(self, recorded: Tensor, origin: Origin | None) -> None:
        """Takes the place in the graph of a dense tensor with the same elements."""
        if recorded.requires_grad:
            self._node, self._role = recorded, Recorded(origin)

    def _dense(self) -> NDArray:
        """Returns the array in dense form, with its place in the graph."""
        return NDArray._wrap_recorded(self._read(), self._ctx, origin_of(self))

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
        return prod(self._shape)

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
        return from_tensor(self._unchecked_parts()[0].clone(), self._ctx)

    @property
    def indices(self) -> NDArray:
        """Copy of the places of the stored elements: rows of row_sparse, columns of csr arrays."""
        return from_tensor(self._unchecked_parts()[1].clone(), self._ctx)

    @property
    def _num_aux(self) -> int:
        """Number of arrays of indices."""
        return len(self._stored) - 1

    @property
    def _aux_types(self) -> list[Any]:
        """Element type of each array of indices."""
        return [self._aux_type(i) for i in range(self._num_aux)]

    def _aux_type(self, i: int) -> Any:
        """Element type of an array of indices."""
        return self._aux_data(i).dtype

    def _aux_data(self, i: int) -> NDArray:
        """Copy of an array of indices; the row pointers of a csr array come first."""
        return from_tensor(self._unchecked_parts()[:0:-1][i].clone(), self._ctx)

    def __repr__(self) -> str:
        size = "x".join(str(length) for length in self._shape)
        return f"\n<{type(self).__name__} {size} @{self._ctx}>"

    def _repr_html_(self) -> str:
        from mxnet.ndarray._html import sparse_to_html, title_of  # noqa: PLC0415 - notebooks only

        if not self._parts:
            return sparse_to_html(f"{type(self).__name__} without values", (), ())
        title = title_of(type(self), self._shape, self._parts[0].dtype, self._ctx)
        return sparse_to_html(title, self._shape, self._parts)

    @public_call
    def __setitem__(self, key: Any, value: Any) -> None:
        if not (isinstance(key, slice) and key == slice(None)):
            error = AttributeValueError if isinstance(key, slice) else UnsupportedTypeError
            raise error(
                f"{type(self).__name__}: elements can only be assigned all at once by x[:] = ..., "
                f"got key {key!r}"
            )
        if isinstance(value, NDArray):
            if value is not self:
                value.copyto(self)
            return
        if isinstance(value, (int, float, np.number)):
            self._fill(as_number(value))
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
        self._begin(context_from_record(record))
        self._shape = record.shape
        if record.data is None:
            raise MXNetError(f"a stored {record.storage} array has no data")
        indices = [to_tensor(part.astype(np.int64)) for part in reversed(record.aux)]
        parts = (to_tensor(record.data), *indices)
        if self._storage == "csr" and not len(parts[2]):  # as the original stores a new array
            rows = record.shape[0]
            parts = (*parts[:2], make_zeros("row pointers", (rows + 1,), torch.int64))
        self._parts = tuple(place(part, self._ctx) for part in parts)

    @public_call
    def asscalar(self) -> Any:
        """Raises: a sparse array is no number."""
        raise NotSupportedError(f"asscalar: not available for a {self.stype} array")

    @public_call
    def reshape(self, *shape: Any, **kwargs: Any) -> NDArray:
        """Raises: a sparse array has no memory to be seen in another shape."""
        raise NotSupportedError(
            f"reshape: not available for a {self.stype} array, got {shape or kwargs}; "
            "use x.tostype('default')"
        )

    def __neg__(self) -> NDArray:
        return self._compute("negative")

    def __abs__(self) -> NDArray:
        return self._compute("abs")

    def _compute(self, name: str, **attrs: Any) -> NDArray:
        """Runs an operator on the array alone."""
        return self._override(get_op(name), (self,), attrs, NDArray)  # type: ignore[misc, no-any-return]

    @public_call
    def expand_dims(self, axis: int, inplace: bool = False) -> NDArray:
        """Returns the dense form with another axis; see `NDArray.expand_dims`."""
        return self._dense().expand_dims(axis, inplace)

    @public_call
    def flatten(self, inplace: bool = False) -> NDArray:
        """Returns the dense form with all axes but the first folded into one."""
        return self._dense().flatten(inplace)

    @public_call
    def squeeze(self, axis: int | Sequence[int] | None = None, inplace: bool = False) -> NDArray:
        """Returns the dense form without axes of length 1."""
        return self._dense().squeeze(axis, inplace)

    @public_call
    def broadcast_to(self, shape: Sequence[int]) -> NDArray:
        """Returns the dense form repeated to a shape; see `NDArray.broadcast_to`."""
        return self._dense().broadcast_to(shape)

    @public_call
    def astype(self, dtype: Any, copy: bool = True) -> NDArray:
        """Converts the stored elements; see `NDArray.astype`."""
        target = element_types.to_torch("float32" if dtype is None else dtype)
        if not copy and target is self._parts[0].dtype:
            return self
        result = like(self, self._parts[0].to(target, copy=True))
        if self._node is not None and modes.recording:
            dense = self._dense().astype(dtype)
            result._join(dense._recorded(), origin_of(dense))
        return result

    def copy(self) -> NDArray:
        """Copies the array on the same context."""
        if self._node is not None and modes.recording:
            return self._compute("_copy")
        return self.copyto(self._ctx)  # type: ignore[return-value]

    @public_call
    def copyto(self, other: NDArray | Context) -> NDArray | bool:
        """Copies into another array, dense or of the same storage type, or to a context.

        Returns:
            The array copied to; False if that is this array.
        """
        if isinstance(other, Context):
            ctx = intern(other)
            parts = tuple(place(part.clone(), ctx) for part in self._unchecked_parts())
            make = type(self)._of_flawed if self._is_flawed else type(self)._of_parts
            return make(parts, self._shape, ctx)
        if other is self:
            warnings.warn(
                "copyto: an array is copied to itself",
                RuntimeWarning,
                stacklevel=level_of_program(),
            )
            return False
        if isinstance(other, type(self)):
            if other._shape != self._shape:
                raise ShapeMismatchError(
                    f"copyto: expected shape {other._shape}, got {self._shape}"
                )
            copied = tuple(place(part.clone(), other._ctx) for part in self._parts)
            other._replace((copied[0].to(other._stored[0].dtype), *copied[1:]))
            return other
        if isinstance(other, BaseSparseNDArray):
            raise UnsupportedTypeError(
                f"copyto: from {self.stype} to {other.stype} is not possible"
            )
        return super().copyto(other)

    def detach(self) -> NDArray:
        """Returns an array of the same parts that is in no graph."""
        return type(self)._of_parts(self._parts, self._shape, self._ctx)

    @public_call
    def tostype(self, stype: str) -> NDArray:
        """Copies the array to a storage type, its own or `"default"`."""
        if stype == "default":
            return NDArray._wrap_recorded(self._read().clone(), self._ctx, origin_of(self))
        if storage_class(stype, "tostype") is not type(self):
            raise AttributeValueError(f"tostype: from {self.stype} to {stype} is not possible")
        copied = self.copy()
        if modes.recording and self._node is not None:
            copied._join(self._recorded().clone(), origin_of(self))  # type: ignore[attr-defined]
        return copied

    def check_format(self, full_check: bool = True) -> None:
        """Checks that the parts fit together.

        Args:
            full_check: Whether to look at every index, which takes time.

        Raises:
            MXNetError: if they do not.
        """
        raise NotImplementedError

    @public_call
    def attach_grad(self, grad_req: str = "write", stype: str | None = None) -> None:
        """Makes the array a variable; the gradient is stored as the array is by default."""
        if stype == "default":
            gradient = from_tensor(torch.zeros_like(self._plain), self._ctx.results)
            attach_gradient(self, gradient, grad_req)
        else:
            super().attach_grad(grad_req, self.stype if stype is None else stype)

    def wait_to_read(self) -> None:
        """Waits until the elements are there."""
        from_tensor(self._parts[0], self._ctx).wait_to_read()


def is_scipy(source: Any) -> bool:
    """Returns whether something is a sparse matrix of SciPy, without importing it."""
    return type(source).__module__.startswith("scipy.sparse")


def like(array: BaseSparseNDArray, data: Tensor) -> BaseSparseNDArray:
    """Makes an array of other elements at the same places."""
    return type(array)._of_parts((data, *array._parts[1:]), array._shape, array._ctx)
