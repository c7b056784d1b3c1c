"""Steps on elements: functions of one and two arrays, numbers beside arrays, casts."""

from __future__ import annotations

import re
from typing import Any

from tools.random_programs.catalogue.table import row, rows
from tools.random_programs.draft import FLOATS, Draft, call, method
from tools.random_programs.steps import IN_PLACE, OPERATORS

_UNARY = """
    abs arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1 fix floor
    log log10 log1p log2 radians rcbrt reciprocal relu rint round rsqrt sigmoid sign sin sinh sqrt
    square tan tanh trunc ones_like zeros_like shape_array size_array
"""
_FUNCTIONS = """
    erf erfinv gamma gammaln negative softsign logical_not identity BlockGrad stop_gradient
    make_loss hard_sigmoid contrib.isnan contrib.isinf contrib.isfinite contrib.div_sqrt_dim
    contrib.round_ste contrib.sign_ste
"""
_BROADCAST = """
    add sub mul div mod power maximum minimum hypot equal not_equal greater greater_equal
    lesser lesser_equal logical_and logical_or logical_xor plus minus
"""
_NUMERIC = """
    add subtract multiply divide modulo power maximum minimum equal not_equal greater
    greater_equal lesser lesser_equal logical_and logical_or logical_xor true_divide
"""


def _unary(draft: Draft, name: str) -> dict[str, Any]:
    array = draft.float() if draft.chance(0.8) else draft.any()
    return method(name, array) if draft.chance(0.3) else call(name, array)


def _function(draft: Draft, name: str) -> dict[str, Any]:
    return call(name, draft.float() if draft.chance(0.8) else draft.any())


def _divides_integers(draft: Draft, name: str, first: str) -> bool:
    """Returns whether a step divides integers: a divisor of 0 kills the original."""
    return draft.dtype(first) not in FLOATS and re.search("div|mod", name) is not None


def _other_array(draft: Draft, name: str, first: str) -> str:
    if _divides_integers(draft, name, first):
        return draft.new(draft.shape(first), draft.dtype(first), "positive")
    return draft.broadcast(first)


def _other_number(draft: Draft, name: str, first: str) -> Any:
    return draft.whole(1, 3) if _divides_integers(draft, name, first) else draft.number()


def _two(draft: Draft, name: str) -> dict[str, Any]:
    first = draft.any()
    if _divides_integers(draft, name, first):
        return call(name, first, _other_array(draft, name, first))
    second = draft.broadcast(first)
    if draft.chance(0.03):
        second = draft.any()
    return call(name, *draft.one([(first, second), (second, first)]))


def _same_shape(draft: Draft, name: str) -> dict[str, Any]:
    first = draft.float() if name == "elemwise_div" else draft.any()
    return call(name, first, draft.like(first))


def _operator(draft: Draft, name: str) -> dict[str, Any]:
    array = draft.any()
    step = {"do": "operator", "name": name, "in": [array]}
    if name in ("neg", "abs"):
        return step
    if draft.chance(0.4):
        step["in"].append(_other_array(draft, name, array))
        return step
    step["number"] = _other_number(draft, name, array)
    if draft.chance(0.35) and not _divides_integers(draft, name, array):
        # A NumPy number to the left computes by itself, through `__array__` or element by element.
        if isinstance(step["number"], dict):
            step["number"] = step["number"]["is"]
        step["swapped"] = True
    return step


def _in_place(draft: Draft, name: str) -> dict[str, Any]:
    array = draft.any()
    step = {"do": "inplace", "name": name, "in": [array]}
    if draft.chance(0.5):
        step["in"].append(_other_array(draft, name, array))
    else:
        step["number"] = _other_number(draft, name, array)
    return step


def _with_number(draft: Draft, name: str) -> dict[str, Any]:
    array = draft.any()
    if draft.chance(0.5):
        return call(name, array, _other_array(draft, name, array))
    return call(name, array, args=[_other_number(draft, name, array)])


def _sum_of_several(draft: Draft, name: str) -> dict[str, Any]:
    first = draft.any()
    return call(name, first, *(draft.like(first) for _ in range(draft.whole(0, 3))))


rows(_UNARY, _unary)
rows(_FUNCTIONS, _function)
rows([f"broadcast_{name}" for name in _BROADCAST.split()], _two)
rows("elemwise_add elemwise_sub elemwise_mul elemwise_div", _same_shape)
rows(_NUMERIC, _with_number)
rows("add_n ElementWiseSum", _sum_of_several)
for _name in OPERATORS:
    row(f"operator {_name}")(lambda draft, name=_name: _operator(draft, name))
for _name in IN_PLACE:
    row(f"operator {_name}")(lambda draft, name=_name: _in_place(draft, name))


@row("clip")
def _clip(draft: Draft) -> dict[str, Any]:
    low = draft.one([-2, -1.5, -1, 0, 0.25])
    make = draft.one([call, method])
    return make("clip", draft.any(), a_min=low, a_max=low + draft.one([0, 1, 1.5, 3]))


@row("smooth_l1")
def _smooth_l1(draft: Draft) -> dict[str, Any]:
    return call("smooth_l1", draft.float(), scalar=draft.one([0.5, 1.0, 2.0, 3]))


@row("contrib.quadratic")
def _quadratic(draft: Draft) -> dict[str, Any]:
    return call(
        "contrib.quadratic", draft.float(), **draft.options(a=[2.0, 0.5], b=[-1, 3], c=[1.5])
    )


@row("contrib.gradientmultiplier")
def _multiplier(draft: Draft) -> dict[str, Any]:
    return call("contrib.gradientmultiplier", draft.float(), scalar=draft.one([-0.5, 2.0]))


@row("Cast")
def _cast(draft: Draft) -> dict[str, Any]:
    return call(draft.one(["Cast", "cast"]), draft.any(), dtype=draft.some_dtype())


@row("amp_cast")
def _amp_cast(draft: Draft) -> dict[str, Any]:
    return call("amp_cast", draft.any(), dtype=draft.one(FLOATS))


@row("astype")
def _astype(draft: Draft) -> dict[str, Any]:
    return method(
        "astype", draft.any(), args=[draft.some_dtype()], **draft.options(copy=[True, False])
    )


@row("copy")
def _copy(draft: Draft) -> dict[str, Any]:
    return method(draft.one(["copy", "detach"]), draft.any())


@row("Activation")
def _activation(draft: Draft) -> dict[str, Any]:
    kind = draft.one(["relu", "sigmoid", "softrelu", "softsign", "tanh", "gelu"])
    return call("Activation", draft.float(), act_type=kind)


@row("LeakyReLU")
def _leaky(draft: Draft) -> dict[str, Any]:
    kind = draft.one(["leaky", "elu", "selu", "gelu", "prelu"])
    data = draft.float()
    if kind != "prelu":
        return call("LeakyReLU", data, act_type=kind, **draft.options(slope=[0.1, 0.5]))
    shape = draft.shape(data)
    channels = shape[1] if len(shape) > 1 else 1
    return call("LeakyReLU", data, draft.like(data, (draft.one([channels, 1]),)), act_type=kind)
