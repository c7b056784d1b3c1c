"""Batches of `ImageRecordIter` and `ImageDetRecordIter` are those of the original."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from tests.golden import record_cases as cases

GOLDEN = Path(__file__).parent.parent / "golden" / "io"
DATA = np.load(GOLDEN / "batches.npz")
RESULTS = json.loads((GOLDEN / "batches.json").read_text())
FILES = {"path_imgidx": "images.idx", "path_imglist": "images.lst"}
NOT_EXACT = {"cubic", "auto up", "rotate by cubic"}
"""Cubic interpolation rounds otherwise in OpenCV 5."""


def compare(name, iterator):
    found = cases.describe(iterator)
    data = np.concatenate(found.pop("data"))
    assert found == RESULTS[name]
    assert data.shape == DATA[name].shape
    difference = np.abs(data.astype(np.float64) - DATA[name])
    assert difference.max() <= (1 if name in NOT_EXACT else 0)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", cases.CASES)
def test_batches_of_images(name, threads):
    given = {**cases.COMMON, **cases.CASES[name], "preprocess_threads": threads}
    given |= {key: str(GOLDEN / file) for key, file in FILES.items() if key in given}
    compare(name, mx.io.ImageRecordIter(path_imgrec=str(GOLDEN / "images.rec"), **given))


@pytest.mark.parametrize("name", cases.DETECTION_CASES)
def test_batches_of_images_with_boxes(name):
    given = {**cases.COMMON, **cases.DETECTION_CASES[name]}
    compare(name, mx.io.ImageDetRecordIter(path_imgrec=str(GOLDEN / "boxes.rec"), **given))
