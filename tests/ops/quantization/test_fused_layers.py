"""Fused layers on bytes give the original's integers, up to one step where a rounding is a tie."""

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from mxnet.ops.quantization import kernels
from tests.golden.fused_cases import cases, compute

GOLDEN = Path(__file__).parents[2] / "golden" / "fused_layers.npz"
CASES = dict(cases())
MOST_TIES = 0.02


@cache
def golden():
    """Returns the outputs of each case."""
    with np.load(GOLDEN) as arrays:
        index, data = json.loads(arrays["index"].tobytes()), arrays["data"]
    outputs, begin = {}, 0
    for name, dtype, shape in index:
        end = begin + math.prod(shape) * np.dtype(dtype).itemsize
        outputs.setdefault(name, []).append(data[begin:end].view(dtype).reshape(shape))
        begin = end
    return outputs


def steps_between(expected, result):
    """Returns by how much integers differ; bytes of the wrong sign wrap around, as memory does."""
    steps = np.abs(expected.astype("float64") - result)
    return np.minimum(steps, 256 - steps) if expected.itemsize == 1 else steps


@pytest.mark.parametrize("name", CASES)
def test_layers_on_bytes_compute_what_the_original_does(name):
    expected = golden()[name]
    results = compute(CASES[name])
    assert [(item.shape, item.dtype) for item in results] == [
        (item.shape, item.dtype) for item in expected
    ]
    first, *ranges = expected
    if first.dtype == np.float32:
        np.testing.assert_allclose(results[0], first, rtol=1e-5, atol=1e-5)
    else:
        steps = steps_between(first, results[0])
        assert steps.max() <= 1 + 1e-7 * np.abs(first).max()
        assert (steps > 0).mean() <= MOST_TIES or first.dtype == np.int32
    for value, result in zip(ranges, results[1:], strict=True):
        np.testing.assert_allclose(result, value, rtol=1e-5)


def test_there_is_a_result_for_every_case():
    assert golden().keys() == CASES.keys()


@pytest.mark.parametrize("name", [*CASES][::12])
def test_without_int8_kernels_the_results_are_the_same(name, monkeypatch):
    monkeypatch.setattr(kernels, "uses_int8_kernels", lambda _: False)
    test_layers_on_bytes_compute_what_the_original_does(name)
