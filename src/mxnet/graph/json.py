"""Symbol files: writes JSON as the original does, and reads every older generation.

A file without a version is from 0.8. Older files have other keys for attributes (`param`, `attr`),
hidden keys without underscores, and leave out the variables of auxiliary states.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from mxnet import limits
from mxnet._formats.texts import check_containers
from mxnet._start import collector_paused
from mxnet._state import rules
from mxnet.errors import FileFormatError, MXNetError, shorten, shown
from mxnet.graph import fused, mxnet2
from mxnet.graph.ir import (
    HIDDEN_KEYS,
    Entry,
    Graph,
    Node,
    OwningOp,
    SubgraphOp,
    check_subgraphs,
    hide,
    hide_keys,
    is_user_key,
)
from mxnet.graph.run import CALL, CONTROLS, make_call_op, make_op
from mxnet.ops.core.registry import Op, get_op

VERSION = 10901
_FIRST_VERSION = 800
_LONG_MESSAGE = 1000
_SHORT_TEXT = 1 << 15
"""Characters of a file with so few nodes that the collector hardly starts meanwhile."""
_NP_SHAPE = ["int", 1]
"""What a file says where zero is a length and `()` a shape."""

_HIDDEN = frozenset(HIDDEN_KEYS)
_HIDDEN_SUFFIXES = tuple(f"_{key}" for key in HIDDEN_KEYS)

_encode = json.JSONEncoder(ensure_ascii=False).encode


def write_json(graph: Graph, *, np_shape: bool = False) -> str:
    """Writes a graph as the text of a symbol file.

    Args:
        graph: The graph.
        np_shape: Whether its shapes are those of the NumPy dialect, which the file then says.
    """
    attrs = {"is_np_shape": _NP_SHAPE} if np_shape else {}
    attrs["mxnet_version"] = ["int", mxnet2.VERSION if rules.version > 1 else VERSION]
    return _layout(_write_graph(graph) | {"attrs": attrs}, "\n")


def _layout(value: Any, line: str) -> str:
    """Formats a value in lines as the original does, with a space at the end of each.

    Args:
        value: A value of JSON.
        line: How a line starts: a line feed, then the blanks before the value.
    """
    if isinstance(value, dict):
        marks, several = "{}", len(value) > 1
        items = [f"{_layout(key, line)}: {_layout(value[key], line + '  ')}" for key in value]
    elif isinstance(value, list):
        marks, several = "[]", len(value) > 10 or any(isinstance(item, dict) for item in value)
        items = [_layout(item, line + "  ") for item in value]
    else:
        return _encode(value)
    if several:
        items[0] = f"{line}  {items[0]}"
    between = f", {line}  " if several else ", "
    return f"{marks[0]}{between.join(items)}{line if several else ''}{marks[1]}"


def _write_graph(graph: Graph, *, counts_updates: bool = True) -> dict[str, Any]:
    """Returns a graph as values of JSON.

    Args:
        graph: The graph.
        counts_updates: Whether inputs say how often a state has been updated before; those inside
            of a fused layer do not.
    """
    nodes, numbers = graph.nodes, graph.nodes.places
    versions: dict[Node, int] = {}
    written = []
    offsets = [0]
    for node in nodes:
        name, attrs = "null" if node.op is None else node.op.name, node.attrs
        if rules.version > 1:
            name, attrs = mxnet2.write_node(name, attrs)
        entry: dict[str, Any] = {"op": name, "name": node.name}
        if attrs:
            entry["attrs"] = dict(sorted(attrs.items()))
        for position, source in enumerate(node.inputs):
            if counts_updates and node.updates(position):
                versions[source.node] = versions.get(source.node, 0) + 1
        entry["inputs"] = [
            [numbers[source.node], source.output, versions.get(source.node, 0)]
            for source in node.inputs
        ]
        if isinstance(node.op, OwningOp) and not _is_call(node.op):
            counts = counts_updates and isinstance(node.op, SubgraphOp)
            entry["subgraphs"] = [
                _write_graph(item, counts_updates=counts) for item in node.op.subgraphs
            ]
        written.append(entry)
        offsets.append(offsets[-1] + node.num_counted)
    return {
        "nodes": written,
        "arg_nodes": [position for node, position in numbers.items() if node.op is None],
        "node_row_ptr": offsets,
        "heads": [[numbers[head.node], head.output, 0] for head in graph.heads],
    }


def _is_call(op: OwningOp) -> bool:
    """Returns whether an operator has its graph as a text in an attribute."""
    return isinstance(op, SubgraphOp) and op.control.is_call


def read_json(text: str | bytes, where: str = "symbol") -> Graph:
    """Reads a graph of any generation.

    Args:
        text: The content of a symbol file.
        where: Name of the source, for messages.

    Raises:
        FileFormatError: if the text is not a graph.
        LimitExceededError: if the graph is larger than `mx.limits` allows.
        MXNetError: if it names an operator that is not known.
    """
    limits.check("symbol_bytes", len(text), where)
    with collector_paused() if len(text) > _SHORT_TEXT else nullcontext():
        return _read(text, where)


def _read(text: str | bytes, where: str) -> Graph:
    check_containers("graph_nodes", text, where)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"{where}: not JSON: {error}") from error
    try:
        if not isinstance(data, dict):
            raise FileFormatError(f"expected an object, got {type(data).__name__}")
        attrs = data.get("attrs", {})
        reader = _Reader(_read_version(attrs), attrs.get("is_np_shape") == _NP_SHAPE)
        return Graph(reader.read_graph(data))
    except MXNetError as error:
        error.args = (f"{where}: {shorten(str(error), _LONG_MESSAGE)}",)
        raise
    except RecursionError as error:  # the user has raised the limit of depth
        raise FileFormatError(f"{where}: loops are nested too deep: {error}") from error


class _Reader:
    """Reads the graphs of one file, those of loops included.

    Args:
        version: Version of the original that wrote the file.
        is_numpy: Whether it was written in the NumPy dialect.
    """

    def __init__(self, version: int, is_numpy: bool) -> None:
        self._version, self._is_numpy = version, is_numpy
        self._num_nodes = 0
        self._num_outputs = 0

    def read_graph(self, data: Mapping[str, Any], depth: int = 0) -> list[Entry]:
        """Returns the outputs of a graph.

        Args:
            data: The graph as decoded from JSON.
            depth: How many loops it is inside of.
        """
        for key in ("nodes", "arg_nodes", "heads"):
            if not isinstance(data.get(key), list):
                raise FileFormatError(f"expected a list under {key!r}, got {shown(data.get(key))}")
        records = data["nodes"]
        self._num_nodes += len(records)
        limits.check("graph_nodes", self._num_nodes, "the graph")
        nodes = [self._read_node(record, place, depth) for place, record in enumerate(records)]
        _connect(records, nodes)
        _check_arguments(data["arg_nodes"], nodes)
        for node in nodes:
            if node.op is None:
                self._num_outputs += 1
            else:
                self._finish(node, node.op)
        limits.check("graph_outputs", len(data["heads"]), "heads")
        heads = _read_entries(data["heads"], nodes)
        if not heads:
            raise FileFormatError("there are no heads")
        for head in heads:
            _check_output(head)
        return heads

    def _read_node(self, record: Any, position: int, depth: int) -> Node:
        if not isinstance(record, dict) or not isinstance(record.get("op"), str):
            raise FileFormatError(f"node {position} has no operator")
        name = record.get("name")
        if not isinstance(name, str):
            raise FileFormatError(f"node {position} has no name")
        attrs = _read_attrs(record, name)
        if not "".join((name, *attrs, *attrs.values())).isascii():
            _check_text((name, *attrs, *attrs.values()), position)
        if record["op"] == "null":
            return Node(None, name, attrs)
        try:
            is_call = record["op"] == CALL
            op = self._read_call(attrs, depth) if is_call else self._find_op(record, depth)
        except MXNetError as error:
            error.args = (f"node {shown(name)}: {error}",)
            raise
        if self._version >= mxnet2.VERSION:
            op = mxnet2.read_op(op)
            mxnet2.read_attrs(op.name, attrs)
        if op.traits.files.upgrade is not None:
            op.traits.files.upgrade(self._version, attrs)
        return Node(op, name, attrs)

    def _read_call(self, attrs: Mapping[str, str], depth: int) -> Op:
        """Makes an operator of the graph that is written in an attribute."""
        limits.check("graph_depth", depth + 1, CALL)
        try:
            data = json.loads(attrs.get("subgraph", ""))
        except (ValueError, RecursionError) as error:
            raise FileFormatError(f"{CALL}: subgraph is not JSON: {error}") from error
        if not isinstance(data, dict):
            raise FileFormatError(f"{CALL}: expected a graph, got {type(data).__name__}")
        return make_call_op(Graph(self.read_graph(data, depth + 1)))

    def _find_op(self, record: Mapping[str, Any], depth: int) -> Op:
        name, subgraphs = record["op"], record.get("subgraphs") or []
        if name not in CONTROLS and name not in fused.OPERATORS:
            if subgraphs:
                raise MXNetError(f"{shown(name)}: subgraphs of this operator are not supported")
            op = get_op(name)
            twin = op.traits.files.numpy_twin if self._is_numpy else None
            return op if twin is None else get_op(twin)
        limits.check("graph_depth", depth + 1, name)
        if not isinstance(subgraphs, list) or not all(isinstance(item, dict) for item in subgraphs):
            raise FileFormatError(f"{name}: expected subgraphs, got {type(subgraphs).__name__}")
        graphs = [Graph(self.read_graph(item, depth + 1)) for item in subgraphs]
        if name in fused.OPERATORS:
            return fused.make_op(name, graphs)
        return make_op(CONTROLS[name], graphs)

    def _finish(self, node: Node, op: Op) -> None:
        """Upgrades the node of an operator to the current format and checks it."""
        _upgrade(node, op, self._version)
        count = node.num_counted
        if count > 1:
            limits.check("node_outputs", count, f"node {shown(node.name)}")
        self._num_outputs += count
        limits.check("graph_outputs", self._num_outputs, "the graph")
        if isinstance(op, SubgraphOp):
            check_subgraphs(node, op)


def _read_attrs(record: Mapping[str, Any], name: str) -> dict[str, str]:
    """Merges the attributes of a node; older files store them under other keys."""
    attrs: dict[str, str] = {}
    for key in ("param", "attr", "attrs"):
        given = record.get(key)
        if not given:
            continue
        if not isinstance(given, dict) or {*map(type, given.values())} != {str}:
            raise FileFormatError(f"{key} of node {shown(name)} must hold strings")
        attrs.update(given)
    return attrs if _HIDDEN.isdisjoint(attrs) else hide_keys(attrs)


def _check_text(texts: Iterable[str], position: int) -> None:
    """Raises for lone surrogates, which JSON can express but UTF-8 cannot encode."""
    try:
        for text in texts:
            text.encode()
    except UnicodeEncodeError as error:
        raise FileFormatError(f"node {position}: not UTF-8: {error.reason}") from error


def _connect(records: Sequence[Mapping[str, Any]], nodes: Sequence[Node]) -> None:
    """Sets the inputs of all nodes."""
    places = {node: position for position, node in enumerate(nodes)}
    most = limits.get("node_inputs")
    for position, (record, node) in enumerate(zip(records, nodes, strict=True)):
        inputs = record.get("inputs")
        if inputs == []:
            continue
        if isinstance(inputs, list) and len(inputs) > most:
            limits.check("node_inputs", len(inputs), f"node {shown(node.name)}")
        node.inputs = _read_entries(inputs, nodes, node)
        # Nodes are listed in topological order: none may read a later node or itself.
        if max([places[entry.node] for entry in node.inputs]) >= position:
            raise FileFormatError(
                f"node {shown(node.name)} reads a node that does not come before it"
            )


def _check_arguments(numbers: Sequence[Any], nodes: Sequence[Node]) -> None:
    """Checks the list of variables, which is not used otherwise."""
    for number in numbers:
        if type(number) is not int or not 0 <= number < len(nodes) or nodes[number].op is not None:
            raise FileFormatError(f"arg_nodes: {shown(number)} is no variable")


def _read_version(attrs: Any) -> int:
    if not isinstance(attrs, Mapping):
        raise FileFormatError(f"expected an object under 'attrs', got {shown(attrs)}")
    if "mxnet_version" not in attrs:
        return _FIRST_VERSION
    pair = attrs["mxnet_version"]
    if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[1], int):
        raise FileFormatError(f"mxnet_version takes ['int', number], got {shown(pair)}")
    return pair[1]


def _read_entries(items: Any, nodes: Sequence[Node], reader: Node | None = None) -> list[Entry]:
    """Reads what a node reads, or, without one, the heads of the graph."""
    entries = []
    for item in items if isinstance(items, list) else [None]:
        if not isinstance(item, list) or len(item) not in (2, 3) or {*map(type, item)} != {int}:
            raise FileFormatError(
                f"{_name_reader(reader)}: expected [node, output], got {shown(item)}"
            )
        number, index = item[0], item[1]
        if not 0 <= number < len(nodes):
            raise FileFormatError(f"{_name_reader(reader)}: there is no node {number}")
        entries.append(Entry(nodes[number], index))
    return entries


def _name_reader(reader: Node | None) -> str:
    """Returns how messages name what reads an output: a node, or the heads of the graph."""
    return "heads" if reader is None else f"node {shown(reader.name)}"


def _upgrade(node: Node, op: Op, version: int) -> None:
    """Upgrades an operator to the current format and checks its inputs."""
    if not op.variadic:
        _move_to_inputs(node, op)
    names = node.input_names
    if not op.variadic and len(node.inputs) < len(names) and version < 900:
        for name in names[len(node.inputs) :]:
            node.inputs.append(Entry(Node(None, f"{node.name}_{name}", node.attrs)))
    if len(node.inputs) != len(names):
        raise FileFormatError(
            f"node {shown(node.name)}: {op.name} takes {len(names)} inputs, got {len(node.inputs)}"
        )
    for name, entry in zip(names, node.inputs, strict=True):
        if entry.output or entry.node.op is not None:
            _check_output(entry, node)
        initializer = op.traits.variables.initializers.get(name)
        if initializer is not None and version < 904 and entry.node.op is None:
            entry.node.attrs.setdefault("__init__", initializer)


def _check_output(entry: Entry, reader: Node | None = None) -> None:
    if not 0 <= entry.output < entry.node.num_counted:
        where, name = _name_reader(reader), shown(entry.node.name)
        raise FileFormatError(f"{where}: {name} has no output {entry.output}")


def _move_to_inputs(node: Node, op: Op) -> None:
    """Moves `weight_lr_mult` of an operator to its input `weight`."""
    for key in list(node.attrs):
        if not key.endswith(_HIDDEN_SUFFIXES) or is_user_key(key):
            continue
        by_name = {item.name: i for i, item in enumerate(op.inputs)}
        for hidden in HIDDEN_KEYS:
            name = key.removesuffix(f"_{hidden}")
            if name == key or name not in by_name:
                continue
            value = node.attrs.pop(key)
            if by_name[name] < len(node.inputs):
                node.inputs[by_name[name]].node.attrs[hide(hidden)] = value
