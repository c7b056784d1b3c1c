"""Operators on boxes: overlaps, suppression, matching, coordinates.

In the memory of the host many small calls of torch would cost more than the work. What is computed
there by other means is computed in the type of the boxes and in the same order, so that both ways
find the same boxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from mxnet.errors import MXNetError
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import clamp_max
from mxnet.ops.core.traits import Labels, Traits

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
    """Returns which boxes are kept, given who would suppress whom, by the better ones in order."""
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


BoxFormat = Literal["center", "corner"]


def as_corners(boxes: Tensor) -> Tensor:
    """Turns boxes given by centre, width and height into corners."""
    centre, size = boxes[..., :2], boxes[..., 2:]
    return torch.cat((centre - size / 2, centre + size / 2), -1)


def as_centers(boxes: Tensor) -> Tensor:
    """Turns boxes given by corners into centre, width and height."""
    low, high = boxes[..., :2], boxes[..., 2:]
    return torch.cat(((low + high) / 2, high - low), -1)


def require_floats(op_name: str, *arrays: Tensor) -> None:
    """Refuses arrays of whole numbers."""
    for array in arrays:
        if not array.is_floating_point():
            raise MXNetError(f"{op_name}: arrays of floats expected, got {array.dtype}")


@op("_contrib_box_iou", differentiable=False)
def box_iou(lhs: Tensor, rhs: Tensor, *, format: BoxFormat = "corner") -> Tensor:
    """Computes the overlap of every pair of boxes: the intersection over the union.

    Args:
        lhs: Boxes of shape `(..., 4)`, with at least two axes.
        rhs: Other boxes of shape `(..., 4)`, with at least two axes.
        format: Whether a box is `(left, top, right, bottom)` (`corner`) or
            `(x, y, width, height)` (`center`).

    Returns:
        Overlaps, of the shape of `lhs` without its last axis followed by that of `rhs`.
    """
    require_floats("_contrib_box_iou", lhs, rhs)
    for array in (lhs, rhs):
        if array.ndim < 2 or array.shape[-1] != 4:
            raise MXNetError(
                "_contrib_box_iou: at least two axes, the last of size 4, expected, "
                f"got {tuple(array.shape)}"
            )
    boxes = [array if format == "corner" else as_corners(array) for array in (lhs, rhs)]
    shape = lhs.shape[:-1] + rhs.shape[:-1]
    return overlaps(boxes[0].reshape(-1, 4), boxes[1].reshape(-1, 4)).reshape(shape)


def _check_columns(width: int, coord_start: int, score_index: int, id_index: int) -> None:
    """Refuses places of coordinates, score and class that are not there or collide."""
    name = "_contrib_box_nms"
    if coord_start < 0 or coord_start + 4 > width:
        raise MXNetError(f"{name}: no room for 4 coordinates from {coord_start} in {width} columns")
    if not 0 <= score_index < width or coord_start <= score_index < coord_start + 4:
        raise MXNetError(
            f"{name}: score_index takes a column of {width} that is no coordinate, "
            f"got {score_index}"
        )
    if id_index >= 0 and (
        id_index >= width or id_index == score_index or coord_start <= id_index < coord_start + 4
    ):
        raise MXNetError(
            f"{name}: id_index takes a column of {width} that is neither coordinate nor score, "
            f"got {id_index}"
        )


@op(
    "_contrib_box_nms",
    aliases=("_contrib_box_non_maximum_suppression",),
    num_outputs=2,
    visible_outputs=1,
    traits=Traits(labels=Labels(outputs=("output0", "output1"))),
)
def box_nms(
    data: Tensor,
    *,
    overlap_thresh: float = 0.5,
    valid_thresh: float = 0.0,
    topk: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = -1,
    background_id: int = -1,
    force_suppress: bool = False,
    in_format: BoxFormat = "corner",
    out_format: BoxFormat = "corner",
) -> tuple[Tensor, Tensor]:
    """Sorts boxes by score and drops those that overlap a better one (non-maximum suppression).

    Args:
        data: Boxes of shape `(..., count, columns)`.
        overlap_thresh: Overlap beyond which the worse box is dropped.
        valid_thresh: Boxes count if their score is greater.
        topk: How many boxes count at most, all if negative.
        coord_start: First of the four columns of coordinates.
        score_index: Column of the score.
        id_index: Column of the class, none if negative.
        background_id: Class of boxes that do not count; -1 is the class of dropped boxes.
        force_suppress: Whether boxes of other classes are dropped too.
        in_format: Whether coordinates are `corner` or `center`; see `box_iou`.
        out_format: Format of the result.

    Returns:
        The boxes that are left, the best first, then rows of -1; and the numbers of the rows of
        `data` that they are, -1 for the rest.
    """
    if data.ndim < 2:
        raise MXNetError(f"_contrib_box_nms: at least two axes expected, got {tuple(data.shape)}")
    require_floats("_contrib_box_nms", data)
    _check_columns(data.shape[-1], coord_start, score_index, id_index)
    if not topk:
        numbers = torch.arange(data.shape[-2], dtype=data.dtype, device=data.device)
        return data.clone(), numbers.expand(data.shape[:-1])[..., None].clone()
    if data.is_meta or not data.numel():
        return data.clone(), data[..., :1].clone()
    rows = data.reshape(-1, *data.shape[-2:])
    place = slice(coord_start, coord_start + 4)
    columns = (place, score_index, id_index)
    limits = (overlap_thresh, valid_thresh, background_id)
    if is_on_host(data):
        images = rows.detach().numpy()
        found = [_keep_on_host(i, columns, limits, topk, force_suppress, in_format) for i in images]
        if not data.requires_grad and in_format == out_format:
            return _gather_on_host(data, images, found)
        kept = [torch.from_numpy(item) for item in found]
    else:
        each = rows.detach()
        kept = [_keep(i, columns, limits, topk, force_suppress, in_format) for i in each]
    numbers = pad_sequence(kept, batch_first=True, padding_value=-1)[..., None]
    picked = rows.gather(1, numbers.clamp(min=0).expand(-1, -1, rows.shape[2]))
    picked = torch.where(numbers >= 0, _reformat(picked, place, in_format, out_format), -1)
    missing = (0, 0, 0, rows.shape[1] - picked.shape[1])
    result = F.pad(picked, missing, value=-1.0)
    places = F.pad(numbers.to(data.dtype), missing, value=-1.0)
    return result.reshape(data.shape), places.reshape(*data.shape[:-1], 1)


def _keep(
    image: Tensor,
    columns: tuple[slice, int, int],
    limits: tuple[float, float, int],
    topk: int,
    force: bool,
    in_format: BoxFormat,
) -> Tensor:
    """Returns the numbers of the boxes of one image that `box_nms` keeps, the best first."""
    place, score_index, id_index = columns
    overlap_thresh, valid_thresh, background_id = limits
    valid = image[:, score_index] > valid_thresh
    if id_index >= 0:
        valid &= image[:, id_index] != background_id
    numbers = valid.nonzero()[:, 0]
    order = image[numbers, score_index].argsort(descending=True, stable=True)
    ranked = numbers[order[:topk] if topk > 0 else order]
    best = image.index_select(0, ranked)
    corners = best[:, place] if in_format == "corner" else as_corners(best[:, place])
    groups = best[:, id_index] if id_index >= 0 and not force else None
    return ranked[keep_best(corners, overlap_thresh, groups)]


def _keep_on_host(
    image: Floats,
    columns: tuple[slice, int, int],
    limits: tuple[float, float, int],
    topk: int,
    force: bool,
    in_format: BoxFormat,
) -> Numbers:
    """Computes the same as `_keep` in the memory of the host."""
    place, score_index, id_index = columns
    overlap_thresh, valid_thresh, background_id = limits
    scores = image[:, score_index]
    valid = scores > valid_thresh
    if id_index >= 0:
        valid &= image[:, id_index] != background_id
    ranked = rank(scores, valid.nonzero()[0], topk)
    best = image.take(ranked, 0)
    corners = best[:, place]
    if in_format != "corner":
        corners = as_corners(torch.from_numpy(corners)).numpy()
    groups = best[:, id_index] if id_index >= 0 and not force else None
    return ranked.take(keep_best_on_host(corners, overlap_thresh, groups))


def _gather_on_host(data: Tensor, images: Floats, kept: Sequence[Numbers]) -> tuple[Tensor, Tensor]:
    """Returns the rows of each image that are kept, then rows of -1; and their numbers."""
    result, places = torch.full_like(data, -1), torch.full_like(data[..., :1], -1)
    parts = result.numpy().reshape(images.shape), places.numpy().reshape(images.shape[:2])
    for image, numbers, row, column in zip(images, kept, *parts, strict=True):
        row[: len(numbers)] = image.take(numbers, 0)
        column[: len(numbers)] = numbers
    return result, places


def _reformat(rows: Tensor, place: slice, in_format: str, out_format: str) -> Tensor:
    """Changes the format of boxes; gradients pass through as if it stayed."""
    if in_format == out_format:
        return rows
    boxes = rows[..., place].detach()
    change = (as_corners if in_format == "center" else as_centers)(boxes) - boxes
    padding = (place.start, rows.shape[-1] - place.stop)
    return rows + F.pad(change, padding)


@op("_contrib_bipartite_matching", num_outputs=2, differentiable=False)
def bipartite_matching(
    data: Tensor, *, is_ascend: bool = False, threshold: float, topk: int = -1
) -> tuple[Tensor, Tensor]:
    """Pairs rows with columns, the pair with the best score first.

    Args:
        data: Scores of shape `(..., rows, columns)`.
        is_ascend: Whether small scores are better.
        threshold: Scores that are not better do not make a pair.
        topk: No more pairs are made once there are more than `topk`, if it is positive.

    Returns:
        For each row its column, for each column its row; -1 for those without.
    """
    if data.ndim < 2:
        raise MXNetError(
            f"_contrib_bipartite_matching: at least two axes expected, got {tuple(data.shape)}"
        )
    require_floats("_contrib_bipartite_matching", data)
    scores = data.reshape(-1, *data.shape[-2:])
    rows, columns = scores.shape[1:]
    scores = -scores if is_ascend else scores
    limit = -threshold if is_ascend else threshold
    matches = match_greedily(scores, limit, (topk + 1) if topk > 0 else min(rows, columns))
    shape = data.shape[:-2]
    return matches[0].to(data.dtype).reshape(*shape, rows), matches[1].to(data.dtype).reshape(
        *shape, columns
    )


def match_greedily(scores: Tensor, limit: float, most: int) -> tuple[Tensor, Tensor]:
    """Pairs rows with columns by the best scores that are left.

    Args:
        scores: Of shape `(batch, rows, columns)`; larger is better.
        limit: Scores must be greater.
        most: Largest number of pairs.

    Returns:
        Columns of the rows and rows of the columns, -1 for those without.
    """
    batch, rows, columns = scores.shape
    of_row = torch.full((batch, rows), -1, dtype=torch.int64, device=scores.device)
    of_column = torch.full((batch, columns), -1, dtype=torch.int64, device=scores.device)
    if scores.is_meta:  # all pairs would be looked for, for two shapes
        return of_row, of_column
    left = scores.clone()
    every_row = torch.arange(rows, device=scores.device)
    every_column = torch.arange(columns, device=scores.device)
    for _ in range(min(rows, columns, most)):
        best, place = left.flatten(1).max(1, keepdim=True)
        is_better = best > limit
        row, column = place // columns, place % columns
        is_row = (every_row == row) & is_better
        is_column = (every_column == column) & is_better
        of_row = torch.where(is_row, column, of_row)
        of_column = torch.where(is_column, row, of_column)
        left = left.masked_fill(is_row[:, :, None] | is_column[:, None, :], -torch.inf)
    return of_row, of_column


def _check_boxes(name: str, array: str, boxes: Tensor) -> None:
    require_floats(name, boxes)
    if boxes.ndim != 3 or boxes.shape[2] != 4:
        raise MXNetError(
            f"{name}: {array} of shape (batch, count, 4) expected, got {tuple(boxes.shape)}"
        )


def _fill_box_encode(_samples: tuple[int, ...], **_: object) -> dict[str, tuple[int, ...]]:
    return {"means": (4,), "stds": (4,)}


@op("_contrib_box_encode", num_outputs=2, differentiable=False, fill_shapes=_fill_box_encode)
def box_encode(
    samples: Tensor, matches: Tensor, anchors: Tensor, refs: Tensor, means: Tensor, stds: Tensor
) -> tuple[Tensor, Tensor]:
    """Codes where objects lie as seen from default boxes, for training.

    Args:
        samples: Of shape `(batch, boxes)`; boxes above 0.5 are coded.
        matches: Numbers of the objects of the boxes, of shape `(batch, boxes)`.
        anchors: Corners of the boxes, of shape `(batch, boxes, 4)`.
        refs: Corners of the objects, of shape `(batch, objects, 4)`.
        means: Four numbers to subtract.
        stds: Four numbers to divide by.

    Returns:
        The offsets and their mask, both of shape `(batch, boxes, 4)`.
    """
    name = "_contrib_box_encode"
    _check_boxes(name, "anchors", anchors)
    _check_boxes(name, "refs", refs)
    shape = anchors.shape[:2]
    if samples.shape != shape or matches.shape != shape or len(refs) != len(anchors):
        raise MXNetError(
            f"{name}: samples and matches of shape {tuple(shape)} and objects of {shape[0]} images "
            f"expected, got {tuple(samples.shape)}, {tuple(matches.shape)} and {tuple(refs.shape)}"
        )
    if means.shape != (4,) or stds.shape != (4,):
        raise MXNetError(f"{name}: four means and stds expected, got {means.shape}, {stds.shape}")
    chosen = matches.long().clamp(min=0)[..., None].expand(*shape, 4)
    own, other = as_centers(anchors), as_centers(refs.gather(1, chosen))
    moved = (other[..., :2] - own[..., :2]) / own[..., 2:]
    offsets = torch.cat((moved, torch.log(other[..., 2:] / own[..., 2:])), -1)
    used = (samples > 0.5)[..., None].expand_as(offsets)
    return torch.where(used, (offsets - means) / stds, 0), used.to(anchors.dtype)


@op("_contrib_box_decode", differentiable=False)
def box_decode(
    data: Tensor,
    anchors: Tensor,
    *,
    std0: float = 1.0,
    std1: float = 1.0,
    std2: float = 1.0,
    std3: float = 1.0,
    clip: float = -1.0,
    format: BoxFormat = "center",
) -> Tensor:
    """Computes corners of boxes from offsets that a network predicts.

    Args:
        data: Offsets of shape `(batch, boxes, 4)`.
        anchors: Default boxes of shape `(1, boxes, 4)`.
        std0: Factor of the first offset.
        std1: Factor of the second.
        std2: Factor of the third.
        std3: Factor of the fourth.
        clip: Largest logarithm of the growth of a box, none if it is not positive.
        format: Whether default boxes are given by `center` or `corner`.
    """
    name = "_contrib_box_decode"
    _check_boxes(name, "data", data)
    _check_boxes(name, "anchors", anchors)
    if anchors.shape[:2] != (1, data.shape[1]):
        raise MXNetError(
            f"{name}: anchors of shape (1, {data.shape[1]}, 4) expected, got {tuple(anchors.shape)}"
        )
    own = anchors if format == "center" else as_centers(anchors)
    scaled = data * data.new_tensor([std0, std1, std2, std3])
    growth = clamp_max(scaled[..., 2:], clip) if clip > 0 else scaled[..., 2:]
    centre = scaled[..., :2] * own[..., 2:] + own[..., :2]
    return as_corners(torch.cat((centre, torch.exp(growth) * own[..., 2:]), -1))
