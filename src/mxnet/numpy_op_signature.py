"""Public functions of the operators of the NumPy dialect: `mx.numpy_op_signature`.

Example:
    >>> from mxnet.numpy_op_signature import _get_builtin_op
    >>> str(_get_builtin_op("_npx_nonzero").__signature__).count(",")
    0
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mxnet import numpy as mx_np
from mxnet import numpy_extension as mx_npx
from mxnet.base import (
    _NP_EXT_OP_PREFIX,
    _NP_EXT_OP_SUBMODULE_LIST,
    _NP_OP_PREFIX,
    _NP_OP_SUBMODULE_LIST,
)
from mxnet.errors import ArgumentValueError
from mxnet.ops.core.registry import all_names

_PLACES = (
    (_NP_OP_PREFIX, mx_np, _NP_OP_SUBMODULE_LIST),
    (_NP_EXT_OP_PREFIX, mx_npx, _NP_EXT_OP_SUBMODULE_LIST),
)
"""Prefixes of operators, modules of their functions, and what names of submodules begin with."""


def _get_builtin_op(op_name: str) -> Callable[..., Any] | None:
    """Returns the function of an operator, None if the operator is not of the NumPy dialect.

    Args:
        op_name: The operator's name, such as `"_np_sum"` or `"_npx__image_resize"`.

    Raises:
        ArgumentValueError: if `mx.np` or `mx.npx` has no such function.
    """
    for prefix, module, submodules in _PLACES:
        if op_name.startswith(prefix):
            name = op_name.removeprefix(prefix)
            begin = next((part for part in submodules if name.startswith(part)), "")
            owner = getattr(module, begin.strip("_")) if begin else module
            function: Callable[..., Any] | None = vars(owner).get(name.removeprefix(begin))
            if function is None:
                raise ArgumentValueError(f"{owner.__name__} has no function for {op_name!r}")
            return function
    return None


def _list_documented() -> dict[str, Callable[..., Any]]:
    names = [name for name in all_names() if name.startswith(_NP_OP_PREFIX)]
    names += ["_np__random_shuffle", "_npx_constraint_check", "_npx_nonzero", "_npx_reshape"]
    found = ((name, _get_builtin_op(name)) for name in names)
    return {name: function for name, function in found if function is not None}


DOCUMENTED = _list_documented()
"""Functions whose signature is not that of their operator, by the operator's name."""

for _function in DOCUMENTED.values():
    vars(_function)["__signature__"] = inspect.signature(_function)
