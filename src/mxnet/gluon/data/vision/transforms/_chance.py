"""Choosing between an array and its transform by chance, on arrays and on symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxnet.symbol import Symbol


def choose(F: Any, probability: float, x: Any, changed: Callable[[Any], Any]) -> Any:
    """Returns `changed(x)` with a probability, else `x`.

    On symbols both are computed, so that a graph without branches can choose between them; both
    must then be of the same shape.

    Args:
        F: The operators.
        probability: How often to change.
        x: Array or symbol.
        changed: What makes the other result.
    """
    draw = F.random.uniform(shape=(1,))
    if not isinstance(x, Symbol):
        return changed(x) if draw.asscalar() < probability else x
    kept = F.reshape(x, shape=(-1,))
    condition = F.broadcast_like(draw < probability, kept)
    choice = F.where(condition, F.reshape(changed(x), shape=(-1,)), kept)
    return F.reshape_like(choice, x)
