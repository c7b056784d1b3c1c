"""Estimates of divergences leave no threshold out that is the best one."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from mxnet.ops.quantization import calibration

random = np.random.RandomState(4)
ELEMENTS = {
    "normal": random.randn(20000),
    "positive": np.maximum(random.randn(20000), 0),
    "few": random.randn(12),
    "zeros": np.where(random.rand(5000) < 0.9, 0, random.rand(5000)),
    "heavy": random.standard_cauchy(3000),
}


@pytest.mark.parametrize("num_bins", [127, 255])
@pytest.mark.parametrize("name", ELEMENTS)
def test_the_best_threshold_is_among_the_candidates(name: str, num_bins: int):
    edge = np.abs(ELEMENTS[name]).max()
    counts, edges = np.histogram(ELEMENTS[name], bins=801, range=(-edge, edge))
    arguments = counts.astype(np.float32), edges.astype(np.float32), num_bins
    found = calibration._find_threshold(*arguments)
    every = range(num_bins // 2, 401)
    with mock.patch.object(calibration, "_list_reaches", return_value=every):
        assert calibration._find_threshold(*arguments) == found


def test_few_candidates_are_left():
    counts, _ = np.histogram(ELEMENTS["normal"], bins=801, range=(-5, 5))
    assert len(calibration._list_reaches(counts.astype(np.float32), 127)) < 100
