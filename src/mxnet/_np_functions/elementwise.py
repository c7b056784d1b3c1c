"""Functions that act on each element: tables of one and of two operands, rounding, limits.

Differences of neighbours and polynomials are here too.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mxnet._np_functions.table import (
    Operators,
    add_binary,
    add_unary,
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

for _operator, _summary, _names in _UNARY:
    add_unary(_operator, _summary, _names)
for _binary in NUMPY.binary:
    add_binary(_binary)


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


@np_function()
def diff(
    F: Operators, a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None
) -> Any:
    """Subtracts from each element the one before it along an axis.

    Args:
        F: Operators of the frontend.
        a: The array.
        n: How many times that is done.
        axis: The axis.
        prepend: Not supported.
        append: Not supported.

    Example:
        >>> import mxnet as mx
        >>> mx.np.diff(mx.np.array([1, 4, 9, 16]))
        array([3., 5., 7.])
        >>> mx.np.diff(mx.np.array([1, 4, 9, 16]), n=2)
        array([2., 2.])
    """
    if prepend is not None or append is not None:
        raise ArgumentValueError(
            "diff: prepend and append are not supported; join the arrays first"
        )
    return F._npi_diff(a, n=n, axis=axis)


@np_function()
def ediff1d(F: Operators, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Subtracts from each element of the flattened array the one before it.

    Args:
        F: Operators of the frontend.
        ary: The array.
        to_end: Array or number that stands behind the differences.
        to_begin: Array or number that stands before the differences.

    Example:
        >>> import mxnet as mx
        >>> mx.np.ediff1d(mx.np.array([1, 4, 9]), to_begin=mx.np.array([0]))
        array([0., 3., 5.])
    """
    ends = (to_begin, to_end)
    given = [isinstance(end, F.operand) for end in ends]
    arrays = [end for end, is_array in zip(ends, given, strict=True) if is_array]
    numbers = [None if is_array else end for end, is_array in zip(ends, given, strict=True)]
    return F._npi_ediff1d(
        ary,
        *arrays,
        to_begin_arr_given=given[0],
        to_end_arr_given=given[1],
        to_begin_scalar=numbers[0],
        to_end_scalar=numbers[1],
    )


@np_function()
def polyval(F: Operators, p: Any, x: Any) -> Any:
    """Computes a polynomial at each element of an array.

    Args:
        F: Operators of the frontend.
        p: Vector of coefficients, that of the highest power first.
        x: The array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.polyval(mx.np.array([1, 0, -2]), mx.np.array([0, 1, 2]))
        array([-2., -1.,  2.])
    """
    if not isinstance(p, F.operand) or not isinstance(x, F.operand):
        raise UnsupportedTypeError(
            f"polyval: expected two arrays, got {type(p).__name__} and {type(x).__name__}"
        )
    return F._npi_polyval(p, x)
