"""Suppression of many boxes, which goes in blocks and by groups, against one box at a time."""

from __future__ import annotations

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.ops.core.registry import get_op
from mxnet.ops.detection import anchors as anchor_operators
from mxnet.ops.detection import boxes as box_operators
from mxnet.ops.detection import suppression
from mxnet.ops.detection.suppression import keep_best, keep_best_of_each, list_kept, overlaps

WAYS = ["image by image", "at once"]
"""How tensors are gone through: where values are at hand, and where they are not."""


def go(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes all operators take one way."""
    for module in (anchor_operators, box_operators, suppression):
        monkeypatch.setattr(module, "is_on_host", lambda *_: False)
    monkeypatch.setattr(suppression, "may_wait", lambda _: way == WAYS[0])


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
            context.setattr(suppression, "is_on_host", lambda *_: False)
            assert keep_best(boxes, 0.4, known).tolist() == kept.tolist()


def make_images(images: int, count: int, dtype: torch.dtype) -> tuple[torch.Tensor, ...]:
    """Boxes, which of them count, and their groups."""
    boxes = torch.stack([make_boxes(count, seed) for seed in range(images)]).to(dtype)
    boxes[0, count // 2, 2] = torch.nan
    boxes[-1, count // 3, 2:] = boxes[-1, count // 3, :2]  # without an area
    generator = torch.Generator().manual_seed(count)
    counts = torch.rand(images, count, generator=generator) < 0.8
    groups = torch.randint(0, 3, (images, count), generator=generator).to(dtype)
    return boxes, counts, groups


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
@pytest.mark.parametrize("inclusive", [False, True])
@pytest.mark.parametrize(("count", "block"), [(1, 64), (7, 8), (100, 8), (100, 32), (300, 1024)])
def test_all_images_keep_what_one_box_after_the_other_leaves(
    count, block, inclusive, dtype, way, monkeypatch
):
    go(way, monkeypatch)
    monkeypatch.setattr(suppression, "_choose_block", lambda _: block)
    boxes, counts, groups = make_images(3, count, dtype)
    for threshold in (0.5, 0.25, -0.1):
        for known in (groups, None):
            kept = keep_best_of_each(boxes, counts, threshold, known, inclusive=inclusive)
            for image in range(3):
                numbers = counts[image].nonzero()[:, 0]
                own = torch.zeros(len(numbers)) if known is None else groups[image, numbers]
                found = keep_one_by_one(boxes[image, numbers], threshold, own, inclusive)
                assert kept[image].nonzero()[:, 0].tolist() == numbers[found].tolist()


def test_a_box_that_is_suppressed_suppresses_no_other(monkeypatch):
    go("at once", monkeypatch)
    # Each overlaps the next one alone, so that every second one is kept, however many there are.
    left = torch.arange(200.0) * 4
    boxes = torch.stack((left, left * 0, left + 6, left * 0 + 1), 1)[None]
    kept = keep_best_of_each(boxes, torch.ones(1, 200, dtype=torch.bool), 0.15)
    assert kept[0].nonzero()[:, 0].tolist() == list(range(0, 200, 2))


def test_kept_boxes_are_listed_in_order():
    kept = torch.tensor([[True, False, True], [False, False, False], [True, True, True]])
    assert list_kept(kept).tolist() == [[0, 2, -1], [-1, -1, -1], [0, 1, 2]]
    assert list_kept(kept[:, :0]).shape == (3, 0)


class Calls(TorchDispatchMode):
    """Counts the functions of torch that are called."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, func, _types, args=(), kwargs=None):
        self.count += 1
        return func(*args, **(kwargs or {}))


def count_calls(operator: str, *arrays: torch.Tensor, **options) -> int:
    with Calls() as calls:
        get_op(operator).kernel(*arrays, **options)
    return calls.count


def test_the_number_of_kernels_does_not_grow_with_the_batch(monkeypatch):
    go("at once", monkeypatch)
    counts = set()
    for batch in (1, 5):
        rows = torch.rand(batch, 120, 6)
        boxes = count_calls("_contrib_box_nms", rows, topk=80, id_index=0)
        arrays = (torch.rand(batch, 3, 120), torch.rand(batch, 480), torch.rand(1, 120, 4))
        objects = count_calls("_contrib_MultiBoxDetection", *arrays, nms_topk=80)
        arrays = (torch.rand(batch, 24, 3, 3), torch.rand(batch, 48, 3, 3), torch.rand(batch, 3))
        regions = count_calls("_contrib_MultiProposal", *arrays)
        counts.add((boxes, objects, regions))
    assert len(counts) == 1


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
@pytest.mark.parametrize("way", WAYS)
def test_the_host_detects_what_tensors_detect(way, options, monkeypatch):
    result = detect(**options)
    go(way, monkeypatch)
    torch.testing.assert_close(result, detect(**options))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("in_format", ["corner", "center"])
@pytest.mark.parametrize("topk", [-1, 30])
def test_the_host_keeps_the_rows_and_gradients_that_tensors_keep(topk, in_format, way, monkeypatch):
    columns = [torch.arange(120) % 3, torch.arange(120).flip(0) % 50 / 50]
    rows = torch.cat((torch.stack(columns, 1), make_boxes(120, 2)), 1).view(2, 60, 6)
    options = {"topk": topk, "id_index": 0, "in_format": in_format}
    results = []
    for is_on_host in (True, False):
        if not is_on_host:
            go(way, monkeypatch)
        data = rows.clone().requires_grad_()
        for given in (rows, data):
            results.append(get_op("_contrib_box_nms").kernel(given, **options))
        results[-1][0].sum().backward()
        results.append((data.grad,))
    half = len(results) // 2
    for one, other in zip(results[:half], results[half:], strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "options", [{}, {"rpn_pre_nms_top_n": 40, "rpn_post_nms_top_n": 9}], ids=str
)
def test_the_host_proposes_what_tensors_propose(options, way, monkeypatch):
    generator = torch.Generator().manual_seed(6)
    scores = torch.randint(0, 9, (2, 24, 5, 4), generator=generator) / 9
    moves = torch.randn(2, 48, 5, 4, generator=generator) * 0.2
    arrays = (scores, moves, torch.tensor([[80.0, 64.0, 1.0], [70.0, 50.0, 2.0]]))
    result = get_op("_contrib_MultiProposal").kernel(*arrays, **options)
    go(way, monkeypatch)
    found = get_op("_contrib_MultiProposal").kernel(*arrays, **options)
    for one, other in zip(result, found, strict=True):
        assert torch.equal(one, other)
