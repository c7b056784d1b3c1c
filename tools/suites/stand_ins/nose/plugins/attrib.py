"""Marks of tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def attr(*names: str, **values: object) -> Callable[[T], T]:
    """Sets attributes of a test, by which nose chose what to run."""

    def decorate(test: T) -> T:
        for name, value in {**dict.fromkeys(names, True), **values}.items():
            setattr(test, name, value)
        return test

    return decorate
