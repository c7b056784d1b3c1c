"""Finds shapes and element types of what a model computes, node by node.

The inference of this package goes through whole graphs. A model asks for a shape after every few
nodes, so what was found is kept: the next question is about the graph of the nodes since then, in
which variables of known shape stand for all before them. Nothing here is code of ONNX's, whose
inference ends the process for some graphs.

Shapes are inferred twice if inputs leave lengths open, with one prime number in place of each open
length and then with another. Which lengths of a result depend on which of an input follows from
both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import torch

from mxnet import symbol
from mxnet.graph.infer import declared_type, infer_shapes, infer_types
from mxnet.graph.ir import Entry, Node, sort_nodes
from mxnet.onnx._import.lengths import Axis, Length, NotImportableError
from mxnet.ops.core.attrs import NUMPY_SHAPES, Shape
from mxnet.symbol import Symbol

T = TypeVar("T")

_PRIMES = ((101, 103, 107, 109, 113, 127, 131, 137), (139, 149, 151, 157, 163, 167, 173, 179))
"""Lengths that stand for open ones, in the first inference and in the second."""
_MOST_FOLLOWED = len(_PRIMES[0])
"""Open lengths of inputs that are followed through the graph."""


Pair: TypeAlias = "tuple[Shape | None, Shape | None]"
"""A shape with either choice of primes."""
Dtype: TypeAlias = "torch.dtype | None"


class Inference:
    """What is known of the symbols of a model in the making."""

    def __init__(self) -> None:
        self._shapes: dict[Entry, Pair] = {}
        self._dtypes: dict[Entry, Dtype] = {}
        self._inputs: dict[Node, tuple[tuple[Axis, ...], Dtype]] = {}
        self._names: list[str] = []

    def add_input(self, variable: Symbol, shape: tuple[Axis, ...], dtype: Dtype = None) -> None:
        """Notes what is known of a variable, before the first question about what reads it.

        Args:
            variable: The variable.
            shape: Its lengths.
            dtype: Its element type, None for that which it declares.
        """
        self._inputs[variable._heads[0].node] = (shape, dtype)

    def follow(self, name: str) -> None:
        """Notes an open length that results are expressed by; at most eight."""
        self._names.append(name)

    def shape_of(self, computed: Symbol) -> tuple[Axis, ...] | None:
        """Returns the shape of a symbol, None if not even the number of its axes is known.

        Raises:
            MXNetError: Shapes do not fit; it names the node.
        """
        head = computed._heads[0]
        if head not in self._shapes:
            self.dtype_of(computed)
            self._find_shapes(head.node)
        one, other = self._shapes[head]
        if one is None or other is None or len(one) != len(other):
            return None
        if one == other and min(one, default=0) >= 0:
            return one
        return tuple(self._explain(a, b) for a, b in zip(one, other, strict=True))

    def dtype_of(self, computed: Symbol) -> Dtype:
        """Returns the element type of a symbol, None if it is not known."""
        head = computed._heads[0]
        if head not in self._dtypes:
            self._find_dtypes(head.node)
        return self._dtypes[head]

    def _explain(self, one: int, other: int) -> Axis:
        """Returns the length that is one number for some primes and another for others."""
        if one < 0 or other < 0:
            return Length()
        if one == other:
            return one
        for name, first, second in zip(self._names, *_PRIMES, strict=False):
            if one % first == 0 and other % second == 0 and one // first == other // second:
                return Length(name, one // first)
        return Length()

    def _find_dtypes(self, head: Node) -> None:
        """Infers the types of all that is not known yet of what a node is computed from."""
        cut = _Cut(head, self._dtypes)
        for variable in cut.variables:
            _, dtype = self._inputs.get(variable, ((), None))
            self._dtypes[Entry(variable)] = declared_type(variable) if dtype is None else dtype
        given = {name: dtype for name, dtype in cut.given(self._dtypes) if dtype is not None}
        types = infer_types(cut.nodes, given)
        for entry, copy in cut.results():
            self._dtypes[entry] = types.get(copy)

    def _find_shapes(self, head: Node) -> None:
        """Infers the shapes of all that is not known yet of what a node is computed from."""
        cut = _Cut(head, self._shapes)
        for variable in cut.variables:
            self._shapes[Entry(variable)] = self._start(variable)
        given = cut.given(self._shapes)
        dtypes = {name: dtype for name, dtype in cut.given(self._dtypes) if dtype is not None}
        types = infer_types(cut.nodes, dtypes)
        found = []
        for choice in (0, 1):
            if choice and all(one == other for _, (one, other) in given):
                break  # nothing depends on an open length
            chosen = [(name, pair[choice]) for name, pair in given]
            known = {name: shape for name, shape in chosen if shape is not None}
            found.append(infer_shapes(cut.nodes, known, types, NUMPY_SHAPES))
        for entry, copy in cut.results():
            one, other = (NUMPY_SHAPES.write(k.get(copy)) for k in (found[0], found[-1]))
            self._shapes[entry] = (one, other)

    def _start(self, variable: Node) -> Pair:
        """Returns what is known of the shape of a variable."""
        if variable not in self._inputs:
            entry = Entry(variable)
            declared = infer_shapes(sort_nodes([entry]), {}, {}, NUMPY_SHAPES)
            shape = NUMPY_SHAPES.write(declared.get(entry))
            return shape, shape
        lengths, _ = self._inputs[variable]
        return self._choose(lengths, 0), self._choose(lengths, 1)

    def _choose(self, shape: Sequence[Axis], choice: int) -> Shape:
        """Returns a shape with primes in place of open lengths, -1 for those without a name."""
        primes = dict(zip(self._names, _PRIMES[choice], strict=False))
        lengths = []
        for item in shape:
            if isinstance(item, Length):
                prime = primes.get(item.name or "")
                item = -1 if prime is None else prime * item.factor
            lengths.append(item)
        return tuple(lengths)


class _Cut:
    """A copy of the nodes that nothing is known of, with variables for what they read.

    Args:
        head: The node that is asked for.
        found: What is known.

    Attributes:
        nodes: The copy, in order.
        variables: Variables of the graph that are met for the first time.
    """

    def __init__(self, head: Node, found: Mapping[Entry, Any]) -> None:
        self.variables: list[Node] = []
        self._copies: dict[Node, Node] = {}
        self._stand_ins: dict[Entry, Node] = {}
        for node in self._list_new(head, found):
            inputs = [self._stand_in_for(entry) for entry in node.inputs]
            self._copies[node] = Node(node.op, node.name, node.attrs, inputs)
        self.nodes = sort_nodes(map(Entry, list(self._copies.values())[-1:]))

    def given(self, found: Mapping[Entry, T]) -> list[tuple[str, T]]:
        """Returns the names of variables in the copy and what is known of what they stand for."""
        return [(variable.name, found[entry]) for entry, variable in self._stand_ins.items()]

    def results(self) -> Iterator[tuple[Entry, Entry]]:
        """Yields outputs of nodes and of their copies."""
        for node, copy in self._copies.items():
            for place in range(node.num_outputs):
                yield Entry(node, place), Entry(copy, place)

    def _stand_in_for(self, entry: Entry) -> Entry:
        if entry.node in self._copies:
            return Entry(self._copies[entry.node], entry.output)
        if entry not in self._stand_ins:
            self._stand_ins[entry] = Node(None, str(len(self._stand_ins)))
        return Entry(self._stand_ins[entry])

    def _list_new(self, head: Node, found: Mapping[Entry, Any]) -> list[Node]:
        """Lists the nodes under one that nothing is known of, each after what it reads."""
        order: list[Node] = []
        seen = {head}
        path = [(head, iter(head.inputs))]
        while path:
            node, unread = path[-1]
            for entry in unread:
                child = entry.node
                if child in seen or entry in found:
                    continue
                seen.add(child)
                if child.op is not None:
                    path.append((child, iter(child.inputs)))
                    break
                self.variables.append(child)
            else:
                path.pop()
                (self.variables if node.op is None else order).append(node)
        return order


class OpenLengths:
    """The lengths that inputs of a model leave open, by their names.

    Args:
        inference: Follows them through the graph.
    """

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._lengths: dict[str, tuple[Symbol, int]] = {}

    def add_input(self, variable: Symbol, shape: tuple[Axis, ...]) -> None:
        """Notes the shape of an input.

        Args:
            variable: The input.
            shape: Its lengths.
        """
        self._inference.add_input(variable, shape)
        for axis, length in enumerate(shape):
            if not isinstance(length, Length) or length.name is None:
                continue
            if len(self._lengths) < _MOST_FOLLOWED and length.name not in self._lengths:
                self._lengths[length.name] = (variable, axis)
                self._inference.follow(length.name)

    def is_of_input(self, length: Length) -> bool:
        """Returns whether a length is known by the shape of an input."""
        return length.name in self._lengths

    def spread(self, computed: Symbol, shape: Sequence[Axis]) -> Symbol:
        """Repeats a symbol along the axes whose lengths are open and named by an input.

        Args:
            computed: The symbol, which has 1 where a length is open.
            shape: The lengths that it is to have.

        Raises:
            NotImportableError: No input has a length of this name.
        """
        for axis, length in enumerate(shape):
            if not isinstance(length, Length):
                continue
            if length.name not in self._lengths or length.factor != 1:
                raise NotImportableError(
                    "it depends on a length that the file leaves open; give the shapes of the "
                    "inputs: import_model(file, shapes={name: shape})"
                )
            variable, place = self._lengths[length.name]
            computed = symbol.broadcast_like(
                computed, variable, lhs_axes=(axis,), rhs_axes=(place,)
            )
        return computed

    def range_of(self, length: Axis) -> Symbol:
        """Returns the numbers from 0 up to an open length that an input has."""
        name = length.name if isinstance(length, Length) and length.factor == 1 else None
        if name not in self._lengths:
            raise NotImportableError(
                "start, limit and delta must be known when the model is imported; give the shapes "
                "of the inputs: import_model(file, shapes={name: shape})"
            )
        variable, place = self._lengths[name]
        contrib: Any = symbol.contrib  # stubs do not know this function
        result: Symbol = contrib.arange_like(symbol.Cast(variable, dtype="float32"), axis=place)
        return result
