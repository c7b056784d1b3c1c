"""Builds documentation of operators in NumPy's layout from a description and its arguments."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

_COUNT = "num_args"
"""Argument that the number of the others fills, so that callers never pass it."""


def build_doc(
    description: str,
    arguments: tuple[Sequence[str], Sequence[str], Sequence[str]],
    last_argument: str,
    returns: str,
    more: type,
) -> str:
    """Returns the documentation of an operator.

    Args:
        description: What the operator does.
        arguments: Names, types and descriptions of its arguments.
        last_argument: An argument that all operators of the frontend have, described.
        returns: What they return, described.
        more: Class whose subclass of the operator's name has examples to add, or that class.
    """
    rows = [
        f"{name} : {kind}" + (f"\n    {text}" if text else "")
        for name, kind, text in zip(*arguments, strict=True)
        if name != _COUNT
    ]
    parts = [
        f"{description}\n",
        "Parameters\n----------\n" + "\n".join(rows) + "\n",
        f"{last_argument}\n",
        f"Returns\n-------\n{returns}\n",
    ]
    return "\n".join(parts) + (inspect.cleandoc(more.__doc__) if more.__doc__ else "")


def find_examples(base: type, operator: str) -> type:
    """Returns the subclass that is named after an operator; one without a docstring if none is.

    Args:
        base: Class of which all classes of examples are subclasses.
        operator: Name of the operator.
    """
    classes: list[type] = base.__subclasses__()
    by_name = {cls.__name__: cls for cls in classes}
    return by_name.get(f"{operator}Doc", _Nothing)


class _Nothing:
    __doc__ = None
