"""Rules of operators that make, move or pick elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet.ops.meta._results import META, NoRuleError, Rule, axis_of, broadcast, make


def _like(data: Tensor, *_: Any, dtype: torch.dtype | None = None, **options: Any) -> Tensor:
    if options.get("device") not in (None, META) or options.get("layout") not in (
        None,
        torch.strided,
    ):
        raise NoRuleError
    return make(data.shape, dtype or data.dtype)


def _same(data: Tensor, *_: Any, **__: Any) -> Tensor:
    return make(data.shape, data.dtype)


def _arange(*bounds: Any, dtype: torch.dtype | None = None, **options: Any) -> Tensor:
    if options.get("device") != META:
        raise NoRuleError
    start, end, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    if not all(isinstance(number, (int, float)) for number in (start, end, step)):
        raise NoRuleError
    length = math.ceil((end - start) / step)
    if length < 0:
        raise NoRuleError
    if dtype is None:
        whole = all(isinstance(number, int) for number in (start, end, step))
        dtype = torch.int64 if whole else torch.get_default_dtype()
    return make((length,), dtype)


def _cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    first = tensors[0]
    axis = axis_of(dim, first.ndim)
    total = 0
    for tensor in tensors:
        others = (*tensor.shape[:axis], *tensor.shape[axis + 1 :])
        if tensor.dtype is not first.dtype or tensor.ndim != first.ndim:
            raise NoRuleError
        if others != (*first.shape[:axis], *first.shape[axis + 1 :]):
            raise NoRuleError
        total += tensor.shape[axis]
    return make((*first.shape[:axis], total, *first.shape[axis + 1 :]), first.dtype)


def _stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    first = tensors[0]
    axis = axis_of(dim, first.ndim + 1)
    for tensor in tensors:
        if tensor.dtype is not first.dtype or tensor.shape != first.shape:
            raise NoRuleError
    return make((*first.shape[:axis], len(tensors), *first.shape[axis:]), first.dtype)


def _gather(data: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Tensor:
    del sparse_grad
    axis = axis_of(dim, data.ndim)
    fits = index.ndim == data.ndim and index.dtype in (torch.int64, torch.int32)
    for position in range(data.ndim):
        if not fits or (position != axis and index.shape[position] > data.shape[position]):
            raise NoRuleError
    return make(index.shape, data.dtype)


def _embedding(weight: Tensor, indices: Tensor, *_: Any) -> Tensor:
    if weight.ndim != 2 or indices.dtype not in (torch.int64, torch.int32):
        raise NoRuleError
    return make((*indices.shape, weight.shape[1]), weight.dtype)


def _index(data: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    used = [position for position, index in enumerate(indices) if index is not None]
    given = [index for index in indices if index is not None]
    if not given or len(indices) > data.ndim:
        raise NoRuleError
    if any(index.dtype not in (torch.int64, torch.int32) for index in given):
        raise NoRuleError  # booleans choose as many as are true
    picked = broadcast(*(index.shape for index in given))
    rest = [data.shape[axis] for axis in range(data.ndim) if axis not in used]
    adjacent = used[-1] - used[0] + 1 == len(used)
    place = used[0] if adjacent else 0
    return make((*rest[:place], *picked, *rest[place:]), data.dtype)


def _index_put(
    data: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False
) -> Tensor:
    del accumulate
    picked = tuple(_index(data, indices).shape)
    if values.dtype is not data.dtype or broadcast(values.shape, picked) != picked:
        raise NoRuleError
    return make(data.shape, data.dtype)


def _index_copy(data: Tensor, dim: int, index: Tensor, source: Tensor, **_: Any) -> Tensor:
    axis = axis_of(dim, data.ndim)
    expected = (*data.shape[:axis], *index.shape, *data.shape[axis + 1 :])
    if index.ndim != 1 or source.dtype is not data.dtype or tuple(source.shape) != expected:
        raise NoRuleError
    return make(data.shape, data.dtype)


def _scatter(data: Tensor, dim: int, index: Tensor, source: Any) -> Tensor:
    _gather(data, dim, index)
    if isinstance(source, Tensor):
        _gather(source, dim, index)
        axis = axis_of(dim, data.ndim)
        if source.dtype is not data.dtype or index.shape[axis] > source.shape[axis]:
            raise NoRuleError
    return make(data.shape, data.dtype)


def _linspace(start: Any, end: Any, steps: int, *, device: Any = None, **options: Any) -> Tensor:
    numbers = isinstance(start, (int, float)) and isinstance(end, (int, float))
    if device != META or not numbers or steps < 0:
        raise NoRuleError
    return make((steps,), options.get("dtype") or torch.get_default_dtype())


def _randperm(n: int, *, device: Any = None, **options: Any) -> Tensor:
    if device != META or n < 0:
        raise NoRuleError
    return make((n,), options.get("dtype") or torch.int64)


def _multinomial(data: Tensor, num_samples: int, replacement: bool = False, **_: Any) -> Tensor:
    fits = data.ndim in (1, 2) and data.dtype.is_floating_point and num_samples > 0
    if not fits or not (replacement or num_samples <= data.shape[-1]):
        raise NoRuleError
    return make((*data.shape[:-1], num_samples), torch.int64)


def _padded(num_axes: int, *, reflects: bool) -> Rule:
    def rule(data: Tensor, padding: Sequence[int]) -> Tensor:
        shape = list(data.shape)
        if len(padding) != 2 * num_axes or data.ndim <= num_axes or not data.numel():
            raise NoRuleError
        for number in range(num_axes):
            before, after = padding[2 * number : 2 * number + 2]
            length = shape[-1 - number]
            if min(before, after) < 0 or (reflects and max(before, after) >= length):
                raise NoRuleError
            shape[-1 - number] = length + before + after
        return make(shape, data.dtype)

    return rule


def _diag_embed(data: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    if (dim1, dim2) != (-2, -1) or not data.ndim:
        raise NoRuleError
    length = data.shape[-1] + abs(offset)
    return make((*data.shape[:-1], length, length), data.dtype)


def _sorted(data: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
    return make(data.shape, data.dtype), make(data.shape, torch.int64)


def _topk(data: Tensor, k: int, dim: int = -1, *_: Any) -> tuple[Tensor, Tensor]:
    axis = axis_of(dim, data.ndim)
    if not 0 <= k <= data.shape[axis]:
        raise NoRuleError
    shape = (*data.shape[:axis], k, *data.shape[axis + 1 :])
    return make(shape, data.dtype), make(shape, torch.int64)


def _repeat(data: Tensor, repeats: Sequence[int]) -> Tensor:
    if len(repeats) < data.ndim or min(repeats, default=0) < 0:
        raise NoRuleError
    shape = (*[1] * (len(repeats) - data.ndim), *data.shape)
    return make((a * b for a, b in zip(shape, repeats, strict=True)), data.dtype)


def _flip(data: Tensor, dims: Sequence[int]) -> Tensor:
    if len({axis_of(dim, data.ndim) for dim in dims}) != len(dims):
        raise NoRuleError
    return make(data.shape, data.dtype)


def _triangle(data: Tensor, diagonal: int = 0) -> Tensor:
    del diagonal
    if data.ndim < 2:
        raise NoRuleError
    return make(data.shape, data.dtype)


RULES: dict[str, Rule] = {
    **dict.fromkeys(["empty_like", "zeros_like", "ones_like", "full_like"], _like),
    **dict.fromkeys(["clone", "poisson", "roll"], _same),
    **dict.fromkeys(["arange", "arange.start", "arange.start_step"], _arange),
    "cat": _cat,
    "stack": _stack,
    "gather": _gather,
    "embedding": _embedding,
    "index.Tensor": _index,
    "index_put": _index_put,
    "index_copy": _index_copy,
    "index_add": _index_copy,
    "scatter.src": _scatter,
    "scatter.value": _scatter,
    "scatter_add": _scatter,
    "linspace": _linspace,
    "randperm": _randperm,
    "randperm.generator": _randperm,
    "multinomial": _multinomial,
    "replication_pad2d": _padded(2, reflects=False),
    "replication_pad3d": _padded(3, reflects=False),
    "reflection_pad2d": _padded(2, reflects=True),
    "reflection_pad3d": _padded(3, reflects=True),
    "diag_embed": _diag_embed,
    "sort.stable": _sorted,
    "sort": _sorted,
    "topk": _topk,
    "repeat": _repeat,
    "flip": _flip,
    "tril": _triangle,
    "triu": _triangle,
}
