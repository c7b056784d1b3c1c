"""Workflows call tools as they can be called, and run every check on each change."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
CALLS = re.findall(r"run: python ((?:-m )?tools[./]\S+)", WORKFLOW.read_text(encoding="utf-8"))


def test_each_push_and_pull_request_runs_every_check():
    text = (WORKFLOW.parent / "ci.yml").read_text(encoding="utf-8")
    assert re.search(r"^on:\n  push:", text, re.MULTILINE)
    assert re.search(r"^  pull_request:", text, re.MULTILINE)
    assert "run: .ci/run" in text


def test_there_are_calls():
    assert len(CALLS) == 2


@pytest.mark.parametrize("call", CALLS)
def test_a_tool_starts_without_the_package(call):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, *call.split(), "--help"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "usage" in done.stdout
