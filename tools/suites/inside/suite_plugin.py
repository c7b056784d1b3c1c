"""Plugin of pytest, loaded beside a foreign suite: notes outcomes as they come.

Each note is a line of JSON in the file that `SUITE_NOTES` names, written at once, so that a process
that dies has said which test it was in. Tests listed in `SUITE_DONE` are left out; `SUITE_SEED`
seeds each test; names that Python and NumPy have dropped since 2021 are there again, and those that
`SUITE_NAMES` maps to others.
"""

from __future__ import annotations

import contextlib
import json
import os
import pkgutil
import random
import re
import sys
import unittest
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

NOTES = Path(os.environ["SUITE_NOTES"])
DONE = Path(os.environ["SUITE_DONE"])
SEED = int(os.environ.get("SUITE_SEED", "1234"))
MAIN = os.getpid()
SKIPS_ITSELF = re.compile(r"skipp(?:ed|ing) (?:unit )?test", re.IGNORECASE)
"""What tests print that return early where something is missing; that is no pass."""
BUILTINS = {"bool": bool, "int": int, "float": float, "complex": complex, "object": object}
RENAMED = {
    "NaN": "nan",
    "Inf": "inf",
    "PINF": "inf",
    "infty": "inf",
    "float_": "float64",
    "complex_": "complex128",
    "product": "prod",
    "cumproduct": "cumprod",
    "alltrue": "all",
    "sometrue": "any",
    "row_stack": "vstack",
    "in1d": "isin",
    "trapz": "trapezoid",
    "round_": "round",
}
"""Names that NumPy 2 no longer has, and what they stood for."""


class Progress:
    """What is known of the test that runs."""

    outcome = "passed"
    seconds = 0.0
    said = ""


progress = Progress()


def note(*fields: Any) -> None:
    """Writes a line; a process that a test has forked keeps silent."""
    if os.getpid() == MAIN:
        with NOTES.open("a", encoding="utf-8") as file:
            file.write(json.dumps(fields) + "\n")


def bring_names_back() -> None:
    """Gives NumPy the names that tests of 2021 use."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, value in {**BUILTINS, "str": str, "NINF": -np.inf}.items():
            if not hasattr(np, name):
                setattr(np, name, value)
        for name, now in RENAMED.items():
            if not hasattr(np, name) and hasattr(np, now):
                setattr(np, name, getattr(np, now))
        if not hasattr(np, "asscalar"):
            np.asscalar = lambda array: array.item()


def relax_sums() -> None:
    """Lets `chisquare` of SciPy take frequencies whose sums differ by rounding, as before 1.7."""
    with contextlib.suppress(ImportError):
        from scipy import stats

        checked = stats.chisquare

        def chisquare(f_obs: Any, f_exp: Any = None, ddof: int = 0, axis: int = 0) -> Any:
            if f_exp is not None:
                f_obs, f_exp = np.asarray(f_obs, "float64"), np.asarray(f_exp, "float64")
                f_exp = f_exp * (f_obs.sum(axis, keepdims=True) / f_exp.sum(axis, keepdims=True))
            return checked(f_obs, f_exp, ddof, axis)

        stats.chisquare = chisquare


def bring_names_forward() -> None:
    """Gives modules the names that tests use and the release that they are run with lacks."""
    for name, value in json.loads(os.environ.get("SUITE_NAMES", "{}")).items():
        module, _, attribute = name.rpartition(".")
        owner = pkgutil.resolve_name(module)
        if not hasattr(owner, attribute):
            setattr(owner, attribute, pkgutil.resolve_name(value))


sys.path.append(os.environ["SUITE_STAND_INS"])  # at the end: what is installed comes first
bring_names_back()
relax_sums()
bring_names_forward()


def reason(report: Any) -> str:
    """Returns the end of a traceback, or why a test was skipped."""
    told = report.longrepr
    if isinstance(told, tuple):
        return str(told[-1])[:300]
    crash = getattr(told, "reprcrash", None)
    return (crash.message if crash else str(told or "")[-300:])[:300]


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(obj: Any) -> None:
    """Renames methods of test cases that nose called and pytest does not."""
    if isinstance(obj, type) and issubclass(obj, unittest.TestCase):
        for before, now in (("setupClass", "setUpClass"), ("teardownClass", "tearDownClass")):
            if before in vars(obj) and now not in vars(obj):
                setattr(obj, now, vars(obj)[before])


def pytest_collectreport(report: Any) -> None:
    """Notes files that do not import."""
    if report.failed or report.skipped:
        note("unread", report.nodeid, report.outcome, reason(report))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leaves out the tests that an earlier process has run, and marks all as `SUITE_MARK` says."""
    mark = os.environ.get("SUITE_MARK")
    for item in items if mark else ():
        item.add_marker(mark)
    done = set(json.loads(DONE.read_text(encoding="utf-8")))
    dropped = [item for item in items if item.nodeid in done]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if item.nodeid not in done]


def pytest_runtest_logstart(nodeid: str) -> None:
    """Notes that a test begins."""
    progress.outcome, progress.seconds, progress.said = "passed", 0.0, ""
    random.seed(SEED)
    np.random.seed(SEED)
    note("begin", nodeid)


def pytest_runtest_logreport(report: Any) -> None:
    """Keeps the worst of setup, call and teardown."""
    progress.seconds += report.duration
    outcome, said = report.outcome, reason(report)
    if outcome == "passed" and report.when == "call" and SKIPS_ITSELF.search(report.capstdout):
        outcome, said = "skipped", "says that it skips itself"
    order = ("passed", "skipped", "failed")
    if order.index(outcome) > order.index(progress.outcome):
        progress.outcome, progress.said = outcome, said


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Notes how a test ended."""
    note("end", nodeid, progress.outcome, round(progress.seconds, 3), progress.said)
