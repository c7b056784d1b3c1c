"""Decorators of tests, and the assertions of `unittest` as functions."""

from __future__ import annotations

import re
import time
import unittest
from collections.abc import Callable
from functools import wraps
from typing import Any
from unittest import SkipTest as SkipTest

Test = Callable[..., Any]
OLD_NAMES = {
    "assert_equals": "assert_equal",
    "assert_not_equals": "assert_not_equal",
    "assert_almost_equals": "assert_almost_equal",
    "assert_items_equal": "assert_count_equal",
    "assert_raises_regexp": "assert_raises_regex",
    "assert_regexp_matches": "assert_regex",
}


class TimeExpired(AssertionError):  # noqa: N818 - the name that tests expect
    """A test took longer than it may."""


def ok_(value: object, message: object = None) -> None:
    """Fails unless a value is true."""
    if not value:
        raise AssertionError(message)


def eq_(one: object, other: object, message: object = None) -> None:
    """Fails unless two values are equal."""
    if not one == other:
        raise AssertionError(message or f"{one!r} is not {other!r}")


def make_decorator(test: Test) -> Callable[[Test], Test]:
    """Returns a decorator that gives a wrapper the name of a test.

    The wrapper keeps its own signature, or pytest would take arguments of the test for fixtures.
    """

    def rename(wrapper: Test) -> Test:
        named = wraps(test)(wrapper)
        del named.__wrapped__  # type: ignore[attr-defined]
        return named

    return rename


def raises(*expected: type[BaseException]) -> Callable[[Test], Test]:
    """Makes a test pass only if it raises one of some exceptions."""

    def decorate(test: Test) -> Test:
        @make_decorator(test)
        def run(*args: Any, **kwargs: Any) -> None:
            try:
                test(*args, **kwargs)
            except expected:
                return
            names = " or ".join(kind.__name__ for kind in expected)
            raise AssertionError(f"{test.__name__} raised no {names}")

        return run

    return decorate


def timed(seconds: float) -> Callable[[Test], Test]:
    """Makes a test fail if it takes longer."""

    def decorate(test: Test) -> Test:
        @make_decorator(test)
        def run(*args: Any, **kwargs: Any) -> Any:
            begin = time.perf_counter()
            value = test(*args, **kwargs)
            if time.perf_counter() - begin > seconds:
                raise TimeExpired(f"{test.__name__} took longer than {seconds} seconds")
            return value

        return run

    return decorate


def with_setup(setup: Test | None = None, teardown: Test | None = None) -> Callable[[Test], Test]:
    """Runs functions before and after a test."""

    def decorate(test: Test) -> Test:
        @make_decorator(test)
        def run(*args: Any, **kwargs: Any) -> Any:
            if setup:
                setup()
            try:
                return test(*args, **kwargs)
            finally:
                if teardown:
                    teardown()

        return run

    return decorate


def istest(test: Test) -> Test:
    """Marks a function as a test."""
    test.__test__ = True  # type: ignore[attr-defined]
    return test


def nottest(test: Test) -> Test:
    """Marks a function as no test."""
    test.__test__ = False  # type: ignore[attr-defined]
    return test


def _assertions() -> dict[str, Test]:
    """Returns the assertions of `unittest` by names with underscores."""
    case = unittest.TestCase()
    names = [name for name in dir(case) if re.fullmatch("assert[A-Z][A-Za-z]*", name)]
    found = {re.sub("([A-Z])", r"_\1", name).lower(): getattr(case, name) for name in names}
    return {**found, **{old: found[new] for old, new in OLD_NAMES.items()}}


globals().update(_assertions())
