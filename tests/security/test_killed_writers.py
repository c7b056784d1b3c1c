"""Whatever stops a writer, what it leaves loads: the old content or the new one, of one save."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.security.writers import SETS


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


def test_killed_at_random_moments():
    assert "60 kills at random moments" in run("random", "--kills", "60", "--seed", "7")


@pytest.mark.slow
def test_killed_at_a_thousand_random_moments():
    assert "1000 kills at random moments" in run("random", "--kills", "1000")


def test_killed_at_every_step_of_saving_two_files():
    assert "left a journal" in run("steps", "--writers", "model.save_checkpoint")


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_killed_at_every_step_of_saving_several_files(name):
    assert "left a journal" in run("steps", "--writers", name)


def test_files_that_may_not_become_larger():
    assert run("limits", "--step", "9001").count("refused") == 15


@pytest.mark.slow
def test_files_that_may_not_become_larger_at_many_sizes():
    assert run("limits", "--step", "31").count("refused") == 15


def test_a_full_disk():
    found = run("disk")
    if "skipped" in found:
        pytest.skip("no disk can be mounted here")
    assert found.count("refused") == 15


def test_two_processes_that_save_to_the_same_files():
    assert run("race", "--seconds", "0.5").count("reads while") == 2


def test_a_folder_that_may_only_be_read():
    assert run("denied").count("save refused") == 5
