"""Walks through the nodes of a model and makes a graph of symbols of them."""

from __future__ import annotations

import math
from collections import ChainMap, Counter
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import torch

from mxnet import ndarray, symbol
from mxnet._formats import element_types
from mxnet.context import cpu
from mxnet.errors import (
    AllocationError,
    FileFormatError,
    LimitExceededError,
    MXNetError,
    shorten,
    shown,
)
from mxnet.ndarray import NDArray
from mxnet.onnx import _recurrent  # noqa: F401 - fills the table of converters
from mxnet.onnx._import import control, convolution, elementwise, images, indexing, layers, shaping  # noqa: F401 - they fill the table of converters
from mxnet.onnx._import.budget import BYTES, ELEMENTS, NODES
from mxnet.onnx._import.checks import check_model, label_of
from mxnet.onnx._import.folding import fold, shape_array
from mxnet.onnx._import.functions import Functions, resolve
from mxnet.onnx._import.inference import Inference, OpenLengths
from mxnet.onnx._import.lengths import Axis, Length, NotImportableError, is_open, tidy
from mxnet.onnx._import.nodes import Array, Node, Setting, Value, describe_node
from mxnet.onnx._import.reader import Declarations, ModelFile, read_facts
from mxnet.onnx._table import IMPORTS
from mxnet.symbol import Symbol

_OWN_WORDS = (MXNetError, TypeError, ValueError, IndexError, OverflowError)
"""Errors whose messages say what is wrong with an input; of others the class says more."""


def _describe(error: Exception) -> str:
    if isinstance(error, (NotImportableError, FileFormatError, LimitExceededError)):
        return str(error)
    if isinstance(error, RecursionError):
        return "what it reads is inside of too many others"
    text = shorten(str(error))
    return text if isinstance(error, _OWN_WORDS) else f"{type(error).__name__}: {text}"


def _convert(error: Exception, place: str, text: str, default: type[MXNetError]) -> MXNetError:
    for kind in (LimitExceededError, FileFormatError):
        if isinstance(error, kind):
            return kind(f"{place}: {text}")
    return (AllocationError if isinstance(error, MemoryError) else default)(f"{place}: {text}")


@contextmanager
def located(origin: str, proto: Any, opsets: Mapping[str, int]) -> Iterator[None]:
    """Adds the names of the file and of a node to errors of a `with` block, with their cause.

    Args:
        origin: The file.
        proto: The node.
        opsets: Versions of the domains of operators.
    """
    try:
        yield
    except TimeoutError:  # of the program, which has had enough of it
        raise
    except Exception as error:
        if isinstance(error, MXNetError) and str(error).startswith(f"{origin}: node "):
            raise
        text = _describe(error).removeprefix(f"{origin}: ")
        domain = "" if proto.domain == "ai.onnx" else proto.domain
        where = describe_node(label_of(proto), domain, proto.op_type, opsets.get(domain, 1))
        raise _convert(error, f"{origin}: {where}", text, NotImportableError) from error


@contextmanager
def named_after(origin: str) -> Iterator[None]:
    """Adds the name of the file to errors of a `with` block; what was raised is their cause.

    Errors of the arguments of a call, which begin with its name, stay as they are.
    """
    try:
        yield
    except TimeoutError:
        raise
    except Exception as error:
        is_known = isinstance(error, (MXNetError, ImportError))
        if is_known and str(error).startswith((f"{origin}: ", "import_model: ")):
            raise
        raise _convert(error, origin, _describe(error), FileFormatError) from error


Scope = MutableMapping[str, Value]

_PRICE_OF_ITEM = 32
"""What it costs to read an item of a list of attributes."""


class Importer:
    """Makes a graph of a model.

    Args:
        file: The model.

    Attributes:
        arg_params: Parameters by name.
        aux_params: Auxiliary states, such as running averages, by name.
        inputs: Variables of the inputs, in the order of the file.
    """

    def __init__(self, file: ModelFile) -> None:
        check_model(file)
        self.file = file
        self.arg_params: dict[str, NDArray] = {}
        self.aux_params: dict[str, NDArray] = {}
        self.inputs: list[Symbol] = []
        self._inference = Inference()
        self.open_lengths = OpenLengths(self._inference)
        self._functions = Functions(file)
        self._declared = Declarations(file, file.model.graph)
        self._constants: dict[int, tuple[Any, dict[str, Value]]] = {}
        self._repeated: Counter[str] = Counter()
        self._names: set[str] = set()
        self._seen: set[Any] = set()

    def run(self) -> list[Symbol]:
        """Imports the graph and returns the symbols of its outputs."""
        graph = self.file.model.graph
        scope: Scope = dict(self._read_constants(graph))
        for info in graph.input:
            if info.name not in scope:
                scope[info.name] = self._make_input(info)
        self._names.update(scope)
        self.run_nodes(graph.node, scope, Setting(self.file.opsets, {}))
        outputs = [self._look_up(scope, item.name, "the graph").sym for item in graph.output]
        self._constants.clear()  # a cycle, in which all weights would wait for the collector
        return [
            symbol.identity(output) if output._heads[0].node.op is None else output
            for output in outputs
        ]

    def _read_constants(self, graph: Any) -> dict[str, Value]:
        """Returns the tensors of a graph; those of a loop are read in the first round only."""
        if id(graph) not in self._constants:
            tensors = graph.initializer
            values = {i.name: self._keep(self.file.array_of(i), i.name) for i in tensors}
            self._constants[id(graph)] = (graph, values)  # with it, as it would change its place
        return self._constants[id(graph)][1]

    def _make_input(self, info: Any) -> Value:
        if not info.type.HasField("tensor_type"):
            raise self.file.error(f"input {shown(info.name)} is not a tensor")
        place = f"input {shown(info.name)}"
        facts = read_facts(self.file, info)
        dtype = self.file.dtype_name(info.type.tensor_type.elem_type, place)
        variable = symbol.var(info.name, dtype=None if dtype == "bfloat16" else dtype)
        self.inputs.append(variable)
        if facts.shape is not None:
            self.open_lengths.add_input(variable, facts.shape)
        return Value(info.name, lambda _: variable, dtype, facts.shape)

    def constant(self, array: Array, name: str) -> Value:
        """Returns elements as a value, which becomes a parameter if an operator reads it."""
        self.file.budget.spend(BYTES, array.nbytes, f"tensor {shown(name)}")
        return self._keep(array, name)

    def _keep(self, array: Array, name: str) -> Value:
        """Returns elements that are paid for as a value."""
        dtype = "int64" if is_open(array) else array.dtype.name
        return Value(name, self._make_parameter, dtype, array.shape, array)

    def _make_parameter(self, value: Value) -> Symbol:
        if value.constant is None:
            raise NotImportableError(f"the elements of {shown(value.name)} are not known")
        return self._add_parameter(value.name, value.constant, self.arg_params)

    def auxiliary(self, value: Value) -> Symbol:
        """Returns a constant as an auxiliary state, which training changes."""
        if value.constant is None:
            return value.sym
        return self._add_parameter(value.name, value.constant, self.aux_params)

    def _add_parameter(
        self, wanted: str, array: Array, parameters: MutableMapping[str, NDArray]
    ) -> Symbol:
        name = wanted
        while name in self.arg_params or name in self.aux_params:
            self._repeated[wanted] += 1
            name = f"{wanted}_{self._repeated[wanted]}"
        self.file.budget.spend(BYTES, array.nbytes, f"tensor {shown(name)}")
        parameters[name] = to_ndarray(np.atleast_1d(array))
        shape = parameters[name].shape
        variable = symbol.var(name, shape=shape if 0 not in shape else None)
        dtype = element_types.to_torch(parameters[name].dtype)
        self._inference.add_input(variable, tuple(shape), dtype)
        return variable

    def numpy_dtype(self, number: int, node: Node) -> np.dtype[Any]:
        """Returns the element type of ONNX with a number as one of NumPy."""
        name = self.file.dtype_name(number, f"node {node.name!r}")
        if name == "bfloat16":
            name = self.file.onnx.helper.tensor_dtype_to_np_dtype(number)
        dtype: np.dtype[Any] = np.dtype(name)
        return dtype

    def _look_up(self, scope: Scope, name: str, reader: str) -> Value:
        if name not in scope:
            raise self.file.error(
                f"{reader} reads {shown(name)}, which is no input and no output of a node before "
                "it: the nodes are not in order, or in a cycle"
            )
        return scope[name]

    def run_nodes(self, nodes: Sequence[Any], scope: Scope, setting: Setting) -> None:
        """Imports nodes one after the other.

        Args:
            nodes: Nodes of the file, in the order of the file.
            scope: Values by name, which gets the outputs.
            setting: What the nodes share.

        Raises:
            MXNetError: One cannot be imported; the message names file, node and operator.
        """
        for proto in nodes:
            with located(self.file.origin, proto, setting.opsets):
                proto = resolve(proto, setting.references, self.file.budget)
                node = self._make_node(proto, scope, setting)
                results = self._run_node(node, proto)
            for name, value in zip(node.outputs, results, strict=False):
                if name:
                    scope[name] = value

    def _make_node(self, proto: Any, scope: Scope, setting: Setting) -> Node:
        label, budget = label_of(proto), self.file.budget
        place, names = f"node {shown(label)}", (proto.name, *proto.input, *proto.output)
        budget.spend(NODES, 1, place)
        budget.spend_names(len(names) + len(proto.attribute), place)
        budget.spend(ELEMENTS, sum(map(len, names)), place)
        inputs = [self._look_up(scope, name, place) if name else None for name in proto.input]
        attrs = {item.name: self._read_attribute(item) for item in proto.attribute}
        domain = "" if proto.domain == "ai.onnx" else proto.domain
        version, outputs = setting.opsets.get(domain, 1), list(proto.output)
        return Node(
            proto.op_type, label, domain, version, attrs, inputs, outputs, self, scope, setting
        )

    def _read_attribute(self, item: Any) -> Any:
        value = self.file.onnx.helper.get_attribute_value(item)
        if isinstance(value, self.file.onnx.TensorProto):
            return self.file.array_of(value)
        if isinstance(value, (int, float, self.file.onnx.GraphProto)):
            return value
        if not isinstance(value, (bytes, list)):
            raise NotImportableError(
                f"attribute {shown(item.name)} is a {type(value).__name__}, which no operator takes"
            )
        price = len(value)
        if isinstance(value, list):
            price = _PRICE_OF_ITEM * len(value)
            price += sum(len(i) for i in value if isinstance(i, bytes))
        self.file.budget.spend(ELEMENTS, price, f"attribute {shown(item.name)}")
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return [i.decode("utf-8", "replace") if isinstance(i, bytes) else i for i in value]

    def _run_node(self, node: Node, proto: Any) -> list[Value]:
        function = self._functions.find_own(proto)
        if function is not None:
            return self._functions.run_own(function, node, proto)
        if node.op_type in ("Shape", "Size") and not node.domain:
            shape = self._shape_of(node)
            if shape is not None:
                return self._computed(node, proto, [shape])
        folded = fold(node)
        if folded is not None:
            return self._computed(node, proto, folded)
        return self._convert(node, proto)

    def _computed(self, node: Node, proto: Any, arrays: Sequence[Array]) -> list[Value]:
        """Returns values that were computed; with open lengths also the graph computes them."""
        converted: list[Value] = []

        def convert(place: int, _: Value) -> Symbol:
            if not converted:
                with located(self.file.origin, proto, node.setting.opsets):
                    converted.extend(self._convert(node, proto))
            return converted[place].sym

        values = []
        for place, (array, name) in enumerate(zip(arrays, node.outputs, strict=False)):
            value = self._keep(array, name)
            if is_open(array):
                value._make_symbol = partial(convert, place)
            values.append(value)
        return values

    def _shape_of(self, node: Node) -> Array | None:
        try:
            lengths = node.need(0).lengths
        except NotImportableError:
            return None
        if node.op_type == "Size":
            return tidy(np.array(math.prod(lengths), object))
        end = node.get("end")
        return shape_array(lengths[node.get("start", 0) : len(lengths) if end is None else end])

    def _convert(self, node: Node, proto: Any) -> list[Value]:
        convert = IMPORTS.get(node.op_type) if node.domain in ("", "com.microsoft") else None
        if convert is None:
            return self._functions.run_standard(node, proto)
        results = convert(node, *node.inputs)
        results = list(results) if isinstance(results, (list, tuple)) else [results]
        return [self._wrap(node, place, result) for place, result in enumerate(results)]

    def _wrap(self, node: Node, place: int, result: Any) -> Value:
        name = node.outputs[place] if place < len(node.outputs) else ""
        if isinstance(result, Value):
            return result
        computed = result.as_nd_ndarray()
        node.budget.spend(NODES, self._count_new(computed), node.place)
        self._rename(computed, node, name)
        return Value(name, lambda _: computed, guess=(self._guess_shape, self._guess_dtype))

    def _count_new(self, computed: Symbol) -> int:
        """Counts the operators that a converter has written for a result."""
        unseen, count = [computed._heads[0].node], 0
        while unseen:
            node = unseen.pop()
            if node not in self._seen:
                self._seen.add(node)
                count += node.op is not None
                unseen.extend(entry.node for entry in node.inputs)
        return count

    def _merge(
        self, ours: tuple[Axis, ...] | None, theirs: tuple[Axis, ...] | None
    ) -> tuple[Axis, ...] | None:
        """Joins what is known of a shape here and what the file says, which may make names up."""
        if ours is None or theirs is None or len(ours) != len(theirs):
            return theirs if ours is None else ours
        return tuple(
            one if not isinstance(one, Length) or self.open_lengths.is_of_input(one) else other
            for one, other in zip(ours, theirs, strict=True)
        )

    def _rename(self, computed: Symbol, node: Node, name: str) -> None:
        """Names a node that was made for an output after the output."""
        head = computed._heads[0]
        symbols = [value._symbol for value in node.inputs if value is not None]
        read = {id(item._heads[0].node) for item in symbols if item is not None}
        if name and name not in self._names and head.node.op and id(head.node) not in read:
            self._names.add(name)
            head.node.name = name

    def _guess_dtype(self, value: Value) -> str | None:
        """Finds an element type by the inference of this package, or in the file."""
        dtype = self._inference.dtype_of(value.sym)
        if dtype is None:
            return self._declared.get(value.name).dtype
        return element_types.name_of(dtype)

    def _guess_shape(self, value: Value) -> tuple[Axis, ...] | None:
        """Finds a shape by the inference of this package, and the rest of it in the file."""
        shape = self._inference.shape_of(value.sym)
        if shape is not None and not any(isinstance(length, Length) for length in shape):
            return shape
        return self._merge(shape, self._declared.get(value.name).shape)

    def shaped(self, node: Node, result: Any, shape: tuple[Axis, ...]) -> Value:
        """Returns the first output of a node with a shape that its converter knows."""
        value = self._wrap(node, 0, result)
        value._shape = self._merge(shape, value._shape)
        return value

    def run_body(self, graph: Any, node: Node, inputs: Sequence[Value]) -> list[Value]:
        """Imports a graph inside of a node, which also sees the values around the node.

        Args:
            graph: The graph.
            node: The node.
            inputs: Values of the inputs of the graph.
        """
        if len(graph.input) != len(inputs):
            raise node.error(f"its graph has {len(graph.input)} inputs, expected {len(inputs)}")
        self.file.budget.spend_names(len(graph.input) + len(graph.output), node.place)
        scope: Scope = ChainMap({}, self._read_constants(graph), node.scope)
        for info, value in zip(graph.input, inputs, strict=True):
            scope[info.name] = value
        with self.file.budget.nested(node.place):
            self.run_nodes(graph.node, scope, node.setting)
        return [
            self._look_up(scope, item.name, f"node {shown(node.name)}") for item in graph.output
        ]


def to_ndarray(array: Array) -> NDArray:
    """Returns elements as an array of this package."""
    if array.dtype.name == "bfloat16":
        bits = torch.from_numpy(np.ascontiguousarray(array).view(np.int16))
        return ndarray.from_torch(bits.view(torch.bfloat16))
    return ndarray.array(array, ctx=cpu(), dtype=array.dtype)
