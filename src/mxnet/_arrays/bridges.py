"""Arrays as NumPy arrays, stored records and tensors of torch, and back.

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
from mxnet.errors import MXNetError, ShapeMismatchError


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
