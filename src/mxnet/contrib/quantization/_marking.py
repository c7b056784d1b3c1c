"""Which nodes of a graph are to be computed on integers."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from mxnet.errors import MXNetError
from mxnet.graph.graph import Graph
from mxnet.graph.node import Node
from mxnet.graph.subgraph import OwningOp
from mxnet.ops.core.registry import get_op
from mxnet.ops.rules.quantizing import Quantization

_log = logging.getLogger("mxnet.contrib.quantization")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What of a graph is to be quantized.

    Attributes:
        mode: `full` for all that can be; `smart` for operators that lead and what stands between
            them, which saves conversions.
        excluded_names: Names of nodes that stay as they are, or that have such a node inside.
        excluded_operators: Names of operators of which all nodes stay as they are.
        channel_wise: Whether weights have a range for each channel where operators support it.
        on_gpu: Whether the graph is for a GPU.
    """

    mode: str = "smart"
    excluded_names: Collection[str] = ()
    excluded_operators: Collection[str] = ()
    channel_wise: bool = False
    on_gpu: bool = False


def mark(graph: Graph, choice: Choice) -> dict[Node, Quantization]:
    """Returns the nodes that are to be quantized, and how.

    Args:
        graph: The graph.
        choice: What is to be quantized.

    Raises:
        MXNetError: if there is no such mode.
    """
    if choice.mode not in ("full", "smart"):
        raise MXNetError(f"quantize_mode: expected `full` or `smart`, got {choice.mode!r}")
    candidates = {
        node: rule for node in graph.nodes if (rule := _find_rule(node, choice)) is not None
    }
    if choice.mode == "full":
        return candidates
    leading = [node for node, rule in candidates.items() if rule.leads]
    read = {node: [entry.node for entry in node.inputs] for node in graph.nodes}
    readers: dict[Node, list[Node]] = {node: [] for node in graph.nodes}
    for node, sources in read.items():
        for source in sources:
            readers[source].append(node)
    between = _reach(leading, read, candidates) & _reach(leading, readers, candidates)
    return {node: rule for node, rule in candidates.items() if rule.leads or node in between}


def _reach(
    leading: Iterable[Node],
    neighbours: dict[Node, list[Node]],
    candidates: Collection[Node],
) -> set[Node]:
    """Returns the candidates that are reached from leading ones by way of candidates."""
    pending, reached = list(leading), set[Node]()
    while pending:
        for node in neighbours[pending.pop()]:
            if node in candidates and node not in reached:
                reached.add(node)
                pending.append(node)
    return reached


def _find_rule(node: Node, choice: Choice) -> Quantization | None:
    """Returns how a node is quantized, None if it is not."""
    rule = None if node.op is None else node.op.traits.quantization
    if rule is None or node.op is None or _is_excluded(node, choice):
        return None
    if choice.on_gpu and not rule.on_gpu:
        _log.info("%s stays in float32: %s is not quantized on GPUs", node.name, node.op.name)
        return None
    refusal = _find_refusal(node, rule)
    if refusal:
        _log.warning("%s stays in float32: %s", node.name, refusal)
        return None
    return rule.channel_wise or rule if choice.channel_wise else rule


def _find_refusal(node: Node, rule: Quantization) -> str:
    """Returns why a node cannot be quantized, empty if it can."""
    refusal = None if rule.refusal is None else rule.refusal(**node.settings)
    if refusal is not None or rule.operator is None:
        return refusal or ""
    try:
        _ = Node(get_op(rule.operator), node.name, {**node.attrs, **rule.attrs}).kind
    except MXNetError as error:
        return str(error)
    return ""


def _is_excluded(node: Node, choice: Choice) -> bool:
    if node.op is None or node.op.name in choice.excluded_operators:
        return True
    return any(name in choice.excluded_names for name in _names_of(node))


def _names_of(node: Node) -> Iterable[str]:
    """Yields the names of a node and of those in the graphs that it runs."""
    yield node.name
    if isinstance(node.op, OwningOp):
        for subgraph in node.op.subgraphs:
            for inner in subgraph.nodes:
                yield from _names_of(inner)
