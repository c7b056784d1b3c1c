"""Gradients of inputs that the results of a graph do not depend on, where some alone are used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet.graph.node import Entry, Node, sort_nodes

_INLINED = 2
"""The original runs graphs of this many operators, or fewer, one operator after the other."""


class Reach:
    """Which inputs of a graph each of its results depends on.

    To the original a graph is one node: whichever result is differentiated, the gradients of all
    its inputs are written. torch leaves those alone that have no part in it.

    Args:
        heads: The results.
        names: Names of the variables in the order of the inputs.
    """

    def __init__(self, heads: Sequence[Entry], names: Sequence[str]) -> None:
        self._inputs: list[tuple[int, frozenset[int]]] = []
        nodes = sort_nodes(heads)
        if len(heads) < 2 or sum(node.op is not None for node in nodes) <= _INLINED:
            return
        masks = _find_users(nodes, heads)
        for position, name in enumerate(names):
            mask = masks.get(name, 0)
            if 0 < mask.bit_count() < len(heads):
                users = frozenset(i for i in range(len(heads)) if mask >> i & 1)
                self._inputs.append((position, users))

    def join(self, results: Sequence[Tensor], tensors: Sequence[Tensor]) -> Sequence[Tensor]:
        """Makes one node of recorded results, which gives zeros to inputs without a part in it."""
        inputs = [item for item in self._inputs if tensors[item[0]].requires_grad]
        recorded = [i for i, result in enumerate(results) if result.requires_grad]
        if not inputs or not recorded:
            return results
        places = {i: place for place, i in enumerate(recorded)}
        users = [{places[i] for i in of if i in places} for _, of in inputs]
        joined = _Joined.apply(  # type: ignore[no-untyped-call]
            users, *(results[i] for i in recorded), *(tensors[position] for position, _ in inputs)
        )
        found = list(results)
        for i, result in zip(recorded, joined, strict=True):
            found[i] = result
        return found


def _find_users(nodes: Sequence[Node], heads: Sequence[Entry]) -> dict[str, int]:
    """Finds the results that depend on each variable, as bits of a number, in one walk."""
    masks = dict.fromkeys(nodes, 0)
    for number, head in enumerate(heads):
        masks[head.node] |= 1 << number
    found: dict[str, int] = {}
    for node in reversed(nodes):
        if node.op is None:
            found[node.name] = found.get(node.name, 0) | masks[node]
        for source in {entry.node for entry in node.inputs}:
            masks[source] |= masks[node]
    return found


class _Joined(torch.autograd.Function):
    """Results as they are; an input that none of the differentiated ones uses has gradient 0."""

    @staticmethod
    def forward(ctx: Any, users: Sequence[set[int]], *values: Tensor) -> tuple[Tensor, ...]:
        ctx.set_materialize_grads(False)
        ctx.users = users
        results, inputs = values[: -len(users)], values[-len(users) :]
        ctx.likes = [(item.shape, item.dtype, item.device) for item in inputs]
        return tuple(item.data for item in results)  # which torch takes for no views

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Any, ...]:
        differentiated = {i for i, grad in enumerate(grads) if grad is not None}
        zeros = [
            torch.zeros(shape, dtype=dtype, device=device) if not of & differentiated else None
            for of, (shape, dtype, device) in zip(ctx.users, ctx.likes, strict=True)
        ]
        return None, *grads, *zeros
