"""Walks through the nodes of a model and makes a graph of symbols of them."""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np
import torch

from mxnet import limits, ndarray, symbol
from mxnet._formats import element_types
from mxnet.context import cpu
from mxnet.errors import MXNetError, shown
from mxnet.ndarray import NDArray
from mxnet.onnx import _recurrent  # noqa: F401 - fills the table of converters
from mxnet.onnx._import import control, convolution, elementwise, images, indexing, layers, shaping  # noqa: F401 - they fill the table of converters
from mxnet.onnx._import.folding import fold, shape_array
from mxnet.onnx._import.lengths import Axis, Length, NotImportableError, OpenLengths, is_open, tidy
from mxnet.onnx._import.nodes import Array, Node, Value
from mxnet.onnx._import.reader import Facts, ModelFile, infer_facts
from mxnet.onnx._table import IMPORTS
from mxnet.symbol import Symbol

Scope = MutableMapping[str, Value]

_MOST_COMPUTED = 1 << 27
"""Bytes of constants that are computed, beyond four times the size of the file."""


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
        self.file = file
        self.arg_params: dict[str, NDArray] = {}
        self.aux_params: dict[str, NDArray] = {}
        self.inputs: list[Symbol] = []
        self._facts: dict[str, Facts] = infer_facts(file)
        self.open_lengths = OpenLengths()
        self._num_nodes = 0
        self._budget = _MOST_COMPUTED + 4 * file.model.ByteSize()
        self._names: set[str] = set()

    def run(self) -> list[Symbol]:
        """Imports the graph and returns the symbols of its outputs."""
        graph = self.file.model.graph
        scope: Scope = self._read_constants(graph)
        if graph.sparse_initializer:
            raise self.file.error("sparse tensors cannot be imported")
        for info in graph.input:
            if info.name not in scope:
                scope[info.name] = self._make_input(info)
        self._names.update(scope)
        self.run_nodes(graph.node, scope, self.file.opsets, {})
        outputs = [self._look_up(scope, item.name, "the graph").sym for item in graph.output]
        return [
            symbol.identity(output) if output._heads[0].node.op is None else output
            for output in outputs
        ]

    def _read_constants(self, graph: Any) -> dict[str, Value]:
        tensors = graph.initializer
        return {item.name: self.constant(self.file.array_of(item), item.name) for item in tensors}

    def _make_input(self, info: Any) -> Value:
        facts = self._facts.get(info.name, Facts())
        if not info.type.HasField("tensor_type"):
            raise self.file.error(f"input {info.name!r} is not a tensor")
        dtype = facts.dtype or self.file.dtype_name(
            info.type.tensor_type.elem_type, f"input {info.name!r}"
        )
        variable = symbol.var(info.name, dtype=None if dtype == "bfloat16" else dtype)
        self.inputs.append(variable)
        if facts.shape is not None:
            self.open_lengths.add_input(variable, facts.shape)
        return Value(info.name, lambda _: variable, dtype, facts.shape)

    def constant(self, array: Array, name: str) -> Value:
        """Returns elements as a value, which becomes a parameter if an operator reads it."""
        dtype = "int64" if is_open(array) else array.dtype.name
        return Value(name, self._make_parameter, dtype, array.shape, array)

    def _make_parameter(self, value: Value) -> Symbol:
        if value.constant is None:
            raise NotImportableError(f"the elements of {value.name!r} are not known")
        return self._add_parameter(value.name, value.constant, self.arg_params)

    def auxiliary(self, value: Value) -> Symbol:
        """Returns a constant as an auxiliary state, which training changes."""
        if value.constant is None:
            return value.sym
        return self._add_parameter(value.name, value.constant, self.aux_params)

    def _add_parameter(
        self, wanted: str, array: Array, parameters: MutableMapping[str, NDArray]
    ) -> Symbol:
        name, number = wanted, 0
        while name in self.arg_params or name in self.aux_params:
            number += 1
            name = f"{wanted}_{number}"
        parameters[name] = to_ndarray(np.atleast_1d(array))
        shape = parameters[name].shape
        return symbol.var(name, shape=shape if 0 not in shape else None)

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

    def run_nodes(
        self,
        nodes: Sequence[Any],
        scope: Scope,
        opsets: Mapping[str, int],
        references: Mapping[str, Any],
    ) -> None:
        """Imports nodes one after the other.

        Args:
            nodes: Nodes of the file, in the order of the file.
            scope: Values by name, which gets the outputs.
            opsets: Versions of domains.
            references: Attributes of the function that the nodes are the body of, as the file
                has them.
        """
        for proto in nodes:
            self._num_nodes += 1
            limits.check("graph_nodes", self._num_nodes, f"{self.file.origin}: graph")
            proto = _resolve(proto, references)
            node = self._make_node(proto, scope, opsets)
            for name, value in zip(node.outputs, self._run_node(node, proto), strict=False):
                if name:
                    scope[name] = value

    def _make_node(self, proto: Any, scope: Scope, opsets: Mapping[str, int]) -> Node:
        domain = "" if proto.domain == "ai.onnx" else proto.domain
        label = proto.name or (proto.output[0] if proto.output else proto.op_type)
        inputs = [
            self._look_up(scope, name, f"node {shown(label)}") if name else None
            for name in proto.input
        ]
        attrs = {item.name: self._read_attribute(item) for item in proto.attribute}
        version, outputs = opsets.get(domain, 1), list(proto.output)
        return Node(proto.op_type, label, domain, version, attrs, inputs, outputs, self, scope)

    def _read_attribute(self, item: Any) -> Any:
        value = self.file.onnx.helper.get_attribute_value(item)
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        if isinstance(value, self.file.onnx.TensorProto):
            return self.file.array_of(value)
        if isinstance(value, self.file.onnx.GraphProto):
            return value
        if isinstance(value, (int, float)):
            return value
        items = list(value)
        return [i.decode("utf-8", "replace") if isinstance(i, bytes) else i for i in items]

    def _run_node(self, node: Node, proto: Any) -> list[Value]:
        if node.op_type in ("Shape", "Size") and not node.domain:
            shape = self._shape_of(node)
            if shape is not None:
                return [self._computed(node, proto, 0, shape)]
        folded = fold(node)
        if folded is not None and self._affords(folded):
            return [self._computed(node, proto, k, array) for k, array in enumerate(folded)]
        return self._convert(node, proto)

    def _affords(self, arrays: Sequence[Array]) -> bool:
        """Returns whether computed constants may be kept, of which a small file can make many."""
        size = sum(array.nbytes for array in arrays)
        if size > self._budget:
            return False
        self._budget -= size
        return True

    def _computed(self, node: Node, proto: Any, place: int, array: Array) -> Value:
        """Returns a value that was computed; with open lengths it is also computed in the graph."""
        value = self.constant(array, node.outputs[place])
        if is_open(array):
            value._make_symbol = lambda _: self._convert(node, proto)[place].sym
        return value

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
        try:
            if convert is None:
                return self._expand_function(node, proto)
            results = convert(node, *node.inputs)
        except NotImportableError as error:
            if str(error).startswith("import_model:"):
                raise
            raise node.error(str(error)) from error
        except (MXNetError, TypeError, ValueError, IndexError, KeyError, OverflowError) as error:
            if isinstance(error, MXNetError) and str(error).startswith(self.file.origin):
                raise
            raise node.error(shown(str(error))) from error
        results = list(results) if isinstance(results, (list, tuple)) else [results]
        return [self._wrap(node, place, result) for place, result in enumerate(results)]

    def _wrap(self, node: Node, place: int, result: Any) -> Value:
        name = node.outputs[place] if place < len(node.outputs) else ""
        if isinstance(result, Value):
            return result
        computed = result.as_nd_ndarray()
        self._rename(computed, node, name)
        facts = self._facts.get(name, Facts())
        shape = facts.shape
        if not self._is_told(shape):
            shape = None  # what is inferred here knows more, and is not needed of all
        return Value(name, lambda _: computed, facts.dtype, shape, guess=self._guess)

    def _is_told(self, shape: tuple[Axis, ...] | None) -> bool:
        """Returns whether all lengths of a shape are known or those of inputs."""
        return shape is not None and all(
            not isinstance(length, Length) or self.open_lengths.is_of_input(length)
            for length in shape
        )

    def _merge(
        self, ours: tuple[Axis, ...] | None, theirs: tuple[Axis, ...] | None
    ) -> tuple[Axis, ...] | None:
        """Joins what is known of a shape here and by ONNX's inference, which makes names up."""
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

    def _guess(self, value: Value) -> tuple[tuple[Axis, ...] | None, str | None]:
        """Finds shape and dtype by the inference of this package."""
        computed = value.np
        dtype = computed.infer_type_partial()[1][0]
        name = None if dtype is None else element_types.name_of(element_types.to_torch(dtype))
        return self.open_lengths.infer(computed), name

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
        scope: Scope = ChainMap(self._read_constants(graph), node.scope)
        for info, value in zip(graph.input, inputs, strict=True):
            scope[info.name] = value
        self.run_nodes(graph.node, scope, self.file.opsets, {})
        return [
            self._look_up(scope, item.name, f"node {shown(node.name)}") for item in graph.output
        ]

    def _expand_function(self, node: Node, proto: Any) -> list[Value]:
        """Imports the nodes that ONNX itself defines an operator by."""
        defs = self.file.onnx.defs
        try:
            schema = defs.get_schema(node.op_type, node.version, node.domain)
        except defs.SchemaError:
            schema = None
        body = None if schema is None else self._function_body(schema, node, proto)
        if schema is None or body is None:
            domain = node.domain or "ai.onnx"
            raise node.error(
                f"there is no operator {node.op_type!r} of the domain {domain!r} here; "
                "docs/onnx_import.md lists those that can be imported"
            )
        attrs = {
            name: item.default_value
            for name, item in schema.attributes.items()
            if item.default_value.name
        }
        attrs.update({item.name: item for item in proto.attribute})
        scope: Scope = {
            name: value for name, value in zip(body.input, node.inputs, strict=False) if value
        }
        self.run_nodes(
            [_with_gaps(item, scope, body.input) for item in body.node],
            scope,
            {item.domain: int(item.version) for item in body.opset_import} or {"": node.version},
            attrs,
        )
        return [scope.get(name) or _nothing(name) for name in body.output]

    def _function_body(self, schema: Any, node: Node, proto: Any) -> Any:
        """Returns the nodes that define an operator, perhaps for the types of its inputs."""
        if schema.has_function:
            return schema.function_body
        if not schema.has_context_dependent_function:
            return None
        helper = self.file.onnx.helper
        types = []
        for value in node.inputs:
            if value is None or value.dtype is None:
                types.append(self.file.onnx.TypeProto().SerializeToString())
                continue
            number = self.file.dtype_number(value.dtype)
            shape = [n if isinstance(n, int) else None for n in value.lengths]
            types.append(helper.make_tensor_type_proto(number, shape).SerializeToString())
        content = schema.get_context_dependent_function(proto.SerializeToString(), types)
        return self.file.onnx.FunctionProto.FromString(content) if content else None


def _nothing(name: str) -> Value:
    """Returns an output that a function does not compute in this form."""

    def refuse(_: Value) -> Symbol:
        raise NotImportableError(f"the output {name!r} is not computed")

    return Value(name, refuse)


def _resolve(proto: Any, references: Mapping[str, Any]) -> Any:
    """Returns a node of a function with the attributes of the function that it refers to."""
    if not any(item.ref_attr_name for item in proto.attribute):
        return proto
    copy = type(proto)()
    copy.CopyFrom(proto)
    del copy.attribute[:]
    for item in proto.attribute:
        if not item.ref_attr_name:
            copy.attribute.add().CopyFrom(item)
        elif item.ref_attr_name in references:
            resolved = copy.attribute.add()
            resolved.CopyFrom(references[item.ref_attr_name])
            resolved.name = item.name
    return copy


def _with_gaps(proto: Any, scope: Scope, inputs: Sequence[str]) -> Any:
    """Returns a node of a function without the inputs that the caller left out."""
    if not any(name in inputs and name not in scope for name in proto.input):
        return proto
    copy = type(proto)()
    copy.CopyFrom(proto)
    for place, name in enumerate(copy.input):
        if name in inputs and name not in scope:
            copy.input[place] = ""
    return copy


def to_ndarray(array: Array) -> NDArray:
    """Returns elements as an array of this package."""
    if array.dtype.name == "bfloat16":
        bits = torch.from_numpy(np.ascontiguousarray(array).view(np.int16))
        return ndarray.from_torch(bits.view(torch.bfloat16))
    return ndarray.array(array, ctx=cpu(), dtype=array.dtype)
