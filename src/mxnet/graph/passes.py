"""Passes over a lowered graph that every plan goes through."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from mxnet.graph.calls import Call, CallGraph
from mxnet.graph.node import Node
from mxnet.ops.core.interposing import PlannedCall, watched
from mxnet.ops.core.registry import Op
from mxnet.ops.core.traits import Activation, Role


def operator_of(node: Call) -> Op | None:
    """Returns the operator whose kernel a node calls, None for an auxiliary call."""
    op: Op | None = node.meta.get("op")
    return op


def note_merged(call: Call, parts: Iterable[Call]) -> None:
    """Notes that a call does the work of other calls, for those who show what runs.

    Args:
        call: The call, which may be one of the others.
        parts: The others in the order of the graph.
    """
    call.meta["sources"] = tuple(source for part in parts for source in _sources_of(part))


def _sources_of(call: Call) -> tuple[Node, ...]:
    """Returns the nodes of the graph whose work a call does."""
    source: Node | None = call.meta.get("source")
    sources: tuple[Node, ...] = call.meta.get("sources", () if source is None else (source,))
    return sources


def watch_calls(graph: CallGraph) -> None:
    """Lets the calls that do the work of operators go through what is interposed."""
    for call in graph.nodes:
        sources = _sources_of(call)
        if sources:
            names = ",".join(source.op.name for source in sources if source.op is not None)
            nodes = tuple(source.name for source in sources)
            read = [entry.node for source in sources for entry in source.inputs]
            variables = tuple(node.name for node in read if node.op is None)
            planned = PlannedCall(names, nodes, variables, _program_of(sources[0]))
            call.target = watched(planned, call.target)


def _program_of(source: Node) -> str:
    """Returns the name of the user's operator that a node runs, if it does."""
    is_program = source.op is not None and source.op.traits.runs_program
    return str(source.parsed["op_type"]) if is_program else ""


def attribute(node: Call, name: str) -> Any:
    """Returns an attribute of the operator that a node calls, its default if it is not given."""
    op: Op = node.meta["op"]
    return node.kwargs[name] if name in node.kwargs else op.attrs[name].default


def is_pure(node: Call) -> bool:
    """Returns whether a call gives the same result each time and changes nothing."""
    op = operator_of(node)
    return node.op == "call_function" and (op is None or is_pure_operator(op))


def is_pure_operator(op: Op) -> bool:
    """Returns whether a kernel gives the same result each time and changes nothing."""
    random = "generator" in op.supplied  # and a program of the user may count its calls
    return not (random or op.aux or op.mutates or op.traits.runs_program)


def settings_of(node: Call) -> dict[str, Any]:
    """Returns all attributes of the operator that a node calls."""
    op: Op = node.meta["op"]
    return {name: attribute(node, name) for name in op.attrs}


def role_of(node: Call) -> Role | None:
    """Returns what passes may treat a call as, None for an auxiliary call."""
    op = operator_of(node)
    return None if op is None else op.traits.role


def activation_of(node: Call) -> Activation | None:
    """Returns the activation that a call computes, None for another function."""
    op = operator_of(node)
    rule = None if op is None else op.traits.fusion.activation
    return rule(**settings_of(node)) if callable(rule) else rule


def passes_through(node: Call) -> bool:
    """Returns whether a call returns its first input in prediction."""
    op = operator_of(node)
    if op is None:
        return False
    rule = op.traits.fusion.passes_through
    return rule(**settings_of(node)) if callable(rule) else rule


def remove_identities(graph: CallGraph) -> None:
    """Takes out what has no effect in prediction: dropout, and operators about gradients."""
    for node in graph.calls_of(lambda op: op.traits.fusion.passes_through):
        if passes_through(node):
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)


def share_repeated(graph: CallGraph) -> None:
    """Computes what several nodes compute alike only once."""
    known: dict[Any, Call] = {}
    keys: dict[int, tuple[Any, Any]] = {}  # of attributes, which calls that are alike share
    impure = {*graph.calls_of(lambda op: not is_pure_operator(op))}
    for node in graph.nodes:
        if node.op != "call_function" or node in impure:
            continue
        attrs = node.kwargs
        if id(attrs) not in keys:
            keys[id(attrs)] = attrs, _key_of_attributes(attrs)  # kept, so that the number stays
        key: Any = (node.target, node.args, keys[id(attrs)][1])
        try:
            same = known.setdefault(key, node)
        except TypeError:  # a list, or an attribute that cannot be compared
            try:
                same = known.setdefault((node.target, _hashable(node.args), key[2]), node)
            except TypeError:
                continue
        if same is not node:
            node.replace_all_uses_with(same)
            graph.erase_node(node)


def _key_of_attributes(attrs: Mapping[str, Any]) -> Any:
    # 1, 1.0 and True are equal but not the same attribute.
    return tuple(sorted((k, type(v).__name__, _hashable(v)) for k, v in attrs.items()))


def _hashable(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, *map(_hashable, value))
    return value


def remove_dead(graph: CallGraph) -> None:
    """Takes out what nobody reads."""
    for node in reversed(list(graph.nodes)):
        if not node.users and (is_pure(node) or node.op == "get_attr"):
            graph.erase_node(node)


def split_constant(graph: CallGraph, constants: Collection[Call]) -> CallGraph | None:
    """Moves what depends on nothing but constants to a graph of its own.

    Args:
        graph: The graph; after its own placeholders it gets one for each value that is computed
            elsewhere now.
        constants: Placeholders whose values stay the same between calls.

    Returns:
        The other graph, of the same placeholders, which gives these values; None if there is none.
    """
    fixed = _find_constant(graph, constants)
    if len(fixed) == len(constants):
        return None
    wanted = [
        node
        for node in graph.nodes
        if node in fixed
        and node.op == "call_function"
        and any(user not in fixed for user in node.users)
    ]
    if not wanted:
        return None
    prepared = CallGraph()
    copies: dict[Call, Call] = {}
    for node in graph.nodes:
        if node.op == "placeholder" or node in fixed:
            copies[node] = prepared.node_copy(node, copies.__getitem__)
    prepared.output([copies[node] for node in wanted])
    first = next(node for node in graph.nodes if node.op != "placeholder")
    with graph.inserting_before(first):
        for position, node in enumerate(wanted):
            node.replace_all_uses_with(graph.placeholder(f"prepared_{position}"))
    remove_dead(graph)
    remove_dead(prepared)
    return prepared


def _find_constant(graph: CallGraph, constants: Collection[Call]) -> dict[Call, None]:
    """Finds the nodes whose value is the same in every call."""
    fixed: dict[Call, None] = dict.fromkeys(constants)
    for node in graph.nodes:
        reads_first = bool(node.args) and node.args[0].__class__ is Call
        if not reads_first and is_pure(node) and not node.all_input_nodes:
            fixed[node] = None
    unknown: dict[Call, int] = {}  # how many of its inputs are not fixed
    pending = list(fixed)
    for node in pending:
        for user in node.users:
            count = unknown.get(user)
            count = unknown[user] = (len(user.all_input_nodes) if count is None else count) - 1
            if not count and is_pure(user):
                fixed[user] = None
                pending.append(user)
    return fixed
