"""Rules of operators that work element by element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet.ops.meta._results import NoRuleError, Rule, broadcast, make, promote

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

RULES: dict[str, Rule] = {
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
