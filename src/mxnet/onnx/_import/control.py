"""Branches and loops: those whose conditions are known are taken and unrolled at import."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as onp

from mxnet import limits
from mxnet.onnx._import.budget import ELEMENTS, NODES
from mxnet.onnx._import.lengths import Axis
from mxnet.onnx._import.nodes import Node, Value, np, sym
from mxnet.onnx._table import imports

_PRICE_OF_LOOK = 256
"""What it costs to look at a name in a body, in elements that could be computed meanwhile."""


@imports("If")
def _if(node: Node, *_: Value) -> Any:
    condition = node.need(0)
    if condition.constant is None:
        return choose(node, condition)
    if condition.constant.size != 1:
        raise node.error("the condition must be one element")
    graph = node.attrs.get("then_branch" if condition.constant.item() else "else_branch")
    if graph is None:
        raise node.error("a branch is missing")
    return node.importer.run_body(graph, node, [])


@imports("Loop")
def _loop(node: Node, *_: Value | None) -> Any:
    body, count = node.attrs.get("body"), node.integers(0, "the number of rounds")
    if body is None or not body.output:
        raise node.error("a loop must have a body that says whether there is a next round")
    if count is not None:
        limits.check(
            "loop_iterations", max(count, default=0), f"{node.budget.origin}: {node.place}"
        )
    importer = node.importer
    condition = node.input(1) or importer.constant(onp.array(True), f"{node.name}_condition")
    carried = [node.need(place) for place in range(2, len(node.inputs))]
    if condition.constant is None or _ends_by_data(node, body, carried):
        return repeat_while(node, condition, None if count is None else count[0])
    if count is None:
        raise node.error("a loop must have a condition or a number of rounds that is known")
    scans: list[list[Value]] = []
    for number in range(count[0]):
        node.budget.spend(NODES, 1, node.place)
        if condition.constant is None:
            raise node.error("the condition must be known when the model is imported")
        if not condition.constant.item():
            break
        index = importer.constant(onp.array(number, onp.int64), f"{node.name}_round")
        condition, *results = importer.run_body(body, node, [index, condition, *carried])
        carried, scanned = results[: len(carried)], results[len(carried) :]
        scans.append(scanned)
    if not scans and len(node.outputs) > len(carried):
        raise node.error("a loop of no rounds collects nothing")
    return [*carried, *[_stack(parts) for parts in zip(*scans, strict=True)]]


def _ends_by_data(node: Node, body: Any, carried: Sequence[Value]) -> bool:
    """Returns whether the condition that a body computes is not known at import."""
    num_names = sum(len(inner.input) + len(inner.output) for inner in body.node)
    num_names += len(body.node) + len(body.input) + len(body.initializer)
    node.budget.spend(ELEMENTS, _PRICE_OF_LOOK * num_names, node.place)
    given = [True, True, *(value.constant is not None for value in carried)]
    known = dict.fromkeys((tensor.name for tensor in body.initializer), True)
    known |= {info.name: is_known for info, is_known in zip(body.input, given, strict=False)}

    def is_known(name: str) -> bool:
        if name not in known:
            known[name] = name in node.scope and node.scope[name].constant is not None
        return known[name]

    for inner in body.node:
        known |= dict.fromkeys(inner.output, all(is_known(name) for name in inner.input if name))
    return not is_known(body.output[0].name)


def _stack(parts: tuple[Value, ...]) -> Any:
    return np.stack([part.np for part in parts], axis=0)


def choose(node: Node, condition: Value) -> Any:
    """Writes both branches, as it is not known yet which one is taken."""
    graphs = [node.attrs.get(name) for name in ("then_branch", "else_branch")]
    if None in graphs:
        raise node.error("a branch is missing")
    shapes: list[tuple[Axis, ...]] = []

    def run(graph: Any) -> list[Any]:
        results = node.importer.run_body(graph, node, [])
        shapes[:] = [result.lengths for result in results]
        return [_with_axis(result) for result in results]

    branches = [lambda graph=graph: run(graph) for graph in graphs]
    results = sym.contrib.cond(_with_axis(condition), *branches, name=node.name)
    return [_restore(*pair) for pair in zip(results, shapes, strict=True)]


def repeat_while(node: Node, condition: Value, count: int | None) -> Any:
    """Writes a loop that ends when its body says so, or after a number of rounds.

    Args:
        node: The node.
        condition: Whether there is a first round.
        count: The largest number of rounds, None for as many as the limit allows.
    """
    carried = [node.need(place) for place in range(2, len(node.inputs))]
    if len(node.outputs) > len(carried):
        raise node.error(
            "a loop that ends by its data and collects values makes arrays of a length that no "
            "graph here knows; let it collect into an array of a fixed length"
        )
    body, first = node.attrs["body"], sym.zeros((1,), dtype="int64")
    started = sym.Cast(_with_axis(condition), dtype="float32")
    names = [item.name for item in body.input]

    def step(number: Any, proceed: Any, *states: Any) -> tuple[list[Any], list[Any]]:
        given = [
            _inside(node, names[0], number, (), "int64"),
            _inside(node, names[1], sym.Cast(proceed, dtype="bool"), (), "bool"),
            *_states(node, names[2:], states, carried),
        ]
        goes_on, *results = node.importer.run_body(body, node, given)
        again = sym.Cast(_with_axis(goes_on), dtype="float32") * proceed
        return [], [number + 1, again, *map(_with_axis, results)]

    _, results = sym.contrib.while_loop(
        lambda _, proceed, *__: proceed,
        step,
        [first, started, *map(_with_axis, carried)],
        max_iterations=limits.get("loop_iterations") if count is None else count,
        name=node.name,
    )
    return [_restore(*pair) for pair in zip(results[2:], (c.lengths for c in carried), strict=True)]


@imports("Scan")
def _scan(node: Node, *_: Value | None) -> Any:
    """Writes a loop over the steps of arrays."""
    body, num_scanned = node.attrs.get("body"), node.get("num_scan_inputs", 0)
    if node.version < 9 or body is None or not 0 < num_scanned <= len(node.inputs):
        raise node.error("takes a body, and inputs to go through, as since opset 9")
    num_states = len(node.inputs) - num_scanned
    states = [node.need(place) for place in range(num_states)]
    scanned = [node.need(place) for place in range(num_states, len(node.inputs))]
    ways = zip(scanned, *_ways(node, "input", num_scanned), strict=True)
    data = [_first_axis(node, *item) for item in ways]
    names = [item.name for item in body.input]
    tails, dtypes = [lengths[1:] for _, lengths in data], [value.dtype for value in scanned]
    shapes: list[tuple[Axis, ...]] = []

    def step(rows: Sequence[Any], held: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        given = [
            *_states(node, names[:num_states], held, states),
            *[
                _inside(node, *item)
                for item in zip(names[num_states:], rows, tails, dtypes, strict=True)
            ],
        ]
        results = node.importer.run_body(body, node, given)
        shapes[:] = [result.lengths for result in results[num_states:]]
        made = [_with_axis(result) for result in results]
        return made[num_states:], made[:num_states]

    rows, held = sym.contrib.foreach(
        step, [item for item, _ in data], [_with_axis(item) for item in states], name=node.name
    )
    orders = zip(*_ways(node, "output", len(rows)), strict=True)
    return [
        *[_restore(result, item.lengths) for result, item in zip(held, states, strict=True)],
        *[_last_order(*item) for item in zip(rows, shapes, orders, strict=True)],
    ]


def _ways(node: Node, side: str, count: int) -> tuple[list[int], list[int]]:
    """Returns the axes along which arrays are gone through, and whether backwards."""
    axes = node.ints(f"scan_{side}_axes", [0] * count) or []
    directions = node.ints(f"scan_{side}_directions", [0] * count) or []
    if len(axes) != count or len(directions) != count:
        raise node.error(f"expected {count} axes and directions, got {axes} and {directions}")
    return axes, directions


def _first_axis(
    node: Node, value: Value, axis: int, direction: int
) -> tuple[Any, tuple[Axis, ...]]:
    """Returns an array with the steps along the first axis, and its shape."""
    axis = node.normalize(axis, value.ndim)
    lengths = value.lengths
    moved = np.moveaxis(value.np, axis, 0)
    if direction:
        moved = np.flip(moved, axis=0)
    return moved.as_nd_ndarray(), (lengths[axis], *lengths[:axis], *lengths[axis + 1 :])


def _last_order(rows: Any, shape: tuple[Axis, ...], way: tuple[int, int]) -> Any:
    """Returns what steps have computed, in the order that is asked for."""
    stacked = rows.as_np_ndarray()
    if not shape:
        stacked = np.reshape(stacked, (-1,))
    if way[1]:
        stacked = np.flip(stacked, axis=0)
    return np.moveaxis(stacked, 0, way[0]) if way[0] else stacked


def _states(
    node: Node, names: Sequence[str], variables: Sequence[Any], like: Sequence[Value]
) -> list[Value]:
    return [
        _inside(node, name, variable, value.lengths, value.dtype)
        for name, variable, value in zip(names, variables, like, strict=True)
    ]


def _inside(
    node: Node, name: str, variable: Any, shape: tuple[Axis, ...], dtype: str | None
) -> Value:
    """Returns an input of a body."""
    if variable._heads[0].node.op is None:
        node.importer.open_lengths.add_input(variable, shape or (1,))
    computed = variable if shape else np.reshape(variable.as_np_ndarray(), ()).as_nd_ndarray()
    return Value(name, lambda _: computed, dtype, shape)


def _with_axis(value: Value) -> Any:
    """Returns a symbol of at least one axis, which is not a variable itself."""
    if not value.lengths:
        return np.reshape(value.np, (1,)).as_nd_ndarray()
    return sym.identity(value.sym)


def _restore(result: Any, shape: tuple[Axis, ...]) -> Any:
    """Returns a result of a body without the axis that it has in place of none."""
    return result if shape else np.reshape(result.as_np_ndarray(), ())
