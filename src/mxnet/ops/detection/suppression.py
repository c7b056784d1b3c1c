"""Suppression: which boxes no better box overlaps too much.

In the memory of the host many small calls of torch would cost more than the work. What is computed
there by other means is computed in the type of the boxes and in the same order, so that all ways
find the same boxes.

A GPU looks at all images at once, in a number of kernels that follows from shapes alone, and is
never waited for. Each box waits for all better ones, but eight boxes can be settled in one step:
which of them are left, given which of them better boxes suppress, is one of 256 questions, whose
answers are made for all eights in advance (`_make_answers`).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from mxnet.ops.core.devices import may_wait

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
        return _settle_on_host(better.take(close), worse.take(close), len(boxes))
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
    return _settle_on_host(better.take(by_better), worse.take(by_better), len(order))


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


def _settle_on_host(better: Numbers, worse: Numbers, count: int) -> Numbers:
    """Returns which boxes are kept, given pairs of overlapping boxes in the order of the better."""
    kept = bytearray(b"\1") * count
    for one, other in zip(better.tolist(), worse.tolist(), strict=True):
        if kept[one]:  # which nothing changes any more
            kept[other] = 0
    return np.frombuffer(kept, dtype=np.bool_).nonzero()[0]


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


_EIGHT = 8
"""Boxes that are settled in one step, and bits of a byte."""
_MOST_AT_ONCE = 1 << 24
"""Pairs of boxes that a GPU compares at a time, which bounds the memory that it takes."""
_MOST_IN_BLOCK = 1024


def keep_best_of_each(
    boxes: Tensor,
    counts: Tensor,
    threshold: float,
    groups: Tensor | None = None,
    *,
    inclusive: bool = False,
) -> Tensor:
    """Finds the boxes of every image that no better box suppresses, without waiting for a GPU.

    Args:
        boxes: Corners of shape `(images, n, 4)`, the best box first.
        counts: Which boxes count, of shape `(images, n)`.
        threshold: Overlap beyond which the worse box is suppressed.
        groups: Of shape `(images, n)`; boxes of different groups do not suppress each other.
        inclusive: Whether an overlap equal to the threshold suppresses.

    Returns:
        Which boxes are kept, of shape `(images, n)`.
    """
    if may_wait(boxes):
        return _keep_image_by_image(boxes, counts, threshold, groups, inclusive)
    return _keep_at_once(boxes, counts, threshold, groups, inclusive)


def _keep_image_by_image(
    boxes: Tensor, counts: Tensor, threshold: float, groups: Tensor | None, inclusive: bool
) -> Tensor:
    """Finds which boxes are kept, looking at few more than those that are."""
    kept = torch.zeros_like(counts)
    for image, is_counted in enumerate(counts):
        numbers = is_counted.nonzero()[:, 0]
        known = None if groups is None else groups[image, numbers]
        found = _keep_many(boxes[image, numbers], threshold, known, inclusive, None)
        kept[image, numbers[found]] = True
    return kept


def _keep_at_once(
    boxes: Tensor, counts: Tensor, threshold: float, groups: Tensor | None, inclusive: bool
) -> Tensor:
    """Finds which boxes are kept in blocks of all images, as the module says."""
    images, count = counts.shape
    size = _choose_block(images)

    def suppresses(better: slice, worse: slice) -> Tensor:
        shares = overlaps(boxes[:, better], boxes[:, worse])
        enough = shares >= threshold if inclusive else shares > threshold
        if groups is None:
            return enough
        return enough & (groups[:, better, None] == groups[:, None, worse])

    left, kept = counts.clone(), []
    for start in range(0, count, size):
        block = slice(start, min(start + size, count))
        kept.append(_settle_each(suppresses(block, block).triu_(1), left[:, block]))
        for first in range(block.stop, count, size):
            later = slice(first, min(first + size, count))
            left[:, later] &= ~(suppresses(block, later) & kept[-1][..., None]).any(1)
    return torch.cat(kept, 1) if kept else counts


def _choose_block(images: int) -> int:
    """Returns how many boxes of each image are looked at together."""
    fitting = int((_MOST_AT_ONCE / max(images, 1)) ** 0.5) // _EIGHT * _EIGHT
    return min(max(fitting, 8 * _EIGHT), _MOST_IN_BLOCK)


def _settle_each(suppresses: Tensor, counts: Tensor) -> Tensor:
    """Returns which boxes of a block are kept, given which would suppress which later one.

    Args:
        suppresses: Of shape `(images, n, n)`.
        counts: Which boxes count, of shape `(images, n)`.
    """
    images, count = counts.shape
    missing = -count % _EIGHT
    bits = torch.arange(_EIGHT, device=counts.device)
    weights = 1 << bits
    whole = count + missing
    eights = (whole // _EIGHT, _EIGHT)
    rows = F.pad(suppresses, (0, missing, 0, missing)).reshape(images, whole, *eights)
    answers = _make_answers((rows * weights.to(torch.uint8)).sum(-1, dtype=torch.uint8))
    gone = F.pad(~counts, (0, missing), value=True).reshape(images, *eights)
    codes = (gone * weights).sum(-1)
    for number in range(codes.shape[1]):
        code = codes[:, number, None, None].expand(-1, 1, codes.shape[1])
        codes |= answers[:, number].gather(1, code)[:, 0]
    is_gone = (codes[..., None] & weights) != 0
    return ~is_gone.reshape(images, whole)[:, :count]


def _make_answers(rows: Tensor) -> Tensor:
    """Returns what eight boxes suppress, for each set of them that better boxes suppress.

    A set of boxes is a number, of which the first box is the lowest bit. Answers for the boxes from
    the last on are made first: if a box is suppressed, the answer is that of the boxes after it;
    else it is that for the boxes which it leaves of them, and what it suppresses itself.

    Args:
        rows: What boxes suppress, as bytes of eight boxes, of shape `(images, 8 * eights, eights)`.

    Returns:
        What is suppressed, of shape `(images, eights, 256, eights)`.
    """
    images, _, eights = rows.shape
    rows = rows.reshape(images, eights, _EIGHT, eights)
    own = rows.diagonal(dim1=1, dim2=3).transpose(1, 2).long()
    answers = torch.zeros_like(rows[:, :, :1])
    for box in reversed(range(_EIGHT)):
        after = torch.arange(1 << (_EIGHT - 1 - box), device=rows.device)
        changed = after | (own[:, :, box, None] >> (box + 1))
        if_kept = answers.gather(2, changed[..., None].expand(-1, -1, -1, eights))
        if_kept |= rows[:, :, box, None]
        answers = torch.stack((if_kept, answers), 3).flatten(2, 3)
    return answers


def list_kept(kept: Tensor) -> Tensor:
    """Returns the numbers of the boxes of every image that are kept, in order, then -1."""
    count = kept.shape[1]
    numbers = torch.arange(count, device=kept.device).expand_as(kept)
    places = torch.where(kept, kept.cumsum(1) - 1, count)
    listed = torch.full((len(kept), count + 1), -1, device=kept.device)
    return listed.scatter(1, places, numbers)[:, :count]
