"""Storage types in a graph: which of its outputs are sparse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mxnet.graph.node import Entry, Node
from mxnet.ops.rules.storage_types import storage_of_gradient, storage_of_result


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
            if node.custom is not None:
                outputs = enumerate(node.custom.store(stypes))
                sparse |= {Entry(node, place): item for place, item in outputs if item != "default"}
                continue
            stype = storage_of_result(node.op, stypes, node.parsed)
        if stype != "default":
            sparse[Entry(node)] = stype
    return sparse


def infer_gradient_storage(
    nodes: Sequence[Node], outputs: Iterable[Entry], given: Mapping[str, str]
) -> dict[str, str]:
    """Finds how the gradients of variables are stored.

    The gradient of an output is stored as the output is, and each operator hands on what its
    declaration says. A variable that gets none is not among the results.

    Args:
        nodes: The nodes of the graph, each after those that it reads.
        outputs: The outputs of the graph.
        given: Storage types of the variables by name.
    """
    storage = infer_storage(nodes, given)
    gradients: dict[Node, str] = {}
    for entry in outputs:
        _add_gradient(gradients, entry.node, storage.get(entry, "default"))
    for node in reversed(nodes):
        if node.op is None or node not in gradients:
            continue
        stypes = [storage.get(entry, "default") for entry in node.inputs]
        told: dict[tuple[str, int], str | None] = {}
        for position, entry in enumerate(node.inputs):
            key = (stypes[position], min(position, 2))  # all that rules ask of an input
            if key not in told:
                told[key] = storage_of_gradient(
                    node.op, position, stypes, node.parsed, gradients[node]
                )
            _add_gradient(gradients, entry.node, told[key])
    return {node.name: gradients[node] for node in nodes if node.op is None and node in gradients}


def _add_gradient(gradients: dict[Node, str], node: Node, stype: str | None) -> None:
    """Notes a gradient of a node; with another one it is dense, unless both are rows."""
    if stype is None:
        return
    if node in gradients and not gradients[node] == stype == "row_sparse":
        stype = "default"
    gradients[node] = stype
