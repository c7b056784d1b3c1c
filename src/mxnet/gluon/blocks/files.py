"""Files of the parameters of a block, and of a whole model.

A model is `prefix-model.params`, and `prefix-model.json` that lists its blocks. The second has an
entry for every block, nested like the blocks and named after the class and a running number. It
holds the name of the block, the attribute names of its children and, if the block has been called
after `hybridize()`, its graph.
"""

from __future__ import annotations

import itertools
import json
import os
import warnings
from collections import OrderedDict
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from mxnet import limits, symbol
from mxnet import ndarray as nd
from mxnet._formats import files
from mxnet._formats.texts import check_containers
from mxnet._start import level_of_program, plain, public_call, public_methods
from mxnet.context import Context
from mxnet.errors import FileFormatError, InvalidArgumentError, MXNetError, UnknownNameError, shown
from mxnet.gluon.hybrid.tracing import Leaf, Trace, leaves_of
from mxnet.gluon.parameters import (
    Parameter,
    ParameterError,
    PathTree,
    join_parts,
    load_values,
    parameters_by_name,
    save_values,
    split_flat,
)
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

_load_arrays = plain(nd.load)

_NOTHING = -1
"""Code of None in a format. An array is 0; a symbol of several outputs is their number."""


@dataclass(frozen=True)
class SavedGraph:
    """A graph from a file, used as the tracer of a block."""

    graph: Symbol
    input_names: list[str]
    in_structure: Any
    out_structure: Any

    def __call__(self, block: Any, structure: Any, args: Any) -> Trace:
        """Returns the graph for arguments that are nested as those in the file were."""
        del args
        if structure != self.in_structure:
            raise InvalidArgumentError(
                f"{block.name}: the graph takes {self.in_structure}, got {structure}"
            )
        return Trace(self.graph, self.input_names, self.out_structure)


@public_methods("save", "load", "save_params", "save_parameters", "load_params")
class ModelTree(PathTree):
    """Base of `Block` that saves and loads parameters and whole models."""

    _name: str
    _children: MutableMapping[str, Any]
    _mx_may_have_graph: ClassVar[bool] = False
    """Whether blocks of this class can be traced to a graph."""

    def _mx_current_graph(self) -> tuple[Any, Trace] | None:
        """Returns the structure of arguments and the graph, if the block has one."""
        return None

    def _mx_adopt_graph(self, structure: Any, tracer: SavedGraph) -> None:
        """Makes later calls run a given graph."""

    def save_parameters(self, filename: str | os.PathLike[str], deduplicate: bool = False) -> None:
        """Saves the values of all parameters by their path.

        Args:
            filename: Path of the file; in the format of safetensors if it ends with
                `.safetensors`.
            deduplicate: Whether a shared parameter is stored once, not once for each path.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> other = mx.gluon.nn.Dense(2, in_units=3)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "net.params")
            ...     net.save_parameters(path)
            ...     other.load_parameters(path)
            >>> bool((other.weight.data() == net.weight.data()).min())
            True
        """
        parameters = self._collect_params_with_prefix()
        if deduplicate:
            last = {id(item): name for name, item in parameters.items()}
            parameters = {n: item for n, item in parameters.items() if last[id(item)] == n}
        save_values(filename, parameters)

    def save_params(self, filename: str | os.PathLike[str]) -> None:
        """Saves parameters by name, as versions before 1.2.1 did; use `save_parameters`."""
        warnings.warn(
            "save_params is deprecated, use save_parameters",
            DeprecationWarning,
            stacklevel=level_of_program(),
        )
        self.collect_params().save(filename, strip_prefix=self.prefix)

    @public_call
    def load_parameters(
        self,
        filename: str | os.PathLike[str],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Loads parameters that this or any version of the original saved.

        Args:
            filename: Path of the file, which may also be one of safetensors.
            ctx: Contexts to put parameters on that are not initialized, by default the CPU.
            allow_missing: Whether parameters may be missing in the file.
            ignore_extra: Whether the file may hold others.
            cast_dtype: Whether to convert element types.
            dtype_source: Which type is kept then, `"current"` or `"saved"`.

        Raises:
            MXNetError: listing all missing, extra and misshaped names; nothing has changed then.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> backbone = mx.gluon.nn.HybridSequential()
            >>> backbone.add(mx.gluon.nn.Dense(4, in_units=3))
            >>> backbone.initialize()
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "net.params")
            ...     backbone.save_parameters(path)
            ...     net = mx.gluon.nn.HybridSequential()
            ...     net.add(mx.gluon.nn.Dense(4), mx.gluon.nn.Dense(2))  # has a layer more
            ...     net.load_parameters(path, allow_missing=True)
            >>> net[0].weight.shape
            (4, 3)
        """
        loaded = _load_arrays(filename)
        if not isinstance(loaded, dict):
            if loaded:
                raise ParameterError(f"load: {os.fspath(filename)!r} holds arrays without names")
            loaded = {}
        self._mx_load(
            loaded, os.fspath(filename), ctx, allow_missing, ignore_extra, cast_dtype, dtype_source
        )

    @public_call
    def load_dict(
        self,
        param_dict: Mapping[str, NDArray],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Sets parameters from arrays by name, all or none of them.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.load_dict({"weight": mx.nd.ones((2, 3)), "bias": mx.nd.zeros(2)})
            >>> print(net(mx.nd.ones((1, 3))).asnumpy())
            [[3. 3.]]
        """
        self._mx_load(
            param_dict, "param_dict", ctx, allow_missing, ignore_extra, cast_dtype, dtype_source
        )

    def _mx_load(
        self,
        loaded: Mapping[str, NDArray],
        origin: str,
        ctx: Context | Sequence[Context] | None,
        allow_missing: bool,
        ignore_extra: bool,
        cast_dtype: bool,
        dtype_source: str,
    ) -> None:
        plain = {key.removeprefix("arg:").removeprefix("aux:"): a for key, a in loaded.items()}
        if any(name.endswith("rnn_param") for name in plain):
            split_flat(self, plain)
        if any(name.endswith("i2h_weight") for name in plain):
            join_parts(self, plain)
        parameters: Mapping[str, Parameter] = self._collect_params_with_prefix()
        if plain and not any("." in name for name in plain):
            # Saved by name, with the prefix of the block (exports) or without (save_params).
            parameters = parameters_by_name(self)
            stripped = {self.prefix + name: array for name, array in plain.items()}
            if len(stripped.keys() & parameters.keys()) > len(plain.keys() & parameters.keys()):
                plain = stripped
        load_values(
            parameters,
            plain,
            origin=origin,
            ctx=ctx,
            allow_missing=allow_missing,
            ignore_extra=ignore_extra,
            cast_dtype=cast_dtype,
            dtype_source=dtype_source,
        )

    def load_params(
        self,
        filename: str | os.PathLike[str],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> None:
        """Loads parameters; deprecated in favour of `load_parameters`."""
        warnings.warn(
            "load_params is deprecated, use load_parameters",
            DeprecationWarning,
            stacklevel=level_of_program(),
        )
        self.load_parameters(filename, ctx, allow_missing, ignore_extra)

    def save(self, prefix: str | os.PathLike[str]) -> None:
        """Writes parameters and graphs to `prefix-model.params` and `prefix-model.json`.

        Either both files are replaced or neither.

        Args:
            prefix: What the names of the files start with.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     net.save(os.path.join(folder, "net"))
            ...     other = mx.gluon.nn.Dense(2)
            ...     other.load(os.path.join(folder, "net"))
            ...     print(sorted(os.listdir(folder)), other.weight.shape)
            ['net-model.json', 'net-model.params'] (2, 3)
        """
        start = os.fspath(prefix)
        text = json.dumps(_describe(self, itertools.count(), False))
        with files.written_together():
            self.save_parameters(f"{start}-model.params")
            files.write_atomically(f"{start}-model.json", [text.encode()])

    def load(self, prefix: str | os.PathLike[str]) -> None:
        """Reads what `save` wrote into a network that is built in the same way.

        Blocks, children and parameters take the names that they had. A block that was saved with a
        graph runs that graph, as after `hybridize()`.

        Args:
            prefix: What the names of the files start with.

        Raises:
            FileFormatError: if a file is damaged.
            UnknownNameError: if the files belong to another network, which is then unchanged.
        """
        start = os.fspath(prefix)
        paths = f"{start}-model.json", f"{start}-model.params"
        files.load_together(paths, lambda: self._mx_load_model(*paths))

    def _mx_load_model(self, path: str, params_path: str) -> None:
        entries = list(_match(self, _read(path), itertools.count(), path))
        renamed = _new_names(entries, path)
        graphs = [
            (block, _read_graph(entry, path)) for block, entry in entries if _is_graph(block, entry)
        ]
        for block, graph in graphs:
            _check_names(block, graph, renamed, path)
        with _children_named(entries, path):
            self.load_parameters(params_path)
        _rename(entries, renamed)
        for block, graph in graphs:
            block._mx_adopt_graph(graph.in_structure, graph)


def _read(path: str) -> Any:
    text = files.read_saved(path, limits.get("symbol_bytes") + 1)
    limits.check("symbol_bytes", len(text), f"load: {path!r}")
    check_containers("graph_nodes", text, f"load: {path!r}")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"load: {path!r} is not a model file: {error}") from error


def _is_graph(block: ModelTree, entry: Mapping[str, Any]) -> bool:
    return block._mx_may_have_graph and bool(entry.get("hybridized"))


def _check_names(
    block: ModelTree, graph: SavedGraph, renamed: Mapping[str, str], path: str
) -> None:
    """Checks that all variables of a graph are inputs or parameters of the network."""
    known = {renamed.get(p.name, p.name) for p in block.collect_params().values()}
    unknown = {*graph.graph.list_inputs()} - known - {*graph.input_names}
    if unknown:
        raise UnknownNameError(
            f"load: the graph of {block._name} in {path!r} reads {', '.join(sorted(unknown))}, "
            "which the network does not have"
        )


def _key(block: ModelTree, numbers: Iterator[int]) -> str:
    return f"{type(block).__name__.lower()}{next(numbers)}"


def _describe(block: ModelTree, numbers: Iterator[int], inside: bool) -> dict[str, Any]:
    """Returns the entry of a block by its key.

    Args:
        block: The block.
        numbers: Counts blocks.
        inside: Whether the block is part of the graph of another one.
    """
    key = _key(block, numbers)
    entry: dict[str, Any] = {"orig_name": block._name}
    if block._mx_may_have_graph:
        current = None if inside else block._mx_current_graph()
        written = {} if current is None else _write_graph(*current)
        entry |= written
        entry["hybridized"] = bool(written)
        inside = inside or bool(written)
    entry["children"] = {child._name: name for name, child in block._children.items()}
    for child in block._children.values():
        entry |= _describe(child, numbers, inside)
    return {key: entry}


def _write_graph(structure: Any, trace: Trace) -> dict[str, Any]:
    """Returns the entry of a graph, empty if the graph depends on arguments other than arrays."""
    leaves = [*leaves_of(structure), *leaves_of(trace.structure)]
    if trace.held or any(leaf is not Leaf.ARRAY for leaf in leaves):
        return {}
    return {
        "in_format": _write_structure(structure),
        "out_format": _write_structure(trace.structure),
        "inputs": [symbol.var(name).tojson() for name in trace.input_names],
        "symbol": trace.graph.tojson(),
    }


def _write_structure(structure: Any) -> Any:
    if isinstance(structure, (list, tuple)):
        return [_write_structure(item) for item in structure]
    return _NOTHING if structure is None else 0


def _match(
    block: ModelTree, entries: Any, numbers: Iterator[int], path: str
) -> Iterator[tuple[ModelTree, Mapping[str, Any]]]:
    """Yields every block with its entry in the file."""
    key = _key(block, numbers)
    if not isinstance(entries, dict) or key not in entries:
        raise UnknownNameError(
            f"load: {path!r} has no {key} for the block {block._name}; it is of another network"
        )
    entry = entries[key]
    if not isinstance(entry, dict) or not isinstance(entry.get("orig_name"), str):
        raise FileFormatError(f"load: {path!r} gives no orig_name for {key}")
    yield block, entry
    for child in block._children.values():
        yield from _match(child, entry, numbers, path)


def _read_graph(entry: Mapping[str, Any], path: str) -> SavedGraph:
    text, inputs = entry.get("symbol"), entry.get("inputs")
    texts = [text, *inputs] if isinstance(inputs, list) else []
    if not texts or not all(isinstance(item, str) for item in texts):
        raise FileFormatError(f"load: {path!r} has no graph for {shown(entry['orig_name'])}")
    try:
        graph, *variables = map(symbol.load_json, texts)
        for key, count in (("in_format", len(variables)), ("out_format", len(graph))):
            if _count_arrays(entry.get(key)) > count:
                raise FileFormatError(f"{key} does not fit {count} arrays")
        in_structure = _read_structure(entry.get("in_format"))
        out_structure = _read_structure(entry.get("out_format"))
    except (MXNetError, RecursionError) as error:
        message = f"load: {path!r} has a damaged graph for {shown(entry['orig_name'])}: {error}"
        raise FileFormatError(message) from error
    names = [str(item.name) for item in variables]
    counts = len(list(leaves_of(in_structure))), len(list(leaves_of(out_structure)))
    if not isinstance(in_structure, list) or counts != (len(names), len(graph)):
        raise FileFormatError(
            f"load: {path!r} has formats for {shown(entry['orig_name'])} that do not fit its graph"
        )
    return SavedGraph(graph, names, in_structure, out_structure)


def _count_arrays(written: Any) -> int:
    """Counts the arrays of a format, to check it before anything of that size is allocated."""
    if isinstance(written, list):
        return sum(map(_count_arrays, written))
    return max(written, 0) if isinstance(written, int) else 0


def _read_structure(written: Any) -> Any:
    if isinstance(written, list):
        return [_read_structure(item) for item in written]
    if written == _NOTHING:
        return None
    if not isinstance(written, int) or written < 0:
        raise FileFormatError(f"a format is a number or a list, got {shown(written)}")
    return [Leaf.ARRAY] * written if written > 1 else Leaf.ARRAY


def _new_names(entries: Sequence[tuple[ModelTree, Mapping[str, Any]]], path: str) -> dict[str, str]:
    """Returns the names that parameters have in the file, by their names here."""
    renamed: dict[str, str] = {}
    for block, entry in entries:
        before, after = _as_prefix(block._name), _as_prefix(entry["orig_name"])
        for parameter in block.params.values():
            if parameter.name.startswith(before):
                renamed.setdefault(parameter.name, after + parameter.name.removeprefix(before))
    if len({*renamed.values()}) < len(renamed):
        raise MXNetError(
            f"load: by {path!r} two parameters would have one name; it is of another network"
        )
    return renamed


@contextmanager
def _children_named(
    entries: Sequence[tuple[ModelTree, Mapping[str, Any]]], path: str
) -> Iterator[None]:
    """Names children as their parameters are named in the file.

    They have their old names again if the `with` block fails.
    """
    saved = {id(block): entry["orig_name"] for block, entry in entries}
    before = []
    for block, entry in entries:
        names = entry.get("children")
        if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
            raise FileFormatError(f"load: {path!r} gives no names of children of {block._name}")
        old = OrderedDict(block._children)
        new = OrderedDict((names.get(saved[id(child)], name), child) for name, child in old.items())
        if len(new) == len(old):  # else one child has several names, which the file does not tell
            before.append((block._children, old, new))
    try:
        for children, _, new in before:
            _set_items(children, new)
        yield
    except BaseException:
        for children, old, _ in before:
            _set_items(children, old)
        raise


def _set_items(mapping: MutableMapping[str, Any], items: Mapping[str, Any]) -> None:
    mapping.clear()
    mapping.update(items)


def _as_prefix(name: str) -> str:
    return f"{name}_" if name else ""


def _rename(
    entries: Sequence[tuple[ModelTree, Mapping[str, Any]]], renamed: Mapping[str, str]
) -> None:
    """Restores the names that blocks and parameters had when they were saved."""
    parameters = {id(p): p for block, _ in entries for p in block.params.values()}
    for parameter in parameters.values():
        parameter.name = renamed.get(parameter.name, parameter.name)
        parameter._var = None
    for block, entry in entries:
        block._name = entry["orig_name"]
        own = block.params
        own._params = OrderedDict((item.name, item) for item in own.values())
