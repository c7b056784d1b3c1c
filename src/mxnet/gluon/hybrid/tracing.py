"""Blocks as graphs: calls with symbols, the structure of arguments, and files of a network."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, Protocol

from mxnet import ndarray as nd
from mxnet._formats import files
from mxnet._frontend.array_trace import ArrayTracer, UntraceableError, WatchTensors, traced_like
from mxnet._frontend.dialect import Dialect, current_dialect, dialect_of, dialect_of_call
from mxnet._start import level_of_program
from mxnet._state import modes, rules
from mxnet.errors import InvalidArgumentError, MXNetError, UnsupportedTypeError
from mxnet.gluon.blocks.location import Located, describe
from mxnet.gluon.parameters import ParameterDict, parameters_by_name, value_to_save
from mxnet.graph.ir import Entry, Node, rewrite
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol


class Traceable(Protocol):
    """What becomes a graph."""

    @property
    def name(self) -> str:
        """Name of the block."""

    def collect_params(self, select: str | None = None) -> ParameterDict:
        """Returns all parameters."""

    def _mx_run_hybrid_forward(self, *args: Any) -> Any:
        """Computes the output."""

    def _mx_graph_to_export(self, structure: Sequence[Any]) -> Symbol:
        """Returns the graph of a call with arguments of a structure."""


def holds_symbol(values: Sequence[Any]) -> bool:
    """Returns whether there is a symbol among the arguments, also in lists."""
    for value in values:
        if isinstance(value, Symbol) or (isinstance(value, (list, tuple)) and holds_symbol(value)):
            return True
    return False


class Leaf(Enum):
    """What stands for an array in the structure of arguments."""

    ARRAY = "array"


def replace_leaves(values: Any, replace: Callable[[Any], Any]) -> Any:
    """Rebuilds nested lists with other leaves; None stays."""
    if not isinstance(values, (list, tuple)):
        return None if values is None else replace(values)
    replaced = []
    for value in values:
        if isinstance(value, (list, tuple)):
            replaced.append(replace_leaves(value, replace))
        else:
            replaced.append(None if value is None else replace(value))
    return replaced


def leaves_of(values: Any) -> list[Any]:
    """Lists the leaves of nested lists in order; None is not a leaf."""
    if not isinstance(values, (list, tuple)):
        return [] if values is None else [values]
    leaves = []
    for value in values:
        if isinstance(value, (list, tuple)):
            leaves += leaves_of(value)
        elif value is not None:
            leaves.append(value)
    return leaves


def structure_of(values: Any) -> Any:
    """Returns the structure of nested lists without the arrays in it; other leaves stay."""
    return replace_leaves(
        values, lambda item: Leaf.ARRAY if isinstance(item, (NDArray, Symbol)) else item
    )


def check_structure(block: Located, expected: Sequence[Any], args: Sequence[Any]) -> None:
    """Refuses arguments that are nested otherwise than those that a graph was made for.

    Args:
        block: The block.
        expected: Structure of the first call; None at its end may be left out.
        args: Arguments of this call.
    """
    given = structure_of(args)
    if given != expected and _without_end(given) != _without_end(expected):
        raise InvalidArgumentError(
            f"{describe(block)} was hybridized and first called with {_spell(expected)}, now with "
            f"{_spell(given)}; call hybridize() again to change the structure of arguments"
        )


def _without_end(structure: Sequence[Any]) -> list[Any]:
    items = list(structure)
    while items and items[-1] is None:
        items.pop()
    return items


def _spell(structure: Any) -> str:
    if isinstance(structure, (list, tuple)):
        return f"[{', '.join(map(_spell, structure))}]"
    return "array" if structure is Leaf.ARRAY else str(structure)


class Trace(NamedTuple):
    """What a call of a block with variables gave."""

    graph: Symbol
    input_names: list[str]
    structure: Any
    """Nesting of the results."""
    held: Mapping[str, NDArray] = {}
    """Arrays that are neither arguments nor parameters, by the name of their variable."""
    of_shapes: bool = False
    """Whether the program saw the shapes of the arguments, so that others need another graph."""
    cls: type[NDArray] | None = None
    """Class of the results."""


def trace(block: Traceable, structure: Sequence[Any], dialect: Dialect | None = None) -> Trace:
    """Calls a block with variables.

    Args:
        block: The block.
        structure: Nesting of its arguments. One is called `data`, several `data0`, `data1`, ...
        dialect: Dialect of the variables, that of the thread if not given.
    """
    dialect = dialect or current_dialect()
    count = len([leaf for leaf in leaves_of(structure) if leaf is Leaf.ARRAY])
    names = ["data"] if count == 1 else [f"data{i}" for i in range(count)]
    rest = iter(names)
    arguments = replace_leaves(
        structure, lambda leaf: dialect.variable(next(rest)) if leaf is Leaf.ARRAY else leaf
    )
    result = replace_leaves(block._mx_run_hybrid_forward(*arguments), _list_outputs)
    outputs = list(leaves_of(result))
    if not outputs or not all(isinstance(item, Symbol) for item in outputs):
        hint = "; is a `return` missing?" if result is None else ""
        raise UnsupportedTypeError(
            f"{block.name}: cannot become a graph, its output is {result!r}, not symbols{hint}"
        )
    own = dialect
    if any([type(item) is not own.symbol for item in outputs]):
        own = dialect_of(outputs[0])
        if any([type(item) is not own.symbol for item in outputs]):
            raise UnsupportedTypeError(
                f"{block.name}: cannot become a graph with outputs of mx.nd and of mx.np; convert "
                "all of them by as_nd_ndarray() or as_np_ndarray()"
            )
    graph = outputs[0] if len(outputs) == 1 else own.symbol_functions.Group(outputs)
    return Trace(graph, names, structure_of(result), cls=own.array)


def trace_if_possible(block: Any, args: Sequence[Any]) -> Trace | None:
    """Makes the graph of a block by symbols, and restores the block if tracing fails."""
    before = Attributes(block)
    try:
        return trace(block, structure_of(args), dialect_of_call(args))
    except Exception:  # noqa: BLE001 - a program of the user's, which may look at arrays
        before.restore()
        return None


def _list_outputs(item: Any) -> Any:
    """Returns several outputs of an operator as the list that they are for arrays."""
    return list(item) if isinstance(item, Symbol) and len(item) > 1 else item


def export(
    block: Traceable,
    structure: Sequence[Any] | None,
    path: str | os.PathLike[str],
    epoch: int,
    remove_amp_cast: bool,
) -> tuple[str, str]:
    """Writes a network to `path-symbol.json` and `path-0000.params`, both or none of them.

    Returns:
        The two paths.
    """
    if structure is None:
        raise MXNetError(
            f"export: {block.name} is not compiled yet; call hybridize() and then run it once"
        )
    graph, parameters = _name_for_files(block, block._mx_graph_to_export(structure))
    prefixes = dict.fromkeys(graph.list_arguments(), "arg")
    prefixes.update(dict.fromkeys(graph.list_auxiliary_states(), "aux"))
    values: dict[str, NDArray] = {}
    for name, parameter in parameters.items():
        if name in prefixes:
            values[f"{prefixes[name]}:{name}"] = value_to_save(parameter)
        else:
            warnings.warn(
                f"export: Parameter {name!r} is not part of the graph",
                stacklevel=level_of_program(),
            )
    start = os.fspath(path)
    written = f"{start}-symbol.json", f"{start}-{math.trunc(epoch):04d}.params"
    with files.written_together():
        nd.save(written[1], values)
        graph.save(written[0], remove_amp_cast)
    return written


def _name_for_files(block: Traceable, graph: Symbol) -> tuple[Symbol, Mapping[str, Any]]:
    """Returns a graph and the parameters by the names that files have: under MXNet 2, the paths."""
    parameters = parameters_by_name(block)
    if rules.version == 1:
        return graph, parameters
    paths: dict[str, str] = {}
    for path, parameter in block.collect_params().items():
        paths.setdefault(parameter.name, path)

    def rename(node: Node, inputs: Sequence[Entry]) -> Node | None:
        if node.op is not None or node.name not in paths:
            return None
        return Node(None, paths[node.name], node.attrs, list(inputs))

    renamed = type(graph)(rewrite(graph._graph, rename).heads)
    return renamed, {paths[name]: parameter for name, parameter in parameters.items()}


_COUNTED_NAMES = (
    "_mx_call_structure _counter _exports_states _init_counter _masks _mx_may_need_parts "
    "_mx_parents _modified _prev_output skip_states"
)
_COUNTED = frozenset(_COUNTED_NAMES.split())
"""Attributes in which blocks of this package note calls and steps."""


class Attributes:
    """The attributes of a block and its children at one time.

    Args:
        block: The block.
    """

    def __init__(self, block: Any) -> None:
        self._blocks: list[tuple[Any, dict[str, Any]]] = []
        self._note(block)

    def _note(self, block: Any) -> None:
        for child in block._children.values():
            self._note(child)
        self._blocks.append((block, dict(block.__dict__)))

    def find_change(self) -> str | None:
        """Says which attribute has been set since, None if no one has."""
        for block, before in self._blocks:
            for name, value in dict(block.__dict__).items():
                if name not in _COUNTED and before.get(name, _MISSING) is not value:
                    return f"attribute {name!r} of {type(block).__name__} {block.name!r}"
        return None

    def restore(self) -> None:
        """Sets back what has changed; the others never miss, as another thread may read them."""
        for block, before in self._blocks:
            for name, value in dict(block.__dict__).items():
                if name not in before:
                    del block.__dict__[name]
                elif before[name] is not value:
                    block.__dict__[name] = before[name]
            for name in before.keys() - block.__dict__.keys():
                block.__dict__[name] = before[name]

    def restore_counters(self) -> None:
        """Sets back the numbers of steps that recurrent cells have counted."""
        for block, before in self._blocks:
            if "_counter" in before:
                block.__dict__["_counter"] = before["_counter"]


_MISSING = object()


def by_arrays(block: Any, structure: Sequence[Any], args: Sequence[Any]) -> Trace:
    """Calls a block with arrays that note what is done to them."""
    del structure
    arrays = [item for item in leaves_of(args) if isinstance(item, NDArray)]
    names = ["data"] if len(arrays) == 1 else [f"data{i}" for i in range(len(arrays))]
    known = {
        id(array): parameter.var()._heads[0]
        for parameter in block.collect_params().values()
        for array in parameter._data or ()
    }
    tracer = ArrayTracer(known)
    traced = iter(
        traced_like(array, Entry(Node(None, name)))
        for name, array in zip(names, arrays, strict=True)
    )
    arguments = replace_leaves(
        args, lambda item: next(traced) if isinstance(item, NDArray) else item
    )
    before, modes.tracer = modes.tracer, tracer
    try:
        with WatchTensors():  # type: ignore[no-untyped-call]
            result = block._mx_run_hybrid_forward(*arguments)
    finally:
        modes.tracer = before
    outputs = list(leaves_of(result))
    if not outputs or not all(isinstance(item, NDArray) for item in outputs):
        raise UntraceableError(f"the output is {result!r}, not arrays")
    dialects = {dialect_of(item) for item in outputs}
    if len(dialects) > 1:
        raise UntraceableError("some outputs are of mx.nd and some of mx.np")
    dialect = dialects.pop()
    graph = dialect.symbol([tracer.entry_of(item) for item in outputs])
    structure = structure_of(result)
    return Trace(graph, names, structure, tracer.held, of_shapes=True, cls=dialect.array)
