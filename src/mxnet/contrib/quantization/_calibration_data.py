"""Data of calibration: what a program gives, as batches for a module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mxnet.errors import UnsupportedTypeError
from mxnet.io import DataBatch, DataDesc, DataIter
from mxnet.ndarray import NDArray


class DataIterWrapper(DataIter):
    """Iterates over what yields arrays, or lists of them, as over batches.

    Args:
        calib_data: Yields batches, such as a `gluon.data.DataLoader`. Images that come in
            several crops, of five or more axes, become one batch of all crops.
    """

    def __init__(self, calib_data: Iterable[Any]) -> None:
        self._data = calib_data
        try:
            self._iterator: Iterator[Any] = iter(calib_data)
        except TypeError as error:
            raise UnsupportedTypeError(
                f"calib_data: expected something to iterate over; {error}"
            ) from error
        first = _as_arrays(next(iter(calib_data)))
        super().__init__(first[0].shape[0])
        names = [f"data{place}" for place in range(len(first))]
        if len(first) < 3:
            names = ["data", "data0"][: len(first)]
        self.provide_data = [
            DataDesc(name, array.shape) for name, array in zip(names, first, strict=True)
        ]

    def reset(self) -> None:
        """Goes back to the first batch."""
        self._iterator = iter(self._data)

    def next(self) -> DataBatch:
        """Returns the next batch, of as many arrays as `provide_data` has."""
        arrays = _as_arrays(next(self._iterator))
        return DataBatch(data=arrays[: len(self.provide_data)])


class DataAlone(DataIter):
    """Iterates over the first arrays of batches, which a network takes; labels are left out.

    Args:
        batches: The batches.
        count: Number of the arrays.
    """

    def __init__(self, batches: DataIter, count: int) -> None:
        super().__init__(batches.batch_size)
        self._batches, self._count = batches, count

    def reset(self) -> None:
        """Goes back to the first batch."""
        self._batches.reset()

    def next(self) -> DataBatch:
        """Returns the next batch."""
        return DataBatch(data=self._batches.next().data[: self._count])


def _as_arrays(batch: Any) -> list[NDArray]:
    arrays = list(batch) if isinstance(batch, (list, tuple)) else [batch]
    if arrays[0].ndim > 4:
        arrays[0] = arrays[0].reshape((-1, *arrays[0].shape[2:]))
    return arrays


def as_data_iter(calib_data: Any) -> tuple[DataIter, list[DataDesc]]:
    """Returns an iterator over batches, and what their arrays are.

    Args:
        calib_data: A `DataIter`, or what yields arrays or lists of them.

    Raises:
        TypeError: if it is not iterable.
    """
    if isinstance(calib_data, DataIter):
        return calib_data, list(calib_data.provide_data)  # type: ignore[attr-defined]
    wrapped = DataIterWrapper(calib_data)
    return wrapped, wrapped.provide_data
