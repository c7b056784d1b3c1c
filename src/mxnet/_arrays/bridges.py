"""Arrays as NumPy arrays, nested lists, stored records and tensors of torch, and back.

bfloat16, which NumPy lacks, travels as its bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from mxnet._arrays.array import Array, Variable
from mxnet._arrays.errors.delayed import raise_if_failed
from mxnet._formats import element_types
from mxnet._formats.array_record import CPU, ArrayRecord
from mxnet._state import modes
from mxnet.context import CPU0, Context, intern, num_gpus
from mxnet.errors import MXNetError, ShapeMismatchError, UnsupportedTypeError


def to_numpy(tensor: Tensor) -> npt.NDArray[Any]:
    """Copies a tensor to a NumPy array of its own."""
    if tensor.dtype is torch.bfloat16:
        bits = tensor.contiguous().view(torch.uint16)
        return to_numpy(bits).view(element_types.BFLOAT16_NUMPY)
    values: npt.NDArray[Any] = tensor.contiguous().cpu().numpy()
    return values.copy() if tensor.device.type == "cpu" else values


def readable(tensor: Tensor) -> Tensor:
    """Returns a tensor whose elements NumPy can show: bfloat16, which it lacks, as float32."""
    return tensor.float() if tensor.dtype is torch.bfloat16 else tensor


def to_tensor(values: npt.NDArray[Any], *, copy: bool = True) -> Tensor:
    """Returns a NumPy array as a tensor, on memory of its own unless `copy` is False."""
    native = values.dtype.newbyteorder("=")
    if values.dtype.hasobject or native not in _KNOWN:
        raise MXNetError(f"a NumPy array of dtype {values.dtype} cannot be an array")
    if native == element_types.BFLOAT16_NUMPY:
        return to_tensor(values.view(np.uint16), copy=copy).view(torch.bfloat16)
    return torch.from_numpy(np.array(values, dtype=native, order="C") if copy else usable(values))


def usable(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns a NumPy array as torch takes it: native, writable, not reversed; copied if needed."""
    values = values.astype(values.dtype.newbyteorder("="), copy=False)
    if values.flags.writeable and min(values.strides, default=0) >= 0:
        return values
    return np.array(values, order="C")


_KNOWN = frozenset(row.numpy for row in element_types.BY_NAME.values())


def to_record(tensor: Tensor, ctx: Context) -> ArrayRecord:
    """Makes the stored form of an array, on the memory of the tensor if that is the CPU's."""
    return ArrayRecord.dense(_to_shared(tensor), (ctx.device_typeid, ctx.device_id))


def _to_shared(tensor: Tensor) -> npt.NDArray[Any]:
    if tensor.dtype is torch.bfloat16:
        bits = tensor.contiguous().view(torch.uint16)
        return _to_shared(bits).view(element_types.BFLOAT16_NUMPY)
    values: npt.NDArray[Any] = tensor.cpu().contiguous().numpy()
    return values


def context_from_record(record: ArrayRecord) -> Context:
    """Returns the context of a stored array: the GPU it was on if that is here, else the CPU."""
    on_gpu = Context.devtype2str.get(record.context[0]) == "gpu"
    present = on_gpu and record.context[1] < num_gpus()
    return intern(Context("gpu", record.context[1])) if present else CPU0


def from_record(record: ArrayRecord) -> tuple[Tensor, Context]:
    """Returns tensor and context of a stored dense array.

    Raises:
        MXNetError: for sparse storage.
    """
    if record.storage != "default":
        raise MXNetError(f"expected a stored array of storage type default, got {record.storage!r}")
    ctx = CPU0 if record.context == CPU else context_from_record(record)
    if record.data is None:
        return torch.empty(0), ctx
    return to_tensor(record.data, copy=not record.data.flags.writeable), ctx


class VariableTensor(Tensor):
    """The tensor of an array that has a gradient; its `grad` is that of the array.

    Optimizers of torch, which change nothing without a gradient, can so train arrays. Operators of
    torch give ordinary tensors for it. `grad` is None until a backward pass has filled it, and from
    `zero_grad` on.
    """

    __torch_function__ = nn.Parameter.__torch_function__

    _gradient: Array

    @property
    def grad(self) -> Tensor | None:
        """Gradient on the memory of the array's, None if there is no new one."""
        gradient = self._gradient
        if not gradient._fresh:
            return None
        gradient._aliased = True
        return gradient._plain

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        gradient = self._gradient
        if value is None:
            gradient._plain.zero_()
        elif value.shape != gradient._plain.shape:
            raise ShapeMismatchError(
                f"grad: expected a tensor of shape {tuple(gradient._plain.shape)}, "
                f"got {tuple(value.shape)}"
            )
        else:
            gradient._plain.copy_(value)
        gradient._fresh = value is not None

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.detach().__reduce_ex__(protocol)  # type: ignore[no-untyped-call]

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        del memo
        return self.detach().clone()


def share_tensor(array: Array) -> Tensor:
    """Returns the tensor behind an array, on the same memory.

    Inside of `record()` it has the array's place in the graph, outside it has no history.
    """
    raise_if_failed(array)
    array._own()
    array._aliased = True
    if modes.recording and array._node is not None:
        tensor = array._recorded()
        if tensor.requires_grad:
            return tensor.view_as(tensor)  # a leaf has a gradient that only the array sees
    role = array._role
    if isinstance(role, Variable) and role.gradient._override is None:  # type: ignore[union-attr]
        return _as_variable(array._plain, role.gradient)  # type: ignore[arg-type]
    return array._plain.detach()


def _as_variable(tensor: Tensor, gradient: Array) -> Tensor:
    result: VariableTensor = tensor.detach().as_subclass(VariableTensor)
    result._gradient = gradient
    return result


# What may become the elements of an array is up to NumPy, as in the original: None is nan, text is
# read as a number, dates count their units. What is refused, is refused with one error.

_REFUSALS = (TypeError, ValueError, OverflowError, RecursionError, RuntimeError)


def to_elements(where: str, source: Any, dtype: torch.dtype, *, copy: bool = True) -> Tensor:
    """Converts anything array-like to a tensor of an element type.

    Args:
        where: Name of the caller, for messages.
        source: Anything that NumPy makes an array of, with arrays of this package inside of lists.
        dtype: The element type.
        copy: Whether the tensor must have memory of its own.

    Raises:
        UnsupportedTypeError: for what is not array-like, complex numbers, and in lists for
            numbers that an integer type cannot hold, such as nan.
    """
    row = element_types.BY_TORCH[dtype]
    try:
        values = np.asarray(without_arrays(source))
        problem = _problem(values, dtype, listed=not isinstance(source, (np.ndarray, np.generic)))
        if problem is None:
            return _convert(values, row, copy=copy and not isinstance(source, (list, tuple)))
    except _REFUSALS as error:
        got = type(source).__name__
        raise UnsupportedTypeError(f"{where}: a {got} is not array-like: {error}") from error
    raise UnsupportedTypeError(f"{where}: expected real numbers for {row.name}, got {problem}")


def _problem(values: np.ndarray[Any, Any], dtype: torch.dtype, *, listed: bool) -> str | None:
    """Names what no conversion may silently change, None if there is nothing."""
    kind = values.dtype.kind
    if kind == "c":
        return "complex ones"
    if not listed or dtype.is_floating_point or dtype is torch.bool:
        return None
    if kind == "f" and not bool((np.abs(values) < 2.0**63).all()):
        return "nan, an infinity or one that is too large"
    if kind == "u" and dtype is not torch.uint64 and bool((values >= 2**63).any()):
        return "one that is too large"
    return None


def _convert(values: np.ndarray[Any, Any], row: element_types.ElementType, *, copy: bool) -> Tensor:
    if values.dtype == element_types.BFLOAT16_NUMPY:
        return to_tensor(values).to(row.torch)
    with np.errstate(over="ignore", invalid="ignore"):  # becomes inf, as everywhere on arrays
        if row.torch is torch.bfloat16:
            return torch.from_numpy(values.astype(np.float32)).to(torch.bfloat16)
        converted = values.astype(row.numpy, copy=False)
    return to_tensor(converted, copy=copy and converted is values)


def without_arrays(source: Any) -> Any:
    """Replaces arrays inside of lists by NumPy's, one element by its number."""
    if isinstance(source, Array):
        values = to_numpy(source._plain)
        return values[0] if values.shape == (1,) and not source._is_np else values
    if isinstance(source, (list, tuple)):
        return [without_arrays(item) for item in source]
    return source
