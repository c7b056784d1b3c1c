"""Written by `make stubs`; do not edit."""

from collections.abc import Mapping, Sequence
from typing import Any

from mxnet.symbol.symbol import Symbol

from mxnet._state import also_takes

def uniform(low: Any=0, high: Any=1, shape: Any=None, dtype: Any=None, **kwargs: Any) -> Symbol:
    """Samples uniformly from `[low, high)`."""

def normal(loc: Any=0, scale: Any=1, shape: Any=None, dtype: Any=None, **kwargs: Any) -> Symbol:
    """Samples from the normal distribution of mean `loc` and deviation `scale`."""

def randn(*shape: int, **kwargs: Any) -> Symbol:
    """Samples of the given shape from the normal distribution; see `normal`."""

def gamma(alpha: Any=1, beta: Any=1, shape: Any=None, dtype: Any=None, **kwargs: Any) -> Symbol:
    """Samples from the gamma distribution of shape `alpha` and scale `beta`."""

def exponential(scale: Any=1, shape: Any=None, dtype: Any=None, **kwargs: Any) -> Symbol:
    """Samples from the exponential distribution of mean `scale`."""

def poisson(lam: Any=1, shape: Any=None, dtype: Any=None, **kwargs: Any) -> Symbol:
    """Samples from the Poisson distribution of mean `lam`."""

def negative_binomial(k: Any=1, p: Any=1, shape: Any=None, dtype: Any=None, **kwargs: Any) -> Symbol:
    """Samples the number of failures before `k` successes of probability `p`."""

def generalized_negative_binomial(mu: Any=1, alpha: Any=1, shape: Any=None, dtype: Any=None, **kwargs: Any) -> Symbol:
    """Samples the negative binomial of mean `mu` and dispersion `alpha`."""

def randint(low: int, high: int, shape: Any=None, dtype: Any=None, **kwargs: Any) -> Symbol:
    """Samples integers from `[low, high)`."""

@also_takes('n=[1], p=[[1.0]], shape=1, dtype="float32", **kwargs')
def multinomial(data: Symbol | None=None, shape: Any=None, get_prob: Any=True, dtype: Any='int32', **kwargs: Any) -> Symbol:
    """Samples indices with the probabilities in the last axis of `data`."""

def categorical(data: Any, shape: Any=None, get_prob: bool=True, dtype: Any='int32', **kwargs: Any) -> Symbol:
    """Samples indices with the probabilities in the last axis of `data`: `multinomial(data)`."""

def binomial(n: Any=1, p: Any=0.5, shape: Any=None, dtype: Any=None, **kwargs: Any) -> Symbol:
    """Samples the number of successes in `n` trials of probability `p`."""

def shuffle(data: Symbol, **kwargs: Any) -> Symbol:
    """Returns the rows in random order."""

def binomial_like(
    data: Symbol | None = None,
    n: int = 1,
    p: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a binomial distribution, the successes in `n` trials, in the shape and type of an array."""

def exponential_like(
    data: Symbol | None = None,
    lam: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from an exponential distribution, whose mean is `1 / lam`, in the shape and type of an array."""

def gamma_like(
    data: Symbol | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a gamma distribution, whose mean is `alpha * beta`, in the shape and type of an array."""

def generalized_negative_binomial_like(
    data: Symbol | None = None,
    mu: float = 1.0,
    alpha: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a negative binomial distribution given by its mean and dispersion, in the shape and type of an array."""

def negative_binomial_like(
    data: Symbol | None = None,
    k: int = 1,
    p: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a negative binomial distribution, the failures before `k` successes, in the shape and type of an array."""

def normal_like(
    data: Symbol | None = None,
    loc: float = 0.0,
    scale: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a normal distribution, in the shape and type of an array."""

def poisson_like(
    data: Symbol | None = None,
    lam: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from a Poisson distribution, in the shape and type of an array."""

def uniform_like(
    data: Symbol | None = None,
    low: float = 0.0,
    high: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Draws from the uniform distribution on `[low, high)`, in the shape and type of an array."""
