"""Borders around images."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Floats
from mxnet.ops.core.registry import op
from mxnet.ops.image import saturate

CONSTANT, REPLICATE, REFLECT, WRAP, REFLECT_INNER = range(5)


@op("_cvcopyMakeBorder")
def copy_make_border(
    src: Tensor,
    *,
    top: int,
    bot: int,
    left: int,
    right: int,
    type: int = CONSTANT,
    value: float = 0.0,
    values: Floats = (),
) -> Tensor:
    """Puts a border around an image.

    Args:
        src: Image `(height, width, channels)`.
        top: Height of the border above.
        bot: Height of the border below.
        left: Width of the border on the left.
        right: Width of the border on the right.
        type: What fills the border, by OpenCV's number: 0 a colour, 1 the outermost pixels, 2 the
            mirrored image, 3 the image repeated, 4 the image mirrored at its outermost pixels.
        value: Colour of all channels.
        values: Colour by channel, in place of `value`; channels without one are 0.
    """
    where = "_cvcopyMakeBorder"
    if src.ndim != 3 or src.numel() == 0:
        raise MXNetError(
            f"{where}: expected (height, width, channels), got shape {tuple(src.shape)}"
        )
    if min(top, bot, left, right) < 0:
        raise MXNetError(f"{where}: a border is not negative, got {(top, bot, left, right)}")
    if not CONSTANT <= type <= REFLECT_INNER:
        raise MXNetError(f"{where}: `type` takes a number from 0 to 4, got {type}")
    rows, columns, channels = src.shape
    check_like(where, (rows + top + bot, columns + left + right, channels), src)
    if type != CONSTANT:
        framed = src.index_select(0, _sources(rows, top, bot, type, src.device))
        return framed.index_select(1, _sources(columns, left, right, type, src.device))
    colour = (values + (0.0,) * channels)[:channels] if values else (value,) * channels
    exact = torch.tensor(colour, dtype=torch.float64)
    fill = saturate(exact if src.is_floating_point() else exact.round(), src.dtype).to(src.device)
    framed = fill.expand(rows + top + bot, columns + left + right, channels).clone()
    framed[top : top + rows, left : left + columns] = src
    return framed


def _sources(size: int, before: int, after: int, type: int, device: torch.device) -> Tensor:
    """Returns the position in a line that each position of the framed line shows."""
    position = torch.arange(-before, size + after, device=device)
    if type == REPLICATE:
        return position.clamp(0, size - 1)
    if type == WRAP:
        return position.remainder(size)
    if type == REFLECT:
        position = position.remainder(2 * size)
        return torch.minimum(position, 2 * size - 1 - position)
    period = max(2 * size - 2, 1)
    position = position.remainder(period)
    return torch.minimum(position, period - position)
