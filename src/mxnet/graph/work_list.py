"""The order in which an inference visits the nodes of a graph, and how much it may cost.

Every node is visited once, and again only when something that it reads or gives has become known
since. What is known only grows, so this ends; the order of the visits is that of going through the
whole graph again and again, without those that find nothing new.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, Generic, TypeVar

from mxnet import limits
from mxnet.graph.graph import Graph
from mxnet.graph.node import Entry, Node, NodeList
from mxnet.graph.subgraph import SubgraphOp
from mxnet.ops.registry import Op

T = TypeVar("T")


def is_constant(nodes: NodeList) -> bool:
    """Returns whether a graph has no operators of programs or graphs, whose answers may change."""
    return not any(
        node.op is not None and (node.op.traits.runs_program or isinstance(node.op, SubgraphOp))
        for node in nodes
    )


class WorkList:
    """Nodes that have to be visited.

    Args:
        nodes: The nodes of a graph, each after what it reads.
    """

    def __init__(self, nodes: NodeList) -> None:
        self._nodes = nodes
        # A number stands for a round and a place in it, which sorts by both. The first round, in
        # which every node is visited, is not in the queue.
        self._queue: list[int] = []
        self._waits = [True] * len(nodes)  # variables for ever, as nothing is asked of them
        self._now = 0
        self._touched = False
        self._node: Node | None = None  # the one that is visited

    def first_round(self, recall: Callable[[Node, Op], bool]) -> Iterator[Node]:
        """Yields each operator once.

        Args:
            recall: Is asked first. If it returns True, the node has nothing more to tell and has
                told nothing about what it reads; it is not yielded then.
        """
        waits = self._waits
        for place, node in enumerate(self._nodes):
            op = node.op
            if op is None:
                continue
            if recall(node, op):
                waits[place] = False
                continue
            self._now, self._touched, self._node = place, False, node
            yield node
            waits[place] = False
            if self._touched:
                self._push(place)

    def later_rounds(self) -> Iterator[Node]:
        """Yields nodes until none has to be visited."""
        while self._queue:
            self._now = heappop(self._queue)
            self._touched = False
            place = self._now % len(self._nodes)
            self._node = self._nodes[place]
            yield self._node
            self._waits[place] = False
            if self._touched:
                self._push(place)

    def settle(self) -> None:
        """Says that the node which is visited now has nothing more to tell."""
        self._touched = False

    def wake(self, entry: Entry) -> None:
        """Queues the nodes that give and read an entry of which more is known now."""
        if self._node is None:
            return  # nothing has been visited
        waits, places = self._waits, self._nodes.places
        if entry.node is self._node:
            self._touched = True
            if self._now < len(self._nodes):
                return  # all that read it have yet to be visited for the first time
        elif not waits[places[entry.node]]:
            self._push(places[entry.node])
        for place in self._nodes.readers.get(entry, ()):
            if not waits[place]:
                self._push(place)
            elif self._nodes[place] is self._node:
                self._touched = True

    def _push(self, place: int) -> None:
        self._waits[place] = True
        count = len(self._nodes)
        start = self._now - self._now % count  # of this round
        behind = start + place > self._now
        heappush(self._queue, start + place if behind else start + count + place)


@dataclass(frozen=True, slots=True)
class Visit(Generic[T]):
    """What the visit of a node has found out; another of which as much is known tells the same.

    `T` is what is inferred: a shape or a dtype.
    """

    inputs: Sequence[T | None]
    outputs: Sequence[T | None]
    is_settled: bool
    """Whether the node has nothing more to tell."""
    is_complete: bool
    """Whether all was known then, and of the inputs before."""

    def tell(
        self,
        inputs: Sequence[Entry],
        before: Sequence[T | None],
        outputs: Sequence[Entry],
        learn: Callable[[Entry, T | None], None],
    ) -> None:
        """Tells the same of another node.

        Args:
            inputs: What the other node reads.
            before: What is known of that.
            outputs: What it gives.
            learn: Takes what is told of an entry.
        """
        for entry, old, new in zip(inputs, before, self.inputs, strict=True):
            if new is not old:
                learn(entry, new)
        for entry, new in zip(outputs, self.outputs, strict=True):
            learn(entry, new)

    def tell_at_once(self, node: Node, known: dict[Entry, T]) -> bool:
        """Notes the outputs of another node in the first round, where nobody knows them yet.

        Returns:
            Whether that is all; if not, nothing was noted.
        """
        if not self.is_complete:
            return False
        for index, new in enumerate(self.outputs):
            known[Entry(node, index)] = new  # type: ignore[assignment]  # none is None
        return True


def note_visit(
    inputs: Sequence[Entry],
    before: Sequence[T | None],
    outputs: Sequence[Entry],
    known: Mapping[Entry, T],
    is_settled: bool,
) -> Visit[T]:
    """Returns what is known after a visit.

    Args:
        inputs: What the node reads.
        before: What was known of that.
        outputs: What the node gives.
        known: What is known.
        is_settled: Whether the node has nothing more to tell.
    """
    told = tuple([known.get(entry) for entry in inputs])
    is_complete = is_settled and told == tuple(before)
    return Visit(told, [known.get(entry) for entry in outputs], is_settled, is_complete)


class Session:
    """One question to a graph: what was found out of subgraphs, and the work that is left.

    A subgraph is not inferred twice for the same inputs. Graphs that go on telling a little more
    at every visit are given up with an error.

    Args:
        nodes: The nodes of the outermost graph.
    """

    def __init__(self, nodes: NodeList) -> None:
        self._nodes = nodes
        self._spent, self._allowed, self._rounds = 0, nodes.work, 1
        self._found: dict[Hashable, Any] = {}

    def spend_round(self, nodes: NodeList) -> None:
        """Counts a visit of each node of a graph; see `spend`."""
        if nodes:
            self._count(nodes[-1], nodes.work)

    def spend(self, node: Node) -> None:
        """Counts a visit of a node.

        Raises:
            LimitExceededError: if the graph has been gone through too often.
        """
        self._count(node, 1 + len(node.inputs))

    def _count(self, node: Node, work: int) -> None:
        self._spent += work
        if self._spent > self._allowed:
            self._rounds += 1
            self._allowed = self._rounds * self._size
            where = f"inference: node {node.name!r}: {node.op.name if node.op else 'variable'}"
            limits.check("inference_rounds", self._rounds, where)

    @cached_property
    def _size(self) -> int:
        """Nodes and what they read, those of each subgraph counted once."""
        seen: dict[Graph, None] = {}
        lists = [self._nodes]
        for nodes in lists:
            for node in nodes:
                if isinstance(node.op, SubgraphOp):
                    new = [graph for graph in node.op.subgraphs if graph not in seen]
                    seen.update(dict.fromkeys(new))
                    lists += [graph.nodes for graph in new]
        return sum(nodes.work for nodes in lists)

    def recall(self, key: Hashable) -> Any:
        """Returns what was kept under a key, None if there is nothing."""
        return self._found.get(key)

    def keep(self, key: Hashable, value: Any) -> None:
        """Keeps the result of an inference for the time of the question."""
        self._found[key] = value
