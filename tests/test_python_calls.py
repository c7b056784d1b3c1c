"""How many Python calls common ways take: what small networks spend their time on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "python_calls.py"
LIMITS = {
    "a + b": (1, 1),
    "nd.relu(a)": (1, 1),
    "np.sum(x)": (4, 2),
    "bind and forward of a FullyConnected": (180, 25),
    "first hybridized call of two Dense": (693, 35),
    "hybridized call, repeated": (21, 10),
    "SymbolBlock.imports of one Dense": (293, 30),
    "SymbolBlock.imports of two Dense": (443, 30),
    "loss.backward()": (12, 5),
    "trainer.step(4)": (34, 7),
    "recorded step": (68, 22),
}
"""Calls and files that were reached: a change may make a way shorter, and then says so here."""


@pytest.fixture(scope="module")
def counts() -> dict[str, tuple[int, int]]:
    """Counts in a process of its own: captures that other tests make add to what a pass does."""
    command = [sys.executable, str(SCRIPT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = re.findall(r"^(.*): (\d+) Python calls in (\d+) files", done.stdout, re.MULTILINE)
    return {way: (int(calls), int(files)) for way, calls, files in rows}


def test_every_way_has_a_limit(counts):
    assert counts.keys() == LIMITS.keys()


@pytest.mark.parametrize("way", LIMITS)
def test_a_way_does_not_get_longer(counts, way):
    calls, files = LIMITS[way]
    assert counts[way][0] <= calls
    assert counts[way][1] <= files
