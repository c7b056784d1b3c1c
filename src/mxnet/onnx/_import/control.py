"""Branches and loops, if what they depend on is known when the model is imported."""

from __future__ import annotations

from typing import Any

import numpy as onp

from mxnet import limits
from mxnet.onnx._import.functions import np
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.values import Value


@imports("If")
def _if(node: Node, *_: Value) -> Any:
    condition = node.constant(0, "the condition")
    if condition is None or condition.size != 1:
        raise node.error("the condition must be one element")
    graph = node.attrs.get("then_branch" if condition.item() else "else_branch")
    if graph is None:
        raise node.error("a branch is missing")
    return node.importer.run_body(graph, node, [])


@imports("Loop")
def _loop(node: Node, *_: Value | None) -> Any:
    body, count = node.attrs.get("body"), node.integers(0, "the number of rounds")
    if body is None or count is None:
        raise node.error("a loop must have a body and a number of rounds that is known")
    limits.check("loop_iterations", count[0], f"node {node.name!r}")
    importer = node.importer
    condition = node.input(1) or importer.constant(onp.array(True), f"{node.name}_condition")
    carried = [node.need(place) for place in range(2, len(node.inputs))]
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


def _stack(parts: tuple[Value, ...]) -> Any:
    return np.stack([part.np for part in parts], axis=0)


@imports("Scan")
def _scan(node: Node, *_: Value | None) -> Any:
    raise node.error("Scan cannot be imported; export the model with its loop unrolled")
