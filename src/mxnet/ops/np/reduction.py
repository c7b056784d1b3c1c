"""Reductions along axes in the NumPy dialect, whose results may be scalars.

No axes at all, `axis=()`, are not the same as `axis=None`: nothing is reduced then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor

from mxnet._dtypes import name_of
from mxnet.errors import AttributeValueError, MXNetError
from mxnet.ops.attrs import DType, Shape
from mxnet.ops.reduction import distinct_axes, extreme, prod
from mxnet.ops.registry import op
from mxnet.ops.traits import NAMED_INPUTS, Traits

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
    "_np_any",
    torch.any,
    "Tests whether an element along axes is other than zero.",
    "_np_sometrue",
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
    result = reduce_axes(torch.mean, as_floats(a, dtype), axis, keepdims)
    return result if dtype is None else result.to(dtype)


def as_floats(data: Tensor, dtype: torch.dtype | None) -> Tensor:
    """Converts data to the floats in which a mean is computed: at least as wide as the result."""
    wide = data.dtype if data.dtype.is_floating_point else torch.float32
    if dtype is not None and dtype.is_floating_point:
        wide = torch.promote_types(wide, dtype) if data.dtype.is_floating_point else dtype
    return data.to(wide)
