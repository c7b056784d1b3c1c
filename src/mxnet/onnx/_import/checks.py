"""Checks the graphs of a file before anything is made of them.

Names, order, numbers of inputs and outputs, types of attributes: of the graph, of the graphs inside
of its nodes and of the functions of the file, those that are never taken included. What an operator
takes is told by the schemas of ONNX; operators that they do not know are left to the converters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mxnet import limits
from mxnet.errors import MXNetError, shorten, shown
from mxnet.onnx._import.lengths import NotImportableError
from mxnet.onnx._import.nodes import describe_node
from mxnet.onnx._import.reader import ModelFile, read_opsets

_MANY = 1 << 31
"""What schemas say for any number."""
_LONGEST_NAME = 100
"""Characters that no operator of ONNX has in its name; longer ones are not remembered."""
_LONGEST_LABEL = 1000
"""Characters of the name of a node in messages and in the names of what it needs."""
_LEFT_OUT = frozenset({("Resize", 1), ("Resize", 2)})
"""Inputs that real files leave out although the schema of some version wants them."""
_FLOAT, _INT = 1, 2
"""Numbers of types of attributes; files write whole numbers for others too."""

FunctionKey = tuple[str, str, str]
"""Domain, name and overload of a function of the file."""


class _Signature(NamedTuple):
    """What an operator takes, as its schema says."""

    inputs: tuple[int, int]
    outputs: tuple[int, int]
    needed: frozenset[int]
    """Places of the inputs that must not be left out."""
    repeated: int
    """Place from which on none is left out, as they are any number."""
    attrs: Mapping[str, int]
    """Numbers of the types of the attributes."""
    required: frozenset[str]


@lru_cache(maxsize=2048)
def _signature(defs: Any, op_type: str, domain: str, version: int) -> _Signature | None:
    """Returns what an operator takes, None if ONNX does not define it."""
    try:
        schema = defs.get_schema(op_type, version, domain)
    except (defs.SchemaError, TypeError):  # the latter for a version of more than 32 bits
        return None
    if schema.deprecated:
        return None
    option = defs.OpSchema.FormalParameterOption
    needed = {place for place, item in enumerate(schema.inputs) if item.option == option.Single}
    repeated = [place for place, k in enumerate(schema.inputs) if k.option == option.Variadic]
    return _Signature(
        (schema.min_input, schema.max_input),
        (schema.min_output, schema.max_output),
        frozenset(place for place in needed if (op_type, place) not in _LEFT_OUT),
        min(repeated, default=_MANY),
        {name: item.type.value for name, item in schema.attributes.items()},
        frozenset(name for name, item in schema.attributes.items() if item.required),
    )


def label_of(proto: Any) -> str:
    """Returns the name of a node, or that of its first output; a very long one is shortened."""
    name = str(proto.name or next(filter(None, proto.output), proto.op_type))
    return shorten(name, _LONGEST_LABEL)


def function_key(proto: Any) -> FunctionKey:
    """Returns the key of the function of the file that a node would call."""
    return proto.domain, proto.op_type, proto.overload


class Checker:
    """Checks a model.

    Args:
        file: The model.
    """

    def __init__(self, file: ModelFile) -> None:
        self._file = file
        self._attribute = file.onnx.AttributeProto
        self._functions = {(f.domain, f.name, f.overload): f for f in file.model.functions}
        self._visible: set[str] = set()
        self._opsets: Mapping[str, int] = file.opsets
        self._allows_references = False

    def run(self) -> None:
        """Checks all graphs and functions.

        Raises:
            MXNetError: One is not what ONNX allows; the message names the file and the node.
        """
        if len(self._functions) < len(self._file.model.functions):
            raise self._file.error("two functions of the file have the same name")
        self._check_graph(self._file.model.graph, "the graph", 1)
        self._allows_references = True
        for function in self._file.model.functions:
            self._check_function(function)
        self._count_calls()

    def _check_function(self, function: Any) -> None:
        place = f"function {shown(function.name)}"
        self._opsets = {"": self._file.opsets[""]} | read_opsets(function.opset_import)
        self._visible = set()
        self._add_names(function.input, place)
        lists = (function.input, function.output, function.attribute, function.attribute_proto)
        self._file.budget.add_written(sum(map(len, (*lists, function.opset_import))))
        self._check_nodes(function.node, 1)
        self._check_read(function.output, place)

    def _check_graph(self, graph: Any, place: str, depth: int) -> None:
        """Checks a graph; afterwards its names are not visible any more."""
        limits.check("graph_depth", depth, f"{self._file.origin}: {place}")
        lists = (graph.input, graph.output, graph.initializer)
        self._file.budget.add_written(sum(map(len, lists)))
        if graph.sparse_initializer:
            raise self._file.error("sparse tensors cannot be imported")
        tensors = [tensor.name for tensor in graph.initializer]
        given = set(tensors)
        names = [*tensors, *(item.name for item in graph.input if item.name not in given)]
        added = self._add_names(names, place, hides=depth > 1)
        added |= self._check_nodes(graph.node, depth)
        self._check_read([item.name for item in graph.output], place)
        self._visible -= added

    def _check_nodes(self, nodes: Sequence[Any], depth: int) -> set[str]:
        """Checks nodes and returns the names that they add."""
        self._file.budget.add_written(len(nodes))
        added: set[str] = set()
        for proto in nodes:
            place = f"node {shown(label_of(proto))}"
            self._check_read(proto.input, place)
            self._check_operator(proto)
            for attribute in proto.attribute:
                for graph in _graphs_of(attribute):
                    self._check_graph(graph, place, depth + 1)
            outputs = [name for name in proto.output if name]
            added |= self._add_names(outputs, place, hides=depth > 1, own=added)
        return added

    def _add_names(
        self, names: Sequence[str], place: str, hides: bool = False, own: Collection[str] = ()
    ) -> set[str]:
        """Makes names visible and returns those that were not.

        Args:
            names: The names.
            place: What defines them, for messages.
            hides: Whether they may stand for names of the graph around, as some files have it.
            own: Names of this graph, which must not be defined again.
        """
        added: set[str] = set()
        for name in names:
            if not name:
                raise self._file.error(f"{place} defines a tensor without a name")
            if name in added or name in own or (name in self._visible and not hides):
                raise self._file.error(f"{place} defines {shown(name)}, which there is already")
            added.add(name)
        added -= self._visible
        self._visible |= added
        return added

    def _check_read(self, names: Iterable[str], place: str) -> None:
        for name in names:
            if name and name not in self._visible:
                raise self._file.error(
                    f"{place} reads {shown(name)}, which is no input and no output of a node "
                    "before it: the nodes are not in order, or in a cycle"
                )

    def _check_operator(self, proto: Any) -> None:
        """Compares a node with the schema of its operator."""
        domain = "" if proto.domain == "ai.onnx" else proto.domain
        version = self._opsets.get(domain, 1)
        problem = self._find_wrong_attribute(proto)
        is_short = len(proto.op_type) + len(domain) <= _LONGEST_NAME
        if problem is None and is_short and function_key(proto) not in self._functions:
            signature = _signature(self._file.onnx.defs, proto.op_type, domain, version)
            if signature is not None:
                problem = self._compare(proto, signature)
        if problem is not None:
            where = describe_node(label_of(proto), domain, proto.op_type, version)
            raise NotImportableError(f"{self._file.origin}: {where}: {problem}")

    def _find_wrong_attribute(self, proto: Any) -> str | None:
        """Returns what is wrong with the attributes of a node, whatever its operator."""
        names = set()
        for item in proto.attribute:
            if item.name in names:
                return f"there are two attributes {shown(item.name)}"
            names.add(item.name)
            if item.ref_attr_name and not self._allows_references:
                return f"attribute {shown(item.name)} refers to one of a function, outside of any"
            if item.type == self._attribute.UNDEFINED and not item.ref_attr_name:
                return f"attribute {shown(item.name)} has no type"
        return None

    def _compare(self, proto: Any, signature: _Signature) -> str | None:
        """Returns what a node has that its operator does not take."""
        count, (least, most) = len(proto.input), signature.inputs
        if not least <= count <= most:
            return f"takes {_describe(least, most)} inputs, got {count}"
        for place, name in enumerate(proto.input):
            if not name and (place in signature.needed or place >= signature.repeated):
                return f"input {place} is missing"
        least, most = signature.outputs
        if not least <= len(proto.output) <= most:
            return f"has {_describe(least, most)} outputs, got {len(proto.output)}"
        return self._compare_attributes(proto, signature)

    def _compare_attributes(self, proto: Any, signature: _Signature) -> str | None:
        names = set()
        for item in proto.attribute:
            names.add(item.name)
            wanted = signature.attrs.get(item.name, item.type)
            if item.type not in (wanted, _INT if wanted == _FLOAT else wanted):
                found, taken = self._name_type(item.type), self._name_type(wanted)
                return f"attribute {shown(item.name)} takes a {taken}, got a {found}"
        missing = signature.required - names
        return f"attribute {min(missing)!r} is missing" if missing else None

    def _name_type(self, number: int) -> str:
        names = {value: name for name, value in self._attribute.AttributeType.items()}
        return str(names.get(number, f"type {number}"))

    def _count_calls(self) -> None:
        """Counts the nodes of the graph with functions in the place of their calls.

        Raises:
            MXNetError: They are too many, or a function calls itself.
        """
        nodes = list(_nodes_inside(self._file.model.graph.node)) if self._functions else []
        counts: dict[FunctionKey, int] = {}
        total = sum(self._count_call(function_key(proto), counts, 0) for proto in nodes)
        limits.check("graph_nodes", total, f"{self._file.origin}: graph")

    def _count_call(self, key: FunctionKey, counts: dict[FunctionKey, int], depth: int) -> int:
        """Returns how many nodes stand in the place of one, with `counts` of those before."""
        if key not in self._functions:
            return 1
        if key not in counts:
            if depth > limits.get("graph_depth"):
                raise self._file.error(
                    "functions of the file call each other too deeply, or themselves"
                )
            nodes = list(_nodes_inside(self._functions[key].node))
            keys = map(function_key, nodes)
            counts[key] = sum(self._count_call(inner, counts, depth + 1) for inner in keys)
        return counts[key]


def _describe(least: int, most: int) -> str:
    if least == most:
        return str(least)
    return f"at least {least}" if most >= _MANY - 1 else f"{least} to {most}"


def _graphs_of(attribute: Any) -> Iterable[Any]:
    """Returns the graphs that an attribute holds, whatever it says its type is."""
    return [attribute.g, *attribute.graphs] if attribute.HasField("g") else attribute.graphs


def _nodes_inside(nodes: Iterable[Any]) -> Iterable[Any]:
    """Returns nodes and those of the graphs inside of them."""
    for proto in nodes:
        yield proto
        for attribute in proto.attribute:
            for graph in _graphs_of(attribute):
                yield from _nodes_inside(graph.node)


def check_model(file: ModelFile) -> None:
    """Checks a model, and counts what it has.

    Raises:
        MXNetError: It is not what ONNX allows; the message names the file and the node.
    """
    try:
        Checker(file).run()
    except RecursionError as error:
        raise MXNetError(f"{file.origin}: graphs are inside of too many others") from error
