"""Functions: operators that other nodes define, in the file or by ONNX itself.

They are imported as these nodes, in a scope of their own. ONNX's inliner is not used: it does not
count what it writes.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping, Set
from typing import Any, NamedTuple

from mxnet.errors import shown
from mxnet.onnx._import.budget import ELEMENTS, Budget
from mxnet.onnx._import.checks import function_key
from mxnet.onnx._import.lengths import NotImportableError
from mxnet.onnx._import.nodes import Node, Setting, Value
from mxnet.onnx._import.reader import ModelFile, read_opsets
from mxnet.symbol import Symbol


class _Function(NamedTuple):
    """A function, with what each of its calls needs of it.

    Attributes:
        proto: The function in the file, or of ONNX itself.
        defaults: Attributes that a call need not give, by name.
        opsets: Versions of the domains of its operators.
    """

    proto: Any
    defaults: dict[str, Any]
    opsets: dict[str, int]


class Functions:
    """The functions that nodes of a model may call.

    Args:
        file: The model.
    """

    def __init__(self, file: ModelFile) -> None:
        self._file = file
        self._own = {
            (f.domain, f.name, f.overload): _Function(
                f, {item.name: item for item in f.attribute_proto}, read_opsets(f.opset_import)
            )
            for f in file.model.functions
        }

    def find_own(self, proto: Any) -> _Function | None:
        """Returns the function of the file that a node calls, None if it calls none."""
        return self._own.get(function_key(proto)) if self._own else None

    def run_own(self, function: _Function, node: Node, proto: Any) -> list[Value]:
        """Imports the nodes of a function of the file."""
        num_inputs, num_outputs = len(function.proto.input), len(function.proto.output)
        if len(node.inputs) > num_inputs or len(node.outputs) > num_outputs:
            raise node.error(
                f"the function has {num_inputs} inputs and {num_outputs} "
                f"outputs, got {len(node.inputs)} and {len(node.outputs)}"
            )
        return self._run(function, node, proto)

    def run_standard(self, node: Node, proto: Any) -> list[Value]:
        """Imports the nodes that ONNX itself defines an operator by.

        Raises:
            NotImportableError: There is no such operator, or it is not defined by others.
        """
        defs = self._file.onnx.defs
        try:
            schema = defs.get_schema(node.op_type, node.version, node.domain)
        except (defs.SchemaError, TypeError):  # the latter for a version of more than 32 bits
            schema = None
        body = None if schema is None else self._find_body(schema, node, proto)
        if schema is None or body is None:
            domain = node.domain or "ai.onnx"
            raise node.error(
                f"there is no operator {shown(node.op_type)} of the domain {shown(domain)} here; "
                "`glueball docs onnx_import` lists those that can be imported"
            )
        attrs = {
            name: item.default_value
            for name, item in schema.attributes.items()
            if item.default_value.name
        }
        return self._run(_Function(body, attrs, read_opsets(body.opset_import)), node, proto)

    def _run(self, called: _Function, node: Node, proto: Any) -> list[Value]:
        function = called.proto
        node.budget.spend_names(len(function.input) + len(function.output), node.place)
        scope: dict[str, Value] = {
            name: value for name, value in zip(function.input, node.inputs, strict=False) if value
        }
        opsets = {"": node.version if not node.domain else self._file.opsets[""]}
        attrs = {item.name: item for item in proto.attribute}
        missing = {*function.input} - scope.keys()
        with node.budget.nested(node.place):
            node.importer.run_nodes(
                [_with_gaps(item, missing, node.budget) for item in function.node],
                scope,
                # Chains, as a function may have many of them and be called often.
                Setting(ChainMap(called.opsets, opsets), ChainMap(attrs, called.defaults)),
            )
        return [scope.get(name) or _nothing(name) for name in function.output]

    def _find_body(self, schema: Any, node: Node, proto: Any) -> Any:
        """Returns the nodes that define an operator, perhaps for the types of its inputs."""
        if schema.has_function:
            return schema.function_body
        if not schema.has_context_dependent_function:
            return None
        helper = self._file.onnx.helper
        types = []
        for value in node.inputs:
            if value is None or value.dtype is None:
                types.append(self._file.onnx.TypeProto().SerializeToString())
                continue
            number = self._file.dtype_number(value.dtype)
            shape = [n if isinstance(n, int) else None for n in value.lengths]
            types.append(helper.make_tensor_type_proto(number, shape).SerializeToString())
        content = schema.get_context_dependent_function(proto.SerializeToString(), types)
        return self._file.onnx.FunctionProto.FromString(content) if content else None


def _nothing(name: str) -> Value:
    """Returns an output that a function does not compute in this form."""

    def refuse(_: Value) -> Symbol:
        raise NotImportableError(f"the output {shown(name)} is not computed")

    return Value(name, refuse)


def resolve(proto: Any, references: Mapping[str, Any], budget: Budget) -> Any:
    """Returns a node of a function with the attributes of the function that it refers to."""
    if not any(item.ref_attr_name for item in proto.attribute):
        return proto
    given = [references.get(item.ref_attr_name) for item in proto.attribute]
    _pay_copies((proto, *filter(None, given)), budget)
    copy = type(proto)()
    copy.CopyFrom(proto)
    del copy.attribute[:]
    for item, value in zip(proto.attribute, given, strict=True):
        if not item.ref_attr_name:
            copy.attribute.add().CopyFrom(item)
        elif value is not None:
            resolved = copy.attribute.add()
            resolved.CopyFrom(value)
            resolved.name = item.name
    return copy


def _with_gaps(proto: Any, missing: Set[str], budget: Budget) -> Any:
    """Returns a node of a function without the inputs that the caller left out."""
    if missing.isdisjoint(proto.input):
        return proto
    _pay_copies([proto], budget)
    copy = type(proto)()
    copy.CopyFrom(proto)
    for place, name in enumerate(copy.input):
        if name in missing:
            copy.input[place] = ""
    return copy


def _pay_copies(messages: Iterable[Any], budget: Budget) -> None:
    size = sum(message.ByteSize() for message in messages)
    budget.spend(ELEMENTS, size, "attributes of functions")
