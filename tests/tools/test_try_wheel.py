"""The trial of the wheel: what it looks for, and how it reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import try_wheel
from tools.try_clients import StepError
from tools.try_wheel import attempt, find_one, main

ROOT = Path(__file__).resolve().parents[2]


def test_the_sample_of_tests_exists():
    assert all((ROOT / path).exists() for path in try_wheel.SAMPLE)


def test_one_file_is_expected(tmp_path):
    with pytest.raises(StepError, match=r"expected one glueball-\*\.whl, got 0"):
        find_one(tmp_path, "glueball-*.whl")
    (tmp_path / "glueball-1.whl").touch()
    assert find_one(tmp_path, "glueball-*.whl").name == "glueball-1.whl"
    (tmp_path / "glueball-2.whl").touch()
    with pytest.raises(StepError, match="got 2"):
        find_one(tmp_path, "glueball-*.whl")


def test_a_step_that_fails_says_why():
    def fail():
        raise StepError("no module")

    assert attempt(fail) == "NO: no module"
    assert attempt(lambda: None) == "yes"


@pytest.mark.parametrize(("cells", "status"), [(["yes"] * 3, 0), (["yes", "NO: x", "yes"], 1)])
def test_the_status_says_whether_all_went_well(cells, status, monkeypatch, tmp_path, capsys):
    row = ["3.11", "2.13.0", "2.4.6", *cells]
    monkeypatch.setattr(try_wheel, "try_python", lambda *_: row)
    arguments = ["--python", "3.11", "--dist", str(tmp_path), "--folder", str(tmp_path)]
    assert main(arguments) == status
    assert capsys.readouterr().out.splitlines()[-1] == f"| {' | '.join(row)} |"
