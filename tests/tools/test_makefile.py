"""What `make` would run, without running it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


def commands_of(target: str, environment: Path, **variables: str) -> str:
    clean = {key: value for key, value in os.environ.items() if key != "OMP_NUM_THREADS"}
    done = subprocess.run(
        ["make", "-n", target, f"VENV={environment}"],
        cwd=ROOT,
        env={**clean, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_quickstart_installs_what_it_runs(tmp_path: Path):
    commands = commands_of("quickstart", tmp_path / "new")
    assert "-e '.[examples]'" in commands
    assert "dev" not in commands.replace("/dev/", "")


def test_the_whole_environment_is_installed_after_the_quickstart(tmp_path: Path):
    (tmp_path / ".quickstart").touch()
    assert "pip install" not in commands_of("quickstart", tmp_path)
    assert "dev," in commands_of("venv", tmp_path)


def test_the_quickstart_needs_no_more_than_the_whole_environment(tmp_path: Path):
    assert f"touch {tmp_path}/.installed {tmp_path}/.quickstart" in commands_of("venv", tmp_path)
