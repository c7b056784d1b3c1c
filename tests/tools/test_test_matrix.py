"""The parts of the matrix of versions that need neither the network nor an environment."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import thin_out

TOOL = Path(__file__).resolve().parents[2] / "tools" / "test_matrix.py"


@pytest.fixture(scope="module")
def matrix():
    spec = importlib.util.spec_from_file_location("matrix_of_versions", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_versions_are_ordered_by_their_numbers(matrix):
    listing = (
        "torch (2.15.0)\n"
        "Available versions: 2.15.0, 2.13.0+cpu, 2.13.0, 2.9.1, 2.10.0, 1.10.0.post2\n"
        "  INSTALLED: 2.13.0\n"
    )
    expected = ["1.10.0.post2", "2.9.1", "2.10.0", "2.13.0", "2.15.0"]
    assert matrix.read_versions(listing) == expected
    assert matrix.read_versions("ERROR: no matching distribution\n") == []


def test_the_oldest_releases_are_those_of_pyproject(matrix):
    assert matrix.oldest_admitted("torch") == (2, 6)
    assert matrix.oldest_admitted("numpy") == (1, 26)
    assert "pytest>=8" in matrix.requirements()


@pytest.mark.parametrize(
    ("text", "status", "expected"),
    [
        ("...\n12 passed, 3 skipped in 5.00s\n", 0, (12, 0, 3, "")),
        (
            "FAILED tests/a.py::b[c] - x\n1 failed, 2 passed in 61.0s (0:01:01)\n",
            1,
            (2, 1, 0, "tests/a.py::b[c]"),
        ),
        ("ERROR tests/a.py - x\n1 error in 2.0s\n", 2, (0, 1, 0, "tests/a.py")),
        ("Segmentation fault\n", 139, (0, 0, 0, "pytest ended with status 139")),
    ],
)
def test_outcomes(matrix, text, status, expected):
    outcome = matrix.read_outcome(text, status, 90.0)
    assert (outcome.passed, outcome.failed, outcome.skipped, outcome.note) == expected
    combination = matrix.Combination("3.12", Path("python"), "2.6.0", "1.26.0")
    row = f"| 3.12 | 2.6.0 | 1.26.0 | {expected[0]} | {expected[1]} | {expected[2]} | 1.5 |"
    assert matrix.as_row(combination, outcome) == row


def test_interpreters_are_found_or_named(matrix, capsys):
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    options = argparse.Namespace(python=["3.99"], torch=None, numpy=None)
    assert list(matrix.combinations(options)) == []
    assert "Python 3.99: no interpreter at hand" in capsys.readouterr().err
    options = argparse.Namespace(python=[version], torch="2.9.0", numpy="2.0.0")
    for combination in matrix.combinations(options):  # none where Python goes by another name
        assert combination.environment.name == f"python{version}-torch2.9.0-numpy2.0.0"


class Item:
    """Stands for a test that pytest has collected."""

    def __init__(self, nodeid):
        self.nodeid = nodeid

    def get_closest_marker(self, name):
        return name if self.nodeid.startswith("bundled") else None


def left_of(step):
    counts = {"few": 300, "many": 301, "more": 900, "bundled": 400}
    items = [Item(f"{name}[{number}]") for name, count in counts.items() for number in range(count)]
    dropped = []
    hook = SimpleNamespace(pytest_deselected=lambda items: dropped.extend(items))
    thin_out(SimpleNamespace(getoption=lambda _: step, hook=hook), items)
    assert len(items) + len(dropped) == 1901
    return [item.nodeid for item in items]


def test_every_nth_of_many_samples():
    assert len(left_of(1)) == 1901
    kept = left_of(8)
    assert sum(name.startswith("bundled") for name in kept) == 400  # they choose their cases
    assert sum(name.startswith("few") for name in kept) == 300
    assert sum(name.startswith("many") for name in kept) in (37, 38)
    assert sum(name.startswith("more") for name in kept) in (112, 113)
    assert kept == left_of(8)
