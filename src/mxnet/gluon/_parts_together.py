"""Computing parts of a batch on several contexts for layers that need all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from mxnet import autograd
from mxnet._modes import modes
from mxnet.ops._batch_parts import run_in_turns

if TYPE_CHECKING:
    from mxnet.gluon._block import Block

T = TypeVar("T")


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
