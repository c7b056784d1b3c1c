"""Boxes of objects in images."""

from __future__ import annotations

import numpy as np

from .core import rand, sample, values

NMS, IOU, MATCH = "_contrib_box_nms", "_contrib_box_iou", "_contrib_bipartite_matching"
NOTE = [
    [0, 0.5, 0.1, 0.1, 0.2, 0.2],
    [1, 0.4, 0.1, 0.1, 0.2, 0.2],
    [0, 0.3, 0.1, 0.1, 0.14, 0.14],
    [2, 0.6, 0.5, 0.5, 0.7, 0.8],
]
ROWS = values(NOTE)


def boxes(*shape: int, seed: int = 0, dtype: str = "float32"):
    """Random boxes with a class and a score, many of which overlap."""
    random = np.random.RandomState(seed)
    low = random.uniform(0, 0.7, (*shape, 2))
    high = low + random.uniform(0.05, 0.5, (*shape, 2))
    kinds = random.randint(0, 3, (*shape, 1))
    scores = random.permutation(int(np.prod(shape))).reshape(*shape, 1) / np.prod(shape)
    return values(np.concatenate([kinds, scores, low, high], -1).round(4).tolist(), dtype)


def nms(data, **attrs):
    """A call of box_nms; its gradient is defined by copying."""
    return sample(NMS, data, numeric=False, **attrs)


SUPPRESSION = [
    nms(ROWS),
    *(
        nms(ROWS, overlap_thresh=0.1, **attrs)
        for attrs in (
            {"id_index": 0, "force_suppress": True},
            {"id_index": 0},
            {},
            {"in_format": "center"},
            {"out_format": "center"},
            {"in_format": "center", "out_format": "center"},
            {"in_format": "center", "out_format": "corner", "train": False},
        )
    ),
    *(nms(ROWS, overlap_thresh=0.9, topk=k) for k in (2, 0, 9, "1", -5)),
    *(nms(ROWS, overlap_thresh=t) for t in (0, 1, 2, -0.5)),
    *(nms(ROWS, overlap_thresh=0.9, valid_thresh=t) for t in (0.45, 0.5, 9)),
    nms(ROWS, overlap_thresh=0.9, id_index=0, background_id=0),
    nms(ROWS, overlap_thresh=0.9, background_id=0),
    nms(values([[0, 0.5, 0, 0, 1, 1], [1, 0.5, 5, 5, 6, 6], [2, 0.5, 0, 0, 1, 1]])),
    nms(values([[0, 0.5, 0, 0, 1, 1], [1, 0.4, 0, 0, 1, 0.5]])),
    nms(values([[0, 0.5, 0, 0, 0, 0], [1, 0.4, 0, 0, 0, 0]]), label="boxes without area"),
    nms(values([[0, 0.5, 1, 1, 0, 0], [1, 0.4, 0, 0, 1, 1]]), overlap_thresh=0.1),
    nms(values([[0, -0.5, 0, 0, 1, 1], [1, 0.4, 3, 3, 4, 4]]), valid_thresh=-1),
    nms(values([row[1:] for row in NOTE]), coord_start=1, score_index=0, overlap_thresh=0.1),
    nms(values([[*row, 7, 8] for row in NOTE]), overlap_thresh=0.1),
    nms(values([[-1, 0.9, 0, 0, 1, 1], *NOTE]), overlap_thresh=0.9, id_index=0),
    nms(values([[-1, 0.9, 0, 0, 1, 1], *NOTE]), id_index=0, background_id=2, force_suppress=True),
    nms(boxes(2, 30), overlap_thresh=0.3, id_index=0),
    nms(boxes(2, 30, seed=1), overlap_thresh=0.5, topk=12, valid_thresh=0.1),
    nms(boxes(2, 1, 12, seed=2), overlap_thresh=0.4, id_index=0, background_id=1),
    *(nms(values(NOTE, kind), overlap_thresh=0.1) for kind in ("float64", "float16")),
    *(
        nms(ROWS, raises=True, **attrs)
        for attrs in (
            {"coord_start": 3},
            {"coord_start": -1},
            {"score_index": 6},
            {"score_index": -1},
            {"score_index": 3},
            {"id_index": 6},
            {"id_index": 1},
            {"id_index": 2},
            {"in_format": "other"},
        )
    ),
    nms(values(NOTE[0]), raises=True),
    nms(values([[0, 5, 1, 1, 2, 2]], "int32"), raises=True),
]

LEFT = values([[0, 0, 2, 2], [1, 1, 3, 3]])
RIGHT = values([[[0, 0, 1, 1], [1, 1, 2, 2], [5, 5, 4, 4]]])
OVERLAPS = [
    sample(IOU, LEFT, RIGHT),
    sample(IOU, LEFT, RIGHT, format="center"),
    sample(IOU, RIGHT, LEFT, format="corner", train=False),
    sample(IOU, values([[0, 0, 0, 0]]), values([[0, 0, 0, 0]])),
    sample(IOU, values([[2, 2, 0, 0]]), values([[0, 0, 2, 2]])),
    sample(IOU, rand(2, 3, 4, low=0), rand(2, 2, 1, 4, low=0)),
    sample(IOU, rand(5, 4, low=0, dtype="float64"), rand(3, 4, low=0, dtype="float64")),
    sample(IOU, values([[0, 0, 2, 2]], "float16"), values([[1, 1, 2, 3]], "float16")),
    sample(IOU, rand(3, 3), rand(3, 4), raises=True),
    sample(IOU, rand(4), rand(3, 4), raises=True),
    sample(IOU, LEFT, RIGHT, format="other", raises=True),
    sample(IOU, values([[0, 0, 2, 2]], "int32"), values([[0, 0, 1, 1]], "int32"), raises=True),
]

SCORES = values([[0.5, 0.6], [0.1, 0.2], [0.3, 0.4]])
EMPTY = "without rows the original gives whatever is in its memory"
MATCHES = [
    *(
        sample(MATCH, SCORES, **attrs)
        for attrs in (
            {"threshold": 1e-12},
            {"threshold": 0.35},
            {"threshold": 0.35, "is_ascend": True},
            {"threshold": 0.2, "is_ascend": True},
            {"threshold": 0.7},
            {"threshold": "1e-12", "topk": 2},
            {"threshold": 1e-12, "train": False},
        )
    ),
    sample(MATCH, rand(5, 6, low=0), threshold=0.1, topk=1),
    sample(MATCH, rand(5, 6, low=0), threshold=0.1, topk=3, is_ascend=True),
    sample(MATCH, rand(2, 4, 3), threshold=-0.5),
    sample(MATCH, rand(2, 2, 3, 5), threshold=0.5, is_ascend=True),
    sample(MATCH, values([[1, 1, 1], [1, 1, 1]]), threshold=0.1),
    *(sample(MATCH, rand(3, 4, dtype=kind), threshold=0) for kind in ("float64", "float16")),
    sample(MATCH, rand(0, 2), threshold=0.1, oracle=False, why=EMPTY),
    sample(MATCH, rand(3, 0, 2), threshold=0.1, oracle=False, why=EMPTY),
    sample(MATCH, rand(3), threshold=0.1, raises=True),
    sample(MATCH, SCORES, raises=True),
]

ENCODE, DECODE = "_contrib_box_encode", "_contrib_box_decode"
FOUR = [[0.1, 0.1, 0.3, 0.4], [0.2, 0.2, 0.5, 0.5], [0.6, 0.6, 0.9, 0.9], [0, 0, 0.1, 0.1]]
TWO = [[0.1, 0.15, 0.35, 0.4], [0.05, 0.02, 0.2, 0.2]]


def encode(flags, numbers, batch=1, kind="float32", means=(0, 0.1, 0.2, 0.3), **fields):
    """A call of box_encode."""
    rows = [[flags] * batch, [numbers] * batch, [FOUR] * batch, [TWO] * batch]
    arrays = [values(item, kind) for item in (*rows, list(means), [0.1, 0.2, 0.3, 0.4])]
    return sample(ENCODE, *arrays, **fields)


CODES = [
    encode([1, -1, 0, 1], [0, 1, 0, 1]),
    encode([0.5, 0.6, 0.4, 2], [0, 1, 0, 1], batch=2, train=False),
    encode([1, -1, 0, 1], [0, 1, 0, 1], kind="float64"),
    encode([1, -1, 0, 1], [0, 1, 0, 1], means=(0, 1, 2), raises=True),
    encode([1, -1, 0], [0, 1, 0], raises=True),
    *(
        sample(DECODE, rand(2, 4, 4), values([FOUR]), **attrs)
        for attrs in (
            {},
            {"std0": 0.1, "std1": 0.2, "std2": 0.3, "std3": 0.4},
            {"clip": 0.5, "train": False},
            {"format": "corner"},
            {"format": "corner", "clip": "0.1", "std2": 2},
        )
    ),
    sample(DECODE, rand(2, 4, 4, dtype="float64"), values([FOUR], "float64")),
    sample(DECODE, rand(2, 4, 4), values([FOUR[:3]]), raises=True),
    sample(DECODE, rand(2, 4, 4), values([FOUR, FOUR]), raises=True),
    sample(DECODE, rand(4, 4), values(FOUR), raises=True),
]

SAMPLES = [*SUPPRESSION, *OVERLAPS, *MATCHES, *CODES]
