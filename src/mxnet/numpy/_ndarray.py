"""The array class of the NumPy dialect: how arrays are made of values, and how they are printed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, ClassVar

import numpy
import numpy.typing as npt
import torch
from torch import Tensor

from mxnet._arrays.array import Array, place
from mxnet._arrays.bridges import readable, to_elements, to_numpy
from mxnet._arrays.errors.delayed import raise_if_failed
from mxnet._formats import element_types, params
from mxnet._np_functions.methods import NumpyMethods
from mxnet._np_functions.table import Operators, check_order
from mxnet._start import public_call, public_methods
from mxnet._state import modes, rules
from mxnet.context import Context, resolve
from mxnet.errors import (
    ArgumentValueError,
    IndexOutOfBoundsError,
    ShapeMismatchError,
    UnsupportedTypeError,
)
from mxnet.ndarray import NDArray
from mxnet.ndarray._creation import from_dlpack as classic_from_dlpack
from mxnet.ops.core.allocation import raise_shortage
from mxnet.ops.core.public import set_method
from mxnet.ops.core.spellings import CLASSIC

_PREFIX = "array("
_STANDARD_VERSIONS = ("2021.10", "2021.12")
"""Versions of the array API standard whose names `mx.np` has."""
_SILENT = frozenset({"float32", "bool"})
"""Element types that are not named; NumPy names others than float64 and int64 on a line of their
own where they do not fit, which the original keeps."""
_NEVER_WRAPPED = frozenset({"float64", "int64"})


def _to_repr(values: npt.NDArray[Any], ctx: Context) -> str:
    """Returns what `repr` shows of an array.

    Args:
        values: Its elements.
        ctx: Where it lives.
    """
    body = numpy.array2string(values, separator=", ", prefix=_PREFIX, suffix=")")
    if not values.size:
        body = "[]" if values.shape == (0,) else f"[], shape={values.shape}"
    text = f"{_PREFIX}{body}"
    name = values.dtype.name
    if name not in _SILENT or (name == "bool" and not values.size):
        text += f",{_space_before(text, name)}dtype={name}"
    return f"{text})" if ctx.device_type.startswith("cpu") else f"{text}, ctx={ctx})"


def _to_str(values: npt.NDArray[Any], ctx: Context) -> str:
    """Returns what `str` and `print` show of an array."""
    return str(values) if ctx.device_type.startswith("cpu") else f"{values} @{ctx}"


def _space_before(text: str, name: str) -> str:
    """Returns what separates the dtype from the elements: a line break where it does not fit."""
    last_line = len(text) - (text.rfind("\n") + 1)
    width = numpy.get_printoptions()["linewidth"]
    wraps = name not in _NEVER_WRAPPED and last_line + len(f", dtype={name})") > width
    return "\n" + " " * len(_PREFIX) if wraps else " "


def set_printoptions(
    precision: int | None = None, threshold: int | None = None, **kwarg: Any
) -> None:
    """Sets how arrays are printed, those of NumPy too; see `numpy.set_printoptions`.

    Example:
        >>> import mxnet as mx
        >>> mx.np.set_printoptions(precision=3)
        >>> mx.np.array([1 / 3])
        array([0.333])
        >>> mx.np.set_printoptions(precision=8)
    """
    numpy.set_printoptions(precision=precision, threshold=threshold, **kwarg)


@public_methods("__len__", "__iter__", "__invert__", "__matmul__", "__rmatmul__", "__imatmul__")
@public_methods("__rand__", "__ror__", "__rxor__", "__ipow__")
@public_methods("__iand__", "__ior__", "__ixor__", "__complex__", "__format__", "__bool__")
class ndarray(NumpyMethods, NDArray):  # type: ignore[misc]  # noqa: N801 - NumPy's signatures
    """A dense array on a context, with the shapes, indices and dtypes of NumPy.

    Arrays are made by functions such as `mx.np.array` and `mx.np.zeros`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.array([[1, 2], [3, 4]])
        >>> x.sum(axis=0)
        array([4., 6.])
    """

    __slots__ = ()
    _F: ClassVar[Operators]
    __hash__ = None  # type: ignore[assignment]  # as NumPy's: it is compared by its elements

    _is_np = True

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """Element type."""
        return element_types.BY_TORCH[self._plain.dtype].numpy

    @property
    def grad(self) -> ndarray | None:
        """Gradient array, None before `attach_grad`."""
        gradient = super().grad
        if gradient is None or isinstance(gradient, ndarray):
            return gradient
        # The variable was made in the other dialect.
        return in_dialect(gradient, ndarray)  # type: ignore[return-value]

    def __len__(self) -> int:
        if not self.ndim:
            raise UnsupportedTypeError("len() of unsized object: the array has no axes")
        return self.shape[0]

    def __iter__(self) -> Iterator[NDArray]:
        if not self.ndim:
            raise UnsupportedTypeError("iteration over a 0-d array")
        return (self[index] for index in range(self.shape[0]))

    def __repr__(self) -> str:
        raise_if_failed(self)
        return _to_repr(to_numpy(readable(self._plain)), self._ctx)

    def __str__(self) -> str:
        raise_if_failed(self)
        return _to_str(to_numpy(readable(self._plain)), self._ctx)

    def __getstate__(self) -> dict[str, Any]:
        # A scalar and an array without elements have a place in records of this form alone.
        return {"handle": bytearray(params.encode_record(self._to_record(), np_shape=True))}

    def __neg__(self) -> Any:
        return self * -1.0

    def __pos__(self) -> Any:
        return self.copy()

    def __abs__(self) -> Any:
        return self._F.absolute(self)

    def __invert__(self) -> Any:
        return self._F.invert(self)

    def __matmul__(self, other: Any) -> Any:
        return self._F.matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return self._F.matmul(other, self)

    def __imatmul__(self, other: Any) -> Any:
        return self._F.matmul(self, other, out=self)

    def __rand__(self, other: Any) -> Any:
        return self._F.bitwise_and(self, other)

    def __ror__(self, other: Any) -> Any:
        return self._F.bitwise_or(self, other)

    def __rxor__(self, other: Any) -> Any:
        return self._F.bitwise_xor(self, other)

    def __ipow__(self, other: Any) -> Any:  # in MXNet 1.9.1 a new array
        return self**other if rules.version == 1 else self._F.power(self, other, out=self)

    def __iand__(self, other: Any) -> Any:
        return self._F.bitwise_and(self, other, out=self)

    def __ior__(self, other: Any) -> Any:
        return self._F.bitwise_or(self, other, out=self)

    def __ixor__(self, other: Any) -> Any:
        return self._F.bitwise_xor(self, other, out=self)

    def __round__(self, n: int = 0) -> Any:
        return self.round(decimals=n)

    def __floor__(self) -> Any:
        return self._F.floor(self)

    def __ceil__(self) -> Any:
        return self._F.ceil(self)

    def __trunc__(self) -> Any:
        return self._F.trunc(self)

    def __complex__(self) -> complex:
        return complex(self._number())

    def __format__(self, spec: str) -> str:
        if not self.ndim:
            return format(self.item(), spec)
        if spec:
            raise UnsupportedTypeError(
                f"only arrays without axes can be formatted by {spec!r}, the shape is {self.shape}"
            )
        return str(self)

    def _number(self) -> Any:
        if self.size != 1:
            raise UnsupportedTypeError(
                f"only arrays of one element can become a number, the shape is {self.shape}"
            )
        return self.item()

    def __index__(self) -> int:
        if rules.version > 1 and (self.ndim or self.dtype.kind not in "iu"):
            raise UnsupportedTypeError(
                "only integers without axes can be an index, "
                f"the shape is {self.shape} and the dtype {self.dtype}"
            )
        return super().__index__()

    def __bool__(self) -> bool:
        if self.size > 1:
            raise ShapeMismatchError(
                "the truth value of an array of several elements is ambiguous; use any() or all()"
            )
        return self.size == 1 and bool(self.item())

    @public_call
    def item(self, *args: Any) -> Any:
        """Returns one element as a Python number.

        Args:
            *args: Its position in the flattened array, or along each axis; nothing for the only
                element.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 2], [3, 4]]).item(1, 0), mx.np.array([5]).item()
            (3.0, 5.0)
        """
        elements = self.asnumpy()
        try:
            return elements.item(*args)
        except IndexError as error:
            raise IndexOutOfBoundsError(f"item: {error}") from error
        except ValueError as error:
            raise ShapeMismatchError(f"item: {error}, the shape is {self.shape}") from error

    def tolist(self) -> Any:
        """Returns the elements as nested lists of numbers, or as a number if there are no axes.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 2], [3, 4]]).tolist()
            [[1.0, 2.0], [3.0, 4.0]]
        """
        return self.asnumpy().tolist()

    def nonzero(self) -> tuple[ndarray, ...]:
        """Returns the positions of elements that are not zero, for each axis.

        Example:
            >>> import mxnet as mx
            >>> rows, columns = mx.np.array([[1, 0], [0, 2]]).nonzero()
            >>> rows, columns
            (array([0, 1], dtype=int64), array([0, 1], dtype=int64))
        """
        positions: tuple[ndarray, ...] = self._F.nonzero(self)
        return positions

    @public_call
    def astype(  # type: ignore[override]  # NumPy has other arguments
        self,
        dtype: Any,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> ndarray:
        """Converts the elements.

        Args:
            dtype: The new element type; None is float32.
            order: `"K"`, `"C"` or `"A"`, which are the same.
            casting: Only `"unsafe"`.
            subok: Only True.
            copy: False returns the array itself if it has that type already.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([1.7, -2.2]).astype("int32")
            array([ 1, -2], dtype=int32)
        """
        if order not in ("K", "A", "C"):
            raise ArgumentValueError(f"astype: expected order 'K', 'A' or 'C', got {order!r}")
        if casting != "unsafe":
            raise ArgumentValueError(f"astype: expected casting 'unsafe', got {casting!r}")
        if not subok:
            raise ArgumentValueError("astype: subok takes True alone")
        return super().astype(dtype, copy=copy)  # type: ignore[return-value]

    @public_call
    def copy(self, order: str = "C") -> ndarray:
        """Copies the array on the same context.

        Args:
            order: Only `"C"`.

        Example:
            >>> import mxnet as mx
            >>> x = mx.np.array([1, 2])
            >>> y = x.copy()
            >>> y[0] = 9
            >>> x, y
            (array([1., 2.]), array([9., 2.]))
        """
        if order != "C":
            check_order("copy", order)
        return self._clone(self._read(), self._ctx)  # type: ignore[return-value]

    @public_call
    def reshape_view(self, *shape: Any, **kwargs: Any) -> ndarray:
        """Returns the array in another shape, on the same memory.

        Args:
            *shape: The lengths, with the codes of `mx.nd.NDArray.reshape`: 0 keeps an axis, -1
                stands for what is left.
            **kwargs: `shape`, in place of the lengths, and `reverse`, to match from the last axis.

        Example:
            >>> import mxnet as mx
            >>> x = mx.np.zeros((2, 3))
            >>> x.reshape_view(-1)[0] = 7
            >>> x
            array([[7., 0., 0.],
                   [0., 0., 0.]])
        """
        return NDArray.reshape(self, *shape, **kwargs)  # type: ignore[return-value]

    def sort(self, axis: int | None = -1, kind: Any = None, order: Any = None) -> None:
        """Sorts the array in place; the original refuses it."""
        self[...] = self._F.sort(self, axis=axis, kind=kind, order=order)

    @public_call
    def attach_grad(self, grad_req: str = "write") -> None:  # type: ignore[override]
        """Makes the array a variable, with a gradient of zeros.

        Args:
            grad_req: `"write"`, `"add"` to add up gradients, or `"null"` for none.

        Example:
            >>> import mxnet as mx
            >>> x = mx.np.array([1, 2, 3])
            >>> x.attach_grad()
            >>> with mx.autograd.record():
            ...     y = (x**2).sum()
            >>> y.backward()
            >>> x.grad
            array([2., 4., 6.])
        """
        super().attach_grad(grad_req)

    @public_call
    def as_in_ctx(self, ctx: Context) -> ndarray:
        """Returns the array on a context: itself if it is there already, else a copy.

        Args:
            ctx: The context.

        Example:
            >>> import mxnet as mx
            >>> x = mx.np.ones(2)
            >>> x.as_in_ctx(mx.cpu(1)).ctx, x.as_in_ctx(mx.cpu()) is x
            (cpu(1), True)
        """
        return self.as_in_context(ctx)  # type: ignore[return-value]

    def __array_namespace__(self, api_version: str | None = None) -> ModuleType:
        """Returns `mx.np`, whose functions have the names of the array API standard.

        Args:
            api_version: Version of the standard, such as `"2021.12"`; None for any.

        Raises:
            ArgumentValueError: if there is no such version.
        """
        if api_version is not None and api_version not in _STANDARD_VERSIONS:
            raise ArgumentValueError(
                f"__array_namespace__: api_version takes one of {', '.join(_STANDARD_VERSIONS)}, "
                f"got {api_version!r}"
            )
        return sys.modules["mxnet.numpy"]

    @public_call
    def to_device(self, device: Context) -> ndarray:
        """Returns the array on a device, as `as_in_ctx` does; the array API calls it so.

        Example:
            >>> import mxnet as mx
            >>> mx.np.ones(2).to_device(mx.cpu(1)).ctx
            cpu(1)
        """
        return self.as_in_context(device)  # type: ignore[return-value]

    def as_np_ndarray(self) -> ndarray:
        """Returns the array itself.

        Example:
            >>> import mxnet as mx
            >>> x = mx.np.ones(2)
            >>> x.as_np_ndarray() is x
            True
        """
        return self

    def as_nd_ndarray(self) -> NDArray:
        """Returns an array of `mx.nd` on the same memory and with the same place in graphs.

        Example:
            >>> import mxnet as mx
            >>> x = mx.np.zeros(2)
            >>> x.as_nd_ndarray()[0] = 5
            >>> x
            array([5., 0.])
        """
        return in_dialect(self, NDArray)


def _missing_method(name: str) -> Callable[..., Any]:
    def method(self: ndarray, *args: Any, **kwargs: Any) -> Any:
        del args, kwargs
        raise AttributeError(
            f"{type(self).__module__}.ndarray object has no attribute {name}; "
            f"use a function of mx.np or mx.npx, or call as_nd_ndarray() first"
        )

    method.__doc__ = """Raises: `mx.nd` has such a method, and `mx.np` has not."""
    return method


_NOT_HERE = {
    *(name for name in CLASSIC.array_methods if name not in vars(NumpyMethods)),
    *("asscalar", "broadcast_like", "expand_dims", "tostype"),
}
for _name in sorted(_NOT_HERE):
    set_method(ndarray, _name, _missing_method(_name))
ndarray.__module__ = "mxnet.numpy"
ndarray._dialect_class, ndarray._to_dialect = ndarray, "as_np_ndarray"


def in_dialect(array: NDArray, cls: type[NDArray]) -> NDArray:
    """Returns an array of another dialect on the same memory and with the same place in graphs."""
    array._own()
    converted = cls._wrap(array._data, array._ctx)  # type: ignore[arg-type]  # None beside a node
    converted._node, converted._role = array._node, array._role
    array._aliased = converted._aliased = True
    return converted


def _as_np_ndarray(self: NDArray) -> NDArray:
    """Returns an array of `mx.np` on the same memory and with the same place in graphs."""
    return in_dialect(self, ndarray)


@public_call
def array(object: Any, dtype: Any = None, ctx: Context | None = None) -> ndarray:
    """Makes an array from anything array-like; the elements are copied.

    Args:
        object: An array, a NumPy array, a number or nested lists of numbers.
        dtype: Element type; that of `object` if it is an array, else float32, or float64 under
            `use_np_default_dtype`. Under `set_version(2)` arrays of NumPy become float32, too.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.array([[1, 2], [3, 4]], dtype="int32")
        array([[1, 2],
               [3, 4]], dtype=int32)
    """
    if modes.tracer is not None:
        modes.tracer.refuse("makes an array of values, which may be others in the next call")
    target = resolve(ctx)
    try:
        tensor = _to_tensor(object, None if dtype is None else element_types.to_torch(dtype))
        return ndarray._wrap(place(tensor, target), target)
    except (RuntimeError, MemoryError) as error:
        raise_shortage(f"array of a {type(object).__name__}", error)
        raise


@public_call
def asarray(
    obj: Any, dtype: Any = None, ctx: Context | None = None, copy: bool | None = None
) -> ndarray:
    """Returns an array: `obj` itself if it is one of that type and place, otherwise a new one.

    Args:
        obj: An array, a NumPy array, a number or nested lists of numbers.
        dtype: Element type; see `array`.
        ctx: Context, that of the array or the current one if not given.
        copy: Whether to copy in any case; False raises where a copy would be needed.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.ones(2)
        >>> mx.np.asarray(x) is x, mx.np.asarray([1, 2])
        (True, array([1., 2.]))
    """
    wanted = None if dtype is None else element_types.to_torch(dtype)
    if isinstance(obj, ndarray) and ctx in (None, obj.ctx) and wanted in (None, obj._plain.dtype):
        return obj.copy() if copy else obj
    if copy is False:
        raise ArgumentValueError(
            f"asarray: copy=False, but {type(obj).__name__} has to be copied into an array"
        )
    return array(obj, dtype, obj.ctx if ctx is None and isinstance(obj, ndarray) else ctx)


@public_call
def from_dlpack(x: Any) -> ndarray:
    """Makes an array on the memory of an object that exports DLPack, or of a capsule.

    Args:
        x: An array of any library with `__dlpack__`, or a fresh capsule.

    Example:
        >>> import mxnet as mx, numpy
        >>> elements = numpy.zeros(2, dtype="float32")
        >>> x = mx.np.from_dlpack(elements)
        >>> x[0] = 7
        >>> elements.tolist()
        [7.0, 0.0]
    """
    return in_dialect(classic_from_dlpack(x), ndarray)  # type: ignore[return-value]


def can_cast(from_: Any, to: Any) -> bool:
    """Returns whether elements of one type can be converted to another without loss.

    Args:
        from_: An array or an element type.
        to: An element type.

    Example:
        >>> import mxnet as mx
        >>> mx.np.can_cast("int32", "float64"), mx.np.can_cast("int64", "float32")
        (True, False)
    """
    return numpy.can_cast(from_.dtype if isinstance(from_, ndarray) else from_, to)


def _to_tensor(source: Any, dtype: torch.dtype | None) -> Tensor:
    """Copies elements to a tensor; without a dtype it has that of the source or the default."""
    if isinstance(source, NDArray) and not isinstance(source, ndarray):
        raise ArgumentValueError(
            "array: got an array of mx.nd; call as_np_ndarray() on it, which copies nothing"
        )
    if isinstance(source, Array):
        return source._plain.to(dtype or source._plain.dtype, copy=True)
    if isinstance(source, Tensor):
        return source.detach().to(dtype or source.dtype, copy=True)
    if dtype is None:
        dtype = _default_dtype(source)
    try:
        return to_elements("array", source, dtype)
    except ValueError as error:
        raise UnsupportedTypeError(str(error)) from error


def _default_dtype(source: Any) -> torch.dtype:
    """Returns the dtype of elements that came without one."""
    is_typed = isinstance(source, numpy.ndarray) and (rules.version == 1 or modes.np_default_dtype)
    if is_typed or isinstance(source, numpy.generic):
        return element_types.to_torch(source.dtype)
    return torch.float64 if modes.np_default_dtype else torch.float32
