"""Arithmetic, comparisons, logic, functions of one array, products of matrices, random numbers."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

from mxnet.onnx._import.nodes import Node, Value, cast, np, operands, sym
from mxnet.onnx._table import BITS, IMPORTS, PAIRS, RANDOM, Attr, Convert, Pair, imports


@imports("Round")
def _round(_: Node, x: Value) -> Any:
    up = np.floor(x.np + 0.5)
    # Halves go to the even neighbour.
    is_half = cast(np.equal(x.np + 0.5, up), x.dtype or "float32")
    return up - is_half * np.abs(np.mod(up, 2))


@imports("Identity", "BlockGrad")
def _identity(_: Node, x: Value) -> Any:
    return x if x.constant is not None else sym.identity(x.sym)


@imports("Div")
def _divide(_: Node, a: Value, b: Value) -> Any:
    if a.is_float:
        one, other = operands(a, b)
        return one / other
    return cast(np.trunc(cast(a.np, "float64") / cast(b.np, "float64")), a.dtype)


@imports("Mod")
def _modulo(node: Node, a: Value, b: Value) -> Any:
    if not node.get("fmod", 0):
        return np.mod(a.np, b.np)
    quotient = np.trunc(cast(a.np, "float64") / cast(b.np, "float64"))
    remainder = cast(a.np, "float64") - quotient * cast(b.np, "float64")
    return cast(remainder, a.dtype or "float32")


@imports("Pow")
def _power(_: Node, a: Value, b: Value) -> Any:
    if a.dtype == b.dtype or b.scalar is not None:
        return np.power(*operands(a, b))
    if not a.is_float:
        powers = np.power(cast(a.np, "float64"), cast(b.np, "float64"))
        return cast(powers, a.dtype)
    return np.power(a.np, cast(b.np, a.dtype))


_ARITHMETIC: dict[str, Convert] = {"Add": operator.add, "Sub": operator.sub, "Mul": operator.mul}


def _declare_pair(pair: Pair) -> None:
    # Operators of Python keep integers, which functions of the dialect take for floats.
    function = _ARITHMETIC.get(pair.theirs) or getattr(np, pair.numpy)

    @imports(pair.theirs)
    def convert(node: Node, a: Value, b: Value) -> Any:
        if pair.theirs in _ARITHMETIC and node.get("broadcast", 0):
            raise node.error("the attribute `broadcast` is of an opset before 7")
        return function(*operands(a, b))


for _pair in PAIRS:
    if _pair.theirs not in IMPORTS:  # divisions and powers of integers differ
        _declare_pair(_pair)


@imports(*BITS, *(f"Bitwise{name}" for name in BITS))
def _bits(node: Node, a: Value, b: Value) -> Any:
    return getattr(np, BITS[node.op_type.removeprefix("Bitwise")])(a.np, b.np)


@imports("BitwiseNot")
def _bitwise_not(_: Node, x: Value) -> Any:
    return np.bitwise_not(x.np)


@imports("IsInf")
def _is_infinite(node: Node, x: Value) -> Any:
    if not node.get("detect_negative", 1):
        return np.isposinf(x.np)
    return np.isinf(x.np) if node.get("detect_positive", 1) else np.isneginf(x.np)


@imports("Cast")
def _cast(node: Node, x: Value) -> Any:
    dtype = node.importer.numpy_dtype(node.get("to", 1), node)
    if dtype.kind == "b":
        return np.not_equal(x.np, 0)
    return sym.Cast(x.sym, dtype=dtype.name)


@imports("CastLike")
def _cast_like(node: Node, x: Value, target: Value) -> Any:
    if target.dtype is None:
        raise node.error("the element type of the second input is not known")
    return sym.Cast(x.sym, dtype=target.dtype)


@imports("Clip")
def _clip(node: Node, x: Value, low: Value | None = None, high: Value | None = None) -> Any:
    least, most = node.get("min"), node.get("max")
    result = x.np
    bounds = ((low, least, np.maximum), (high, most, np.minimum))
    for value, attribute, function in bounds:
        if value is not None:
            bound = value.scalar if value.scalar is not None else value.np
            result = function(result, bound)
        elif attribute is not None:
            result = function(result, float(attribute))
    return result if result is not x.np else sym.identity(x.sym)


@imports("Where")
def _where(_: Node, condition: Value, a: Value, b: Value) -> Any:
    return np.where(condition.np, a.np, b.np)


@imports("BitShift")
def _shift(node: Node, a: Value, b: Value) -> Any:
    powers = np.power(2.0, cast(b.np, "float64"))
    left = node.get("direction") == "LEFT"
    numbers = cast(a.np, "float64")
    shifted = numbers * powers if left else np.floor(numbers / powers)
    bits = {"uint8": 8, "uint16": 16, "uint32": 32}.get(a.dtype or "")
    if bits is None:
        raise node.error(f"elements of {a.dtype} cannot be shifted exactly")
    return cast(np.mod(shifted, float(1 << bits)), a.dtype)


@imports("Sum", "Mean")
def _sum(node: Node, *values: Value) -> Any:
    total = reduce(operator.add, (value.np for value in values))
    return total if node.op_type == "Sum" else total / len(values)


@imports("Max", "Min")
def _extreme(node: Node, *values: Value) -> Any:
    function = np.maximum if node.op_type == "Max" else np.minimum
    if len(values) == 1:
        return sym.identity(values[0].sym)
    return reduce(function, (value.np for value in values))


@imports("Concat")
def _concat(node: Node, *values: Value) -> Any:
    if len(values) == 1:
        return sym.identity(values[0].sym)
    return sym.concat(*[value.sym for value in values], dim=node.get("axis", 1))


@imports("Einsum")
def _einsum(node: Node, *values: Value) -> Any:
    return np.einsum(node.get("equation", ""), *[value.np for value in values])


@imports("MatMul", "FusedMatMul")
def _matmul(node: Node, a: Value, b: Value) -> Any:
    left, right = a.np, b.np
    if node.op_type == "FusedMatMul":
        left = np.swapaxes(left, -1, -2) if node.get("transA", 0) else left
        right = np.swapaxes(right, -1, -2) if node.get("transB", 0) else right
        return np.matmul(left, right) * node.get("alpha", 1.0)
    return np.matmul(left, right)


@imports("Gemm")
def _gemm(node: Node, a: Value, b: Value, c: Value | None = None) -> Any:
    alpha, beta = node.get("alpha", 1.0), node.get("beta", 1.0)
    if _is_dense(node, b, c):
        options: dict[str, Any] = {"num_hidden": b.sizes[0], "flatten": False}
        if c is None:
            return sym.FullyConnected(a.sym, b.sym, no_bias=True, **options)
        return sym.FullyConnected(a.sym, b.sym, c.sym, **options)
    left = a.np.T if node.get("transA", 0) else a.np
    right = b.np.T if node.get("transB", 0) else b.np
    product = np.matmul(left, right)
    product = product if alpha == 1 else product * alpha
    if c is None:
        return product
    return product + (c.np if beta == 1 else c.np * beta)


def _is_dense(node: Node, b: Value, c: Value | None) -> bool:
    """Returns whether a node is what a dense layer computes, with parameters that are known."""
    is_plain = node.get("alpha", 1.0) == 1 and node.get("beta", 1.0) == 1
    is_plain &= not node.get("transA", 0) and bool(node.get("transB", 0)) and b.is_float
    if not is_plain or b.constant is None or b.ndim != 2:
        return False
    return c is None or (c.constant is not None and c.lengths == (b.sizes[0],))


@imports("Det")
def _determinant(_: Node, x: Value) -> Any:
    return np.linalg.det(x.np)


def _dtype(node: Node, default: str | None = None) -> str:
    number = node.get("dtype")
    if number is None:
        return default or "float32"
    return str(node.importer.numpy_dtype(number, node).name)


def _declare_random(name: str, attrs: Sequence[Attr]) -> None:
    def parameters(node: Node) -> dict[str, Any]:
        return {attr.ours: node.get(attr.theirs, attr.default) for attr in attrs}

    @imports(f"Random{name}")
    def draw(node: Node) -> Any:
        shape = tuple(node.ints("shape") or ())
        function = getattr(sym.random, name.lower())
        return function(**parameters(node), shape=shape, dtype=_dtype(node))

    @imports(f"Random{name}Like")
    def draw_like(node: Node, x: Value) -> Any:
        drawn = getattr(sym.random, f"{name.lower()}_like")(x.sym, **parameters(node))
        return sym.Cast(drawn, dtype=_dtype(node, x.dtype))


for _name, _attrs in RANDOM.items():
    _declare_random(_name, _attrs)


@imports("Multinomial")
def _multinomial(node: Node, x: Value) -> Any:
    count = node.get("sample_size", 1)
    drawn = sym.sample_multinomial(sym.softmax(x.sym), shape=(count,))
    return sym.Cast(drawn, dtype=_dtype(node, "int32"))


@imports("Bernoulli")
def _bernoulli(node: Node, x: Value) -> Any:
    drawn = sym.random.uniform_like(x.sym).as_np_ndarray() < x.np
    return cast(drawn, _dtype(node, x.dtype))


_REFUSED = {
    "quantized models cannot be imported; import the model as it was before it was quantized": (
        *("ConvInteger", "DequantizeLinear", "DynamicQuantizeLinear", "MatMulInteger"),
        *("QLinearConv", "QLinearMatMul", "QuantizeLinear"),
    ),
    "values that are no tensors cannot be imported": (
        *("ConcatFromSequence", "Optional", "OptionalGetElement", "OptionalHasElement"),
        *("SequenceAt", "SequenceConstruct", "SequenceEmpty", "SequenceErase", "SequenceInsert"),
        *("SequenceLength", "SequenceMap", "SplitToSequence"),
    ),
}
"""Operators that are refused with a reason rather than as unknown."""


def _refuse(reason: str, names: Sequence[str]) -> None:
    @imports(*names)
    def convert(node: Node, *_: Value | None) -> Any:
        raise node.error(reason)


for _reason, _names in _REFUSED.items():
    _refuse(_reason, _names)
