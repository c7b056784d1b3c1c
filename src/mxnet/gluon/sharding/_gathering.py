"""Groups of parameters that one exchange gathers while a block runs, and for its backward pass."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from math import prod
from typing import Any, NamedTuple

import torch
from torch import Tensor, distributed
from torch.autograd.graph import saved_tensors_hooks

from mxnet._arrays.array import Source
from mxnet._arrays.autograd.gradients import pass_over
from mxnet._arrays.autograd.tape import differentiable_once, number_of_pass
from mxnet._state import modes, processes
from mxnet.context import Context
from mxnet.ndarray import NDArray
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


class Bundle:
    """A group with the arrays that hold this rank's rows.

    Args:
        group: How its parameters are exchanged.
        parameters: The parameters, whose `_data` has the rows.
    """

    def __init__(self, group: Group, parameters: Sequence[Any]) -> None:
        self.group = group
        self._parameters = list(parameters)

    def arrays(self) -> list[NDArray]:
        """Returns the arrays with the rows of this rank."""
        return [parameter._data[0] for parameter in self._parameters]

    def begin(self) -> Exchange:
        """Begins to gather the whole parameters."""
        return self.group.begin([array._plain for array in self.arrays()])


class Ahead:
    """Gathers bundles, each while the block before computes, in the order of the last pass.

    All ranks gather the same bundles in the same order, so that they also begin the same early.
    Where a pass differs from the last one with the same beginning, what was begun is waited for and
    dropped, on all ranks, and nothing more is begun. Nothing is begun across passes, between which
    the trainer changes the rows.
    """

    def __init__(self) -> None:
        self._orders: weakref.WeakKeyDictionary[Bundle, list[weakref.ref[Bundle]]]
        self._orders = weakref.WeakKeyDictionary()
        """What passes gathered, by the bundle that they began with."""
        self._pass: Any = None
        self._order: list[weakref.ref[Bundle]] = []
        """What the pass has gathered."""
        self._expected: list[weakref.ref[Bundle]] = []
        """What the last pass gathered, empty once this one differs."""
        self._begun: tuple[Bundle, Exchange] | None = None

    def gather(self, bundle: Bundle, number: Any) -> list[Tensor]:
        """Returns the whole parameters of a bundle, and begins to gather those of the next.

        Args:
            bundle: The bundle.
            number: What tells the pass from others.
        """
        if number != self._pass:
            self.end()
            self._pass, self._expected = number, self._orders.get(bundle, [])
        self._order.append(weakref.ref(bundle))
        wholes = self._take(bundle)
        place = len(self._order)
        if place > len(self._expected) or self._expected[place - 1]() is not bundle:
            self._expected = []
        coming = self._expected[place]() if place < len(self._expected) else None
        if coming is not None:
            self._begun = coming, coming.begin()
        return wholes

    def _take(self, bundle: Bundle) -> list[Tensor]:
        begun, self._begun = self._begun, None
        wholes = None if begun is None else begun[1].finish()
        if wholes is None or begun is None or begun[0] is not bundle:
            wholes = bundle.begin().finish()
        return wholes

    def end(self, waits: bool = True) -> None:
        """Ends a pass.

        Args:
            waits: Whether to wait for what was begun; not after an error, of which other ranks may
                know nothing.
        """
        begun, self._begun = self._begun, None
        first = self._order[0]() if self._order else None
        if first is not None and waits:
            self._orders[first] = self._order
        self._pass, self._order, self._expected = None, [], []
        if begun is not None and waits:
            begun[1].finish()


class Member(NamedTuple):
    """The place of a parameter in the group that it is gathered with."""

    bundle: Bundle
    position: int


def _gather_again(bundle: Bundle) -> list[Tensor]:
    """Returns the whole parameters for the backward pass that runs the caller."""
    wholes = bundle.group.again
    if wholes is None:
        number = number_of_pass()
        wholes = bundle.begin().finish() if number == -1 else _backward.gather(bundle, number)
        bundle.group.keep(wholes)
    return wholes


class _Gathering(torch.autograd.Function):
    """Whole parameters as a function of this rank's rows.

    Their gradients are added up over ranks, as a store does, and each rank keeps its rows.
    """

    @staticmethod
    def forward(ctx: Any, bundle: Bundle, wholes: Sequence[Tensor], *leaves: Tensor) -> Any:
        ctx.set_materialize_grads(False)
        ctx.bundle, ctx.leaves = bundle, leaves
        results = [whole.data for whole in wholes]
        pairs = zip(results, leaves, strict=True)
        ctx.mark_non_differentiable(*(item for item, leaf in pairs if not leaf.requires_grad))
        return tuple(results)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Any, ...]:
        group: Group = ctx.bundle.group
        group.release()
        given = [None if gradient is None else gradient.detach() for gradient in gradients]
        results: list[Tensor | None] = []
        reduced = group.reduce(given, ctx.leaves[0].detach())
        for leaf, gradient, rows in zip(ctx.leaves, given, reduced, strict=True):
            if gradient is None:
                pass_over(leaf)
                results.append(None)
            else:
                results.append(differentiable_once(rows, f"the gradients of {group.name}"))
        return None, None, *results


class _Saved(NamedTuple):
    """Stands in a graph for a tensor on the memory of a whole parameter."""

    member: Member
    shape: torch.Size
    stride: tuple[int, ...]
    offset: int


class Scope:
    """What has been gathered for the call of a block; it is freed when the call ends."""

    def __init__(self) -> None:
        self._wholes: dict[Bundle, list[Tensor]] = {}
        self._recorded: dict[Bundle, tuple[Any, Sequence[Tensor]]] = {}

    def has(self, bundle: Bundle) -> bool:
        """Returns whether parameters are gathered here."""
        return bundle in self._wholes

    def read(self, member: Member, cls: type[NDArray], ctx: Context) -> NDArray:
        """Returns a whole parameter, with a history if it is recorded."""
        bundle, position = member
        wholes = self._wholes.get(bundle)
        if wholes is None:
            wholes = self._wholes[bundle] = _memory.gather(bundle)
            for place, whole in enumerate(wholes):
                _memory.note(whole, Member(bundle, place))
        array = cls._wrap(wholes[position].data, ctx)
        array._aliased = True
        if modes.recording:
            node = self._record(bundle, wholes)[position]
            if node.requires_grad:
                origin = Source(node, ctx, True)
                array = cls._wrap_recorded(node, ctx, origin)
        return array

    def _record(self, bundle: Bundle, wholes: Sequence[Tensor]) -> Sequence[Tensor]:
        """Returns the whole parameters as results of the tape of this thread."""
        tape, nodes = self._recorded.get(bundle, (None, ()))
        if tape is not modes.tape:
            leaves = [array._read() for array in bundle.arrays()]
            nodes = _Gathering.apply(bundle, wholes, *leaves)  # type: ignore[no-untyped-call]
            self._recorded[bundle] = modes.tape, nodes
        return nodes

    def close(self) -> None:
        """Frees what has been gathered."""
        for wholes in self._wholes.values():
            for whole in wholes:
                _memory.forget(whole)
        self._wholes.clear()
        self._recorded.clear()


class _Memory(threading.local):
    """Which whole parameter lies where in memory, as far as scopes of this thread hold them."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self.ahead = Ahead()
        self._members: dict[int, Member] = {}

    def gather(self, bundle: Bundle) -> list[Tensor]:
        """Returns whole parameters, in a call with those that follow on their way."""
        if not self.scopes:
            return bundle.begin().finish()
        return self.ahead.gather(bundle, self.scopes[0])

    def note(self, whole: Tensor, member: Member) -> None:
        """Notes a whole parameter."""
        self._members[whole.untyped_storage().data_ptr()] = member

    def forget(self, whole: Tensor) -> None:
        """Forgets a whole parameter, whose memory may become that of another tensor."""
        self._members.pop(whole.untyped_storage().data_ptr(), None)

    def pack(self, tensor: Tensor) -> Tensor | _Saved:
        """Returns what a graph keeps of a tensor: of a whole parameter not the elements."""
        if not self._members or tensor.layout is not torch.strided:
            return tensor
        member = self._members.get(tensor.untyped_storage().data_ptr())
        if member is None:
            return tensor
        return _Saved(member, tensor.shape, tensor.stride(), int(tensor.storage_offset()))


_memory = _Memory()
_backward = Ahead()
"""That of backward passes, which torch runs in a thread of their own where it has a GPU."""


def _unpack(saved: Tensor | _Saved) -> Tensor:
    """Returns the tensor that a graph has kept; parameters are gathered again."""
    if not isinstance(saved, _Saved):
        return saved
    whole = _gather_again(saved.member.bundle)[saved.member.position]
    return whole.as_strided(saved.shape, saved.stride, saved.offset)


def in_call() -> bool:
    """Returns whether this thread is in the call of a block whose parameters are sharded."""
    return bool(_memory.scopes)


def read(member: Member, cls: type[NDArray], ctx: Context) -> NDArray:
    """Returns a whole parameter: until the call of its block ends, or outside of all a new one."""
    scopes = _memory.scopes
    for scope in scopes:
        if scope.has(member.bundle):
            return scope.read(member, cls, ctx)
    if scopes:
        return scopes[-1].read(member, cls, ctx)
    alone = Scope()
    array = alone.read(member, cls, ctx)
    alone.close()
    return array


class gathered:  # noqa: N801 - used like a function
    """A `with` block, the call of a block, after which what it has gathered is freed."""

    def __enter__(self) -> None:
        self._hooks = saved_tensors_hooks(_memory.pack, _unpack)
        self._hooks.__enter__()
        _memory.scopes.append(Scope())

    def __exit__(self, *raised: object) -> None:
        _memory.scopes.pop().close()
        if not _memory.scopes:
            _memory.ahead.end(waits=raised[0] is None)
        self._hooks.__exit__(*raised)
