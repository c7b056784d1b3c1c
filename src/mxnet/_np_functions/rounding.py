"""Functions on elements that take more than arrays: rounding, limits, replacement of nan."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mxnet._np_functions._arguments import is_number
from mxnet._np_functions.table import Operators, np_function
from mxnet._np_functions.ufunc_options import check_options
from mxnet.errors import ArgumentTypeError, ArgumentValueError, UnsupportedTypeError


@np_function(aliases=("round", "round_"))
def around(F: Operators, x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """Rounds each element to a number of decimals, halves to the even neighbour.

    Args:
        F: Operators of the frontend.
        x: The array, or a number; integers are rounded towards zero.
        decimals: Number of digits behind the point that stay; -1 rounds to tens.
        out: Array to write the result into.
        **kwargs: Options of NumPy's functions, of which their defaults are accepted.
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
