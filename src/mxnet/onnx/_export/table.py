"""The table of converters: which function writes an operator as nodes of ONNX.

A converter is declared as an operator is. After the builder its positional parameters are the
array inputs of the operator, keyword-only ones are the attributes that it reads, parsed and
completed by the defaults. A parameter `out` gets what is known of the outputs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

from mxnet.errors import MXNetError
from mxnet.onnx._export.builder import Builder, Value
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import all_names

Convert: TypeAlias = Callable[..., "Value | Sequence[Value]"]
Function = TypeVar("Function", bound=Convert)

OLDEST_OPSET, NEWEST_OPSET, DEFAULT_OPSET = 13, 21, 21
"""Versions of ONNX's operators that files can be written for. Of the next one ONNX Runtime 1.31
lacks kernels: of regions of interest and random numbers."""


class NotExportableError(MXNetError, NotImplementedError):
    """Raised by a converter for attributes or inputs that ONNX has no words for."""


class Out(NamedTuple):
    """What is known of the outputs of a node.

    Attributes:
        shapes: Shapes, None where nothing is known.
        dtypes: Names of the dtypes.
    """

    shapes: tuple[Shape | None, ...]
    dtypes: tuple[str, ...]

    @property
    def shape(self) -> Shape | None:
        """Shape of the first output."""
        return self.shapes[0]

    @property
    def dtype(self) -> str:
        """Dtype of the first output."""
        return self.dtypes[0]

    @property
    def ndim(self) -> int:
        """Number of axes of the first output."""
        if self.shape is None:
            raise NotExportableError("the number of axes of the output is not known")
        return len(self.shape)


@dataclass(frozen=True, slots=True)
class Converter:
    """A row of the table.

    Attributes:
        function: Writes the nodes and returns the outputs.
        attrs: Names of the attributes that it reads.
        takes_out: Whether it wants to know the outputs.
        ignores: Inputs that it does not read, such as labels.
    """

    function: Convert
    attrs: tuple[str, ...]
    takes_out: bool
    ignores: frozenset[str]

    def run(
        self, builder: Builder, inputs: Sequence[Value | None], attrs: Mapping[str, Any], out: Out
    ) -> tuple[Value, ...]:
        """Writes the nodes of one call and returns the outputs."""
        options = {name: attrs[name] for name in self.attrs}
        if self.takes_out:
            options["out"] = out
        results = self.function(builder, *inputs, **options)
        return (results,) if isinstance(results, Value) else tuple(results)


CONVERTERS: dict[str, Converter] = {}
"""Converters by the canonical name of the operator."""


def converts(
    *names: str, ignores: Sequence[str] = (), reads: Sequence[str] = ()
) -> Callable[[Function], Function]:
    """Enters the decorated function in the table.

    Args:
        names: Canonical names of the operators that it converts.
        ignores: Names of inputs that it does not read. If nothing else reads a variable either, it
            is no input of the model.
        reads: Attributes that it takes by `**`, beside those of its signature.
    """

    def enter(function: Function) -> Function:
        options = [
            item.name
            for item in inspect.signature(function).parameters.values()
            if item.kind is item.KEYWORD_ONLY
        ]
        row = Converter(
            function,
            (*(name for name in options if name != "out"), *reads),
            "out" in options,
            frozenset(ignores),
        )
        for name in names:
            if name in CONVERTERS:
                raise MXNetError(f"onnx: operator {name!r} has two converters")
            CONVERTERS[name] = row
        return function

    return enter


def check_opset(opset_version: int | None) -> int:
    """Returns the version of ONNX's operators to write.

    Raises:
        MXNetError: if it is not one of those that can be written.
    """
    version = DEFAULT_OPSET if opset_version is None else opset_version
    if not isinstance(version, int) or not OLDEST_OPSET <= version <= NEWEST_OPSET:
        raise MXNetError(
            f"opset_version: expected a number from {OLDEST_OPSET} to {NEWEST_OPSET}, "
            f"got {opset_version!r}"
        )
    return version


def get_operator_support(opset_version: int | None = None) -> list[str]:
    """Lists the operators that can be exported.

    Args:
        opset_version: Version of ONNX's operators, 21 by default. All versions that can be written
            have the same list.

    Returns:
        Names of operators, aliases included, in alphabetic order.

    Raises:
        MXNetError: if the version is not one that can be written.
    """
    check_opset(opset_version)
    names = all_names()
    return sorted(name for name, op in names.items() if op.name in CONVERTERS)
