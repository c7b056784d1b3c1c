"""Random numbers: the seed, and the functions of `mx.nd.random`."""

from __future__ import annotations

from mxnet._start import accept_device
from mxnet.context import Context
from mxnet.ndarray.random import (
    binomial,
    categorical,
    exponential,
    gamma,
    generalized_negative_binomial,
    multinomial,
    negative_binomial,
    normal,
    poisson,
    randint,
    randn,
    shuffle,
    uniform,
)
from mxnet.numpy_extension.random import seed_contexts

__all__ = [
    "binomial",
    "categorical",
    "exponential",
    "gamma",
    "generalized_negative_binomial",
    "multinomial",
    "negative_binomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "seed",
    "shuffle",
    "uniform",
]


@accept_device
def seed(seed_state: object, ctx: Context | str = "all") -> None:
    """Seeds the random generators, so that a program can be repeated.

    Args:
        seed_state: The seed.
        ctx: Context whose generator is seeded, by name also, or `"all"`.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(7)
        >>> first = mx.nd.random.uniform(shape=2).asnumpy()
        >>> mx.random.seed(7)
        >>> bool((first == mx.nd.random.uniform(shape=2).asnumpy()).all())
        True
    """
    seed_contexts(seed_state, ctx)
