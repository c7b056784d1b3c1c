"""Branches and loops: those whose conditions are known are taken and unrolled at import."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as onp

from mxnet import limits
from mxnet.onnx._import.dynamic_control import choose, repeat_while, scan
from mxnet.onnx._import.functions import np
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.values import Value


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
    if body is None:
        raise node.error("a loop must have a body")
    if count is not None:
        limits.check("loop_iterations", count[0], f"node {node.name!r}")
    importer = node.importer
    condition = node.input(1) or importer.constant(onp.array(True), f"{node.name}_condition")
    carried = [node.need(place) for place in range(2, len(node.inputs))]
    if condition.constant is None or _ends_by_data(node, body, carried):
        return repeat_while(node, condition, None if count is None else count[0])
    if count is None:
        raise node.error("a loop must have a condition or a number of rounds that is known")
    scans: list[list[Value]] = []
    for number in range(count[0]):
        if condition.constant is None:
            raise node.error("the condition must be known when the model is imported")
        if not condition.constant.item():
            break
        index = importer.constant(onp.array(number, onp.int64), f"{node.name}_round")
        condition, *results = importer.run_body(body, node, [index, condition, *carried])
        carried = results[: len(carried)]
        scans.append(results[len(carried) :])
    if not scans and len(node.outputs) > len(carried):
        raise node.error("a loop of no rounds collects nothing")
    return [*carried, *[_stack(parts) for parts in zip(*scans, strict=True)]]


def _ends_by_data(node: Node, body: Any, carried: Sequence[Value]) -> bool:
    """Returns whether the condition that a body computes is not known at import."""
    known = {tensor.name for tensor in body.initializer}
    known |= {name for name, value in node.scope.items() if value.constant is not None}
    given = [True, True, *(value.constant is not None for value in carried)]
    known |= {info.name for info, is_known in zip(body.input, given, strict=False) if is_known}
    for inner in body.node:
        if all(name in known for name in inner.input if name):
            known.update(inner.output)
    return body.output[0].name not in known


def _stack(parts: tuple[Value, ...]) -> Any:
    return np.stack([part.np for part in parts], axis=0)


@imports("Scan")
def _scan(node: Node, *_: Value | None) -> Any:
    return scan(node)
