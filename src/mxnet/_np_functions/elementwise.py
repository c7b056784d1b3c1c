"""Functions that act on each element: tables of one and of two operands, rounding, limits.

Those that are no operators NumPy computes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mxnet._np_functions.table import (
    Operators,
    add_binary,
    add_unary,
    by_numpy,
    check_options,
    is_number,
    np_function,
)
from mxnet.errors import ArgumentTypeError, ArgumentValueError, UnsupportedTypeError
from mxnet.ops.core.spellings import NUMPY

_UNARY: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("_npi_absolute", "Returns the absolute value of each element.", ("absolute", "abs", "fabs")),
    ("_npi_arccos", "Returns the inverse cosine of each element.", ("arccos", "acos")),
    (
        "_npi_arccosh",
        "Returns the inverse hyperbolic cosine of each element.",
        ("arccosh", "acosh"),
    ),
    ("_npi_arcsin", "Returns the inverse sine of each element.", ("arcsin", "asin")),
    ("_npi_arcsinh", "Returns the inverse hyperbolic sine of each element.", ("arcsinh", "asinh")),
    ("_npi_arctan", "Returns the inverse tangent of each element.", ("arctan", "atan")),
    (
        "_npi_arctanh",
        "Returns the inverse hyperbolic tangent of each element.",
        ("arctanh", "atanh"),
    ),
    (
        "_npi_bitwise_not",
        "Inverts the bits of each integer.",
        ("bitwise_not", "bitwise_invert", "invert"),
    ),
    ("_npi_cbrt", "Returns the cube root of each element.", ("cbrt",)),
    ("_npi_ceil", "Rounds each element up to an integer.", ("ceil",)),
    ("_npi_cos", "Returns the cosine of each element.", ("cos",)),
    ("_npi_cosh", "Returns the hyperbolic cosine of each element.", ("cosh",)),
    ("_npi_degrees", "Converts angles from radians to degrees.", ("degrees", "rad2deg")),
    ("_npi_exp", "Returns `e**x` of each element.", ("exp",)),
    ("_npi_expm1", "Returns `e**x - 1` of each element.", ("expm1",)),
    ("_npi_fix", "Rounds each element to an integer towards zero.", ("fix",)),
    ("_npi_floor", "Rounds each element down to an integer.", ("floor",)),
    ("_npi_isfinite", "Tests whether an element is neither infinite nor nan.", ("isfinite",)),
    ("_npi_isinf", "Tests whether an element is infinite.", ("isinf",)),
    ("_npi_isnan", "Tests whether an element is nan.", ("isnan",)),
    ("_npi_isneginf", "Tests whether an element is negative infinity.", ("isneginf",)),
    ("_npi_isposinf", "Tests whether an element is positive infinity.", ("isposinf",)),
    ("_npi_log", "Returns the natural logarithm of each element.", ("log",)),
    ("_npi_log10", "Returns the logarithm to base 10 of each element.", ("log10",)),
    ("_npi_log1p", "Returns `log(1 + x)` of each element.", ("log1p",)),
    ("_npi_log2", "Returns the logarithm to base 2 of each element.", ("log2",)),
    ("_npi_logical_not", "Tests whether an element is zero.", ("logical_not",)),
    ("_npi_negative", "Returns the negative of each element.", ("negative",)),
    ("_npi_radians", "Converts angles from degrees to radians.", ("radians", "deg2rad")),
    ("_npi_reciprocal", "Returns `1 / x` of each element.", ("reciprocal",)),
    ("_npi_rint", "Rounds each element to the nearest integer.", ("rint",)),
    ("_npi_sign", "Returns the sign of each element: -1, 0 or 1.", ("sign",)),
    ("_npi_sin", "Returns the sine of each element.", ("sin",)),
    ("_npi_sinh", "Returns the hyperbolic sine of each element.", ("sinh",)),
    ("_npi_sqrt", "Returns the square root of each element.", ("sqrt",)),
    ("_npi_square", "Returns the square of each element.", ("square",)),
    ("_npi_tan", "Returns the tangent of each element.", ("tan",)),
    ("_npi_tanh", "Returns the hyperbolic tangent of each element.", ("tanh",)),
    ("_npi_trunc", "Drops the fraction of each element.", ("trunc",)),
)

_SHOWN: dict[str, tuple[str, str]] = {
    "absolute": ("[-1.5, 0, 2]", "array([1.5, 0. , 2. ])"),
    "arccos": ("[1, 0, -1]", "array([0.       , 1.5707964, 3.1415927])"),
    "arccosh": ("[1, 1.25, 2.125]", "array([0.       , 0.6931472, 1.3862944])"),
    "arcsin": ("[0, 0.5, 1]", "array([0.       , 0.5235988, 1.5707964])"),
    "arcsinh": ("[-0.75, 0, 0.75]", "array([-0.6931472,  0.       ,  0.6931472])"),
    "arctan": ("[-1, 0, 1]", "array([-0.7853982,  0.       ,  0.7853982])"),
    "arctanh": ("[-0.6, 0, 0.6]", "array([-0.6931472,  0.       ,  0.6931472])"),
    "bitwise_not": ('[0, 1, 7], dtype="int32"', "array([-1, -2, -8], dtype=int32)"),
    "cbrt": ("[-8, 0, 27]", "array([-2.,  0.,  3.])"),
    "ceil": ("[-1.5, 0.2, 2]", "array([-1.,  1.,  2.])"),
    "cos": ("[0, 3.1415927]", "array([ 1., -1.])"),
    "cosh": ("[-0.6931472, 0, 0.6931472]", "array([1.25, 1.  , 1.25])"),
    "degrees": ("[0, 1.5707964, 3.1415927]", "array([  0.,  90., 180.])"),
    "exp": ("[0, 1, 0.6931472]", "array([1.       , 2.7182817, 2.       ])"),
    "expm1": ("[0, 1e-6, 0.6931472]", "array([0.0000000e+00, 1.0000005e-06, 1.0000000e+00])"),
    "fix": ("[-1.7, 0.2, 1.7]", "array([-1.,  0.,  1.])"),
    "floor": ("[-1.5, 0.2, 2]", "array([-2.,  0.,  2.])"),
    "isfinite": ("[1, mx.np.inf, mx.np.nan]", "array([ True, False, False])"),
    "isinf": ("[1, -mx.np.inf, mx.np.nan]", "array([False,  True, False])"),
    "isnan": ("[1, mx.np.inf, mx.np.nan]", "array([False, False,  True])"),
    "isneginf": ("[1, mx.np.inf, -mx.np.inf]", "array([False, False,  True])"),
    "isposinf": ("[1, mx.np.inf, -mx.np.inf]", "array([False,  True, False])"),
    "log": ("[1, 2, 2.7182817]", "array([0.       , 0.6931472, 1.       ])"),
    "log10": ("[0.1, 1, 100]", "array([-1.,  0.,  2.])"),
    "log1p": ("[0, 1e-6, 1]", "array([0.000000e+00, 9.999995e-07, 6.931472e-01])"),
    "log2": ("[0.5, 1, 8]", "array([-1.,  0.,  3.])"),
    "logical_not": ("[0, 1, 2.5]", "array([ True, False, False])"),
    "negative": ("[-1, 0.5, 2]", "array([ 1. , -0.5, -2. ])"),
    "radians": ("[0, 90, 180]", "array([0.       , 1.5707964, 3.1415927])"),
    "reciprocal": ("[0.5, 2, -4]", "array([ 2.  ,  0.5 , -0.25])"),
    "rint": ("[0.5, 1.5, 2.7]", "array([0., 1., 3.])"),
    "sign": ("[-2.5, 0, 4]", "array([-1.,  0.,  1.])"),
    "sin": ("[0, 0.5235988, 1.5707964]", "array([0. , 0.5, 1. ])"),
    "sinh": ("[-0.6931472, 0, 0.6931472]", "array([-0.75,  0.  ,  0.75])"),
    "sqrt": ("[0, 2.25, 9]", "array([0. , 1.5, 3. ])"),
    "square": ("[-2, 0, 1.5]", "array([4.  , 0.  , 2.25])"),
    "tan": ("[-0.7853982, 0, 0.7853982]", "array([-1.,  0.,  1.])"),
    "tanh": ("[-0.6931472, 0, 10]", "array([-0.6,  0. ,  1. ])"),
    "trunc": ("[-1.7, 0.2, 1.7]", "array([-1.,  0.,  1.])"),
}
"""What the example of a function makes an array of, and the result."""

_SHOWN_PAIRS: dict[str, tuple[str, str, str]] = {
    "add": ("[[1, 2], [3, 4]]", "[10, 20]", "array([[11., 22.],\n       [13., 24.]])"),
    "subtract": ("[[1, 2], [3, 4]]", "1", "array([[0., 1.],\n       [2., 3.]])"),
    "multiply": (
        "[[1, 2], [3, 4]]",
        "[[10], [100]]",
        "array([[ 10.,  20.],\n       [300., 400.]])",
    ),
    "true_divide": ('[1, 2, 3], dtype="int32"', "2", "array([0.5, 1. , 1.5])"),
    "mod": ("[-7, 7]", "3", "array([2., 1.])"),
    "power": ("[1, 2, 3]", "[2, 3, 0.5]", "array([1.       , 8.       , 1.7320508])"),
    "floor_divide": ("[-7, 7]", "2", "array([-4.,  3.])"),
    "fmax": ("[1, mx.np.nan, 3]", "2", "array([2., 2., 3.])"),
    "fmin": ("[1, mx.np.nan, 3]", "2", "array([1., 2., 2.])"),
    "fmod": ("[-7, 7]", "3", "array([-1.,  1.])"),
    "logaddexp": ("[0, 1]", "[0, 1]", "array([0.6931472, 1.6931472])"),
    "logical_and": ("[0, 1, 2]", "[1, 1, 0]", "array([False,  True, False])"),
    "logical_or": ("[0, 1, 0]", "[1, 1, 0]", "array([ True,  True, False])"),
    "logical_xor": ("[0, 1, 0]", "[1, 1, 0]", "array([ True, False, False])"),
    "gcd": ('[12, 9], dtype="int32"', '[8, 6], dtype="int32"', "array([4, 3], dtype=int32)"),
    "bitwise_left_shift": ('[1, 5], dtype="int32"', "2", "array([ 4, 20], dtype=int32)"),
    "bitwise_right_shift": ('[4, 21], dtype="int32"', "2", "array([1, 5], dtype=int32)"),
    "maximum": ("[1, 5, 3]", "2", "array([2., 5., 3.])"),
    "minimum": ("[1, 5, 3]", "[2, 2, 9]", "array([1., 2., 3.])"),
    "hypot": ("[3, 5]", "[4, 12]", "array([ 5., 13.])"),
    "lcm": ('[4, 6], dtype="int32"', '[6, 8], dtype="int32"', "array([12, 24], dtype=int32)"),
    "arctan2": ("[1, 1, -1]", "[1, -1, 0]", "array([ 0.7853982,  2.3561945, -1.5707964])"),
    "copysign": ("[1, -2, 3]", "-1", "array([-1., -2., -3.])"),
    "ldexp": ("[0.5, 3]", "[3, 2]", "array([ 4., 12.])"),
    "bitwise_and": ('[5, 6], dtype="int32"', "3", "array([1, 2], dtype=int32)"),
    "bitwise_or": ('[5, 6], dtype="int32"', "3", "array([7, 7], dtype=int32)"),
    "bitwise_xor": ('[5, 6], dtype="int32"', "3", "array([6, 5], dtype=int32)"),
    "equal": ("[1, 2, 3]", "2", "array([False,  True, False])"),
    "not_equal": ("[1, 2, 3]", "2", "array([ True, False,  True])"),
    "greater": ("[[1], [2]]", "[1, 2]", "array([[False, False],\n       [ True, False]])"),
    "greater_equal": ("[[1], [2]]", "[1, 2]", "array([[ True, False],\n       [ True,  True]])"),
    "less": ("[[1], [2]]", "[1, 2]", "array([[False,  True],\n       [False, False]])"),
    "less_equal": ("[[1], [2]]", "[1, 2]", "array([[ True,  True],\n       [False,  True]])"),
}
"""What the example makes an array of, the second operand, and the result."""

for _operator, _summary, _names in _UNARY:
    add_unary(_operator, _summary, _names, _SHOWN[_names[0]])
for _binary in NUMPY.binary:
    add_binary(_binary, _SHOWN_PAIRS[_binary.array_functions[0]])


@np_function(aliases=("round", "round_"))
def around(F: Operators, x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """Rounds each element to a number of decimals, halves to the even neighbour.

    Args:
        F: Operators of the frontend.
        x: The array, or a number; integers are rounded towards zero.
        decimals: Number of digits behind the point that stay; -1 rounds to tens.
        out: Array to write the result into.
        **kwargs: Options of NumPy's functions, of which their defaults are accepted.

    Example:
        >>> import mxnet as mx
        >>> mx.np.around(mx.np.array([0.5, 1.5, 2.25]), 1)
        array([0.5, 1.5, 2.2])
        >>> mx.np.around(mx.np.array([0.5, 1.5, 2.25]))
        array([0., 2., 2.])
    """
    if kwargs:
        check_options("around", kwargs)
    if is_number(x):
        return np.around(x, decimals=decimals)
    _check_operand("around", F, x)
    return F._npi_around(x, decimals=decimals, out=out)


@np_function()
def clip(F: Operators, a: Any, a_min: Any, a_max: Any, out: Any = None) -> Any:
    """Limits each element to an interval.

    Args:
        F: Operators of the frontend.
        a: The array, or a number.
        a_min: Smallest value of the result, None for no limit.
        a_max: Largest value of the result, None for no limit.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.clip(mx.np.array([-2, 0.5, 3]), 0, 1)
        array([0. , 0.5, 1. ])
    """
    if a_min is None and a_max is None:
        raise ArgumentValueError("clip: expected a_min or a_max, got neither")
    low = -math.inf if a_min is None else a_min
    high = math.inf if a_max is None else a_max
    if is_number(a):
        return np.clip(a, low, high)
    if not isinstance(a, F.operand):
        raise ArgumentTypeError(f"clip: expected an array or a number, got {type(a).__name__}")
    return F._npi_clip(a, a_min=low, a_max=high, out=out)


@np_function()
def nan_to_num(
    F: Operators,
    x: Any,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    **kwargs: Any,
) -> Any:
    """Replaces nan and infinities by numbers.

    Args:
        F: Operators of the frontend.
        x: The array, or a number.
        copy: Whether to return a new array; otherwise the result is written into `x`.
        nan: Number in place of nan.
        posinf: Number in place of infinity; the largest one of the dtype if not given.
        neginf: Number in place of negative infinity; the least one of the dtype if not given.
        **kwargs: Options of NumPy's functions, of which their defaults are accepted.

    Example:
        >>> import mxnet as mx
        >>> mx.np.nan_to_num(mx.np.array([1, mx.np.nan, mx.np.inf]), posinf=9)
        array([1., 0., 9.])
    """
    if kwargs:
        check_options("nan_to_num", kwargs)
    if is_number(x):
        return np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
    _check_operand("nan_to_num", F, x)
    out = None if copy else x
    return F._npi_nan_to_num(x, copy=copy, nan=nan, posinf=posinf, neginf=neginf, out=out)


def _check_operand(where: str, F: Operators, x: Any) -> None:
    if not isinstance(x, F.operand):
        raise UnsupportedTypeError(
            f"{where}: expected an array or a number, got {type(x).__name__}"
        )


@by_numpy()
def divmod(x1: Any, x2: Any) -> Any:
    """Returns the quotients rounded down and the remainders, which have the sign of `x2`.

    Args:
        x1: Dividends, an array or a number.
        x2: Divisors that broadcast with them, an array or a number.

    Example:
        >>> import mxnet as mx
        >>> quotients, remainders = mx.np.divmod(mx.np.array([7, -7]), 3)
        >>> quotients
        array([ 2., -3.])
        >>> remainders
        array([1., 2.])
    """


@by_numpy()
def float_power(x1: Any, x2: Any) -> Any:
    """Returns the power `x1 ** x2` in float64, also of integers.

    Args:
        x1: Bases, an array or a number.
        x2: Exponents that broadcast with them, an array or a number.

    Example:
        >>> import mxnet as mx
        >>> mx.np.float_power(mx.np.array([2, 4], dtype="int32"), -1)
        array([0.5 , 0.25], dtype=float64)
    """


@by_numpy()
def frexp(x: Any) -> Any:
    """Splits each element into a fraction of at least 0.5 and below 1, and a power of two.

    Args:
        x: The array; `ldexp` joins the two parts again.

    Example:
        >>> import mxnet as mx
        >>> fractions, exponents = mx.np.frexp(mx.np.array([1, 6, -0.75]))
        >>> fractions
        array([ 0.5 ,  0.75, -0.75])
        >>> exponents
        array([1, 3, 0], dtype=int32)
    """


@by_numpy()
def heaviside(x1: Any, x2: Any) -> Any:
    """Returns 0 for negative elements, 1 for positive ones and `x2` for zeros.

    Args:
        x1: The array.
        x2: Value at zero, a number or an array that broadcasts.

    Example:
        >>> import mxnet as mx
        >>> mx.np.heaviside(mx.np.array([-2, 0, 3]), 0.5)
        array([0. , 0.5, 1. ])
    """


@by_numpy()
def i0(x: Any) -> Any:
    """Computes the modified Bessel function of the first kind and order 0.

    Args:
        x: The array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.i0(mx.np.array([0, 1])).round(3)
        array([1.   , 1.266])
    """


@by_numpy()
def modf(x: Any) -> Any:
    """Returns the fractions and the whole parts, both with the sign of the element.

    Args:
        x: The array.

    Example:
        >>> import mxnet as mx
        >>> fractions, wholes = mx.np.modf(mx.np.array([2.5, -1.25]))
        >>> fractions
        array([ 0.5 , -0.25])
        >>> wholes
        array([ 2., -1.])
    """


@by_numpy()
def positive(x: Any, out: Any = None) -> Any:
    """Returns a copy of the array, as `+x` does.

    Args:
        x: The array.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.array([-1, 2])
        >>> y = mx.np.positive(x)
        >>> y, mx.np.shares_memory(x, y)
        (array([-1.,  2.]), False)
    """


@by_numpy()
def real(val: Any) -> Any:
    """Returns the real part of numbers; arrays of `mx.np` hold real numbers alone.

    Args:
        val: An array, or a number of Python.

    Example:
        >>> import mxnet as mx
        >>> mx.np.real(mx.np.array([1.5, -2]))
        array([ 1.5, -2. ])
        >>> mx.np.real(3 + 4j)
        3.0
    """


@by_numpy()
def signbit(x: Any) -> Any:
    """Tests whether the sign of an element is negative, which tells -0.0 from 0.0.

    Args:
        x: The array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.signbit(mx.np.array([-1, -0.0, 0.0, 2]))
        array([ True,  True, False, False])
    """


@by_numpy()
def spacing(x: Any) -> Any:
    """Returns the distance from each number to the next one of its dtype, away from zero.

    Args:
        x: Array of floating-point numbers.

    Example:
        >>> import mxnet as mx
        >>> mx.np.spacing(mx.np.array([1, 1024])) == 2.0 ** mx.np.array([-23, -13])
        array([ True,  True])
    """
