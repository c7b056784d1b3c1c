"""The graph of what was recorded, for `autograd.get_symbol`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet._arrays.array import Source, origin_of
from mxnet._frontend.array_trace import _TRACED_CLASSES, ArrayTracer
from mxnet._state import modes
from mxnet.graph.ir import Entry, Node, sort_nodes
from mxnet.graph.json import write_json
from mxnet.graph.run import make_call_op
from mxnet.ndarray import NDArray
from mxnet.ndarray._program import BoundProgram


def graph_of(array: NDArray) -> Entry:
    """Returns the graph of the recorded operations that computed an array.

    Sources that have a gradient are called `var0`, `var1`, ..., others `null` with their number
    among all sources, and nodes `node_0`, `node_1`, ...
    """
    tracer = ArrayTracer({})
    made: dict[int, Any] = {}
    several: dict[tuple[int, ...], list[Any]] = {}
    """Outputs of each call that has more than one."""
    counts = {"var": 0, "null": 0}

    cls = array._dialect_class

    def make_variable(source: Source) -> NDArray:
        prefix = "var" if source.has_gradient else "null"
        name = f"{prefix}{counts['var'] if prefix == 'var' else counts['var'] + counts['null']}"
        counts[prefix] += 1
        variable = Entry(Node(None, name))
        traced: NDArray = _TRACED_CLASSES[cls].of(variable, source.shape, source.dtype, source.ctx)
        return traced

    def repeat(origin: Any) -> Any:
        if isinstance(origin, Source):
            return make_variable(origin)
        action, inputs, details, number = origin
        given = [None if item is None else made[id(item)] for item in inputs]
        if isinstance(action, str):
            return getattr(given[0], action)(*details)
        call = id(action), id(inputs), id(details)  # the outputs of one call share these
        if call not in several:
            several[call] = (
                _repeat_program(tracer, action, given, cls)
                if isinstance(action, BoundProgram)
                else _as_list(tracer.call(action, given, details, cls=cls))
            )
        return several[call][number]

    head = origin_of(array)
    before, modes.tracer = modes.tracer, tracer
    try:
        for origin in _sort_origins(head):
            made[id(origin)] = repeat(origin)
    finally:
        modes.tracer = before
    entry: Entry = made[id(head)]._entry
    for number, node in enumerate(n for n in sort_nodes([entry]) if n.op is not None):
        node.name = f"node_{number}"
    return entry


def _sort_origins(head: Any) -> list[Any]:
    """Lists origins in topological order: each comes after those that it reads."""
    ordered: list[Any] = []
    done: set[int] = set()
    pending = [(head, False)]
    while pending:
        origin, is_ready = pending.pop()
        if is_ready:
            ordered.append(origin)
        elif id(origin) not in done:
            done.add(id(origin))
            pending.append((origin, True))
            if not isinstance(origin, Source):
                pending.extend((item, False) for item in reversed(origin[1]) if item is not None)
    return ordered


def _repeat_program(
    tracer: ArrayTracer, bound: BoundProgram, given: Sequence[Any], cls: type[NDArray]
) -> list[Any]:
    """Traces a graph that was run as a whole: its operators, or a node that runs the graph."""
    program = bound.program
    values: dict[Node, list[Any]] = {}
    by_name = dict(zip(program.names, given, strict=True))
    if not program.is_inline:
        attrs = {"subgraph": write_json(program.graph, np_shape=cls._is_np)}
        inputs = [by_name[name] for name in program.graph.input_names]
        return _as_list(tracer.call(make_call_op(program.graph), inputs, attrs, cls=cls))
    for node in program.graph.nodes:
        if node.op is None:
            values[node] = [by_name[node.name]]
        else:
            inputs = [values[entry.node][entry.output] for entry in node.inputs]
            values[node] = _as_list(tracer.call(node.op, inputs, node.parsed, cls=cls))
    return [values[head.node][head.output] for head in program.graph.heads]


def _as_list(outputs: Any) -> list[Any]:
    return outputs if isinstance(outputs, list) else [outputs]
