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

from mxnet._frontend.dialect import ARRAY_DIALECTS, dialect_of, make_array_like
from mxnet._state import modes
from mxnet.errors import MXNetError
from mxnet.gluon.block import Block, HybridBlock
from mxnet.gluon.nn import HybridSequential, Sequential
from mxnet.ndarray import NDArray

Transform = Callable[..., Any]


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
