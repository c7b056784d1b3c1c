"""Contributed functions on arrays that are put together from operators."""

from __future__ import annotations

import math
from typing import Any

from mxnet.context import Context, current_context
from mxnet.errors import ArgumentTypeError
from mxnet.ndarray import random
from mxnet.ndarray._namespaces import FUNCTIONS
from mxnet.ndarray._ndarray import NDArray


def _check(data: Any, where: str) -> Any:
    if not isinstance(data, NDArray):
        raise ArgumentTypeError(f"{where}: takes an NDArray, got {type(data).__name__}")
    return data


def isnan(data: NDArray) -> NDArray:
    """Returns 1 where an element is not a number, 0 elsewhere, in the element type of the data."""
    values = _check(data, "isnan")
    found: NDArray = values != values
    return found


def isinf(data: NDArray) -> NDArray:
    """Returns 1 where an element is infinite, 0 elsewhere, in the element type of the data.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.contrib.isinf(mx.nd.array([1, float("-inf"), float("nan")])).asnumpy())
        [0. 1. 0.]
    """
    found: NDArray = FUNCTIONS["op"]["abs"](_check(data, "isinf")) == math.inf
    return found


def isfinite(data: NDArray) -> NDArray:
    """Returns 1 where an element is finite, 0 elsewhere, in the element type of the data."""
    values = _check(data, "isfinite")
    found: NDArray = (values == values) * (FUNCTIONS["op"]["abs"](values) != math.inf)
    return found


def rand_zipfian(
    true_classes: NDArray, num_sampled: int, range_max: int, ctx: Context | None = None
) -> tuple[NDArray, NDArray, NDArray]:
    """Draws classes of which small numbers are the most common, as words sorted by frequency are.

    The probability of class `k` is `log((k + 2) / (k + 1)) / log(range_max + 1)`.

    Args:
        true_classes: Classes to give the expected counts of.
        num_sampled: Number of classes to draw, with repetition.
        range_max: Number of classes.
        ctx: Context to draw on.

    Returns:
        The drawn classes; how often each true class is expected among them; and the same for each
        drawn class.
    """
    classes = _check(true_classes, "rand_zipfian")
    ctx = current_context() if ctx is None else ctx
    width = math.log(range_max + 1)
    places: Any = random.uniform(0, width, shape=(num_sampled,), dtype="float64", ctx=ctx)
    sampled = (FUNCTIONS["op"]["exp"](places) - 1).astype("int64") % range_max

    def expect(drawn: Any) -> NDArray:
        number = drawn.as_in_context(ctx).astype("float64")
        share: NDArray = FUNCTIONS["op"]["log"]((number + 2) / (number + 1)) / width * num_sampled
        return share

    return sampled, expect(classes), expect(sampled)
