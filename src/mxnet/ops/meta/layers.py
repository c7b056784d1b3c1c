"""Rules of products of matrices, convolutions, poolings, normalizations and decompositions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import torch
from torch import Tensor

from mxnet.ops.meta.elements import NoRuleError, Rule, broadcast, make


def _check_dtypes(*tensors: Tensor | None) -> None:
    if len({tensor.dtype for tensor in tensors if tensor is not None}) != 1:
        raise NoRuleError


def _mm(lhs: Tensor, rhs: Tensor) -> Tensor:
    _check_dtypes(lhs, rhs)
    (rows, inner), (inner_of_rhs, columns) = lhs.shape, rhs.shape
    if inner != inner_of_rhs:
        raise NoRuleError
    return make((rows, columns), lhs.dtype)


def _addmm(bias: Tensor, lhs: Tensor, rhs: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    _check_dtypes(bias, lhs)
    product = _mm(lhs, rhs)
    if broadcast(bias.shape, product.shape) != tuple(product.shape):
        raise NoRuleError
    return product


def _bmm(lhs: Tensor, rhs: Tensor) -> Tensor:
    _check_dtypes(lhs, rhs)
    (batch, rows, inner), (batch_of_rhs, inner_of_rhs, columns) = lhs.shape, rhs.shape
    if batch != batch_of_rhs or inner != inner_of_rhs:
        raise NoRuleError
    return make((batch, rows, columns), lhs.dtype)


def _dot(lhs: Tensor, rhs: Tensor) -> Tensor:
    _check_dtypes(lhs, rhs)
    if lhs.ndim != 1 or lhs.shape != rhs.shape:
        raise NoRuleError
    return make((), lhs.dtype)


def _all(values: Sequence[int], count: int) -> Sequence[int]:
    return list(values) * count if len(values) == 1 else values


def _convolution(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_padding: Sequence[int],
    groups: int,
) -> Tensor:
    _check_dtypes(data, weight, bias)
    num_axes = data.ndim - 2
    channels = weight.shape[0 if transposed else 1] * (1 if transposed else groups)
    filters = weight.shape[1] * groups if transposed else weight.shape[0]
    if num_axes < 1 or weight.ndim != data.ndim or channels != data.shape[1] or filters % groups:
        raise NoRuleError
    if bias is not None and tuple(bias.shape) != (filters,):
        raise NoRuleError
    steps, pads = _all(stride, num_axes), _all(padding, num_axes)
    spread, extra = _all(dilation, num_axes), _all(output_padding, num_axes)
    lengths = []
    for axis in range(num_axes):
        size, kernel = data.shape[axis + 2], weight.shape[axis + 2]
        reach = spread[axis] * (kernel - 1) + 1
        if transposed:
            length = (size - 1) * steps[axis] - 2 * pads[axis] + reach + extra[axis]
        else:
            length = (size + 2 * pads[axis] - reach) // steps[axis] + 1
        if length < 1 or kernel < 1 or min(steps[axis], spread[axis]) < 1 or pads[axis] < 0:
            raise NoRuleError
        lengths.append(length)
    return make((data.shape[0], filters, *lengths), data.dtype)


def _pooled(
    data: Tensor,
    num_axes: int,
    kernel_size: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    ceil_mode: bool,
) -> list[int]:
    if data.ndim not in (num_axes + 1, num_axes + 2) or not prod(data.shape):
        raise NoRuleError
    kernel = _all(kernel_size, num_axes)
    steps, pads = _all(stride or kernel, num_axes), _all(padding, num_axes)
    spread = _all(dilation, num_axes)
    lengths = list(data.shape[: data.ndim - num_axes])
    for axis, size in enumerate(data.shape[data.ndim - num_axes :]):
        reach = spread[axis] * (kernel[axis] - 1) + 1
        if min(kernel[axis], steps[axis]) < 1 or not 0 <= 2 * pads[axis] <= kernel[axis]:
            raise NoRuleError
        room = size + 2 * pads[axis] - reach
        length = (room + (steps[axis] - 1 if ceil_mode else 0)) // steps[axis] + 1
        if ceil_mode and (length - 1) * steps[axis] >= size + pads[axis]:
            length -= 1  # a window must begin inside of the data or of what is padded before it
        if length < 1:
            raise NoRuleError
        lengths.append(length)
    return lengths


def _avg_pool(num_axes: int) -> Rule:
    def rule(
        data: Tensor,
        kernel_size: Sequence[int],
        stride: Sequence[int] = (),
        padding: Sequence[int] = (0,),
        ceil_mode: bool = False,
        *_: Any,
    ) -> Tensor:
        shape = _pooled(data, num_axes, kernel_size, stride, padding, (1,), ceil_mode)
        return make(shape, data.dtype)

    return rule


def _max_pool(num_axes: int) -> Rule:
    def rule(
        data: Tensor,
        kernel_size: Sequence[int],
        stride: Sequence[int] = (),
        padding: Sequence[int] = (0,),
        dilation: Sequence[int] = (1,),
        ceil_mode: bool = False,
    ) -> tuple[Tensor, Tensor]:
        shape = _pooled(data, num_axes, kernel_size, stride, padding, dilation, ceil_mode)
        return make(shape, data.dtype), make(shape, torch.int64)

    return rule


def _adaptive_pool(data: Tensor, output_size: Sequence[int]) -> Tensor:
    if data.ndim != 4 or not prod(data.shape) or min(output_size) < 0:
        raise NoRuleError
    return make((*data.shape[:2], *output_size), data.dtype)


def _batch_norm(
    data: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    channels = (data.shape[1],)
    for statistic in (weight, bias, running_mean, running_var):
        if statistic is not None and tuple(statistic.shape) != channels:
            raise NoRuleError
    statistics = [item for item in (weight, bias, running_mean, running_var) if item is not None]
    _check_dtypes(*(statistics or [data]))
    dtype = statistics[0].dtype if statistics else data.dtype
    if dtype not in (data.dtype, torch.float32):  # half precision keeps its statistics in full
        raise NoRuleError
    return make(data.shape, data.dtype), make(channels, dtype), make(channels, dtype)


def _layer_norm(
    data: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    _check_dtypes(data, weight, bias)
    kept = data.ndim - len(normalized_shape)
    if kept < 0 or tuple(data.shape[kept:]) != tuple(normalized_shape):
        raise NoRuleError
    shape = (*data.shape[:kept], *[1] * len(normalized_shape))
    dtype = torch.promote_types(data.dtype, torch.float32)
    return make(data.shape, data.dtype), make(shape, dtype), make(shape, dtype)


def _group_norm(
    data: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    batch: int,
    channels: int,
    length: int,
    group: int,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    _check_dtypes(data, weight, bias)
    if data.numel() != batch * channels * length or group < 1 or channels % group:
        raise NoRuleError
    shape = (batch, group)
    return make(data.shape, data.dtype), make(shape, data.dtype), make(shape, data.dtype)


def _grid_sampler(data: Tensor, grid: Tensor, *_: Any) -> Tensor:
    _check_dtypes(data, grid)
    batch, rows, columns, pair = grid.shape
    if data.ndim != 4 or batch != data.shape[0] or pair != 2 or not data.numel():
        raise NoRuleError
    return make((*data.shape[:2], rows, columns), data.dtype)


def _resized(data: Tensor, output_size: Sequence[int], *_: Any) -> Tensor:
    if data.ndim != 4 or not data.numel() or min(output_size) < 1:
        raise NoRuleError
    return make((*data.shape[:2], *output_size), data.dtype)


_LAYER_RULES: dict[str, Rule] = {
    "dot": _dot,
    "grid_sampler_2d": _grid_sampler,
    "upsample_bilinear2d": _resized,
    "mm": _mm,
    "addmm": _addmm,
    "bmm": _bmm,
    "convolution": _convolution,
    "avg_pool2d": _avg_pool(2),
    "avg_pool3d": _avg_pool(3),
    "max_pool2d_with_indices": _max_pool(2),
    "max_pool3d_with_indices": _max_pool(3),
    "_adaptive_avg_pool2d": _adaptive_pool,
    "native_batch_norm": _batch_norm,
    "native_layer_norm": _layer_norm,
    "native_group_norm": _group_norm,
}


def _check_square(data: Tensor) -> Sequence[int]:
    """Returns the shape of the batch."""
    if data.dtype not in (torch.float32, torch.float64) or data.ndim < 2:
        raise NoRuleError
    if data.shape[-1] != data.shape[-2]:
        raise NoRuleError
    return data.shape[:-2]


def _same(data: Tensor, *_: Any) -> Tensor:
    _check_square(data)
    return make(data.shape, data.dtype)


def _with_info(data: Tensor, **_: Any) -> tuple[Tensor, Tensor]:
    return _same(data), make(_check_square(data), torch.int32)


def _eigh(data: Tensor, *_: Any) -> tuple[Tensor, Tensor]:
    _check_square(data)
    return make(data.shape[:-1], data.dtype), make(data.shape, data.dtype)


def _det(data: Tensor) -> tuple[Tensor, ...]:
    batch = _check_square(data)
    return make(batch, data.dtype), _same(data), make(data.shape[:-1], torch.int32)


def _slogdet(data: Tensor) -> tuple[Tensor, ...]:
    determinant, *factors = _det(data)
    return determinant, make(determinant.shape, data.dtype), *factors


def _solve_triangular(data: Tensor, rhs: Tensor, *, left: bool = True, **_: Any) -> Tensor:
    batch = _check_square(data)
    fits = rhs.ndim == data.ndim and rhs.shape[:-2] == batch and rhs.dtype is data.dtype
    if not fits or rhs.shape[-2 if left else -1] != data.shape[-1]:
        raise NoRuleError
    return make(rhs.shape, rhs.dtype)


_MATRIX_RULES: dict[str, Rule] = {
    "cholesky_inverse": _same,
    "linalg_cholesky_ex": _with_info,
    "linalg_inv_ex": _with_info,
    "_linalg_eigh": _eigh,
    "_linalg_det": _det,
    "_linalg_slogdet": _slogdet,
    "linalg_solve_triangular": _solve_triangular,
}

RULES = _LAYER_RULES | _MATRIX_RULES
