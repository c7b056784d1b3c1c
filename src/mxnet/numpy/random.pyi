"""Written by `make stubs`; do not edit."""

from mxnet.numpy._ndarray import ndarray as ndarray
from typing import Any

def beta(a: Any, b: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Draws from a beta distribution on `[0, 1]`."""

def chisquare(df: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Draws from a chi-square distribution."""

def choice(
    a: Any,
    size: Any = None,
    replace: bool = True,
    p: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Draws elements of an array, or whole numbers."""

def exponential(scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draws from an exponential distribution; an array of scales gets a gradient."""

def gamma(
    shape: Any,
    scale: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Draws from a gamma distribution, whose mean is `shape * scale`."""

def gumbel(
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Draws from a Gumbel distribution; array parameters get gradients."""

def logistic(
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Draws from a logistic distribution; array parameters get gradients."""

def lognormal(
    mean: Any = 0.0,
    sigma: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Draws numbers whose logarithm has a normal distribution; array parameters get gradients."""

def multinomial(n: int, pvals: Any, size: Any = None, **kwargs: Any) -> ndarray:
    """Counts how often each category is drawn in a number of trials."""

def multivariate_normal(
    mean: Any,
    cov: Any,
    size: Any = None,
    check_valid: Any = None,
    tol: Any = None,
) -> ndarray:
    """Draws vectors from a normal distribution."""

def normal(
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Draws from a normal distribution; array parameters get gradients."""

def pareto(a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draws from a Lomax distribution (Pareto II) of scale 1; an array of shapes gets a gradient."""

def power(a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draws from a power distribution on `[0, 1)`."""

def rand(*size: int, **kwargs: Any) -> ndarray:
    """Draws from the uniform distribution on `[0, 1)`."""

def randint(
    low: int,
    high: int | None = None,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Draws whole numbers in `[low, high)`, or in `[0, low)` without `high`."""

def randn(*size: int, **kwargs: Any) -> ndarray:
    """Draws from the normal distribution of mean 0 and deviation 1."""

def rayleigh(scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draws from a Rayleigh distribution; an array of scales gets a gradient."""

def shuffle(x: Any) -> None:
    """Puts the rows of an array into random order, in place."""

def uniform(
    low: Any = 0.0,
    high: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> ndarray:
    """Draws from the uniform distribution on `[low, high)`."""

def weibull(a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draws from a Weibull distribution of scale 1; an array of shapes gets a gradient."""
