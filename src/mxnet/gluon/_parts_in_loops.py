"""Loops over the parts of a batch, for layers that need all parts at once.

Such a loop calls a network with the first part and waits for the result before it comes to the
second. So the first call computes all parts, which `split_and_load` has noted down, and the calls
with the others find their results. The backward passes wait for each other in the same way
(`mxnet._shared_passes`).
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import partial
from typing import Any

from mxnet._locks import Lock
from mxnet._modes import modes
from mxnet._shared_passes import shared_passes
from mxnet.errors import MXNetError
from mxnet.gluon._location import describe
from mxnet.gluon._parts_together import PartsTogether, need_all_parts
from mxnet.gluon._split_batches import Place, split_batches
from mxnet.gluon.hybrid.probing import probing
from mxnet.gluon.hybrid.tracing import leaves_of, replace_leaves
from mxnet.kvstore._marks import Mark
from mxnet.ndarray import NDArray
from mxnet.ops._batch_parts import has_other_parts


class _Computed:
    """The output of a call that has not been made yet.

    Args:
        output: The output.
        block: The block.
        arrays: The arrays among the arguments.
    """

    __slots__ = ("_block", "_keys", "_marks", "_modes", "output")

    def __init__(self, output: Any, block: Any, arrays: Sequence[NDArray]) -> None:
        self.output = output
        self._block: weakref.ref[Any] = weakref.ref(block)
        self._keys = [id(array) for array in arrays]  # the arrays themselves would never be freed
        self._marks = [Mark(array) for array in arrays]
        self._modes = modes.recording, modes.training

    def is_for(self, block: Any, arrays: Sequence[NDArray]) -> bool:
        """Returns whether the output is that of a call of a block with arrays.

        Raises:
            MXNetError: if these arrays were written to since.
        """
        is_same = self._block() is block
        if not is_same or self._modes != (modes.recording, modes.training):
            return False
        if self._keys != [id(array) for array in arrays]:
            return False
        for array, mark in zip(arrays, self._marks, strict=True):
            if not mark.holds_for(array):
                raise MXNetError(
                    f"{describe(block)}: a part of a batch was written to after the call with "
                    "another part, in which all parts were computed together; write to it before"
                )
        return True


class _Loops:
    """The loops of all threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        """Threads that call a network with one part each find what the first of them computes."""
        self._together: weakref.WeakKeyDictionary[Any, PartsTogether] = weakref.WeakKeyDictionary()

    def call(self, block: Any, args: tuple[Any, ...]) -> tuple[Any] | None:
        """Returns the output of a block, in a tuple, if it is computed with other parts.

        Args:
            block: A block that is called, from a program or from another block.
            args: Arguments of the call.

        Raises:
            MXNetError: if a part was written to after it was computed with the others.
        """
        if not modes.training or has_other_parts() or probing.active or modes.tracer is not None:
            return None
        arrays = _arrays_of(args)
        places = [split_batches.find(array) for array in arrays]
        known = [place for place in places if place is not None]
        if not known or len(known) < len(places):
            return None
        with self._lock:
            computed = known[0].computed.pop(id(block), None)
            if computed is not None and computed.is_for(block, arrays):
                return (computed.output,)
            calls = _calls_with_parts(args, known)
            if len(calls) < 2 or not need_all_parts([block]):
                return None
            return (self._compute(block, calls, known[0].number),)

    def _compute(self, block: Any, calls: Sequence[tuple[Any, ...]], number: int) -> Any:
        """Computes the outputs of all parts, and returns that of one."""
        shared_passes.expect()
        together = self._together.setdefault(block, PartsTogether())
        arguments = [_arrays_of(args) for args in calls]
        shapes = [array.shape for array in arguments[number]]
        outputs = together.compute([block], shapes, [partial(block, *args) for args in calls])
        for leaves in zip(*map(leaves_of, outputs), strict=False):
            if all(isinstance(leaf, NDArray) for leaf in leaves):
                split_batches.note(leaves)
        for position, (output, arrays) in enumerate(zip(outputs, arguments, strict=True)):
            place = split_batches.find(arrays[0])
            if position != number and place is not None:
                place.computed[id(block)] = _Computed(output, block, arrays)
        return outputs[number]


loops = _Loops()


def _arrays_of(args: tuple[Any, ...]) -> list[NDArray]:
    return [leaf for leaf in leaves_of(args) if isinstance(leaf, NDArray)]


def _calls_with_parts(args: tuple[Any, ...], places: Sequence[Place]) -> list[tuple[Any, ...]]:
    """Returns the arguments of the calls with each part; those of one call if parts are missing."""
    num_parts, number = places[0].num_parts, places[0].number
    columns = [place.all_parts() for place in places]
    if any(len(column) != num_parts for column in columns):
        return [args]
    if any((place.num_parts, place.number) != (num_parts, number) for place in places):
        return [args]
    return [tuple(_replace_arrays(args, parts)) for parts in zip(*columns, strict=True)]


def _replace_arrays(args: Any, arrays: Sequence[NDArray]) -> Any:
    """Returns arguments with other arrays in the place of their own."""
    following = iter(arrays)
    return replace_leaves(args, lambda item: next(following) if isinstance(item, NDArray) else item)
