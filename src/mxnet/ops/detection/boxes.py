"""Operators on boxes: overlaps, suppression, matching, coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from mxnet.errors import MXNetError
from mxnet.ops.core.devices import constant_like
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import clamp_max
from mxnet.ops.core.traits import Labels, Traits
from mxnet.ops.detection.suppression import (
    Floats,
    Numbers,
    is_on_host,
    keep_best_of_each,
    keep_best_on_host,
    list_kept,
    overlaps,
    rank,
)

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

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[0, 0, 2, 2]])
        >>> print(mx.nd.contrib.box_iou(x, mx.nd.array([[0, 0, 2, 1], [5, 5, 6, 6]])).asnumpy())
        [[0.5 0. ]]
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

    Example:
        >>> import mxnet as mx
        >>> overlapping = [[0, 0.9, 0, 0, 2, 2], [0, 0.8, 0, 0, 2, 1.9]]
        >>> boxes = mx.nd.array([*overlapping, [0, 0.7, 5, 5, 6, 6]])
        >>> print(mx.nd.contrib.box_nms(boxes)[:, 1].asnumpy())
        [ 0.9  0.7 -1. ]
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
        numbers = pad_sequence(kept, batch_first=True, padding_value=-1)[..., None]
    else:
        each = rows.detach()
        numbers = _keep(each, columns, limits, topk, force_suppress, in_format)[..., None]
    picked = rows.gather(1, numbers.clamp(min=0).expand(-1, -1, rows.shape[2]))
    picked = torch.where(numbers >= 0, _reformat(picked, place, in_format, out_format), -1)
    missing = (0, 0, 0, rows.shape[1] - picked.shape[1])
    result = F.pad(picked, missing, value=-1.0)
    places = F.pad(numbers.to(data.dtype), missing, value=-1.0)
    return result.reshape(data.shape), places.reshape(*data.shape[:-1], 1)


def _keep(
    images: Tensor,
    columns: tuple[slice, int, int],
    limits: tuple[float, float, int],
    topk: int,
    force: bool,
    in_format: BoxFormat,
) -> Tensor:
    """Returns the numbers of the boxes of images that `box_nms` keeps, the best first, then -1."""
    place, score_index, id_index = columns
    overlap_thresh, valid_thresh, background_id = limits
    scores = images[..., score_index]
    valid = scores > valid_thresh
    if id_index >= 0:
        valid &= images[..., id_index] != background_id
    # What counts is above every lowest score.
    order = scores.masked_fill(~valid, -torch.inf).argsort(dim=1, descending=True, stable=True)
    ranked = order[:, :topk] if topk > 0 else order
    best = images.gather(1, ranked[..., None].expand(-1, -1, images.shape[2]))
    corners = best[..., place] if in_format == "corner" else as_corners(best[..., place])
    groups = best[..., id_index] if id_index >= 0 and not force else None
    kept = keep_best_of_each(corners, valid.gather(1, ranked), overlap_thresh, groups)
    listed = list_kept(kept)
    return torch.where(listed >= 0, ranked.gather(1, listed.clamp(min=0)), -1)


def _keep_on_host(
    image: Floats,
    columns: tuple[slice, int, int],
    limits: tuple[float, float, int],
    topk: int,
    force: bool,
    in_format: BoxFormat,
) -> Numbers:
    """Returns the same numbers for one image, in the memory of the host."""
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

    Example:
        >>> import mxnet as mx
        >>> scores = mx.nd.array([[0.5, 0.6], [0.1, 0.2], [0.3, 0.4]])
        >>> rows, columns = mx.nd.contrib.bipartite_matching(scores, threshold=1e-12)
        >>> print(rows.asnumpy(), columns.asnumpy())
        [ 1. -1.  0.] [2. 0.]
    """
    if data.ndim < 2:
        raise MXNetError(
            f"_contrib_bipartite_matching: at least two axes expected, got {tuple(data.shape)}"
        )
    require_floats("_contrib_bipartite_matching", data)
    scores = data.reshape(math.prod(data.shape[:-2]), *data.shape[-2:])
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

    Example:
        >>> import mxnet as mx
        >>> box = mx.nd.array([[[0, 0, 2, 2]]])
        >>> sample, match = mx.nd.ones((1, 1)), mx.nd.zeros((1, 1))
        >>> means, stds = mx.nd.zeros(4), mx.nd.ones(4)
        >>> offsets, mask = mx.nd.contrib.box_encode(sample, match, box, box + 1, means, stds)
        >>> print(offsets.asnumpy().tolist(), mask.asnumpy().tolist())
        [[[0.5, 0.5, 0.0, 0.0]]] [[[1.0, 1.0, 1.0, 1.0]]]
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

    Example:
        >>> import mxnet as mx
        >>> anchor = mx.nd.array([[[1, 1, 2, 2]]])
        >>> print(mx.nd.contrib.box_decode(mx.nd.zeros((1, 1, 4)), anchor).asnumpy())
        [[[0. 0. 2. 2.]]]
    """
    name = "_contrib_box_decode"
    _check_boxes(name, "data", data)
    _check_boxes(name, "anchors", anchors)
    if anchors.shape[:2] != (1, data.shape[1]):
        raise MXNetError(
            f"{name}: anchors of shape (1, {data.shape[1]}, 4) expected, got {tuple(anchors.shape)}"
        )
    own = anchors if format == "center" else as_centers(anchors)
    scaled = data * constant_like((std0, std1, std2, std3), data)
    growth = clamp_max(scaled[..., 2:], clip) if clip > 0 else scaled[..., 2:]
    centre = scaled[..., :2] * own[..., 2:] + own[..., :2]
    return as_corners(torch.cat((centre, torch.exp(growth) * own[..., 2:]), -1))
