"""Merging samples into batches, as the loader does by default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data._utils.collate import default_collate_fn_map

from mxnet._arrays.bridges import to_tensor
from mxnet._formats import element_types
from mxnet._frontend.dialect import ARRAY_DIALECTS, dialect_of, make_array, make_array_like
from mxnet._state import modes
from mxnet.context import CPU0, Context, resolve
from mxnet.errors import ShapeMismatchError
from mxnet.gluon.data import _transfer
from mxnet.gluon.data._batching import Batch
from mxnet.gluon.data._transfer import CPU_SHARED
from mxnet.ndarray import NDArray


class UnequalSamplesError(ShapeMismatchError, KeyError):
    """Samples differ in shape or number of parts, so they cannot form a batch."""

    __str__ = Exception.__str__


def default_batchify_fn(data: Sequence[Any]) -> Any:
    """Merges samples into a batch.

    Arrays are stacked and keep their dtype, NumPy arrays and numbers too; tuples become a list with
    a batch for each part, dicts become a dict.

    Args:
        data: The samples.

    Example:
        >>> from mxnet.gluon.data.dataloader import default_batchify_fn
        >>> data, label = default_batchify_fn([([1.0, 2.0], 3), ([4.0, 5.0], 6)])
        >>> data.shape, label.asnumpy().tolist()
        ((2, 2), [3, 6])
    """
    return _merge(data, None)


def default_mp_batchify_fn(data: Sequence[Any]) -> Any:
    """Merges samples into a batch that can be passed to another process.

    Args:
        data: The samples, merged as by `default_batchify_fn`, but on the context `cpu_shared(0)`.
    """
    return _merge(data, CPU_SHARED)


def merge_batch(batch: Batch, ctx: Context | None) -> Any:
    """Converts the columns of a batch to the form that the functions above return."""
    merged = [_merge_column(column, ctx) for column in batch.columns]
    return merged[0] if batch.single else merged


def _merge_column(column: Any, ctx: Context | None) -> Any:
    if isinstance(column, NDArray):
        return column if ctx is None else _on(column, ctx)
    if isinstance(column, np.ndarray):
        return _from_numpy(column, ctx)
    return _merge(column, ctx)


def _on(array: NDArray, ctx: Context) -> NDArray:
    tensor = array._plain
    if tensor.device.type == "cpu":
        return dialect_of(array).array._wrap(tensor, ctx)
    return array.as_in_context(ctx)


def _merge(data: Sequence[Any], ctx: Context | None) -> Any:
    first = data[0]
    if isinstance(first, NDArray):
        return _stack(data, ctx)
    if isinstance(first, dict):
        return {key: _merge([sample[key] for sample in data], ctx) for key in first}
    if isinstance(first, tuple) or (isinstance(first, list) and _holds_arrays(first)):
        if any(len(sample) != len(first) for sample in data):
            lengths = sorted({len(sample) for sample in data})
            raise UnequalSamplesError(f"batchify: samples of {lengths} parts make no batch")
        return [_merge(part, ctx) for part in zip(*data, strict=True)]
    if isinstance(first, np.ndarray) and all(
        isinstance(item, np.ndarray) and item.shape == first.shape and item.dtype == first.dtype
        for item in data
    ):
        return _stack_numpy(data, ctx)
    try:
        values = np.array(data)
    except ValueError as error:
        shapes = [np.shape(item) for item in data]
        raise UnequalSamplesError(
            f"batchify: samples of shapes {shapes} make no batch; use gluon.data.batchify.Pad or a "
            f"batchify_fn of your own ({error})"
        ) from error
    return _from_numpy(values, ctx)


def _holds_arrays(sample: Any) -> bool:
    return any(isinstance(item, (NDArray, tuple, dict)) for item in sample)


def _stack(arrays: Sequence[Any], ctx: Context | None) -> NDArray:
    first = arrays[0]
    if modes.recording or any(type(item) not in ARRAY_DIALECTS for item in arrays):
        stacked: NDArray = dialect_of(first).array_functions.stack(*arrays)
        return stacked if ctx is None else stacked.as_in_context(ctx)
    tensors = [item._plain for item in arrays]
    sample = tensors[0]
    if any(item.shape != sample.shape or item.dtype is not sample.dtype for item in tensors):
        shapes_and_dtypes = sorted({f"{item.shape} {np.dtype(item.dtype)}" for item in arrays})
        raise UnequalSamplesError(
            f"batchify: arrays of {', '.join(shapes_and_dtypes)} make no batch; "
            "use gluon.data.batchify.Pad or a batchify_fn of your own"
        )
    if ctx is None or sample.device.type != "cpu":
        stacked = make_array_like(first, torch.stack(tensors))
        return stacked if ctx is None else stacked.as_in_context(ctx)
    out = _transfer.empty((len(tensors), *sample.shape), sample.dtype)
    return dialect_of(first).array._wrap(torch.stack(tensors, out=out), ctx)


def _stack_numpy(arrays: Sequence[Any], ctx: Context | None) -> NDArray:
    first = arrays[0]
    row = element_types.element_type(first.dtype.newbyteorder("="))
    if ctx is None or row.name == "bfloat16":
        return _from_numpy(np.stack(arrays), ctx)
    out = _transfer.empty((len(arrays), *first.shape), row.torch)
    np.stack(arrays, out=out.numpy())
    return make_array(out, ctx)


def _from_numpy(values: np.ndarray[Any, Any], ctx: Context | None) -> NDArray:
    """Makes an array that takes over values which nothing else refers to."""
    element_types.element_type(values.dtype.newbyteorder("="))
    target = resolve() if ctx is None else ctx
    tensor = to_tensor(values, copy=False)
    if target is CPU0 or target is CPU_SHARED:
        return make_array(tensor, target)
    return make_array(tensor, CPU0).as_in_context(target)


def collate_arrays(batch: Sequence[NDArray], *, collate_fn_map: dict[Any, Any]) -> Tensor:
    """Stacks arrays to a tensor, as torch does with tensors.

    Args:
        batch: The arrays of the samples, of one shape and dtype.
        collate_fn_map: How samples of other classes are joined.
    """
    tensors = [array.to_torch().detach() for array in batch]
    stacked: Tensor = collate_fn_map[Tensor](tensors, collate_fn_map=collate_fn_map)
    return stacked


default_collate_fn_map[NDArray] = collate_arrays
