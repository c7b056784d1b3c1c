"""How the NumPy dialect spells operators of two operands; see `spellings.py`."""

from __future__ import annotations

import numpy as np

from mxnet.ops.spellings import NUMPY_PREFIXES, Binary, Names, Spellings


def public_name(name: str) -> str:
    """Returns what an operator is called in this dialect; nodes of graphs are named after it."""
    for prefix in NUMPY_PREFIXES:
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name.lstrip("_")


def _place(name: str) -> tuple[str, str]:
    return ("_internal" if name.startswith("_npi_") else "op"), public_name(name)


def _row(
    function: str,
    summary: str,
    *,
    python: str | None = None,
    scalar: str | None = None,
    reflected: str | None = None,
    aliases: tuple[str, ...] = (),
) -> Binary:
    """Builds the row of a function.

    Args:
        function: Its name, which is that of its operator too.
        summary: First sentence of its documentation.
        python: Name of Python's operator.
        scalar: Operator of an array and a number, if that is not called after the function.
        reflected: Operator of a number and an array, if that is another one.
        aliases: Other names of the function.
    """
    plain = scalar or f"{function}_scalar"
    names = Names(f"_npi_{function}", f"_npi_{plain}", f"_npi_{reflected or plain}")
    functions = (function, *aliases)
    return Binary(
        python,
        getattr(np, function),
        summary,
        names,
        names,
        array_functions=functions,
        symbol_functions=functions,
    )


_ARITHMETIC = (
    _row("add", "Returns the sum `x1 + x2`.", python="add"),
    _row(
        "subtract",
        "Returns the difference `x1 - x2`.",
        python="sub",
        reflected="rsubtract_scalar",
    ),
    _row("multiply", "Returns the product `x1 * x2`.", python="mul"),
    _row(
        "true_divide",
        "Returns the quotient `x1 / x2`, which is a floating-point number.",
        python="truediv",
        reflected="rtrue_divide_scalar",
        aliases=("divide",),
    ),
    _row(
        "mod",
        "Returns the remainder `x1 % x2`, which has the sign of `x2`.",
        python="mod",
        reflected="rmod_scalar",
        aliases=("remainder",),
    ),
    _row("power", "Returns the power `x1 ** x2`.", python="pow", reflected="rpower_scalar"),
)

_OTHERS = (
    _row("maximum", "Returns the larger one of each two elements."),
    _row("minimum", "Returns the smaller one of each two elements."),
    _row("hypot", "Returns the hypotenuse `sqrt(x1**2 + x2**2)`."),
    _row("lcm", "Returns the least common multiple of each two integers."),
    _row(
        "arctan2",
        "Returns the angle of the point `(x2, x1)` to the first axis.",
        reflected="rarctan2_scalar",
    ),
    _row("copysign", "Returns `x1` with the sign of `x2`.", reflected="rcopysign_scalar"),
    _row("ldexp", "Returns `x1 * 2**x2`.", reflected="rldexp_scalar"),
    _row("bitwise_and", "Returns the bits that both integers have.", python="and"),
    _row("bitwise_or", "Returns the bits that one of the integers has.", python="or"),
    _row("bitwise_xor", "Returns the bits that just one of the integers has.", python="xor"),
)


def _comparison(function: str, python: str, sign: str, mirrored: str) -> Binary:
    """Builds the row of a comparison; `mirrored` is the one with its operands swapped."""
    summary = f"Tests whether `x1 {sign} x2`."
    return _row(function, summary, python=python, reflected=f"{mirrored}_scalar")


_COMPARISONS = (
    _comparison("equal", "eq", "==", "equal"),
    _comparison("not_equal", "ne", "!=", "not_equal"),
    _comparison("greater", "gt", ">", "less"),
    _comparison("greater_equal", "ge", ">=", "less_equal"),
    _comparison("less", "lt", "<", "greater"),
    _comparison("less_equal", "le", "<=", "greater_equal"),
)

NUMPY = Spellings(
    place=_place,
    binary=_ARITHMETIC + _OTHERS + _COMPARISONS,
    array_methods=(),
    symbol_methods=(),
    sparse=(),
    sparse_own=(),
)
"""How `mx.np` and `mx.sym.np` spell operators. Methods are written in `_np_functions`."""
