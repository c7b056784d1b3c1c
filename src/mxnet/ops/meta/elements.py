"""Rules of operators that work element by element, reduce axes, or make, move and pick elements.

The first functions are what all rules are written with: meta tensors, shapes and dtypes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor

Shape: TypeAlias = tuple[int, ...]
Rule: TypeAlias = Callable[..., Any]
"""Takes the arguments of an operator of torch, and returns meta tensors as that would."""

META = torch.device("meta")


class NoRuleError(Exception):
    """These arguments are left to torch."""


def make(shape: Iterable[int], dtype: torch.dtype) -> Tensor:
    """Returns a tensor without data."""
    return torch.empty(tuple(shape), dtype=dtype, device=META)


def broadcast(*shapes: Sequence[int]) -> Shape:
    """Returns the common shape of operands."""
    result: list[int] = []
    for shape in shapes:
        if len(shape) > len(result):
            result = [1] * (len(shape) - len(result)) + result
        for position, length in enumerate(shape, len(result) - len(shape)):
            if result[position] == 1:
                result[position] = length
            elif length not in (1, result[position]):
                raise NoRuleError
    return tuple(result)


def axis_of(axis: int, ndim: int) -> int:
    """Returns an axis counted from the front."""
    if not -ndim <= axis < ndim:
        raise NoRuleError
    return axis % ndim


def promote(operands: Sequence[Any]) -> torch.dtype:
    """Returns the dtype in which torch computes with tensors and numbers."""
    tensors = [item for item in operands if isinstance(item, Tensor)]
    numbers = [item for item in operands if isinstance(item, (bool, int, float))]
    first = tensors[0]
    if len({tensor.dtype for tensor in tensors}) == 1:
        dtype = first.dtype
        if all(tensor.ndim for tensor in tensors) and dtype.is_floating_point:
            return dtype  # no number changes it
        results = {torch.result_type(first, number) for number in numbers} | {dtype}
        if len(results) > 2 or (len(results) == 2 and len(numbers) != 1):
            raise NoRuleError
        return (results - {dtype} or {dtype}).pop()
    if len(tensors) == 2 and not numbers:
        return torch.result_type(*tensors)
    raise NoRuleError


_SAME = """add.Tensor add.Scalar sub.Tensor sub.Scalar rsub.Scalar rsub.Tensor mul.Tensor mul.Scalar
maximum minimum remainder.Tensor remainder.Scalar fmod.Tensor fmod.Scalar pow.Tensor_Scalar
pow.Tensor_Tensor pow.Scalar hypot abs neg sign relu floor ceil
trunc round square clamp clamp_min clamp_max bitwise_and.Tensor bitwise_or.Tensor bitwise_xor.Tensor
bitwise_not elu leaky_relu gelu softplus softshrink hardswish silu mish addcmul addcdiv
_prelu_kernel threshold hardtanh hardsigmoid deg2rad rad2deg copysign.Tensor"""
"""The result is of the dtype in which is computed."""

_FLOATING = """exp exp2 expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh
acosh atanh sqrt rsqrt reciprocal sigmoid erf erfc erfinv lgamma digamma div.Tensor div.Scalar
atan2 special_erfcx sinc"""
"""Integers become floats."""

_BOOLEAN = """eq.Tensor eq.Scalar ne.Tensor ne.Scalar lt.Tensor lt.Scalar le.Tensor le.Scalar
gt.Tensor gt.Scalar ge.Tensor ge.Scalar logical_and logical_or logical_xor logical_not isnan isinf
isfinite"""

_BITWISE = frozenset(
    ("bitwise_and.Tensor", "bitwise_or.Tensor", "bitwise_xor.Tensor", "bitwise_not")
)
_OF_BOOLEANS = _BITWISE | {"add.Tensor", "mul.Tensor", "maximum", "minimum"}
_OF_FLOATS = """elu leaky_relu gelu softplus softshrink hardswish silu mish _prelu_kernel
hardsigmoid deg2rad rad2deg copysign.Tensor hypot"""
"""Operators on booleans, integers and floats alone, or not on them."""


def _shape_of(operands: Sequence[Any]) -> tuple[int, ...]:
    return broadcast(*(item.shape for item in operands if isinstance(item, Tensor)))


def _same(name: str) -> Rule:
    takes_booleans, takes_floats = name in _OF_BOOLEANS, name not in _BITWISE
    needs_floats = name in _OF_FLOATS.split()

    def rule(*args: Any, **kwargs: Any) -> Tensor:
        operands = (*args, *kwargs.values())
        dtype = promote(operands)
        if dtype.is_floating_point:
            taken = takes_floats and (not needs_floats or operands[0].dtype is dtype)
        else:
            taken = takes_booleans if dtype is torch.bool else not needs_floats
        if dtype.is_complex or not taken:
            raise NoRuleError
        return make(_shape_of(operands), dtype)

    return rule


def _floating(*operands: Any) -> Tensor:
    dtype = promote(operands)
    if dtype.is_complex:
        raise NoRuleError
    return make(
        _shape_of(operands), dtype if dtype.is_floating_point else torch.get_default_dtype()
    )


def _boolean(*operands: Any) -> Tensor:
    return make(_shape_of(operands), torch.bool)


def _divide(lhs: Any, rhs: Any, *, rounding_mode: str | None = None) -> Tensor:
    if rounding_mode is None:
        return _floating(lhs, rhs)
    dtype = promote((lhs, rhs))
    if dtype is torch.bool:
        raise NoRuleError
    return make(_shape_of((lhs, rhs)), dtype)


def _floor_divide(lhs: Tensor, rhs: Any) -> Tensor:
    if not lhs.is_meta:  # which torch takes in other operators
        raise NoRuleError
    return _divide(lhs, rhs, rounding_mode="floor")


def _where(condition: Tensor, lhs: Tensor, rhs: Tensor) -> Tensor:
    if condition.dtype is not torch.bool:
        raise NoRuleError
    return make(broadcast(condition.shape, lhs.shape, rhs.shape), promote((lhs, rhs)))


def _in_place(target: Tensor, *operands: Any, **_: Any) -> Tensor:
    if broadcast(target.shape, _shape_of((target, *operands))) != tuple(target.shape):
        raise NoRuleError
    if not torch.can_cast(promote((target, *operands)), target.dtype):
        raise NoRuleError
    return target


def _filled(target: Tensor, *_: Any, **__: Any) -> Tensor:
    return target


def _masked_fill(target: Tensor, mask: Tensor, value: Any) -> Tensor:
    if mask.dtype is not torch.bool or isinstance(value, Tensor):
        raise NoRuleError
    return make(broadcast(target.shape, mask.shape), target.dtype)


def _masked_fill_in_place(target: Tensor, mask: Tensor, value: Any) -> Tensor:
    if _masked_fill(target, mask, value).shape != target.shape:
        raise NoRuleError
    return target


def _smooth_l1(data: Tensor, target: Tensor, reduction: int = 1, beta: float = 1.0) -> Tensor:
    if reduction != 0 or beta < 0 or data.dtype is not target.dtype:
        raise NoRuleError
    return make(broadcast(data.shape, target.shape), data.dtype)


def _each(targets: Sequence[Tensor], *operands: Any, **_: Any) -> list[Tensor]:
    lists = [item for item in operands if isinstance(item, (list, tuple))]
    _check_lists(targets, lists)
    return [make(target.shape, target.dtype) for target in targets]


def _each_in_place(targets: Sequence[Tensor], *operands: Any, **_: Any) -> None:
    _check_lists(targets, [item for item in operands if isinstance(item, (list, tuple))])


def _check_lists(targets: Sequence[Tensor], lists: Sequence[Sequence[Any]]) -> None:
    for target in targets:
        if not target.dtype.is_floating_point:
            raise NoRuleError
    for items in lists:
        if len(items) != len(targets):
            raise NoRuleError
        for target, item in zip(targets, items, strict=True):
            fits = isinstance(item, Tensor) and item.dtype is target.dtype
            if not fits or tuple(item.shape) != tuple(target.shape):
                raise NoRuleError


_EACH = """_foreach_mul.Scalar _foreach_mul.List _foreach_add.Scalar _foreach_add.List
_foreach_sub.List _foreach_div.Scalar _foreach_div.List _foreach_sqrt _foreach_sign _foreach_neg
_foreach_abs _foreach_addcmul.Scalar _foreach_clamp_min.Scalar _foreach_clamp_max.Scalar"""
_EACH_IN_PLACE = """_foreach_mul_.Scalar _foreach_mul_.List _foreach_add_.Scalar _foreach_add_.List
_foreach_sub_.List _foreach_div_.Scalar _foreach_div_.List _foreach_sqrt_ _foreach_neg_
_foreach_addcmul_.Scalar _foreach_addcdiv_.Scalar _foreach_clamp_min_.Scalar
_foreach_clamp_max_.Scalar"""
_IN_PLACE = """add_.Tensor add_.Scalar sub_.Tensor mul_.Tensor mul_.Scalar div_.Tensor div_.Scalar
clamp_ clamp_min_ clamp_max_ bitwise_and_.Tensor bitwise_or_.Tensor addcmul_ addcdiv_"""
_DRAWN_IN_PLACE = "normal_ uniform_ exponential_ random_ random_.from bernoulli_.float"

_ELEMENTWISE_RULES: dict[str, Rule] = {
    **{name: _same(name) for name in _SAME.split()},
    **dict.fromkeys(_FLOATING.split(), _floating),
    **dict.fromkeys(_BOOLEAN.split(), _boolean),
    **dict.fromkeys(_IN_PLACE.split(), _in_place),
    **dict.fromkeys(_DRAWN_IN_PLACE.split(), _filled),
    **dict.fromkeys(_EACH.split(), _each),
    **dict.fromkeys(_EACH_IN_PLACE.split(), _each_in_place),
    "div.Tensor_mode": _divide,
    "div.Scalar_mode": _divide,
    "floor_divide": _floor_divide,
    "floor_divide.Scalar": _floor_divide,
    "where.self": _where,
    "masked_fill.Scalar": _masked_fill,
    "masked_fill_.Scalar": _masked_fill_in_place,
    "smooth_l1_loss": _smooth_l1,
}


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


_REDUCTION_RULES: dict[str, Rule] = {
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


def _like(data: Tensor, *_: Any, dtype: torch.dtype | None = None, **options: Any) -> Tensor:
    if options.get("device") not in (None, META) or options.get("layout") not in (
        None,
        torch.strided,
    ):
        raise NoRuleError
    return make(data.shape, dtype or data.dtype)


def _keep(data: Tensor, *_: Any, **__: Any) -> Tensor:
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
    if data.ndim < 2:
        raise NoRuleError
    return make(data.shape, data.dtype)


_MOVEMENT_RULES: dict[str, Rule] = {
    **dict.fromkeys(["empty_like", "zeros_like", "ones_like", "full_like"], _like),
    **dict.fromkeys(["clone", "poisson", "roll"], _keep),
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

RULES = _ELEMENTWISE_RULES | _MOVEMENT_RULES | _REDUCTION_RULES
