"""The text of `Symbol.debug_str`."""

from __future__ import annotations

from mxnet.graph.ir import Graph, Node


def describe(graph: Graph) -> str:
    """Describes outputs and nodes of a graph, with what each node reads and its attributes."""
    heads = graph.heads
    if len(heads) == 1 and heads[0].node.op is None:
        return f"Variable:{heads[0].node.name}\n"
    lines = ["Symbol Outputs:"]
    lines += [
        f"\toutput[{number}]={head.node.name}({head.output})" for number, head in enumerate(heads)
    ]
    versions: dict[Node, int] = {}
    for node in graph.nodes:
        lines += _describe_node(node, versions)
    return "\n".join([*lines, ""])


def _describe_node(node: Node, versions: dict[Node, int]) -> list[str]:
    if node.op is None:
        return [f"Variable:{node.name}"]
    lines = ["-" * 20, f"Op:{node.op.name}, Name={node.name}", "Inputs:"]
    for position, entry in enumerate(node.inputs):
        text = f"\targ[{position}]={entry.node.name}({entry.output})"
        if entry.node.op is None:
            # How often states have been updated before this node reads them.
            versions[entry.node] = versions.get(entry.node, 0) + node.updates(position)
            text += f" version={versions[entry.node]}"
        lines.append(text)
    if node.attrs:
        lines += ["Attrs:", *(f"\t{key}={value}" for key, value in sorted(node.attrs.items()))]
    return lines
