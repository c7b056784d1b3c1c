"""Rules of operators that reduce axes, and of sums along one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet.ops.meta._results import NoRuleError, Rule, axis_of, make


def _reduced(data: Tensor, dim: Sequence[int] | int | None, keepdim: bool) -> list[int]:
    axes = [dim] if isinstance(dim, int) else list(dim or range(data.ndim))
    if data.ndim == 0:
        raise NoRuleError
    reduced = {axis_of(axis, data.ndim) for axis in axes}
    if len(reduced) != len(axes):
        raise NoRuleError
    shape = []
    for axis, length in enumerate(data.shape):
        if axis not in reduced:
            shape.append(length)
        elif keepdim:
            shape.append(1)
    return shape


def _whole(dtype: torch.dtype) -> torch.dtype:
    """Returns the dtype of sums."""
    return dtype if dtype.is_floating_point or dtype.is_complex else torch.int64


def _sum(
    data: Tensor,
    dim: Sequence[int] | int | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
) -> Tensor:
    return make(_reduced(data, dim, keepdim), dtype or _whole(data.dtype))


def _mean(
    data: Tensor,
    dim: Sequence[int] | int | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
) -> Tensor:
    result = dtype or data.dtype
    if not result.is_floating_point:
        raise NoRuleError
    return make(_reduced(data, dim, keepdim), result)


def _extreme(data: Tensor, dim: Sequence[int] = (), keepdim: bool = False) -> Tensor:
    _check_not_empty(data, dim)
    return make(_reduced(data, dim, keepdim), data.dtype)


def _position(data: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    _check_not_empty(data, dim)
    return make(_reduced(data, dim, keepdim), torch.int64)


def _check_not_empty(data: Tensor, dim: Any) -> None:
    """Leaves the question of what is the largest of nothing to torch."""
    del dim
    if not data.numel():
        raise NoRuleError


def _truth(data: Tensor, dim: Sequence[int] | int | None = None, keepdim: bool = False) -> Tensor:
    if dim == [] or dim == ():
        raise NoRuleError  # these reduce nothing then
    dtype = torch.uint8 if data.dtype is torch.uint8 else torch.bool
    return make(_reduced(data, dim, keepdim), dtype)


def _var_mean(
    data: Tensor,
    dim: Sequence[int] | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
) -> tuple[Tensor, Tensor]:
    del correction
    return _mean(data, dim, keepdim), _mean(data, dim, keepdim)


def _norm(
    data: Tensor,
    order: float = 2,
    dim: Sequence[int] | int | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
) -> Tensor:
    if order <= 0 or not data.numel():
        raise NoRuleError
    return _mean(data, dim, keepdim, dtype=dtype)


def _running_sum(data: Tensor, dim: int, *, dtype: torch.dtype | None = None) -> Tensor:
    axis_of(dim, data.ndim)
    return make(data.shape, dtype or _whole(data.dtype))


def _softmax(data: Tensor, dim: int, half_to_float: bool) -> Tensor:
    axis_of(dim, data.ndim)
    if not data.dtype.is_floating_point or half_to_float:
        raise NoRuleError
    return make(data.shape, data.dtype)


RULES: dict[str, Rule] = {
    **dict.fromkeys(["sum", "sum.dim_IntList", "prod", "prod.dim_int"], _sum),
    **dict.fromkeys(["mean", "mean.dim"], _mean),
    **dict.fromkeys(["amax", "amin"], _extreme),
    **dict.fromkeys(["argmax", "argmin"], _position),
    **dict.fromkeys(["any", "any.dim", "any.dims", "all", "all.dim", "all.dims"], _truth),
    "var_mean.correction": _var_mean,
    "linalg_vector_norm": _norm,
    "cumsum": _running_sum,
    "_softmax": _softmax,
    "_log_softmax": _softmax,
}
