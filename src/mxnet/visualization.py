"""Networks as a table and as a picture: `mx.viz`."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from mxnet._formats import element_types
from mxnet._start import did_you_mean, level_of_program, tracebacks
from mxnet.errors import ArgumentValueError, MissingLibraryError, MXNetError, UnsupportedTypeError
from mxnet.graph.infer import infer_shapes, infer_types
from mxnet.graph.ir import Entry, Node, NodeList
from mxnet.ops.core.attrs import shape_is_known
from mxnet.symbol import Symbol

try:
    import graphviz  # type: ignore[import-untyped]
except ImportError:
    graphviz = None

Shapes: TypeAlias = Mapping[Entry, tuple[int, ...]]


def _check_symbol(symbol: Any, where: str) -> NodeList:
    if not isinstance(symbol, Symbol):
        raise UnsupportedTypeError(f"{where}: takes a Symbol, got {type(symbol).__name__}")
    return symbol._graph.nodes


def _infer(symbol: Symbol, shape: Mapping[str, Sequence[int]], where: str) -> Shapes:
    """Finds out all shapes, or says that they cannot be found."""
    nodes = symbol._graph.nodes
    known = symbol.list_inputs()
    if not isinstance(shape, Mapping):
        raise UnsupportedTypeError(f"{where}: shape takes a dict of shapes by name, got {shape!r}")
    for name in shape:
        if name not in known:
            raise MXNetError(
                f"{where}: there is no argument {name!r}"
                f"{did_you_mean(name, known)}; known are {known}"
            )
    given = {name: tuple(lengths) for name, lengths in shape.items()}
    shapes = infer_shapes(nodes, given, infer_types(nodes, {}))
    for node in nodes:
        for index in range(node.num_outputs):
            if not shape_is_known(shapes.get(Entry(node, index))):
                raise ArgumentValueError(
                    f"{where}: the given shapes do not tell that of {node.output_name(index)}"
                )
    return shapes


def print_summary(
    symbol: Symbol,
    shape: Mapping[str, Sequence[int]] | None = None,
    line_length: int = 120,
    positions: Sequence[float] = (0.44, 0.64, 0.74, 1.0),
) -> None:
    """Prints a table of the layers of a network.

    Args:
        symbol: The network.
        shape: Shapes of arguments by name; without them outputs have no shape and parameters are
            not counted in full.
        line_length: Length of a line.
        positions: Where the four columns end, as parts of a line or as numbers of characters.

    Example:
        >>> import mxnet as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=10, name="fc")
        >>> mx.viz.print_summary(net, {"data": (1, 784)}, 60)  # doctest: +NORMALIZE_WHITESPACE
        ____________________________________________________________
        Layer (type)              Output ShapeParam Previous Layer
        ============================================================
        data(null)                784         0
        ____________________________________________________________
        fc(FullyConnected)        10          7850  data
        ============================================================
        Total params: 7850
        ____________________________________________________________
    """
    nodes = _check_symbol(symbol, "print_summary")
    table = _Table(nodes, None if shape is None else _infer(symbol, shape, "print_summary"))
    ends = [int(line_length * end) if positions[-1] <= 1 else int(end) for end in positions]
    lines = ["_" * line_length, _row(_HEADINGS, ends), "=" * line_length]
    total = 0
    for position, node in enumerate(nodes):
        if node.op is None and position > 0:
            continue
        count, rows = table.describe(node)
        total += count
        lines += [_row(row, ends) for row in rows]
        lines.append(("=" if node is nodes[-1] else "_") * line_length)
    lines += [f"Total params: {total}", "_" * line_length]
    print("\n".join(lines))  # noqa: T201 - printing is what it is for


_HEADINGS = ("Layer (type)", "Output Shape", "Param #", "Previous Layer")


def _row(fields: Sequence[object], ends: Sequence[int]) -> str:
    line = ""
    for field, end in zip(fields, ends, strict=False):
        line = f"{line}{field}"[:end].ljust(end)
    return line


class _Table:
    """Rows of a summary. The first variable counts as data, all others as parameters."""

    def __init__(self, nodes: Sequence[Node], shapes: Shapes | None) -> None:
        self._data = nodes[0]
        self._shapes = shapes

    def _shape(self, node: Node) -> tuple[int, ...]:
        """Returns the shape of a node's only output; none has one of several outputs."""
        if self._shapes is None or (node.op is not None and not _has_one_output(node)):
            return ()
        return self._shapes[Entry(node)]

    def describe(self, node: Node) -> tuple[int, list[tuple[object, ...]]]:
        """Returns the number of parameters of a node, and its rows."""
        before = [
            entry.node
            for entry in node.inputs
            if entry.node.op is not None or entry.node is self._data
        ]
        channels = sum(self._shape(source)[1] for source in before if len(self._shape(source)) > 1)
        count = self._count(node, channels)
        names = [source.name for source in before] or [""]
        operator = "null" if node.op is None else node.op.name
        lengths = "x".join(map(str, self._shape(node)[1:]))
        rows: list[tuple[object, ...]] = [(f"{node.name}({operator})", lengths, count, names[0])]
        return count, rows + [("", "", "", name) for name in names[1:]]

    def _count(self, node: Node, channels: int) -> int:
        """Counts parameters by the rules of the original, which has some for few operators."""
        if node.op is None or node.op.traits.drawing.count is None:
            return 0
        shape = None if self._shapes is None else self._shapes[Entry(node)]
        return node.op.traits.drawing.count(node.settings, channels, shape)


def _has_one_output(node: Node) -> bool:
    return node.output_name(0) == f"{node.name}_output"


_VARIABLE = "#8dd3c7"
_LOOK = {"shape": "box", "fixedsize": "true", "width": "1.3", "height": "0.8034", "style": "filled"}
_ENDS = "_weight _bias _beta _gamma _moving_var _moving_mean _running_var _running_mean"
_WEIGHTS = tuple(_ENDS.split())
"""How names of variables end that are parameters, not data."""


def plot_network(
    symbol: Symbol,
    title: str = "plot",
    save_format: str = "pdf",
    shape: Mapping[str, Sequence[int]] | None = None,
    dtype: Mapping[str, Any] | None = None,
    node_attrs: Mapping[str, str] | None = None,
    hide_weights: bool = True,
) -> Any:
    """Draws a network as a graph from its data, below, to its outputs, on top.

    The result is a `graphviz.Digraph`; its `render()` writes a file and needs the program `dot`.

    Args:
        symbol: The network.
        title: Name of the graph and of its file.
        save_format: Format of the file.
        shape: Shapes of arguments by name; edges show the shapes of what goes along them then.
        dtype: Element types of arguments by name; edges show the types then.
        node_attrs: Attributes of the nodes for graphviz: `{"fixedsize": "false"}` and others.
        hide_weights: Whether variables that are parameters are left out.

    Raises:
        MissingLibraryError: if the Python package graphviz is not installed.
    """
    if graphviz is None:
        raise MissingLibraryError(
            "plot_network: needs graphviz; install glueball[plot] or graphviz"
        )
    nodes = _check_symbol(symbol, "plot_network")
    _warn_of_repeated(nodes)
    labels = _EdgeLabels(
        None if shape is None else _infer(symbol, shape, "plot_network"),
        None if dtype is None else infer_types(nodes, _read_types(dtype)),
    )
    graph = graphviz.Digraph(name=title, format=save_format)
    look = _LOOK | dict(node_attrs or {})
    for node in nodes:
        if node.op is None:
            if not _is_weight(node):
                oval = look | {"shape": "oval", "fillcolor": _VARIABLE}
                graph.node(name=_quote(node.name), label=_quote(node.name), **oval)
            continue
        colored = look | {"fillcolor": node.op.traits.drawing.color}
        graph.node(name=_quote(node.name), label=_label(node), **colored)
    for node in nodes:
        for entry in node.inputs:
            if not (hide_weights and _is_weight(entry.node)):
                graph.edge(
                    tail_name=_quote(node.name),
                    head_name=_quote(entry.node.name),
                    label=labels.of(entry),
                    dir="back",
                    arrowtail="open",
                )
    return graph


def _read_types(dtype: Any) -> dict[str, Any]:
    if not isinstance(dtype, Mapping):
        raise UnsupportedTypeError(f"plot_network: dtype takes a dict, got {dtype!r}")
    return {name: element_types.to_torch(value) for name, value in dtype.items()}


def _warn_of_repeated(nodes: Sequence[Node]) -> None:
    repeated = [name for name, count in Counter(node.name for node in nodes).items() if count > 1]
    if repeated:
        warnings.warn(
            # Programs find the warning by these words.
            "There are multiple variables with the same name in your graph: plot_network makes one "
            f"node of each of {', '.join(repeated)}, and the picture may have cycles",
            RuntimeWarning,
            stacklevel=level_of_program(),
        )


def _is_weight(node: Node) -> bool:
    return node.op is None and node.name.endswith(_WEIGHTS)


def _quote(name: str) -> str:
    """Returns a name that graphviz takes as it is, not as HTML and with all its backslashes."""
    plain = name.replace("\\", "\\\\")
    # As `graphviz.escape` does, which versions of MXNet's time, such as 0.8, do not have.
    without_html = getattr(graphviz, "nohtml", str)
    quoted: str = without_html(plain)
    return quoted


def _label(node: Node) -> str:
    """Says what a node computes, for the most common operators."""
    op = node.op
    if op is None or op.traits.drawing.details is None:
        return _quote(node.name)
    details = op.traits.drawing.details(node.settings)
    return _quote(f"{op.name}\n{details}" if op.traits.drawing.titled else details)


class _EdgeLabels:
    """What is written at edges: the shape without the batch, and the element type."""

    def __init__(self, shapes: Shapes | None, types: Mapping[Entry, Any] | None) -> None:
        self._shapes = shapes
        self._types = types

    def of(self, entry: Entry) -> str:
        """Returns the label of the edges that an output goes along."""
        label = ""
        if self._shapes is not None:
            label = "x".join(map(str, self._shapes[entry][1:]))
        if self._types is not None and entry in self._types:
            label += f"({element_types.name_of(self._types[entry])})"
        return label


tracebacks.public_functions(globals())
