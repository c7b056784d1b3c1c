"""Which operators there are, and what they take."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mxnet.ops.core.attrs import Attr, encode
from mxnet.ops.core.registry import all_names, get_op

_KINDS = {
    "bool": "boolean",
    "a tuple of ints": "Shape(tuple)",
    "a tuple of ints or None": "Shape or None",
    "a tuple of floats": "tuple of <float>",
    "int or None": "int or None",
    "float or None": "float or None",
    "bool or None": "boolean or None",
    "str": "string",
}
"""Names of the original for kinds of attributes, by the wording of the codec."""

_CHOICE = "one of "
"""How the wording begins for an attribute with a few values."""


class OperatorArguments(NamedTuple):
    """Arguments of an operator: how many, their names, and what each takes."""

    narg: int
    names: list[str]
    types: list[str]


def get_all_registered_operators() -> list[str]:
    """Lists the names of all operators."""
    return sorted(all_names())


def get_operator_arguments(op_name: str) -> OperatorArguments:
    """Returns what an operator takes.

    Args:
        op_name: Name of the operator.

    Raises:
        MXNetError: if there is none of that name.
    """
    op = get_op(op_name)
    arrays = "NDArray-or-Symbol[]" if op.variadic else "NDArray-or-Symbol"
    names = [*(item.name for item in op.inputs), *op.attrs]
    types = [arrays] * len(op.inputs) + [_describe(attr) for attr in op.attrs.values()]
    return OperatorArguments(len(names), names, types)


def _describe(attr: Attr) -> str:
    type_name = _name_kind(attr.codec.expects)
    if attr.required:
        return f"{type_name}, required"
    separator = "," if type_name.startswith("{") else ", "
    return f"{type_name}{separator}optional, default={_write_default(attr.default, type_name)}"


def _name_kind(expects: str) -> str:
    """Names a kind of attribute as the original does, by the wording of the codec."""
    if not expects.startswith(_CHOICE):
        return _KINDS.get(expects, expects)
    names, may_be_none, _ = expects.removeprefix(_CHOICE).partition(" or None")
    return f"{{{'None, ' if may_be_none else ''}{names}}}"


def _write_default(value: Any, type_name: str) -> str:
    """Writes a default as the original does, floats with the digits of their single precision."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return f"'{value}'"
    if isinstance(value, float):
        return f"{np.float32(value):.9g}"
    if isinstance(value, tuple):
        return f"[{','.join(f'{item:g}' for item in value)}]"
    if value is None:
        return "'None'" if type_name.startswith(("{", "int")) else "None"
    return repr(value if isinstance(value, str) else encode(value))
