"""Steps of the NumPy dialect on elements: one and two arrays, numbers beside them, casts."""

from __future__ import annotations

from typing import Any

from tools.random_programs.catalogue.table import numpy_row, numpy_rows
from tools.random_programs.draft import FLOATS, INTEGERS, Draft, call, method
from tools.random_programs.steps import IN_PLACE, NUMPY_OPERATORS, OPERATORS

_UNARY = """
    abs absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1
    fabs fix floor log log10 log1p log2 negative radians reciprocal rint sign sin sinh sqrt square
    tan tanh trunc isnan isinf isfinite isposinf isneginf logical_not nan_to_num ones_like
    zeros_like copy
"""
_EXTENSION = "relu sigmoid erf erfinv gamma gammaln"
_BINARY = """
    add subtract multiply divide true_divide mod remainder power maximum minimum hypot arctan2
    copysign equal not_equal greater greater_equal less less_equal
"""
_INTEGER = "bitwise_and bitwise_or bitwise_xor lcm"


def _unary(draft: Draft, name: str) -> dict[str, Any]:
    return call(name, draft.float() if draft.chance(0.8) else draft.any())


def _divides_integers(draft: Draft, name: str, first: str) -> bool:
    """Returns whether a step divides integers: a divisor of 0 kills the original."""
    return draft.dtype(first) not in FLOATS and any(
        part in name for part in ("div", "mod", "remainder")
    )


def _other_array(draft: Draft, name: str, first: str) -> str:
    shape = [1 if draft.chance(0.3) else length for length in draft.shape(first)]
    if draft.chance(0.25):
        shape = shape[draft.whole(0, len(shape)) :]
    dtype = draft.dtype(first)
    if _divides_integers(draft, name, first):
        return draft.new(shape, dtype, "positive")
    if draft.chance(0.15):
        return draft.new(shape, draft.some_dtype(), "positive")
    return draft.like(first, shape)


def _other_number(draft: Draft, name: str, first: str) -> Any:
    return draft.whole(1, 3) if _divides_integers(draft, name, first) else draft.number()


def _binary(draft: Draft, name: str) -> dict[str, Any]:
    first = draft.any()
    if draft.chance(0.6):
        second = _other_array(draft, name, first)
        if draft.chance(0.5) and not _divides_integers(draft, name, first):
            return call(name, second, first)
        return call(name, first, second)
    step = call(name, first, args=[_other_number(draft, name, first)])
    if draft.chance(0.4) and not _divides_integers(draft, name, first):
        step["swapped"] = True
    return step


def _integer(draft: Draft, name: str) -> dict[str, Any]:
    first = draft.any(dtype=(*INTEGERS, "bool"))
    if draft.chance(0.3):
        return call(name, first, args=[draft.whole(0, 6)])
    return call(name, first, draft.like(first))


def _operator(draft: Draft, name: str) -> dict[str, Any]:
    bits = name in ("and_", "or_", "xor", "invert")
    array = draft.any(dtype=(*INTEGERS, "bool")) if bits else draft.any()
    step: dict[str, Any] = {"do": "operator", "name": name, "in": [array]}
    if name in ("neg", "abs", "invert"):
        return step
    if draft.chance(0.5) or bits:
        other = draft.like(array) if bits else _other_array(draft, name, array)
        step["in"].append(other)
        return step
    step["number"] = _other_number(draft, name, array)
    if draft.chance(0.35) and not _divides_integers(draft, name, array):
        # A NumPy number to the left computes by itself.
        if isinstance(step["number"], dict):
            step["number"] = step["number"]["is"]
        step["swapped"] = True
    return step


def _matmul(draft: Draft) -> dict[str, Any]:
    first, second = matrices(draft)
    return {"do": "operator", "name": "matmul", "in": [first, second]}


def matrices(draft: Draft) -> tuple[str, str]:
    """Returns two arrays that can be multiplied as matrices, mostly."""
    first = draft.float((1, 2, 2, 3))
    inner = draft.shape(first)[-1]
    shape: list[int] = draft.one([[inner], [inner, draft.whole(1, 3)], [inner, draft.whole(1, 3)]])
    if len(shape) == 2 and draft.chance(0.2):
        shape = [draft.one([1, *draft.shape(first)[:-2]]), *shape]
    return first, draft.like(first, shape)


def _in_place(draft: Draft, name: str) -> dict[str, Any]:
    array = draft.any()
    step: dict[str, Any] = {"do": "inplace", "name": name, "in": [array]}
    if draft.chance(0.5):
        step["in"].append(_other_array(draft, name, array))
    else:
        step["number"] = _other_number(draft, name, array)
    return step


numpy_rows([f"np.{name}" for name in _UNARY.split()], _unary)
numpy_rows([f"npx.{name}" for name in _EXTENSION.split()], _unary)
numpy_rows([f"np.{name}" for name in _BINARY.split()], _binary)
numpy_rows([f"np.{name}" for name in _INTEGER.split()], _integer)
numpy_row("operator matmul")(_matmul)
for _name in [*OPERATORS, *(name for name in NUMPY_OPERATORS if name != "matmul")]:
    numpy_row(f"operator {_name}")(lambda draft, name=_name: _operator(draft, name))
for _name in IN_PLACE:
    numpy_row(f"operator {_name}")(lambda draft, name=_name: _in_place(draft, name))


@numpy_row("operator out")
def _out(draft: Draft) -> dict[str, Any]:
    data = draft.float()
    out = draft.one([draft.like(data), draft.like(data), data])
    if draft.chance(0.5):
        return call(draft.one(["np.exp", "np.square", "np.negative"]), data) | {"out": out}
    name = draft.one(["np.add", "np.multiply", "np.maximum"])
    return call(name, data, draft.like(data)) | {"out": out}


@numpy_row("np.invert")
def _invert(draft: Draft) -> dict[str, Any]:
    return call(draft.one(["np.invert", "np.bitwise_not"]), draft.any(dtype=(*INTEGERS, "bool")))


@numpy_row("np.ldexp")
def _ldexp(draft: Draft) -> dict[str, Any]:
    first = draft.float()
    return call("np.ldexp", first, draft.new(draft.shape(first), draft.dtype(first), [-3, 4]))


@numpy_row("np.clip")
def _clip(draft: Draft) -> dict[str, Any]:
    low = draft.one([-2, -1.5, -1, 0, 0.25, None])
    high = draft.one([1, 1.5, 3]) if low is None else low + draft.one([0, 1, 1.5, 3])
    make = draft.one([call("np.clip", draft.any()), method("clip", draft.any())])
    return make | {"args": [low, high]}


@numpy_row("np.around")
def _around(draft: Draft) -> dict[str, Any]:
    return call(
        draft.one(["np.around", "np.round"]), draft.float(), **draft.options(decimals=[0, 1, 2])
    )


@numpy_row("astype")
def _astype(draft: Draft) -> dict[str, Any]:
    return method("astype", draft.any(), args=[draft.some_dtype()])


@numpy_row("copy")
def _copy(draft: Draft) -> dict[str, Any]:
    return method(draft.one(["copy", "detach"]), draft.any())


@numpy_row("np.where")
def _where(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    shape = [1 if draft.chance(0.2) else length for length in draft.shape(data)]
    condition = draft.new(shape, draft.one(["float32", "int32", "bool"]), "small")
    if draft.chance(0.2):
        return call("np.where", condition, data, args=[draft.one([0, 1.5])])
    return call("np.where", condition, data, _other_array(draft, "where", data))


@numpy_row("np.full_like")
def _full_like(draft: Draft) -> dict[str, Any]:
    options = draft.options(dtype=["float32", "int32"])
    return call("np.full_like", draft.any(), args=[draft.one([0, 2, 1.5])], **options)


@numpy_row("npx.activation")
def _activation(draft: Draft) -> dict[str, Any]:
    kind = draft.one(["relu", "sigmoid", "softrelu", "softsign", "tanh"])
    return call("npx.activation", draft.float(), act_type=kind)


@numpy_row("npx.leaky_relu")
def _leaky(draft: Draft) -> dict[str, Any]:
    kind = draft.one(["leaky", "elu", "gelu"])
    data = draft.any(dtype=("float32", "float64"))
    return call("npx.leaky_relu", data, act_type=kind, **draft.options(slope=[0.1, 0.5]))


@numpy_row("npx.smooth_l1")
def _smooth(draft: Draft) -> dict[str, Any]:
    return call("npx.smooth_l1", draft.float(), scalar=draft.one([0.5, 1.0, 2.0]))
