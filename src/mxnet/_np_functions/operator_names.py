"""Operators of the NumPy dialect by the names that its modules `_internal` have for them."""

from __future__ import annotations

from mxnet.ops.core.registry import all_names

_PREFIX = "_npi_"


def find_operator(module: str, name: str) -> str:
    """Returns the operator behind an attribute of a module.

    Raises:
        AttributeError: if there is none.
    """
    operator = f"{_PREFIX}{name}"
    if operator not in all_names():
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return operator


def list_short_names() -> list[str]:
    """Lists the operators without what their names begin with."""
    return [name.removeprefix(_PREFIX) for name in all_names() if name.startswith(_PREFIX)]
