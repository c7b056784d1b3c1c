"""Suppression of many boxes, which goes in blocks and by groups, against one box at a time."""

from __future__ import annotations

import pytest
import torch

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.ops.core.registry import get_op
from mxnet.ops.detection import anchors as anchor_operators
from mxnet.ops.detection import boxes as box_operators
from mxnet.ops.detection.boxes import keep_best, overlaps


def make_boxes(count: int, seed: int) -> torch.Tensor:
    """Boxes on a coarse grid, so that many overlaps are equal to the threshold."""
    generator = torch.Generator().manual_seed(seed)
    low = torch.randint(0, 24, (count, 2), generator=generator)
    size = torch.randint(1, 9, (count, 2), generator=generator)
    return torch.cat((low, low + size), 1).float()


def keep_one_by_one(
    boxes: torch.Tensor, threshold: float, groups: torch.Tensor, inclusive: bool
) -> list[int]:
    """The same by its definition."""
    shares = overlaps(boxes, boxes)
    close = shares >= threshold if inclusive else shares > threshold
    close &= groups[:, None] == groups
    kept: list[int] = []
    for box in range(len(boxes)):
        if not close[box, kept].any():
            kept.append(box)
    return kept


@pytest.mark.parametrize("count", [0, 1, 100, 300, 1500])
@pytest.mark.parametrize("inclusive", [False, True])
def test_boxes_are_kept_as_one_by_one(count, inclusive):
    boxes = make_boxes(count, count)
    groups = torch.arange(count) % 3
    expected = keep_one_by_one(boxes, 0.5, groups, inclusive)
    assert keep_best(boxes, 0.5, groups, inclusive=inclusive).tolist() == expected
    alone = keep_one_by_one(boxes, 0.5, torch.zeros(count), inclusive)
    assert keep_best(boxes, 0.5, inclusive=inclusive).tolist() == alone


def test_the_search_ends_when_enough_boxes_are_found():
    boxes = make_boxes(4000, 1)
    every = keep_best(boxes, 0.9).tolist()
    some = keep_best(boxes, 0.9, most=30).tolist()
    assert 30 <= len(some) < len(every)
    assert every[: len(some)] == some


def test_overlaps_of_boxes_without_an_area_are_zero():
    boxes = torch.tensor([[0.0, 0.0, 0.0, 2.0], [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 2.0, 2.0]])
    assert overlaps(boxes, boxes).tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("count", [1, 90, 700])
def test_the_host_finds_what_blocks_find(count, dtype, monkeypatch):
    boxes = make_boxes(count, count).to(dtype)
    boxes[count // 2, 2] = torch.nan
    groups = (torch.arange(count) % 5).to(dtype)
    groups[count // 3] = torch.nan
    for known in (groups, None):
        kept = keep_best(boxes, 0.4, known)
        with monkeypatch.context() as context:
            context.setattr(box_operators, "is_on_host", lambda *_: False)
            assert keep_best(boxes, 0.4, known).tolist() == kept.tolist()


def detect(**options):
    generator = torch.Generator().manual_seed(5)
    chances = torch.rand(2, 4, 60, generator=generator)
    offsets = torch.rand(2, 240, generator=generator)
    anchors = make_boxes(60, 4)[None] / 33
    return get_op("_contrib_MultiBoxDetection").kernel(chances, offsets, anchors, **options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"nms_topk": 20, "threshold": 0.8},
        {"nms_topk": 20, "force_suppress": True, "clip": False},
        {"nms_threshold": -1.0, "threshold": 0.9},
        {"threshold": 2.0},
    ],
    ids=str,
)
def test_the_host_detects_what_tensors_detect(options, monkeypatch):
    result = detect(**options)
    monkeypatch.setattr(anchor_operators, "is_on_host", lambda *_: False)
    torch.testing.assert_close(result, detect(**options))


@pytest.mark.parametrize("in_format", ["corner", "center"])
@pytest.mark.parametrize("topk", [-1, 30])
def test_the_host_keeps_the_rows_and_gradients_that_tensors_keep(topk, in_format, monkeypatch):
    columns = [torch.arange(120) % 3, torch.arange(120).flip(0) % 50 / 50]
    rows = torch.cat((torch.stack(columns, 1), make_boxes(120, 2)), 1).view(2, 60, 6)
    options = {"topk": topk, "id_index": 0, "in_format": in_format}
    results = []
    for is_on_host in (True, False):
        monkeypatch.setattr(box_operators, "is_on_host", lambda *_, where=is_on_host: where)
        data = rows.clone().requires_grad_()
        for given in (rows, data):
            results.append(get_op("_contrib_box_nms").kernel(given, **options))
        results[-1][0].sum().backward()
        results.append((data.grad,))
    half = len(results) // 2
    for one, other in zip(results[:half], results[half:], strict=True):
        torch.testing.assert_close(one, other)
