"""Checks of arguments, and what is told to loggers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mxnet.context import Context
from mxnet.contrib.quantization._calibration import Log
from mxnet.errors import ArgumentValueError, UnsupportedTypeError
from mxnet.io import DataBatch, DataDesc, DataIter
from mxnet.ndarray import NDArray

_DTYPES = ("int8", "uint8", "auto")
_GRANULARITIES = ("tensor-wise", "channel-wise")


def tell(logger: Log, message: str) -> None:
    """Logs a message, if there is a logger."""
    if logger:
        logger.info(message)


def check_context(ctx: Any) -> None:
    """Raises for what is not a single context."""
    if not isinstance(ctx, Context):
        raise ArgumentValueError(f"quantization: expected one context, got {ctx}")


def check_names(argument: str, names: list[str] | None, what: str) -> list[str]:
    """Returns names to exclude; raises if they are not in a list."""
    if names is not None and not isinstance(names, list):
        raise ArgumentValueError(
            f"{argument}: expected a list of names of {what} to leave as they are, got {names!r}"
        )
    return names or []


def check_dtype(quantized_dtype: str) -> None:
    """Raises for integers that are not supported."""
    if quantized_dtype not in _DTYPES:
        raise ArgumentValueError(
            f"quantized_dtype: expected int8, uint8 or auto, got {quantized_dtype!r}"
        )


def check_granularity(granularity: str) -> None:
    """Raises for a granularity that is not known."""
    if granularity not in _GRANULARITIES:
        raise ArgumentValueError(
            f"quantize_granularity: expected tensor-wise or channel-wise, got {granularity!r}"
        )


def check_calibration_data(calib_data: Any, calib_mode: str) -> None:
    """Raises if there are no batches of calibration."""
    if calib_data is None:
        raise ArgumentValueError(f"calib_data: expected data for calib_mode {calib_mode}, got None")
    if not isinstance(calib_data, DataIter):
        raise ArgumentValueError(
            f"calib_data: expected a DataIter, got {type(calib_data)} for calib_mode {calib_mode}"
        )


def count_examples(batches: Any, num_batches: int | None, num_examples: int | None) -> int | None:
    """Returns how many examples to use, which MXNet 2 says by a number of batches."""
    return num_examples if num_batches is None else num_batches * int(batches.batch_size)


def unknown_mode(calib_mode: str) -> ArgumentValueError:
    """Returns the error for a mode that is not known."""
    return ArgumentValueError(
        f"calib_mode: expected none, naive, entropy or custom, got {calib_mode!r}"
    )


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
