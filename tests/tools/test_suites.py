"""Suites of other projects: what is laid out, run, counted and written, on a checkout made here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tools.suites import downloads, report
from tools.suites.processes import UNREAD, Result, Setting, fold, run_file
from tools.suites.sources import SourceError, lay_out

PASSED, SKIPPED = Result("passed", 1.0, ""), Result("skipped", 0.5, "no GPU")
FAILED = Result("failed", 2.0, "AssertionError")

GOOD = """
import distutils.version, mock, os, random, unittest
import numpy as np
import pytest
from nose.plugins.attrib import attr
from nose.tools import assert_equal, assert_raises_regexp, raises, with_setup

made = []

@raises(ValueError)
def test_raises():
    raise ValueError

@with_setup(lambda: made.append(1))
def test_setup():
    assert_equal(made, [1])
    assert np.bool is bool or np.bool is np.bool_

@attr("slow")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_cases(number):
    if number == 3:
        pytest.skip("not here")

def test_seed():
    assert random.random() == random.Random(1234).random()

def test_place():
    assert os.path.samefile(os.environ["HOME"], os.path.dirname(os.getcwd()))
    assert "MXNET_HIDDEN" not in os.environ
    open("rubbish", "w").close()

def test_skips_itself():
    print("Skipping test: nothing to do")

class TestCase(unittest.TestCase):
    @classmethod
    def setupClass(cls):
        cls.ready = True

    def test_ready(self):
        assert self.ready
"""
BAD = """
import os, time

def test_first():
    pass

def test_crash():
    os.abort()

def test_between():
    assert False, "so it is"

def test_hang():
    time.sleep(600)

def test_last():
    pass
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    (folder / "tests" / "unit").mkdir(parents=True)
    (folder / "tests" / "unit" / "test_good.py").write_text(GOOD)
    (folder / "tests" / "unit" / "test_bad.py").write_text(BAD)
    (folder / "tests" / "unit" / "test_unread.py").write_text("import no_such_module")
    (folder / "other").write_text("not asked for")
    return folder


def git(folder: Path, *arguments: str) -> None:
    settings = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    command = ["git", *settings, "-C", str(folder), *arguments]
    subprocess.run(command, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "all")
    git(folder, "tag", "1.0")


def names_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


TESTS = {f"tests/unit/test_{name}.py" for name in ("good", "bad", "unread")}


def test_a_plain_folder_is_laid_out_as_it_is(checkout, tmp_path):
    assert lay_out(checkout, "1.0", ["tests", "other"], tmp_path / "out") == []
    assert names_below(tmp_path / "out") == {*TESTS, "other"}
    with pytest.raises(SourceError, match="has no examples"):
        lay_out(checkout, "1.0", ["examples"], tmp_path / "more")


def test_a_git_checkout_is_laid_out_at_the_revision(checkout, tmp_path):
    commit(checkout)
    (checkout / "tests" / "unit" / "test_new.py").write_text("not in the release")
    for place, target in ((checkout, "tree"), (checkout / ".git", "bare")):
        assert lay_out(place, "1.0", ["tests"], tmp_path / target) == []
        assert names_below(tmp_path / target) == TESTS
    good = tmp_path / "bare" / "tests" / "unit" / "test_good.py"
    assert good.read_text() == GOOD
    with pytest.raises(SourceError, match="has no examples"):
        lay_out(checkout, "1.0", ["examples"], tmp_path / "more")
    with pytest.raises(SourceError, match=r"2\.0"):
        lay_out(checkout, "2.0", ["tests"], tmp_path / "more")


def test_files_that_a_clone_lacks_are_named(checkout, tmp_path):
    commit(checkout)
    key = subprocess.run(
        ["git", "-C", str(checkout), "rev-parse", "1.0:other"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    (checkout / ".git" / "objects" / key[:2] / key[2:]).unlink()
    assert lay_out(checkout, "1.0", ["."], tmp_path / "out") == ["other"]
    assert names_below(tmp_path / "out") == TESTS


def test_a_file_runs_in_a_place_of_its_own(checkout, monkeypatch):
    monkeypatch.setenv("MXNET_HIDDEN", "1")
    before = names_below(checkout)
    results = run_file(Setting(Path(sys.executable), checkout), "tests/unit/test_good.py")
    outcomes = {name.partition("::")[2]: result.outcome for name, result in results.items()}
    assert outcomes == {
        "test_raises": "passed",
        "test_setup": "passed",
        "test_cases": "passed",
        "test_seed": "passed",
        "test_place": "passed",
        "test_skips_itself": "skipped",
        "TestCase::test_ready": "passed",
    }
    assert names_below(checkout) == before


def test_a_test_that_ends_its_process_does_not_take_others_along(checkout, tmp_path):
    setting = Setting(Path(sys.executable), checkout, limit=5, logs=tmp_path)
    results = run_file(setting, "tests/unit/test_bad.py")
    outcomes = [(name.partition("::")[2], result.outcome) for name, result in results.items()]
    assert dict(outcomes) == {
        "test_first": "passed",
        "test_crash": "crashed",
        "test_between": "failed",
        "test_hang": "hung",
        "test_last": "passed",
    }
    assert "so it is" in results["tests/unit/test_bad.py::test_between"].said
    assert "Aborted" in (tmp_path / "tests.unit.test_bad.py.log").read_text()


def test_a_file_that_does_not_import_is_a_result(checkout):
    name = "tests/unit/test_unread.py"
    (result,) = run_file(Setting(Path(sys.executable), checkout), name).items()
    assert result[0] == f"{name}::{UNREAD}"
    assert "no_such_module" in result[1].said
    missing = run_file(Setting(Path(sys.executable), checkout), "tests/none.py")
    assert missing["tests/none.py::" + UNREAD].outcome == "crashed"


def test_cases_are_one_test():
    results = {"f::a[1]": PASSED, "f::a[2]": SKIPPED, "f::b[1]": SKIPPED, "f::b[x-[2]]": SKIPPED}
    folded = fold({**results, "f::c[1]": PASSED, "f::c[2]": FAILED, "f::d": PASSED})
    outcomes = {name: result.outcome for name, result in folded.items()}
    assert outcomes == {"f::a": "passed", "f::b": "skipped", "f::c": "failed", "f::d": "passed"}
    assert folded["f::c"].seconds == 3.0


def test_what_counts_is_what_passes_with_the_original():
    expected = ["f::a", "f::b", "f::c", "g::a", "g::b"]
    results = {"f::a": PASSED, "f::b": FAILED, "f::c": SKIPPED, "f::new": FAILED, "g::a": PASSED}
    left_out = {"f::b": "harms users"}
    count = report.count_tests(expected, results, left_out)
    assert count == (5, 2, 2, 1)
    assert str(count) == "2 of 5 tests pass (40.0 %), 1 are left out for a reason"
    failures = report.list_failures(expected, results, left_out)
    assert failures == {"f::c": "skipped: no GPU", "g::b": "was not found"}
    table = report.as_table({"All": ["f", "g"]}, expected, results, left_out).splitlines()
    assert table[2:] == [
        "| **All** | 5 | 2 | 2 | 1 |",
        "| `f` | 3 | 1 | 1 | 1 |",
        "| `g` | 2 | 1 | 1 | 0 |",
    ]


def test_a_part_of_a_page_is_replaced(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- a -->\nold\n<!-- end of a -->\nafter\n")
    report.replace_part(page, "a", "new")
    assert page.read_text() == "before\n<!-- a -->\n\nnew\n\n<!-- end of a -->\nafter\n"
    report.replace_part(page, "a", "new")
    assert page.read_text().count("new") == 1
    assert report.as_list({"x": "a<b> *c*"}) == "- `x`: a&lt;b> \\*c\\*"


def test_downloads_are_answered_from_a_folder_and_nothing_else(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "file").write_bytes(b"bytes")
    (tmp_path.parent / "secret").write_bytes(b"not here")
    with downloads.serve(tmp_path) as address:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": address}))
        with opener.open(f"http://{downloads.HOST}/data/file") as answer:
            assert answer.read() == b"bytes"
        for place in (f"{downloads.HOST}/data/none", "other.org/data/file"):
            with pytest.raises(urllib.error.HTTPError, match="without a network") as refusal:
                opener.open(f"http://{place}")
            refusal.value.close()


def test_data_have_the_form_of_what_tests_download(tmp_path):
    pytest.importorskip("cv2")
    import numpy as np

    random = np.random.default_rng(0)
    assert downloads.draw(random, 20, 30).shape == (20, 30, 3)
    assert downloads.pack_pictures(random)[:2] == b"\x1f\x8b"
    downloads.write(tmp_path, "a/b", downloads.pack({"c": b"d"}))
    assert (tmp_path / "a" / "b").read_bytes()[:2] == b"PK"


def test_notes_are_lines_of_json(tmp_path):
    path = tmp_path / "notes"
    path.write_text(json.dumps(["begin", "f::a"]) + "\n" + '["end", "f::')
    from tools.suites.processes import Notes

    notes = Notes(path)
    notes.read()
    assert notes.running == "f::a"
    with path.open("a") as file:
        file.write(f'a", "passed", 0.1, ""]{os.linesep}')
    notes.read()
    assert notes.running == ""
    assert notes.results == {"f::a": Result("passed", 0.1, "")}
