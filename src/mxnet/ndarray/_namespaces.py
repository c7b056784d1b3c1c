"""Sorts the functions of all operators into the modules where the original has them."""

from __future__ import annotations

from typing import Any

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.ndarray._functions import Function, as_function
from mxnet.ndarray._ndarray import NDArray
from mxnet.ops.public import place
from mxnet.ops.registry import all_names


def _build() -> dict[str, dict[str, Function]]:
    modules: dict[str, dict[str, Function]] = {}
    for name, op in all_names().items():
        module, public_name = place(name)
        function = as_function(op, public_name, NDArray, f"mxnet.ndarray.{module}")
        modules.setdefault(module, {})[public_name] = function
    return modules


FUNCTIONS = _build()


def populate(namespace: dict[str, Any], module: str) -> list[str]:
    """Puts the functions of a module into its namespace and gives their names."""
    functions = FUNCTIONS.get(module, {})
    namespace.update(functions)
    return sorted(functions)
