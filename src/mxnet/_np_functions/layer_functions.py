"""The `F` of layers in the NumPy dialect: `F.np`, `F.npx` and the operators of layers.

Layers of Gluon are written on operators such as `F.FullyConnected`, which are the same in both
dialects. Here they take and return arrays or symbols of the NumPy dialect.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from mxnet._np_functions.table import Operators
from mxnet.ops.core.registry import all_names

_PREFIXES = {
    "contrib": "_contrib_",
    "linalg": "_linalg_",
    "image": "_image_",
    "random": "_random_",
    "_internal": "",
}
_OPERANDS = {
    "maximum": "maximum",
    "minimum": "minimum",
    "power": "power",
    "broadcast_add": "add",
    "broadcast_sub": "subtract",
    "broadcast_mul": "multiply",
    "broadcast_div": "true_divide",
}
"""Functions of two operands by the names that layers call: those of NumPy, which promote dtypes."""


class LayerFunctions(ModuleType):
    """A module whose functions are made when they are first asked for.

    Args:
        name: Name of the module.
        operators: Makes the functions of operators.
        written: What is not the function of an operator.
        prefix: What the names of its operators begin with.
    """

    def __init__(
        self, name: str, operators: Operators, written: Mapping[str, Any], prefix: str = ""
    ) -> None:
        super().__init__(name)
        self.__dict__.update(written)
        self._operators, self._prefix = operators, prefix

    def __getattr__(self, name: str) -> Any:
        if name in _PREFIXES and not self._prefix:
            value: Any = LayerFunctions(
                f"{self.__name__}.{name}", self._operators, {}, _PREFIXES[name]
            )
        elif name in _OPERANDS and not self._prefix:
            value = getattr(self._operators, _OPERANDS[name])
        elif self._prefix + name in all_names():
            value = self._operators.make_raw(self._prefix + name)
        else:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        setattr(self, name, value)
        return value
