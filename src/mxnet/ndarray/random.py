"""Random arrays: `mx.nd.random`.

The parameters of a distribution are numbers, which give an array of the asked shape, or arrays,
which give samples of that shape for each element.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, overload

from mxnet._arrays.invoke import invoke
from mxnet._start import find_meant, tracebacks, type_name
from mxnet._state import also_takes, modes
from mxnet.context import Context, resolve
from mxnet.errors import ArgumentTypeError, MXNetError, UnsupportedTypeError
from mxnet.ndarray._namespaces import populate
from mxnet.ndarray._ndarray import NDArray
from mxnet.ops.core.registry import get_op

Parameter: TypeAlias = float | NDArray
Size: TypeAlias = int | Sequence[int] | None


def _draw(
    name: str,
    parameters: dict[str, Any],
    shape: Size,
    dtype: Any,
    ctx: Context | str | None,
    out: NDArray | None,
    options: dict[str, Any],
) -> NDArray:
    """Samples with numbers or arrays as parameters."""
    _refuse_unknown(name, options)
    given: dict[str, Any] = {} if shape is None else {"shape": shape}
    if dtype is not None:
        given["dtype"] = dtype
    arrays = [isinstance(value, NDArray) for value in parameters.values()]
    if any(arrays):
        if not all(arrays):
            raise ArgumentTypeError(f"{name}: parameters must be all arrays or all numbers")
        op = get_op(f"_sample_{name}")
        inputs = list(parameters.values())
        return invoke(op, inputs, op.parse_attrs(given), NDArray, out=out)  # type: ignore[return-value]
    if isinstance(shape, (tuple, list)) and not shape and not modes.np_shape:
        raise MXNetError(
            f"{name}: expected a shape of at least one axis, got (); scalars need npx.set_np()"
        )
    op = get_op(f"_random_{name}")
    if out is not None:
        given = {"shape": out.shape, "dtype": out.dtype} | given
        ctx = out.context
    attrs = op.parse_attrs({"shape": 1} | parameters | given)
    return invoke(op, (), attrs, NDArray, out=out, ctx=resolve(ctx))  # type: ignore[return-value]


def _refuse_unknown(name: str, options: dict[str, Any]) -> None:
    unknown = set(options) - {"name", "attr"}
    if unknown:
        first = min(unknown)
        hint = find_meant(first, ["shape", "dtype", "ctx", "out"])
        raise UnsupportedTypeError(f"{name}: unknown argument {first!r}{hint}")


def _expect_array(name: str, data: Any) -> None:
    if not isinstance(data, NDArray):
        raise ArgumentTypeError(f"{name}: argument data must be NDArray, got {type_name(data)}")


def uniform(
    low: Parameter = 0,
    high: Parameter = 1,
    shape: Size = None,
    dtype: Any = None,
    ctx: Context | str | None = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Samples uniformly from `[low, high)`.

    Args:
        low: Lower bound, a number or an array.
        high: Upper bound, a number or an array.
        shape: Shape of the result; with arrays, of the samples for each element.
        dtype: Element type, float32 if not given.
        ctx: Context, the current one if not given.
        out: Array to fill instead.
        **kwargs: `name`, accepted for compatibility.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.uniform(-1, 1, shape=(2, 3))
        >>> print(x.shape, (x >= -1).asnumpy().all(), (x < 1).asnumpy().all())
        (2, 3) True True
        >>> low, high = mx.nd.array([0, 10]), mx.nd.array([1, 11])
        >>> print(mx.nd.random.uniform(low, high, shape=4).floor().asnumpy())
        [[ 0.  0.  0.  0.]
         [10. 10. 10. 10.]]
    """
    return _draw("uniform", {"low": low, "high": high}, shape, dtype, ctx, out, kwargs)


def normal(
    loc: Parameter = 0,
    scale: Parameter = 1,
    shape: Size = None,
    dtype: Any = None,
    ctx: Context | str | None = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Samples from the normal distribution of mean `loc` and deviation `scale`; see `uniform`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.normal(5, 0.1, shape=(1000,))
        >>> print(x.shape, abs(x.mean().asscalar() - 5) < 0.1)
        (1000,) True
    """
    parameters = {"loc": loc, "scale": scale}
    if isinstance(loc, NDArray) or isinstance(scale, NDArray):
        parameters = {"mu": loc, "sigma": scale}
    return _draw("normal", parameters, shape, dtype, ctx, out, kwargs)


def randn(*shape: int, **kwargs: Any) -> NDArray:
    """Samples an array of the given shape from the normal distribution; see `normal`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.random.randn(2, 3, dtype="float64").shape)
        (2, 3)
    """
    loc, scale = kwargs.pop("loc", 0), kwargs.pop("scale", 1)
    return normal(loc, scale, shape, **kwargs)


def gamma(
    alpha: Parameter = 1,
    beta: Parameter = 1,
    shape: Size = None,
    dtype: Any = None,
    ctx: Context | str | None = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Samples from the gamma distribution of shape `alpha` and scale `beta`; see `uniform`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.gamma(4, 0.5, shape=(1000,))
        >>> print(abs(x.mean().asscalar() - 2) < 0.5)
        True
    """
    return _draw("gamma", {"alpha": alpha, "beta": beta}, shape, dtype, ctx, out, kwargs)


def exponential(
    scale: Parameter = 1,
    shape: Size = None,
    dtype: Any = None,
    ctx: Context | str | None = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Samples from the exponential distribution of mean `scale`; see `uniform`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.exponential(0.25, shape=(1000,))
        >>> print(abs(x.mean().asscalar() - 0.25) < 0.1)
        True
    """
    rate = 1.0 / scale
    return _draw("exponential", {"lam": rate}, shape, dtype, ctx, out, kwargs)


def poisson(
    lam: Parameter = 1,
    shape: Size = None,
    dtype: Any = None,
    ctx: Context | str | None = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Samples from the Poisson distribution of mean `lam`; see `uniform`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.poisson(4, shape=(1000,))
        >>> print(abs(x.mean().asscalar() - 4) < 1, (x.floor() == x).asnumpy().all())
        True True
    """
    return _draw("poisson", {"lam": lam}, shape, dtype, ctx, out, kwargs)


def negative_binomial(
    k: Parameter = 1,
    p: Parameter = 1,
    shape: Size = None,
    dtype: Any = None,
    ctx: Context | str | None = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Samples the number of failures before `k` successes of probability `p`; see `uniform`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.negative_binomial(3, 0.5, shape=(1000,))
        >>> print(abs(x.mean().asscalar() - 3) < 1, (x.floor() == x).asnumpy().all())
        True True
    """
    return _draw("negative_binomial", {"k": k, "p": p}, shape, dtype, ctx, out, kwargs)


def generalized_negative_binomial(
    mu: Parameter = 1,
    alpha: Parameter = 1,
    shape: Size = None,
    dtype: Any = None,
    ctx: Context | str | None = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Samples the negative binomial of mean `mu` and dispersion `alpha`; see `uniform`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.generalized_negative_binomial(3, 0.1, shape=(1000,))
        >>> print(abs(x.mean().asscalar() - 3) < 1, (x.floor() == x).asnumpy().all())
        True True
    """
    parameters = {"mu": mu, "alpha": alpha}
    return _draw("generalized_negative_binomial", parameters, shape, dtype, ctx, out, kwargs)


def randint(
    low: int,
    high: int,
    shape: Size = None,
    dtype: Any = None,
    ctx: Context | str | None = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Samples integers from `[low, high)`, int32 unless `dtype` says otherwise; see `uniform`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.randint(0, 5, shape=(3,))
        >>> print(x.dtype.__name__, (x < 5).asnumpy().all())
        int32 True
    """
    return _draw("randint", {"low": low, "high": high}, shape, dtype, ctx, out, kwargs)


@overload
def multinomial(
    data: NDArray,
    shape: Size = None,
    get_prob: Literal[False] = False,
    out: NDArray | None = None,
    dtype: Any = "int32",
    **kwargs: Any,
) -> NDArray: ...
@overload
def multinomial(
    data: NDArray, shape: NDArray, get_prob: Size = None, out: Any = None, *args: Any, **kwargs: Any
) -> NDArray: ...
@overload
def multinomial(
    data: NDArray, shape: Size = None, get_prob: bool = False, *args: Any, **kwargs: Any
) -> list[NDArray]: ...
@overload
def multinomial(*, n: NDArray, p: NDArray, **kwargs: Any) -> NDArray: ...
@also_takes('n=[1], p=[[1.0]], shape=1, dtype="float32", ctx=None, out=None, **kwargs')
def multinomial(data: Any = None, *args: Any, **kwargs: Any) -> Any:
    """Samples indices with the probabilities in the last axis of `data`.

    With two arrays, or `n=` and `p=`, it does what it does in MXNet 2, where `categorical` samples
    indices: it counts how often each is sampled. Then its arguments are `n`, numbers of trials, `p`
    of the shape of `n` with an axis for the categories, `shape`, `dtype`, `ctx` and `out`.

    Args:
        data: Probabilities, which sum to 1 along the last axis.
        *args: What `categorical` takes further: `shape`, `get_prob`, `out` and `dtype`.
        **kwargs: The same by name; `name`, accepted for compatibility.

    Example:
        >>> import mxnet as mx
        >>> shares = mx.nd.array([[0, 1, 0], [0, 0, 1]])
        >>> print(mx.nd.random.multinomial(shares, shape=3).asnumpy())
        [[1 1 1]
         [2 2 2]]
        >>> print(mx.nd.random.multinomial(mx.nd.array([4, 5]), shares).asnumpy())
        [[0. 4. 0.]
         [0. 0. 5.]]
    """
    if "n" in kwargs or "p" in kwargs or (args and isinstance(args[0], NDArray)):
        names = ("n", "p", "shape", "dtype", "ctx", "out")
        first = () if "n" in kwargs else (data, *args)
        return _count(**dict(zip(names, first, strict=False)), **kwargs)
    _expect_array("multinomial", data)
    return categorical(data, *args, **kwargs)


def _count(
    n: Any, p: Any = None, shape: Size = None, dtype: Any = None, out: Any = None, **kwargs: Any
) -> NDArray:
    """Samples how often each category comes in a number of trials."""
    kwargs.pop("ctx", None)  # arrays say where
    _refuse_unknown("multinomial", kwargs)
    for name, value in (("n", n), ("p", p)):
        if not isinstance(value, NDArray):
            raise ArgumentTypeError(
                f"multinomial: argument {name} must be NDArray, got {type_name(value)}"
            )
    op = get_op("_npx__random_multinomial")
    given = {"shape": () if shape is None else shape, "dtype": dtype}
    return invoke(op, (n, p), op.parse_attrs(given), NDArray, out=out)  # type: ignore[return-value]


def categorical(
    data: NDArray,
    shape: Size = None,
    get_prob: bool = False,
    out: NDArray | None = None,
    dtype: Any = "int32",
    **kwargs: Any,
) -> Any:
    """Samples indices with the probabilities in the last axis of `data`: `multinomial(data)`.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.random.categorical(mx.nd.array([0, 1, 0]), shape=3).asnumpy()
        array([1, 1, 1], dtype=int32)
    """
    _refuse_unknown("categorical", kwargs)
    _expect_array("categorical", data)
    op = get_op("_sample_multinomial")
    given: dict[str, Any] = {"get_prob": get_prob, "dtype": dtype}
    if shape is not None:
        given["shape"] = shape
    return invoke(op, (data,), op.parse_attrs(given), NDArray, out=out)


def binomial(
    n: Parameter = 1,
    p: Parameter = 0.5,
    shape: Size = None,
    dtype: Any = None,
    ctx: Context | str | None = None,
    out: NDArray | None = None,
    **kwargs: Any,
) -> NDArray:
    """Samples the number of successes in `n` trials of probability `p`; see `uniform`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.binomial(6, 0.5, shape=(1000,))
        >>> print(abs(x.mean().asscalar() - 3) < 0.5, x.max().asscalar() <= 6)
        True True
    """
    return _draw("binomial", {"n": n, "p": p}, shape, dtype, ctx, out, kwargs)


multinomial.__signature__ = inspect.signature(categorical)  # type: ignore[attr-defined]


def shuffle(data: NDArray, out: NDArray | None = None, **kwargs: Any) -> NDArray:
    """Returns the array with its rows (the first axis) in random order.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.shuffle(mx.nd.arange(5))
        >>> print(sorted(x.asnumpy().tolist()))
        [0.0, 1.0, 2.0, 3.0, 4.0]
    """
    _refuse_unknown("shuffle", kwargs)
    _expect_array("shuffle", data)
    return invoke(get_op("_shuffle"), (data,), {}, NDArray, out=out)  # type: ignore[return-value]


populate(globals(), "random")

tracebacks.public_functions(globals())
