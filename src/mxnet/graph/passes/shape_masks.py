"""Masks of attention that depend on nothing but shapes, as a causal mask of `arange_like` does.

Their calls become a graph of their own. It is run once on a CPU for each shape, to find out whether
the mask is causal, which fused kernels know without an array. Other masks are computed by it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import prod
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor
from torch.utils._python_dispatch import _disable_current_modes

from mxnet.graph.lower import Call, CallGraph, compile_graph, is_pure
from mxnet.ops.core.attrs import Shape

Compute: TypeAlias = Callable[[Sequence[Tensor]], list[Tensor]]

_MOST_SCORES = 1 << 27
"""Scores up to which a mask, which may have as many elements, is computed to be looked at."""
_SWALLOWING = {torch.float32: -1e9, torch.float64: -1e18}
"""Biases up to this leave nothing of the scores; half precision has no scores below -65504."""
_SWALLOWING_IN_HALF = -1e4


class Causal(NamedTuple):
    """Scores of which each query takes those of its own key and of the keys before it."""

    scale: float
    """Factor of the products of queries and keys."""
    first: Shape
    """Shape of the products."""
    last: Shape
    """Shape of the weights, whose leading axes may be divided in another way."""


class ShapeMasks(NamedTuple):
    """Computes masks for the inputs of the product that gives the scores; their shapes count."""

    compute: Compute
    compute_on_cpu: Compute
    """Computes them for inputs on a CPU, also if some calls name another device."""


class CausalFinder:
    """Finds out for which shapes a mask is causal, and remembers it.

    Args:
        look: Looks at the mask for arrays on a CPU that stand for the inputs of the product.
    """

    def __init__(self, look: Callable[[Sequence[Tensor]], Causal | None]) -> None:
        self._look = look
        self._known: dict[Any, Causal | None] = {}

    def find(self, *key: tuple[Shape, torch.dtype]) -> Causal | None:
        """Returns what is known of the scores if the mask is causal.

        Args:
            *key: Shapes and types of the inputs of the product.
        """
        if key not in self._known:
            with _disable_current_modes(), torch.no_grad():
                self._known[key] = self._look(
                    [torch.zeros((), dtype=dtype).expand(shape) for shape, dtype in key]
                )
        return self._known[key]

    # As `torch._dynamo.assume_constant_result` would say, whose import takes a second.
    find._dynamo_marked_constant = True  # type: ignore[attr-defined]


def extract(
    sides: Sequence[Call], leaves: Sequence[Any], stand_ins: Collection[Call]
) -> ShapeMasks | None:
    """Returns what computes the sides of attention, None if they depend on more than shapes.

    Args:
        sides: Calls whose results the steps of attention read.
        leaves: Inputs of the product that gives the scores.
        stand_ins: Calls that give arrays without elements in the shapes of steps.
    """
    order = _sort_ancestors(sides, stand_ins) if sides else None
    if order is None or not all(isinstance(item, Call) for item in leaves):
        return None
    return ShapeMasks(*[_compile(order, sides, leaves, on_cpu) for on_cpu in (False, True)])


def _compile(
    order: Sequence[Call], sides: Sequence[Call], leaves: Sequence[Call], on_cpu: bool
) -> Compute:
    graph = CallGraph()
    copies = {leaf: graph.placeholder(f"scored_{place}") for place, leaf in enumerate(leaves)}
    for call in order:
        copy = copies[call] = graph.node_copy(call, copies.__getitem__)
        if on_cpu and isinstance(copy.kwargs.get("device"), torch.device):
            copy.kwargs = {**copy.kwargs, "device": torch.device("cpu")}
    graph.output([copies[side] for side in sides])
    run: Callable[..., list[Tensor]] = compile_graph(graph, torch.nn.Module())
    return lambda scored: run(*scored)


def _sort_ancestors(sides: Sequence[Call], stand_ins: Collection[Call]) -> list[Call] | None:
    """Returns what the sides are computed by in order, None if some of it reads elements."""
    order: dict[Call, None] = {}
    pending = [*sides]
    while pending:
        call = pending[-1]
        if call in order:
            pending.pop()
            continue
        if call.op != "call_function" or not (call in stand_ins or is_pure(call)):
            return None
        needed = [] if _reads_leaves(call, stand_ins) else call.all_input_nodes
        missing = [item for item in needed if item not in order]
        if missing:
            pending += missing
        else:
            order[pending.pop()] = None
    return list(order)


def _reads_leaves(call: Call, stand_ins: Collection[Call]) -> bool:
    """Returns whether a call is the stand-in that is made from what gives the scores."""
    return call in stand_ins and not any(item in stand_ins for item in call.all_input_nodes)


def are_few(shape: Shape) -> bool:
    """Returns whether a mask for scores of a shape is small enough to be computed for a look."""
    return shape[-2] == shape[-1] > 1 and prod(shape) <= _MOST_SCORES


def is_causal(length: int, bias: Tensor | None, allowed: Tensor | None) -> bool:
    """Returns whether each query takes its own key and those before it, and no others.

    Args:
        length: Number of queries and of keys.
        bias: What is added to the scores, which it broadcasts to.
        allowed: Where scores count.
    """
    lower = torch.ones(length, length, dtype=torch.bool).tril()
    banned = torch.zeros((), dtype=torch.bool)
    if allowed is not None:
        banned = ~allowed
    if bias is not None:
        if not bool(((bias == 0) | ~lower).all()):
            return False
        banned = banned | (bias <= _SWALLOWING.get(bias.dtype, _SWALLOWING_IN_HALF))
    return bool((banned == ~lower).all())
