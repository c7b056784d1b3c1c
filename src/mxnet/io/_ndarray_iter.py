"""Batches of arrays in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxnet._start import public_methods
from mxnet.errors import AttributeValueError, CheckFailedError, NotSupportedError
from mxnet.io._batches import DataBatch, DataDesc, DataIter
from mxnet.io.utils import (
    _has_instance,
    _init_data,
    _join_along_batch_axis,
    _reorder,
    _slice_along_batch_axis,
)
from mxnet.ndarray import NDArray
from mxnet.ndarray.sparse import CSRNDArray

_LAST_BATCH_HANDLES = ("pad", "discard", "roll_over")


@public_methods("next")
class NDArrayIter(DataIter):
    """Iterates over arrays in memory.

    Args:
        data: An array, a list of arrays, or a dictionary of them; NumPy arrays become float32.
        label: The same for labels; may be left out.
        batch_size: Number of examples in a batch.
        shuffle: Whether to shuffle the examples now and at every reset, by NumPy's global
            generator.
        last_batch_handle: What to do with the examples that do not fill the last batch: `"pad"`
            fills it with the first examples, `"discard"` drops them, `"roll_over"` puts them in
            front of the next round.
        data_name: Name of the data if it is not a dictionary.
        label_name: Name of the label if it is not a dictionary.
        layout: Layout of the data; its `N` is the axis along which to cut.

    Example:
        >>> import numpy as np
        >>> import mxnet as mx
        >>> batches = mx.io.NDArrayIter(np.arange(5), batch_size=2)
        >>> [(batch.data[0].asnumpy().tolist(), batch.pad) for batch in batches]
        [([0.0, 1.0], 0), ([2.0, 3.0], 0), ([4.0, 0.0], 1)]
    """

    def __init__(
        self,
        data: Any,
        label: Any = None,
        batch_size: int = 1,
        shuffle: bool = False,
        last_batch_handle: str = "pad",
        data_name: str = "data",
        label_name: str = "softmax_label",
        layout: str = "NCHW",
    ) -> None:
        super().__init__(batch_size)
        if batch_size <= 0:
            raise AttributeValueError(
                f"NDArrayIter: `batch_size` takes a positive number, got {batch_size}"
            )
        if last_batch_handle not in _LAST_BATCH_HANDLES:
            raise AttributeValueError(
                f"NDArrayIter: `last_batch_handle` takes one of {', '.join(_LAST_BATCH_HANDLES)}, "
                f"got {last_batch_handle!r}"
            )
        self.data = _init_data(data, allow_empty=False, default_name=data_name)
        self.label = _init_data(label, allow_empty=True, default_name=label_name)
        if last_batch_handle != "discard" and _has_instance(self.data + self.label, CSRNDArray):
            raise NotSupportedError(
                'NDArrayIter: sparse arrays need `last_batch_handle="discard"`, '
                f"got {last_batch_handle!r}"
            )
        self.shuffle = shuffle
        self.last_batch_handle = last_batch_handle
        self.layout = layout
        self._axis = DataDesc.get_batch_axis(layout)
        self.num_data = self.data_list[0].shape[self._axis_of(self.data_list[0])]
        self.idx = np.arange(self.num_data)
        self.cursor = -batch_size
        self._has_moved = False
        self._rolled: tuple[list[NDArray], list[NDArray]] | None = None
        if shuffle:
            self._bring_into_new_order()

    @property
    def data_list(self) -> list[NDArray]:
        """All arrays, data before label."""
        return [item for _, item in self.data + self.label]

    @property
    def num_source(self) -> int:
        """Number of arrays, data and label."""
        return len(self.data) + len(self.label)

    @property
    def provide_data(self) -> list[DataDesc]:
        """Names, shapes and element types of the data of a batch."""
        return self._describe(self.data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """Names, shapes and element types of the labels of a batch."""
        return self._describe(self.label)

    def _describe(self, arrays: list[tuple[str, NDArray]]) -> list[DataDesc]:
        results = []
        for name, item in arrays:
            shape = list(item.shape)
            shape[self._axis_of(item)] = self.batch_size
            results.append(DataDesc(name, tuple(shape), item.dtype, self.layout))
        return results

    def _axis_of(self, item: NDArray) -> int:
        """Returns the axis of the examples; a label often has fewer axes than the layout says."""
        return self._axis if 0 <= self._axis < len(item.shape) else 0

    def hard_reset(self) -> None:
        """Goes back to the first batch and drops examples that would roll over."""
        if self.shuffle:
            self._bring_into_new_order()
        self.cursor = -self.batch_size
        self._rolled = None

    def reset(self) -> None:
        """Goes back to the first batch; examples that `"roll_over"` kept come first."""
        if self.shuffle:
            self._bring_into_new_order()
        if self._rolled is None or not self._has_moved:  # a second reset drops what rolled over
            self._rolled = None
            self.cursor = -self.batch_size
        else:
            self.cursor = (
                -self.batch_size - self._rolled[0][0].shape[self._axis_of(self.data[0][1])]
            )
        self._has_moved = False

    def iter_next(self) -> bool:
        """Moves to the next batch and returns whether there is one."""
        self.cursor += self.batch_size
        self._has_moved = True
        if self.cursor >= 0:
            self._rolled = None
        if self.last_batch_handle == "discard":
            return self.cursor + self.batch_size <= self.num_data
        return self.cursor < self.num_data

    def next(self) -> DataBatch:
        """Returns the next batch.

        Raises:
            StopIteration: after the last one.
        """
        if not self.iter_next():
            raise StopIteration
        data, label = self.getdata(), self.getlabel()
        if self.last_batch_handle == "roll_over" and self.cursor + self.batch_size > self.num_data:
            self._rolled = (data, label)
            raise StopIteration
        return DataBatch(data, label, self.getpad(), self.getindex())

    def getdata(self) -> list[NDArray]:
        """Returns the data of the current batch."""
        return self._cut(self.data, 0)

    def getlabel(self) -> list[NDArray]:
        """Returns the labels of the current batch."""
        return self._cut(self.label, 1)

    def getpad(self) -> int:
        """Returns how many examples of the current batch are padding, or rolled over."""
        if self.last_batch_handle == "pad":
            return max(0, self.cursor + self.batch_size - self.num_data)
        if self.last_batch_handle == "roll_over" and -self.batch_size < self.cursor < 0:
            return -self.cursor
        return 0

    def _cut(self, arrays: list[tuple[str, NDArray]], column: int) -> list[NDArray]:
        """Cuts the current batch out of the data (`column` 0) or the labels (1)."""
        if not -self.batch_size < self.cursor < self.num_data:
            raise CheckFailedError(
                "NDArrayIter: no batch is at hand; call next() first, or reset() after the last"
            )
        results = []
        for number, (_, item) in enumerate(arrays):
            parts = [_slice_along_batch_axis(item, s, self._axis_of(item)) for s in self._ranges()]
            if self.cursor < 0 and self._rolled is not None:
                parts.insert(0, self._rolled[column][number])
            results.append(_join_along_batch_axis(parts, self._axis_of(item)))
        return results

    def _ranges(self) -> list[slice]:
        """Returns the ranges of the current batch, without examples that rolled over."""
        end = self.cursor + self.batch_size
        ranges = [slice(max(self.cursor, 0), min(end, self.num_data))]
        missing = end - self.num_data if self.last_batch_handle == "pad" else 0
        while missing > 0:  # more than once where the data is smaller than half a batch
            ranges.append(slice(0, min(missing, self.num_data)))
            missing -= self.num_data
        return ranges

    def _bring_into_new_order(self) -> None:
        np.random.shuffle(self.idx)  # the global generator, which programs seed
        self.data = self._reordered(self.data)
        self.label = self._reordered(self.label)

    def _reordered(self, arrays: list[tuple[str, NDArray]]) -> list[tuple[str, NDArray]]:
        return [(name, _reorder(item, self.idx, self._axis_of(item))) for name, item in arrays]
