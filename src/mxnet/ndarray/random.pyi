"""Written by `make stubs`; do not edit."""

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray._ndarray import NDArray

from typing import Any, Literal, TypeAlias, overload
from mxnet.context import Context

Parameter: TypeAlias = float | NDArray

Size: TypeAlias = int | Sequence[int] | None

def uniform(low: Parameter=0, high: Parameter=1, shape: Size=None, dtype: Any=None, ctx: Context | str | None=None, out: NDArray | None=None, **kwargs: Any) -> NDArray:
    """Samples uniformly from `[low, high)`."""

def normal(loc: Parameter=0, scale: Parameter=1, shape: Size=None, dtype: Any=None, ctx: Context | str | None=None, out: NDArray | None=None, **kwargs: Any) -> NDArray:
    """Samples from the normal distribution of mean `loc` and deviation `scale`; see `uniform`."""

def randn(*shape: int, **kwargs: Any) -> NDArray:
    """Samples an array of the given shape from the normal distribution; see `normal`."""

def gamma(alpha: Parameter=1, beta: Parameter=1, shape: Size=None, dtype: Any=None, ctx: Context | str | None=None, out: NDArray | None=None, **kwargs: Any) -> NDArray:
    """Samples from the gamma distribution of shape `alpha` and scale `beta`; see `uniform`."""

def exponential(scale: Parameter=1, shape: Size=None, dtype: Any=None, ctx: Context | str | None=None, out: NDArray | None=None, **kwargs: Any) -> NDArray:
    """Samples from the exponential distribution of mean `scale`; see `uniform`."""

def poisson(lam: Parameter=1, shape: Size=None, dtype: Any=None, ctx: Context | str | None=None, out: NDArray | None=None, **kwargs: Any) -> NDArray:
    """Samples from the Poisson distribution of mean `lam`; see `uniform`."""

def negative_binomial(k: Parameter=1, p: Parameter=1, shape: Size=None, dtype: Any=None, ctx: Context | str | None=None, out: NDArray | None=None, **kwargs: Any) -> NDArray:
    """Samples the number of failures before `k` successes of probability `p`; see `uniform`."""

def generalized_negative_binomial(mu: Parameter=1, alpha: Parameter=1, shape: Size=None, dtype: Any=None, ctx: Context | str | None=None, out: NDArray | None=None, **kwargs: Any) -> NDArray:
    """Samples the negative binomial of mean `mu` and dispersion `alpha`; see `uniform`."""

def randint(low: int, high: int, shape: Size=None, dtype: Any=None, ctx: Context | str | None=None, out: NDArray | None=None, **kwargs: Any) -> NDArray:
    """Samples integers from `[low, high)`, int32 unless `dtype` says otherwise; see `uniform`."""

@overload
def multinomial(data: NDArray, shape: Size=None, get_prob: Literal[False]=False, out: NDArray | None=None, dtype: Any='int32', **kwargs: Any) -> NDArray:
    ...

@overload
def multinomial(data: NDArray, shape: NDArray, get_prob: Size=None, out: Any=None, *args: Any, **kwargs: Any) -> NDArray:
    ...

@overload
def multinomial(data: NDArray, shape: Size=None, get_prob: bool=False, *args: Any, **kwargs: Any) -> list[NDArray]:
    ...

@overload
def multinomial(*, n: NDArray, p: NDArray, **kwargs: Any) -> NDArray:
    ...

def categorical(data: NDArray, shape: Size=None, get_prob: bool=False, out: NDArray | None=None, dtype: Any='int32', **kwargs: Any) -> Any:
    """Samples indices with the probabilities in the last axis of `data`: `multinomial(data)`."""

def binomial(n: Parameter=1, p: Parameter=0.5, shape: Size=None, dtype: Any=None, ctx: Context | str | None=None, out: NDArray | None=None, **kwargs: Any) -> NDArray:
    """Samples the number of successes in `n` trials of probability `p`; see `uniform`."""

def shuffle(data: NDArray, out: NDArray | None=None, **kwargs: Any) -> NDArray:
    """Returns the array with its rows (the first axis) in random order."""

def binomial_like(
    data: NDArray,
    n: int = 1,
    p: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a binomial distribution, the successes in `n` trials, in the shape and type of an array."""

def exponential_like(
    data: NDArray,
    lam: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from an exponential distribution, whose mean is `1 / lam`, in the shape and type of an array."""

def gamma_like(
    data: NDArray,
    alpha: float = 1.0,
    beta: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a gamma distribution, whose mean is `alpha * beta`, in the shape and type of an array."""

def generalized_negative_binomial_like(
    data: NDArray,
    mu: float = 1.0,
    alpha: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a negative binomial distribution given by its mean and dispersion, in the shape and type of an array."""

def negative_binomial_like(
    data: NDArray,
    k: int = 1,
    p: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a negative binomial distribution, the failures before `k` successes, in the shape and type of an array."""

def normal_like(
    data: NDArray,
    loc: float = 0.0,
    scale: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a normal distribution, in the shape and type of an array."""

def poisson_like(
    data: NDArray,
    lam: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a Poisson distribution, in the shape and type of an array."""

def uniform_like(
    data: NDArray,
    low: float = 0.0,
    high: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from the uniform distribution on `[low, high)`, in the shape and type of an array."""
