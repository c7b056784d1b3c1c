"""What the constructors of layers share: options that are checked, and words that describe them."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from operator import index
from typing import SupportsIndex, TypeAlias

from mxnet._start import did_you_mean
from mxnet.errors import InvalidArgumentError
from mxnet.initializer import Initializer
from mxnet.ops.core.attrs import list_lengths

InitLike: TypeAlias = Initializer | str | None
"""An initializer, its name, or None for that of the network."""

Sizes: TypeAlias = SupportsIndex | Sequence[int]
"""A number for all spatial axes, or one for each; numbers and arrays of NumPy do as well."""


def as_whole(value: object) -> int | None:
    """Returns a whole number of Python or NumPy as an int, None for all else."""
    try:
        return index(value)  # type: ignore[arg-type]  # that is what is found out
    except TypeError:
        return None


def per_axis(layer: str, option: str, value: Sizes, num_axes: int) -> Sequence[int]:
    """Returns the value of an option for each spatial axis.

    Raises:
        InvalidArgumentError: if there are more or fewer values than axes.
    """
    number = as_whole(value)
    if number is not None:
        return (number,) * num_axes
    if not isinstance(value, Sized) or len(value) != num_axes:
        raise InvalidArgumentError(
            f"{layer}: {option} must be a number or {num_axes} of them, got {value}"
        )
    sizes: Sequence[int] = list_lengths(value)
    return sizes


def require_count(layer: str, option: str, value: SupportsIndex, at_least: int = 1) -> int:
    """Returns a number of channels or units, which must be whole and not too small."""
    count = as_whole(value)
    if count is None or count < at_least:
        raise InvalidArgumentError(
            f"{layer}: {option} must be at least {at_least} and whole, got {value!r}"
        )
    return count


def choose_layout(layer: str, layout: str | None, known: Sequence[str]) -> str:
    """Returns the layout of a layer, the first of the known ones if none is asked for."""
    if layout is None:
        return known[0]
    if layout not in known:
        raise InvalidArgumentError(
            f"{layer}: layout takes {' or '.join(known)}, got {layout!r}"
            f"{did_you_mean(layout, known)}"
        )
    return layout


_LENGTHS = {"D": "depth", "H": "height", "W": "width"}
_NUMBERS = {1: "", 2: ", a number or two", 3: ", a number or three"}


def name_axes(layouts: Sequence[str]) -> dict[str, str]:
    """Returns the words of docstrings for spatial axes, from the layouts that a layer takes."""
    if not layouts:
        return {}
    axes = layouts[0][2:]
    lengths = ", ".join(_LENGTHS[axis] for axis in axes)
    choice = " (the default) or ".join(f'`"{layout}"`' for layout in layouts)
    return {
        "axes": ", ".join(axes),
        "lengths": lengths,
        "ones": ", ".join("1" for _ in axes),
        "numbers": _NUMBERS[len(axes)],
        "of_axes": "of each axis" if len(axes) > 1 else "of the axis",
        "layout": layouts[0],
        "layouts": choice if len(layouts) > 1 else f"{choice}: batch, channels, {lengths}",
    }
