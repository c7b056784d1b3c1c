"""Suppression of boxes in the memory of the host, where many small calls of torch would cost more.

Everything is computed in the type of the boxes and in the order in which `mxnet.ops.suppression`
computes it, so that both find the same boxes.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Floats: TypeAlias = NDArray[Any]
Numbers: TypeAlias = NDArray[np.intp]

_TYPES = frozenset({torch.float32, torch.float64})
_TINY = {np.dtype(name): np.finfo(name).tiny for name in ("float32", "float64")}
_MOST_PAIRS = 200_000
"""Pairs of boxes that are listed; of more, blocks of matrices are faster."""
_LATER = np.triu(np.ones((128, 128), np.bool_), 1)
"""Which columns come after which rows. Of so few boxes all pairs are looked at."""


def is_on_host(*arrays: Tensor) -> bool:
    """Returns whether arrays can be read in place."""
    return all(item.is_cpu and item.dtype in _TYPES for item in arrays) and not (
        torch.compiler.is_compiling()
    )


def rank(scores: Floats, numbers: Numbers, topk: int) -> Numbers:
    """Returns the numbers of the boxes that count, the best first, of equal ones the first.

    Args:
        scores: Scores of all boxes.
        numbers: Numbers of those that count, in order; none of them has the score nan.
        topk: How many are wanted, all if not positive.
    """
    chosen = scores.take(numbers)
    if 0 < topk < len(numbers):
        least = np.partition(chosen, len(chosen) - topk)[len(chosen) - topk]
        high = (chosen >= least).nonzero()[0]
        numbers, chosen = numbers.take(high), chosen.take(high)
    order = (-chosen).argsort(kind="stable")
    return numbers.take(order[:topk] if topk > 0 else order)


def keep_few(
    boxes: Floats, threshold: float, groups: Floats | None = None, *, inclusive: bool = False
) -> Numbers | None:
    """Finds the boxes of one image that no better box suppresses.

    Args:
        boxes: Corners of shape `(n, 4)`, the best box first.
        threshold: Overlap beyond which the worse box is suppressed, positive.
        groups: Of shape `(n,)`; boxes of different groups do not suppress each other.
        inclusive: Whether an overlap equal to the threshold suppresses.

    Returns:
        The numbers of the boxes that are kept, the best first; None if there are too many pairs.
    """
    if groups is not None and len(boxes) <= len(_LATER):
        is_pair = groups[:, None] == groups
        is_pair &= _LATER[: len(boxes), : len(boxes)]
        better, worse = np.divmod(is_pair.ravel().nonzero()[0], len(boxes))
        close = _find_close(boxes.T.copy(), better, worse, threshold, inclusive)
        return _settle(better.take(close), worse.take(close), len(boxes))
    order = (boxes[:, 0] if groups is None else groups).argsort(kind="stable")
    edges = boxes.T.take(order, 1)
    ends = edges[0].searchsorted(edges[2]) if groups is None else _find_ends(groups.take(order))
    pairs = _list_pairs(ends)
    if pairs is None:
        return None
    first, second = pairs
    close = _find_close(edges, first, second, threshold, inclusive)
    one, other = order.take(first.take(close)), order.take(second.take(close))
    better, worse = np.minimum(one, other), np.maximum(one, other)
    by_better = better.argsort(kind="stable")
    return _settle(better.take(by_better), worse.take(by_better), len(order))


def _find_ends(groups: Floats) -> Numbers:
    """Returns for each member of sorted groups where its group ends."""
    starts = (groups[1:] != groups[:-1]).nonzero()[0] + 1
    bounds = np.concatenate(([0], starts, [len(groups)]))
    return bounds[1:].repeat(bounds[1:] - bounds[:-1])


def _list_pairs(ends: Numbers) -> tuple[Numbers, Numbers] | None:
    """Pairs each place with those after it up to its end; None if there are too many."""
    places = np.arange(len(ends))
    counts = np.maximum(ends - places - 1, 0)
    total = int(counts.sum())
    if total > _MOST_PAIRS:
        return None
    before = counts.cumsum() - counts - places - 1
    return places.repeat(counts), np.arange(total) - before.repeat(counts)


def _find_close(
    edges: Floats, first: Numbers, second: Numbers, threshold: float, inclusive: bool
) -> Numbers:
    """Returns which pairs of boxes overlap enough."""
    left, top, right, bottom = edges
    width = np.minimum(right.take(first), right.take(second))
    width -= np.maximum(left.take(first), left.take(second))
    near = (width > 0).nonzero()[0]
    first, second, shared = first.take(near), second.take(near), width.take(near)
    height = np.minimum(bottom.take(first), bottom.take(second))
    height -= np.maximum(top.take(first), top.take(second))
    shared *= np.maximum(height, 0, out=height)
    sides = edges[2:] - edges[:2]
    np.maximum(sides, 0, out=sides)
    areas = sides[0] * sides[1]
    union = areas.take(first)
    union += areas.take(second)
    union -= shared
    np.maximum(union, _TINY[union.dtype], out=union)
    shared /= union
    close: Numbers = near[shared >= threshold if inclusive else shared > threshold]
    return close


def _settle(better: Numbers, worse: Numbers, count: int) -> Numbers:
    """Returns which boxes are kept, given pairs of overlapping boxes in the order of the better."""
    kept = bytearray(b"\1") * count
    for one, other in zip(better.tolist(), worse.tolist(), strict=True):
        if kept[one]:  # which nothing changes any more
            kept[other] = 0
    return np.frombuffer(kept, dtype=np.bool_).nonzero()[0]
