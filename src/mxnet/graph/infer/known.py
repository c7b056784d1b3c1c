"""What an inference knows of the outputs of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

from mxnet.graph.ir.node import Entry, Node, NodeList

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
