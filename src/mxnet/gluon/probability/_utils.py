"""What distributions and transformations share: functions of numbers and arrays, sizes, odds."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property as cached_property
from numbers import Number
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as onp

from mxnet import numpy, numpy_extension
from mxnet.errors import ArgumentValueError

np: Any = numpy
npx: Any = numpy_extension
"""Modules whose functions are made of declarations, which type checkers do not see here."""

Values: TypeAlias = Any
"""A number, or an array of `mx.np`."""
Size: TypeAlias = int | tuple[int, ...] | None
Function: TypeAlias = Callable[[Values], Values]

_EPSILON = float(onp.finfo("float32").eps)


def unify(of_arrays: Function, of_numbers: Callable[[Any], Any]) -> Function:
    """Returns a function of numbers and of arrays; that of a number is a number.

    Args:
        of_arrays: The function of an array.
        of_numbers: The function of a number. Those of NumPy give infinity and NaN where Python's
            own raise; those of torch would be noted by a trace.
    """

    def compute(value: Values) -> Values:
        if not isinstance(value, Number):
            return of_arrays(value)
        with onp.errstate(all="ignore"):
            return float(of_numbers(value))

    return compute


_RECURRENCES = 10
"""From where on the series of the digamma function is exact to double precision."""


def _digamma_of_number(x: float) -> float:
    if x <= 0:
        mirrored = math.pi / math.tan(math.pi * x) if x % 1 else math.nan
        return _digamma_of_number(1 - x) - mirrored
    below = 0.0
    while x < _RECURRENCES:
        below += 1 / x
        x += 1
    square = 1 / (x * x)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
    return math.log(x) - 0.5 / x - series - below


def _log_gamma_of_number(x: float) -> float:
    return math.inf if x <= 0 and x % 1 == 0 else math.lgamma(x)


def _erfinv_of_number(x: float) -> float:
    if abs(x) >= 1:
        return math.copysign(math.inf, x) if abs(x) == 1 else math.nan
    return NormalDist().inv_cdf((1 + x) / 2) / math.sqrt(2)


absolute = unify(np.abs, abs)
arctan = unify(np.arctan, math.atan)
exp = unify(np.exp, onp.exp)
expm1 = unify(np.expm1, onp.expm1)
log = unify(np.log, onp.log)
log1p = unify(np.log1p, onp.log1p)
log_gamma = unify(npx.gammaln, _log_gamma_of_number)
psi = unify(npx.digamma, _digamma_of_number)
reciprocal = unify(np.reciprocal, lambda x: onp.float64(1) / x)
sign = unify(np.sign, onp.sign)
softplus = unify(lambda x: npx.activation(x, "softrelu"), lambda x: onp.logaddexp(0, x))
sqrt = unify(np.sqrt, onp.sqrt)
tan = unify(np.tan, math.tan)
_erf = unify(npx.erf, math.erf)
_erfinv = unify(npx.erfinv, _erfinv_of_number)
_sigmoid = unify(npx.sigmoid, lambda x: 1 / (1 + onp.exp(-x)))


def digamma() -> Function:
    """Returns the derivative of the logarithm of the gamma function, of numbers and arrays.

    Example:
        >>> import mxnet as mx
        >>> round(mx.gluon.probability.digamma()(1.0), 4)
        -0.5772
    """
    return psi


def gammaln() -> Function:
    """Returns the logarithm of the gamma function, of numbers and arrays.

    Example:
        >>> import mxnet as mx
        >>> round(mx.gluon.probability.gammaln()(5), 4)  # of 4! = 24
        3.1781
    """
    return log_gamma


def erf() -> Function:
    """Returns the error function, of numbers and arrays.

    Example:
        >>> import mxnet as mx
        >>> round(mx.gluon.probability.erf()(0.5), 4)
        0.5205
    """
    return _erf


def erfinv() -> Function:
    """Returns the inverse of the error function, of numbers and arrays.

    Example:
        >>> import mxnet as mx
        >>> round(mx.gluon.probability.erfinv()(0.5205), 4)
        0.5
    """
    return _erfinv


def constraint_check() -> Callable[[Values, str], Values]:
    """Returns a function that raises where a condition does not hold.

    The function takes a condition and a message. It raises at once for a bool. Of an array it gives
    an array that raises a `ValueError` when it, or what is computed from it, is read.

    Example:
        >>> import mxnet as mx
        >>> mx.gluon.probability.constraint_check()(2 > 1, "two should be above one")
        1.0
    """

    def check(condition: Values, err_msg: str) -> Values:
        if not isinstance(condition, (bool, onp.bool_)):
            return npx.constraint_check(condition, err_msg)
        if not condition:
            raise ArgumentValueError(err_msg)
        return 1.0

    return check


def sample_n_shape_converter(size: Size) -> tuple[int, ...] | None:
    """Returns the size for which functions of `np.random` draw that often for each parameter.

    Example:
        >>> import mxnet as mx
        >>> mx.gluon.probability.sample_n_shape_converter((3, 4))
        (-2, 3, 4)
    """
    lengths = as_lengths(size)
    return (-2, *lengths) if lengths else None


def as_lengths(size: Size) -> tuple[int, ...]:
    """Returns a size as a tuple, which is empty for None."""
    if size is None:
        return ()
    return (size,) if isinstance(size, int) else tuple(size)


def sum_right_most(x: Values, ndim: int) -> Values:
    """Sums over the last axes.

    Args:
        x: An array.
        ndim: The number of axes.
    """
    return x.sum(tuple(range(-ndim, 0))) if ndim else x


def clip_probability(value: Values) -> Values:
    """Keeps probabilities away from zero and one by the precision of float32."""
    if isinstance(value, Number):
        return min(max(value, _EPSILON), 1 - _EPSILON)  # type: ignore[call-overload]
    return np.clip(value, _EPSILON, 1 - _EPSILON)


def keep_positive(value: Values) -> Values:
    """Keeps numbers above zero by the precision of float32."""
    return np.maximum(value, _EPSILON)


def zeros_of(*parameters: Values) -> Values:
    """Returns zeros of the shape to which parameters broadcast, 0.0 if all are numbers."""
    arrays = [value for value in parameters if not isinstance(value, Number)]
    return np.zeros_like(sum(arrays[1:], arrays[0])) if arrays else 0.0


def draw_uniform(size: Any, *parameters: Values) -> Values:
    """Draws numbers that are uniform on `[0, 1)`.

    Args:
        size: The size, as functions of `np.random` take it.
        parameters: What the size broadcasts with.
    """
    return np.random.uniform(zeros_of(*parameters), 1.0, size)


def prob2logit(prob: Values, binary: bool = True) -> Values:
    """Returns the logarithm of the odds, or of probabilities of events.

    Args:
        prob: Probabilities.
        binary: Whether each is of an event and its opposite. If not, the last axis is that of the
            events.

    Example:
        >>> import mxnet as mx
        >>> round(mx.gluon.probability.prob2logit(0.75), 4)  # log(3)
        1.0986
    """
    clipped = clip_probability(prob)
    return log(clipped) - log1p(-clipped) if binary else log(clipped)


def logit2prob(logit: Values, binary: bool = True) -> Values:
    """Returns probabilities of what has logarithms of odds.

    Args:
        logit: The logarithms.
        binary: Whether each is of an event and its opposite. If not, the last axis is that of the
            events, whose probabilities add up to one.

    Example:
        >>> import mxnet as mx
        >>> mx.gluon.probability.logit2prob(0.0)
        0.5
    """
    return _sigmoid(logit) if binary else npx.softmax(logit)
