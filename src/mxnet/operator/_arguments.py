"""Which operators there are, and what they take."""

from __future__ import annotations

from typing import NamedTuple

from mxnet.ops.attrs import Attr, encode
from mxnet.ops.registry import all_names, get_op

_KINDS = {
    "bool": "boolean",
    "a tuple of ints": "Shape(tuple)",
    "a tuple of ints or None": "Shape or None",
    "a tuple of floats": "tuple of <float>",
    "int or None": "int or None",
    "float or None": "float or None",
    "str": "string",
}
"""Names of the original for kinds of attributes, by the wording of the codec."""


class OperatorArguments(NamedTuple):
    """Arguments of an operator: how many, their names, and what each takes."""

    narg: int
    names: list[str]
    types: list[str]


def get_all_registered_operators() -> list[str]:
    """Lists the names of all operators."""
    return sorted(all_names())


def get_operator_arguments(op_name: str) -> OperatorArguments:
    """Tells what an operator takes.

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
    kind = _KINDS.get(attr.codec.expects, attr.codec.expects)
    if attr.required:
        return f"{kind}, required"
    default = attr.default
    if isinstance(default, bool):
        default = int(default)
    elif default is not None and not isinstance(default, (int, float, str)):
        default = encode(default)
    return f"{kind}, optional, default={default!r}"
