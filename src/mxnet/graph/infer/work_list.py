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
from typing import Any, Generic, TypeVar, overload

from mxnet import limits
from mxnet.graph.ir import Entry, Graph, Node, NodeList, SubgraphOp

T = TypeVar("T")
D = TypeVar("D")


class Known(Mapping[Entry, T]):
    """Shapes or dtypes of entries, as far as they are known.

    Attributes:
        by_node: For each node that has been looked at what is known of its outputs, None for
            nothing. Nodes of which the same is known share a tuple, a list is of one node alone.
    """

    def __init__(self) -> None:
        self.by_node: dict[Node, tuple[T | None, ...] | list[T | None]] = {}

    @overload
    def get(self, key: Entry, /) -> T | None: ...
    @overload
    def get(self, key: Entry, /, default: T | D) -> T | D: ...
    def get(self, key: Entry, /, default: Any = None) -> Any:
        """Returns what is known of an entry."""
        node, output = key
        values = self.by_node.get(node, ())
        value = values[output] if output < len(values) else None
        return default if value is None else value

    def __getitem__(self, entry: Entry) -> T:
        value = self.get(entry)
        if value is None:
            raise KeyError(entry)
        return value

    def __contains__(self, entry: object) -> bool:
        return self.get(entry) is not None  # type: ignore[call-overload]  # only entries are asked

    def __setitem__(self, entry: Entry, value: T) -> None:
        node, output = entry
        values = self.by_node.get(node, ())
        if not isinstance(values, list):
            values = self.by_node[node] = [*values]
        values += [None] * (max(output + 1, node.num_outputs) - len(values))
        values[output] = value

    def __iter__(self) -> Iterator[Entry]:
        for node, values in self.by_node.items():
            for output, value in enumerate(values):
                if value is not None:
                    yield Entry(node, output)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def outputs_of(self, node: Node) -> Sequence[T | None]:
        """Returns what is known of all outputs of a node."""
        values = self.by_node.get(node, ())
        missing = node.num_outputs - len(values)
        return values if missing <= 0 else (*values, *[None] * missing)


class Uniform(Mapping[Entry, T]):
    """What is the same for all outputs of all nodes of a graph.

    Args:
        nodes: The nodes.
        value: A shape or a dtype.
    """

    def __init__(self, nodes: NodeList, value: T) -> None:
        self._nodes, self.value = nodes, value

    @overload
    def get(self, key: Entry, /) -> T | None: ...
    @overload
    def get(self, key: Entry, /, default: T | D) -> T | D: ...
    def get(self, key: Entry, /, default: Any = None) -> Any:
        """Returns the value, for entries of the graph."""
        return self.value if key[0] in self._nodes.places else default

    def __getitem__(self, entry: Entry) -> T:
        if entry[0] not in self._nodes.places:
            raise KeyError(entry)
        return self.value

    def __contains__(self, entry: object) -> bool:
        return self.get(entry) is not None  # type: ignore[call-overload]  # only entries are asked

    def __iter__(self) -> Iterator[Entry]:
        for node in self._nodes:
            for output in range(node.num_outputs):
                yield Entry(node, output)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return bool(self._nodes)


def is_constant(nodes: NodeList) -> bool:
    """Returns whether a graph has no operators of programs or graphs, whose answers may change."""
    return not any(op.traits.runs_program or isinstance(op, SubgraphOp) for op in nodes.ops)


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
        self._woken: dict[Entry, int] = {}  # in the first round, and at which place
        # Places of the nodes that the first round has visited. No others read an entry of which
        # more is told later, as all is known of what they read.
        self._visited: list[int] = []

    def first_round(
        self,
        known: Known[T],
        told: Mapping[Hashable, tuple[T | None, ...]],
        others: Mapping[Entry, object] | None = None,
    ) -> Iterator[Node]:
        """Yields each operator once, except for those of which all is told by what is known.

        Args:
            known: What is known, of which this learns.
            told: What is to be learned of the outputs of an operator that has nothing more to
                tell, and tells nothing about what it reads; see `key_of`.
            others: What else the outputs depend on, by entry.
        """
        values, waits = known.by_node, self._waits
        for place, node in enumerate(self._nodes):
            if node.op is None:
                continue
            try:
                key: Hashable = (
                    node.kind,
                    *[values[child][output] for child, output in node.inputs],
                )
            except IndexError:  # of an output that does not exist
                key = None
            else:
                if others is not None:
                    key = (key, *map(others.get, node.inputs))
            outputs = told.get(key)
            if outputs is not None:
                values[node] = outputs
                waits[place] = False
                continue
            self._now, self._touched, self._node = place, False, node
            self._visited.append(place)
            yield node
            if node not in values:
                values[node] = (None,) * node.num_outputs
            waits[place] = False
            if self._touched:
                self._push(place)
        self._push_woken()

    def _push_woken(self) -> None:
        """Queues the nodes that the first round has come to know more about after their visit."""
        woken, waits = self._woken, self._waits
        self._now = len(self._nodes) - 1
        for place in self._visited if woken else ():
            inputs = self._nodes[place].inputs
            if not waits[place] and any([place < woken.get(entry, 0) for entry in inputs]):
                self._push(place)
        for (node, _), _ in woken.items():
            place = self._nodes.places[node]
            if node.op is not None and not waits[place]:
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
        visited = self._node
        if visited is None:
            return  # nothing has been visited
        self._touched = True  # what a visit tells is about the node's own inputs and outputs
        if self._now < len(self._nodes):  # nodes behind this one have yet to be visited
            if entry.node is not visited:
                self._woken[entry] = self._now
            return
        waits = self._waits
        place = self._nodes.places[entry.node]
        if entry.node is not visited and not waits[place]:
            self._push(place)
        for place in self._readers.get(entry, ()):
            if not waits[place]:
                self._push(place)

    @cached_property
    def _readers(self) -> dict[Entry, list[int]]:
        """Places of the visited nodes that read an entry."""
        readers: dict[Entry, list[int]] = {}
        for place in self._visited:
            for entry in dict.fromkeys(self._nodes[place].inputs):
                readers.setdefault(entry, []).append(place)
        return readers

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

    def tell(
        self, node: Node, before: Sequence[T | None], learn: Callable[[Entry, T | None], None]
    ) -> None:
        """Tells the same of another node.

        Args:
            node: The other node.
            before: What is known of what it reads.
            learn: Takes what is told of an entry.
        """
        for entry, old, new in zip(node.inputs, before, self.inputs, strict=True):
            if new is not old:
                learn(entry, new)
        for output, new in enumerate(self.outputs):
            learn(Entry(node, output), new)


class Visits(Generic[T]):
    """What visits have found out, for nodes of which as much is known.

    Args:
        known: What is known.
        others: What else visits depend on, by entry.

    Attributes:
        told: The outputs of nodes that had nothing more to tell, and told nothing about what
            they read.
    """

    def __init__(self, known: Known[T], others: Mapping[Entry, object] | None = None) -> None:
        self._known, self._others = known, others
        self._visits: dict[Hashable, Visit[T]] = {}
        self.told: dict[Hashable, tuple[T | None, ...]] = {}

    def key_of(self, node: Node) -> tuple[Hashable, tuple[T | None, ...]]:
        """Returns what a visit depends on, and what is known of what the node reads."""
        before = tuple([self._known.get(entry) for entry in node.inputs])
        key: Hashable = (node.kind, *before)
        if self._others is not None:
            key = (key, *map(self._others.get, node.inputs))
        return key, before

    def get(self, key: Hashable) -> Visit[T] | None:
        """Returns the visit of a node like another."""
        return self._visits.get(key)

    def note(self, key: Hashable, node: Node, before: Sequence[T | None], is_settled: bool) -> None:
        """Notes what is known after a visit.

        Args:
            key: What the visit depended on; see `key_of`.
            node: The node.
            before: What was known of what it reads.
            is_settled: Whether the node has nothing more to tell.
        """
        inputs = tuple([self._known.get(entry) for entry in node.inputs])
        outputs = tuple(self._known.outputs_of(node))
        self._visits[key] = Visit(inputs, outputs, is_settled)
        if is_settled and inputs == before:
            self.told[key] = outputs


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
        if not any(isinstance(op, SubgraphOp) for op in self._nodes.ops):
            return self._nodes.work
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
