"""Norms of arrays of which each process holds a part (ADR 0033)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, distributed

from mxnet._state import processes
from mxnet.ndarray import NDArray

_SHARDED = object()
"""Stands for an array of which each process holds a part."""


def note_shard(array: NDArray) -> None:
    """Notes that an array is this process's part of one that is split over all of them."""
    array._whole = _SHARDED


def whole_norms(norms: Sequence[Tensor]) -> list[Tensor]:
    """Returns the norms of whole arrays from those of the parts that this process holds."""
    squares = torch.stack([norm.float() for norm in norms]).square()
    with processes.guard("computing norms of sharded parameters"):
        distributed.all_reduce(squares)
    roots = squares.sqrt().unbind()
    return [root.to(norm.dtype) for root, norm in zip(roots, norms, strict=True)]


def complete_norms(arrays: Sequence[NDArray], norms: Sequence[Tensor]) -> Sequence[Tensor]:
    """Returns the norms of arrays, of which some may be parts of what is meant."""
    places = []  # not by a comprehension, which is one more call in Python 3.11
    for place, array in enumerate(arrays):
        if getattr(array, "_whole", None) is _SHARDED:
            places.append(place)
    if not places:
        return norms
    completed = list(norms)
    for place, norm in zip(places, whole_norms([norms[place] for place in places]), strict=True):
        completed[place] = norm
    return completed


def any_rank(value: bool, device: torch.device) -> bool:
    """Returns whether something is so on one of the processes at least.

    Args:
        value: Whether it is so here.
        device: A device between which and the others numbers can be exchanged.
    """
    total = torch.tensor([float(value)], device=device)
    with processes.guard("comparing sharded parameters"):
        distributed.all_reduce(total)
    return bool(total.item())
