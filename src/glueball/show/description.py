"""What a page shows of a model, as plain values."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from glueball.console import printable
from glueball.models import Model
from glueball.show.grouping import group_by_name
from mxnet._formats.element_types import name_of
from mxnet.graph.infer import Costs, NodeCost
from mxnet.graph.ir import Entry, Node, is_user_key

_LONGEST = 300
"""Characters of a name or an attribute that are shown."""


def describe(model: Model) -> dict[str, Any]:
    """Returns all that a page shows of a model."""
    graph = model.graph._graph
    found = model.measure()
    rows = {row.node: row for row in found.rows}
    data = {*model.data_names}
    shown = [node for node in graph.nodes if node.op is not None or node.name in data]
    numbers = {node: number for number, node in enumerate(shown)}
    constants = _find_constants(graph.nodes, data)
    blocks = _find_blocks(shown, constants)
    heads = {head.node for head in graph.heads}
    described = _Nodes(model, numbers, rows)
    return {
        "title": _shown(model.name),
        "prefix": _common_prefix([_shown(node.name) for node in shown if node.op is not None]),
        "files": [_shown(path.name) for path in model.files],
        "inputs": [
            {"name": _shown(name), "shape": list(shape), "guessed": name in model.guessed}
            for name, shape in model.shapes.items()
        ],
        "totals": _totals(found, len(rows), known=bool(model.shapes)),
        "nodes": [
            described.describe(node)
            | {
                "blocks": [_shown(label) for label in blocks.get(node, ())],
                "isOutput": node in heads,
                "isConstant": node in constants,
            }
            for node in shown
        ],
    }


def _shown(text: str) -> str:
    """Returns a text of a file without what would change the direction or look of others."""
    return printable(text, _LONGEST)


def _common_prefix(names: Sequence[str]) -> str:
    """Returns what all names begin with, up to an underline; the page leaves it out."""
    if len(names) < 2:
        return ""
    common = os.path.commonprefix(list(names))  # noqa: RUF071 - letters, not parts of paths
    prefix = common[: common.rfind("_") + 1]
    return "" if prefix in names else prefix


def _find_constants(nodes: Sequence[Node], data: Collection[str]) -> dict[Node, Node]:
    """Returns the operators that depend on parameters alone, each with the reader of its result."""
    depends: set[Node] = set()
    for node in nodes:
        if node.name in data or any(entry.node in depends for entry in node.inputs):
            depends.add(node)
    readers: dict[Node, Node] = {}
    for node in reversed(nodes):
        for entry in node.inputs:
            if entry.node.op is not None and entry.node not in depends:
                readers.setdefault(entry.node, readers.get(node, node))
    return readers


def _find_blocks(
    nodes: Sequence[Node], constants: Mapping[Node, Node]
) -> dict[Node, tuple[str, ...]]:
    """Returns the blocks around nodes; what a layer does to its weights is a block of its own."""
    layers = [node for node in nodes if node.op is not None and node not in constants]
    by_name = group_by_name([node.name for node in layers])
    blocks = {node: by_name[node.name] for node in layers}
    several = Counter(constants.values())
    for node, reader in constants.items():
        around = blocks.get(reader, ())
        blocks[node] = (*around, f"weights of {reader.name}") if several[reader] > 1 else around
    return blocks


def _totals(found: Costs, num_layers: int, *, known: bool) -> dict[str, Any]:
    return {
        "layers": num_layers,
        "parameters": found.num_parameters,
        "parameterBytes": found.parameter_bytes,
        "flops": found.flops if known else None,
        "outputBytes": found.output_bytes if known else None,
        "peakBytes": found.peak_bytes if known else None,
        "unknown": len(found.unknown),
    }


class _Nodes:
    """Describes nodes one by one."""

    def __init__(
        self, model: Model, numbers: Mapping[Node, int], rows: Mapping[Node, NodeCost]
    ) -> None:
        self._model, self._numbers, self._rows = model, numbers, rows

    def describe(self, node: Node) -> dict[str, Any]:
        """Returns what is shown of an operator or of an input."""
        common = {"id": self._numbers[node], "name": _shown(node.name)}
        row = self._rows.get(node)
        if node.op is None or row is None:
            shape = self._model.shapes.get(node.name)
            return common | _input(shape)
        drawing = node.op.traits.drawing
        sources = [entry.node for entry in node.inputs if entry.node in self._numbers]
        return common | {
            "operator": node.op.name,
            "details": "" if drawing.details is None else drawing.details(node.settings),
            "color": drawing.color,
            "inputs": list(dict.fromkeys(self._numbers[source] for source in sources)),
            "shapes": [None if shape is None else list(shape) for shape in row.outputs],
            "dtype": None if row.dtype is None else name_of(row.dtype),
            "parameters": row.num_parameters,
            "parameterBytes": row.parameter_bytes,
            "outputBytes": row.output_bytes,
            "flops": row.flops,
            "attributes": _attributes(node),
            "reads": [
                {"name": _shown(entry.node.name), "shape": self._shape_of(entry)}
                for entry in node.inputs
                if entry.node not in self._numbers
            ],
        }

    def _shape_of(self, entry: Entry) -> list[int] | None:
        value = self._model.parameters.get(entry.node.name)
        return None if value is None else list(value.shape)


def _input(shape: tuple[int, ...] | None) -> dict[str, Any]:
    return {
        "operator": "input",
        "details": "",
        "color": "",
        "inputs": [],
        "shapes": [None if shape is None else list(shape)],
        "dtype": None,
        "parameters": 0,
        "parameterBytes": 0,
        "outputBytes": None,
        "flops": 0,
        "attributes": {},
        "reads": [],
    }


def _attributes(node: Node) -> dict[str, str]:
    """Returns the attributes of a node that are not the user's."""
    return {_shown(key): _shown(value) for key, value in node.attrs.items() if not is_user_key(key)}
