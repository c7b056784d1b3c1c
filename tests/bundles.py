"""Many small cases in one test: to pytest an item costs more than most of them take."""

from __future__ import annotations

import inspect
import random
import re
import traceback
import zlib
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pytest
import torch

_MOST = 32
"""Number of cases in a bundle, so that processes share the work evenly."""


_WORD = re.compile(r"[\w.:]*")


def reset_random_numbers() -> None:
    """Starts a test from the same random numbers, in whatever order the tests run."""
    random.seed(0)
    np.random.seed(0)
    torch.default_generator.manual_seed(0)


def each(rows: Sequence[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Runs a test for each row of its first arguments, those with neighbouring names in one item.

    A failure says which rows failed, and why. Fixtures come after the arguments, and are the same
    for all rows of a bundle.

    Args:
        rows: What `pytest.param` made, with a name each; the word at its beginning, that of an
            operator, is the name of the bundle.
    """

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        first = zlib.crc32(f"{test.__module__}.{test.__name__}".encode())

        def run_bundle(bundle: list[tuple[int, Any]], request: Any, **fixtures: Any) -> None:
            step = request.config.getoption("--every")
            chosen = [row for number, row in bundle if (number - first) % step == 0]
            failures = [text for row in chosen if (text := _run(test, row, fixtures))]
            assert not failures, "\n\n".join(failures)

        taken = len(rows[0].values) if rows else 0
        fixtures = list(inspect.signature(test).parameters.values())[taken:]
        own = list(inspect.signature(run_bundle).parameters.values())[:2]
        run_bundle.__signature__ = inspect.Signature([*own, *fixtures])  # type: ignore[attr-defined]
        run_bundle.__doc__, run_bundle.__module__ = test.__doc__, test.__module__
        run_bundle.__name__ = run_bundle.__qualname__ = test.__name__
        marked = pytest.mark.parametrize("bundle", _bundles(rows))(run_bundle)
        return pytest.mark.bundle(marked)

    return decorate


def _bundles(rows: Sequence[Any]) -> list[Any]:
    bundles = []
    for name, group in groupby(enumerate(rows), lambda pair: _WORD.match(pair[1].id).group()):
        members = list(group)
        for start in range(0, len(members), _MOST):
            part = f"{name}-{start}" if start else name
            bundles.append(pytest.param(members[start : start + _MOST], id=part))
    return bundles


def _run(test: Callable[..., None], row: Any, fixtures: dict[str, Any]) -> str:
    """Returns what went wrong with a row, empty if nothing did."""
    reset_random_numbers()
    try:
        test(*row.values, **fixtures)
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - the other rows count, too
        return f"{row.id}:\n{''.join(traceback.format_exception(error))}"
    return ""
