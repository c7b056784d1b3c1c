"""The operators of single-shot detectors."""

from __future__ import annotations

import numpy as np

from .core import rand, sample, values

PRIOR, TARGET = "_contrib_MultiBoxPrior", "_contrib_MultiBoxTarget"
DETECTION = "_contrib_MultiBoxDetection"
MAP = rand(1, 3, 2, 3)

PRIORS = [
    sample(PRIOR, MAP),
    sample(PRIOR, MAP, sizes=(0.5, 0.25), ratios=(1, 2, 0.5)),
    sample(PRIOR, MAP, sizes=(0.5, 0.25), ratios=(2, 0.5), train=False),
    sample(PRIOR, MAP, sizes="(1.5,)", clip=True),
    sample(PRIOR, MAP, steps=(0.2, 0.3), offsets=(0.1, 0.2)),
    sample(PRIOR, rand(2, 1, 3, 1), sizes=(0.4,), ratios=(1, 4)),
    sample(PRIOR, rand(3, 2, 3), raises=True),
    sample(PRIOR, MAP, sizes=(), raises=True),
    sample(PRIOR, MAP, ratios=(), raises=True),
    sample(PRIOR, MAP, steps=(1,), raises=True),
    sample(PRIOR, MAP, steps=(-0.5, 0.5), raises=True),
    sample(PRIOR, values([[[[1]]]], "int32"), raises=True),
]

FIVE = [
    [0.1, 0.1, 0.3, 0.3],
    [0.2, 0.2, 0.5, 0.5],
    [0.6, 0.6, 0.9, 0.9],
    [0.0, 0.0, 0.1, 0.1],
    [0.55, 0.6, 0.9, 0.95],
]
ANCHORS = values([FIVE])
NONE = [-1] * 5
LABELS = values([[[0, 0.1, 0.1, 0.32, 0.3], [2, 0.6, 0.62, 0.9, 0.9], NONE], [NONE] * 3])
GAP = values(
    [
        [[0, 0.1, 0.1, 0.32, 0.3], NONE, NONE],
        [[1, 0, 0, 0.05, 0.05], [1, 0, 0, 0.1, 0.1], [0, 0.98, 0.98, 0.99, 0.99]],
    ]
)
SCORES = rand(2, 4, 5)


def grid(count: int, seed: int) -> list[list[float]]:
    """Random boxes."""
    random = np.random.RandomState(seed)
    low = random.uniform(0, 0.7, (count, 2))
    return np.concatenate([low, low + random.uniform(0.1, 0.4, (count, 2))], 1).round(4).tolist()


MANY = values([grid(30, 0)])
OBJECTS = values(
    [
        [[i % 3, *box] for i, box in enumerate(grid(4, 1))],
        [*([2, *box] for box in grid(2, 2)), NONE, NONE],
    ]
)

TARGETS = [
    *(
        sample(TARGET, ANCHORS, LABELS, SCORES, **attrs)
        for attrs in (
            {},
            {"overlap_threshold": 0.1},
            {"overlap_threshold": -1},
            {"negative_mining_ratio": 1},
            {"negative_mining_ratio": 0.5, "overlap_threshold": 0.9},
            {"negative_mining_ratio": 0.1, "minimum_negative_samples": 2},
            {"variances": (1, 2, 3, 4)},
            {"ignore_label": 5, "train": False},
        )
    ),
    sample(TARGET, ANCHORS, GAP, SCORES, label="a gap"),
    sample(TARGET, ANCHORS, GAP, SCORES, negative_mining_ratio=2),
    sample(
        TARGET,
        ANCHORS,
        GAP,
        values(np.zeros((2, 4, 5)).tolist()),
        negative_mining_ratio=1,
        label="a gap",
    ),
    sample(TARGET, ANCHORS, values([[[1, 0.2, 0.2, 0.5, 0.5, 7, 8]]]), rand(1, 3, 5)),
    sample(TARGET, MANY, OBJECTS, rand(2, 4, 30), overlap_threshold=0.3),
    sample(TARGET, MANY, OBJECTS, rand(2, 4, 30), negative_mining_ratio=3, ignore_label=-2),
    sample(
        TARGET,
        ANCHORS,
        LABELS,
        SCORES,
        negative_mining_ratio=3,
        negative_mining_thresh=0.05,
        oracle=False,
        why="the original fails where there are fewer background boxes than it looks for",
    ),
    sample(TARGET, values([FIVE[:4]]), LABELS, SCORES, raises=True),
    sample(TARGET, ANCHORS, rand(2, 3, 4), SCORES, raises=True),
    sample(TARGET, values(FIVE), LABELS, SCORES, raises=True),
    sample(TARGET, ANCHORS, LABELS, rand(2, 4), raises=True),
]

PROBABILITIES = values(
    [
        [[0.2, 0.1, 0.05, 0.9, 0.3], [0.7, 0.2, 0.05, 0.05, 0.3], [0.1, 0.7, 0.9, 0.05, 0.4]],
        [[0.1, 0.99, 0.2, 0.3, 0.2], [0.5, 0.005, 0.4, 0.3, 0.4], [0.4, 0.005, 0.4, 0.4, 0.4]],
    ]
)
DISTINCT = values((np.random.RandomState(3).permutation(240) / 256).reshape(2, 4, 30).tolist())
"""Distinct in half precision too, so that the order is the same."""
OFFSETS = rand(2, 20)
DETECTIONS = [
    *(
        sample(DETECTION, PROBABILITIES, OFFSETS, ANCHORS, **attrs)
        for attrs in (
            {},
            {"nms_threshold": 0.1},
            {"nms_threshold": 0.1, "force_suppress": True},
            {"threshold": 0.45},
            {"threshold": 0.5},
            {"nms_topk": 2},
            {"nms_topk": 3, "nms_threshold": 0.1, "force_suppress": True},
            {"nms_topk": 0},
            {"clip": False, "variances": (1, 1, 1, 1)},
            {"clip": True, "variances": (1, 1, 1, 1)},
            {"background_id": 1},
            {"background_id": -1, "train": False},
            {"nms_threshold": 0},
            {"nms_threshold": -1},
            {"nms_threshold": 1.5},
            {"nms_threshold": 1},
            {"threshold": 2},
        )
    ),
    sample(DETECTION, values(np.ones((1, 2, 5)).tolist()), rand(1, 20, low=0, high=0), ANCHORS),
    sample(DETECTION, DISTINCT, rand(2, 120), MANY, nms_threshold=0.3),
    sample(DETECTION, DISTINCT, rand(2, 120), MANY, nms_topk=10, threshold=0.3),
    sample(DETECTION, PROBABILITIES, rand(2, 16), ANCHORS, raises=True),
    sample(DETECTION, PROBABILITIES, OFFSETS, values([FIVE[:4]]), raises=True),
    sample(DETECTION, PROBABILITIES, OFFSETS, values([FIVE, FIVE]), raises=True),
    sample(DETECTION, rand(2, 3), OFFSETS, ANCHORS, raises=True),
]

SAMPLES = [*PRIORS, *TARGETS, *DETECTIONS]
