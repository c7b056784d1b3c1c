"""Blocks as graphs: calls with symbols, the structure of arguments, and files of a network."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from mxnet import ndarray as nd
from mxnet import symbol
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.gluon._parameter_dict import ParameterDict, value_to_save
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol


class StructureError(MXNetError, ValueError):
    """Arguments are not nested as they should be."""


class Traceable(Protocol):
    """What becomes a graph."""

    @property
    def name(self) -> str:
        """Name of the block."""

    def collect_params(self, select: str | None = None) -> ParameterDict:
        """Gives all parameters."""

    def forward(self, x: Any, *args: Any) -> Any:
        """Computes the output."""


def holds_symbol(values: Sequence[Any]) -> bool:
    """Tells whether there is a symbol among the arguments, also in lists."""
    return any(
        isinstance(value, Symbol) or (isinstance(value, (list, tuple)) and holds_symbol(value))
        for value in values
    )


def replace_leaves(values: Any, replace: Callable[[Any], Any]) -> Any:
    """Rebuilds nested lists with other leaves; None stays."""
    if isinstance(values, (list, tuple)):
        return [replace_leaves(value, replace) for value in values]
    return None if values is None else replace(values)


def leaves_of(values: Any) -> Iterator[Any]:
    """Yields the leaves of nested lists in order; None is none."""
    if isinstance(values, (list, tuple)):
        for value in values:
            yield from leaves_of(value)
    elif values is not None:
        yield values


def structure_of(values: Any) -> Any:
    """Gives the structure of nested lists without their content."""
    return replace_leaves(values, lambda _: True)


def trace(block: Traceable, structure: Sequence[Any]) -> Symbol:
    """Calls a block with variables and groups what it gives.

    Args:
        block: The block.
        structure: Nesting of its arguments. One is called `data`, several `data0`, `data1`, ...
    """
    count = sum(1 for _ in leaves_of(structure))
    names = iter(["data"] if count == 1 else [f"data{i}" for i in range(count)])
    arguments = replace_leaves(structure, lambda _: symbol.var(next(names)))
    found = list(leaves_of(block.forward(*arguments)))
    if not all(isinstance(item, Symbol) for item in found):
        raise UnsupportedTypeError(f"{block.name}: cannot become a graph, its output is no symbol")
    return found[0] if len(found) == 1 else symbol.Group(found)


def export(
    block: Traceable,
    structure: Sequence[Any] | None,
    path: str | os.PathLike[str],
    epoch: int,
    remove_amp_cast: bool,
) -> None:
    """Writes a network to `path-symbol.json` and `path-0000.params`."""
    if structure is None:
        raise MXNetError(
            f"export: {block.name} is not compiled yet; call hybridize() and then run it once"
        )
    graph = trace(block, structure)
    kinds = dict.fromkeys(graph.list_arguments(), "arg")
    kinds.update(dict.fromkeys(graph.list_auxiliary_states(), "aux"))
    values: dict[str, NDArray] = {}
    for name, parameter in block.collect_params().items():
        if name in kinds:
            values[f"{kinds[name]}:{name}"] = value_to_save(parameter)
        else:
            warnings.warn(f"export: Parameter {name!r} is not part of the graph", stacklevel=3)
    graph.save(f"{os.fspath(path)}-symbol.json", remove_amp_cast)
    nd.save(f"{os.fspath(path)}-{epoch:04d}.params", values)
