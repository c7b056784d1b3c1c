"""Padding of the NumPy dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import ArgumentValueError, MXNetError
from mxnet.ops.attrs import Number, Shapes
from mxnet.ops.registry import op
from mxnet.ops.scalars import as_element
from mxnet.ops.sizes import check_like

PadMode: TypeAlias = Literal["constant", "edge", "maximum", "minimum", "reflect", "symmetric"]


def _widths(data: Tensor, pad_width: Shapes) -> Shapes:
    """Returns the widths before and after each axis.

    Those of a vector may be two numbers, each of which is read as a tuple of one.
    """
    if data.ndim == 1 and len(pad_width) == 2 and all(len(item) == 1 for item in pad_width):
        pad_width = ((pad_width[0][0], pad_width[1][0]),)
    if len(pad_width) != data.ndim or any(len(item) != 2 or min(item) < 0 for item in pad_width):
        raise ArgumentValueError(
            f"_npi_pad: expected two widths for each of {data.ndim} axes, got {pad_width}"
        )
    return pad_width


def _edge(positions: Tensor, size: int) -> Tensor:
    return positions.clamp(0, size - 1)


def _reflected(positions: Tensor, size: int) -> Tensor:
    period = max(2 * (size - 1), 1)
    positions = positions.remainder(period)
    return torch.minimum(positions, period - positions) if size > 1 else positions


def _symmetric(positions: Tensor, size: int) -> Tensor:
    positions = positions.remainder(2 * size)
    return torch.minimum(positions, 2 * size - 1 - positions)


_SOURCES: dict[str, Callable[[Tensor, int], Tensor]] = {
    "edge": _edge,
    "reflect": _reflected,
    "symmetric": _symmetric,
}
"""Which element stands at a position, which may lie outside of the axis."""


def _pad_axis(data: Tensor, axis: int, before: int, after: int, mode: str) -> Tensor:
    """Pads one axis with elements of the array itself."""
    size = data.shape[axis]
    if size == 0:
        raise MXNetError(f"_npi_pad: mode {mode!r} has nothing to repeat along an empty axis")
    if mode in _SOURCES:
        positions = torch.arange(-before, size + after, device=data.device)
        return data.index_select(axis, _SOURCES[mode](positions, size))
    extreme = (data.amax if mode == "maximum" else data.amin)(axis, keepdim=True)
    sides = [
        extreme.expand(*data.shape[:axis], width, *data.shape[axis + 1 :])
        for width in (before, after)
    ]
    return torch.cat([sides[0], data, sides[1]], axis)


@op("_npi_pad")
def np_pad(
    data: Tensor,
    *,
    pad_width: Shapes,
    mode: PadMode = "constant",
    constant_value: Number = 0.0,
    reflect_type: str = "even",
) -> Tensor:
    """Puts a border around an array.

    Args:
        data: Input array.
        pad_width: Widths before and after each axis.
        mode: Fills the border with a constant, the nearest element, the largest or smallest
            element along the axis, or the mirror image without or with ("symmetric") the edge.
        constant_value: Value of a constant border.
        reflect_type: Must be "even".
    """
    widths = _widths(data, pad_width)
    if reflect_type != "even":
        raise MXNetError(f"_npi_pad: expected reflect_type 'even', got {reflect_type!r}")
    border = zip(data.shape, widths, strict=True)
    check_like("_npi_pad", [size + sum(pair) for size, pair in border], data)
    if mode == "constant":
        flat = [width for pair in reversed(widths) for width in pair]
        return F.pad(data, flat, value=as_element(constant_value, data.dtype))
    for axis, (before, after) in enumerate(widths):
        if before or after:
            data = _pad_axis(data, axis, before, after, mode)
    return data
