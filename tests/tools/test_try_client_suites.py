"""Suites of libraries: the catalog, their lists and what is written of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import try_client_suites
from tools.clients.suites import SUITES, Suite
from tools.suites.processes import Result
from tools.try_client_suites import describe, find_checkout, main, parse, read_expected

PASSED, FAILED = Result("passed", 1.0, ""), Result("failed", 1.0, "ValueError")
SUITE = Suite(
    "lib-tests",
    "Lib 1.0",
    (),
    ("unit",),
    repository="owner/lib",
    revision="v1",
    folders=("unit",),
    left_out={"unit/test_a.py::test_seed": "expects numbers of a seed"},
)


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """A folder of clones, one suite, and a page and a list of its own."""
    page = tmp_path / "page.md"
    page.write_text("<!-- suite lib-tests: make clients --><!-- end of suite lib-tests: make")
    monkeypatch.setattr(try_client_suites, "SUITES", (SUITE,))
    monkeypatch.setattr(try_client_suites, "PAGE", page)
    monkeypatch.setattr(try_client_suites, "EXPECTED", tmp_path / "list.json")
    tests = tmp_path / "clones" / "lib" / "unit"
    tests.mkdir(parents=True)
    (tests / "test_a.py").write_text("def test_one():\n    pass\n\ndef test_seed():\n    pass\n")
    return tmp_path


def test_every_suite_has_a_list_and_a_part_of_the_page():
    listed = read_expected()
    text = try_client_suites.PAGE.read_text(encoding="utf-8")
    assert [suite.name for suite in SUITES] == list(listed)
    for suite in SUITES:
        assert {*suite.left_out} <= {*listed[suite.name]}
        assert f"<!-- suite {suite.name}: make clients -->" in text
        assert f"<!-- end of suite {suite.name}: make clients -->" in text
        assert bool(suite.repository) == bool(suite.revision) == bool(suite.folders)


def test_a_clone_is_found_by_its_name_or_as_a_mirror(tmp_path):
    (tmp_path / "one" / "lib").mkdir(parents=True)
    (tmp_path / "two" / "owner+lib" / "repo").mkdir(parents=True)
    assert find_checkout(tmp_path / "one", "owner/lib").name == "lib"
    assert find_checkout(tmp_path / "two", "owner/lib").name == "repo"
    with pytest.raises(SystemExit, match="no clone of owner/other"):
        find_checkout(tmp_path, "owner/other")


def test_the_original_lists_and_this_package_is_counted(place, capsys):
    common = [str(place / "clones"), "lib-tests", "--python", sys.executable]
    common += ["--folder", str(place / "environments")]
    assert main([*common, "--original"]) == 0
    assert read_expected() == {
        "lib-tests": ["unit/test_a.py::test_one", "unit/test_a.py::test_seed"]
    }
    (place / "clones" / "lib" / "unit" / "test_a.py").write_text(
        "def test_one():\n    pass\n\ndef test_seed():\n    raise ValueError\n"
    )
    assert main([*common, "--write"]) == 0
    said = "**Lib 1.0**: 1 of 2 tests pass (50.0 %), 1 are left out for a reason. Tests of "
    assert said + "`owner/lib` at `v1`, with Python " in capsys.readouterr().out
    assert said in (place / "page.md").read_text(encoding="utf-8")
    (place / "clones" / "lib" / "unit" / "test_a.py").write_text("def test_seed():\n    pass\n")
    assert main(common) == 1
    assert "`unit/test_a.py::test_one`: was not found" in capsys.readouterr().out


@pytest.mark.usefixtures("place")
def test_what_is_left_out_is_said_unless_it_passes():
    try_client_suites.write_expected("lib-tests", {"unit/test_a.py::test_seed": PASSED})
    text = describe(SUITE, {"unit/test_a.py::test_seed": FAILED}, "NumPy 1")
    assert text.endswith("- `unit/test_a.py::test_seed`: expects numbers of a seed")
    text = describe(SUITE, {"unit/test_a.py::test_seed": PASSED}, "NumPy 1")
    assert text.endswith("1 of 1 tests pass (100.0 %). Tests of `owner/lib` at `v1`, with NumPy 1.")


@pytest.mark.parametrize("arguments", [["nothing"], ["--original"], ["--python", "python"]])
def test_what_makes_no_sense_is_refused(arguments, tmp_path, capsys):
    with pytest.raises(SystemExit):
        parse([str(tmp_path), *arguments])
    assert "error" in capsys.readouterr().err
