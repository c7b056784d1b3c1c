"""ONNX's own tests of operators: how many of each operator pass, at least."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("onnx", reason="needs the extra `onnx`")

from tests.onnx.node_cases import check, collect, operator_of

COUNTS = Path(__file__).parents[1] / "golden" / "onnx_node_counts.json"


def count_passing() -> Counter[str]:
    """Returns how many cases of each operator pass."""
    passing: Counter[str] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in collect():
            try:
                check(case)
            except Exception:  # noqa: BLE001 - a case that fails is not counted
                continue
            passing[operator_of(case)] += 1
    return passing


@pytest.mark.slow
def test_cases_of_onnx_pass():
    passing = count_passing()
    wanted = json.loads(COUNTS.read_text("utf-8"))
    fewer = {op: (passing[op], count) for op, count in wanted.items() if passing[op] < count}
    assert fewer == {}
