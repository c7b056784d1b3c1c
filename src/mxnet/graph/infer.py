"""Shapes of everything in a graph, from those of some variables.

A shape is known, partly known (a length of 0 stands for unknown) or not known at all (None). The
graph is walked until nothing new is found: forward through the kernels on tensors without data,
sideways to the weights of an operator, and backward where inputs are shaped like the output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

import torch

from mxnet import limits
from mxnet.errors import MXNetError, ShapeMismatchError, shown
from mxnet.graph.infer_inputs import inputs_from_outputs
from mxnet.graph.infer_node import ask_kernel, list_entries
from mxnet.graph.infer_subgraph import find_shapes
from mxnet.graph.infer_types import Types, infer_types
from mxnet.graph.node import Entry, Node
from mxnet.graph.subgraph import SubgraphOp
from mxnet.ops.attrs import Shape, codec_for, shape_is_known
from mxnet.ops.custom import Use
from mxnet.ops.inference import DataDependentShapeError
from mxnet.ops.registry import Op

Shapes: TypeAlias = dict[Entry, Shape]

_STAND_INS = (12, 24)
"""Lengths that stand for an unknown one; what differs between the two runs is unknown."""

_ALIKE = frozenset(
    {
        "elemwise_add", "elemwise_sub", "elemwise_mul", "elemwise_div", "add_n", "_grad_add",
        "_maximum", "_minimum", "_mod", "_power", "_hypot", "_equal", "_not_equal", "_greater",
        "_greater_equal", "_lesser", "_lesser_equal", "_logical_and", "_logical_or",
        "_logical_xor", "Activation", "BlockGrad", "Cast", "Dropout", "SoftmaxActivation",
        "_contrib_div_sqrt_dim", "_contrib_gradientmultiplier", "_contrib_quadratic", "_copy",
        "amp_cast", "clip", "hard_sigmoid", "identity", "log_softmax", "make_loss", "ones_like",
        "relu", "reverse", "sigmoid", "smooth_l1", "softmax", "softmin", "tanh", "zeros_like",
    }
)  # fmt: skip
"""Operators whose inputs and output all have one shape."""

_KEEPS_BATCH = frozenset({"FullyConnected", "Convolution", "Deconvolution"})
"""Operators with weights whose output has the first length of their data."""

_EXACT = frozenset({"Convolution", "Deconvolution", "Embedding", "FullyConnected"})
"""Operators whose weights have the shapes that follow from the data, and no others."""


def _is_alike(op: Op) -> bool:
    plain = len(op.inputs) == 1 and not op.variadic and not op.attrs and op.fresh
    if len(op.inputs) > 1 and op.name in ("softmax", "log_softmax"):
        return False  # the other input is a length
    return op.name in _ALIKE or op.name.endswith("_scalar") or plain


def _find_alike(node: Node, op: Op) -> list[Entry]:
    """Lists the inputs and the output of a node that have one shape."""
    if op.name == "where":
        return [*node.inputs[1:], Entry(node)]  # a condition may be a vector
    return [*node.inputs, Entry(node)] if _is_alike(op) else []


def merge(first: Shape | None, second: Shape | None) -> Shape | None:
    """Joins what is known of a shape.

    Raises:
        ShapeMismatchError: if the two contradict each other.
    """
    if first is None or second is None:
        return second if first is None else first
    if len(first) != len(second):
        raise ShapeMismatchError(f"shape {first} does not agree with {second}")
    merged = []
    for one, other in zip(first, second, strict=True):
        if one > 0 and other > 0 and one != other:
            raise ShapeMismatchError(f"shape {first} does not agree with {second}")
        merged.append(one if one > 0 else max(other, 0))
    return tuple(merged)


def declared_shape(node: Node) -> Shape | None:
    """Reads the shape that a variable carries as an attribute."""
    text = node.attrs.get("__shape__")
    if text is None or text == "None":
        return None
    limits.check("attribute_text", len(text), f"variable {node.name!r}: __shape__")
    try:
        shape = tuple(max(length, 0) for length in codec_for(Shape).parse(text))
    except (ValueError, TypeError, OverflowError) as error:
        raise MXNetError(f"variable {node.name!r}: __shape__ is {shown(text)}") from error
    return shape or None


def infer_shapes(nodes: Sequence[Node], given: Mapping[str, Shape], types: Types) -> Shapes:
    """Finds out the shapes of all outputs of sorted nodes, as far as that is possible.

    Args:
        nodes: The nodes, each after what it reads.
        given: Shapes of variables by name; 0 stands for an unknown length.
        types: Element types, as far as they are known.

    Raises:
        MXNetError: if the shapes do not fit; it names the node.
    """
    shapes: Shapes = {}
    for node in nodes:
        if node.op is None:
            _learn(shapes, Entry(node), _start(node, given.get(node.name)))
    changed = True
    while changed:
        before = dict(shapes)
        for node in nodes:
            if node.op is not None:
                try:
                    _visit(node, node.op, shapes, types)
                except MXNetError as error:
                    raise MXNetError(f"Error in operator {node.name}: {error}") from error
        changed = before != shapes
    return shapes


def _start(node: Node, given: Shape | None) -> Shape | None:
    """Chooses between the shape that is given for a variable and the one that it carries."""
    if shape_is_known(given):
        return given
    return declared_shape(node) or given


def _learn(shapes: Shapes, entry: Entry, shape: Shape | None) -> None:
    merged = merge(shapes.get(entry), shape or None)
    if merged is not None:
        shapes[entry] = merged


def _visit_custom(node: Node, custom: Use, shapes: Shapes) -> None:
    """Asks an operator written in Python for shapes."""
    count = len(custom.arguments)
    given = [shapes.get(entry) for entry in node.inputs[:count]]
    try:
        found = custom.infer_shapes(given)
    except MXNetError:
        if all(map(shape_is_known, given)):
            raise
        return  # it wants to know more
    for entry, shape in zip(list_entries(node, count), chain(*found), strict=False):
        _learn(shapes, entry, tuple(int(length) for length in shape or ()))


def _visit(node: Node, op: Op, shapes: Shapes, types: Types) -> None:
    if node.custom is not None:
        _visit_custom(node, node.custom, shapes)
        return
    inputs = [shapes.get(entry) for entry in node.inputs]
    outputs = [shapes.get(Entry(node, index)) for index in range(node.num_outputs)]
    if all(map(shape_is_known, inputs)) and all(map(shape_is_known, outputs)) and inputs:
        return
    if isinstance(op, SubgraphOp):
        for entry, found in find_shapes(node, op, shapes, types, infer_shapes, infer_types):
            _learn(shapes, entry, found)
        return
    alike = _find_alike(node, op)
    if alike:
        shape = None
        for entry in alike:
            shape = merge(shape, shapes.get(entry))
        for entry in alike:
            _learn(shapes, entry, shape)
    else:
        _learn_inputs(node, op, outputs, shapes)
    inputs = [shapes.get(entry) for entry in node.inputs]
    if all(shape is not None for shape in inputs):
        computed = _run(node, op, inputs, types)
        for index, shape in enumerate(computed[: node.num_outputs]):
            _learn(shapes, Entry(node, index), shape)


def _learn_inputs(node: Node, op: Op, outputs: Sequence[Shape | None], shapes: Shapes) -> None:
    """Learns shapes of weights from the data, and of the data from the outputs."""
    known = [shapes.get(entry) for entry in node.inputs]
    told = inputs_from_outputs(node, op, known, outputs)
    for entry, shape in zip(node.inputs, told, strict=False):
        _learn(shapes, entry, shape)
    first = shapes.get(node.inputs[0]) if node.inputs else None
    if first is None or op.fill_shapes is None:
        return
    output = outputs[0]
    if op.name in _KEEPS_BATCH and output and first[0] == 0:
        first = (output[0], *first[1:])
        _learn(shapes, node.inputs[0], first)
    for name, shape in _fill(node, op, first).items():
        if name not in node.input_names:
            continue
        entry = node.inputs[node.input_names.index(name)]
        # Else the kernel decides: it may broadcast.
        if op.name in _EXACT or not shape_is_known(shapes.get(entry)):
            _learn(shapes, entry, shape)


def _fill(node: Node, op: Op, first: Shape) -> dict[str, Shape]:
    """Gives the shapes of the other inputs; lengths that come from unknown ones are 0."""
    rule: Any = op.fill_shapes
    attrs = op.with_defaults(node.parsed)
    if shape_is_known(first):
        try:
            return {name: tuple(shape) for name, shape in rule(first, **attrs).items()}
        except (IndexError, ValueError, TypeError) as error:
            raise ShapeMismatchError(
                f"{op.name}: does not take data of shape {first}: {error}"
            ) from error
    try:
        runs = [rule(_substitute(first, length), **attrs) for length in _STAND_INS]
    except (IndexError, ValueError, TypeError):
        return {}
    return {name: _common(runs[0][name], runs[1][name]) for name in runs[0]}


def _run(node: Node, op: Op, inputs: Sequence[Any], types: Types) -> list[Shape]:
    dtypes = [types.get(entry, torch.float32) for entry in node.inputs]
    if all(map(shape_is_known, inputs)):
        try:
            return _outputs(node, op, inputs, dtypes)
        except DataDependentShapeError:
            return []
    try:
        runs = [
            _outputs(node, op, [_substitute(shape, length) for shape in inputs], dtypes)
            for length in _STAND_INS
        ]
    except MXNetError:
        return []
    return [_common(one, other) for one, other in zip(*runs, strict=True)]


def _outputs(
    node: Node, op: Op, inputs: Sequence[Shape], dtypes: Sequence[torch.dtype]
) -> list[Shape]:
    if op.variadic:
        return [shape for shape, _ in ask_kernel(op, inputs, dtypes, node.parsed)]
    by_name = dict(zip(node.input_names, zip(inputs, dtypes, strict=True), strict=True))
    placed = [by_name.get(item.name, (None, None)) for item in op.inputs]
    found = ask_kernel(
        op, [shape for shape, _ in placed], [kind for _, kind in placed], node.parsed
    )
    return [shape for shape, _ in found]


def _substitute(shape: Shape, length: int) -> Shape:
    return tuple(each if each > 0 else length for each in shape)


def _common(one: Shape, other: Shape) -> Shape:
    if len(one) != len(other):
        return ()
    return tuple(a if a == b else 0 for a, b in zip(one, other, strict=True))
