"""Flat pieces of memory in which gradients travel between processes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor

from mxnet.errors import MXNetError

_SIZE_VARIABLE = "MXNET_KVSTORE_BUCKET_MB"
_MOST_MEGABYTES = 25.0
"""From this size on a bucket uses a network well."""

_LEAST_MEGABYTES = 1.0
"""Size of the first bucket, so that the network does not wait long for something to do."""

_FEWEST = 8
"""About as many buckets are made of gradients that are large enough: the last one is sent when the
backward pass is over, and is waited for."""


class Layout(NamedTuple):
    """What decides where a gradient goes.

    Attributes:
        shape: Its shape.
        dtype: Its element type.
        device: Where it is added up.
        early: Whether it may be sent as soon as the backward pass has computed it.
        channels_last: Whether it is that of filters with their channels last in memory.
    """

    shape: torch.Size
    dtype: torch.dtype
    device: torch.device
    early: bool
    channels_last: bool = False

    def view(self, flat: Tensor) -> Tensor:
        """Returns flat memory in the shape of the gradient."""
        if not self.channels_last:
            return flat.view(self.shape)
        number, channels, height, width = self.shape
        return flat.view(number, height, width, channels).permute(0, 3, 1, 2)


@dataclass(eq=False, slots=True)
class Bucket:
    """Gradients that are sent together.

    Attributes:
        flat: Their memory, and that of the notes in the last bucket.
        members: Positions of the gradients.
        views: The memory of each of them, with version counters of their own.
        early: Whether it may be sent during the backward pass.
        missing: Number of members that the backward pass has not computed yet.
        work: What to wait for until the sums are there.
    """

    flat: Tensor
    members: list[int]
    views: list[Tensor]
    early: bool
    missing: int = 0
    work: Any = None


_Kind: TypeAlias = tuple[torch.dtype, torch.device, bool]
"""Element type, device, and whether gradients may be sent early."""


class _Slice(NamedTuple):
    """A bucket before it has memory."""

    kind: _Kind
    members: list[int]
    length: int


def bucket_bytes(num_bytes: float) -> float:
    """Returns how large buckets are, which the environment may say.

    Args:
        num_bytes: Size of all gradients together.

    Raises:
        MXNetError: if it does not say a positive number.
    """
    text = os.environ.get(_SIZE_VARIABLE, "")
    if not text:
        least, most = _LEAST_MEGABYTES * 2**20, _MOST_MEGABYTES * 2**20
        return min(most, max(least, num_bytes / _FEWEST))
    try:
        megabytes = float(text)
    except ValueError:
        megabytes = 0.0
    if not megabytes > 0:
        raise MXNetError(f"{_SIZE_VARIABLE}: takes a number above 0, got {text!r}")
    return megabytes * 2**20


def make_buckets(layouts: dict[int, Layout], order: Sequence[int], num_notes: int) -> list[Bucket]:
    """Makes buckets for gradients, in the order in which they are to be sent.

    There is one piece of memory for each dtype and device, of which buckets are parts. The last
    bucket has room for notes that processes send each other. It is on the CPU and in a dtype that
    counts exactly, so that reading the notes waits for no device; if no gradient is like that, it
    has notes alone.

    Args:
        layouts: What is known of each gradient, by position.
        order: The positions, in the order in which backward passes compute the gradients.
        num_notes: Number of notes.
    """
    slices = _slice(layouts, order)
    last = slices[-1].kind if slices else None
    has_room = last is not None and _can_count(*last[:2])
    notes_kind = last if last is not None and has_room else _NOTES_KIND
    lengths: dict[_Kind, int] = {notes_kind: num_notes}
    for item in slices:
        lengths[item.kind] = lengths.get(item.kind, 0) + item.length
    if not has_room:
        slices.append(_Slice(_NOTES_KIND, [], 0))
    rest = {
        kind: torch.zeros(length, dtype=kind[0], device=kind[1]) for kind, length in lengths.items()
    }
    buckets: list[Bucket] = []
    for number, item in enumerate(slices):
        is_last = number == len(slices) - 1
        length = item.length + num_notes if is_last else item.length
        flat, rest[item.kind] = rest[item.kind][:length], rest[item.kind][length:]
        views, begin = [], 0
        for position in item.members:
            layout = layouts[position]
            end = begin + layout.shape.numel()
            views.append(layout.view(flat[begin:end]).data)
            begin = end
        buckets.append(Bucket(flat, item.members, views, item.kind[2] and not is_last))
    return buckets


_NOTES_KIND = (torch.float64, torch.device("cpu"), False)


def _can_count(dtype: torch.dtype, device: torch.device) -> bool:
    return device.type == "cpu" and dtype in (torch.float32, torch.float64)


def _slice(layouts: dict[int, Layout], order: Sequence[int]) -> list[_Slice]:
    """Cuts the gradients into buckets, sorted by when the last of their members is computed."""
    largest = bucket_bytes(
        sum(layout.shape.numel() * layout.dtype.itemsize for layout in layouts.values())
    )
    limits: dict[_Kind, float] = {}
    open_slices: dict[_Kind, _Slice] = {}
    closed: list[_Slice] = []
    for position in order:
        layout = layouts[position]
        kind = (layout.dtype, layout.device, layout.early)
        before = open_slices.pop(kind, _Slice(kind, [], 0))
        item = _Slice(kind, [*before.members, position], before.length + layout.shape.numel())
        limit = limits.get(kind, min(largest, _LEAST_MEGABYTES * 2**20))
        if item.length * kind[0].itemsize >= limit:
            closed.append(item)
            limits[kind] = largest
        else:
            open_slices[kind] = item
    places = {position: place for place, position in enumerate(order)}
    return sorted((*closed, *open_slices.values()), key=lambda item: places[item.members[-1]])
