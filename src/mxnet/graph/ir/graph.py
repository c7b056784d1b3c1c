"""Graphs of nodes: kinds of nodes, nodes, graphs with what follows from them, and their copies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

from mxnet import limits
from mxnet._state import remember
from mxnet.errors import AttributeValueError, MXNetError
from mxnet.ops.core.custom import Use, use
from mxnet.ops.core.registry import Op, all_names

# A node keeps its attributes as strings, as files have them. Names between double underscores
# belong to the user (`__lr_mult__`); the others are attributes of the operator.
#
# What follows from operator and attributes is the same for all nodes of one kind. Networks repeat
# themselves: thousands of nodes of an unrolled cell are of a dozen kinds. It is found out once for
# a kind, and nodes of one kind are recognized as alike by its identity.

T = TypeVar("T")

_MOST_KINDS = 4096


class lazy(Generic[T]):  # noqa: N801 - used like `property`
    """Computes an attribute when it is first read.

    `functools.cached_property` takes a lock for that, which costs more than most of them; here
    two threads may both compute it.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> T:
        if instance is None:
            return self  # type: ignore[return-value]  # as a property does
        value = instance.__dict__[self._name] = self._compute(instance)
        return value


class Kind:
    """An operator with attributes.

    Args:
        op: The operator.
        parsed: Its attributes, converted; they must not be changed.
    """

    def __init__(self, op: Op, parsed: dict[str, Any]) -> None:
        self.op, self.parsed = op, parsed

    @lazy
    def settings(self) -> dict[str, Any]:
        """Attributes, completed by the defaults."""
        return self.op.with_defaults(self.parsed)

    @lazy
    def input_names(self) -> tuple[str, ...]:
        """Names of the inputs in use, unless the operator takes any number."""
        return self.op.input_names(self.parsed)

    @lazy
    def num_outputs(self) -> int:
        """Number of outputs that others can read, unless the operator is a program."""
        return self.op.count_outputs(self.parsed)

    @lazy
    def returns_one(self) -> bool:
        """Whether the kernel returns a single tensor."""
        op = self.op
        return op.count_outputs(self.parsed, visible=False) == 1 and not op.returns_tuple


_kinds: dict[tuple[Op, int], Kind] = {}
"""By operator and identity of the parsed attributes, which a kind keeps alive; `_MOST_KINDS`."""


def kind_of(op: Op, parsed: dict[str, Any]) -> Kind:
    """Returns the kind of the nodes of an operator and parsed attributes."""
    key = (op, id(parsed))
    kind = _kinds.get(key)
    if kind is None:
        kind = Kind(op, parsed)
        # Other operators belong to one node and hold its subgraphs, or read what is registered.
        if all_names().get(op.name) is op and not op.open_attrs:
            remember(_kinds, key, kind, _MOST_KINDS)
    return kind


HIDDEN_KEYS = ("ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage")
"""Names that users write plainly and that are kept between double underscores."""
_HIDDEN = frozenset(HIDDEN_KEYS)

_OPEN = -1
"""Place of a node whose inputs are being sorted."""
_NO_ATTRS: dict[str, Any] = {}  # one for all nodes, which are recognized as alike by it


class Entry(NamedTuple):
    """One output of a node."""

    node: Node
    output: int = 0


class Node:
    """A variable, or an operator applied to outputs of other nodes.

    Args:
        op: The operator, None for a variable.
        name: Name of the node.
        attrs: Attributes as strings.
        inputs: What it reads, in the order of `input_names`.
    """

    revision: ClassVar[int] = 0
    """Grows when attributes of a node change, as what was inferred before may be wrong then."""

    def __init__(
        self,
        op: Op | None,
        name: str,
        attrs: Mapping[str, str] | None = None,
        inputs: Sequence[Entry] = (),
    ) -> None:
        self.op = op
        self.name = name
        self.attrs: dict[str, str] = dict(attrs or {})
        self.inputs: list[Entry] = list(inputs)

    @lazy
    def parsed(self) -> dict[str, Any]:
        """Attributes of the operator, converted.

        Raises:
            AttributeValueError: if the operator does not take them.
        """
        if self.op is None or not (self.op.attrs or self.op.variadic or self.op.open_attrs):
            return _NO_ATTRS  # as the original, which writes some that such operators ignore
        counted = self.op.variadic and "num_args" not in self.op.attrs
        given = {
            key: value
            for key, value in self.attrs.items()
            if not (key[:2] == "__" and is_user_key(key)) and not (counted and key == "num_args")
        }
        try:
            return self.op.parse_attrs(given)
        except AttributeValueError as error:
            raise AttributeValueError(f"node {self.name!r}: {error}") from error

    def set_attrs(self, attrs: Mapping[str, str]) -> None:
        """Sets attributes.

        Raises:
            AttributeValueError: if the operator does not take them.
        """
        before = dict(self.attrs)
        self.attrs.update(attrs)
        Node.revision += 1
        try:
            self._forget_attrs()
            _ = self.parsed
        except AttributeValueError:
            self.attrs = before
            self._forget_attrs()
            raise

    def _forget_attrs(self) -> None:
        for cached in ("kind", "parsed", "custom", "num_outputs", "named_inputs"):
            self.__dict__.pop(cached, None)

    @lazy
    def kind(self) -> Kind | None:
        """What the node shares with others of its operator and attributes; None for a variable.

        Raises:
            AttributeValueError: if the operator does not take the attributes.
        """
        return None if self.op is None else kind_of(self.op, self.parsed)

    @property
    def settings(self) -> dict[str, Any]:
        """Attributes of the operator, converted and completed by the defaults."""
        return {} if self.kind is None else self.kind.settings

    @property
    def input_names(self) -> tuple[str, ...]:
        """Names of the inputs in use; an operator of any number of inputs counts them."""
        if self.op is None:
            return ()
        if self.op.variadic:
            known = self.named_inputs
            return known or tuple(f"arg{position}" for position in range(len(self.inputs)))
        return () if self.kind is None else self.kind.input_names

    @property
    def shown_input_names(self) -> tuple[str, ...]:
        """Names of the inputs in use as monitors show them; a single one often has a number."""
        names_inputs = self.op is None or self.op.traits.labels.names_inputs
        return self.input_names if names_inputs or len(self.inputs) != 1 else ("input0",)

    @lazy
    def named_inputs(self) -> tuple[str, ...]:
        """Names of the inputs of an operator of any number, if its attributes tell them."""
        if self.custom is not None:
            return (*self.custom.arguments, *self.custom.states)
        if self.kind is None or self.kind.op.active_inputs is None:
            return ()
        return self.kind.input_names

    @lazy
    def custom(self) -> Use | None:
        """What stands behind an operator written in Python, None for any other node."""
        if self.op is None or not self.op.traits.runs_program:
            return None
        return use(self.parsed)

    @lazy
    def num_outputs(self) -> int:
        """Number of outputs that others can read."""
        if self.op is not None and self.op.traits.runs_program and self.custom is not None:
            return len(self.custom.outputs)
        kind = self.kind
        if kind is None:
            return 1
        count = kind.num_outputs
        if count > 1:
            limits.check("node_outputs", count, f"node {self.name!r}: {kind.op.name}")
        return count

    @property
    def num_counted(self) -> int:
        """Number of outputs as files count them, hidden ones included."""
        if self.op is None:
            return 1
        return max(self.num_outputs, len(self._counted_names))

    @property
    def _counted_names(self) -> tuple[str, ...]:
        """Names of all outputs that files count, if the operator has names for them."""
        if self.op is None:
            return ()
        if self.op.traits.runs_program and self.custom is not None:
            return self.custom.outputs
        names = self.op.traits.labels.outputs
        return names(**self.settings) if callable(names) else names

    def output_name(self, index: int) -> str:
        """Returns the name of an output; a variable's is its own."""
        if self.op is None:
            return self.name
        names = self._counted_names
        if index < len(names):
            label = names[index]
        else:
            label = f"output{index if self.num_outputs > 1 else ''}"
        return f"{self.name}_{label}" if self.name else label

    def updates(self, position: int) -> bool:
        """Returns whether the input at a position is an auxiliary state."""
        if self.custom is not None:
            return position >= len(self.custom.arguments)
        if self.op is None or not self.op.aux:
            return False
        names = self.input_names
        return position < len(names) and names[position] in self.op.aux

    def ignores(self, position: int) -> bool:
        """Returns whether the value of an input changes nothing: a scale that is fixed to 1."""
        if self.op is None or not self.op.traits.variables.fixed:
            return False
        attribute = self.op.traits.variables.fixed.get(self.input_names[position])
        return attribute is not None and bool(self.settings[attribute])


def is_user_key(key: str) -> bool:
    """Returns whether an attribute is the user's, not the operator's."""
    return len(key) > 4 and key.startswith("__") and key.endswith("__")


def hide(key: str) -> str:
    """Returns the name under which an attribute is kept."""
    return f"__{key}__" if key in HIDDEN_KEYS else key


def hide_keys(attrs: Mapping[str, str]) -> dict[str, str]:
    """Returns attributes by the names under which they are kept."""
    if _HIDDEN.isdisjoint(attrs):  # as mostly, and without a call for each
        return dict(attrs)
    return {hide(key): value for key, value in attrs.items()}


class NodeList(list[Node]):
    """Nodes of a graph, each after what it reads.

    Attributes:
        last: What the last inference of shapes found, if it found those of all variables.
        is_connected: Whether there is a way between any two nodes, whatever the direction of
            its edges.
        places: Where each node stands.
    """

    last: Any = None

    def __init__(self, nodes: Iterable[Node] = (), *, is_connected: bool = False) -> None:
        super().__init__(nodes)
        self.is_connected = is_connected
        self.places: dict[Node, int] = {}

    @cached_property
    def types(self) -> dict[Any, Any]:
        """What the last inferences of dtypes found, by what was given and the revision."""
        return {}

    @cached_property
    def ops(self) -> set[Op]:
        """The operators of the nodes."""
        return {*map(attrgetter("op"), self)} - {None}

    @cached_property
    def variables(self) -> list[Node]:
        """The nodes that are variables."""
        return [node for node in self if node.op is None]

    @cached_property
    def work(self) -> int:
        """Number of nodes and of what they read."""
        return len(self) + sum(map(len, map(attrgetter("inputs"), self)))


def sort_nodes(heads: Iterable[Entry]) -> NodeList:
    """Lists the nodes under some outputs so that each comes after what it reads.

    Raises:
        MXNetError: if a node depends on itself.
    """
    ordered = NodeList(is_connected=True)
    places, count = ordered.places, 0
    for root, _ in heads:
        if root in places:
            continue
        start, touches = count, not count
        places[root] = _OPEN
        node, unread = root, iter(root.inputs)
        path: list[tuple[Node, Iterator[Entry]]] = []
        while True:
            for child, _ in unread:
                if child not in places:
                    if child.inputs:
                        places[child] = _OPEN
                        path.append((node, unread))
                        node, unread = child, iter(child.inputs)
                        break
                    places[child] = count
                    count += 1
                    ordered.append(child)
                elif places[child] < start:
                    if places[child] == _OPEN:
                        raise MXNetError(f"graph: node {child.name!r} depends on itself")
                    touches = True
            else:
                places[node] = count
                count += 1
                ordered.append(node)
                if not path:
                    break
                node, unread = path.pop()
        ordered.is_connected = ordered.is_connected and touches
    return ordered


def find_auxiliary(nodes: NodeList) -> set[Node]:
    """Finds the variables that operators update: statistics, not arguments."""
    if not [op for op in nodes.ops if op.aux or op.traits.runs_program]:
        return set()
    return {
        entry.node
        for node in nodes
        if node.op is not None and (node.op.aux or node.op.traits.runs_program)
        for position, entry in enumerate(node.inputs)
        if entry.node.op is None and node.updates(position)
    }


class Graph:
    """Outputs of nodes and all nodes under them.

    A graph does not change: what nodes read is fixed when they are made, so that their order holds.
    Attributes of a node may change (`Symbol._set_attr`), and with them which of the variables are
    auxiliary states; these are looked up again then.

    Args:
        heads: The outputs.
    """

    __slots__ = ("__weakref__", "_inputs", "_nodes", "_variables", "heads")

    def __init__(self, heads: Iterable[Entry]) -> None:
        self.heads = tuple(heads)
        self._nodes: NodeList | None = None
        self._inputs: list[Node] | None = None
        self._variables: tuple[int, list[Node], list[Node]] | None = None

    @property
    def nodes(self) -> NodeList:
        """Nodes, each after what it reads."""
        nodes = self._nodes
        if nodes is None:
            nodes = self._nodes = sort_nodes(self.heads)
        return nodes

    @property
    def inputs(self) -> list[Node]:
        """The variables, auxiliary states among them, as nodes read them first."""
        inputs = self._inputs
        if inputs is None:
            inputs = self._inputs = self.nodes.variables
        return inputs

    @property
    def variables(self) -> tuple[list[Node], list[Node]]:
        """The variables that are arguments, and those that are auxiliary states."""
        known = self._variables
        if known is None or known[0] != Node.revision:
            revision, states = Node.revision, find_auxiliary(self.nodes)
            inputs = self.inputs
            known = self._variables = (
                revision,
                [node for node in inputs if node not in states],
                [node for node in inputs if node in states],
            )
        return known[1], known[2]

    @property
    def input_names(self) -> list[str]:
        """Names of all variables."""
        return [node.name for node in self.inputs]

    @property
    def argument_names(self) -> list[str]:
        """Names of the variables that are not auxiliary states."""
        return [node.name for node in self.variables[0]]

    @property
    def state_names(self) -> list[str]:
        """Names of the variables that operators update, such as moving averages."""
        return [node.name for node in self.variables[1]]

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs."""
        return [head.node.output_name(head.output) for head in self.heads]


Change: TypeAlias = Callable[[Node, list[Entry]], "Node | Sequence[Entry] | None"]
"""Takes a node and what it reads in the new graph, and returns what stands in its place.

That is a node, or an entry for each output of the node, or None to keep the node: it is copied then
if it reads something new, and shared with the old graph if not.
"""


def rewrite(graph: Graph, change: Change) -> Graph:
    """Returns a graph in which other nodes stand in the place of some.

    The graph itself stays as it is; nodes that are not changed belong to both.

    Args:
        graph: The graph.
        change: Called once with each node, after those that it reads.

    Raises:
        MXNetError: if an output is read in whose place nothing stands.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.graph.ir.graph import Node
        >>> from mxnet.ops.core.registry import get_op
        >>> def sigmoid_for_relu(node, inputs):
        ...     if node.op is not None and node.op.name == "relu":
        ...         return Node(get_op("sigmoid"), node.name, node.attrs, inputs)
        ...     return None
        >>> net = mx.sym.relu(mx.sym.var("x"), name="act")
        >>> rewrite(net._graph, sigmoid_for_relu).heads[0].node.op.name
        'sigmoid'
    """
    places: dict[Node, Node | Sequence[Entry]] = {}

    def find(entry: Entry) -> Entry:
        place = places[entry.node]
        if place is entry.node:
            return entry
        if isinstance(place, Node):
            return Entry(place, entry.output)
        if entry.output >= len(place):
            raise MXNetError(
                f"rewrite: output {entry.output} of {entry.node.name!r} is read, but there are "
                f"only {len(place)} outputs in its place"
            )
        return place[entry.output]

    for node in graph.nodes:
        inputs = [find(entry) for entry in node.inputs]
        place = change(node, inputs)
        if place is None:
            changed = any(new is not old for new, old in zip(inputs, node.inputs, strict=True))
            place = Node(node.op, node.name, node.attrs, inputs) if changed else node
        places[node] = place
    heads = [find(head) for head in graph.heads]
    unchanged = all(new is old for new, old in zip(heads, graph.heads, strict=True))
    return graph if unchanged else Graph(heads)
