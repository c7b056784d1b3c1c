"""The array class of the `nd` interface."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

import torch
from torch import Tensor

from mxnet._arrays.array import Origin, Recorded, finish, make_array, origin_of, place
from mxnet._arrays.autograd.gradients import (
    Adder,
    Writer,
    attach_gradient,
    differentiate,
    drop_gradient,
)
from mxnet._arrays.bridges import from_record, readable, share_tensor, to_numpy, to_record
from mxnet._arrays.errors.delayed import raise_if_failed
from mxnet._arrays.invoke import invoke, store
from mxnet._arrays.operators import negate
from mxnet._formats import element_types, params
from mxnet._formats.array_record import ArrayRecord, Storage
from mxnet._legacy.c_interface import HandledArray, begin
from mxnet._legacy.clients import allow_as_number
from mxnet._start import did_you_mean, expand, level_of_program, public_call
from mxnet._state import modes
from mxnet.context import CPU0, Context, intern, resolve
from mxnet.errors import (
    AttributeValueError,
    InvalidArgumentError,
    MXNetError,
    ShapeMismatchError,
    UnsupportedTypeError,
)
from mxnet.ndarray._indexing import get_item, set_item
from mxnet.ops.core.allocation import make_zeros, naming_shortage, raise_shortage
from mxnet.ops.core.carriers import join_integers
from mxnet.ops.core.interposing import kernel_of
from mxnet.ops.core.registry import get_op
from mxnet.ops.math.movement import resolve_reshape

if TYPE_CHECKING:
    from numpy.typing import NDArray as NumpyArray


class NDArray(HandledArray):
    """A dense array on a context, with the shape and dtype rules of MXNet's `nd`.

    Arrays are made by functions such as `mx.nd.array` and `mx.nd.zeros`, not by calling the class.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[1, 2], [3, 4]])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     y = x * x
        >>> y.backward()
        >>> x.grad
        <BLANKLINE>
        [[2. 4.]
         [6. 8.]]
        <NDArray 2x2 @cpu(0)>
    """

    __slots__ = ()

    _storage: ClassVar[Storage] = "default"

    __array_priority__ = 1000.0
    """Makes NumPy leave `numpy_scalar + array` to this class."""

    if TYPE_CHECKING:  # the package sets Python's operators from a table
        __add__ = __radd__ = __sub__ = __rsub__ = cast("Callable[[Any, Any], Any]", None)
        __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __add__
        __iadd__ = __isub__ = __imul__ = __itruediv__ = __add__

    def __init__(self, handle: Any = None, writable: bool = True) -> None:  # noqa: ARG002
        begin(self, handle)

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        tensor = self._data
        return tuple((self._node if tensor is None else tensor).shape)  # type: ignore[union-attr]

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self._plain.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._plain.numel()

    @property
    def dtype(self) -> Any:
        """Element type, as NumPy's scalar class."""
        row = element_types.BY_TORCH[self._plain.dtype]
        return row.numpy if row.name == "bfloat16" else row.numpy.type

    @property
    def context(self) -> Context:
        """Where the array lives."""
        return self._ctx

    ctx = device = context

    @property
    def stype(self) -> str:
        """Storage type; dense arrays are `"default"`."""
        return self._storage

    @property
    def writable(self) -> bool:
        """Whether elements can be assigned."""
        return True

    @property
    def T(self) -> NDArray:  # noqa: N802 - the name is NumPy's
        """Array with the axes in reverse order; a vector stays as it is."""
        if self.ndim < 2:
            return self
        return invoke(get_op("transpose"), (self,), {}, type(self))  # type: ignore[return-value]

    @property
    def grad(self) -> NDArray | None:
        """Gradient array, None before `attach_grad`."""
        role = self._role
        return None if role is None else role.gradient  # type: ignore[return-value]

    @property
    def _fresh_grad(self) -> bool:
        """Whether `backward` has computed the gradient since this was last set to False."""
        gradient = self.grad
        return gradient is not None and gradient._fresh

    @_fresh_grad.setter
    def _fresh_grad(self, fresh: bool) -> None:
        if self.grad is not None:
            self.grad._fresh = bool(fresh)

    def __repr__(self) -> str:
        raise_if_failed(self)
        size = "x".join(str(length) for length in self.shape)
        return f"\n{to_numpy(readable(self._plain))!s}\n<{type(self).__name__} {size} @{self._ctx}>"

    def _repr_html_(self) -> str:
        """Returns what notebooks show."""
        from mxnet.ndarray._html import dense_to_html, title_of  # noqa: PLC0415 - notebooks only

        raise_if_failed(self)
        title = title_of(type(self), self.shape, self._plain.dtype, self._ctx)
        return dense_to_html(title, self._plain)

    @public_call
    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[NDArray]:
        for index in range(len(self)):
            yield self[index]

    __hash__ = object.__hash__

    @public_call
    def __bool__(self) -> bool:
        if self.size > 1:
            raise ShapeMismatchError(
                f"an array is true or false if it has one element, got shape {self.shape}\n"
                "  Compare sums, or use x.asnumpy().any() or .all()."
            )
        return self.size == 1 and bool(self.asscalar())

    __nonzero__ = __bool__

    @public_call
    def __float__(self) -> float:
        return float(self._number())

    @public_call
    def __int__(self) -> int:
        return int(self._number())

    @public_call
    def __index__(self) -> int:
        return operator.index(self._number())

    def _number(self) -> Any:
        if self.size != 1:
            raise UnsupportedTypeError(
                f"only an array of one element can become a number, the shape is {self.shape}"
            )
        return self.asscalar()

    __neg__ = negate

    def __abs__(self) -> NDArray:
        return invoke(get_op("abs"), (self,), {}, type(self))  # type: ignore[return-value]

    @expand
    @public_call
    def __getitem__(self, key: Any) -> NDArray:
        if type(key) is slice and key.step is None and self._node is None:
            try:
                part = self._data[key]  # type: ignore[index]  # set where there is no history
            except IndexError:  # torch slices no scalars
                return get_item(self, key)  # type: ignore[return-value]
            if part.is_contiguous():
                array = make_array(type(self), part, self._ctx)
                array._aliased = self._aliased = True
                return array
        return get_item(self, key)  # type: ignore[return-value]

    __setitem__ = public_call(set_item)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NumpyArray[Any]:
        if copy is False:
            raise AttributeValueError("NDArray: NumPy can only get a copy; use copy=None")
        values = self.asnumpy()
        return values if dtype is None else values.astype(dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (None,), self.__getstate__()

    def __getstate__(self) -> dict[str, Any]:
        # A bytearray, because the original can load no other.
        return {"handle": bytearray(params.encode_record(self._to_record()))}

    @classmethod
    def _zeros(cls, shape: Sequence[int], dtype: torch.dtype, ctx: Context) -> NDArray:
        """Makes an array of zeros."""
        zeros = make_zeros(f"zeros of shape {tuple(shape)}", shape, dtype)
        return cls._wrap(zeros if ctx is CPU0 else place(zeros, ctx), ctx)

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state["handle"] is None:
            return
        self._take_record(params.decode_record(state["handle"], "pickled NDArray"))

    def _to_record(self) -> ArrayRecord:
        """Makes the stored form of the array."""
        raise_if_failed(self)
        return to_record(self._plain, self._ctx)

    def _take_record(self, record: ArrayRecord) -> None:
        """Becomes the array that is stored."""
        tensor, ctx = from_record(record)
        self._begin(ctx)
        self._data = tensor if ctx is CPU0 else place(tensor, ctx)

    def __deepcopy__(self, memo: dict[int, Any]) -> NDArray:
        return self.copy()

    def __copy__(self) -> NDArray:
        return self.copy()

    def asnumpy(self) -> NumpyArray[Any]:
        """Copies the elements to a NumPy array.

        Example:
            >>> import mxnet as mx
            >>> mx.nd.array([1, 2]).asnumpy()
            array([1., 2.], dtype=float32)
        """
        if modes.tracer is not None:
            modes.tracer.refuse("asks for values of an array, which may be others in the next call")
        try:
            return allow_as_number(to_numpy(self._plain))
        except (RuntimeError, MemoryError) as error:
            raise_if_failed(self)
            raise_shortage(f"asnumpy of an array of shape {self.shape}", error)
            raise

    @public_call
    def asscalar(self) -> Any:
        """Returns the only element as a NumPy scalar.

        Raises:
            ValueError: if there is not exactly one.
        """
        if self.size != 1:
            raise ShapeMismatchError(
                f"asscalar: takes an array of one element, got shape {self.shape}\n"
                "  Reduce it first, as in x.mean().asscalar(), or take all of it by x.asnumpy()."
            )
        if modes.tracer is not None:
            modes.tracer.refuse("asks for values of an array, which may be others in the next call")
        raise_if_failed(self)
        return to_numpy(readable(self._plain)).reshape(-1)[0]

    @public_call
    def astype(self, dtype: Any, copy: bool = True) -> NDArray:
        """Converts the elements.

        Args:
            dtype: The new element type; None is float32.
            copy: False returns the array itself if it has that type already.
        """
        target = element_types.to_torch("float32" if dtype is None else dtype)
        if not copy and target is self._plain.dtype:
            return self
        cast, attrs = get_op("Cast"), {"dtype": target}
        return invoke(cast, (self,), attrs, type(self), ctx=self._ctx)  # type: ignore[return-value]

    def copy(self) -> NDArray:
        """Copies the array on the same context."""
        return self._clone(self._read(), self._ctx)

    def _clone(self, tensor: Tensor, ctx: Context) -> NDArray:
        try:
            if not modes.recording:
                return type(self)._wrap(tensor.clone(), ctx)
            if self._node is not None and not self._node.requires_grad:  # integers
                copy = join_integers(tensor.clone(), torch.clone, (self._node,))
                return finish(copy, (tensor,), type(self), ctx)
            return type(self)._wrap_recorded(tensor.clone(), ctx, self._copy_origin())
        except RuntimeError as error:
            raise_shortage(f"copy of an array of shape {tuple(tensor.shape)}", error)
            raise

    def _copy_origin(self) -> Origin | None:
        """Returns how a copy of this array comes to be."""
        return ("copy", (origin_of(self),), (), 0) if modes.recording else None

    @public_call
    def copyto(self, other: NDArray | Context) -> NDArray | bool:
        """Copies into another array, or to a new one on a context.

        Returns:
            The array copied to; False if that is this array.

        Example:
            >>> import mxnet as mx
            >>> x, y = mx.nd.array([1, 2]), mx.nd.zeros(2)
            >>> x.copyto(y) is y, x.copyto(mx.cpu(1)).context
            (True, cpu(1))
            >>> print(y.asnumpy())
            [1. 2.]
        """
        if isinstance(other, Context):
            ctx = other if other is CPU0 else intern(other)
            tensor = self._read()
            moved = tensor if ctx is self._ctx else place(tensor, ctx)
            if moved is tensor:
                return self._clone(tensor, ctx)
            return type(self)._wrap_recorded(moved, ctx, self._copy_origin())
        if not isinstance(other, NDArray):
            raise UnsupportedTypeError(f"copyto: takes an NDArray or a Context, got {type(other)}")
        if other is self:
            warnings.warn(
                "copyto: an array is copied to itself",
                RuntimeWarning,
                stacklevel=level_of_program(),
            )
            return False
        tensor = self._read().to(device=other._plain.device, dtype=other._plain.dtype)
        store("copyto", (self,), tensor, other, self._copy_origin())
        return other

    @public_call
    def as_in_context(self, context: Context) -> NDArray:
        """Returns the array on a context: itself if it is there already, else a copy.

        Example:
            >>> import mxnet as mx
            >>> x = mx.nd.ones(2)
            >>> x.as_in_context(mx.cpu()) is x, x.as_in_context(mx.cpu(1)).context
            (True, cpu(1))
        """
        if intern(context) is self._ctx:
            return self
        return self.copyto(context)  # type: ignore[return-value]

    def as_nd_ndarray(self) -> NDArray:
        """Returns the array in the `nd` interface: itself."""
        return self

    @public_call
    def tostype(self, stype: str) -> NDArray:
        """Copies the array to a storage type: `"default"`, `"row_sparse"` or `"csr"`."""
        cls = storage_class(stype, "tostype")
        if cls is NDArray:
            return self.copy()
        tensor = self._read()
        array = cls._wrap(tensor.detach().clone(), self._ctx.results)
        if tensor.requires_grad:
            attrs = {"stype": stype}
            array._node = tensor
            array._role = Recorded((get_op("cast_storage"), (origin_of(self),), attrs, 0))
        return array

    def detach(self) -> NDArray:
        """Returns an array on the same memory that is in no graph.

        Example:
            >>> import mxnet as mx
            >>> x = mx.nd.array([3])
            >>> x.attach_grad()
            >>> with mx.autograd.record():
            ...     y = x * x.detach()  # the second factor is a constant
            >>> y.backward()
            >>> print(x.grad.asscalar())
            3.0
        """
        self._own()
        self._aliased = True
        array = type(self)._wrap(self._plain, self._ctx)
        array._aliased = True
        return array

    @public_call
    def reshape(self, *shape: Any, **kwargs: Any) -> NDArray:
        """Returns the array in another shape, on the same memory.

        Args:
            *shape: The lengths, or one tuple of them. 0 copies a length, -1 takes what is left,
                -2 copies all lengths that are left, -3 multiplies two, -4 splits one into the
                next two.
            **kwargs: `shape` as above, and `reverse` to match from the last axis on.
        """
        unknown = set(kwargs) - {"shape", "reverse"}
        if unknown:
            raise UnsupportedTypeError(f"reshape: unknown argument {', '.join(sorted(unknown))}")
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            wanted: Sequence[int] = shape[0]
        else:
            wanted = shape or kwargs.get("shape", ())
        if isinstance(wanted, int):
            wanted = (wanted,)
        if not wanted and not (modes.np_shape and (shape or "shape" in kwargs)):
            raise InvalidArgumentError("reshape: a shape must be given")
        try:
            new = resolve_reshape(self.shape, tuple(wanted), bool(kwargs.get("reverse", False)))
        except MXNetError as error:
            raise InvalidArgumentError(
                f"Cannot reshape array of size {self.size} into shape {tuple(wanted)}: {error}"
            ) from error
        return self._share(self._lend().reshape(new))

    @public_call
    def expand_dims(self, axis: int, inplace: bool = False) -> NDArray:
        """Inserts an axis of length 1; with `inplace`, as a view on the same memory."""
        if inplace:
            if not -self.ndim - 1 <= axis <= self.ndim:
                raise InvalidArgumentError(f"expand_dims: axis {axis} does not fit {self.shape}")
            return self._share(self._lend().unsqueeze(axis))
        op = get_op("expand_dims")
        attrs = {"axis": axis} if type(axis) is int else op.parse_attrs({"axis": axis})
        return invoke(op, (self,), attrs, type(self))  # type: ignore[return-value]

    @public_call
    def flatten(self, inplace: bool = False) -> NDArray:
        """Folds all axes but the first into one; with `inplace`, as a view on the same memory."""
        if inplace:
            return self.reshape((0, -1))
        return invoke(get_op("Flatten"), (self,), {}, type(self))  # type: ignore[return-value]

    @public_call
    def squeeze(self, axis: int | Sequence[int] | None = None, inplace: bool = False) -> NDArray:
        """Removes axes of length 1; with `inplace`, as a view on the same memory."""
        op = get_op("squeeze")
        attrs = op.parse_attrs({"axis": axis})
        if not inplace:
            return invoke(op, (self,), attrs, type(self))  # type: ignore[return-value]
        try:
            return self._share(kernel_of(op)(self._lend(), **attrs))
        except (MXNetError, IndexError) as error:
            raise InvalidArgumentError(f"squeeze: {error}") from error

    @public_call
    def broadcast_to(self, shape: Sequence[int]) -> NDArray:
        """Repeats axes of length 1 to the given shape; axes missing in front are added."""
        wanted = (shape,) if isinstance(shape, int) else tuple(shape)
        padded = (1,) * (len(wanted) - self.ndim) + self.shape
        fits = len(padded) == len(wanted) and all(
            length in (1, size) for length, size in zip(padded, wanted, strict=True)
        )
        if not fits:
            raise ShapeMismatchError(f"broadcast_to: cannot broadcast {self.shape} to {wanted}")
        source = self if padded == self.shape else self.reshape(padded)
        op = get_op("broadcast_to")
        return invoke(op, (source,), op.parse_attrs({"shape": wanted}), type(self))  # type: ignore[return-value]

    def broadcast_like(self, other: NDArray) -> NDArray:
        """Repeats axes of length 1 to the shape of another array."""
        return self.broadcast_to(other.shape)

    @public_call
    def slice_assign(
        self,
        rhs: NDArray,
        begin: Sequence[int | None],
        end: Sequence[int | None],
        step: Sequence[int | None],
    ) -> None:
        """Assigns an array to the slice from `begin` to `end` by `step`."""
        self[tuple(map(slice, begin, end, step or [None] * len(begin)))] = rhs

    @public_call
    def slice_assign_scalar(
        self,
        value: float,
        begin: Sequence[int | None],
        end: Sequence[int | None],
        step: Sequence[int | None],
    ) -> None:
        """Assigns a number to the slice from `begin` to `end` by `step`.

        Example:
            >>> import mxnet as mx
            >>> x = mx.nd.zeros((2, 3))
            >>> x.slice_assign_scalar(5, begin=(0, 1), end=(2, 2), step=(1, 1))
            >>> print(x.asnumpy())
            [[0. 5. 0.]
             [0. 5. 0.]]
        """
        self[tuple(map(slice, begin, end, step or [None] * len(begin)))] = value

    @public_call
    def attach_grad(self, grad_req: str = "write", stype: str | None = None) -> None:
        """Makes the array a variable: allocates its gradient and forgets what computed it.

        Args:
            grad_req: `"write"` replaces the gradient in each backward, `"add"` accumulates,
                `"null"` computes none.
            stype: Storage type of the gradient, `"default"` if not given.
        """
        if stype in (None, "default"):
            with naming_shortage(f"attach_grad of an array of shape {self.shape}"):
                zeros = torch.zeros_like(self._plain)
            gradient = type(self)._wrap(zeros, self._ctx.results)
        else:
            cls = storage_class(stype, "attach_grad")
            gradient = cls._zeros(self.shape, self._plain.dtype, self._ctx.results)
        attach_gradient(self, gradient, grad_req)

    def drop_grad(self) -> None:
        """Takes the gradient away that `attach_grad` has made, and forgets what computed the array.

        Example:
            >>> import mxnet as mx
            >>> x = mx.nd.ones(2)
            >>> x.attach_grad()
            >>> x.drop_grad()
            >>> x.grad is None
            True
        """
        drop_gradient(self)

    @expand
    @public_call
    def backward(
        self, out_grad: NDArray | None = None, retain_graph: bool = False, train_mode: bool = True
    ) -> None:
        """Computes the gradients of the variables that this array was computed from.

        Args:
            out_grad: Gradient with respect to this array, ones if not given.
            retain_graph: Whether the graph can be used again.
            train_mode: Whether operators differentiate for training.

        Example:
            >>> import mxnet as mx
            >>> x = mx.nd.array([1, 2])
            >>> x.attach_grad()
            >>> with mx.autograd.record():
            ...     y = x * x
            >>> y.backward(mx.nd.array([1, 10]))
            >>> print(x.grad.asnumpy())
            [ 2. 40.]
        """
        differentiate([self], [out_grad], retain_graph=retain_graph, train_mode=train_mode)

    def _hook(self, grad_req: str) -> Callable[[Tensor], None]:
        """Of a gradient array: what takes the gradient from the leaf after backward."""
        return Writer(self) if grad_req == "write" else Adder(self)

    @public_call
    def wait_to_read(self) -> None:
        """Waits until the elements are there, and raises if they could not be computed.

        Example:
            >>> import mxnet as mx
            >>> y = mx.nd.ones((64, 64)) * 2
            >>> y.wait_to_read()  # a clock read now includes the product
        """
        raise_if_failed(self)
        if self._plain.device.type != "cpu":
            torch.accelerator.synchronize(self._plain.device)

    def to_torch(self) -> Tensor:
        """Returns the tensor behind the array, on the same memory.

        Inside of `autograd.record()` it is part of the graph: gradients of what torch computes from
        it arrive in the arrays, by `backward` of a tensor or of an array. Outside it has no
        history; that of an array with a gradient has the gradient as `grad`, so that optimizers of
        torch can train it.

        Example:
            >>> import mxnet as mx, torch
            >>> x = mx.nd.array([1, 2])
            >>> x.attach_grad()
            >>> with mx.autograd.record():
            ...     loss = torch.sum(x.to_torch() ** 2)
            >>> loss.backward()
            >>> print(x.grad.asnumpy())
            [2. 4.]
        """
        return share_tensor(self)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        # Of a copy, as `__array__`: memory of the array itself may be replaced by its next value.
        values = self.__array__()
        if values.dtype.names is not None:  # bfloat16
            return {**values.__array_interface__, "data": values, "strides": values.strides}
        described = {"shape": values.shape, "typestr": values.dtype.str, "version": 3}
        return {**described, "data": values, "strides": values.strides}

    def tobytes(self) -> bytes:
        r"""Copies the elements to bytes, in the order of the shape.

        Example:
            >>> import mxnet as mx
            >>> mx.nd.array([1, 256], dtype="int32").tobytes()
            b'\x01\x00\x00\x00\x00\x01\x00\x00'
        """
        return self.asnumpy().tobytes()

    def __dlpack__(self, **kwargs: Any) -> Any:
        raise_if_failed(self)
        self._own()
        self._aliased = True
        return self._plain.detach().__dlpack__(**kwargs)

    def __dlpack_device__(self) -> Any:
        raise_if_failed(self)
        return self._plain.__dlpack_device__()

    def to_dlpack_for_read(self) -> Any:
        """Returns a DLPack capsule on the same memory, to be read."""
        return self.__dlpack__()

    @public_call
    def to_dlpack_for_write(self) -> Any:
        """Returns a DLPack capsule on the same memory, to be written."""
        raise_if_failed(self)
        tensor = self._writable()
        self._aliased = True
        return tensor.__dlpack__()


NDArray._dialect_class, NDArray._to_dialect = NDArray, "as_nd_ndarray"


def from_tensor(tensor: Tensor, ctx: Context | None = None) -> NDArray:
    """Makes an array on the memory of a plain tensor."""
    return NDArray._wrap(tensor, resolve(ctx))


STORAGE_CLASSES: dict[str, type[NDArray]] = {"default": NDArray}
"""Array class of each storage type; those of sparse arrays are added where they are defined."""


def storage_class(stype: Any, where: str) -> type[NDArray]:
    """Finds the array class of a storage type."""
    cls = STORAGE_CLASSES.get(stype)
    if cls is None:
        known = ", ".join(sorted(STORAGE_CLASSES))
        raise AttributeValueError(
            f"{where}: unknown storage type {stype!r}"
            f"{did_you_mean(stype, STORAGE_CLASSES)}; known are {known}"
        )
    return cls
