"""The command that runs the original's tests: its list, its page and its arguments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import try_original_tests
from tools.suites import suite as suites
from tools.suites.processes import Result
from tools.suites.suite import MOST_LEFT_OUT
from tools.try_original_tests import SUITES, describe, finish, parse, write_page

OLD, NEW = SUITES["1.9.1"], SUITES["master"]
PASSED, FAILED = Result("passed", 1.0, ""), Result("failed", 1.0, "ValueError: a | b")


@pytest.mark.parametrize("suite", [OLD, NEW], ids=["1.9.1", "master"])
def test_every_test_left_out_passes_with_the_original(suite):
    assert {*suite.left_out} <= {*suite.read_expected()}
    assert len(suite.left_out) <= MOST_LEFT_OUT
    assert all(suite.left_out.values())


def test_the_list_has_the_files_that_run():
    listed = json.loads(OLD.path.read_text(encoding="utf-8"))
    assert tuple(listed) == OLD.files
    assert len(OLD.read_expected()) == sum(map(len, listed.values())) > 1000


def test_the_list_of_the_newer_release_has_files_that_run():
    listed = json.loads(NEW.path.read_text(encoding="utf-8"))
    assert [*listed] == NEW.judged == [file for file in NEW.files if file in listed]
    assert NEW.choose("") == NEW.judged
    assert len(NEW.read_expected()) == sum(map(len, listed.values())) > 100


def test_files_are_chosen_by_name_path_or_pattern():
    files = OLD.files
    assert OLD.choose("") == [*files]
    assert OLD.choose("test_loss, test_loss.py") == ["python/unittest/test_loss.py"]
    assert OLD.choose("test_autograd") == [x for x in files if x.endswith("/test_autograd.py")]
    assert OLD.choose("python/train/test_mlp.py") == ["python/train/test_mlp.py"]
    assert len(OLD.choose("test_gluon*")) > 5
    with pytest.raises(LookupError, match="nothing"):
        OLD.choose("nothing")


@pytest.mark.parametrize(
    "arguments", [["--write", "-k", "a"], ["--write", "--files", "a"], ["--numpy", "1.0"]]
)
def test_what_makes_no_sense_is_refused(arguments, tmp_path, capsys):
    with pytest.raises(SystemExit):
        parse([str(tmp_path), *arguments])
    assert "error" in capsys.readouterr().err


def test_a_checkout_that_is_not_there_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        parse([str(tmp_path / "none")])
    assert "is no folder" in capsys.readouterr().err


def test_the_page_has_a_part_for_each_release_of_numpy(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(try_original_tests.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(try_original_tests, "PAGE", page)
    expected = ["python/unittest/test_loss.py::a", "python/unittest/test_loss.py::b"]
    results = dict(zip(expected, (PASSED, FAILED), strict=True))
    for numpy in try_original_tests.PACKAGES:
        said = describe(OLD, {"NumPy": numpy}, expected, results, f"run {numpy}")
        write_page(OLD, numpy, said)
    text = page.read_text(encoding="utf-8")
    for numpy in try_original_tests.PACKAGES:
        assert f"with NumPy {numpy}.\n\n```sh\nrun {numpy}\n```" in text
    releases = len(try_original_tests.PACKAGES)
    assert text.count("| `python/unittest/test_loss.py` | 2 | 1 | 1 | 0 |") == releases
    assert text.count("- `python/unittest/test_loss.py::b`: failed: ValueError: a | b") == releases


def test_the_last_line_is_the_sum(tmp_path, capsys):
    options = parse([str(tmp_path), "-k", "some"])
    file = "python/unittest/test_loss.py"
    first, second, *_ = (test for test in OLD.read_expected() if test.startswith(file))
    assert finish(options, [file], {"NumPy": "1.26.4"}, {first: PASSED}) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert line == "Of those that pass with MXNet 1.9.1, 1 of 1 tests pass (100.0 %); NumPy 1.26.4."
    assert finish(options, [file], {"NumPy": "1.26.4"}, {first: PASSED, second: FAILED}) == 1


def test_what_numpy_changed_counts_from_the_release_that_changed_it():
    assert not OLD.changed_by("1.26.4")
    old, new = OLD.changed_by("2.0.1"), OLD.changed_by("2.10.0")
    assert 0 < len(old) < len(new)
    assert old.items() <= new.items()
    assert {*new} <= {*OLD.read_expected()} - {*OLD.left_out}


def test_what_numpy_changed_is_named_and_is_no_failure(tmp_path, capsys):
    options = parse([str(tmp_path)])
    test = "python/unittest/test_metric.py::test_acc"
    expected = [test for test in OLD.read_expected() if "test_metric.py" in test]
    results = dict.fromkeys(expected, PASSED) | {test: FAILED}
    file = test.partition("::")[0]
    assert finish(options, [file], {"NumPy": "2.4.6"}, results) == 0
    total = f"{len(expected) - 1} of {len(expected)} tests pass (91.7 %), 1 fail by what NumPy"
    assert total in capsys.readouterr().out
    text = describe(OLD, {"NumPy": "2.4.6"}, expected, results, "run it")
    assert f"by what NumPy has changed:\n\n- `{test}`: it divides" in text
    assert "Tests that fail:" not in text
    assert finish(options, [file], {"NumPy": "1.26.4"}, results) == 1


def test_the_original_writes_the_list(tmp_path, monkeypatch):
    monkeypatch.setattr(suites, "GOLDEN", tmp_path)
    loss, viz = "python/unittest/test_loss.py", "python/unittest/test_viz.py"
    OLD.write_expected({f"{viz}::b": PASSED, f"{viz}::a": PASSED})
    OLD.write_expected({f"{loss}::b": PASSED, f"{loss}::a": FAILED})
    assert json.loads(OLD.path.read_text()) == {loss: ["b"], viz: ["a", "b"]}
    assert OLD.read_expected() == [f"{loss}::b", f"{viz}::a", f"{viz}::b"]


def test_the_page_has_a_part_for_the_newer_release(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(try_original_tests.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(try_original_tests, "PAGE", page)
    expected = ["python/unittest/test_smoke.py::a"]
    results = {expected[0]: PASSED}
    write_page(NEW, "1.26", describe(NEW, {"NumPy": "1.26"}, expected, results, "run it"))
    text = page.read_text(encoding="utf-8")
    assert "| file | pass with 2.0.0b1 | pass here |" in text
    assert "| `python/unittest/test_smoke.py` | 1 | 1 | 0 | 0 |" in text


def test_nothing_is_installed_twice(tmp_path, monkeypatch):
    calls: list[list[str]] = []

    def run(command: list[str], **_options: object) -> None:
        calls.append(command)
        Path(command[command.index("--target") + 1]).mkdir()

    monkeypatch.setattr(try_original_tests.subprocess, "run", run)
    first = try_original_tests.install("1.26", tmp_path)
    assert try_original_tests.install("1.26", tmp_path) == first
    assert len(calls) == 1
    assert "numpy==1.26.4" in calls[0]
