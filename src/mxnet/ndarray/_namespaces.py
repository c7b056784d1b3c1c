"""Sorts the functions of all operators into the modules where the original has them."""

from __future__ import annotations

from typing import Any

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.ndarray._functions import Function, as_function
from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.registry import all_names

_PREFIXES = {"_contrib_": "contrib", "_linalg_": "linalg", "_image_": "image"}


def _place(name: str) -> tuple[str, str]:
    """Gives the module of an operator's function and its name there."""
    for prefix, module in _PREFIXES.items():
        if name.startswith(prefix):
            return module, name.removeprefix(prefix)
    if name.startswith("_random_") and name.endswith("_like"):
        return "random", name.removeprefix("_random_")
    return ("_internal" if name.startswith("_") else "op"), name


def _build() -> dict[str, dict[str, Function]]:
    modules: dict[str, dict[str, Function]] = {}
    for name, op in all_names().items():
        module, public_name = _place(name)
        function = as_function(op, public_name, NDArray, f"mxnet.ndarray.{module}")
        modules.setdefault(module, {})[public_name] = function
    return modules


FUNCTIONS = _build()


def populate(namespace: dict[str, Any], module: str) -> list[str]:
    """Puts the functions of a module into its namespace and gives their names."""
    functions = FUNCTIONS.get(module, {})
    namespace.update(functions)
    return sorted(functions)
