"""Functions that make arrays, and those of the original that are not operators."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

import numpy as np
import torch
from torch import Tensor

from mxnet._arrays.array import place
from mxnet._arrays.bridges import to_elements, to_tensor
from mxnet._arrays.errors.failed import raise_unread
from mxnet._arrays.invoke import invoke, store
from mxnet._arrays.operators import NUMBERS
from mxnet._formats import element_types
from mxnet._state import modes
from mxnet.context import CPU0, Context, context_of, resolve, torch_device
from mxnet.errors import (
    ArgumentTypeError,
    InvalidArgumentError,
    MXNetError,
    ShapeMismatchError,
    UnsupportedTypeError,
)
from mxnet.ndarray._ndarray import NDArray, from_tensor, storage_class
from mxnet.ndarray._sparse_base import BaseSparseNDArray, is_scipy
from mxnet.ops.core.allocation import raise_shortage
from mxnet.ops.core.attrs import Shape, codec_for, list_lengths
from mxnet.ops.core.interposing import interposers, kernel_of
from mxnet.ops.core.registry import KERNEL_ERRORS, get_op
from mxnet.ops.core.scalars import as_number
from mxnet.ops.math.creation import fill

N = TypeVar("N", bound=NDArray)
ShapeLike: TypeAlias = int | Collection[int] | str

_PARSE_SHAPE = codec_for(Shape).parse
_MAY_BE_EMPTY = frozenset({"empty", "full"})
"""Functions that take a length of 0 outside of `np_shape` too, in the original as well."""


def array(source_array: Any, ctx: Context | None = None, dtype: Any = None) -> NDArray:
    """Makes an array from anything array-like; the elements are copied.

    Args:
        source_array: An array, a NumPy array, a number or nested lists of numbers; a sparse
            matrix of SciPy becomes a csr array.
        ctx: Context, the current one if not given.
        dtype: Element type; that of `source_array` if it is an NDArray or sparse, else float32.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.array([[1, 2], [3, 4]], dtype="int32")
        <BLANKLINE>
        [[1 2]
         [3 4]]
        <NDArray 2x2 @cpu(0)>
    """
    if modes.tracer is not None:
        modes.tracer.refuse("makes an array of values, which may be others in the next call")
    try:
        return _copy(source_array, resolve(ctx), dtype)
    except (RuntimeError, MemoryError) as error:
        raise_shortage(f"array of a {type(source_array).__name__}", error)
        raise


def _copy(source_array: Any, ctx: Context, dtype: Any) -> NDArray:
    if is_scipy(source_array):
        source_array = storage_class("csr", "array")._of_scipy(source_array, ctx)  # type: ignore[attr-defined]
    if isinstance(source_array, BaseSparseNDArray):
        copied: NDArray = source_array.copyto(ctx)  # type: ignore[assignment]
        return copied if dtype is None else copied.astype(dtype, copy=False)
    if isinstance(source_array, NDArray):
        tensor = source_array._plain
        wanted = tensor.dtype if dtype is None else element_types.to_torch(dtype)
        return from_tensor(place(tensor.to(wanted, copy=True), ctx), ctx)
    if isinstance(source_array, Tensor):
        tensor = source_array.detach()
        wanted = torch.float32 if dtype is None else element_types.to_torch(dtype)
        return from_tensor(place(tensor.to(wanted, copy=True), ctx), ctx)
    wanted = element_types.to_torch("float32" if dtype is None else dtype)
    return from_tensor(place(to_elements("array", source_array, wanted), ctx), ctx)


def from_numpy(
    ndarray: np.ndarray[Any, Any], zero_copy: bool = True, array_cls: type[NDArray] = NDArray
) -> NDArray:
    """Makes an array from a NumPy array, on the same memory if `zero_copy`.

    As in the original the NumPy array becomes read-only then, because the new array may change it
    at any time.

    Args:
        ndarray: The NumPy array; contiguous if its memory is to be shared.
        zero_copy: Whether to share memory.
        array_cls: Class of the result.

    Example:
        >>> import mxnet as mx
        >>> import numpy as np
        >>> numbers = np.zeros(3, "float32")
        >>> array = mx.nd.from_numpy(numbers)
        >>> array += 1
        >>> print(numbers)
        [1. 1. 1.]
    """
    if not zero_copy:
        ctx = resolve()
        return array_cls._wrap(place(to_tensor(ndarray), ctx), ctx)
    if not ndarray.flags.c_contiguous:
        raise ShapeMismatchError("from_numpy: only C-contiguous arrays can share their memory")
    if not ndarray.flags.writeable:
        # An earlier call may have made it read-only; what lies on foreign memory is copied.
        with contextlib.suppress(ValueError):
            ndarray.flags.writeable = True
    tensor = to_tensor(ndarray, copy=False)
    ndarray.flags.writeable = False
    result = array_cls._wrap(tensor, CPU0)
    result._aliased = True
    return result


def from_torch(tensor: Tensor) -> NDArray:
    """Makes an array on the memory of a torch tensor.

    Inside of `autograd.record()` the array of a tensor that requires a gradient is part of the
    graph, so that one backward pass, of an array or of a tensor, goes through both. Outside it has
    no history.

    Args:
        tensor: The tensor.

    Raises:
        MXNetError: if there is no array of its layout or dtype.

    Example:
        >>> import mxnet as mx, torch
        >>> t = torch.zeros(2)
        >>> x = mx.nd.from_torch(t)
        >>> x[:] = 1
        >>> t
        tensor([1., 1.])
    """
    return on_tensor(tensor, NDArray)


def on_tensor(tensor: Tensor, cls: type[N]) -> N:
    """Makes an array of a class on the memory of a torch tensor; see `from_torch`."""
    if not isinstance(tensor, Tensor):
        raise UnsupportedTypeError(f"from_torch: takes a torch tensor, got {type(tensor).__name__}")
    if tensor.dtype not in element_types.BY_TORCH:
        raise MXNetError(f"from_torch: dtype {tensor.dtype} has no counterpart")
    if tensor.layout is not torch.strided or tensor.is_meta:
        what = "no elements" if tensor.is_meta else f"the layout {tensor.layout}"
        raise MXNetError(f"from_torch: takes a dense tensor with elements, got one with {what}")
    if modes.tracer is not None:
        modes.tracer.refuse("makes an array of a tensor, which may be another in the next call")
    ctx = context_of(tensor)
    if modes.recording and tensor.requires_grad and torch.is_grad_enabled():
        # A view: a leaf has no node by which the tape could tell whether its graph is used up.
        result = cls._wrap_recorded(tensor.view_as(tensor), ctx, None)
    else:
        result = cls._wrap(tensor.detach(), ctx)
    result._aliased = True
    return result


def from_dlpack(dlpack: Any) -> NDArray:
    """Makes an array on the memory of a DLPack capsule or of an object that exports one.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([1, 2])
        >>> y = mx.nd.from_dlpack(mx.nd.to_dlpack_for_write(x))
        >>> y[0] = 7
        >>> print(x.asnumpy())
        [7. 2.]
    """
    try:
        return from_torch(torch.utils.dlpack.from_dlpack(dlpack))
    except (RuntimeError, TypeError, AttributeError) as error:
        raise ArgumentTypeError(f"from_dlpack: takes a fresh DLPack capsule: {error}") from error


def to_dlpack_for_read(data: NDArray) -> Any:
    """Returns a DLPack capsule on the memory of an array, to be read.

    Example:
        >>> import mxnet as mx
        >>> import torch
        >>> x = mx.nd.array([1, 2])
        >>> print(torch.from_dlpack(mx.nd.to_dlpack_for_read(x)))
        tensor([1., 2.])
    """
    return data.to_dlpack_for_read()


def to_dlpack_for_write(data: NDArray) -> Any:
    """Returns a DLPack capsule on the memory of an array, to be written.

    Example:
        >>> import mxnet as mx
        >>> import torch
        >>> x = mx.nd.array([1, 2])
        >>> tensor = torch.from_dlpack(mx.nd.to_dlpack_for_write(x))
        >>> print(tensor.mul_(10), x.asnumpy())
        tensor([10., 20.]) [10. 20.]
    """
    return data.to_dlpack_for_write()


def _shape(shape: ShapeLike, where: str) -> tuple[int, ...]:
    """Reads a shape as programs give it.

    Args:
        shape: A length or lengths: Python's or NumPy's integers, in any collection, or a string.
        where: The function that was called.
    """
    try:
        lengths = _PARSE_SHAPE(shape) if isinstance(shape, str) else list_lengths(shape)
        parsed = tuple(map(operator.index, lengths))
    except (TypeError, ValueError) as error:
        raise UnsupportedTypeError(f"{where}: shape takes ints, got {shape!r}") from error
    least = 0 if modes.np_shape or where in _MAY_BE_EMPTY else 1
    if any(length < least for length in parsed):
        raise MXNetError(f"{where}: no axis has a length below {least}, got shape {parsed}")
    if not parsed and not modes.np_shape and where != "empty":
        raise MXNetError(f"{where}: expected a shape of at least one axis, got ()")
    return parsed


def _refuse_unknown(where: str, options: set[str]) -> None:
    unknown = options - {"name", "attr"}
    if unknown:
        raise MXNetError(f"{where}: unknown argument {', '.join(sorted(unknown))}")


def _filled(
    where: str,
    shape: ShapeLike,
    value: float,
    ctx: Context | None,
    dtype: Any,
    options: dict[str, Any],
) -> NDArray:
    out = options.pop("out", None)
    stype = options.pop("stype", None)
    _refuse_unknown(where, set(options))
    ctx = resolve(ctx)
    size = _shape(shape, where)
    wanted = element_types.to_torch("float32" if dtype is None else dtype)
    if stype not in (None, "default"):
        return storage_class(stype, where)._zeros(size, wanted, ctx)
    if modes.tracer is not None:
        attrs = {"shape": size, "value": value, "dtype": wanted}
        return invoke(get_op("_full"), (), attrs, NDArray, ctx=ctx, out=out)  # type: ignore[return-value]
    try:
        if interposers and where != "empty":  # shown as the operator of its name
            make = partial(fill, where, size, value, wanted, torch_device(ctx))
            result = kernel_of(get_op(f"_{where}"), make)()
        else:
            result = fill(where, size, value, wanted, torch_device(ctx))
    except KERNEL_ERRORS as error:
        raise_shortage(where, error)
        raise
    if out is None:
        return from_tensor(result, ctx)
    store(where, (), result, out, None)
    return out  # type: ignore[no-any-return]


def zeros(
    shape: ShapeLike,
    ctx: Context | None = None,
    dtype: Any = None,
    stype: str | None = None,
    **kwargs: Any,
) -> NDArray:
    """Makes an array of zeros.

    Args:
        shape: Length of each axis.
        ctx: Context, the current one if not given.
        dtype: Element type, float32 if not given.
        stype: Storage type: `"default"`, `"row_sparse"` or `"csr"`.
        **kwargs: `out`, an array to fill instead.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.zeros((2, 3)).asnumpy())
        [[0. 0. 0.]
         [0. 0. 0.]]
    """
    return _filled("zeros", shape, 0, ctx, dtype, {"stype": stype, **kwargs})


def ones(shape: ShapeLike, ctx: Context | None = None, dtype: Any = None, **kwargs: Any) -> NDArray:
    """Makes an array of ones.

    Args:
        shape: Length of each axis.
        ctx: Context, the current one if not given.
        dtype: Element type, float32 if not given.
        **kwargs: `out`, an array to fill instead.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.ones((2, 3), dtype="int32").asnumpy())
        [[1 1 1]
         [1 1 1]]
    """
    return _filled("ones", shape, 1, ctx, dtype, kwargs)


def full(
    shape: ShapeLike,
    val: float | NDArray,
    ctx: Context | None = None,
    dtype: Any = np.float32,
    out: NDArray | None = None,
) -> NDArray:
    """Makes an array of one value.

    Args:
        shape: Length of each axis.
        val: The value, a number or an array of one.
        ctx: Context, the current one if not given.
        dtype: Element type, float32 if not given.
        out: An array to fill instead.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.full((2, 3), 7).asnumpy())
        [[7. 7. 7.]
         [7. 7. 7.]]
    """
    value = val.asscalar() if isinstance(val, NDArray) else val
    if isinstance(value, NUMBERS):
        return _filled("full", shape, as_number(value), ctx, dtype, {"out": out})
    result = _filled("full", shape, 0, ctx, dtype, {"out": out})
    result[:] = value
    return result


def empty(
    shape: ShapeLike, ctx: Context | None = None, dtype: Any = None, stype: str | None = None
) -> NDArray:
    """Makes an array whose elements are not set; do not rely on what is in it.

    Args:
        shape: Length of each axis.
        ctx: Context, the current one if not given.
        dtype: Element type, float32 if not given.
        stype: Storage type: `"default"`, `"row_sparse"` or `"csr"`.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.empty((2, 3)).shape
        (2, 3)
    """
    return _filled("empty", shape, 0, ctx, dtype, {"stype": stype})


def _create(op_name: str, ctx: Context | None, attrs: dict[str, Any]) -> NDArray:
    op = get_op(op_name)
    return invoke(op, (), op.parse_attrs(attrs), NDArray, ctx=resolve(ctx))  # type: ignore[return-value]


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool | None = None,
    ctx: Context | None = None,
    dtype: Any = np.float32,
) -> NDArray:
    """Makes evenly spaced values from `start` up to, not including, `stop`.

    Args:
        start: First value; the end, counting from 0, if `stop` is not given.
        stop: End of the values.
        step: Distance between values.
        repeat: How often each value occurs.
        infer_range: Accepted for compatibility; only graphs can infer the end.
        ctx: Context, the current one if not given.
        dtype: Element type.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.arange(3).asnumpy())
        [0. 1. 2.]
        >>> print(mx.nd.arange(1, 2, step=0.25, repeat=2).asnumpy())
        [1.   1.   1.25 1.25 1.5  1.5  1.75 1.75]
    """
    del infer_range
    attrs = {"start": start, "stop": stop, "step": step, "repeat": repeat, "dtype": dtype}
    return _create("_arange", ctx, attrs)


def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    ctx: Context | None = None,
    dtype: Any = np.float32,
) -> NDArray:
    """Makes `num` evenly spaced values from `start` to `stop`, which `endpoint` includes.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.linspace(0, 1, 5).asnumpy())
        [0.   0.25 0.5  0.75 1.  ]
        >>> print(mx.nd.linspace(0, 1, 5, endpoint=False).asnumpy())
        [0.  0.2 0.4 0.6 0.8]
    """
    attrs = {"start": start, "stop": stop, "num": num, "endpoint": endpoint, "dtype": dtype}
    return _create("_linspace", ctx, attrs)


def eye(
    N: int, M: int = 0, k: int = 0, ctx: Context | None = None, dtype: Any = None, **kwargs: Any
) -> NDArray:
    """Makes a matrix with ones on a diagonal and zeros elsewhere.

    Args:
        N: Number of rows.
        M: Number of columns; 0 for as many as rows.
        k: Which diagonal, 0 for the main one, positive numbers for those above it.
        ctx: Context, the current one if not given.
        dtype: Element type, float32 if not given.
        **kwargs: `out`, an array to fill instead.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.eye(2, 3, k=1).asnumpy())
        [[0. 1. 0.]
         [0. 0. 1.]]
    """
    _refuse_unknown("eye", set(kwargs) - {"out"})
    result = _create("_eye", ctx, {"N": N, "M": M, "k": k, "dtype": dtype or "float32"})
    out: NDArray | None = kwargs.get("out")
    if out is None:
        return result
    store("eye", (), result._plain, out, None)
    return out


def moveaxis(
    tensor: NDArray, source: int | Sequence[int], destination: int | Sequence[int]
) -> NDArray:
    """Moves axes to new positions, the others keep their order.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.moveaxis(mx.nd.zeros((2, 3, 4)), 0, -1).shape)
        (3, 4, 2)
    """
    try:
        np.moveaxis(np.empty((0,) * tensor.ndim), source, destination)  # checks the axes
    except ValueError as error:
        raise ShapeMismatchError(f"moveaxis: {error}") from error
    sources = [axis % tensor.ndim for axis in np.atleast_1d(source).tolist()]
    targets = [axis % tensor.ndim for axis in np.atleast_1d(destination).tolist()]
    axes = [axis for axis in range(tensor.ndim) if axis not in sources]
    for target, axis in sorted(zip(targets, sources, strict=True)):
        axes.insert(target, axis)
    return invoke(get_op("transpose"), (tensor,), {"axes": tuple(axes)}, NDArray)  # type: ignore[return-value]


def concatenate(arrays: Sequence[NDArray], axis: int = 0, always_copy: bool = True) -> NDArray:
    """Joins a list of arrays along an axis.

    Args:
        arrays: The arrays, at least one.
        axis: The axis.
        always_copy: Whether a single array is copied, too.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.concatenate([mx.nd.zeros((1, 2)), mx.nd.ones((2, 2))]).asnumpy())
        [[0. 0.]
         [1. 1.]
         [1. 1.]]
    """
    listed = isinstance(arrays, (list, tuple)) and len(arrays) > 0
    if not listed or not all(isinstance(item, NDArray) for item in arrays):
        raise ArgumentTypeError("concatenate: takes a list of at least one NDArray")
    if len(arrays) == 1 and not always_copy:
        return arrays[0]
    try:
        return invoke(get_op("Concat"), list(arrays), {"dim": axis}, NDArray)  # type: ignore[return-value]
    except MXNetError as error:
        raise InvalidArgumentError(f"concatenate: {error}") from error


def onehot_encode(indices: NDArray, out: NDArray) -> NDArray:
    """Writes the one-hot rows of `indices` into `out`, whose width is the number of classes.

    Example:
        >>> import mxnet as mx
        >>> out = mx.nd.zeros((2, 3))
        >>> print(mx.nd.onehot_encode(mx.nd.array([2, 0]), out).asnumpy())
        [[0. 0. 1.]
         [1. 0. 0.]]
    """
    op = get_op("one_hot")
    attrs = op.parse_attrs({"depth": out.shape[1]})
    return invoke(op, (indices,), attrs, NDArray, out=out)  # type: ignore[return-value]


def waitall() -> None:
    """Waits until all computations on all devices are done.

    Example:
        >>> import mxnet as mx
        >>> y = mx.nd.dot(mx.nd.ones((100, 100)), mx.nd.ones((100, 100)))
        >>> mx.nd.waitall()

    Raises:
        MXNetError: if an array could not be computed and has not been read since.
    """
    raise_unread()
    if torch.accelerator.is_available():
        for index in range(torch.accelerator.device_count()):
            torch.accelerator.synchronize(index)
