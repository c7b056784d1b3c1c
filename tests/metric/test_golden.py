"""Every metric shows what the original shows, step by step (tests/golden/make_metrics.py)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import metric as _metric  # noqa: F401 - the cases use mx.metric
from tests.golden.metric_cases import cases, trace

GOLDEN = json.loads(
    (Path(__file__).parent.parent / "golden" / "metrics.json").read_text(encoding="utf-8")
)
CASES = cases()


def test_every_case_has_a_result():
    assert [case.id for case in CASES] == list(GOLDEN)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_metric_shows_what_the_original_shows(case):
    found, expected = trace(mx, case), GOLDEN[case.id]
    assert len(found) == len(expected)
    steps = 1 + len(case.batches) if case.loses_totals else len(expected)
    for ours, theirs in zip(found[:steps], expected[:steps], strict=True):
        if theirs[0] == "error":
            assert ours[0] == "error"
            assert theirs[1] in ours
            continue
        assert ours[0] == theirs[0]
        if case.loses_totals:
            ours[2] = theirs[2] = None
        assert [item is None for item in ours] == [item is None for item in theirs]
        for mine, original in zip(ours[1:], theirs[1:], strict=True):
            if original is not None:
                np.testing.assert_allclose(mine, original, rtol=3e-6, atol=1e-7)
