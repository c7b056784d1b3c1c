"""Statistics in the NumPy dialect: variances, weighted means, percentiles and counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from mxnet._dtypes import name_of
from mxnet.errors import ExecutionValueError, MXNetError
from mxnet.ops.attrs import DType, Shape
from mxnet.ops.np.reduction import REDUCTION, Axes, as_floats, check_dtype, reduce_axes
from mxnet.ops.reduction import distinct_axes
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_size
from mxnet.ops.traits import NAMED_INPUTS

Interpolation: TypeAlias = Literal["linear", "lower", "higher", "midpoint", "nearest"]


def _list_axes(axis: Shape | None, ndim: int) -> tuple[int, ...]:
    return tuple(range(ndim)) if axis is None else distinct_axes(axis, ndim) if axis else ()


def _count(data: Tensor, axes: tuple[int, ...]) -> int:
    """Returns how many elements are reduced to one; a scalar has an axis of length 1."""
    return prod(data.shape[index] for index in axes) if data.ndim else 1


def _declare_spread(name: str, builtin: Callable[..., Tensor], doc: str, is_root: bool) -> None:
    def kernel(
        a: Tensor,
        *,
        axis: Shape | None = None,
        dtype: DType | None = None,
        ddof: int = 0,
        keepdims: bool = False,
    ) -> Tensor:
        check_dtype(name, dtype, allows_bool=False)
        if a.dtype is torch.bool:
            raise MXNetError(f"{name}: expected numbers, got bool")

        def reduce(data: Tensor, axes: Axes, keepdims: bool) -> Tensor:
            count = data.numel() if axes is None else _count(data, axes)
            if count > ddof and data.numel():
                return builtin(data, axes, correction=ddof, keepdim=keepdims)
            # torch warns of what follows: nothing, infinity or nan
            centered = data - data.mean(axes, keepdim=True)
            variance = centered.square().sum(axes, keepdim=keepdims) / 0
            return variance.sqrt() if is_root else variance

        result = reduce_axes(reduce, as_floats(a, dtype), axis, keepdims)
        return result if dtype is None else result.to(dtype)

    kernel.__doc__ = f"""{doc}

    Args:
        a: Array of numbers of any shape; of integers the result is a float32.
        axis: Axis or axes to reduce; None for all of them, an empty tuple for none.
        dtype: Dtype of the result; None for that of the array.
        ddof: What is subtracted from the number of elements before it divides.
        keepdims: Whether reduced axes stay with size 1.
    """
    word = name.removeprefix("_npi_")  # files count a second output, which is hidden
    op(name, traits=replace(REDUCTION, labels=NAMED_INPUTS.of(word, "mean")))(kernel)


_declare_spread("_npi_var", torch.var, "Computes the variance along axes.", is_root=False)
_declare_spread("_npi_std", torch.std, "Computes the standard deviation along axes.", is_root=True)


def _average_inputs(*, weighted: bool, **_: object) -> tuple[str, ...]:
    return ("a", "weights") if weighted else ("a",)


@op(
    "_npi_average",
    active_inputs=_average_inputs,
    num_outputs=2,
    visible_outputs=lambda *, returned, **_: 2 if returned else 1,
    traits=replace(REDUCTION, labels=NAMED_INPUTS.of("output0", "output1")),
)
def average(
    a: Tensor,
    weights: Tensor | None = None,
    *,
    axis: Shape | None = None,
    returned: bool = False,
    weighted: bool = True,
) -> tuple[Tensor, Tensor]:
    """Averages elements along axes, each with its weight.

    Args:
        a: Array of numbers; integers are divided towards zero.
        weights: Array of the shape of `a`, or a vector along the only axis that is reduced.
        axis: Axis or axes to reduce; None for all of them.
        returned: Whether to return the sums of the weights, too.
        weighted: Whether there are weights.
    """
    del returned  # a matter of visible outputs
    axes = _list_axes(axis, a.ndim or 1)  # a scalar counts as a vector
    if not weighted or weights is None:
        count = _count(a, axes)
        total = torch.full((), count, dtype=a.dtype, device=a.device)
        return _divide(reduce_axes(_sum, a, axis, False), total), total
    factors = _spread_weights(a, weights, axes)
    total = reduce_axes(_sum, factors, axis, False)
    mean = _divide(reduce_axes(_sum, a * factors, axis, False), total)
    return mean, total if weights.shape == a.shape else weights.sum(dtype=weights.dtype)


def _sum(data: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    return torch.sum(data, axes, keepdims, dtype=data.dtype)


def _divide(total: Tensor, weight: Tensor) -> Tensor:
    if total.dtype.is_floating_point:
        return total / weight
    return torch.div(total, weight, rounding_mode="trunc")


def _spread_weights(a: Tensor, weights: Tensor, axes: tuple[int, ...]) -> Tensor:
    """Returns weights in the shape of the array."""
    if weights.shape == a.shape:
        return weights
    if len(axes) != 1 or weights.ndim != 1 or weights.shape[0] != a.shape[axes[0]]:
        raise MXNetError(
            f"_npi_average: expected weights of shape {tuple(a.shape)} or a vector along the axis, "
            f"got shape {tuple(weights.shape)}; a vector needs one axis of its length"
        )
    shape = [1] * a.ndim
    shape[axes[0]] = -1
    return weights.reshape(shape).expand_as(a)


def _percentile_inputs(*, q_scalar: float | None, **_: object) -> tuple[str, ...]:
    return ("a", "q") if q_scalar is None else ("a",)


@op("_npi_percentile", any_dtype=("q",), active_inputs=_percentile_inputs, traits=REDUCTION)
def percentile(
    a: Tensor,
    q: Tensor | None = None,
    *,
    axis: Shape | None = None,
    interpolation: Interpolation = "linear",
    keepdims: bool = False,
    q_scalar: float | None = None,
) -> Tensor:
    """Returns the elements below which shares of all elements along axes lie.

    Args:
        a: Array of numbers; the result is a float64 if it is one, else a float32.
        q: Percentages from 0 to 100, at most one axis, which is the first of the result.
        axis: Axis or axes to reduce; None for all of them.
        interpolation: What to take if a percentile lies between two elements.
        keepdims: Whether reduced axes stay with size 1.
        q_scalar: A percentage in place of `q`.
    """
    if a.dtype is torch.bool:
        raise MXNetError("_npi_percentile: expected numbers, got bool")
    dtype = torch.float64 if a.dtype is torch.float64 else torch.float32
    share = _read_shares(q, q_scalar, a)
    axes = _list_axes(axis, a.ndim)
    kept = [index for index in range(a.ndim) if index not in axes]
    shape = [1 if index in axes else a.shape[index] for index in range(a.ndim)]
    count = prod(a.shape[index] for index in axes)
    rows = a.to(dtype).permute((*kept, *axes)).reshape((*(a.shape[index] for index in kept), count))
    if not count:
        rows = rows.new_full((*rows.shape[:-1], 1), torch.nan)
    result = _interpolate(torch.sort(rows, -1).values, share.flatten(), interpolation)
    result = torch.where(torch.isnan(rows).any(-1), torch.nan, result)
    lengths = shape if keepdims else [a.shape[index] for index in kept]
    return result.reshape((*share.shape, *lengths))


def _read_shares(q: Tensor | None, q_scalar: float | None, a: Tensor) -> Tensor:
    """Returns percentages as shares of one."""
    if q_scalar is not None:
        q = torch.tensor(q_scalar, dtype=torch.float64, device=a.device)
    elif q is None:
        raise MXNetError("_npi_percentile: expected either `q` or `q_scalar`, got none")
    if q.ndim > 1:
        raise MXNetError(f"_npi_percentile: expected `q` of one axis at most, got {q.ndim}")
    if not q.is_meta and bool(((q < 0) | (q > 100)).any()):
        raise ExecutionValueError("_npi_percentile: expected percentages from 0 to 100 in `q`")
    return q.detach().double() / 100


def _interpolate(rows: Tensor, share: Tensor, interpolation: Interpolation) -> Tensor:
    """Returns the percentiles of sorted rows, the first axis being that of the shares."""
    position = share * (rows.shape[-1] - 1)
    below = torch.floor(position)
    rest = position - below
    if interpolation == "lower":
        rest = torch.zeros_like(rest)
    elif interpolation == "higher":
        rest = (rest > 0).double()
    elif interpolation == "midpoint":
        rest = (rest > 0) * 0.5
    elif interpolation == "nearest":
        rest = torch.round(position) - below
    index = below.long()
    low = rows.index_select(-1, index)
    high = rows.index_select(-1, torch.clamp(index + 1, max=rows.shape[-1] - 1))
    return torch.lerp(low, high, rest.to(rows.dtype)).movedim(-1, 0)


def _bincount_inputs(*, has_weights: bool, **_: object) -> tuple[str, ...]:
    return ("data", "weights") if has_weights else ("data",)


@op("_npi_bincount", any_dtype=("weights",), active_inputs=_bincount_inputs, differentiable=False)
def bincount(
    data: Tensor, weights: Tensor | None = None, *, minlength: int = 0, has_weights: bool = False
) -> Tensor:
    """Counts how often each number occurs.

    Args:
        data: Vector of whole numbers that are not negative.
        weights: Vector of what each number counts; one if not given.
        minlength: Least length of the result.
        has_weights: Whether there are weights.
    """
    if data.dtype.is_floating_point or data.ndim > 1:
        raise MXNetError(
            f"_npi_bincount: expected a vector of integers, got {data.ndim} axes of "
            f"{name_of(data.dtype)}"
        )
    if data.is_meta:
        raise NotImplementedError("the length of the counts depends on the elements")
    if data.numel() and bool(data.min() < 0):
        raise MXNetError("_npi_bincount: expected numbers that are not negative")
    if not has_weights or weights is None:
        weights = torch.ones_like(data)
    elif weights.shape != data.shape:
        raise MXNetError(
            f"_npi_bincount: expected weights of shape {tuple(data.shape)}, "
            f"got {tuple(weights.shape)}"
        )
    length = max(minlength, int(data.max()) + 1 if data.numel() else 0)
    check_size("_npi_bincount", (length,), weights.dtype, data.device)
    counts = torch.zeros(length, dtype=weights.dtype, device=data.device)
    return counts.index_add(0, data.long(), weights)
