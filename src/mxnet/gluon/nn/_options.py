"""What the constructors of layers share: options that are checked before anything is made."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import SupportsIndex, TypeAlias

from mxnet.errors import InvalidArgumentError
from mxnet.initializer import Initializer

InitLike: TypeAlias = Initializer | str | None
"""An initializer, its name, or None for that of the network."""

Sizes: TypeAlias = int | Sequence[int]
"""A number for all spatial axes, or one for each."""


def per_axis(layer: str, option: str, value: Sizes, num_axes: int) -> Sequence[int]:
    """Returns the value of an option for each spatial axis.

    Raises:
        InvalidArgumentError: if there are more or fewer values than axes.
    """
    if isinstance(value, int):
        return (value,) * num_axes
    if len(value) != num_axes:
        raise InvalidArgumentError(
            f"{layer}: {option} must be a number or {num_axes} of them, got {value}"
        )
    return value


def require_count(layer: str, option: str, value: SupportsIndex, at_least: int = 1) -> int:
    """Returns a number of channels or units, which must be whole and not too small."""
    try:
        count = index(value)
    except TypeError:
        count = at_least - 1
    if count < at_least:
        raise InvalidArgumentError(
            f"{layer}: {option} must be at least {at_least} and whole, got {value!r}"
        )
    return count


def choose_layout(layer: str, layout: str | None, known: Sequence[str]) -> str:
    """Returns the layout of a layer, the first of the known ones if none is asked for."""
    if layout is None:
        return known[0]
    if layout not in known:
        raise InvalidArgumentError(f"{layer}: layout takes {' or '.join(known)}, got {layout!r}")
    return layout
