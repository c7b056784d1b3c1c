"""Symbol files: JSON as the original writes it, and every older generation read.

A file without a version is of 0.8. Older files have other keys for attributes (`param`, `attr`),
plain names for what is hidden today, and leave out the variables of auxiliary states.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mxnet.errors import FileFormatError, MXNetError
from mxnet.graph.control_flow import NUM_SUBGRAPHS, make_op
from mxnet.graph.node import HIDDEN_KEYS, Entry, Node, hide, is_user_key, sort_nodes
from mxnet.graph.subgraph import Subgraph, SubgraphOp, check
from mxnet.ops.registry import Op, get_op

VERSION = 10901
_FIRST_VERSION = 800
_MAX_DEPTH = 64
"""How deep loops may be nested in a file."""

_DEFAULT_INITIALIZERS = {
    "moving_mean": '["zero", {}]',
    "moving_var": '["one", {}]',
    "moving_avg": '["zero", {}]',
}


def default_initializer(op: Op, input_name: str) -> str | None:
    """Gives how a variable that is made for an input is initialized, as a file has it."""
    if op.name == "LeakyReLU" and input_name == "gamma":
        return '["Constant", {"value": 0.25}]'
    if op.name == "UpSampling" and input_name == "weight":
        return '["bilinear", {}]'
    return _DEFAULT_INITIALIZERS.get(input_name) if input_name in op.aux else None


def write_json(heads: Sequence[Entry]) -> str:
    """Writes the graph under some outputs."""
    return _layout(_write_graph(heads) | {"attrs": {"mxnet_version": ["int", VERSION]}}, "\n")


def _layout(value: Any, line: str) -> str:
    """Lays a value out in lines as the original does, which leaves a space at the end of each.

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
        return json.dumps(value, ensure_ascii=False)
    if several:
        items[0] = f"{line}  {items[0]}"
    between = f", {line}  " if several else ", "
    return f"{marks[0]}{between.join(items)}{line if several else ''}{marks[1]}"


def _write_graph(heads: Sequence[Entry]) -> dict[str, Any]:
    nodes = sort_nodes(heads)
    numbers = {node: position for position, node in enumerate(nodes)}
    versions: dict[Node, int] = {}
    written = []
    offsets = [0]
    for node in nodes:
        entry: dict[str, Any] = {"op": "null" if node.op is None else node.op.name}
        entry["name"] = node.name
        if node.attrs:
            entry["attrs"] = dict(sorted(node.attrs.items()))
        for position, source in enumerate(node.inputs):
            if node.updates(position):
                versions[source.node] = versions.get(source.node, 0) + 1
        entry["inputs"] = [
            [numbers[source.node], source.output, versions.get(source.node, 0)]
            for source in node.inputs
        ]
        if isinstance(node.op, SubgraphOp):
            entry["subgraphs"] = [_write_graph(item.heads) for item in node.op.subgraphs]
        written.append(entry)
        offsets.append(offsets[-1] + node.num_counted)
    return {
        "nodes": written,
        "arg_nodes": [position for node, position in numbers.items() if node.op is None],
        "node_row_ptr": offsets,
        "heads": [[numbers[head.node], head.output, 0] for head in heads],
    }


def read_json(text: str | bytes) -> list[Entry]:
    """Reads a graph of any generation and gives its outputs.

    Raises:
        FileFormatError: if the text is no graph.
        MXNetError: if it names an operator that is not known.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"symbol: not JSON: {error}") from error
    if not isinstance(data, dict):
        raise FileFormatError(f"symbol: expected an object, got {type(data).__name__}")
    return _read_graph(data, _read_version(data.get("attrs", {})), 0)


def _read_graph(data: Mapping[str, Any], version: int, depth: int) -> list[Entry]:
    for key in ("nodes", "arg_nodes", "heads"):
        if not isinstance(data.get(key), list):
            raise FileFormatError(f"symbol: expected a list under {key!r}, got {data.get(key)!r}")
    records = data["nodes"]
    nodes = [_read_node(record, place, version, depth) for place, record in enumerate(records)]
    places = {node: position for position, node in enumerate(nodes)}
    for position, (record, node) in enumerate(zip(records, nodes, strict=True)):
        where = f"node {node.name!r}"
        node.inputs = _read_entries(record.get("inputs"), nodes, where)
        # A file lists nodes in order; nothing may depend on a later one, or on itself.
        if any(places[entry.node] >= position for entry in node.inputs):
            raise FileFormatError(f"symbol: {where} reads a node that does not come before it")
    _check_arguments(data["arg_nodes"], nodes)
    for node in nodes:
        _upgrade(node, version)
        if isinstance(node.op, SubgraphOp):
            check(node, node.op)
    heads = _read_entries(data["heads"], nodes, "heads")
    if not heads:
        raise FileFormatError("symbol: there are no heads")
    for head in heads:
        _check_output(head, "heads")
    return heads


def _check_arguments(found: Sequence[Any], nodes: Sequence[Node]) -> None:
    """Checks the list of variables, which nothing here needs."""
    for number in found:
        if type(number) is not int or not 0 <= number < len(nodes) or nodes[number].op is not None:
            raise FileFormatError(f"symbol: arg_nodes: {number!r} is no variable")


def _read_version(attrs: Any) -> int:
    if not isinstance(attrs, Mapping):
        raise FileFormatError(f"symbol: expected an object under 'attrs', got {attrs!r}")
    if "mxnet_version" not in attrs:
        return _FIRST_VERSION
    pair = attrs["mxnet_version"]
    if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[1], int):
        raise FileFormatError(f"symbol: mxnet_version takes ['int', number], got {pair!r}")
    return pair[1]


def _read_node(record: Any, position: int, version: int, depth: int) -> Node:
    if not isinstance(record, dict) or not isinstance(record.get("op"), str):
        raise FileFormatError(f"symbol: node {position} has no operator")
    name = record.get("name")
    if not isinstance(name, str):
        raise FileFormatError(f"symbol: node {position} has no name")
    attrs: dict[str, str] = {}
    for key in ("param", "attr", "attrs"):
        found = record.get(key) or {}
        if not isinstance(found, dict) or not all(isinstance(v, str) for v in found.values()):
            raise FileFormatError(f"symbol: {key} of node {name!r} must hold strings")
        attrs.update(found)
    attrs = {hide(key): value for key, value in attrs.items()}
    if record["op"] == "null":
        return Node(None, name, attrs)
    try:
        op = _find_op(record, version, depth)
    except MXNetError as error:
        raise type(error)(f"symbol: node {name!r}: {error}") from error
    if version < 905 and op.name in ("argmax", "argmin") and attrs.get("axis") == "-1":
        del attrs["axis"]
    return Node(op, name, attrs)


def _find_op(record: Mapping[str, Any], version: int, depth: int) -> Op:
    found = record.get("subgraphs") or []
    if record["op"] not in NUM_SUBGRAPHS:
        if found:
            raise MXNetError(f"{record['op']}: subgraphs of this operator are not supported")
        return get_op(record["op"])
    if depth >= _MAX_DEPTH:
        raise FileFormatError(f"control flow is nested deeper than {_MAX_DEPTH}")
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise FileFormatError(f"{record['op']}: expected subgraphs, got {type(found).__name__}")
    graphs = [Subgraph(tuple(_read_graph(item, version, depth + 1))) for item in found]
    return make_op(record["op"], graphs)


def _read_entries(found: Any, nodes: Sequence[Node], where: str) -> list[Entry]:
    entries = []
    for item in found if isinstance(found, list) else [None]:
        if (
            not isinstance(item, list)
            or len(item) not in (2, 3)
            or not all(type(number) is int for number in item)
        ):
            raise FileFormatError(f"symbol: {where}: expected [node, output], got {item!r}")
        number, index = item[0], item[1]
        if not 0 <= number < len(nodes):
            raise FileFormatError(f"symbol: {where}: there is no node {number}")
        entries.append(Entry(nodes[number], index))
    return entries


def _upgrade(node: Node, version: int) -> None:
    """Brings an operator to today's form and checks it."""
    if node.op is None:
        return
    if not node.op.variadic:
        _move_to_inputs(node)
    names = node.input_names
    if not node.op.variadic and len(node.inputs) < len(names) and version < 900:
        for name in names[len(node.inputs) :]:
            node.inputs.append(Entry(Node(None, f"{node.name}_{name}", node.attrs)))
    if len(node.inputs) != len(names):
        raise FileFormatError(
            f"symbol: node {node.name!r}: {node.op.name} takes {len(names)} inputs, "
            f"got {len(node.inputs)}"
        )
    for name, entry in zip(names, node.inputs, strict=True):
        _check_output(entry, f"node {node.name!r}")
        initializer = default_initializer(node.op, name)
        if initializer is not None and version < 904 and entry.node.op is None:
            entry.node.attrs.setdefault("__init__", initializer)


def _check_output(entry: Entry, where: str) -> None:
    if not 0 <= entry.output < entry.node.num_counted:
        raise FileFormatError(f"symbol: {where}: {entry.node.name!r} has no output {entry.output}")


def _move_to_inputs(node: Node) -> None:
    """Moves `weight_lr_mult` of an operator to its input `weight`."""
    by_name = {item.name: i for i, item in enumerate(node.op.inputs)} if node.op else {}
    for key in [key for key in node.attrs if not is_user_key(key)]:
        for hidden in HIDDEN_KEYS:
            name = key.removesuffix(f"_{hidden}")
            if name == key or name not in by_name:
                continue
            value = node.attrs.pop(key)
            if by_name[name] < len(node.inputs):
                node.inputs[by_name[name]].node.attrs[hide(hidden)] = value
