"""Counts the results of a suite against the tests that pass with the original, and writes them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from tools.suites.processes import UNREAD, Result

HEAD = "| file | pass with {} | pass here | fail here | left out |\n| --- | --: | --: | --: | --: |"


class Count(NamedTuple):
    """Tests that pass with the original: how many, and what became of them here."""

    expected: int
    passed: int
    failed: int
    left_out: int

    def __str__(self) -> str:
        share = 100 * self.passed / self.expected if self.expected else 100.0
        rest = f", {self.left_out} are left out for a reason" if self.left_out else ""
        return f"{self.passed:,} of {self.expected:,} tests pass ({share:.1f} %){rest}"


def count_tests(
    expected: Iterable[str], results: Mapping[str, Result], left_out: Collection[str]
) -> Count:
    """Counts tests; one that passes although it may be left out has passed."""
    tests = list(expected)
    passed = sum(has_passed(test, results) for test in tests)
    excused = sum(test in left_out and not has_passed(test, results) for test in tests)
    return Count(len(tests), passed, len(tests) - passed - excused, excused)


def has_passed(test: str, results: Mapping[str, Result]) -> bool:
    """Tells whether a test was run and passed."""
    return test in results and results[test].outcome == "passed"


def list_failures(
    expected: Iterable[str], results: Mapping[str, Result], left_out: Collection[str]
) -> dict[str, str]:
    """Returns the tests that should pass and do not, with what they said."""
    failures = {}
    for test in expected:
        if has_passed(test, results) or test in left_out:
            continue
        file = test.partition("::")[0]
        result = results.get(test) or results.get(f"{file}::{UNREAD}")
        told = f"{result.outcome}: {_error_of(result.said)}" if result else "was not found"
        failures[test] = " ".join(told.split())[:160]
    return failures


def _error_of(said: str) -> str:
    """Returns the last error of a traceback, without the lines and paths above it."""
    errors = [line for line in said.splitlines() if "Error: " in line]
    return errors[-1] if errors else said


def of_file(tests: Iterable[str], file: str) -> list[str]:
    """Returns the tests of a file."""
    return [test for test in tests if test.startswith(f"{file}::")]


def as_table(
    groups: Mapping[str, Iterable[str]],
    expected: Collection[str],
    results: Mapping[str, Result],
    left_out: Collection[str],
    judge: str = "1.9.1",
) -> str:
    """Returns a table in Markdown: files by group, each group with its sum."""
    lines = [HEAD.format(judge)]
    for title, files in groups.items():
        counts = [(file, count_tests(of_file(expected, file), results, left_out)) for file in files]
        total = Count(*map(sum, zip(*(count for _, count in counts), strict=True)))
        lines.append(as_row(f"**{title}**", total))
        lines.extend(as_row(f"`{file}`", count) for file, count in counts)
    return "\n".join(lines)


def as_row(title: str, count: Count) -> str:
    """Returns a row of the table."""
    return f"| {title} | {' | '.join(map(str, count))} |"


def as_list(rows: Mapping[str, str]) -> str:
    """Returns a list in Markdown of names and reasons."""
    return "\n".join(f"- `{name}`: {as_text(why)}" for name, why in rows.items())


def as_text(said: str) -> str:
    """Returns what a test said as text in which Markdown sees no marks of its own."""
    return said.replace("<", "&lt;").replace("*", "\\*").replace("[", "\\[")


def replace_part(page: Path, name: str, text: str) -> None:
    """Writes text between the marks of a part of a page."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")
