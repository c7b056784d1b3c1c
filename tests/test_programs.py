"""Runs the programs of `tests/programs` and compares with what the original gave."""

from __future__ import annotations

import logging

import pytest

import mxnet as mx
from tests.programs import core
from tests.programs.differences import DIFFERENT

TABLES = core.tables()
CASES = [(module, name) for module, programs in TABLES.items() for name in programs]


@pytest.fixture(autouse=True)
def quiet(caplog):
    """Runs programs with the level of a new process, whatever other tests have set."""
    caplog.set_level(logging.WARNING)


@pytest.fixture(scope="module")
def golden():
    return {module: core.read_golden(module) for module in TABLES}


@pytest.mark.parametrize(("module", "name"), CASES, ids=lambda text: text.replace("::", ":"))
def test_result_is_that_of_the_original(module, name, golden, tmp_path):
    result = core.run(module, name, mx, str(tmp_path))
    difference = DIFFERENT.get(f"{module}: {name}")
    expected = golden[module][name] if difference is None else difference.expected
    text = core.source_of(TABLES[module][name])
    assert core.same(expected, result), f"\n{text}\nexpected {expected}\ngot      {result}"


def test_the_golden_files_belong_to_these_programs(golden):
    assert {module: list(results) for module, results in golden.items()} == {
        module: list(programs) for module, programs in TABLES.items()
    }


def test_differences_are_differences(golden):
    for key, difference in DIFFERENT.items():
        module, _, name = key.partition(": ")
        assert not core.same(golden[module][name], difference.expected), key
        assert difference.why
