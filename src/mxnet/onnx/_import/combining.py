"""Operators on any number of arrays: sums, means, extremes, joins."""

from __future__ import annotations

from functools import reduce
from typing import Any

from mxnet.onnx._import.functions import np, sym
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.values import Value


@imports("Sum")
def _sum(_: Node, *values: Value) -> Any:
    return reduce(lambda total, value: total + value.np, values[1:], values[0].np)


@imports("Mean")
def _mean(_: Node, *values: Value) -> Any:
    return reduce(lambda total, value: total + value.np, values[1:], values[0].np) / len(values)


@imports("Max", "Min")
def _extreme(node: Node, *values: Value) -> Any:
    function = np.maximum if node.op_type == "Max" else np.minimum
    if len(values) == 1:
        return sym.identity(values[0].sym)
    return reduce(lambda result, value: function(result, value.np), values[1:], values[0].np)


@imports("Concat")
def _concat(node: Node, *values: Value) -> Any:
    if len(values) == 1:
        return sym.identity(values[0].sym)
    return sym.concat(*[value.sym for value in values], dim=node.get("axis", 1))


@imports("Einsum")
def _einsum(node: Node, *values: Value) -> Any:
    return np.einsum(node.get("equation", ""), *[value.np for value in values])
