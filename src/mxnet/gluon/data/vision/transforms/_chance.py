"""Random choice between an array and its transform, for arrays and symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxnet.symbol import Symbol


def choose(F: Any, probability: float, x: Any, changed: Callable[[Any], Any]) -> Any:
    """Returns `changed(x)` with a probability, else `x`.

    On symbols both are computed, because the graph has no branches; then both must have the same
    shape.

    Args:
        F: The operators.
        probability: Probability of the change.
        x: Array or symbol.
        changed: Function that returns the changed array.
    """
    draw = F.random.uniform(shape=(1,))
    if not isinstance(x, Symbol):
        return changed(x) if draw.asnumpy().item() < probability else x
    kept = F.reshape(x, shape=(-1,))
    condition = F.broadcast_like(draw < probability, kept)
    choice = F.where(condition, F.reshape(changed(x), shape=(-1,)), kept)
    return F.reshape_like(choice, x)
