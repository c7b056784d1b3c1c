"""Names and shapes that modules are given, and the errors of what does not fit."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from mxnet.errors import ArgumentValueError
from mxnet.io import DataDesc
from mxnet.symbol import Symbol

_PARAMETER_ENDINGS = ("_weight", "_bias", "_gamma", "_beta")


def check_input_names(symbol: Symbol, names: Iterable[str], typename: str, throw: bool) -> None:
    """Checks that a symbol has arguments of the given names.

    Args:
        symbol: The symbol.
        names: Names of inputs of the module.
        typename: Which they are: `"data"`, `"label"`, `"state"` or `"fixed_param"`.
        throw: Whether a missing one raises; else it warns.
    """
    arguments = symbol.list_arguments()
    for name in names:
        if name in arguments:
            continue
        others = [item for item in arguments if not item.endswith(_PARAMETER_ENDINGS)]
        message = (
            f"Module: {typename}_names has {name!r}, which is no argument of the symbol; "
            f"its inputs are {', '.join(others)}"
        )
        if throw:
            raise ArgumentValueError(message)
        warnings.warn(message, stacklevel=4)


def check_inputs(
    symbol: Symbol,
    data: Sequence[str],
    label: Sequence[str],
    state: Sequence[str],
    fixed: Sequence[str],
) -> None:
    """Checks the names of all inputs of a module; a symbol may do without labels."""
    check_input_names(symbol, data, "data", True)
    check_input_names(symbol, label, "label", False)
    check_input_names(symbol, state, "state", True)
    check_input_names(symbol, fixed, "fixed_param", True)


def check_names_match(
    names: Sequence[str], shapes: Sequence[DataDesc], typename: str, throw: bool
) -> None:
    """Checks that shapes are given for just those names that the module has."""
    given = [description[0] for description in shapes]
    if sorted(names) == sorted(given):
        return
    message = (
        f"Module: {typename}_shapes must be of {typename}_names, which are {list(names)}, "
        f"got those of {given}\n"
        f"  Call them {list(names)} where the iterator is made, or make the Module with "
        f"{typename}_names={given}."
    )
    if throw:
        raise ArgumentValueError(message)
    warnings.warn(message, stacklevel=5)


def parse_data_desc(
    data_names: Sequence[str],
    label_names: Sequence[str],
    data_shapes: Iterable[Any],
    label_shapes: Iterable[Any] | None,
) -> tuple[list[DataDesc], list[DataDesc] | None]:
    """Makes descriptions of what is given as such or as tuples, and checks the names."""
    data = [as_description(item) for item in data_shapes]
    check_names_match(data_names, data, "data", True)
    label = None if label_shapes is None else [as_description(item) for item in label_shapes]
    check_names_match(label_names, label or [], "label", False)
    return data, label


def as_description(item: Any) -> DataDesc:
    """Makes a description of a tuple of name, shape and what else `DataDesc` takes."""
    return item if isinstance(item, DataDesc) else DataDesc(*item)
