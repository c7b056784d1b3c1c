"""Symbol files written by hand, for attacks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def variable(name: str, **attrs: str) -> Record:
    """Returns the record of a variable."""
    return {"op": "null", "name": name, "inputs": [], "attrs": attrs}


def call(op: str, name: str, *inputs: int, subgraphs: Sequence[Any] = (), **attrs: str) -> Record:
    """Returns the record of an operator that reads the first outputs of nodes, by number."""
    record = {
        "op": op,
        "name": name,
        "inputs": [[number, 0, 0] for number in inputs],
        "attrs": attrs,
    }
    return record | ({"subgraphs": list(subgraphs)} if subgraphs else {})


def graph(*nodes: Any, heads: Any = None, **others: Any) -> Record:
    """Returns a graph of nodes whose last one is its output."""
    variables = [i for i, node in enumerate(nodes) if isinstance(node, dict) and "op" in node]
    return {
        "nodes": list(nodes),
        "arg_nodes": [i for i in variables if nodes[i]["op"] == "null"],
        "heads": [[len(nodes) - 1, 0, 0]] if heads is None else heads,
        "attrs": {"mxnet_version": ["int", 10901]},
    } | others


def text(*nodes: Any, heads: Any = None, **others: Any) -> str:
    """Returns the text of a symbol file; see `graph`."""
    return json.dumps(graph(*nodes, heads=heads, **others))


def write(folder: Path, content: str | bytes, name: str = "net-symbol.json") -> str:
    """Writes a file and returns its path."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)
