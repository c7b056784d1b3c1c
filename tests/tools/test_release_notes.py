"""Notes of a release, cut from the changelog."""

from __future__ import annotations

import pytest

from tools.release_notes import cut, find_problem

CHANGELOG = """# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-01

### Added

- A thing, see [docs/a.md](docs/a.md) and [more](https://example.org/more).

## [0.1.1]

- Undated.

## [0.1.0] - 2026-11-16
"""


def test_the_section_of_a_version_is_cut_out():
    notes, date = cut(CHANGELOG, "0.2.0")
    assert date == "2026-12-01"
    assert notes == "### Added\n\n- A thing, see docs/a.md and [more](https://example.org/more)."


def test_a_version_that_is_not_there_is_named():
    with pytest.raises(ValueError, match=r"no section for 0\.3\.0; it has Unreleased, 0\.2\.0"):
        cut(CHANGELOG, "0.3.0")


@pytest.mark.parametrize(
    ("version", "of_tree", "problem"),
    [
        ("0.2.0", "0.2.0", None),
        ("0.2.0", "0.1.0", "the tree is version 0.1.0"),
        ("0.1.1", "0.1.1", "has no date"),
        ("0.1.0", "0.1.0", "says nothing"),
        ("0.3.0", "0.3.0", "no section"),
    ],
)
def test_a_release_needs_version_date_and_notes(version, of_tree, problem):
    found = find_problem(CHANGELOG, version, of_tree)
    assert found is None if problem is None else problem in found
