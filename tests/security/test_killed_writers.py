"""Whatever stops a writer, what it leaves loads: the old content or the new one, of one save."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.security.writers import SETS, WRITERS


def run(*arguments: str) -> str:
    """Runs a way to disturb writers in a process of its own, which forks."""
    environment = os.environ | {
        "OMP_NUM_THREADS": "1",
        "TQDM_DISABLE": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    command = [sys.executable, "-m", "tests.security.killing", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def reports() -> dict[str, str]:
    """What the short version of every way has found, by its name."""
    found = run(
        *("random", "steps", "limits", "disk", "race", "denied"),
        *("--kills", "60", "--seed", "7", "--step", "20011", "--seconds", "0.5"),
        *("--writers", "model.save_checkpoint", "Checkpoint.save", "profiler.dump"),
    )
    parts = (part.partition("\n") for part in found.split("# ")[1:])
    return {name: rest for name, _, rest in parts}


def test_killed_at_random_moments(reports):
    assert "60 kills at random moments, every file and set loads" in reports["random"]


def test_killed_at_every_step_of_saving_files_and_folders(reports):
    assert reports["steps"].count("left a journal") == 3


def test_files_that_may_not_become_larger(reports):
    assert reports["limits"].count("refused") == len(WRITERS)


def test_a_full_disk(reports):
    if "skipped" in reports["disk"]:
        pytest.skip("no disk can be mounted here")
    assert reports["disk"].count("refused") == len(WRITERS)


def test_two_processes_that_save_to_the_same_files(reports):
    assert reports["race"].count("reads while two processes saved") == 2


def test_a_folder_that_may_only_be_read(reports):
    assert reports["denied"].count("save refused") == 2


@pytest.mark.slow
def test_killed_at_a_thousand_random_moments():
    assert "1000 kills at random moments" in run("random", "--kills", "1000")


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_killed_at_every_step_of_saving_several_files(name):
    assert "left a journal" in run("steps", "--writers", name)


@pytest.mark.slow
def test_files_that_may_not_become_larger_at_many_sizes():
    assert run("limits", "--step", "1").count("refused") == len(WRITERS)
