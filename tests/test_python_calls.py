"""How many Python calls a training step takes: what small networks spend their time on."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "python_calls.py"


@pytest.fixture(scope="module")
def calls():
    spec = importlib.util.spec_from_file_location("python_calls", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script.measure()


@pytest.mark.parametrize(
    ("part", "limit"),
    [("loss.backward()", 22), ("trainer.step(4)", 43)],  # 40 and 62 before
)
def test_a_step_takes_few_calls(calls, part, limit):
    assert len(calls[part].python) <= limit, calls[part].python
