"""What a revision of the original's tests consists of, and what should pass."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from tests.golden.writing import write_json
from tools.suites import report
from tools.suites.processes import Result

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
MOST_LEFT_OUT = 12
"""Tests of a suite that may be left out."""


@dataclass(frozen=True)
class Suite:
    """The tests of a revision of the original.

    Attributes:
        revision: Tag or branch that the tests are taken from.
        judge: Release of the original with which a test has to pass in order to count.
        folders: Folders and files of the checkout that are laid out.
        groups: Files that are run, by what they are about.
        expected: Name of the file in `tests/golden` that lists what passes with the original.
        left_out: Tests that pass with the original and are left out, and why.
        left_out_files: Files of the same folders that are not run, and what they need.
        numpy_changes: Tests that a release of NumPy and those after it fail by themselves, and why.
        part: What the marks in the page begin with.
        names: Names that the tests use and `judge` lacks, with what they stand for.
        variables: Environment variables of the tests that run with this package.
    """

    revision: str
    judge: str
    folders: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]
    expected: str
    left_out: Mapping[str, str]
    left_out_files: Mapping[str, str]
    numpy_changes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    part: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are run."""
        return tuple(name for files in self.groups.values() for name in files)

    @property
    def judged(self) -> list[str]:
        """The files of which is listed what passes with the original."""
        listed = json.loads(self.path.read_text(encoding="utf-8"))
        return [file for file in self.files if file in listed]

    @property
    def path(self) -> Path:
        """The file that lists what passes with the original."""
        return GOLDEN / self.expected

    def choose(self, words: str) -> list[str]:
        """Returns the files that names, paths or patterns stand for; without any those judged.

        Raises:
            LookupError: if a word stands for none.
        """
        chosen: list[str] = []
        for word in filter(None, words.replace(",", " ").split()):
            patterns = (word, f"{word}.py", f"*/{word}", f"*/{word}.py")
            found = [file for file in self.files if any(fnmatch(file, item) for item in patterns)]
            if not found:
                raise LookupError(f"no file of tests is called {word}")
            chosen += [file for file in found if file not in chosen]
        return chosen or self.judged

    def read_expected(self) -> list[str]:
        """Returns the tests that pass with the original."""
        listed = json.loads(self.path.read_text(encoding="utf-8"))
        return [f"{file}::{test}" for file, tests in listed.items() for test in tests]

    def changed_by(self, numpy: str) -> dict[str, str]:
        """Returns the tests that a release of NumPy fails by itself, and why.

        Args:
            numpy: Its version, such as `2.4.6`.
        """
        release = _parts(numpy)
        known = [tests for since, tests in self.numpy_changes.items() if _parts(since) <= release]
        return {test: why for tests in known for test, why in tests.items()}

    def write_expected(self, results: dict[str, Result]) -> None:
        """Writes the tests that have passed with the original; other files keep theirs."""
        listed = json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {}
        for file in {test.partition("::")[0] for test in results}:
            tests = report.of_file(results, file)
            passed = [test for test in tests if report.has_passed(test, results)]
            listed[file] = sorted(test.removeprefix(f"{file}::") for test in passed)
        write_json(self.path, {file: listed[file] for file in self.files if file in listed})


def _parts(version: str) -> tuple[int, ...]:
    """Returns the first two numbers of a version."""
    return tuple(map(int, version.split(".")[:2]))
