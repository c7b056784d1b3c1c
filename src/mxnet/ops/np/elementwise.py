"""Functions of one array that act on each element, in the NumPy dialect.

As in the classic dialect integers stay integers: the square root of 2 is 1.
"""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.elementwise import (
    ANY_NUMBERS,
    FLOAT_FUNCTIONS,
    FLOATS_ON_STORED,
    ROUNDING,
    Unary,
    with_integers,
)
from mxnet.ops.registry import elementary, op
from mxnet.ops.scalars import as_element
from mxnet.ops.traits import ELEMENTWISE, NAMED_INPUTS, SAME_SHAPE, Fusion, Traits

_ELEMENTWISE = replace(ELEMENTWISE, labels=NAMED_INPUTS)
_SAME_SHAPE = Traits(shapes=SAME_SHAPE, labels=NAMED_INPUTS)


def _without_bool(name: str, function: Unary) -> Unary:
    """Restricts a function to numbers."""

    def kernel(x: Tensor) -> Tensor:
        if x.dtype is torch.bool:
            raise MXNetError(f"{name}: expected numbers, got bool")
        return function(x)

    return kernel


def _summary(doc: str) -> str:
    """Returns documentation without the example, which is of the classic dialect."""
    return doc.partition("\n")[0]


def _bitwise_not(x: Tensor) -> Tensor:
    if x.dtype.is_floating_point:
        raise MXNetError(f"_npi_bitwise_not: expected integers or bool, got {x.dtype}")
    return torch.bitwise_not(x)


_TESTS: tuple[tuple[str, Unary, str], ...] = (
    ("_npi_isnan", torch.isnan, "Tests whether an element is nan."),
    ("_npi_isinf", torch.isinf, "Tests whether an element is infinite."),
    ("_npi_isposinf", torch.isposinf, "Tests whether an element is positive infinity."),
    ("_npi_isneginf", torch.isneginf, "Tests whether an element is negative infinity."),
    ("_npi_isfinite", torch.isfinite, "Tests whether an element is neither infinite nor nan."),
    ("_npi_logical_not", torch.logical_not, "Tests whether an element is zero."),
)

for _classic_name, _function, _doc in (*ANY_NUMBERS, *ROUNDING):
    _name = f"_npi_{_classic_name}"
    _kernel = _without_bool(_name, _function)
    elementary(_name, _kernel, _summary(_doc), inputs=("x",), traits=_ELEMENTWISE)
for _classic_name, _function, _doc in (*FLOATS_ON_STORED, *FLOAT_FUNCTIONS):
    _name = f"_npi_{_classic_name}"
    _kernel = with_integers(_name, _function)
    elementary(_name, _kernel, _summary(_doc), inputs=("x",), traits=_ELEMENTWISE)
for _name, _function, _doc in _TESTS:
    elementary(_name, _function, _doc, inputs=("x",), differentiable=False, traits=_SAME_SHAPE)
elementary(
    "_npi_absolute",
    _without_bool("_npi_absolute", torch.abs),
    "Absolute value of each element.",
    inputs=("x",),
    aliases=("_npi_abs",),
    traits=_ELEMENTWISE,
)
elementary(
    "_npi_tanh",
    with_integers("_npi_tanh", torch.tanh),
    "Hyperbolic tangent of each element.",
    inputs=("x",),
    traits=replace(_ELEMENTWISE, fusion=Fusion(activation=("tanh", ()))),
)
elementary(
    "_npi_bitwise_not",
    _bitwise_not,
    "Inverts the bits of each element; of bool it is the logical negation.",
    inputs=("x",),
    differentiable=False,
    traits=_SAME_SHAPE,
)


@op("_npi_around", differentiable=False, traits=_SAME_SHAPE)
def around(x: Tensor, *, decimals: int = 0) -> Tensor:
    """Rounds each element to a number of decimals, halves to the even neighbour.

    Integers are rounded towards zero, to tens if `decimals` is -1.

    Args:
        x: Array of integers, float32 or float64.
        decimals: Number of digits behind the point that stay.
    """
    if x.dtype in (torch.bool, torch.float16):
        raise MXNetError(f"_npi_around: expected integers, float32 or float64, got {x.dtype}")
    if x.dtype.is_floating_point:
        if decimals == 0:
            return torch.round(x)
        scale = torch.scalar_tensor(10.0**decimals, dtype=x.dtype)
        inverse = torch.scalar_tensor(10.0**-decimals, dtype=x.dtype)
        return torch.round(x * scale) * inverse
    if decimals >= 0:
        return x.clone()
    unit = 10**-decimals
    return x - torch.fmod(x, unit) if unit <= torch.iinfo(x.dtype).max else torch.zeros_like(x)


@op("_npi_nan_to_num", traits=ELEMENTWISE)
def nan_to_num(
    data: Tensor,
    *,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Replaces nan and infinities by numbers.

    Args:
        data: Array of any dtype; integers and bool stay as they are.
        copy: Has no effect: the result is always a new array.
        nan: Number in place of nan.
        posinf: Number in place of infinity; None for the largest that the dtype has.
        neginf: Number in place of negative infinity; None for the least that the dtype has.
    """
    del copy  # what a caller does with the result
    if not data.dtype.is_floating_point:
        return data.clone()
    limits = torch.finfo(data.dtype)
    high = limits.max if posinf is None else as_element(posinf, data.dtype)
    low = limits.min if neginf is None else as_element(neginf, data.dtype)
    result = torch.where(torch.isnan(data), as_element(nan, data.dtype), data)
    result = torch.where(data == math.inf, high, result)
    return torch.where(data == -math.inf, low, result)
