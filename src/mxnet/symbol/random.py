"""Random values in graphs: `mx.sym.random`.

The parameters of a distribution are numbers, or symbols, which give samples for each element.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mxnet._start import tracebacks
from mxnet._state import also_takes
from mxnet.errors import ArgumentTypeError
from mxnet.symbol._functions import FUNCTIONS, populate
from mxnet.symbol.symbol import Symbol


def _draw(
    name: str, parameters: Mapping[str, Any], shape: Any, dtype: Any, kwargs: Mapping[str, Any]
) -> Symbol:
    given = {"shape": shape, "dtype": dtype}
    options = {key: value for key, value in given.items() if value is not None} | dict(kwargs)
    symbols = [isinstance(value, Symbol) for value in parameters.values()]
    if any(symbols) and not all(symbols):
        raise ArgumentTypeError(f"{name}: parameters must be all symbols or all numbers")
    internal = FUNCTIONS["_internal"]
    if any(symbols):
        return internal[f"_sample_{name}"](*parameters.values(), **options)
    return internal[f"_random_{name}"](**parameters, **options)


def uniform(
    low: Any = 0, high: Any = 1, shape: Any = None, dtype: Any = None, **kwargs: Any
) -> Symbol:
    """Samples uniformly from `[low, high)`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.random.uniform(10, 11, shape=(2,)).eval()[0]
        >>> print(x.floor().asnumpy())
        [10. 10.]
    """
    return _draw("uniform", {"low": low, "high": high}, shape, dtype, kwargs)


def normal(
    loc: Any = 0, scale: Any = 1, shape: Any = None, dtype: Any = None, **kwargs: Any
) -> Symbol:
    """Samples from the normal distribution of mean `loc` and deviation `scale`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.random.normal(5, 0.1, shape=(1000,)).eval()[0]
        >>> print(abs(x.mean().asscalar() - 5) < 0.1)
        True
    """
    return _draw("normal", {"loc": loc, "scale": scale}, shape, dtype, kwargs)


def randn(*shape: int, **kwargs: Any) -> Symbol:
    """Samples of the given shape from the normal distribution; see `normal`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.sym.random.randn(2, 3).eval()[0].shape)
        (2, 3)
    """
    return normal(kwargs.pop("loc", 0), kwargs.pop("scale", 1), shape, **kwargs)


def gamma(
    alpha: Any = 1, beta: Any = 1, shape: Any = None, dtype: Any = None, **kwargs: Any
) -> Symbol:
    """Samples from the gamma distribution of shape `alpha` and scale `beta`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.random.gamma(4, 0.5, shape=(1000,)).eval()[0]
        >>> print(abs(x.mean().asscalar() - 2) < 0.5)
        True
    """
    return _draw("gamma", {"alpha": alpha, "beta": beta}, shape, dtype, kwargs)


def exponential(scale: Any = 1, shape: Any = None, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Samples from the exponential distribution of mean `scale`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.random.exponential(0.25, shape=(1000,)).eval()[0]
        >>> print(abs(x.mean().asscalar() - 0.25) < 0.1)
        True
    """
    return _draw("exponential", {"lam": 1.0 / scale}, shape, dtype, kwargs)


def poisson(lam: Any = 1, shape: Any = None, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Samples from the Poisson distribution of mean `lam`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.random.poisson(4, shape=(1000,)).eval()[0]
        >>> print(abs(x.mean().asscalar() - 4) < 1)
        True
    """
    return _draw("poisson", {"lam": lam}, shape, dtype, kwargs)


def negative_binomial(
    k: Any = 1, p: Any = 1, shape: Any = None, dtype: Any = None, **kwargs: Any
) -> Symbol:
    """Samples the number of failures before `k` successes of probability `p`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.random.negative_binomial(3, 0.5, shape=(1000,)).eval()[0]
        >>> print(abs(x.mean().asscalar() - 3) < 1)
        True
    """
    return _draw("negative_binomial", {"k": k, "p": p}, shape, dtype, kwargs)


def generalized_negative_binomial(
    mu: Any = 1, alpha: Any = 1, shape: Any = None, dtype: Any = None, **kwargs: Any
) -> Symbol:
    """Samples the negative binomial of mean `mu` and dispersion `alpha`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.random.generalized_negative_binomial(3, 0.1, shape=(1000,)).eval()[0]
        >>> print(abs(x.mean().asscalar() - 3) < 1)
        True
    """
    name = "generalized_negative_binomial"
    return _draw(name, {"mu": mu, "alpha": alpha}, shape, dtype, kwargs)


def randint(low: int, high: int, shape: Any = None, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Samples integers from `[low, high)`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.random.randint(0, 5, shape=(3,)).eval()[0]
        >>> print(x.dtype.__name__, (x < 5).asnumpy().all())
        int32 True
    """
    return _draw("randint", {"low": low, "high": high}, shape, dtype, kwargs)


@also_takes('n=[1], p=[[1.0]], shape=1, dtype="float32", **kwargs')
def multinomial(
    data: Symbol | None = None,
    shape: Any = None,
    get_prob: Any = True,
    dtype: Any = "int32",
    **kwargs: Any,
) -> Symbol:
    """Samples indices with the probabilities in the last axis of `data`.

    With two symbols, or `n=` and `p=`, it counts how often each is sampled in `n` trials, as in
    MXNet 2; then the third argument is the shape of the samples.

    Example:
        >>> import mxnet as mx
        >>> y = mx.sym.random.multinomial(mx.sym.var("shares"), shape=3, get_prob=False)
        >>> print(y.eval(shares=mx.nd.array([[0, 1, 0], [0, 0, 1]]))[0].asnumpy())
        [[1 1 1]
         [2 2 2]]
    """
    if isinstance(shape, Symbol):
        kwargs, shape = {"n": data, "p": shape, **kwargs}, None if get_prob is True else get_prob
    options = {} if shape is None else {"shape": shape}
    if "n" in kwargs or "p" in kwargs:
        kwargs.pop("ctx", None)
        given = {} if dtype == "int32" else {"dtype": dtype}
        count = FUNCTIONS["_internal"]["_npx__random_multinomial"]
        return count(kwargs.pop("n", data), kwargs.pop("p"), **options, **given, **kwargs)
    return categorical(data, shape, get_prob, dtype, **kwargs)


def categorical(
    data: Any, shape: Any = None, get_prob: bool = True, dtype: Any = "int32", **kwargs: Any
) -> Symbol:
    """Samples indices with the probabilities in the last axis of `data`: `multinomial(data)`.

    Example:
        >>> import mxnet as mx
        >>> y = mx.sym.random.categorical(mx.sym.var("shares"), shape=2, get_prob=False)
        >>> print(y.eval(shares=mx.nd.array([0, 1, 0]))[0].asnumpy())
        [1 1]
    """
    options = {} if shape is None else {"shape": shape}
    sample = FUNCTIONS["_internal"]["_sample_multinomial"]
    return sample(data, get_prob=get_prob, dtype=dtype, **options, **kwargs)


def binomial(
    n: Any = 1, p: Any = 0.5, shape: Any = None, dtype: Any = None, **kwargs: Any
) -> Symbol:
    """Samples the number of successes in `n` trials of probability `p`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.random.binomial(6, 0.5, shape=(1000,)).eval()[0]
        >>> print(abs(x.mean().asscalar() - 3) < 0.5)
        True
    """
    return _draw("binomial", {"n": n, "p": p}, shape, dtype, kwargs)


def shuffle(data: Symbol, **kwargs: Any) -> Symbol:
    """Returns the rows in random order.

    Example:
        >>> import mxnet as mx
        >>> y = mx.sym.random.shuffle(mx.sym.var("x")).eval(x=mx.nd.arange(5))[0]
        >>> print(sorted(y.asnumpy().tolist()))
        [0.0, 1.0, 2.0, 3.0, 4.0]
    """
    return FUNCTIONS["_internal"]["_shuffle"](data, **kwargs)


populate(globals(), "random")

tracebacks.public_functions(globals())
