"""What `mistakes.txt` says of hundreds of mistakes that users make, over the whole public surface.

A row is a program and, after `=>`, the class that programs can catch (that of the original, where
it raises a builtin one) and the message, of which `...` stands for the rest of a line. Its
traceback is one frame: the last line of the program.
"""

from __future__ import annotations

import builtins
import traceback
import warnings
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet._start import tracebacks
from mxnet._state import modes
from mxnet.errors import show_internal_frames
from mxnet.gluon import nn
from tests.mixed_precision import turn_off

TABLE = Path(__file__).with_name("mistakes.txt")
WARNINGS = Path(__file__).with_name("warned.txt")
"""Programs whose last line leads to a warning, with its class and how it begins."""
BEFORE = Path(__file__).with_name("mistakes_before.txt")
"""What older sources said, in how many more frames; `tools/compare_mistakes.py` writes it."""
NAMES = {"mx": mx, "np": np, "autograd": autograd, "gluon": gluon, "nd": nd, "nn": nn}
FEWEST, FEWEST_CHANGED = 400, 150
"""Mistakes in the table, and those of which something else was said before."""


def read_rows(table: Path) -> list[tuple[str, str, list[str]]]:
    """Returns the programs with the classes and the lines of the messages."""
    rows = []
    for row in table.read_text().strip().split("\n\n"):
        program, _, said = row.partition("\n=> ")
        error, _, message = said.partition(": ")
        rows.append((program, error, [line.strip() for line in message.split("\n")]))
    return rows


ROWS = read_rows(TABLE)
WARNED = read_rows(WARNINGS)


@pytest.fixture(autouse=True)
def as_a_user(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = show_internal_frames(False)
    modes.renew_tape()  # on which another row may have recorded
    with warnings.catch_warnings(), mx.name.NameManager():
        warnings.simplefilter("ignore")
        yield
    show_internal_frames(before)
    turn_off()


def run(program: str) -> Exception:
    """Returns what a program raises."""
    try:
        exec(compile(program, "mistake.py", "exec"), {"__name__": "__main__", **NAMES})  # noqa: S102
    except Exception as error:  # noqa: BLE001 - whatever it is
        return error
    pytest.fail("nothing is raised")


def fits(line: str, expected: str) -> bool:
    """Returns whether a line of a message is the expected one, which may end in `...`."""
    if expected.endswith(" ..."):
        return line.startswith(expected[: -len(" ...")])
    return line == expected


@pytest.mark.parametrize(("program", "error_class", "message"), ROWS, ids=[row[0] for row in ROWS])
def test_a_mistake(program, error_class, message):
    error = run(program)
    assert isinstance(error, getattr(builtins, error_class, mx.MXNetError))
    lines = [line.strip() for line in str(error).split("\n")][: len(message)]
    assert len(lines) == len(message)
    assert [
        line for line, wanted in zip(lines, message, strict=True) if not fits(line, wanted)
    ] == []
    frames = traceback.extract_tb(error.__traceback__)[1:]
    assert [(frame.filename, frame.lineno) for frame in frames] == [
        ("mistake.py", program.count("\n") + 1)
    ]
    assert "._" not in type(error).__module__
    assert tracebacks._PACKAGE not in "".join(traceback.format_exception(error))


def test_the_table_is_long_and_has_no_row_twice():
    programs = [program for program, _, _ in ROWS]
    assert len(set(programs)) == len(programs) >= FEWEST


def test_what_was_said_before_is_kept_beside_the_table():
    now = {program: message for program, _, message in ROWS}
    before = read_rows(BEFORE)
    assert len({program for program, _, _ in before}) == len(before) >= FEWEST_CHANGED
    same = [
        program
        for program, frames, (first, *more) in before
        if frames == "0 more" and [first.partition(": ")[2], *more] == now[program]
    ]
    assert same == []


@pytest.mark.parametrize(
    ("program", "category", "message"), WARNED, ids=[program for program, _, _ in WARNED]
)
def test_a_warning_names_the_line_of_the_program(program, category, message):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        exec(compile(program, "mistake.py", "exec"), {"__name__": "__main__", **NAMES})  # noqa: S102
    places = [
        (warning.category.__name__, warning.filename, warning.lineno)
        for warning in seen
        if str(warning.message).startswith(message[0])
    ]
    assert places[:1] == [(category, "mistake.py", program.count("\n") + 1)]
