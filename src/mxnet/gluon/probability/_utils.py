"""What distributions and transformations share: functions of numbers and arrays, sizes, odds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property as cached_property
from numbers import Number
from typing import Any, TypeAlias

import numpy as onp
import torch

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


def unify(of_arrays: Function, of_numbers: Callable[[torch.Tensor], torch.Tensor]) -> Function:
    """Returns a function of numbers and of arrays; that of a number is a number.

    Args:
        of_arrays: The function of an array.
        of_numbers: The function of torch, by which a number is computed in double precision: it
            gives infinity and NaN where Python's own raises.
    """

    def compute(value: Values) -> Values:
        if isinstance(value, Number):
            return of_numbers(torch.tensor(value, dtype=torch.float64)).item()
        return of_arrays(value)

    return compute


absolute = unify(np.abs, torch.abs)
arctan = unify(np.arctan, torch.arctan)
exp = unify(np.exp, torch.exp)
expm1 = unify(np.expm1, torch.expm1)
log = unify(np.log, torch.log)
log1p = unify(np.log1p, torch.log1p)
log_gamma = unify(npx.gammaln, torch.lgamma)
psi = unify(npx.digamma, torch.digamma)
reciprocal = unify(np.reciprocal, torch.reciprocal)
sign = unify(np.sign, torch.sign)
softplus = unify(lambda x: npx.activation(x, "softrelu"), torch.nn.functional.softplus)
sqrt = unify(np.sqrt, torch.sqrt)
tan = unify(np.tan, torch.tan)
_erf = unify(npx.erf, torch.erf)
_erfinv = unify(npx.erfinv, torch.erfinv)
_sigmoid = unify(npx.sigmoid, torch.sigmoid)


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
