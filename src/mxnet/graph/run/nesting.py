"""Nested lists of arrays or symbols, as the bodies of loops take and give them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from mxnet.errors import ArgumentValueError, CheckFailedError

Form: TypeAlias = "list[Form] | None"
"""How leaves are nested: None stands for a leaf."""

T = TypeVar("T")


def flatten(values: Any, leaf: type[T], where: str) -> tuple[list[T], Form]:
    """Returns the leaves of nested lists in order, and how they are nested.

    Raises:
        CheckFailedError: if something else is among them.
    """
    if isinstance(values, leaf):
        return [values], None
    if not isinstance(values, (list, tuple)):
        raise CheckFailedError(
            f"{where}: expected {leaf.__name__} or nested lists of it, got {values!r} of type "
            f"{type(values).__name__}"
        )
    leaves: list[T] = []
    forms: list[Form] = []
    for value in values:
        found, form = flatten(value, leaf, where)
        leaves += found
        forms.append(form)
    return leaves, forms


def regroup(leaves: Sequence[Any], form: Form) -> Any:
    """Nests leaves as a form says."""
    return _take(iter(leaves), form)


def _take(leaves: Iterator[Any], form: Form) -> Any:
    if form is None:
        return next(leaves)
    return [_take(leaves, part) for part in form]


def read_limit(max_iterations: Any) -> int:
    """Reads the largest number of steps of a loop.

    Raises:
        ArgumentValueError: if it is missing or is no number.
    """
    if max_iterations is None:
        raise ArgumentValueError("while_loop: max_iterations must be given")
    try:
        return int(max_iterations)
    except (TypeError, ValueError) as error:
        raise ArgumentValueError(
            f"while_loop: max_iterations takes an int, got {max_iterations!r}"
        ) from error
