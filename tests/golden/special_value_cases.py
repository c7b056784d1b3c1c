"""Elementwise operators on the values at which they are likely to differ.

Plain data on NumPy alone: `make_special_values.py` runs it under the original, and
`tests/ops/test_special_values.py` here.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, nan

import numpy as np

UNARY = (
    *("abs", "sign", "negative", "square", "ceil", "floor", "trunc", "fix", "round", "rint"),
    *("gamma", "relu", "sqrt", "rsqrt", "cbrt", "rcbrt", "reciprocal", "exp", "expm1", "log"),
    *("log10", "log2", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh"),
    *("tanh", "arcsinh", "arccosh", "arctanh", "degrees", "radians", "erf", "erfinv", "gammaln"),
    *("sigmoid", "softsign", "logical_not", "hard_sigmoid", "smooth_l1"),
)
BINARY = tuple(
    f"broadcast_{name}"
    for name in (
        *("add", "sub", "mul", "div", "mod", "power", "maximum", "minimum", "hypot", "equal"),
        *("not_equal", "greater", "greater_equal", "lesser", "lesser_equal", "logical_and"),
        *("logical_or", "logical_xor"),
    )
)
FLOATS = ("float16", "float32", "float64")
INTEGERS = ("uint8", "int8", "int32", "int64")


def specials(dtype: str) -> np.ndarray:
    """The special values of an element type."""
    if dtype in FLOATS:
        limits = np.finfo(dtype)
        ends = [limits.max, -limits.max, limits.tiny, -limits.tiny, limits.tiny / 4]
        usual = [1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, 2, -2, 3, -3, 100, -100, 1e-3]
        return np.array([nan, inf, -inf, 0.0, -0.0, *usual, *ends], dtype)
    limits = np.iinfo(dtype)
    negative = [-1, -2, -3] if limits.min else [254, 253, 128]
    return np.array([limits.min, limits.max, limits.max - 1, 0, 1, 2, 3, 5, *negative], dtype)


def pairs(operator: str, dtype: str) -> list[np.ndarray]:
    """All pairs of special values, without those for which the original ends the process."""
    values = specials(dtype)
    left, right = np.repeat(values, len(values)), np.tile(values, len(values))
    if operator == "broadcast_div" and dtype in INTEGERS:
        traps = (right == 0) | ((left == values[0]) & (right.astype("int64") == -1))
        left, right = left[~traps], right[~traps]
    return [left, right]


def cases() -> Iterator[tuple[str, str, list[np.ndarray]]]:
    """Yields operator, dtype and inputs of each call."""
    for dtype in (*FLOATS, *INTEGERS):
        for operator in UNARY:
            yield operator, dtype, [specials(dtype)]
        for operator in BINARY:
            yield operator, dtype, pairs(operator, dtype)


def run(mx: object, operator: str, inputs: list[np.ndarray]) -> dict[str, np.ndarray]:
    """Runs a call forward and, for floats, backward; empty if it is refused."""
    arrays = [mx.nd.array(item, dtype=item.dtype) for item in inputs]
    floating = inputs[0].dtype.kind == "f"
    for array in arrays if floating else ():
        array.attach_grad()
    try:
        with mx.autograd.record():
            result = getattr(mx.nd, operator)(*arrays)
        found = {"out": result.asnumpy()}
    except mx.MXNetError:
        return {}
    if floating:
        result.backward()
        found |= {f"grad{number}": array.grad.asnumpy() for number, array in enumerate(arrays)}
    return found
