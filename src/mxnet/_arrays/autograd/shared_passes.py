"""Backward passes of parts of a batch that some operators have computed together.

Such an operator is one node of the graph under all parts. It can be differentiated once, with the
gradients of all of its results. A program that calls `backward` for one part after the other does
not give them at once; so the passes wait here until the last one comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from torch import Tensor

from mxnet._arrays.array import Array
from mxnet._state import modes
from mxnet.errors import MXNetError


class Pass(NamedTuple):
    """What a backward pass starts from.

    Attributes:
        heads: The arrays.
        nodes: Their tensors, with history.
        gradients: Gradients of the heads, None for ones.
        retain_graph: Whether the graph can be used again.
    """

    heads: list[Array]
    nodes: list[Tensor]
    gradients: list[Tensor | None]
    retain_graph: bool


class SharedPasses:
    """The passes that wait for those of other parts."""

    def __init__(self) -> None:
        self._waiting: list[Pass] = []

    @property
    def wait(self) -> bool:
        """Whether passes have come that wait for those of other parts."""
        return bool(self._waiting)

    def expect(self) -> None:
        """Notes that parts of a batch are about to be computed together, on the thread's tape.

        Raises:
            MXNetError: if passes still wait for those of other parts of an earlier batch.
        """
        if self._waiting:
            self._waiting.clear()
            raise MXNetError(
                "backward: expected all parts of a batch that a layer has normalized together, got "
                "some of them before the next batch; call backward for all of them, or "
                "autograd.backward with the list of their losses"
            )
        modes.tape.joins_parts = True

    def take(self, own: Pass) -> Pass | None:
        """Returns what can be differentiated now, None if the pass has to wait.

        Args:
            own: The pass that a program asks for.
        """
        if _is_complete(own.nodes):
            return own
        passes = [*self._waiting, own]
        if not _is_complete([node for item in passes for node in item.nodes]):
            self._waiting = passes
            return None
        self._waiting = []
        return Pass(
            [head for item in passes for head in item.heads],
            [node for item in passes for node in item.nodes],
            [gradient for item in passes for gradient in item.gradients],
            any(item.retain_graph for item in passes),
        )


shared_passes = SharedPasses()


def _is_complete(heads: Iterable[Tensor]) -> bool:
    """Returns whether heads come from all results of each node that computes several parts.

    A node of this kind has an attribute `num_parts`.
    """
    reached: dict[Any, set[int]] = {}
    pending: list[tuple[Any, int]] = [(head.grad_fn, head.output_nr) for head in heads]
    while pending:
        node, number = pending.pop()
        if node is None:
            continue
        if node in reached:
            reached[node].add(number)
        else:
            reached[node] = {number}
            pending += node.next_functions
    return all(reached[node].issuperset(range(getattr(node, "num_parts", 0))) for node in reached)
