"""Parameters that are gathered by one exchange, and whose gradients are reduced by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from math import prod
from typing import Any, NamedTuple

import torch
from torch import Tensor, distributed

from mxnet._arrays.autograd.tape import number_of_pass
from mxnet._state import processes
from mxnet.ops.core.allocation import explain_shortage


class Piece(NamedTuple):
    """The rows of a parameter that one rank holds, with the place of the whole.

    Rows are split as `torch.chunk` and DTensor split them: every rank has the same number, but the
    last ones may have fewer or none.
    """

    shape: tuple[int, ...]
    """Shape of the whole parameter."""
    per_rank: int
    """Number of rows of the first rank."""
    begin: int
    end: int

    @classmethod
    def of(cls, shape: Sequence[int], rank: int, size: int) -> Piece:
        """Returns the piece of a rank of a parameter, of which a scalar counts as one row."""
        rows = shape[0] if shape else 1
        per_rank = -(-rows // size)
        begin = min(rank * per_rank, rows)
        return cls(tuple(shape), per_rank, begin, min(begin + per_rank, rows))

    @property
    def local_shape(self) -> tuple[int, ...]:
        """Shape of the rows of this rank."""
        return (self.end - self.begin, *self.shape[1:])

    @property
    def row(self) -> int:
        """Number of elements in a row."""
        return prod(self.shape[1:])

    @property
    def length(self) -> int:
        """Number of elements of one rank in an exchange, those that fill it up included."""
        return self.per_rank * self.row

    def take(self, whole: Tensor) -> Tensor:
        """Returns a copy of this rank's rows."""
        rows = whole if self.shape else whole.reshape(1)
        return rows[self.begin : self.end].clone(memory_format=torch.contiguous_format)


class Group:
    """Parameters of one dtype and device that are exchanged together.

    Args:
        name: What errors call it.
        pieces: The piece of each parameter that this rank holds.
    """

    def __init__(self, name: str, pieces: Sequence[Piece]) -> None:
        self.name, self.pieces = name, list(pieces)
        self._length = sum(piece.length for piece in pieces)
        self._again: tuple[int, list[Tensor]] | None = None
        """Number of a backward pass, and what is gathered for it."""

    def gather(self, shards: Sequence[Tensor]) -> list[Tensor]:
        """Returns the whole parameters, in memory of their own.

        Args:
            shards: The rows of this rank.

        Raises:
            MXNetError: if another rank is lost.
        """
        return self.begin(shards).finish()

    def begin(self, shards: Sequence[Tensor]) -> Exchange:
        """Begins to gather the whole parameters, and does not wait for them.

        Args:
            shards: The rows of this rank.

        Raises:
            MXNetError: if another rank is lost.
        """
        gathered = shards[0].new_empty(distributed.get_world_size() * self._length)
        with self._guard():
            work = begin_all_gather(gathered, self._fill(shards))
        return Exchange(self, gathered, work)

    def finish(self, gathered: Tensor, work: Any) -> list[Tensor]:
        """Waits for what was begun, and returns the whole parameters."""
        with self._guard():
            work.wait()
        rows = gathered.view(-1, self._length)
        wholes, begin = [], 0
        for piece in self.pieces:
            part = rows[:, begin : begin + piece.length].reshape(-1)
            begin += piece.length
            wholes.append(part[: prod(piece.shape)].view(piece.shape))
        return wholes

    def _guard(self) -> AbstractContextManager[None]:
        return processes.guard(f"gathering the parameters of {self.name}")

    def _fill(self, shards: Sequence[Tensor]) -> Tensor:
        """Returns what this rank sends: its rows one after the other."""
        if len(shards) == 1 and shards[0].numel() == self._length:
            return shards[0].reshape(-1)
        sent, begin = shards[0].new_zeros(self._length), 0
        for piece, shard in zip(self.pieces, shards, strict=True):
            sent[begin : begin + shard.numel()] = shard.reshape(-1)
            begin += piece.length
        return sent

    def reduce(self, gradients: Sequence[Tensor | None], like: Tensor) -> list[Tensor]:
        """Adds gradients up over ranks and returns the rows of this one.

        Args:
            gradients: Gradients of the whole parameters; None counts as zero.
            like: A tensor with the dtype and the device of the parameters.
        """
        size = distributed.get_world_size()
        sent = self._arrange(gradients, like, size)
        received = like.new_empty(self._length)
        with processes.guard(f"reducing the gradients of {self.name}"):
            reduce_scatter(received, sent)
        results, begin = [], 0
        for piece in self.pieces:
            shape = piece.local_shape
            results.append(received[begin : begin + prod(shape)].view(shape))
            begin += piece.length
        if len(results) > 1:  # each in memory of its own, as gradients of other networks are
            results = [result.clone() for result in results]
        return results

    def _arrange(self, gradients: Sequence[Tensor | None], like: Tensor, size: int) -> Tensor:
        """Returns gradients in the order of ranks."""
        first = gradients[0]
        if len(self.pieces) == 1 and first is not None and first.numel() == size * self._length:
            return first.contiguous().view(-1)
        sent, begin = like.new_zeros(size, self._length), 0
        for piece, gradient in zip(self.pieces, gradients, strict=True):
            if gradient is not None:
                flat, row = gradient.reshape(-1), piece.length
                for rank in range(size):
                    part = flat[rank * row : (rank + 1) * row]
                    sent[rank, begin : begin + part.numel()] = part
            begin += piece.length
        return sent.view(-1)

    @property
    def again(self) -> list[Tensor] | None:
        """What is gathered for the backward pass that runs the caller."""
        kept = self._again
        return kept[1] if kept is not None and kept[0] == number_of_pass() else None

    def keep(self, wholes: list[Tensor]) -> None:
        """Keeps whole parameters for the backward pass that runs the caller, until `release`."""
        number = number_of_pass()
        if number != -1:
            self._again = number, wholes

    def release(self) -> None:
        """Frees what a backward pass has gathered."""
        self._again = None


class Exchange(NamedTuple):
    """Parameters that are on their way.

    Attributes:
        group: How they are exchanged.
        gathered: Where they arrive.
        work: What to wait for.
    """

    group: Group
    gathered: Tensor
    work: Any

    def finish(self) -> list[Tensor]:
        """Waits for the whole parameters, and returns them."""
        return self.group.finish(self.gathered, self.work)


def _run(new: str, old: str, *tensors: Tensor, async_op: bool = False) -> Any:
    """Calls a function by its new name if this release has it, else by the old one."""
    function: Callable[..., Any] = getattr(distributed, new, None) or getattr(distributed, old)
    try:
        return function(*tensors, async_op=async_op)
    except RuntimeError as error:
        shortage = explain_shortage(new, error)  # of this rank, not a matter of the others
        if shortage is None:
            raise
        raise shortage from error


def begin_all_gather(gathered: Tensor, sent: Tensor) -> Any:
    """Has a tensor filled with what all ranks send, in their order; `wait` of the result waits."""
    return _run("all_gather_single", "all_gather_into_tensor", gathered, sent, async_op=True)


def reduce_scatter(received: Tensor, sent: Tensor) -> None:
    """Fills a tensor with this rank's part of the sum of what all ranks send."""
    _run("reduce_scatter_single", "reduce_scatter_tensor", received, sent)


def broadcast(tensor: Tensor) -> None:
    """Copies a tensor from the first rank to all."""
    distributed.broadcast(tensor, 0)


def add_up(tensor: Tensor) -> None:
    """Replaces a tensor by its sum over ranks."""
    distributed.all_reduce(tensor)
