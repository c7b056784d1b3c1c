"""The stopwatch of `tools/try_newcomer.py`, without an installation."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.try_clients import StepError
from tools.try_newcomer import (
    STAMP,
    Step,
    busy,
    judge,
    measure,
    requirements,
    size_of,
    train,
    variables,
)

ROOT = Path(__file__).resolve().parents[2]


def test_time_of_the_processor_is_that_of_the_command(tmp_path):
    burn = "import time\nwhile time.process_time() < 0.5: pass\nprint('done')"
    step, printed = measure("burn", [sys.executable, "-c", burn], tmp_path, dict(os.environ))
    assert printed == "done\n"
    assert 0.5 <= step.processor < 3
    idle, _ = measure(
        "wait", [sys.executable, "-S", "-c", "import time; time.sleep(0.5)"], tmp_path, {}
    )
    assert idle.clock >= 0.5
    assert idle.processor < 0.4


def test_a_step_that_fails_says_why(tmp_path):
    with pytest.raises(StepError, match="broken: status 3: oh no"):
        program = "import sys; print('oh no', file=sys.stderr); sys.exit(3)"
        measure("broken", [sys.executable, "-c", program], tmp_path, {})


def test_time_of_busy_processes_is_in_no_step(tmp_path):
    with busy(1):
        step, _ = measure(
            "wait", [sys.executable, "-S", "-c", "import time; time.sleep(1)"], tmp_path, {}
        )
    assert step.processor < 0.5


@pytest.mark.parametrize(
    ("install", "one", "unset", "expected"),
    [
        (30, 20, 25, []),
        (70, 20, 25, ["95 s of the processor beside the download, 90 allowed"]),
        (10, 20, 40, ["OMP_NUM_THREADS unset takes 2.00 times one thread, 1.5 allowed"]),
    ],
)
def test_what_is_allowed(install, one, unset, expected):
    steps = [Step("install", 1, install), Step("download", 1, 1000)]
    assert judge(steps, Step("one", 1, one), Step("unset", 1, unset)) == expected


def test_sizes(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_bytes(b"12345")
    assert size_of(tmp_path) == 5


def test_what_is_downloaded_is_what_make_installs():
    torch, builder, tree = requirements(ROOT, "cpu")
    assert requirements(ROOT, "") == [builder, tree]
    asked = ["make", "-n", "-B", "TORCH=cpu", "VENV=nowhere", f"nowhere/{STAMP}"]
    commands = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"'{torch}' -e '.[examples]'" in commands
    assert tree == f"{ROOT}[examples]"
    assert builder.startswith("setuptools")


def test_a_newcomer_has_set_nothing(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    assert "OMP_NUM_THREADS" not in variables()
    assert variables(OMP_NUM_THREADS="1")["OMP_NUM_THREADS"] == "1"


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_training_is_that_of_the_makefile(tmp_path):
    (tmp_path / "tree").mkdir()
    shutil.copy(ROOT / "Makefile", tmp_path / "tree")
    shutil.copy(ROOT / "constraints.txt", tmp_path / "tree")
    python = tmp_path / "environment" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$@: accuracy 0.$OMP_NUM_THREADS"\n')
    python.chmod(0o755)
    for threads, accuracy in (("3", "0.3"), ("", "0.1")):
        step = train(tmp_path / "tree", tmp_path / "environment", threads, "train")
        assert step.remark == f"accuracy {accuracy}"
