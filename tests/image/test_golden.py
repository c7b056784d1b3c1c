"""`mx.image` gives what the original gives, on real pictures and with the same seeds."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
sys.path.insert(0, str(GOLDEN))

import image_cases  # noqa: E402

CASES = image_cases.all_cases(mx)


@pytest.fixture(scope="module")
def golden():
    with np.load(GOLDEN / "image" / "results.npz") as archive:
        return {name: archive[name] for name in archive.files}


@pytest.fixture(scope="module")
def texts(golden):
    return json.loads(str(golden["texts"]))


def test_golden_file_belongs_to_these_cases(texts):
    assert set(texts) == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_result_is_that_of_the_original(name, golden, texts):
    tolerance, case = CASES[name]
    image_cases.seed()
    text, arrays = image_cases.flatten(case())
    assert json.loads(json.dumps(text)) == texts[name]
    for position, array in enumerate(arrays):
        expected = golden[f"{name}/{position}"]
        assert array.shape == expected.shape
        difference = np.abs(array.astype(np.float64) - expected.astype(np.float64))
        assert difference.max(initial=0) <= tolerance * 1.01
        # a tolerance for rounding must not hide a shift: most pixels agree closely
        assert difference.mean() <= tolerance * 0.3
