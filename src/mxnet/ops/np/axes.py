"""Axes as attributes name them."""

from __future__ import annotations

from collections.abc import Sequence

from mxnet.errors import MXNetError


def axes_of(name: str, axes: Sequence[int], ndim: int) -> list[int]:
    """Returns axes counted from the first one.

    Args:
        name: Operator that errors name.
        axes: Axes, which may be counted from the last one by negative numbers.
        ndim: Number of axes that there are.

    Raises:
        MXNetError: if an axis is none of them or occurs twice.
    """
    positions = [axis + ndim if axis < 0 else axis for axis in axes]
    if len(set(positions)) < len(axes) or not all(0 <= axis < ndim for axis in positions):
        raise MXNetError(f"{name}: expected different axes of {ndim}, got {tuple(axes)}")
    return positions
