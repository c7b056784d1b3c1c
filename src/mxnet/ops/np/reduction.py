"""Reductions along axes, statistics and differences in the NumPy dialect; results may be scalars.

No axes at all, `axis=()`, are not the same as `axis=None`: nothing is reduced then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod as product
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from mxnet._formats.element_types import name_of
from mxnet.errors import AttributeValueError, ExecutionValueError, MXNetError, ShapeMismatchError
from mxnet.ops.core.allocation import check_size
from mxnet.ops.core.attrs import DType, Shape
from mxnet.ops.core.devices import is_captured
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import as_element
from mxnet.ops.core.traits import NAMED_INPUTS, Shapes, Traits
from mxnet.ops.math.reduction import distinct_axes, extreme, prod

Axes: TypeAlias = tuple[int, ...] | None
Reduce: TypeAlias = Callable[[Tensor, Axes, bool], Tensor]

REDUCTION = Traits(labels=NAMED_INPUTS)

_DTYPES = frozenset(
    (
        *(torch.float16, torch.float32, torch.float64),
        *(torch.int8, torch.int32, torch.int64, torch.bool),
    )
)


def reduce_axes(reduce: Reduce, data: Tensor, axis: Shape | None, keepdims: bool) -> Tensor:
    """Reduces axes, all of them for None and none for an empty tuple.

    Args:
        reduce: Reduces a tensor along one axis or more, along all for None.
        data: The tensor.
        axis: The axes; that of a scalar may be 0 or -1.
        keepdims: Whether reduced axes stay with size 1.
    """
    if axis is None or len(axis) == 1:
        return reduce(data, axis, keepdims)
    if not axis:
        # Torch takes no axes for all axes: an axis of size 1 leaves the data as they are.
        return reduce(data.unsqueeze(-1), (-1,), False)
    return reduce(data, distinct_axes(axis, data.ndim), keepdims)


def check_dtype(name: str, dtype: torch.dtype | None, *, allows_bool: bool = True) -> None:
    """Raises if a reduction cannot have a result of some dtype."""
    if dtype is None or (dtype in _DTYPES and (allows_bool or dtype is not torch.bool)):
        return
    raise AttributeValueError(
        f"{name}: attribute `dtype` takes a float or signed integer dtype, got {name_of(dtype)}"
    )


def _sum(data: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    return torch.sum(data, axes, keepdims, dtype=data.dtype)


def _widen(data: Tensor) -> Tensor:
    """Returns data in the dtype in which they are added where the result is of another dtype."""
    if data.dtype.is_floating_point:
        return data.to(torch.float32 if data.dtype.itemsize < 4 else torch.float64)
    return data.long()


def _accumulate(
    name: str, reduce: Reduce, join: Callable[[Tensor, float], Tensor], doc: str, alias: str | None
) -> None:
    """Declares the sum or the product, which take a dtype and a number to begin with."""

    def kernel(
        a: Tensor,
        *,
        axis: Shape | None = None,
        dtype: DType | None = None,
        keepdims: bool = False,
        initial: float | None = None,
    ) -> Tensor:
        if a.dtype is torch.bool:
            a = a.long()
        if dtype is None and initial is None:
            if axis is None or len(axis) == 1:
                return reduce(a, axis, keepdims)  # a call less
            return reduce_axes(reduce, a, axis, keepdims)
        check_dtype(name, dtype)
        wide = dtype or a.dtype
        if wide.is_floating_point and wide.itemsize >= a.dtype.itemsize:
            a = a.to(wide)
        elif dtype is not None:
            a = _widen(a)
        result = reduce_axes(reduce, a, axis, keepdims)
        return (result if initial is None else join(result, initial)).to(wide)

    kernel.__doc__ = f"""{doc}

    Args:
        a: Array of any shape; bool is taken as int64.
        axis: Axis or axes to reduce; None for all of them, an empty tuple for none.
        dtype: Dtype of the result; None for that of the array.
        keepdims: Whether reduced axes stay with size 1.
        initial: Number to begin with.
    """
    op(name, aliases=() if alias is None else (alias,), traits=REDUCTION)(kernel)


_accumulate("_np_sum", _sum, torch.add, "Sums elements along axes.", None)
_accumulate("_np_prod", prod, torch.mul, "Multiplies elements along axes.", "_np_product")


def _declare_extreme(name: str, alias: str, largest: bool, doc: str) -> None:
    reduce = extreme(largest)
    limit = torch.clamp_min if largest else torch.clamp_max

    def kernel(
        a: Tensor,
        *,
        axis: Shape | None = None,
        keepdims: bool = False,
        initial: float | None = None,
    ) -> Tensor:
        if initial is not None and not a.numel():
            reduced = reduce_axes(_sum, a, axis, keepdims)
            return torch.full_like(reduced, initial)
        result = reduce_axes(reduce, a, axis, keepdims)
        return result if initial is None else limit(result, initial)

    kernel.__doc__ = f"""{doc}

    The gradient goes to every element that attains it.

    Args:
        a: Array of any shape; a reduced axis must not be empty.
        axis: Axis or axes to reduce; None for all of them, an empty tuple for none.
        keepdims: Whether reduced axes stay with size 1.
        initial: Number that is compared, too.
    """
    op(name, aliases=(alias,), traits=REDUCTION)(kernel)


_declare_extreme("_np_max", "_np_amax", True, "Returns the largest element along axes.")
_declare_extreme("_np_min", "_np_amin", False, "Returns the smallest element along axes.")


def _declare_test(name: str, reduce: Reduce, doc: str, *aliases: str) -> None:
    def kernel(data: Tensor, *, axis: Shape | None = None, keepdims: bool = False) -> Tensor:
        return reduce_axes(reduce, data.bool(), axis, keepdims)

    kernel.__doc__ = f"""{doc}

    Args:
        data: Array of any shape.
        axis: Axis or axes to reduce; None for all of them, an empty tuple for none.
        keepdims: Whether reduced axes stay with size 1.
    """
    op(name, aliases=aliases, differentiable=False, traits=Traits(labels=NAMED_INPUTS))(kernel)


_declare_test("_np_all", torch.all, "Tests whether all elements along axes are other than zero.")
_declare_test(
    "_np_any", torch.any, "Tests whether an element along axes is other than zero.", "_np_sometrue"
)


def _declare_position(name: str, builtin: Callable[..., Tensor], doc: str) -> None:
    def kernel(data: Tensor, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
        if data.dtype is torch.bool:
            raise MXNetError(f"{name}: expected numbers, got bool")
        position = builtin(data, axis, keepdims and axis is not None)
        return position.view((1,) * data.ndim) if keepdims and axis is None else position

    kernel.__doc__ = f"""{doc}

    The first of equal elements wins, and nan wins over numbers.

    Args:
        data: Array of any shape.
        axis: Axis to search; None for the index into the flattened array.
        keepdims: Whether reduced axes stay with size 1.
    """
    op(name, differentiable=False)(kernel)


_declare_position(
    "_npi_argmax", torch.argmax, "Returns the index of the largest element along an axis, as int64."
)
_declare_position(
    "_npi_argmin",
    torch.argmin,
    "Returns the index of the smallest element along an axis, as int64.",
)


@op("_npi_mean", traits=REDUCTION)
def mean(
    a: Tensor,
    *,
    axis: Shape | None = None,
    dtype: DType | None = None,
    keepdims: bool = False,
    initial: float | None = None,
) -> Tensor:
    """Averages elements along axes.

    Args:
        a: Array of any shape.
        axis: Axis or axes to reduce; None for all of them, an empty tuple for none.
        dtype: Dtype of the result; None for that of the array, and for float32 if it has integers.
        keepdims: Whether reduced axes stay with size 1.
        initial: Must be None.
    """
    if initial is not None:
        raise AttributeValueError(f"_npi_mean: attribute `initial` takes None, got {initial}")
    if dtype is None and a.dtype.is_floating_point:
        return reduce_axes(torch.mean, a, axis, keepdims)
    check_dtype("_npi_mean", dtype)
    if dtype is not None and not dtype.is_floating_point and dtype is not torch.bool:
        total = reduce_axes(_sum, _widen(a.detach()), axis, keepdims).to(dtype)
        count = a.numel() // max(total.numel(), 1)
        return torch.div(total, max(count, 1), rounding_mode="trunc").to(dtype)
    result = reduce_axes(torch.mean, as_floats(a, dtype), axis, keepdims)
    return result if dtype is None else result.to(dtype)


def as_floats(data: Tensor, dtype: torch.dtype | None) -> Tensor:
    """Converts data to the floats in which a mean is computed: at least as wide as the result."""
    wide = data.dtype if data.dtype.is_floating_point else torch.float32
    if dtype is not None and dtype.is_floating_point:
        wide = torch.promote_types(wide, dtype) if data.dtype.is_floating_point else dtype
    return data.to(wide)


Interpolation: TypeAlias = Literal["linear", "lower", "higher", "midpoint", "nearest"]


def _list_axes(axis: Shape | None, ndim: int) -> tuple[int, ...]:
    return tuple(range(ndim)) if axis is None else distinct_axes(axis, ndim) if axis else ()


def _count(data: Tensor, axes: tuple[int, ...]) -> int:
    """Returns how many elements are reduced to one; a scalar has an axis of length 1."""
    return product([data.shape[index] for index in axes]) if data.ndim else 1


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
        return _divide(reduce_axes(_add_up, a, axis, False), total), total
    factors = _spread_weights(a, weights, axes)
    total = reduce_axes(_add_up, factors, axis, False)
    mean = _divide(reduce_axes(_add_up, a * factors, axis, False), total)
    return mean, total if weights.shape == a.shape else weights.sum(dtype=weights.dtype)


def _add_up(data: Tensor, axes: Axes, keepdims: bool) -> Tensor:
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
    count = product([a.shape[index] for index in axes])
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
        q = torch.full((), q_scalar, dtype=torch.float64, device=a.device)
    elif q is None:
        raise MXNetError("_npi_percentile: expected either `q` or `q_scalar`, got none")
    if q.ndim > 1:
        raise MXNetError(f"_npi_percentile: expected `q` of one axis at most, got {q.ndim}")
    if is_captured(q):  # which forbids to look at them
        return q.detach().double().clamp(0, 100) / 100
    beyond = q_scalar is None or q_scalar < 0 or q_scalar > 100
    if beyond and not q.is_meta and bool(((q < 0) | (q > 100)).any()):
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


@op(
    "_npi_bincount",
    any_dtype=("weights",),
    active_inputs=_bincount_inputs,
    differentiable=False,
    traits=Traits(shapes=Shapes(of_values=True)),
)
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


_NAMED = Traits(labels=NAMED_INPUTS)


@op("_npi_diff", traits=_NAMED)
def diff(a: Tensor, *, n: int = 1, axis: int = -1) -> Tensor:
    """Subtracts from each element the one before it along an axis.

    Args:
        a: Array of numbers.
        n: How many times that is done.
        axis: The axis.
    """
    length = a.shape[axis]
    is_bool = a.dtype is torch.bool
    if n < 0 or (is_bool and n < length):
        raise MXNetError(f"_npi_diff: expected numbers and `n` of at least 0, got {a.dtype}, {n}")
    if is_bool:
        return a.narrow(axis, 0, 0)
    for _ in range(min(n, length)):
        a = a.narrow(axis, 1, a.shape[axis] - 1) - a.narrow(axis, 0, a.shape[axis] - 1)
    return a if n else a.clone()


def _ediff1d_inputs(
    *, to_begin_arr_given: bool, to_end_arr_given: bool, **_: object
) -> tuple[str, ...]:
    return ("input1", "input2", "input3")[: 1 + to_begin_arr_given + to_end_arr_given]


@op("_npi_ediff1d", active_inputs=_ediff1d_inputs, traits=_NAMED)
def ediff1d(
    input1: Tensor,
    input2: Tensor | None = None,
    input3: Tensor | None = None,
    *,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
) -> Tensor:
    """Subtracts from each element of the flattened array the one before it.

    Args:
        input1: Array of numbers.
        input2: What stands before the differences, or behind them if nothing stands before them.
        input3: What stands behind the differences.
        to_begin_arr_given: Whether an array stands before the differences.
        to_end_arr_given: Whether an array stands behind them.
        to_begin_scalar: A number before the differences.
        to_end_scalar: A number behind them.
    """
    given = [array for array in (input2, input3) if array is not None]
    if len(given) != to_begin_arr_given + to_end_arr_given:
        raise MXNetError(f"_npi_ediff1d: expected the arrays that are announced, got {len(given)}")
    flat = input1.reshape(-1)
    head = given.pop(0) if to_begin_arr_given else _as_vector(to_begin_scalar, flat)
    tail = given.pop(0) if to_end_arr_given else _as_vector(to_end_scalar, flat)
    return torch.cat([head.reshape(-1), flat[1:] - flat[:-1], tail.reshape(-1)])


def _as_vector(number: float | None, data: Tensor) -> Tensor:
    if number is None:
        return data.new_zeros((0,))
    return data.new_full((1,), as_element(number, data.dtype))


@op("_npi_polyval", traits=_NAMED)
def polyval(p: Tensor, x: Tensor) -> Tensor:
    """Computes a polynomial at each element.

    Args:
        p: Vector of coefficients, that of the highest power first.
        x: Array of any shape.
    """
    if p.ndim != 1:
        raise ShapeMismatchError(
            f"_npi_polyval: expected a vector of coefficients, got {p.ndim} axes"
        )
    result = torch.zeros_like(x)
    for coefficient in p.unbind():
        result = result * x + coefficient
    return result


def _interp_inputs(*, x_is_scalar: bool, **_: object) -> tuple[str, ...]:
    return ("xp", "fp") if x_is_scalar else ("xp", "fp", "x")


@op("_npi_interp", active_inputs=_interp_inputs, any_dtype=("xp", "fp", "x"), differentiable=False)
def interp(
    xp: Tensor,
    fp: Tensor,
    x: Tensor | None = None,
    *,
    left: float | None = None,
    right: float | None = None,
    x_scalar: float = 0.0,
    x_is_scalar: bool = False,
    period: float | None = None,
) -> Tensor:
    """Reads a function between the points where it is known, along straight lines.

    Args:
        xp: Ascending places of the points.
        fp: Values there.
        x: Where to read the function.
        left: Value before the first point, by default that of the first.
        right: Value behind the last point, by default that of the last.
        x_scalar: Where to read it, in place of `x`.
        x_is_scalar: Whether `x_scalar` is given.
        period: Length after which the function repeats itself; then `left` and `right` are not
            used, and points need not be in order.
    """
    places, values = xp.double(), fp.double()
    shape = () if x is None or x_is_scalar else x.shape
    wanted = places.new_full((1,), x_scalar) if x is None else x.double().reshape(-1)
    if places.ndim != 1 or places.shape != values.shape or not len(places):
        raise MXNetError(
            f"_npi_interp: expected two vectors of one length, got {tuple(xp.shape)} and "
            f"{tuple(fp.shape)}"
        )
    if period is not None:
        length = abs(period)
        places, wanted = places % length, wanted % length
        places, order = torch.sort(places, stable=True)
        values = values[order]
        places = torch.cat([places[-1:] - length, places, places[:1] + length])
        values = torch.cat([values[-1:], values, values[:1]])
        left = right = None
    if len(places) == 1:
        found = values.expand(wanted.shape).clone()
    else:
        end = torch.searchsorted(places, wanted, right=True).clamp(1, len(places) - 1)
        start = end - 1
        slope = (values[end] - values[start]) / (places[end] - places[start])
        found = values[start] + slope * (wanted - places[start])
        found = torch.where(wanted >= places[-1], values[-1], found)
    found = torch.where(wanted > places[-1], values[-1] if right is None else right, found)
    found = torch.where(wanted < places[0], values[0] if left is None else left, found)
    return found.reshape(shape)
