"""Parts of a batch on several contexts, for layers that need all of them at once.

`split_and_load` notes in each part which others belong to it. A loop over the parts calls a network
with the first one and waits for the result before it comes to the second. So the first call
computes all parts, and the calls with the others find their results. The backward passes wait for
each other in the same way (`mxnet._arrays.autograd.shared_passes`).

Norms of arrays of which each process holds a part are here, too (ADR 0033).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import torch
from torch import Tensor, distributed

from mxnet import autograd
from mxnet._arrays.autograd.shared_passes import shared_passes
from mxnet._arrays.unseen_writes import Mark
from mxnet._state import Lock, modes, processes
from mxnet.errors import MXNetError
from mxnet.gluon.blocks.location import describe
from mxnet.gluon.hybrid.tracing import leaves_of, replace_leaves
from mxnet.ndarray import NDArray
from mxnet.ops.nn.batch_parts import has_other_parts, run_in_turns

_SHARDED = object()
"""Stands for an array of which each process holds a part."""


def note_shard(array: NDArray) -> None:
    """Notes that an array is this process's part of one that is split over all of them."""
    array._whole = _SHARDED


def whole_norms(norms: Sequence[Tensor]) -> list[Tensor]:
    """Returns the norms of whole arrays from those of the parts that this process holds."""
    squares = torch.stack([norm.float() for norm in norms]).square()
    with processes.guard("computing norms of sharded parameters"):
        distributed.all_reduce(squares)
    roots = squares.sqrt().unbind()
    return [root.to(norm.dtype) for root, norm in zip(roots, norms, strict=True)]


def complete_norms(arrays: Sequence[NDArray], norms: Sequence[Tensor]) -> Sequence[Tensor]:
    """Returns the norms of arrays, of which some may be parts of what is meant."""
    places = []  # not by a comprehension, which is one more call in Python 3.11
    for place, array in enumerate(arrays):
        if getattr(array, "_whole", None) is _SHARDED:
            places.append(place)
    if not places:
        return norms
    completed = list(norms)
    for place, norm in zip(places, whole_norms([norms[place] for place in places]), strict=True):
        completed[place] = norm
    return completed


def any_rank(value: bool, device: torch.device) -> bool:
    """Returns whether something is so on one of the processes at least.

    Args:
        value: Whether it is so here.
        device: A device between which and the others numbers can be exchanged.
    """
    total = torch.tensor([float(value)], device=device)
    with processes.guard("comparing sharded parameters"):
        distributed.all_reduce(total)
    return bool(total.item())


if TYPE_CHECKING:
    from mxnet.gluon.blocks.block import Block

T = TypeVar("T")


class _Batch(tuple["weakref.ref[NDArray]", ...]):
    """The parts of a batch, in their order."""

    __slots__ = ()


class Part:
    """A part of a batch.

    Args:
        batch: All parts of the batch.
        number: Position of this one.
    """

    __slots__ = ("_batch", "computed", "number")

    def __init__(self, batch: _Batch, number: int) -> None:
        self._batch, self.number = batch, number
        self.computed: weakref.WeakKeyDictionary[Block, _Computed] = weakref.WeakKeyDictionary()
        """What blocks have computed from the part before they were called with it."""

    def all_parts(self) -> list[NDArray]:
        """Returns the parts of the batch that still exist."""
        return [part for part in (reference() for reference in self._batch) if part is not None]

    @property
    def num_parts(self) -> int:
        """Number of parts of the batch."""
        return len(self._batch)


def note_parts(parts: Sequence[NDArray]) -> None:
    """Notes in arrays that they are the parts of a batch, in their order."""
    if len(parts) > 1:
        batch = _Batch(map(weakref.ref, parts))
        for part in parts:
            part._whole = batch


def _is_part(array: NDArray) -> bool:
    return type(getattr(array, "_whole", None)) in (_Batch, Part)


def _find_part(array: NDArray) -> Part:
    """Returns what is known of an array that is a part; to be called under the lock."""
    whole: Any = array._whole
    if type(whole) is _Batch:
        number = next(i for i, reference in enumerate(whole) if reference() is array)
        whole = array._whole = Part(whole, number)
    part: Part = whole
    return part


class _Parents(list["weakref.ref[Block]"]):
    """The blocks that a block is a child of. A copy of it is not: it begins with none."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _Parents, ()


def note_parent(child: Block, parent: Block) -> None:
    """Notes that a block is a child of another one, which may then need all parts of a batch."""
    attributes = child.__dict__
    parents = attributes.get("_mx_parents")
    if parents is None:
        attributes["_mx_parents"] = _Parents((weakref.ref(parent),))
    else:
        parents[:] = [*(item for item in parents if item() is not None), weakref.ref(parent)]
    if child._mx_may_need_parts:
        _note_need(parent)


def _note_need(block: Block) -> None:
    """Has calls of a block, and of those that it is in, look for the parts of a batch."""
    pending: list[Block | None] = [block]
    while pending:
        current = pending.pop()
        if current is not None and not current._mx_may_need_parts:
            current._mx_may_need_parts = True
            pending += [parent() for parent in current.__dict__.get("_mx_parents", ())]


def need_all_parts(blocks: Iterable[Block]) -> bool:
    """Returns whether a block in some of them computes with all parts of a batch together."""
    return any(
        block._mx_needs_all_parts() or need_all_parts(block._children.values()) for block in blocks
    )


class PartsTogether:
    """Computes parts of a batch in threads that take turns.

    The first call of a hybridized block holds its lock, behind which the other parts would wait
    for ever. So a block that is new, or was hybridized again, is called in prediction before,
    where parts do not wait for each other.
    """

    def __init__(self) -> None:
        self._seen: list[Any] = []
        """Blocks with what runs them, and shapes of arguments, when they were called last."""

    def compute(
        self,
        blocks: Sequence[Block],
        shapes: Sequence[tuple[int, ...]],
        tasks: Sequence[Callable[[], T]],
    ) -> list[T]:
        """Runs tasks in the modes of the caller, and returns their results.

        Args:
            blocks: The blocks that the tasks call.
            shapes: Shapes of the arguments of the first task.
            tasks: The tasks, one for each part.
        """
        present = [*shapes, *_list_runners(blocks)]
        if present != self._seen:
            with autograd.pause():
                tasks[0]()
            self._seen = [*shapes, *_list_runners(blocks)]
        caller = dict(vars(modes))
        return run_in_turns([partial(_run_as, caller, task) for task in tasks])


def _run_as(caller: dict[str, Any], task: Callable[[], T]) -> T:
    """Runs a task in the modes of another thread, on its tape, because that one waits."""
    vars(modes).update(caller)
    return task()


def _list_runners(blocks: Iterable[Block]) -> list[Any]:
    """Returns all blocks with what runs them when hybridized; objects compare by identity."""
    found: list[Any] = []
    for block in blocks:
        found += (block, getattr(block, "_mx_hybrid", None))
        found += _list_runners(block._children.values())
    return found


class _Computed:
    """The output of a call that has not been made yet.

    Args:
        output: The output.
        arrays: The arrays among the arguments.
    """

    __slots__ = ("_arrays", "_marks", "_modes", "output")

    def __init__(self, output: Any, arrays: Sequence[NDArray]) -> None:
        self.output = output
        self._arrays = [weakref.ref(array) for array in arrays]  # one of them holds this object
        self._marks = [Mark(array) for array in arrays]
        self._modes = modes.recording, modes.training

    def is_for(self, block: Block, arrays: Sequence[NDArray]) -> bool:
        """Returns whether the output is that of a call of its block with arrays.

        Raises:
            MXNetError: if these arrays have been written to since.
        """
        if self._modes != (modes.recording, modes.training) or len(arrays) != len(self._arrays):
            return False
        if not all(map(_is_referent, self._arrays, arrays)):
            return False
        for array, mark in zip(arrays, self._marks, strict=True):
            if not mark.holds_for(array):
                raise MXNetError(
                    f"{describe(block)}: a part of a batch was written to after the call with "
                    "another part, in which all parts were computed together; write to it before"
                )
        return True


def _is_referent(reference: weakref.ref[NDArray], array: NDArray) -> bool:
    return reference() is array


_lock = Lock()
"""Threads that call a network with one part each find what the first of them computes."""
_together: weakref.WeakKeyDictionary[Block, PartsTogether] = weakref.WeakKeyDictionary()


def compute_with_others(block: Block, args: tuple[Any, ...]) -> tuple[Any] | None:
    """Returns the output of a block, in a tuple, if it is computed with other parts.

    Args:
        block: A block that is called, from a program or from another block.
        args: Arguments of the call.

    Raises:
        MXNetError: if a part was written to after it was computed with the others.
    """
    if not modes.training or has_other_parts() or modes.tracer is not None:
        return None
    arrays = _arrays_of(args)
    if not arrays or not all(map(_is_part, arrays)):
        return None
    with _lock:
        parts = [_find_part(array) for array in arrays]
        computed = parts[0].computed.pop(block, None)
        if computed is not None and computed.is_for(block, arrays):
            return (computed.output,)
        calls = _calls_with_parts(args, parts)
        if len(calls) < 2 or not need_all_parts([block]):
            return None
        return (_compute(block, calls, parts[0].number),)


def _compute(block: Block, calls: Sequence[tuple[Any, ...]], number: int) -> Any:
    """Computes the outputs of all parts, and returns that of one."""
    shared_passes.expect()
    together = _together.setdefault(block, PartsTogether())
    arguments = [_arrays_of(args) for args in calls]
    shapes = [array.shape for array in arguments[number]]
    outputs = together.compute([block], shapes, [partial(block, *args) for args in calls])
    for leaves in zip(*map(leaves_of, outputs), strict=False):
        if all(isinstance(leaf, NDArray) for leaf in leaves):
            note_parts(leaves)
    for position, (output, arrays) in enumerate(zip(outputs, arguments, strict=True)):
        if position != number:
            _find_part(arrays[0]).computed[block] = _Computed(output, arrays)
    return outputs[number]


def _arrays_of(args: tuple[Any, ...]) -> list[NDArray]:
    return [leaf for leaf in leaves_of(args) if isinstance(leaf, NDArray)]


def _calls_with_parts(args: tuple[Any, ...], parts: Sequence[Part]) -> list[tuple[Any, ...]]:
    """Returns the arguments of the calls with each part; those of one call if parts are missing."""
    num_parts, number = parts[0].num_parts, parts[0].number
    columns = [part.all_parts() for part in parts]
    if any(len(column) != num_parts for column in columns):
        return [args]
    if any((part.num_parts, part.number) != (num_parts, number) for part in parts):
        return [args]
    return [tuple(_replace_arrays(args, column)) for column in zip(*columns, strict=True)]


def _replace_arrays(args: Any, arrays: Sequence[NDArray]) -> Any:
    """Returns arguments with other arrays in the place of their own."""
    following = iter(arrays)
    return replace_leaves(args, lambda item: next(following) if isinstance(item, NDArray) else item)
