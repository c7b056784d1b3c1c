"""Gradients of inputs that the results of a graph do not depend on, where some alone are used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet.graph.ir import Graph

_INLINED = 2
"""The original runs graphs of this many operators, or fewer, one operator after the other."""


class Reach:
    """Which inputs of a graph each of its results depends on.

    To the original a graph is one node: whichever result is differentiated, the gradients of all
    its inputs are written. torch leaves those alone that have no part in it.

    Args:
        graph: The graph.
        names: Names of the variables in the order of the inputs.
    """

    def __init__(self, graph: Graph, names: Sequence[str]) -> None:
        self._inputs: list[tuple[int, int]] = []
        heads = graph.heads
        if len(heads) < 2 or sum(node.op is not None for node in graph.nodes) <= _INLINED:
            return
        users = _find_users(graph)
        for position, name in enumerate(names):
            if 0 < users.get(name, 0) < (1 << len(heads)) - 1:
                self._inputs.append((position, users[name]))

    def join(self, results: Sequence[Tensor], tensors: Sequence[Tensor]) -> Sequence[Tensor]:
        """Makes one node of recorded results, which gives zeros to inputs without a part in it."""
        inputs = [item for item in self._inputs if tensors[item[0]].requires_grad]
        recorded = [i for i, result in enumerate(results) if result.requires_grad]
        if not inputs or not recorded:
            return results
        all_recorded = len(recorded) == len(results)
        users = [of if all_recorded else _pick_bits(of, recorded) for _, of in inputs]
        joined = _Joined.apply(  # type: ignore[no-untyped-call]
            users, *(results[i] for i in recorded), *(tensors[position] for position, _ in inputs)
        )
        outputs = list(results)
        for i, result in zip(recorded, joined, strict=True):
            outputs[i] = result
        return outputs


def inputs_of_heads(graph: Graph, names: Sequence[str]) -> list[list[int]]:
    """Returns for each result of a graph which inputs it depends on, as positions in `names`."""
    users = _find_users(graph)
    return [
        [place for place, name in enumerate(names) if users.get(name, 0) >> head & 1]
        for head in range(len(graph.heads))
    ]


def _find_users(graph: Graph) -> dict[str, int]:
    """Returns for each variable which results of a graph depend on it, a bit for each."""
    users = dict.fromkeys(graph.nodes, 0)
    for position, head in enumerate(graph.heads):
        users[head.node] |= 1 << position
    named: dict[str, int] = {}
    for node in reversed(graph.nodes):
        bits = users.pop(node)
        for entry in node.inputs:
            users[entry.node] |= bits
        if node.op is None:
            named[node.name] = named.get(node.name, 0) | bits
    return named


def _pick_bits(bits: int, positions: Sequence[int]) -> int:
    """Returns the bits at some positions, moved together."""
    return sum(1 << number for number, position in enumerate(positions) if bits >> position & 1)


class _Joined(torch.autograd.Function):
    """Results as they are; an input that none of the differentiated ones uses has gradient 0."""

    @staticmethod
    def forward(ctx: Any, users: Sequence[int], *values: Tensor) -> tuple[Tensor, ...]:
        ctx.set_materialize_grads(False)
        ctx.users = users
        results, inputs = values[: -len(users)], values[-len(users) :]
        ctx.likes = [(item.shape, item.dtype, item.device) for item in inputs]
        return tuple(item.data for item in results)  # which torch takes for no views

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Any, ...]:
        differentiated = sum(1 << i for i, grad in enumerate(grads) if grad is not None)
        zeros = [
            torch.zeros(shape, dtype=dtype, device=device) if not of & differentiated else None
            for of, (shape, dtype, device) in zip(ctx.users, ctx.likes, strict=True)
        ]
        return None, *grads, *zeros
