"""Public spellings of operators: the module of a function, methods, and Python's operators.

Everything that programs write is installed from this table: functions, methods and operators of
arrays, sparse arrays, traced arrays and symbols, and their type stubs. A second dialect adds a
`Spellings` of its own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mxnet.ops.core.registry import on_pairs


class Names(NamedTuple):
    """The operators behind a function of two operands, by name.

    Attributes:
        pair: Both operands are arrays (or symbols).
        scalar: An array and a number.
        reflected: A number and an array.
    """

    pair: str
    scalar: str
    reflected: str


class Binary(NamedTuple):
    """A function of two operands, each of which may be a number.

    Arrays and symbols run different operators for it: arrays broadcast, symbols need equal shapes.
    The names of nodes, which files keep, come from the names in the column of symbols.

    Attributes:
        python: Name of Python's operator without underscores, None if there is none.
        on_numbers: What it does to two numbers.
        summary: First sentence of its documentation.
        arrays: Its operators on arrays; None if arrays do not have it.
        symbols: Its operators on symbols; None if symbols do not have it.
        same_shape: The operator on sparse arrays of one shape, if that is one of its own.
        array_functions: Names of its functions on arrays.
        symbol_functions: Names of its functions on symbols.
        function_reflected: The operator of a number and a symbol where the function calls it by
            another of its names than Python's operator does.
        example: Section of the documentation that shows its function on arrays.
    """

    python: str | None
    on_numbers: Callable[[Any, Any], Any]
    summary: str
    arrays: Names | None
    symbols: Names | None
    same_shape: str | None = None
    array_functions: tuple[str, ...] = ()
    symbol_functions: tuple[str, ...] = ()
    function_reflected: str | None = None
    example: str = ""

    def doc(self, operands: str) -> str:
        """Returns the documentation of its functions, without the example."""
        return f"{self.summary}\n\nThe operands are {operands}."

    @property
    def is_arithmetic(self) -> bool:
        """Whether Python has a reflected method for it, as it has for `+` and not for `<`."""
        return self.python in _REFLECTED


_REFLECTED = frozenset(
    {"add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Spellings:
    """The public names of a dialect.

    Attributes:
        place: Returns the module and the name of the function that an operator's name stands for,
            None if the dialect has no such function.
        binary: Functions of two operands and Python's operators.
        array_methods: Functions that are methods of arrays too.
        symbol_methods: Functions that are methods of symbols too.
        sparse: Functions of the module of sparse arrays that are those of plain ones.
        sparse_own: Functions of that module which have operators of their own, `_sparse_` before
            their names.
    """

    place: Callable[[str], tuple[str, str] | None]
    binary: tuple[Binary, ...]
    array_methods: tuple[str, ...]
    symbol_methods: tuple[str, ...]
    sparse: tuple[str, ...]
    sparse_own: tuple[str, ...]


NUMPY_PREFIXES = ("_npi_", "_npx_", "_np_")
"""What the names of operators of the NumPy dialect begin with."""
_PREFIXES = {"_contrib_": "contrib", "_linalg_": "linalg", "_image_": "image"}


@lru_cache(maxsize=4096)  # arrays and symbols ask for the same names
def _place(name: str) -> tuple[str, str] | None:
    if name.startswith(NUMPY_PREFIXES):
        return None
    for prefix, module in _PREFIXES.items():
        if name.startswith(prefix):
            return module, name.removeprefix(prefix)
    if name.startswith("_random_") and name.endswith("_like"):
        return "random", name.removeprefix("_random_")
    return ("_internal" if name.startswith("_") else "op"), name


_ARITHMETIC = (
    Binary(
        "add",
        operator.add,
        "Returns the sum `lhs + rhs`.",
        Names("broadcast_add", "_plus_scalar", "_plus_scalar"),
        Names("_Plus", "_PlusScalar", "_PlusScalar"),
        same_shape="elemwise_add",
        array_functions=("add",),
        example=on_pairs("add", "[[1, 2], [3, 4]]", "[10, 20]", "[[11. 22.]\n [13. 24.]]"),
    ),
    Binary(
        "sub",
        operator.sub,
        "Returns the difference `lhs - rhs`.",
        Names("broadcast_sub", "_minus_scalar", "_rminus_scalar"),
        Names("_Minus", "_MinusScalar", "_RMinusScalar"),
        same_shape="elemwise_sub",
        array_functions=("subtract",),
        example=on_pairs("subtract", "[[1, 2], [3, 4]]", "1", "[[0. 1.]\n [2. 3.]]"),
    ),
    Binary(
        "mul",
        operator.mul,
        "Returns the product `lhs * rhs`.",
        Names("broadcast_mul", "_mul_scalar", "_mul_scalar"),
        Names("_Mul", "_MulScalar", "_MulScalar"),
        same_shape="elemwise_mul",
        array_functions=("multiply",),
        example=on_pairs(
            "multiply", "[[1, 2], [3, 4]]", "[[10], [100]]", "[[ 10.  20.]\n [300. 400.]]"
        ),
    ),
    Binary(
        "truediv",
        operator.truediv,
        "Returns the quotient `lhs / rhs`.",
        Names("broadcast_div", "_div_scalar", "_rdiv_scalar"),
        Names("_Div", "_DivScalar", "_RDivScalar"),
        same_shape="elemwise_div",
        array_functions=("divide", "true_divide"),
        example=on_pairs("divide", "[[2, 4], [6, 8]]", "[2, 4]", "[[1. 1.]\n [3. 2.]]"),
    ),
    Binary(
        "mod",
        operator.mod,
        "Returns the remainder `lhs % rhs`.",
        Names("broadcast_mod", "_mod_scalar", "_rmod_scalar"),
        Names("_Mod", "_ModScalar", "_RModScalar"),
        array_functions=("modulo",),
        example=on_pairs("modulo", "[-7, 7]", "3", "[2. 1.]"),
    ),
    Binary(
        "pow",
        operator.pow,
        "Returns the power `base ** exp`.",
        Names("broadcast_power", "_power_scalar", "_rpower_scalar"),
        Names("_Power", "_PowerScalar", "_rpower_scalar"),
        array_functions=("power",),
        example=on_pairs("power", "[1, 2, 3]", "2", "[1. 4. 9.]"),
        symbol_functions=("pow", "power"),
        function_reflected="_RPowerScalar",
    ),
    Binary(
        None,
        max,
        "Returns the larger one of each two elements.",
        Names("broadcast_maximum", "_maximum_scalar", "_maximum_scalar"),
        Names("_Maximum", "_MaximumScalar", "_MaximumScalar"),
        array_functions=("maximum",),
        example=on_pairs("maximum", "[1, 5, 3]", "[4, 2, 3]", "[4. 5. 3.]"),
        symbol_functions=("maximum",),
    ),
    Binary(
        None,
        min,
        "Returns the smaller one of each two elements.",
        Names("broadcast_minimum", "_minimum_scalar", "_minimum_scalar"),
        Names("_Minimum", "_MinimumScalar", "_MinimumScalar"),
        array_functions=("minimum",),
        example=on_pairs("minimum", "[1, 5, 3]", "[4, 2, 3]", "[1. 2. 3.]"),
        symbol_functions=("minimum",),
    ),
    Binary(
        None,
        lambda a, b: (a**2 + b**2) ** 0.5,
        "Returns the hypotenuse `sqrt(left**2 + right**2)`.",
        None,
        Names("_Hypot", "_HypotScalar", "_HypotScalar"),
        symbol_functions=("hypot",),
    ),
)


def _comparison(python: str, name: str, mirrored: str, sign: str, results: str) -> Binary:
    """Builds the row of a comparison; `mirrored` is the one with its operands swapped."""
    scalars = (f"_{name}_scalar", f"_{mirrored}_scalar")
    compare = getattr(operator, python)
    return Binary(
        python,
        lambda a, b: int(compare(a, b)),
        f"Returns 1 where `lhs {sign} rhs`, else 0.",
        Names(f"broadcast_{name}", *scalars),
        Names(f"_{name}", *scalars),
        array_functions=(name,),
        example=on_pairs(name, "[1, 2, 3]", "2", results),
    )


def _logical(
    name: str, condition: str, combine: Callable[[bool, bool], bool], results: str
) -> Binary:
    scalar = f"_{name}_scalar"
    return Binary(
        None,
        lambda a, b: int(combine(bool(a), bool(b))),
        f"Returns 1 where {condition}, else 0.",
        Names(f"broadcast_{name}", scalar, scalar),
        None,
        array_functions=(name,),
        example=on_pairs(name, "[0, 0, 2, 2]", "[0, 3, 0, 3]", results),
    )


_COMPARISONS = (
    _comparison("eq", "equal", "equal", "==", "[0. 1. 0.]"),
    _comparison("ne", "not_equal", "not_equal", "!=", "[1. 0. 1.]"),
    _comparison("gt", "greater", "lesser", ">", "[0. 0. 1.]"),
    _comparison("ge", "greater_equal", "lesser_equal", ">=", "[0. 1. 1.]"),
    _comparison("lt", "lesser", "greater", "<", "[1. 0. 0.]"),
    _comparison("le", "lesser_equal", "greater_equal", "<=", "[1. 1. 0.]"),
    _logical("logical_and", "`lhs` and `rhs` are both not 0", operator.and_, "[0. 0. 0. 1.]"),
    _logical("logical_or", "`lhs` or `rhs` is not 0", operator.or_, "[0. 1. 1. 1.]"),
    _logical("logical_xor", "just one of `lhs` and `rhs` is not 0", operator.xor, "[0. 1. 1. 0.]"),
)

_METHODS = (
    *("abs", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "argmax"),
    *("argmax_channel", "argmin", "argsort", "broadcast_axes", "cbrt", "ceil", "clip", "cos"),
    *("cosh", "degrees", "depth_to_space", "diag", "exp", "expm1", "fix", "flip", "floor", "log"),
    *("log10", "log1p", "log2", "log_sigmoid", "log_softmax", "max", "mean", "min", "mish"),
    *("nanprod", "nansum", "norm"),
    *("one_hot", "ones_like", "pad", "pick", "prod", "radians", "rcbrt", "reciprocal", "relu"),
    *("repeat", "reshape_like", "rint", "round", "rsqrt", "shape_array", "sigmoid", "sign", "sin"),
    *("sinh", "size_array", "slice", "slice_axis", "slice_like", "softmax", "softmin", "sort"),
    *("space_to_depth", "split", "split_v2", "sqrt", "square", "sum", "swapaxes", "take", "tan"),
    *("tanh", "tile", "topk", "transpose", "trunc", "zeros_like"),
)

SPARSE_CONTRIB = ("round_ste", "sign_ste")
"""Functions of `contrib` that the modules of sparse arrays have, under their operators' names."""

_SPARSE = (
    *("ElementWiseSum", "Embedding", "FullyConnected", "LinearRegressionOutput"),
    *("LogisticRegressionOutput", "MAERegressionOutput", "abs", "adam_update", "add_n", "arccos"),
    *("arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "broadcast_add", "broadcast_div"),
    *("broadcast_minus", "broadcast_mul", "broadcast_plus", "broadcast_sub", "cast_storage"),
    *("cbrt", "ceil", "clip", "concat", "cos", "cosh", "degrees", "digamma", "dot", "elemwise_add"),
    *("elemwise_div", "elemwise_mul", "elemwise_sub", "exp", "expm1", "fix", "floor"),
    *("ftrl_update", "gamma", "gammaln", "log", "log10", "log1p", "log2", "log_sigmoid"),
    *("make_loss", "mean", "mish"),
    *("negative", "norm", "radians", "relu", "rint", "round", "rsqrt", "sgd_mom_update"),
    *("sgd_update", "sigmoid", "sign", "sin", "sinh", "slice", "sqrt", "square", "stop_gradient"),
    *("sum", "tan", "tanh", "trunc", "where", "zeros_like"),
)

CLASSIC = Spellings(
    place=_place,
    binary=_ARITHMETIC + _COMPARISONS,
    array_methods=_METHODS,
    symbol_methods=(
        *_METHODS,
        *("broadcast_like", "broadcast_to", "expand_dims", "flatten", "reshape", "squeeze"),
    ),
    sparse=_SPARSE,
    sparse_own=("adagrad_update", "retain"),
)
"""How `mx.nd` and `mx.sym` spell operators."""


def public_name(name: str) -> str:
    """Returns what an operator is called in this dialect; nodes of graphs are named after it."""
    for prefix in NUMPY_PREFIXES:
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name.lstrip("_")


def _numpy_place(name: str) -> tuple[str, str]:
    return ("_internal" if name.startswith("_npi_") else "op"), public_name(name)


def _numpy_row(
    function: str,
    summary: str,
    *,
    python: str | None = None,
    scalar: str | None = None,
    reflected: str | None = None,
    aliases: tuple[str, ...] = (),
    numpy: str = "",
) -> Binary:
    """Builds the row of a function.

    Args:
        function: Its name, which is that of its operator too.
        summary: First sentence of its documentation.
        python: Name of Python's operator.
        scalar: Operator of an array and a number, if that is not called after the function.
        reflected: Operator of a number and an array, if that is another one.
        aliases: Other names of the function.
        numpy: NumPy's name of the function, if that is another one.
    """
    plain = scalar or f"{function}_scalar"
    names = Names(f"_npi_{function}", f"_npi_{plain}", f"_npi_{reflected or plain}")
    functions = (function, *aliases)
    return Binary(
        python,
        getattr(np, numpy or function),
        summary,
        names,
        names,
        array_functions=functions,
        symbol_functions=functions,
    )


_NUMPY_ARITHMETIC = (
    _numpy_row("add", "Returns the sum `x1 + x2`.", python="add"),
    _numpy_row(
        "subtract", "Returns the difference `x1 - x2`.", python="sub", reflected="rsubtract_scalar"
    ),
    _numpy_row("multiply", "Returns the product `x1 * x2`.", python="mul"),
    _numpy_row(
        "true_divide",
        "Returns the quotient `x1 / x2`, which is a floating-point number.",
        python="truediv",
        reflected="rtrue_divide_scalar",
        aliases=("divide",),
    ),
    _numpy_row(
        "mod",
        "Returns the remainder `x1 % x2`, which has the sign of `x2`.",
        python="mod",
        reflected="rmod_scalar",
        aliases=("remainder",),
    ),
    _numpy_row(
        "power",
        "Returns the power `x1 ** x2`.",
        python="pow",
        reflected="rpower_scalar",
        aliases=("pow",),
    ),
    _numpy_row(
        "floor_divide",
        "Returns the quotient `x1 // x2`, rounded down.",
        python="floordiv",
        reflected="rfloor_divide_scalar",
    ),
)

_NUMPY_OTHERS = (
    _numpy_row("maximum", "Returns the larger one of each two elements."),
    _numpy_row("minimum", "Returns the smaller one of each two elements."),
    _numpy_row("hypot", "Returns the hypotenuse `sqrt(x1**2 + x2**2)`."),
    _numpy_row("lcm", "Returns the least common multiple of each two integers."),
    _numpy_row(
        "arctan2",
        "Returns the angle of the point `(x2, x1)` to the first axis.",
        reflected="rarctan2_scalar",
        aliases=("atan2",),
    ),
    _numpy_row("copysign", "Returns `x1` with the sign of `x2`.", reflected="rcopysign_scalar"),
    _numpy_row("ldexp", "Returns `x1 * 2**x2`.", reflected="rldexp_scalar"),
    _numpy_row("bitwise_and", "Returns the bits that both integers have.", python="and"),
    _numpy_row("bitwise_or", "Returns the bits that one of the integers has.", python="or"),
    _numpy_row("bitwise_xor", "Returns the bits that just one of the integers has.", python="xor"),
    _numpy_row("fmax", "Returns the larger one of each two elements, passing over nan."),
    _numpy_row("fmin", "Returns the smaller one of each two elements, passing over nan."),
    _numpy_row(
        "fmod",
        "Returns the remainder of `x1` and `x2`, which has the sign of `x1`.",
        reflected="rfmod_scalar",
    ),
    _numpy_row("gcd", "Returns the greatest common divisor of each two integers."),
    _numpy_row("logaddexp", "Returns `log(exp(x1) + exp(x2))`."),
    _numpy_row("logical_and", "Tests whether two elements are both true."),
    _numpy_row("logical_or", "Tests whether one of two elements is true."),
    _numpy_row("logical_xor", "Tests whether just one of two elements is true."),
    _numpy_row(
        "bitwise_left_shift",
        "Returns the integers of `x1` with their bits moved up by `x2` places.",
        python="lshift",
        reflected="rbitwise_left_shift_scalar",
        numpy="left_shift",
    ),
    _numpy_row(
        "bitwise_right_shift",
        "Returns the integers of `x1` with their bits moved down by `x2` places.",
        python="rshift",
        reflected="rbitwise_right_shift_scalar",
        numpy="right_shift",
    ),
)


def _numpy_comparison(function: str, python: str, sign: str, mirrored: str) -> Binary:
    """Builds the row of a comparison; `mirrored` is the one with its operands swapped."""
    summary = f"Tests whether `x1 {sign} x2`."
    return _numpy_row(function, summary, python=python, reflected=f"{mirrored}_scalar")


_NUMPY_COMPARISONS = (
    _numpy_comparison("equal", "eq", "==", "equal"),
    _numpy_comparison("not_equal", "ne", "!=", "not_equal"),
    _numpy_comparison("greater", "gt", ">", "less"),
    _numpy_comparison("greater_equal", "ge", ">=", "less_equal"),
    _numpy_comparison("less", "lt", "<", "greater"),
    _numpy_comparison("less_equal", "le", "<=", "greater_equal"),
)

NUMPY = Spellings(
    place=_numpy_place,
    binary=_NUMPY_ARITHMETIC + _NUMPY_OTHERS + _NUMPY_COMPARISONS,
    array_methods=(),
    symbol_methods=(),
    sparse=(),
    sparse_own=(),
)
"""How `mx.np` and `mx.sym.np` spell operators. Methods are written in `_np_functions`."""
