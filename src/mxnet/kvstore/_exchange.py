"""What processes send each other for the calls of a store.

Every call begins with a short message, by which each process says what it is about to do. If they
do not agree, all of them raise an error, where otherwise numbers of one key would be added to those
of another, or a process would wait for what no other sends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

import torch
from torch import Tensor, distributed

from mxnet import limits
from mxnet._state import processes
from mxnet.errors import MXNetError, shorten
from mxnet.ndarray import NDArray
from mxnet.ndarray import _sparse_kernels as kernels
from mxnet.ndarray._sparse_kernels import Rows
from mxnet.ndarray.sparse import RowSparseNDArray

_PIECE_BYTES = 25 * 2**20
"""Small tensors travel together, up to this size."""
_NO_BYTES = torch.empty(0, dtype=torch.uint8)


def agree(where: str, what: str) -> None:
    """Makes sure that all processes are at the same call, with the same arguments.

    Args:
        where: The name of the call.
        what: Its keys, shapes and dtypes.

    Raises:
        MXNetError: if they are not, or if one of them is lost.
    """
    if processes.size() == 1:
        return
    own = torch.tensor([crc32(f"{where} {what}".encode())])
    if all(torch.equal(own, other) for other in gather(where, own)):
        return
    calls = _gather_text(where, shorten(f"{where} {what}"))
    listed = "; ".join(f"rank {rank}: {call}" for rank, call in enumerate(calls))
    raise MXNetError(
        f"{where}: expected the same call in every process, got others in some ({listed}). All "
        "processes must make the same calls in the same order, as often"
    )


def _gather_text(where: str, text: str) -> list[str]:
    """Returns the texts of all processes. They are not pickled, because a pickle can do harm."""
    return [data.decode(errors="replace") for data in gather_bytes(where, text.encode())]


def gather_bytes(where: str, data: bytes) -> list[bytes]:
    """Returns the bytes of all processes, by rank."""
    return [part.numpy().tobytes() for part in gather_parts(where, _as_tensor(data))]


def bytes_from(where: str, data: bytes, root: int) -> bytes:
    """Returns the bytes of one process.

    Args:
        where: The name of the call, for the messages of errors.
        data: The bytes of this process, which count if it is the root.
        root: Number of the process whose bytes count.
    """
    own = _as_tensor(data)
    count = torch.tensor([len(own)])
    with processes.guard(where):
        distributed.broadcast(count, root)
    _check_counts(where, [int(count)], 1)
    memory = own if processes.rank() == root else own.new_empty(int(count))
    if len(memory):
        with processes.guard(where):
            distributed.broadcast(memory, root)
    return memory.numpy().tobytes()


def _as_tensor(data: bytes) -> Tensor:
    return torch.frombuffer(bytearray(data), dtype=torch.uint8) if data else _NO_BYTES


def _check_counts(where: str, counts: Sequence[int], row_bytes: int) -> None:
    """Raises if other processes announce more than fits into memory, or less than nothing.

    Args:
        where: The name of the call, for the messages of errors.
        counts: How many rows each process is about to send.
        row_bytes: Memory that a row takes.

    Raises:
        LimitExceededError: if it is more than `array_bytes` of `mx.limits`.
        MXNetError: if a number is negative.
    """
    if min(counts) < 0:
        raise MXNetError(f"{where}: a process announces {min(counts)} rows")
    limits.check("array_bytes", max(counts) * len(counts) * row_bytes, where)


def add_up(where: str, tensors: Sequence[Tensor]) -> None:
    """Replaces tensors by their sums over all processes."""
    pending = []
    with processes.guard(where):
        for members in _pieces(tensors):
            flat = _join(members)
            pending.append((distributed.all_reduce(flat, async_op=True), flat, members))
        for work, flat, members in pending:
            work.wait()
            _split(flat, members)


def copy_from(where: str, tensors: Sequence[Tensor], root: int) -> None:
    """Replaces tensors by those of one process."""
    pending = []
    with processes.guard(where):
        for members in _pieces([_sendable(tensor) for tensor in tensors]):
            flat = _join(members)
            pending.append((distributed.broadcast(flat, root, async_op=True), flat, members))
        for work, flat, members in pending:
            work.wait()
            _split(flat, members)


def gather(where: str, tensor: Tensor, group: Any = None) -> list[Tensor]:
    """Returns the tensors of all processes, which have the same shape, by rank.

    Args:
        where: The name of the call, for the messages of errors.
        tensor: The tensor of this process.
        group: Group of torch.distributed, by default that of all processes.
    """
    with processes.guard(where):
        return _all_gather(tensor, distributed.get_world_size(group), group)


def gather_parts(where: str, tensor: Tensor) -> list[Tensor]:
    """Returns the tensors of all processes, whose first axes may be of different lengths."""
    counts = torch.cat(gather(where, torch.tensor([len(tensor)]))).tolist()
    _check_counts(where, counts, tensor[:1].nbytes)
    with processes.guard(where):
        return gather_counted(tensor, counts)


def gather_counted(tensor: Tensor, counts: Sequence[int], group: Any = None) -> list[Tensor]:
    """Returns the tensors of all processes, whose first axes are of lengths that all know.

    Args:
        tensor: The tensor of this process.
        counts: Length of the first axis in each process.
        group: Group of torch.distributed, by default that of all processes.
    """
    padded = tensor.new_zeros((max(counts), *tensor.shape[1:]))
    padded[: len(tensor)] = tensor
    parts = _all_gather(padded, len(counts), group)
    return [part[:count] for part, count in zip(parts, counts, strict=True)]


def _all_gather(tensor: Tensor, size: int, group: Any) -> list[Tensor]:
    sent = _sendable(tensor.contiguous())
    parts = [torch.empty_like(sent) for _ in range(size)]
    if sent.numel():
        distributed.all_gather(parts, sent, group=group)
    return [part.view(tensor.dtype) for part in parts]


def _sendable(tensor: Tensor) -> Tensor:
    """Returns the same memory in a dtype that gloo knows, which does not know truth values."""
    return tensor.view(torch.uint8) if tensor.dtype is torch.bool else tensor


def gather_rows(where: str, rows: Rows) -> list[Rows]:
    """Returns the rows of all processes, each of which may have another number of them."""
    data, places = (gather_parts(where, part) for part in rows)
    return list(zip(data, places, strict=True))


def _pieces(tensors: Sequence[Tensor]) -> Iterator[list[Tensor]]:
    """Puts tensors of the same dtype and device together, in an order that all processes share."""
    kinds: dict[tuple[torch.dtype, torch.device], list[Tensor]] = {}
    for tensor in tensors:
        if tensor.numel():
            kinds.setdefault((tensor.dtype, tensor.device), []).append(tensor)
    for members in kinds.values():
        piece: list[Tensor] = []
        num_bytes = 0
        for tensor in members:
            if piece and num_bytes + tensor.nbytes > _PIECE_BYTES:
                yield piece
                piece, num_bytes = [], 0
            piece.append(tensor)
            num_bytes += tensor.nbytes
        yield piece


def _join(members: Sequence[Tensor]) -> Tensor:
    if len(members) == 1 and members[0].is_contiguous():
        return members[0].view(-1)
    return torch.cat([member.reshape(-1) for member in members])


def _split(flat: Tensor, members: Sequence[Tensor]) -> None:
    """Copies a flat tensor to those that it was made of, unless it is one of them."""
    if flat.data_ptr() == members[0].data_ptr():
        return
    parts = torch.split(flat, [member.numel() for member in members])
    shaped = [part.view(member.shape) for part, member in zip(parts, members, strict=True)]
    torch._foreach_copy_(list(members), shaped)


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
        parts = [gather_counted(part, counts, self._group) for part in own]
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
