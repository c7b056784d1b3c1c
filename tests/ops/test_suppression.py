"""Suppression of many boxes, which goes in blocks and by groups, against one box at a time."""

from __future__ import annotations

import pytest
import torch

from mxnet.ops.suppression import keep_best, overlaps


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
