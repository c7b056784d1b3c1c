"""Shapes of results from those of inputs, for operators that carry open lengths through models.

ONNX's inference gives lengths names of its own where a shape was computed by nodes. Here they keep
the names that inputs have, by which `Reshape` and others recognize them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mxnet.onnx._import.lengths import Axis, Length
from mxnet.onnx._import.nodes import Node
from mxnet.onnx._import.values import NotImportableError

Shape = tuple[Axis, ...]

_SAME = frozenset(
    {"Abs", "BatchNormalization", "Cast", "Ceil", "Celu", "Clip", "Cos", "CumSum", "Dropout"}
    | {"Elu", "Erf", "Exp", "FastGelu", "Floor", "Gelu", "HardSigmoid", "HardSwish", "Identity"}
    | {"InstanceNormalization", "IsNaN", "LRN", "LayerNormalization", "LeakyRelu", "Log"}
    | {"LogSoftmax", "LpNormalization", "Mish", "Neg", "Not", "PRelu", "RMSNormalization"}
    | {"Reciprocal", "Relu", "Round", "Selu", "Sigmoid", "Sign", "Sin", "Softmax", "Softplus"}
    | {"Softsign", "Sqrt", "Swish", "Tan", "Tanh", "Trilu"}
)
"""Operators whose result has the shape of their first input."""
_BROADCAST = frozenset(
    {"Add", "And", "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max"}
    | {"Mean", "Min", "Mod", "Mul", "Or", "Pow", "Sub", "Sum", "Where", "Xor"}
)
"""Operators whose result has the shape that their inputs have together."""


def track(node: Node) -> Shape | None:
    """Returns the shape of the first output of a node, None if it is not known here."""
    try:
        shapes = [value.lengths for value in node.inputs if value is not None]
    except NotImportableError:
        return None
    if not shapes:
        return None
    if node.op_type in _SAME:
        return shapes[0]
    if node.op_type in _BROADCAST:
        return broadcast(shapes)
    rule = _RULES.get(node.op_type)
    return None if rule is None else rule(node, shapes)


def broadcast(shapes: Sequence[Shape]) -> Shape:
    """Returns the shape that arrays of several shapes have together."""
    ndim = max(map(len, shapes))
    padded = [(1,) * (ndim - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(_common(column) for column in zip(*padded, strict=True))


def _common(lengths: Sequence[Axis]) -> Axis:
    rest = [length for length in lengths if isinstance(length, Length) or length != 1]
    known = [length for length in rest if not isinstance(length, Length)]
    if known:
        return known[0]
    if not rest:
        return 1
    first = rest[0]
    is_one = isinstance(first, Length) and all(first.is_same(other) for other in rest)
    return first if is_one else Length()


def _transpose(node: Node, shapes: Sequence[Shape]) -> Shape | None:
    order = node.ints("perm") or list(range(len(shapes[0])))[::-1]
    if sorted(order) != list(range(len(shapes[0]))):
        return None
    return tuple(shapes[0][axis] for axis in order)


def _matmul(_: Node, shapes: Sequence[Shape]) -> Shape | None:
    if len(shapes) != 2 or min(map(len, shapes)) < 2:
        return None
    left, right = shapes
    return (*broadcast([left[:-2], right[:-2]]), left[-2], right[-1])


def _unsqueeze(node: Node, shapes: Sequence[Shape]) -> Shape | None:
    axes = node.ints_or_input("axes", 1, 13)
    if axes is None:
        return None
    ndim = len(shapes[0]) + len(axes)
    places = {axis % ndim for axis in axes}
    left = iter(shapes[0])
    if len(places) != len(axes):
        return None
    return tuple(1 if axis in places else next(left) for axis in range(ndim))


def _gather(node: Node, shapes: Sequence[Shape]) -> Shape | None:
    axis = node.normalize(node.get("axis", 0), len(shapes[0]))
    return (*shapes[0][:axis], *shapes[1], *shapes[0][axis + 1 :])


_RULES: dict[str, Callable[[Node, Sequence[Shape]], Shape | None]] = {
    "Transpose": _transpose,
    "MatMul": _matmul,
    "Unsqueeze": _unsqueeze,
    "Gather": _gather,
}
