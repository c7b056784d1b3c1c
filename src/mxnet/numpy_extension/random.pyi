"""Written by `make stubs`; do not edit."""

from mxnet.context import Context
from mxnet.numpy._ndarray import ndarray as ndarray
from typing import Any

def seed(seed: int, ctx: Context | str='all') -> None:
    """Seeds the random generators, so that a program can be repeated."""

def seed_contexts(number: object, ctx: Context | str) -> None:
    """Seeds the generator of one context, or those of all."""

def bernoulli(
    prob: Any = None,
    logit: Any = None,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Draws ones by their probability, and zeros otherwise."""

def normal_n(
    loc: Any = 0.0,
    scale: Any = 1.0,
    batch_shape: Any = None,
    dtype: Any = None,
    ctx: Any = None,
) -> ndarray:
    """Draws from a normal distribution, `batch_shape` times for each set of parameters."""

def uniform_n(
    low: Any = 0.0,
    high: Any = 1.0,
    batch_shape: Any = None,
    dtype: Any = None,
    ctx: Any = None,
) -> ndarray:
    """Draws from the uniform distribution on `[low, high)`, for each set of parameters."""
