"""Operators written in Python: `CustomOp`, `CustomOpProp` and `register`.

Example:
    >>> import mxnet as mx
    >>> class Double(mx.operator.CustomOp):
    ...     def forward(self, is_train, req, in_data, out_data, aux):
    ...         self.assign(out_data[0], req[0], in_data[0] * 2)
    ...
    ...     def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
    ...         self.assign(in_grad[0], req[0], out_grad[0] * 2)
    >>> @mx.operator.register("double")
    ... class DoubleProp(mx.operator.CustomOpProp):
    ...     def create_operator(self, ctx, shapes, dtypes):
    ...         return Double()
    >>> print(mx.nd.Custom(mx.nd.array([1, 2]), op_type="double").asnumpy())
    [2. 4.]
"""

import ctypes as _ctypes
from typing import Any, NamedTuple

import numpy as np

from mxnet._start import publish_classes
from mxnet.operator import _graph_sampling as _graph_sampling
from mxnet.operator import _np_fallbacks as _np_fallbacks
from mxnet.operator._custom_op import CustomOp as CustomOp
from mxnet.operator._custom_op import CustomOpProp as CustomOpProp
from mxnet.operator._custom_op import register as register
from mxnet.operator._python_op import NDArrayOp as NDArrayOp
from mxnet.operator._python_op import NumpyOp as NumpyOp
from mxnet.operator._python_op import PythonOp as PythonOp
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
_ADDED_IN_2 = frozenset({"'log_sigmoid'", "'mish'"})
"""Values that operators take as MXNet 2 does, and that 1.9.1 does not list."""


class OperatorArguments(NamedTuple):
    """Arguments of an operator: how many, their names, and what each takes."""

    narg: int
    names: list[str]
    types: list[str]


def get_all_registered_operators() -> list[str]:
    """Lists the names of all operators."""
    return sorted(all_names())


def get_all_registered_operators_grouped() -> dict[str, list[str]]:
    """Lists the names of each operator, its own with the others, by its own.

    Example:
        >>> import mxnet as mx
        >>> mx.operator.get_all_registered_operators_grouped()["Convolution"]
        ['Convolution', '_npx_convolution']
    """
    groups: dict[str, list[str]] = {}
    for name in get_all_registered_operators():
        groups.setdefault(get_op(name).name, []).append(name)
    return groups


def get_operator_arguments(op_name: str) -> OperatorArguments:
    """Returns what an operator takes.

    Args:
        op_name: Name of the operator.

    Raises:
        MXNetError: if there is none of that name.
    """
    op = get_op(op_name)
    arrays = "NDArray-or-Symbol[]" if op.variadic else "NDArray-or-Symbol"
    attrs = op.attrs_by_position(is_np=False)
    names = [*(item.name for item in op.inputs), *attrs]
    types = [arrays] * len(op.inputs) + [_describe(op.attrs[name]) for name in attrs]
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
    names = ", ".join(name for name in names.split(", ") if name not in _ADDED_IN_2)
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


c_int_p = _ctypes.POINTER(_ctypes.c_int)

publish_classes(globals())
