"""Functions that merge samples into batches, to be combined for `DataLoader(batchify_fn=...)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mxnet._frontend.dialect import functions_for
from mxnet.errors import AttributeValueError, UnsupportedTypeError
from mxnet.gluon.data import _batching
from mxnet.ndarray import NDArray

Batchify = Callable[[Any], Any]


class Stack(_batching.HasHandle):
    """Stacks samples of one shape into a batch; of lists and tuples, each part by itself.

    Args:
        use_shared_mem: Whether the batch is for another process, on the context `cpu_shared(0)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data import batchify
        >>> batchify.Stack()([mx.nd.ones(3), mx.nd.zeros(3)]).shape
        (2, 3)
    """

    def __init__(self, use_shared_mem: bool = False) -> None:
        self._use_shared_mem = use_shared_mem

    def __call__(self, data: Sequence[Any]) -> Any:
        """Stacks the samples."""
        if data and isinstance(data[0], (list, tuple)):
            counts = sorted({len(sample) for sample in data})
            if len(counts) > 1:
                raise _batching.UnequalSamplesError(
                    f"Stack: a sample has {counts[0]} parts, another one {counts[-1]}"
                )
            return [self(part) for part in zip(*data, strict=True)]
        return (
            _batching.default_mp_batchify_fn(data)
            if self._use_shared_mem
            else _batching.default_batchify_fn(data)
        )


class Pad(_batching.HasHandle):
    """Pads samples to the largest length along each axis, then stacks them.

    Args:
        val: Value of the padding, 0 if not given.
        dtype: Element type of the batch; that of the samples if not given.
        round_to: Lengths are rounded up to a multiple of this.
        use_shared_mem: Whether the batch is for another process, on the context `cpu_shared(0)`.

    Example:
        >>> from mxnet.gluon.data import batchify
        >>> print(batchify.Pad(val=-1)([[1, 2, 3], [4]]).asnumpy())
        [[ 1  2  3]
         [ 4 -1 -1]]
    """

    def __init__(
        self,
        val: float | None = None,
        dtype: Any = None,
        round_to: int | None = None,
        use_shared_mem: bool = False,
    ) -> None:
        if round_to is not None and round_to < 1:
            raise AttributeValueError(f"Pad: round_to takes a positive int, got {round_to}")
        self._pad_val = 0 if val is None else val
        self._dtype = dtype
        self._round_to = round_to
        self._use_shared_mem = use_shared_mem

    def __call__(self, data: Sequence[Any]) -> Any:
        """Pads and stacks the samples."""
        samples = [
            item.asnumpy() if isinstance(item, NDArray) else np.asarray(item) for item in data
        ]
        if len({sample.ndim for sample in samples}) > 1:
            shapes = [sample.shape for sample in samples]
            raise _batching.UnequalSamplesError(
                f"Pad: samples must have one number of axes, got {shapes}"
            )
        lengths = [
            self._rounded(max(axis)) for axis in zip(*(s.shape for s in samples), strict=True)
        ]
        dtype = np.result_type(*samples) if self._dtype is None else self._dtype
        filled = np.full((len(samples), *lengths), self._pad_val, dtype=dtype)
        for row, sample in enumerate(samples):
            window: tuple[Any, ...] = (row, *map(slice, sample.shape))
            filled[window] = sample
        return Stack(self._use_shared_mem)(list(filled))

    def _rounded(self, length: int) -> int:
        step = self._round_to or 1
        return -(-length // step) * step


class Append:
    """Keeps samples separate, each as an array of its own.

    Args:
        expand: Whether each gets an axis for the batch.
        batch_axis: Position of that axis.
        use_shared_mem: Whether the batch is for another process, on the context `cpu_shared(0)`.

    Example:
        >>> from mxnet.gluon.data import batchify
        >>> samples = [[1, 2, 3], [4]]
        >>> [part.shape for part in batchify.Append()(samples)]
        [(1, 3), (1, 1)]
    """

    def __init__(
        self, expand: bool = True, batch_axis: int = 0, use_shared_mem: bool = False
    ) -> None:
        self._expand = expand
        self._batch_axis = batch_axis
        self._stack = Stack(use_shared_mem)

    def __call__(self, data: Sequence[Any]) -> list[Any]:
        """Makes an array of each sample."""
        arrays = [
            self._stack([np.asarray(item) if isinstance(item, (list, tuple)) else item])
            for item in data
        ]
        if not self._expand:
            return [array[0] for array in arrays]
        if self._batch_axis == 0:
            return arrays
        expand = functions_for(arrays[0]).expand_dims
        return [expand(array[0], axis=self._batch_axis) for array in arrays]


class Group(_batching.HasHandle):
    """Merges each part of samples that are tuples by a function of its own.

    Args:
        fn: Functions for the parts, one after the other or as one list or tuple.
        *args: More functions.

    Example:
        >>> from mxnet.gluon.data import batchify
        >>> merge = batchify.Group(batchify.Pad(), batchify.Stack())
        >>> data, label = merge([([1, 2], 0), ([3], 1)])
        >>> data.shape, label.shape
        ((2, 2), (2,))
    """

    def __init__(self, fn: Batchify | Sequence[Batchify], *args: Batchify) -> None:
        if isinstance(fn, (list, tuple)) and args:
            raise AttributeValueError("Group: takes functions or one list of them, not both")
        functions: tuple[Any, ...] = tuple(fn) if isinstance(fn, (list, tuple)) else (fn, *args)
        for function in functions:
            if not callable(function):
                raise UnsupportedTypeError(f"Group: takes functions, got {type(function).__name__}")
        self._fn = functions

    def __call__(self, data: Sequence[Any]) -> tuple[Any, ...]:
        """Merges the samples part by part."""
        if any(len(sample) != len(self._fn) for sample in data):
            lengths = sorted({len(sample) for sample in data})
            raise _batching.UnequalSamplesError(
                f"Group: has functions for {len(self._fn)} parts, got samples of {lengths}"
            )
        parts = zip(*data, strict=True)
        return tuple(fn(list(part)) for fn, part in zip(self._fn, parts, strict=True))


class AsList:
    """Returns the samples as a list, unchanged.

    Example:
        >>> from mxnet.gluon.data import batchify
        >>> batchify.AsList()(("a", "b"))
        ['a', 'b']
    """

    def __call__(self, data: Sequence[Any]) -> list[Any]:
        """Makes a list."""
        return list(data)
