"""The soak: that its scenes run, and that it sees what grows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "soak.py"

SUMMARY = """
import sys
sys.path.insert(0, {folder!r})
import soak
one = soak.Soak(3600.0, ["eager"], 60.0)
one.times = [60.0 * minute for minute in range(61)]
one.samples = [[100.0 + {growth} * minute] + [5.0] * 6 for minute in range(61)]
sys.exit(0 if one.summarize(0.25) else 1)
"""


def summarize(growth):
    program = SUMMARY.format(folder=str(TOOL.parent), growth=growth)
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


def test_memory_that_is_flat_passes():
    result = summarize(0.05)
    assert result.returncode == 0, result.stderr
    assert "GROWS" not in result.stdout


def test_memory_that_grows_fails():
    result = summarize(2.0)
    assert result.returncode == 1, result.stderr
    assert result.stdout.count("GROWS") == 1
    assert "| RSS, MiB | 140.0 | 210.0 |" in result.stdout


def test_every_scene_is_played():
    result = subprocess.run(
        [sys.executable, TOOL, "--minutes", "0.001"], capture_output=True, text=True, check=False
    )
    rows = [line for line in result.stdout.splitlines() if line.endswith("| 1 | 0 |")]
    assert len(rows) == 15, result.stdout + result.stderr
