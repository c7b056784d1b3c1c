"""Shapes of the data of a network: those that are given, and those that the network tells."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from glueball.console import CommandError
from mxnet.errors import MXNetError
from mxnet.graph.infer import infer_shapes, infer_types
from mxnet.graph.ir import Entry, Node
from mxnet.ops.core.attrs import Shape, shape_is_known
from mxnet.symbol import Symbol

_GIVEN = re.compile(r"(?P<name>.+?)[=:]\(?\s*(?P<lengths>\d+(\s*[,x]\s*\d+)*),?\s*\)?")
_MOST_ELEMENTS = 2**31
_EDGES = (224, 299, 32, 28, 64, 96, 112, 128, 256, 300, 416, 512)
"""Sizes of images that networks are made for, the most common first."""


def parse_shapes(texts: Sequence[str]) -> dict[str, Shape]:
    """Reads shapes as they are given on the command line.

    Example:
        >>> parse_shapes(["data=1,3,224,224", "mask=8"])
        {'data': (1, 3, 224, 224), 'mask': (8,)}
    """
    shapes: dict[str, Shape] = {}
    for text in texts:
        found = _GIVEN.fullmatch(text.strip())
        if found is None:
            raise CommandError(
                f"--shape: takes NAME=LENGTH,LENGTH,... such as data=1,3,224,224, got {text!r}"
            )
        shape = tuple(int(length) for length in re.split(r"[,x]", found["lengths"]))
        if math.prod(shape) > _MOST_ELEMENTS:
            raise CommandError(f"--shape: {text} has more than {_MOST_ELEMENTS:,} elements")
        shapes[found["name"]] = shape
    return shapes


def complete_shapes(
    symbol: Symbol,
    parameters: Mapping[str, Shape],
    given: Mapping[str, Shape],
    data_names: Sequence[str],
) -> dict[str, Shape]:
    """Finds the shapes of all inputs that are not parameters, if the network tells them.

    A network tells the number of channels or units that its first layer reads. The batch is then
    one sample, and an image has the first of the usual sizes that fits.

    Args:
        symbol: The network.
        parameters: Shapes of the parameters by name.
        given: Shapes of inputs by name.
        data_names: Inputs that are not parameters.

    Returns:
        Shapes by name; those that are given if the network does not tell the others.

    Raises:
        MXNetError: if the shapes that are given, or those of parameters, do not fit the network.
    """
    names = symbol.list_inputs()
    known = {name: shape for name, shape in parameters.items() if name in names} | dict(given)
    for guess in ({}, *_guess(symbol, known)):
        try:
            inferred = _infer(symbol, known | guess)
        except MXNetError:
            if not guess:
                raise
            continue
        if all(name in inferred for name in names):
            return {name: inferred[name] for name in names if name in data_names or name in given}
    return dict(given)


def _infer(symbol: Symbol, known: Mapping[str, Shape]) -> dict[str, Shape]:
    """Returns the shapes of variables that follow from those of some."""
    nodes = symbol._graph.nodes
    shapes = infer_shapes(nodes, known, infer_types(nodes, {}))
    found = ((node.name, shapes.get(Entry(node))) for node in nodes.variables)
    return {name: shape for name, shape in found if shape is not None and shape_is_known(shape)}


def _guess(symbol: Symbol, known: Mapping[str, Shape]) -> Iterator[dict[str, Shape]]:
    """Yields shapes that the first input without one may have."""
    for node in symbol._graph.nodes.variables:
        if node.name not in known:
            reader = _find_layer(symbol, node)
            if reader is not None:
                yield from ({node.name: shape} for shape in _shapes_for(reader, known))
            return


def _find_layer(symbol: Symbol, variable: Node) -> Node | None:
    """Returns the first layer with weights that data come to in the shape that they have."""
    carriers = {Entry(variable)}
    for node in symbol._graph.nodes:
        if node.op is None or node.inputs[:1] == [] or node.inputs[0] not in carriers:
            continue
        if node.op.traits.role in ("convolution", "dense"):
            return node
        if node.op.traits.shapes.same or node.op.traits.role == "normalization":
            carriers.add(Entry(node))
    return None


def _shapes_for(layer: Node, known: Mapping[str, Shape]) -> Iterator[Shape]:
    """Yields shapes of data that a layer can read."""
    weight = known.get(layer.inputs[1].node.name)
    settings = layer.settings
    if weight is None or layer.op is None:
        return
    if layer.op.traits.role == "dense":
        yield 1, weight[-1]
        return
    axes = len(settings["kernel"])
    is_last = (settings["layout"] or "").endswith("C")
    channels = weight[-1 if is_last else 1] * settings["num_group"]
    for edge in _EDGES:
        edges = (edge,) * axes
        yield (1, *edges, channels) if is_last else (1, channels, *edges)
