"""Batches of Gluon for modules: `mx.contrib.io`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mxnet.io import DataDesc, DataIter
from mxnet.ndarray import NDArray, concat, zeros


class DataLoaderIter(DataIter):
    """Returns the batches of a Gluon loader as iterators for modules do.

    Args:
        loader: Gives pairs of data and labels, such as a `gluon.data.DataLoader`; the first
            batch has the size of all. A smaller one is filled with zeros.
        data_name: Name of the data.
        label_name: Name of the labels.
        dtype: Element type of both.

    Example:
        >>> import mxnet as mx
        >>> dataset = mx.gluon.data.ArrayDataset(mx.nd.ones((5, 3)), mx.nd.zeros((5,)))
        >>> it = mx.contrib.io.DataLoaderIter(mx.gluon.data.DataLoader(dataset, 2))
        >>> [batch.pad for batch in it]
        [0, 0, 1]
    """

    def __init__(
        self,
        loader: Iterable[Any],
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._loader, self.dtype = loader, dtype
        self._current: Any = None
        data, label = next(iter(loader))
        self.batch_size = data.shape[0]
        self.provide_data = [DataDesc(data_name, data.shape, dtype)]
        self.provide_label = [DataDesc(label_name, label.shape, dtype)]
        self.reset()

    def reset(self) -> None:
        """Goes back to the first batch."""
        self._batches: Iterator[Any] = iter(self._loader)

    def iter_next(self) -> bool:
        """Moves to the next batch and returns whether there is one."""
        self._current = next(self._batches, None)
        return self._current is not None

    def getdata(self) -> list[NDArray]:
        """Returns the data of the present batch."""
        return self._fill(self._current[0])

    def getlabel(self) -> list[NDArray]:
        """Returns the labels of the present batch."""
        return self._fill(self._current[1])

    def _fill(self, part: NDArray) -> list[NDArray]:
        part = part.astype(self.dtype)
        missing = self.batch_size - part.shape[0]
        if missing:
            rest = zeros((missing, *part.shape[1:]), part.context, part.dtype)
            part = concat(part, rest, dim=0)
        return [part]

    def getpad(self) -> int:
        """Returns how many examples of the present batch only fill it."""
        size: int = self.batch_size - self._current[0].shape[0]
        return size
