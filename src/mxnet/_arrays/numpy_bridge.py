"""Tensors to NumPy and to stored records, and back; bfloat16 travels as its bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from mxnet._formats import element_types
from mxnet._formats.array_record import ArrayRecord
from mxnet.context import CPU0, Context, intern, num_gpus
from mxnet.errors import MXNetError


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
    ctx = context_from_record(record)
    if record.data is None:
        return torch.empty(0), ctx
    return to_tensor(record.data, copy=not record.data.flags.writeable), ctx
