"""Loads and transforms a whole batch at once.

A loader that calls `dataset[i]` and a chain of transforms for every sample spends nearly all of its
time between the arrays. Where it makes no difference to the result, a batch is gathered and
transformed as one array instead. Two things have to be declared for that.

A **dataset** in memory provides its columns. It defines, in the same class as `__getitem__`,

    def _columns_for_batches(self) -> tuple[Any, ...] | Any | None

which returns what `self[i]` indexes: one column if a sample is `column[i]`, a tuple of columns if a
sample is the tuple of `column[i]`, None if samples are something else (for example because the
dataset has a transform of its own). A column is an NDArray, a NumPy array or a sequence.

A **transform** declares that it works on batches. It is a block that sets, in the same class as
`forward` or `hybrid_forward`,

    _works_on_batches = True   # block(stack(samples)) is stack([block(x) for x in samples])
    _sample_ndim = 3           # number of axes of one sample; None (the default) for any number

which must hold bit for bit, so a random transform never does. `Sequential`, `HybridSequential`
and their subclasses (`Compose`) need no declaration: that of each child counts.

A subclass that overrides `__getitem__` or `forward` without repeating the declaration is asked for
single samples again, as are lambdas, random transforms and blocks with hooks. In a chain with
random transforms those at the end that work on batches still get whole batches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.utils.data._utils.collate import default_collate_fn_map

from mxnet._arrays.bridges import to_tensor
from mxnet._formats import element_types
from mxnet._frontend.dialect import ARRAY_DIALECTS, dialect_of, make_array_like, make_array_of_data
from mxnet._state import modes
from mxnet.context import CPU0, Context, resolve
from mxnet.errors import MXNetError, ShapeMismatchError, UnknownDtypeError, shown
from mxnet.gluon.block import Block, HybridBlock
from mxnet.gluon.data import _transfer
from mxnet.gluon.data._transfer import CPU_SHARED
from mxnet.gluon.nn import HybridSequential, Sequential
from mxnet.ndarray import NDArray

Transform = Callable[..., Any]


class HasHandle:
    """Datasets and functions that merge samples, of which MXNet 2 has others in its library."""

    def __mx_handle__(self) -> Any:
        """Returns what does the same without Python in between: here loaders use this one."""
        return self


class Batch(NamedTuple):
    """Samples as columns.

    Attributes:
        columns: One array or list for each part of the samples.
        single: Whether a sample is the part itself, not a tuple of parts.
    """

    columns: tuple[Any, ...]
    single: bool


def declares(cls: type, declaration: str, *behaviour: str) -> bool:
    """Returns whether a declaration of a class is valid for its current methods.

    A declaration counts if no class between it and `cls` redefines one of the methods that it is
    about.
    """
    for base in cls.__mro__:
        if declaration in vars(base):
            return True
        if any(name in vars(base) for name in behaviour):
            return False
    return False


def stages_of(fn: Transform) -> list[Transform]:
    """Splits a chain of blocks into the stages that run one after the other."""
    if not isinstance(fn, (Sequential, HybridSequential)) or _is_watched(fn):
        return [fn]
    cls: Any = type(fn)
    if isinstance(fn, Sequential):
        plain = cls.forward is Sequential.forward
    else:
        plain = (
            cls.hybrid_forward is HybridSequential.hybrid_forward
            and cls.forward is HybridBlock.forward
        )
    if not plain or cls.__call__ is not Block.__call__:
        return [fn]
    return [stage for child in fn._children.values() for stage in stages_of(child)]


def _is_watched(block: Block) -> bool:
    return bool(
        block._forward_hooks or block._forward_pre_hooks or getattr(block, "_mx_op_hook", None)
    )


def works_on_batches(stage: Transform) -> bool:
    """Returns whether a transform can process a whole batch instead of single samples."""
    cls = type(stage)
    return (
        isinstance(stage, Block)
        and declares(cls, "_works_on_batches", "forward", "hybrid_forward", "__call__")
        and bool(cls._works_on_batches)  # type: ignore[attr-defined]  # declared, as just asked
        and not _is_watched(stage)
    )


def split_stages(fn: Transform) -> tuple[list[Transform], list[Transform]]:
    """Returns the stages that need single samples, and the later ones that do not."""
    stages = stages_of(fn)
    start = len(stages)
    while start and works_on_batches(stages[start - 1]):
        start -= 1
    return stages[:start], stages[start:]


def run_on_batch(stages: Sequence[Transform], column: Any) -> NDArray | None:
    """Runs stages on a column of samples; None if they have to be run on each sample instead."""
    if type(column) not in ARRAY_DIALECTS or modes.recording:
        return None
    length = len(column)
    for stage in stages:
        ndim = getattr(stage, "_sample_ndim", None)
        if ndim is not None and column.ndim != ndim + 1:
            return None
        try:
            column = stage(column)
        except (MXNetError, ValueError, TypeError, AssertionError):
            # Running single samples gives a better error, which names the sample.
            return None
        if type(column) not in ARRAY_DIALECTS or column.shape[0] != length:
            return None
    batch: NDArray = column
    return batch


def positions(indices: Sequence[Any], length: int) -> np.ndarray[Any, np.dtype[np.int64]] | None:
    """Returns indices as positions from 0; None if one is not an integer or out of range."""
    try:
        numbers = np.asarray(indices)
    except ValueError:
        return None
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or not numbers.size:
        return None
    numbers = numbers.astype(np.int64, copy=False)
    if numbers.min() < -length or numbers.max() >= length:
        return None
    return np.where(numbers < 0, numbers + length, numbers)


def gather(column: Any, where: np.ndarray[Any, np.dtype[np.int64]]) -> Any:
    """Returns the rows of a column at some positions, on memory of their own."""
    if type(column) in ARRAY_DIALECTS:
        tensor = column._plain
        rows = tensor.index_select(0, torch.from_numpy(where).to(tensor.device))
        if rows.ndim == 1:
            rows = rows.reshape(-1, *dialect_of(column).shapes.element)
        return make_array_like(column, rows)
    if type(column) is np.ndarray:
        return column[where]
    return [column[index] for index in where.tolist()]


def stack_samples(samples: Sequence[Any]) -> NDArray | None:
    """Stacks arrays of one shape and dtype; returns None for anything else."""
    first = samples[0]
    if any(type(sample) not in ARRAY_DIALECTS for sample in samples):
        return None
    tensors = [sample._plain for sample in samples]
    shape, dtype, device = tensors[0].shape, tensors[0].dtype, tensors[0].device
    if any(t.shape != shape or t.dtype is not dtype or t.device != device for t in tensors):
        return None
    return make_array_like(first, torch.stack(tensors))


def fetch(dataset: Any, indices: Sequence[Any], names: Sequence[Any]) -> Batch | list[Any]:
    """Loads samples, as columns where the dataset can give them, else one by one.

    Args:
        dataset: The dataset.
        indices: Where the samples are in it.
        names: Where they are in the dataset that the program loads, for error messages.
    """
    columns = columns_of(dataset)
    if columns is not None:
        where = positions(indices, len(dataset))
        if where is not None:
            return Batch(tuple(gather(column, where) for column in columns.columns), columns.single)
    elif declares(type(dataset), "_fetch_for_batches", "__getitem__"):
        return dataset._fetch_for_batches(indices, names)  # type: ignore[no-any-return]  # what datasets declare
    return fetch_samples(dataset, indices, names)


def fetch_samples(dataset: Any, indices: Sequence[Any], names: Sequence[Any]) -> list[Any]:
    """Loads samples one by one; an error is marked with the name of its sample."""
    samples = []
    for index, name in zip(indices, names, strict=True):
        try:
            samples.append(dataset[index])
        except Exception as error:
            mark(error, name)
            raise
    return samples


def map_samples(fn: Transform, samples: Sequence[Any], names: Sequence[Any]) -> list[Any]:
    """Transforms samples one by one; an error is marked with the name of its sample."""
    results = []
    for name, sample in zip(names, samples, strict=True):
        try:
            results.append(fn(*sample) if isinstance(sample, tuple) else fn(sample))
        except Exception as error:
            mark(error, name)
            raise
    return results


def mark(error: Exception, name: Any) -> None:
    """Stores in an error which sample raised it."""
    error.sample_index = name  # type: ignore[attr-defined]  # for the loader to report
    if hasattr(error, "add_note"):  # from Python 3.11 on
        error.add_note(f"DataLoader: raised by sample {name}")


_ARRAYS = (NDArray, np.ndarray)


def columns_of(dataset: Any) -> Batch | None:
    """Returns the columns of a dataset in memory, None for other datasets."""
    if type(dataset) in _ARRAYS:
        return Batch((dataset,), single=True) if dataset.ndim else None
    if not declares(type(dataset), "_columns_for_batches", "__getitem__"):
        return None
    columns = dataset._columns_for_batches()
    if columns is None:
        return None
    batch = Batch(columns, False) if isinstance(columns, tuple) else Batch((columns,), True)
    known = (*_ARRAYS, list, tuple, range)
    return batch if all(type(column) in known for column in batch.columns) else None


def unbatch(batch: Batch | list[Any]) -> list[Any]:
    """Returns the samples of a batch."""
    if isinstance(batch, list):
        return batch
    if batch.single:
        return list(batch.columns[0])
    return list(zip(*batch.columns, strict=True))


def transform_fetched(
    batch: Batch | list[Any], stages: Sequence[Transform], first_only: bool
) -> Batch | None:
    """Runs stages that work on batches on the first part of samples.

    Args:
        batch: The samples.
        stages: What to run.
        first_only: Whether samples may have further parts, which stay as they are.

    Returns:
        The new batch, None if the samples have to be transformed one by one.
    """
    if isinstance(batch, list):
        batch = _columns_of_samples(batch)
    if len(batch.columns) > 1 and not first_only:
        return None
    column = batch.columns[0]
    if isinstance(column, (list, tuple)):
        column = stack_samples(column)
    result = run_on_batch(stages, column)
    if result is None:
        return None
    return Batch((result, *batch.columns[1:]), single=len(batch.columns) == 1)


def _columns_of_samples(samples: list[Any]) -> Batch:
    width = len(samples[0]) if isinstance(samples[0], tuple) else None
    if width and all(isinstance(item, tuple) and len(item) == width for item in samples):
        return Batch(tuple(list(column) for column in zip(*samples, strict=True)), single=False)
    return Batch((samples,), single=True)


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
    if values.dtype.kind in "SUO":
        odd = next(item for item in data if np.asarray(item).dtype.kind in "SUO")
        raise UnknownDtypeError(
            f"batchify: samples are numbers or arrays of them, got {shown(odd)}; "
            "convert it in transform(), or use a batchify_fn of your own"
        )
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
    return make_array_of_data(out, ctx)


def _from_numpy(values: np.ndarray[Any, Any], ctx: Context | None) -> NDArray:
    """Makes an array that takes over values which nothing else refers to."""
    element_types.element_type(values.dtype.newbyteorder("="))
    target = resolve() if ctx is None else ctx
    tensor = to_tensor(values, copy=False)
    if target is CPU0 or target is CPU_SHARED:
        return make_array_of_data(tensor, target)
    return make_array_of_data(tensor, CPU0).as_in_context(target)


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
