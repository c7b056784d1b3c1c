"""The stopwatch of `tools/try_newcomer.py`, without an installation."""

from __future__ import annotations

import os
import sys

import pytest

from tools.try_clients import StepError
from tools.try_newcomer import Step, busy, judge, measure, requirements, size_of


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


def test_sizes_and_requirements(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_bytes(b"12345")
    assert size_of(tmp_path) == 5
    assert requirements("cpu")[0].endswith("+cpu")
    assert len(requirements("")) == 1
