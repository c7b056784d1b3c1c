"""Shapes and element types of everything in a graph, from those of some variables.

A shape is known, partly known (a length of 0 stands for unknown) or not known at all (None). The
graph is walked until nothing new is found: forward through the kernels on tensors without data,
sideways to the weights of an operator, and backward where inputs are shaped like the output.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeAlias

import torch

from mxnet import _dtypes
from mxnet.errors import MXNetError, ShapeMismatchError
from mxnet.graph.infer_inputs import inputs_from_outputs
from mxnet.graph.infer_subgraph import find_shapes, find_types
from mxnet.graph.node import Entry, Node
from mxnet.graph.subgraph import SubgraphOp
from mxnet.ops.attrs import Shape
from mxnet.ops.custom import Use
from mxnet.ops.inference import DataDependentShapeError, infer
from mxnet.ops.registry import Op

Shapes: TypeAlias = dict[Entry, Shape]
Types: TypeAlias = dict[Entry, torch.dtype]

_STAND_INS = (12, 24)
"""Lengths that stand for an unknown one; what differs between the two runs is unknown."""

_MAX_SIZE = 2**56
"""More elements than any memory holds; files may ask for any number."""

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

_STATES = frozenset({"gamma", "beta", "moving_mean", "moving_var"})
"""Inputs of normalizations, which are float32 beside data of half precision."""


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


def is_known(shape: Shape | None) -> bool:
    """Tells whether every length of a shape is known."""
    return shape is not None and all(length > 0 for length in shape)


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
    try:
        found = ast.literal_eval(text.replace("L", ""))  # as Python 2 wrote long lengths
        lengths = found if isinstance(found, (tuple, list)) else (found,)
        shape = tuple(max(operator.index(length), 0) for length in lengths)
    except (ValueError, SyntaxError, TypeError) as error:
        raise MXNetError(f"variable {node.name!r}: __shape__ is {text!r}") from error
    return shape or None


def declared_type(node: Node) -> torch.dtype | None:
    """Reads the element type that a variable carries as an attribute, by its number in files."""
    text = node.attrs.get("__dtype__")
    if text is None or text == "-1":
        return None
    if not text.isdigit() or int(text) not in _dtypes.BY_CODE:
        raise MXNetError(f"variable {node.name!r}: __dtype__ is {text!r}")
    return _dtypes.BY_CODE[int(text)].torch


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
            _learn(shapes, Entry(node), given.get(node.name) or None)
            _learn(shapes, Entry(node), declared_shape(node))
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
        if all(map(is_known, given)):
            raise
        return  # it wants to know more
    for entry, shape in zip(_custom_entries(node, count), chain(*found), strict=False):
        _learn(shapes, entry, tuple(int(length) for length in shape or ()))


def _custom_entries(node: Node, count: int) -> list[Entry]:
    """Lists arguments, outputs and states of an operator written in Python."""
    outputs = [Entry(node, index) for index in range(node.num_outputs)]
    return [*node.inputs[:count], *outputs, *node.inputs[count:]]


def _visit_custom_types(node: Node, custom: Use, types: Types) -> None:
    """Asks an operator written in Python for element types."""
    count = len(custom.arguments)
    given = [types.get(entry) for entry in node.inputs[:count]]
    try:
        found = custom.infer_types(given)
    except MXNetError:
        if None not in given:
            raise
        return
    for entry, kind in zip(_custom_entries(node, count), chain(*found), strict=False):
        if kind is not None:
            types.setdefault(entry, kind)


def _visit(node: Node, op: Op, shapes: Shapes, types: Types) -> None:
    if node.custom is not None:
        _visit_custom(node, node.custom, shapes)
        return
    inputs = [shapes.get(entry) for entry in node.inputs]
    outputs = [shapes.get(Entry(node, index)) for index in range(node.num_outputs)]
    if all(map(is_known, inputs)) and all(map(is_known, outputs)) and inputs:
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
        if op.name in _EXACT or not is_known(shapes.get(entry)):
            _learn(shapes, entry, shape)


def _fill(node: Node, op: Op, first: Shape) -> dict[str, Shape]:
    """Gives the shapes of the other inputs; lengths that come from unknown ones are 0."""
    rule: Any = op.fill_shapes
    attrs = op.with_defaults(node.parsed)
    if is_known(first):
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
    if all(map(is_known, inputs)):
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
        return [shape for shape, _ in _infer(op, inputs, dtypes, node.parsed)]
    by_name = dict(zip(node.input_names, zip(inputs, dtypes, strict=True), strict=True))
    placed = [by_name.get(item.name, (None, None)) for item in op.inputs]
    found = _infer(op, [shape for shape, _ in placed], [kind for _, kind in placed], node.parsed)
    return [shape for shape, _ in found]


def _infer(
    op: Op,
    shapes: Sequence[Shape | None],
    dtypes: Sequence[torch.dtype | None],
    attrs: Mapping[str, Any],
) -> list[tuple[Shape, torch.dtype]]:
    """Runs a kernel without data; networks repeat themselves, and a run takes milliseconds."""
    for shape in shapes:
        if shape is not None and math.prod(shape) > _MAX_SIZE:
            raise ShapeMismatchError(f"{op.name}: no array can have the shape {shape}")
    try:
        return _infer_once(op, tuple(shapes), tuple(dtypes), tuple(attrs.items()))
    except TypeError:  # an attribute that cannot be a key
        return infer(op, shapes, dtypes, attrs)


@lru_cache(maxsize=4096)
def _infer_once(
    op: Op,
    shapes: tuple[Shape | None, ...],
    dtypes: tuple[torch.dtype | None, ...],
    attrs: tuple[tuple[str, Any], ...],
) -> list[tuple[Shape, torch.dtype]]:
    return infer(op, shapes, dtypes, dict(attrs))


def _substitute(shape: Shape, length: int) -> Shape:
    return tuple(each if each > 0 else length for each in shape)


def _common(one: Shape, other: Shape) -> Shape:
    if len(one) != len(other):
        return ()
    return tuple(a if a == b else 0 for a, b in zip(one, other, strict=True))


def infer_types(nodes: Sequence[Node], given: Mapping[str, torch.dtype]) -> Types:
    """Finds out the element types of all outputs of sorted nodes, as far as that is possible.

    Args:
        nodes: The nodes, each after what it reads.
        given: Types of variables by name.
    """
    types: Types = {}
    for node in nodes:
        if node.op is None:
            found = given.get(node.name, declared_type(node))
            if found is not None:
                types[Entry(node)] = found
    count = -1
    while count != len(types):
        count = len(types)
        for node in nodes:
            if node.custom is not None:
                _visit_custom_types(node, node.custom, types)
            elif isinstance(node.op, SubgraphOp):
                for entry, kind in find_types(node, node.op, types, infer_types):
                    types.setdefault(entry, kind)
            elif node.op is not None:
                _visit_types(node, node.op, types)
    return types


def _computed_types(node: Node, op: Op, types: Types) -> list[torch.dtype]:
    """Asks the kernel for the types of its outputs, on small inputs that it may not take."""
    if op.fill_shapes is not None or any(entry not in types for entry in node.inputs):
        return []
    kinds = [types[entry] for entry in node.inputs]
    placed: list[torch.dtype | None] = [*kinds]
    if not op.variadic:
        named = dict(zip(node.input_names, kinds, strict=True))
        placed = [named.get(item.name) for item in op.inputs]
    for shape in ((2, 2), (2, 2, 2, 2)):
        shapes = [None if kind is None else shape for kind in placed]
        try:
            return [kind for _, kind in _infer(op, shapes, placed, node.parsed)]
        except MXNetError:
            continue
    return []


def _visit_types(node: Node, op: Op, types: Types) -> None:
    named = list(zip(node.input_names, node.inputs, strict=True))
    outputs = [Entry(node, index) for index in range(node.num_outputs)]
    own = op.with_defaults(node.parsed).get("dtype")
    fixed = own if isinstance(own, torch.dtype) else None
    free = op.any_dtype
    if op.name.endswith("Embedding"):
        weight = dict(named)["weight"]
        fixed = types.get(weight, fixed)
        alike, known = [("weight", weight)], [fixed or torch.float32]
    elif op.variadic:
        alike, known = ([] if free else named), []
    else:
        alike, known = [pair for pair in named if pair[0] not in free or pair[0] in _STATES], []
    known += [types[entry] for name, entry in alike if entry in types and name not in _STATES]
    if not known and fixed is None:
        known = [types[entry] for entry in outputs if entry in types]
    half = bool(known and op.aux) and known[0] in (torch.float16, torch.bfloat16)
    if known and op.name not in ("Cast", "amp_cast"):
        for name, entry in alike:
            types.setdefault(entry, torch.float32 if half and name in _STATES else known[0])
    for entry, found in zip(outputs, _computed_types(node, op, types), strict=False):
        types.setdefault(entry, found)
    result = fixed if fixed is not None else (known[0] if known else None)
    if result is not None:
        for entry in outputs:
            types.setdefault(entry, torch.float32 if half and entry.output else result)
