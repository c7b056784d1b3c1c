"""Storage types in a graph: which of its outputs are sparse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mxnet.graph.node import Entry, Node
from mxnet.ops.storage_rules import storage_of_gradient, storage_of_result


def infer_storage(nodes: Iterable[Node], given: Mapping[str, str]) -> dict[Entry, str]:
    """Finds the entries that are not dense.

    Args:
        nodes: The nodes of the graph, each after those that it reads.
        given: Storage types of the variables by name.
    """
    sparse: dict[Entry, str] = {}
    for node in nodes:
        if node.op is None:
            stype = given.get(node.name, "default")
        elif not sparse and not node.op.traits.storage.from_attrs:
            continue  # dense inputs have a dense result
        else:
            stypes = [sparse.get(entry, "default") for entry in node.inputs]
            stype = storage_of_result(node.op, stypes, node.parsed)
        if stype != "default":
            sparse[Entry(node)] = stype
    return sparse


def infer_gradient_storage(nodes: Sequence[Node], given: Mapping[str, str]) -> dict[str, str]:
    """Finds how the gradients of variables are stored: dense where one of the uses gives it so.

    Args:
        nodes: The nodes of the graph, each after those that it reads.
        given: Storage types of the variables by name.
    """
    storage = infer_storage(nodes, given)
    gradients: dict[str, str] = {}
    for node in nodes:
        if node.op is None:
            continue
        stypes = [storage.get(entry, "default") for entry in node.inputs]
        told: dict[tuple[str, bool], str] = {}
        for position, entry in enumerate(node.inputs):
            if entry.node.op is None:
                key = (stypes[position], position == 1)  # all that rules ask of an input
                if key not in told:
                    told[key] = storage_of_gradient(node.op, position, stypes, node.parsed)
                stype, name = told[key], entry.node.name
                gradients[name] = stype if gradients.get(name, stype) == stype else "default"
    return gradients
