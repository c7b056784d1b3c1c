"""Operators on elements: arithmetic, comparisons, logic, functions of one array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxnet.onnx._import.functions import cast, np, npx, sym
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.values import Value

_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "Abs": np.abs,
    "Acos": np.arccos,
    "Acosh": np.arccosh,
    "Asin": np.arcsin,
    "Asinh": np.arcsinh,
    "Atan": np.arctan,
    "Atanh": np.arctanh,
    "Ceil": np.ceil,
    "Cos": np.cos,
    "Cosh": np.cosh,
    "Erf": npx.erf,
    "Exp": np.exp,
    "Floor": np.floor,
    "IsNaN": np.isnan,
    "Log": np.log,
    "Neg": np.negative,
    "Not": np.logical_not,
    "Reciprocal": np.reciprocal,
    "Sign": np.sign,
    "Sin": np.sin,
    "Sinh": np.sinh,
    "Sqrt": np.sqrt,
    "Tan": np.tan,
    "Tanh": np.tanh,
    "BitwiseNot": np.bitwise_not,
}

_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
}

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "Equal": np.equal,
    "Greater": np.greater,
    "GreaterOrEqual": np.greater_equal,
    "Less": np.less,
    "LessOrEqual": np.less_equal,
}


@imports(*_FUNCTIONS)
def _function(node: Node, x: Value) -> Any:
    return _FUNCTIONS[node.op_type](x.np)


@imports("Round")
def _round(_: Node, x: Value) -> Any:
    up = np.floor(x.np + 0.5)
    # Halves go to the even neighbour.
    is_half = cast(np.equal(x.np + 0.5, up), x.dtype or "float32")
    return up - is_half * np.abs(np.mod(up, 2))


@imports("Identity", "BlockGrad")
def _identity(_: Node, x: Value) -> Any:
    return x if x.constant is not None else sym.identity(x.sym)


def operands(node: Node, a: Value, b: Value) -> tuple[Any, Any]:
    """Returns two inputs, a constant of one element as a number where that means the same."""
    del node
    if b.scalar is not None and len(b.lengths) <= _ndim_or_zero(a) and a.constant is None:
        return a.np, b.scalar
    if a.scalar is not None and len(a.lengths) <= _ndim_or_zero(b) and b.constant is None:
        return a.scalar, b.np
    return a.np, b.np


def _ndim_or_zero(value: Value) -> int:
    try:
        return value.ndim
    except NotImplementedError:
        return 0


@imports(*_ARITHMETIC)
def _arithmetic(node: Node, a: Value, b: Value) -> Any:
    _refuse_old_broadcasting(node)
    return _ARITHMETIC[node.op_type](*operands(node, a, b))


def _refuse_old_broadcasting(node: Node) -> None:
    if node.get("broadcast", 0):
        raise node.error("the attribute `broadcast` is of an opset before 7")


@imports("Div")
def _divide(node: Node, a: Value, b: Value) -> Any:
    if a.is_float:
        one, other = operands(node, a, b)
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
def _power(node: Node, a: Value, b: Value) -> Any:
    if a.dtype == b.dtype or b.scalar is not None:
        return np.power(*operands(node, a, b))
    if not a.is_float:
        powers = np.power(cast(a.np, "float64"), cast(b.np, "float64"))
        return cast(powers, a.dtype)
    return np.power(a.np, cast(b.np, a.dtype))


@imports(*_COMPARISONS)
def _comparison(node: Node, a: Value, b: Value) -> Any:
    return _COMPARISONS[node.op_type](*operands(node, a, b))


@imports("And")
def _and(_: Node, a: Value, b: Value) -> Any:
    return np.bitwise_and(a.np, b.np)


@imports("Or")
def _or(_: Node, a: Value, b: Value) -> Any:
    return np.bitwise_or(a.np, b.np)


@imports("Xor")
def _xor(_: Node, a: Value, b: Value) -> Any:
    return np.bitwise_xor(a.np, b.np)


@imports("BitwiseAnd")
def _bitwise_and(_: Node, a: Value, b: Value) -> Any:
    return np.bitwise_and(a.np, b.np)


@imports("BitwiseOr")
def _bitwise_or(_: Node, a: Value, b: Value) -> Any:
    return np.bitwise_or(a.np, b.np)


@imports("BitwiseXor")
def _bitwise_xor(_: Node, a: Value, b: Value) -> Any:
    return np.bitwise_xor(a.np, b.np)


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
