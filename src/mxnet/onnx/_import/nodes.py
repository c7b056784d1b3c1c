"""A node of an ONNX graph as converters see it, and the table of converters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np

from mxnet import limits
from mxnet.onnx._import.lengths import is_open
from mxnet.onnx._import.values import Array, NotImportableError, Value

Convert: TypeAlias = Callable[..., Any]
Function = TypeVar("Function", bound=Convert)

_MOST_MADE = 1 << 24
"""Elements of constants that a node may need beside those of the file."""

CONVERTERS: dict[str, Convert] = {}
"""Functions that make symbols of a node, by the operator's name in ONNX.

A function takes the node and its inputs, None for one that is left out, and returns a symbol of
either dialect, a `Value`, or a list of these for the outputs.
"""


def imports(*op_types: str) -> Callable[[Function], Function]:
    """Enters a function into the table of converters.

    Args:
        *op_types: Names of operators of ONNX.
    """

    def register(function: Function) -> Function:
        for op_type in op_types:
            if op_type in CONVERTERS:
                raise ValueError(f"there are two converters for {op_type}")
            CONVERTERS[op_type] = function
        return function

    return register


class Node:
    """A node of the graph.

    Args:
        op_type: Name of its operator.
        name: Its name, or that of its first output.
        domain: Domain of the operator, empty for ONNX's own.
        version: Version of the domain that the file was written for.
        attrs: Attributes; strings are `str`.
        inputs: What it reads, None where an input is left out.
        outputs: Names of its outputs, empty where one is left out.
        importer: What imports graphs inside of it.
    """

    def __init__(
        self,
        op_type: str,
        name: str,
        domain: str,
        version: int,
        attrs: Mapping[str, Any],
        inputs: Sequence[Value | None],
        outputs: Sequence[str],
        importer: Any,
    ) -> None:
        self.op_type, self.name, self.domain, self.version = op_type, name, domain, version
        self.attrs, self.inputs, self.outputs = attrs, inputs, outputs
        self.importer = importer
        self.scope: Any = {}

    def error(self, problem: str) -> NotImportableError:
        """Returns the error for a node that cannot be imported in this form."""
        domain = f"{self.domain}." if self.domain else ""
        return NotImportableError(
            f"import_model: node {self.name!r} ({domain}{self.op_type}, opset {self.version}): "
            f"{problem}"
        )

    def get(self, name: str, default: Any = None) -> Any:
        """Returns an attribute."""
        value = self.attrs.get(name, default)
        if default is None or value is default:
            return value
        wanted = type(default)
        if wanted is float and isinstance(value, int):
            return float(value)
        if not isinstance(value, wanted):
            raise self.error(f"attribute {name!r} takes a {wanted.__name__}, got {value!r}")
        return value

    def ints(self, name: str, default: Sequence[int] | None = None) -> list[int] | None:
        """Returns an attribute that is a list of integers."""
        value = self.attrs.get(name)
        if value is None:
            return None if default is None else list(default)
        if not isinstance(value, (list, tuple)) or not all(isinstance(i, int) for i in value):
            raise self.error(f"attribute {name!r} takes a list of integers, got {value!r}")
        return list(value)

    def check_made(self, count: int) -> None:
        """Raises if a converter would make too many elements of a constant."""
        if count > _MOST_MADE:
            raise self.error(f"it would need a constant of {count:,} elements")

    def check_size(self, shape: Sequence[Any]) -> None:
        """Raises if an array of this shape, as far as it is known, is beyond the limit."""
        count = math.prod(int(length) for length in shape if isinstance(length, (int, np.integer)))
        limits.check("array_bytes", count, f"import_model: node {self.name!r}")

    def input(self, place: int) -> Value | None:
        """Returns an input, None if it is left out."""
        return self.inputs[place] if place < len(self.inputs) else None

    def need(self, place: int) -> Value:
        """Returns an input that must be there."""
        value = self.input(place)
        if value is None:
            raise self.error(f"input {place} is missing")
        return value

    def constant(self, place: int, what: str) -> Array | None:
        """Returns the elements of an input, which must be known; None if it is left out."""
        value = self.input(place)
        if value is None:
            return None
        if value.constant is None:
            raise self.error(
                f"{what} must be known when the model is imported, but {value.name!r} is computed "
                "from an input; give the shapes of the inputs: "
                "import_model(file, shapes={name: shape})"
            )
        return value.constant

    def integers(self, place: int, what: str) -> list[int] | None:
        """Returns the elements of an input of integers, all of which must be known."""
        array = self.constant(place, what)
        if array is None:
            return None
        if is_open(array):
            raise self.error(
                f"{what} depends on a length that the file leaves open; give the shapes of the "
                "inputs: import_model(file, shapes={name: shape})"
            )
        if array.dtype.kind not in "iu":
            raise self.error(f"{what} must be integers, got {array.dtype}")
        return [int(item) for item in np.atleast_1d(array).ravel()]

    def ints_or_input(self, name: str, place: int, since: int) -> list[int] | None:
        """Returns integers that newer versions have as an input and older ones as an attribute."""
        return self.integers(place, name) if self.version >= since else self.ints(name)

    def axis(self, value: Value, default: int, name: str = "axis") -> int:
        """Returns an attribute that is an axis of a value, counted from the front."""
        return self.normalize(self.get(name, default), value.ndim)

    def normalize(self, axis: int, ndim: int) -> int:
        """Returns an axis counted from the front."""
        if not -ndim <= axis < max(ndim, 1):
            raise self.error(f"axis {axis} is not one of {ndim} axes")
        return axis % ndim if ndim else 0
