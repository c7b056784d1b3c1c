"""Random numbers: `mx.np.random`."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxnet._np_functions.table import (
    RANDOM,
    Function,
    Operators,
    float_dtype,
    np_function,
    placement,
)
from mxnet._start import find_meant
from mxnet.context import resolve
from mxnet.errors import ArgumentValueError, UnsupportedTypeError


def draw(
    F: Operators, sample: Function, parameters: dict[str, Any], ctx: Any, **options: Any
) -> Any:
    """Calls an operator that draws numbers; parameters that are arrays are its inputs."""
    arrays = []
    for name, value in parameters.items():
        if isinstance(value, F.operand):
            arrays.append(value)
            parameters[name] = None
    return sample(*arrays, **parameters, **options, **placement(F, ctx))


@np_function(RANDOM)
def normal(
    F: Operators,
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Draws from a normal distribution; array parameters get gradients.

    Args:
        F: Operators of the frontend.
        loc: Mean, a number or an array.
        scale: Standard deviation, a number or an array.
        size: Shape of the result, by default that of the parameters.
        dtype: Floating-point type of the result.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.normal(mx.np.array([0, 100]), 0.1, size=(3, 2)).shape
        (3, 2)
    """
    parameters, dtype = {"loc": loc, "scale": scale}, float_dtype(dtype)
    return draw(F, F._npi_normal, parameters, ctx, size=size, dtype=dtype, out=out)


@np_function(RANDOM)
def uniform(
    F: Operators,
    low: Any = 0.0,
    high: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Draws from the uniform distribution on `[low, high)`.

    Args:
        F: Operators of the frontend.
        low: Least value, a number or an array.
        high: End of the range, a number or an array.
        size: Shape of the result, by default that of the parameters.
        dtype: Floating-point type of the result.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.random.uniform(-1, 1, size=(2, 3))
        >>> x.shape, bool((abs(x) <= 1).all())
        ((2, 3), True)
    """
    parameters, dtype = {"low": low, "high": high}, float_dtype(dtype)
    return draw(F, F._npi_uniform, parameters, ctx, size=size, dtype=dtype, out=out)


@np_function(RANDOM)
def gamma(
    F: Operators,
    shape: Any,
    scale: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Draws from a gamma distribution, whose mean is `shape * scale`.

    Args:
        F: Operators of the frontend.
        shape: Shape of the distribution, a number or an array.
        scale: Its scale, a number or an array.
        size: Shape of the result, by default that of the parameters.
        dtype: Floating-point type of the result.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.gamma(2, scale=3, size=(2, 3)).shape
        (2, 3)
    """
    parameters, dtype = {"shape": shape, "scale": scale}, float_dtype(dtype)
    return draw(F, F._npi_gamma, parameters, ctx, size=size, dtype=dtype, out=out)


@np_function(RANDOM)
def gumbel(
    F: Operators,
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Draws from a Gumbel distribution; array parameters get gradients.

    Args:
        F: Operators of the frontend.
        loc: Mode, a number or an array.
        scale: Scale, a number or an array.
        size: Shape of the result, by default that of the parameters.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.gumbel(size=(2, 3)).shape
        (2, 3)
    """
    return draw(F, F._npi_gumbel, {"loc": loc, "scale": scale}, ctx, size=size, out=out)


@np_function(RANDOM)
def logistic(
    F: Operators,
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Draws from a logistic distribution; array parameters get gradients.

    Args:
        F: Operators of the frontend.
        loc: Mean, a number or an array.
        scale: Scale, a number or an array.
        size: Shape of the result, by default that of the parameters.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.logistic(loc=1, scale=2, size=4).shape
        (4,)
    """
    return draw(F, F._npi_logistic, {"loc": loc, "scale": scale}, ctx, size=size, out=out)


@np_function(RANDOM)
def exponential(
    F: Operators, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None
) -> Any:
    """Draws from an exponential distribution; an array of scales gets a gradient.

    Args:
        F: Operators of the frontend.
        scale: Mean, a number or an array.
        size: Shape of the result, by default that of the parameter.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> bool((mx.np.random.exponential(2, size=4) >= 0).all())
        True
    """
    return draw(F, F._npi_exponential, {"scale": scale}, ctx, size=size, out=out)


@np_function(RANDOM)
def rayleigh(
    F: Operators, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None
) -> Any:
    """Draws from a Rayleigh distribution; an array of scales gets a gradient.

    Args:
        F: Operators of the frontend.
        scale: Mode, a number or an array.
        size: Shape of the result, by default that of the parameter.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> bool((mx.np.random.rayleigh(2, size=4) >= 0).all())
        True
    """
    return draw(F, F._npi_rayleigh, {"scale": scale}, ctx, size=size, out=out)


@np_function(RANDOM)
def weibull(F: Operators, a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> Any:
    """Draws from a Weibull distribution of scale 1; an array of shapes gets a gradient.

    Args:
        F: Operators of the frontend.
        a: Shape of the distribution, a number or an array.
        size: Shape of the result, by default that of the parameter.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.weibull(mx.np.array([1, 5]), size=(3, 2)).shape
        (3, 2)
    """
    return draw(F, F._npi_weibull, {"a": a}, ctx, size=size, out=out)


@np_function(RANDOM)
def pareto(F: Operators, a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> Any:
    """Draws from a Lomax distribution (Pareto II) of scale 1; an array of shapes gets a gradient.

    Args:
        F: Operators of the frontend.
        a: Shape of the distribution, a number or an array.
        size: Shape of the result, by default that of the parameter.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> bool((mx.np.random.pareto(3, size=4) >= 0).all())
        True
    """
    return draw(F, F._npi_pareto, {"a": a}, ctx, size=size, out=out)


@np_function(RANDOM)
def power(F: Operators, a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> Any:
    """Draws from a power distribution on `[0, 1)`.

    Args:
        F: Operators of the frontend.
        a: Exponent of the distribution function, a number or an array.
        size: Shape of the result, by default that of the parameter.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> bool((mx.np.random.power(3, size=4) <= 1).all())
        True
    """
    if isinstance(a, F.operand):
        return F._npi_powerd(a, a=None, size=size, out=out)
    with resolve(ctx):  # the operator has no attribute for it
        return F._npi_powerd(a=a, size=size, out=out)


@np_function(RANDOM)
def lognormal(
    F: Operators,
    mean: Any = 0.0,
    sigma: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Draws numbers whose logarithm has a normal distribution; array parameters get gradients.

    Args:
        F: Operators of the frontend.
        mean: Mean of the logarithm, a number or an array.
        sigma: Standard deviation of the logarithm, a number or an array.
        size: Shape of the result, by default that of the parameters.
        dtype: Floating-point type of the result.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> bool((mx.np.random.lognormal(0, 1, size=4) > 0).all())
        True
    """
    return F._npi_exp(F.random.normal(mean, sigma, size, dtype, ctx), out=out)


@np_function(RANDOM)
def beta(F: Operators, a: Any, b: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> Any:
    """Draws from a beta distribution on `[0, 1]`.

    Args:
        F: Operators of the frontend.
        a: First shape of the distribution, a number or an array.
        b: Second shape, a number or an array.
        size: Shape of the result, by default that of the parameters.
        dtype: Floating-point type of the result.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.beta(0.5, 2, size=(2, 3)).shape
        (2, 3)
    """
    # Small shapes give numbers that only float64 can hold.
    first = F.random.gamma(a, 1.0, size, "float64", ctx)
    second = F.random.gamma(b, 1.0, size, "float64", ctx)
    return F._npx_cast(first / (first + second), dtype=float_dtype(dtype))


@np_function(RANDOM)
def chisquare(F: Operators, df: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> Any:
    """Draws from a chi-square distribution.

    Args:
        F: Operators of the frontend.
        df: Degrees of freedom, a number or an array.
        size: Shape of the result, by default that of the parameter.
        dtype: Floating-point type of the result.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.chisquare(3, size=(2, 3)).shape
        (2, 3)
    """
    return F.random.gamma(df / 2, 2.0, size, dtype, ctx)


@np_function(RANDOM)
def multivariate_normal(
    F: Operators, mean: Any, cov: Any, size: Any = None, check_valid: Any = None, tol: Any = None
) -> Any:
    """Draws vectors from a normal distribution.

    Args:
        F: Operators of the frontend.
        mean: Means, of shape `(..., n)`.
        cov: Positive definite matrices of covariances, of shape `(..., n, n)`.
        size: Shape of the draws for each distribution, before that of the means.
        check_valid: Accepted, without effect.
        tol: Accepted, without effect.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.multivariate_normal(mx.np.zeros(2), mx.np.eye(2), size=5).shape
        (5, 2)
    """
    del check_valid, tol
    if F.for_symbols:  # whose dtypes are not known yet; the original's graphs have this node
        return F.Custom(mean, cov, op_type="mvn_fallback", size=str(size))
    if cov.dtype == "float16":
        factor = F._npi_cholesky(cov.astype("float32")).astype("float16")
    else:
        factor = F._npi_cholesky(cov)
    zeros = (mean - mean) + F._np_sum(factor - factor, axis=(-1,))
    standard = F._npi_normal_n(zeros, loc=None, scale=1.0, size=size, dtype=mean.dtype)
    product = F._npi_matmul(factor, F._npi_expand_dims(standard, axis=-1))
    return mean + F._np_squeeze(product, axis=(-1,))


_OPTIONS = ["dtype", "ctx", "out", "device"]


def _read_options(where: str, options: dict[str, Any]) -> dict[str, Any]:
    """Returns options with `device`, as MXNet 2 names it, under the name `ctx`."""
    unknown = next((name for name in options if name not in _OPTIONS), None)
    if unknown is not None:
        hint = find_meant(unknown, _OPTIONS)
        raise UnsupportedTypeError(f"{where}: unknown argument {unknown!r}{hint}")
    if "device" not in options:
        return options
    return {"ctx": options["device"]} | {
        key: item for key, item in options.items() if key != "device"
    }


@np_function(RANDOM)
def rand(F: Operators, *size: int, **kwargs: Any) -> Any:
    """Draws from the uniform distribution on `[0, 1)`.

    Args:
        F: Operators of the frontend.
        *size: Length of each axis; none for a scalar.
        **kwargs: Further arguments of `uniform`.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.rand(2, 3).shape
        (2, 3)
    """
    return F.random.uniform(0.0, 1.0, size=size, **_read_options("rand", kwargs))


@np_function(RANDOM)
def randn(F: Operators, *size: int, **kwargs: Any) -> Any:
    """Draws from the normal distribution of mean 0 and deviation 1.

    Args:
        F: Operators of the frontend.
        *size: Length of each axis; none for a scalar.
        **kwargs: Further arguments of `normal`.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.randn(2, 3).shape
        (2, 3)
    """
    return F.random.normal(0.0, 1.0, size=size, **_read_options("randn", kwargs))


@np_function(RANDOM)
def randint(
    F: Operators,
    low: int,
    high: int | None = None,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Draws whole numbers in `[low, high)`, or in `[0, low)` without `high`.

    Args:
        F: Operators of the frontend.
        low: Least number.
        high: End of the range.
        size: Shape of the result, a scalar if not given.
        dtype: int64, which is the default, or int32.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.random.randint(3, 6, size=4)
        >>> x.shape, set(x.tolist()) <= {3, 4, 5}
        ((4,), True)
    """
    low, high = (0, low) if high is None else (low, high)
    options = {"shape": () if size is None else size, "dtype": dtype or "int64"}
    return F._npi_random_randint(low=low, high=high, **options, **placement(F, ctx), out=out)


@np_function(RANDOM)
def choice(
    F: Operators,
    a: Any,
    size: Any = None,
    replace: bool = True,
    p: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Draws elements of an array, or whole numbers.

    Args:
        F: Operators of the frontend.
        a: Array whose first axis is drawn from, or a number, for `arange(a)`.
        size: Shape of the draws, a single one if not given.
        replace: Whether an element may be drawn more than once.
        p: Array of the probabilities of the elements, which are equal if it is not given.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.random.choice(5, size=5, replace=False)
        >>> sorted(x.tolist())
        [0, 1, 2, 3, 4]
    """
    weights = [] if p is None else [p]
    attrs = {"size": size, "replace": replace, "weighted": p is not None}
    if not isinstance(a, F.operand):
        return F._npi_choice(*weights, a=a, **attrs, **placement(F, ctx), out=out)
    if F.for_symbols:
        return F._npi_take(a, F._npi_choice(a, *weights, a=None, **attrs))
    indices = F._npi_choice(*weights, a=a.shape[0], **attrs, **placement(F, ctx))
    return F._npi_take(a, indices, axis=0, mode="clip", out=out)


@np_function(RANDOM)
def multinomial(F: Operators, n: int, pvals: Any, size: Any = None, **kwargs: Any) -> Any:
    """Counts how often each category is drawn in a number of trials.

    Args:
        F: Operators of the frontend.
        n: Number of trials.
        pvals: Probabilities of the categories, an array or numbers; the last gets what is left.
        size: Shape of the repetitions, before the axis of the categories.
        **kwargs: None.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.multinomial(10, [0.5, 0.5]).sum()
        array(10, dtype=int64)
    """
    if kwargs:
        raise TypeError(f"multinomial: got unexpected keyword arguments {', '.join(kwargs)}")
    if isinstance(pvals, F.operand):
        return F._npi_multinomial(pvals, n=n, pvals=None, size=size)
    if isinstance(pvals, np.ndarray):
        raise ArgumentValueError(
            "multinomial: expected pvals of mx.np or numbers, got an array of NumPy; "
            "call mx.np.array(pvals)"
        )
    return F._npi_multinomial(n=n, pvals=tuple(pvals), size=size)


@np_function(RANDOM)
def shuffle(F: Operators, x: Any) -> None:
    """Puts the rows of an array into random order, in place.

    Args:
        F: Operators of the frontend.
        x: The array, whose first axis is shuffled.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.array([1, 2, 3])
        >>> mx.np.random.shuffle(x)
        >>> sorted(x.tolist())
        [1.0, 2.0, 3.0]
    """
    F._npi_shuffle(x, out=x)
