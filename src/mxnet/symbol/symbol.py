"""Symbols: outputs of a graph, which is built before there is any data."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch

from mxnet import limits
from mxnet._formats import element_types, files
from mxnet._legacy.clients import arrange_attributes
from mxnet._start import did_you_mean, level_of_program, public_call, public_methods
from mxnet._state import modes
from mxnet.error import NotImplementedForSymbol
from mxnet.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    AttributeValueError,
    FileAccessError,
    IndexOutOfBoundsError,
    MXNetError,
    RemovedFunctionError,
    UnsupportedTypeError,
)
from mxnet.graph.infer import check_types, infer_shapes, infer_types
from mxnet.graph.ir import HIDDEN_KEYS, Entry, Graph, Node, hide, hide_keys, rewrite
from mxnet.graph.json import read_json, write_json
from mxnet.graph.run import Options
from mxnet.ops.core.attrs import CLASSIC_SHAPES, NUMPY_SHAPES, ShapeRules, shape_is_known
from mxnet.symbol._binding import Bindable

if TYPE_CHECKING:
    from typing_extensions import Self


_Shapes = list[Any]
_Types = list[Any]

_NO_OPTIONS = Options()
"""How most graphs are run; only `optimize_for` chooses others."""


class NotOnSymbolError(NotImplementedForSymbol, NotImplementedError, TypeError):
    """Something needs data, which a symbol does not have.

    Args:
        function: Name of the method that was called.
        message: What a program can do instead.
    """

    def __init__(self, function: str, message: str) -> None:
        MXNetError.__init__(self, function, message)
        self.function, self.alias = function, None

    def __str__(self) -> str:
        return str(self.args[-1])


@public_methods(
    "tojson",
    "save",
    "list_attr",
    "infer_type_partial",
    "infer_shape_partial",
    "attr",
    "__getitem__",
    "__call__",
    "__bool__",
)
class Symbol(Bindable):
    """One or several outputs of a graph of operators.

    Example:
        >>> import mxnet as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
        >>> net.list_arguments()
        ['data', 'fc_weight', 'fc_bias']
        >>> net.infer_shape(data=(2, 5))[1]
        [(2, 3)]
    """

    __slots__ = ("__weakref__", "_graph", "_options")
    __array_priority__ = 1000.0
    _is_np: ClassVar[bool] = False
    _to_dialect: ClassVar[str] = "as_nd_ndarray"
    """What to call on a symbol of another dialect to get one of this."""

    def __init__(self, heads: Iterable[Entry]) -> None:
        self._graph, self._options = Graph(heads), _NO_OPTIONS

    @classmethod
    def _of_graph(cls, graph: Graph, options: Options = _NO_OPTIONS) -> Self:
        """Returns the symbol of all outputs of a graph, with how executors are to run it."""
        symbol = cls.__new__(cls)
        symbol._graph, symbol._options = graph, options
        return symbol

    @property
    def handle(self) -> int:
        """Identity of the graph; there is no C handle behind it."""
        return id(self._graph)

    @property
    def _shape_rules(self) -> ShapeRules:
        return NUMPY_SHAPES if modes.np_shape else CLASSIC_SHAPES

    @property
    def _heads(self) -> tuple[Entry, ...]:
        return self._graph.heads

    @classmethod
    def _of_node(cls, node: Node) -> Self:
        """Returns all outputs of a node that a caller sees."""
        return cls([Entry(node, index) for index in range(node.num_outputs)])

    @property
    def name(self) -> str | None:
        """Name of the node behind the symbol, None for a group of several."""
        nodes = {head.node for head in self._heads}
        return self._heads[0].node.name if len(nodes) == 1 else None

    def __repr__(self) -> str:
        if self.name is None:
            return f"<Symbol group [{', '.join(head.node.name for head in self._heads)}]>"
        return f"<Symbol {self.name}>"

    def _repr_html_(self) -> str:
        """Returns what notebooks show: a table of the operators, each after what it reads."""
        from mxnet._formats import html_tables  # noqa: PLC0415 - notebooks only

        nodes = [node for node in self._graph.nodes if node.op is not None]
        rows = [
            (
                node.name,
                node.op.name if node.op else "",
                ", ".join(entry.node.name for entry in node.inputs),
                ", ".join(f"{key}={value}" for key, value in node.attrs.items()),
            )
            for node in nodes
        ]
        notes = [f"outputs: {', '.join(self.list_outputs())}"]
        notes.append(f"arguments: {', '.join(self.list_arguments()) or 'none'}")
        if states := self.list_auxiliary_states():
            notes.append(f"auxiliary states: {', '.join(states)}")
        title = f"{repr(self)[1:-1]}, {html_tables.count_to_text(len(nodes), 'operator')}"
        return html_tables.table_to_html(
            title, ("node", "operator", "inputs", "attributes"), rows, notes
        )

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise NotOnSymbolError(
            "__bool__",
            "Symbol has no truth value before it is computed; F.where or a mask stands for `if`",
        )

    def __len__(self) -> int:
        return len(self._graph.heads)

    def __iter__(self) -> Iterator[Symbol]:
        return (type(self)([head]) for head in self._heads)

    def __getitem__(self, index: int | str | slice) -> Symbol:
        """Picks outputs by number, by name or by a slice."""
        if isinstance(index, slice):
            if not self._heads[index]:
                raise UnsupportedTypeError(f"Symbol: {index} picks no output")
            return type(self)(self._heads[index])
        if isinstance(index, str):
            matches = [i for i, name in enumerate(self.list_outputs()) if name == index]
            if len(matches) != 1:
                count = "no" if not matches else "more than one"
                raise ArgumentValueError(
                    f"Symbol: {count} output is called {index!r}; there are "
                    f"{', '.join(self.list_outputs())}"
                )
            index = matches[0]
        if not isinstance(index, int):
            raise UnsupportedTypeError(f"Symbol: an index is an int or a name, got {index!r}")
        if not -len(self._heads) <= index < len(self._heads):
            raise IndexOutOfBoundsError(
                f"Symbol: index {index} is out of range, there are {len(self._heads)} outputs"
            )
        return type(self)([self._heads[index]])

    def __copy__(self) -> Symbol:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Symbol:
        del memo
        return type(self)._of_graph(_substitute(self._graph, {}, copy_variables=True))

    def __reduce__(self) -> tuple[Any, ...]:
        return load_json, (self.tojson(remove_amp_cast=False),)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Symbol:
        """Puts other symbols in the place of variables.

        Args:
            *args: Symbols in the order of `list_arguments`.
            **kwargs: Symbols by the name of the variable; `name` is the name of the result.
        """
        name = kwargs.pop("name", None)
        if args and kwargs:
            raise UnsupportedTypeError("compose: symbols are given by position or by name")
        if not all(isinstance(item, Symbol) for item in (*args, *kwargs.values())):
            raise UnsupportedTypeError("compose: takes symbols")
        if not all(len(item) == 1 for item in (*args, *kwargs.values())):
            raise MXNetError("compose: every argument must have one output")
        names = self.list_arguments()
        if len(args) > len(names):
            raise MXNetError(f"compose: takes at most {len(names)} arguments, got {len(args)}")
        composed = self._compose(dict(zip(names, args, strict=False)) | kwargs)
        if name is not None and composed.name is not None:
            composed._heads[0].node.name = name
        return composed

    def _compose(self, given: Mapping[str, Symbol]) -> Symbol:
        """Puts symbols in the place of variables, whatever the names of these are."""
        known = self.list_inputs()
        for key in {*given}.difference(known):
            raise MXNetError(
                f"compose: there is no argument {key!r}"
                f"{did_you_mean(key, known)}; known are {known}"
            )
        entries = {key: item._heads[0] for key, item in given.items()}
        return type(self)._of_graph(_substitute(self._graph, entries))

    def get_internals(self) -> Symbol:
        """Groups the outputs of all nodes of the graph.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.exp(mx.sym.sin(mx.sym.var("x"), name="a"), name="b")
            >>> net.get_internals()["a_output"]
            <Symbol a>
        """
        return type(self)(
            [entry for node in self._graph.nodes for entry in Symbol._of_node(node)._heads]
        )

    def get_children(self) -> Symbol | None:
        """Groups what the nodes of the symbol read; None for variables."""
        nodes = dict.fromkeys(head.node for head in self._heads)
        entries = [entry for node in nodes for entry in node.inputs]
        return type(self)(entries) if entries else None

    def get_inputs(self) -> Symbol:
        """Groups the variables, auxiliary states among them.

        Example:
            >>> import mxnet as mx
            >>> (mx.sym.var("a") * mx.sym.var("b")).get_inputs()
            <Symbol group [a, b]>
        """
        return type(self)([Entry(node) for node in self._graph.inputs])

    def has_dynamic_shape_op(self) -> bool:
        """Returns whether a shape in the graph depends on elements, as that of a mask does.

        Example:
            >>> import mxnet as mx
            >>> rows, mask = mx.sym.var("rows"), mx.sym.var("mask")
            >>> mx.sym.contrib.boolean_mask(rows, mask).has_dynamic_shape_op()
            True
        """
        return any(node.op and node.op.traits.shapes.of_values for node in self._graph.nodes)

    def list_inputs(self) -> list[str]:
        """Lists the names of all variables."""
        return self._graph.input_names

    def list_arguments(self) -> list[str]:
        """Lists the names of the variables that are not auxiliary states.

        Example:
            >>> import mxnet as mx
            >>> mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc").list_arguments()
            ['data', 'fc_weight', 'fc_bias']
        """
        return self._graph.argument_names

    def list_auxiliary_states(self) -> list[str]:
        """Lists the names of the variables that operators update, such as moving averages."""
        return self._graph.state_names

    def list_outputs(self) -> list[str]:
        """Lists the names of the outputs.

        Example:
            >>> import mxnet as mx
            >>> mx.sym.split(mx.sym.var("x"), num_outputs=2, name="parts").list_outputs()
            ['parts_output0', 'parts_output1']
        """
        return self._graph.output_names

    def attr(self, key: str) -> str | None:
        """Returns an attribute of the node behind the symbol, None if there is none."""
        attrs = self._heads[0].node.attrs
        return attrs.get(key, attrs.get(hide(key)))

    def list_attr(self, recursive: bool = False) -> dict[str, str]:
        """Returns all attributes of the node behind the symbol."""
        if recursive:
            raise RemovedFunctionError("list_attr: for the attributes of all nodes use attr_dict()")
        return list_attrs(self._heads[0].node.attrs)

    def attr_dict(self) -> dict[str, dict[str, str]]:
        """Returns the attributes of all nodes that have any, by name."""
        return {node.name: list_attrs(node.attrs) for node in self._graph.nodes if node.attrs}

    def _set_attr(self, **kwargs: str) -> None:
        """Sets attributes of the node behind the symbol; `name` is its name."""
        for key, value in kwargs.items():
            if not isinstance(value, str):
                raise AttributeValueError(f"set_attr: {key} takes a string, got {value!r}")
        node, name = self._heads[0].node, kwargs.pop("name", None)
        node.set_attrs(hide_keys(kwargs))
        node.name = node.name if name is None else name

    @public_call
    def infer_type(self, /, *args: Any, **kwargs: Any) -> tuple[Any, Any, Any]:
        """Finds out element types from those of some arguments.

        Args:
            *args: Types in the order of `list_arguments`, None for unknown ones.
            **kwargs: Types by name of the argument.

        Returns:
            Types of arguments, outputs and auxiliary states; None three times if one is unknown.
        """
        types = self._infer_type("infer_type", args, kwargs)
        if any(dtype is None for group in types for dtype in group):
            self._warn_of_unknown("infer_type", types[0], lambda dtype: dtype is not None)
            return None, None, None
        return types

    def infer_type_partial(self, /, *args: Any, **kwargs: Any) -> tuple[_Types, _Types, _Types]:
        """Finds out element types as far as possible; None is unknown."""
        return self._infer_type("infer_type_partial", args, kwargs)

    def _infer_type(
        self, where: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[_Types, _Types, _Types]:
        given = self._by_name(where, args, kwargs)
        nodes = self._graph.nodes
        types = infer_types(
            nodes, {name: element_types.to_torch(dtype) for name, dtype in given.items()}
        )
        check_types(nodes, types)
        arguments, states = self._graph.variables
        groups = ([Entry(node) for node in arguments], self._heads, [Entry(n) for n in states])
        arg, out, aux = ([_numpy_type(types.get(entry)) for entry in group] for group in groups)
        return arg, out, aux

    @public_call
    def infer_shape(self, /, *args: Any, **kwargs: Any) -> tuple[Any, Any, Any]:
        """Finds out all shapes from those of some arguments.

        Args:
            *args: Shapes in the order of `list_arguments`, None for unknown ones.
            **kwargs: Shapes by name of the argument.

        Returns:
            Shapes of arguments, outputs and auxiliary states; None three times if one is unknown.

        Example:
            >>> import mxnet as mx
            >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
            >>> net.infer_shape(data=(4, 3))  # of arguments, outputs, auxiliary states
            ([(4, 3), (2, 3), (2,)], [(4, 2)], [])
        """
        shapes = self._infer_shape("infer_shape", args, kwargs)

        def is_known(shape: Any) -> bool:
            return shape_is_known(self._shape_rules.read(shape))

        if not all(is_known(shape) for group in shapes for shape in group):
            self._warn_of_unknown("infer_shape", shapes[0], is_known)
            return None, None, None
        return shapes

    def infer_shape_partial(self, /, *args: Any, **kwargs: Any) -> tuple[_Shapes, _Shapes, _Shapes]:
        """Finds out shapes as far as possible; `()` and lengths of 0 are unknown."""
        return self._infer_shape("infer_shape_partial", args, kwargs)

    def _infer_shape(
        self, where: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[_Shapes, _Shapes, _Shapes]:
        given = {}
        for name, shape in self._by_name(where, args, kwargs).items():
            if not isinstance(shape, (tuple, list)) or not all(map(_is_index, shape)):
                raise UnsupportedTypeError(f"{where}: {name} takes a tuple of ints, got {shape!r}")
            given[name] = tuple(int(length) for length in shape)
        nodes = self._graph.nodes
        shapes = infer_shapes(nodes, given, infer_types(nodes, {}), self._shape_rules)
        arguments, states = self._graph.variables
        groups = ([Entry(node) for node in arguments], self._heads, [Entry(n) for n in states])
        arg, out, aux = (
            [self._shape_rules.write(shapes.get(entry)) for entry in group] for group in groups
        )
        return arg, out, aux

    def _warn_of_unknown(
        self, where: str, inferred: Sequence[Any], is_known: Callable[[Any], bool]
    ) -> None:
        """Warns of the arguments for which more must be given; they may be none of them."""
        names = zip(self.list_arguments(), inferred, strict=True)
        unknown = [f"{name} {value}" for name, value in names if not is_known(value)]
        warnings.warn(
            f"{where}: gives None, because not all can be told from what is given; "
            f"unknown arguments: {', '.join(unknown) or 'none'}",
            stacklevel=level_of_program(),
        )

    def _by_name(
        self, where: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> dict[str, Any]:
        if args and kwargs:
            raise AttributeValueError(f"{where}: arguments are given by position or by name")
        names = self.list_arguments()
        if len(args) > len(names):
            raise ArgumentTypeError(f"{where}: takes at most {len(names)} arguments")
        known = self.list_inputs()
        for name in {*kwargs}.difference(known):
            raise MXNetError(
                f"{where}: there is no argument {name!r}"
                f"{did_you_mean(name, known)}; known are {known}"
            )
        given = dict(zip(names, args, strict=False)) | dict(kwargs)
        return {name: value for name, value in given.items() if value is not None}

    def tojson(self, remove_amp_cast: bool = True) -> str:
        """Writes the graph as the text of a symbol file.

        Args:
            remove_amp_cast: Whether to leave out casts that automatic mixed precision put in.
        """
        graph = _without_casts(self._graph) if remove_amp_cast else self._graph
        return write_json(graph, np_shape=modes.np_shape)

    def save(self, fname: str | os.PathLike[str], remove_amp_cast: bool = True) -> None:
        """Writes the graph to a file; see `tojson`."""
        try:
            files.write_atomically(fname, [self.tojson(remove_amp_cast).encode()])
        except UnicodeEncodeError as error:
            raise AttributeValueError(
                f"save: {os.fspath(fname)!r}: a name or an attribute is not UTF-8: {error.reason}"
            ) from error
        except OSError as error:
            raise FileAccessError(error.errno, f"save: {error.strerror}", str(fname)) from error

    def debug_str(self) -> str:
        """Describes the outputs and the nodes of the graph."""
        return describe(self._graph)

    def as_np_ndarray(self) -> Symbol:
        """Returns the symbol in the NumPy dialect."""
        cls: type[Symbol] = import_module("mxnet.symbol.numpy")._Symbol
        return cls._of_graph(self._graph, self._options)

    def as_nd_ndarray(self) -> Symbol:
        """Returns the symbol itself, which belongs to the classic dialect."""
        return self


def _numpy_type(dtype: torch.dtype | None) -> Any:
    return None if dtype is None else element_types.BY_TORCH[dtype].numpy.type


def is_operand(value: Any, cls: type[Symbol]) -> bool:
    """Returns whether functions for a class of symbols take a value: a symbol of its dialect."""
    return isinstance(value, Symbol) and value._to_dialect == cls._to_dialect


def remedy_for(value: Any, cls: type[Symbol]) -> str:
    """Returns the end of a message about a value which is not an operand: what to call."""
    if not isinstance(value, Symbol) or is_operand(value, cls):
        return ""
    return f"; call {cls._to_dialect}() on it, because symbols of mx.sym and mx.sym.np do not mix"


def _is_index(value: Any) -> bool:
    return isinstance(value, (int, np.integer))


def _without_casts(graph: Graph) -> Graph:
    """Takes the casts of mixed precision out of a graph."""
    operators = (node.op for node in graph.nodes)
    if not any(op is not None and op.traits.types.casts_precision for op in operators):
        return graph
    return _substitute(graph, {}, skip_casts=True)


def load_json(json_str: str) -> Symbol:
    """Reads a symbol from the text of a symbol file of any generation.

    Example:
        >>> import mxnet as mx
        >>> y = mx.sym.exp(mx.sym.var("x"), name="y")
        >>> print(mx.sym.load_json(y.tojson()).list_arguments())
        ['x']
    """
    if not isinstance(json_str, str):
        raise UnsupportedTypeError(f"load_json: takes a string, got {type(json_str).__name__}")
    return Symbol._of_graph(read_json(json_str))


fromjson = load_json


def load(fname: str | os.PathLike[str]) -> Symbol:
    """Reads a symbol file of any generation.

    Raises:
        FileAccessError: if the file cannot be read.
        FileFormatError: if it is not a symbol file.

    Example:
        >>> import mxnet as mx
        >>> import os, tempfile
        >>> y = mx.sym.exp(mx.sym.var("x"), name="y")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "y-symbol.json")
        ...     y.save(path)
        ...     print(mx.sym.load(path).list_outputs())
        ...
        ['y_output']
    """
    if not isinstance(fname, (str, os.PathLike)):
        raise UnsupportedTypeError(f"load: takes a path, got {type(fname).__name__}")
    path = os.fspath(fname)
    try:
        text = files.read_saved(path, limits.get("symbol_bytes") + 1)
    except OSError as error:
        raise FileAccessError(error.errno, f"load: {error.strerror}", path) from error
    return Symbol._of_graph(read_json(text, f"load: {path!r}"))


_PLAIN = {hide(key): key for key in HIDDEN_KEYS}


def list_attrs(attrs: Mapping[str, str]) -> dict[str, str]:
    """Returns attributes in the order of the original, hidden ones under their plain names too.

    Args:
        attrs: Attributes in the order in which they were set.
    """
    listed = {}
    for key in arrange_attributes(tuple(attrs)):
        listed[key] = attrs[key]
        if key in _PLAIN:
            listed[_PLAIN[key]] = attrs[key]
    return listed


def describe(graph: Graph) -> str:
    """Describes outputs and nodes of a graph, with what each node reads and its attributes."""
    heads = graph.heads
    if len(heads) == 1 and heads[0].node.op is None:
        return f"Variable:{heads[0].node.name}\n"
    lines = ["Symbol Outputs:"]
    lines += [
        f"\toutput[{number}]={head.node.name}({head.output})" for number, head in enumerate(heads)
    ]
    versions: dict[Node, int] = {}
    for node in graph.nodes:
        lines += _describe_node(node, versions)
    return "\n".join([*lines, ""])


def _describe_node(node: Node, versions: dict[Node, int]) -> list[str]:
    if node.op is None:
        return [f"Variable:{node.name}"]
    lines = ["-" * 20, f"Op:{node.op.name}, Name={node.name}", "Inputs:"]
    for position, entry in enumerate(node.inputs):
        text = f"\targ[{position}]={entry.node.name}({entry.output})"
        if entry.node.op is None:
            # How often states have been updated before this node reads them.
            versions[entry.node] = versions.get(entry.node, 0) + node.updates(position)
            text += f" version={versions[entry.node]}"
        lines.append(text)
    if node.attrs:
        lines += ["Attrs:", *(f"\t{key}={value}" for key, value in sorted(node.attrs.items()))]
    return lines


def _substitute(
    graph: Graph,
    given: Mapping[str, Entry],
    *,
    skip_casts: bool = False,
    copy_variables: bool = False,
) -> Graph:
    """Copies a graph with other outputs in the place of some variables.

    Args:
        graph: The graph.
        given: What replaces variables, by name.
        skip_casts: Whether to leave out the casts of mixed precision, except as outputs of the
            graph; each output stands for the input at the same place.
        copy_variables: Whether variables are copied too; shared ones stay one parameter.
    """

    def copy(node: Node, inputs: list[Entry]) -> Node | list[Entry]:
        if node.op is not None:
            read = [_before_casts(entry) for entry in inputs] if skip_casts else inputs
            return Node(node.op, node.name, node.attrs, read)
        if node.name in given:
            return [given[node.name]]
        return Node(None, node.name, node.attrs) if copy_variables else node

    return rewrite(graph, copy)


def _before_casts(entry: Entry) -> Entry:
    """Returns what the casts of mixed precision have made an entry of."""
    while entry.node.op is not None and entry.node.op.traits.types.casts_precision:
        entry = entry.node.inputs[entry.output]
    return entry
