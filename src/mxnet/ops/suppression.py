"""Overlaps of boxes, and which of many boxes that overlap are kept."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.ops.host_suppression import Floats, Numbers, is_on_host, keep_few

_BLOCK = 128
"""Boxes that suppress others at a time: few calls, and few comparisons with boxes of no hope."""
_FEW = 1024
"""Boxes that are looked at together. Up to so many, comparing those of different groups in vain
costs less than going by groups."""


def overlaps(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns the intersection over union of every pair of boxes, given by corners.

    Args:
        lhs: Boxes of shape `(..., n, 4)`.
        rhs: Boxes of shape `(..., m, 4)`.

    Returns:
        Overlaps of shape `(..., n, m)`, 0 for pairs without an area.
    """
    first = [edge[..., :, None] for edge in lhs.unbind(-1)]
    second = [edge[..., None, :] for edge in rhs.unbind(-1)]
    shared = _extent(torch.maximum(first[0], second[0]), torch.minimum(first[2], second[2]))
    shared *= _extent(torch.maximum(first[1], second[1]), torch.minimum(first[3], second[3]))
    one, two = (_extent(box[0], box[2]) * _extent(box[1], box[3]) for box in (first, second))
    # Pairs without an area share nothing, so that any positive divisor gives 0.
    return shared / (one + two - shared).clamp_(min=torch.finfo(shared.dtype).tiny)


def _extent(low: Tensor, high: Tensor) -> Tensor:
    return (high - low).clamp_(min=0)


def keep_best(
    boxes: Tensor,
    threshold: float,
    groups: Tensor | None = None,
    *,
    inclusive: bool = False,
    most: int | None = None,
) -> Tensor:
    """Finds the boxes of one image that no better box suppresses.

    Args:
        boxes: Corners of shape `(n, 4)`, the best box first.
        threshold: Overlap beyond which the worse box is suppressed.
        groups: Of shape `(n,)`; boxes of different groups do not suppress each other.
        inclusive: Whether an overlap equal to the threshold suppresses.
        most: How many boxes are wanted; more may be found.

    Returns:
        The numbers of the boxes that are kept, the best first.
    """
    if threshold > 0 and is_on_host(boxes):
        known = None if groups is None else groups.detach().numpy()
        few = keep_few(boxes.detach().numpy(), threshold, known, inclusive=inclusive)
        if few is not None:
            return torch.from_numpy(few)
    return _keep_many(boxes, threshold, groups, inclusive, most)


def keep_best_on_host(
    boxes: Floats, threshold: float, groups: Floats | None = None, *, inclusive: bool = False
) -> Numbers:
    """Finds the same as `keep_best`, in the memory of the host."""
    few = None
    if threshold > 0:
        few = keep_few(boxes, threshold, groups, inclusive=inclusive)
    if few is not None:
        return few
    known = None if groups is None else torch.from_numpy(groups)
    return _keep_many(torch.from_numpy(boxes), threshold, known, inclusive, None).numpy()


def _keep_many(
    boxes: Tensor, threshold: float, groups: Tensor | None, inclusive: bool, most: int | None
) -> Tensor:
    """Finds the boxes that are kept in blocks."""
    every = torch.arange(len(boxes), device=boxes.device)
    if boxes.is_meta:
        return every
    if groups is None or len(boxes) <= _FEW:
        return _keep_some(boxes, groups, every, threshold, inclusive, most)
    parts = [
        _keep_some(boxes, None, every[groups == group], threshold, inclusive, most)
        for group in set(groups.tolist())
    ]
    return torch.cat(parts).sort().values


def _keep_some(
    boxes: Tensor,
    groups: Tensor | None,
    left: Tensor,
    threshold: float,
    inclusive: bool,
    most: int | None,
) -> Tensor:
    """Returns the numbers of the boxes, among those whose numbers are given, that are kept."""

    def suppresses(better: Tensor, worse: Tensor) -> Tensor:
        shares = overlaps(boxes[better], boxes[worse])
        enough = shares >= threshold if inclusive else shares > threshold
        return enough if groups is None else enough & (groups[better, None] == groups[worse])

    kept = left[:0]
    for start in range(0, len(left), _FEW):
        if most is not None and len(kept) >= most:
            break
        part = left[start : start + _FEW]
        if len(kept):
            part = part[~suppresses(kept, part).any(0)]
        while len(part):
            block, part = part[:_BLOCK], part[_BLOCK:]
            best = block[_settle(suppresses(block, block).triu_(1))]
            kept = torch.cat((kept, best))
            if len(part):
                part = part[~suppresses(best, part).any(0)]
    return kept


def _settle(suppresses: Tensor) -> Tensor:
    """Returns which boxes of a block are kept, given which would suppress which.

    Each round gets at least one more box right, and in practice a few rounds settle all.
    """
    kept = torch.ones_like(suppresses[0])
    while True:
        settled = ~(suppresses & kept[:, None]).any(0)
        if torch.equal(settled, kept):
            return kept
        kept = settled
