"""Adding row_sparse gradients up over processes by exchanging the rows that they have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import distributed

from mxnet.kvstore import _exchange
from mxnet.ndarray import NDArray
from mxnet.ndarray import _sparse_kernels as kernels
from mxnet.ndarray.sparse import RowSparseNDArray


class RowExchange:
    """Adds row_sparse gradients up over the processes of a group.

    How many rows each process has is known from notes that all have exchanged before.

    Args:
        gradients: The arrays of each gradient, one for each context, by position.
        group: Group of torch.distributed.
    """

    def __init__(self, gradients: Mapping[int, Sequence[NDArray]], group: Any) -> None:
        self._gradients, self._group = gradients, group
        self._size = distributed.get_world_size(group)
        self._rank = distributed.get_rank(group)
        self._own: dict[int, kernels.Rows] = {}
        self.num_notes = self._size * len(gradients)
        """Number of notes, one for each process and gradient."""
        self.num_bytes = 0
        """Number of bytes that were handed to the network."""

    def own_notes(self, select_new: Callable[[int], list[NDArray]]) -> list[float]:
        """Returns the notes of this process: numbers of rows in its places, zeros in others.

        Args:
            select_new: Returns which arrays of the gradient at a position are new.
        """
        notes = [0.0] * self.num_notes
        for number, (position, arrays) in enumerate(self._gradients.items()):
            self._own[position] = _merge(arrays[0], select_new(position))
            notes[number * self._size + self._rank] = float(len(self._own[position][1]))
        return notes

    def exchange(self, notes: Sequence[float]) -> dict[int, NDArray]:
        """Returns the sums, by position.

        Args:
            notes: The notes of all processes, added up.
        """
        sums: dict[int, NDArray] = {}
        for number, (position, arrays) in enumerate(self._gradients.items()):
            begin = number * self._size
            counts = [round(count) for count in notes[begin : begin + self._size]]
            rows = self._gather(self._own.pop(position), counts)
            sums[position] = RowSparseNDArray._of_parts(rows, arrays[0].shape, arrays[0]._ctx)
        return sums

    def _gather(self, own: kernels.Rows, counts: Sequence[int]) -> kernels.Rows:
        """Returns the rows of all processes, added up where they belong to the same place."""
        if not any(counts):
            return own
        parts = [_exchange.gather_counted(part, counts, self._group) for part in own]
        row_bytes = sum(part.shape[1:].numel() * part.itemsize for part in own)
        self.num_bytes += max(counts) * row_bytes
        return kernels.merge_rows(list(zip(*parts, strict=True)))


def _merge(like: Any, arrays: Sequence[Any]) -> kernels.Rows:
    """Returns the sum of row_sparse arrays on the device of the first, with its rows in order."""
    device = like._rows()[0].device
    parts = [tuple(part.to(device) for part in array._rows()) for array in arrays]
    if parts:
        return kernels.merge_rows(parts)
    data, places = like._rows()
    return data[:0], places[:0]
