"""How many Python calls a training step takes: what small networks spend their time on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "python_calls.py"


@pytest.fixture(scope="module")
def calls() -> dict[str, int]:
    """Counts in a process of its own: captures that other tests make add to what a pass does."""
    command = [sys.executable, str(SCRIPT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {part: int(count) for part, count in re.findall(r"^(.*): (\d+) ", done.stdout, re.M)}


@pytest.mark.parametrize(
    ("part", "limit"),
    [("loss.backward()", 22), ("trainer.step(4)", 43)],  # 40 and 62 before
)
def test_a_step_takes_few_calls(calls, part, limit):
    assert calls[part] <= limit
