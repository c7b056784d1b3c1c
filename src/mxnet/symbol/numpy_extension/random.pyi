"""Written by `make stubs`; do not edit."""

from mxnet.context import current_context as current_context
from mxnet.symbol.numpy._symbol import _Symbol as _Symbol
from typing import Any

def bernoulli(
    prob: Any = None,
    logit: Any = None,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> _Symbol:
    """Draws ones by their probability, and zeros otherwise."""

def normal_n(
    loc: Any = 0.0,
    scale: Any = 1.0,
    batch_shape: Any = None,
    dtype: Any = None,
    ctx: Any = None,
) -> _Symbol:
    """Draws from a normal distribution, `batch_shape` times for each set of parameters."""

def uniform_n(
    low: Any = 0.0,
    high: Any = 1.0,
    batch_shape: Any = None,
    dtype: Any = None,
    ctx: Any = None,
) -> _Symbol:
    """Draws from the uniform distribution on `[low, high)`, for each set of parameters."""
