"""The package on systems that lack what Linux has, as far as that can be simulated."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.mark.parametrize("system", ["windows", pytest.param("macos", marks=pytest.mark.slow)])
def test_the_package_works_without_what_other_systems_lack(system: str, tmp_path: Path):
    done = subprocess.run(
        [sys.executable, HERE / "as_elsewhere.py", system, tmp_path],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(HERE.parents[1] / "src")},
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[0]) > 300
