"""Stands for what tests use of `nose`, which does not import since Python 3.10."""

from unittest import SkipTest as SkipTest

from nose import tools as tools
from nose.tools import with_setup as with_setup


def runmodule(*_arguments: object, **_options: object) -> None:
    """Does nothing: pytest runs the tests."""


main = run = runmodule
