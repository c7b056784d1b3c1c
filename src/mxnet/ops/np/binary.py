"""Arithmetic of two arrays, and of an array and a number, in the NumPy dialect.

Two arrays of different dtypes are converted to the dtype that can hold both; integers beside floats
take their dtype, whatever its width. A number never widens floats, as in the classic dialect, whose
functions of an array and a number are the same but for true division.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Number
from mxnet.ops.binary import (
    BROADCASTING,
    Binary,
    WithNumber,
    as_array,
    declare_scalar,
    hypot,
    mod,
    mod_number,
    power_number,
)
from mxnet.ops.registry import Input, Op, op, register
from mxnet.ops.traits import ELEMENTWISE, Fusion, Traits


def promote(lhs: Tensor, rhs: Tensor) -> tuple[Tensor, Tensor]:
    """Converts two tensors to one dtype; unlike to torch, a scalar counts as any other array."""
    dtype = torch.promote_types(lhs.dtype, rhs.dtype)
    return lhs.to(dtype), rhs.to(dtype)


def promoting(function: Binary) -> Binary:
    """Extends a function of arrays of one dtype to arrays of two."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        if lhs.dtype is not rhs.dtype:
            lhs, rhs = promote(lhs, rhs)
        return function(lhs, rhs)

    return kernel


def declare_pair(
    name: str,
    function: Binary,
    doc: str,
    *,
    inputs: tuple[str, str] = ("lhs", "rhs"),
    differentiable: bool = True,
    mixes: bool = False,
    traits: Traits = BROADCASTING,
) -> None:
    """Declares an operator of two arrays, which are broadcast.

    Args:
        name: Canonical name.
        function: The operator for arrays of one dtype.
        doc: First sentence of its documentation.
        inputs: Names of the arrays.
        differentiable: Whether it has a gradient other than zero.
        mixes: Whether arrays of different dtypes are converted to a common one.
        traits: What else is known of it.
    """
    register(
        Op(
            name=name,
            kernel=promoting(function) if mixes else function,
            inputs=tuple(map(Input, inputs)),
            attrs={},
            doc=doc,
            fresh=True,
            strict_dtypes=mixes,
            differentiable=differentiable,
            traits=traits,
        )
    )


def _true_divide(lhs: Tensor, rhs: Tensor) -> Tensor:
    if lhs.dtype.is_floating_point:
        return torch.div(lhs, rhs)
    return torch.div(lhs.float(), rhs.float())


def _subtract(lhs: Tensor, rhs: Tensor) -> Tensor:
    return torch.sub(_numbers("_npi_subtract", lhs), rhs)


def _mod(lhs: Tensor, rhs: Tensor) -> Tensor:
    return mod(_numbers("_npi_mod", lhs), rhs)


def _power(lhs: Tensor, rhs: Tensor) -> Tensor:
    return lhs | ~rhs if lhs.dtype is torch.bool else torch.pow(lhs, rhs)


def _numbers(name: str, data: Tensor) -> Tensor:
    if data.dtype is torch.bool:
        raise MXNetError(f"{name}: expected numbers, got bool")
    return data


def _floats(name: str, function: Binary) -> Binary:
    """Restricts a function of two arrays to floats."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        if not lhs.dtype.is_floating_point:
            raise MXNetError(f"{name}: expected floating-point input, got {lhs.dtype}")
        return function(lhs, rhs)

    return kernel


def _copysign(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns the first array with the signs of the second.

    The slope is 1 or -1 also at zero, where torch has none.
    """
    if not _numbers("_npi_copysign", lhs).dtype.is_floating_point:
        return torch.copysign(lhs.double(), rhs.double()).to(lhs.dtype)
    if not lhs.requires_grad:
        return torch.copysign(lhs, rhs)
    one = torch.ones_like(lhs.detach())
    return lhs * torch.copysign(one, lhs.detach()) * torch.copysign(one, rhs)


def _ldexp(lhs: Tensor, rhs: Tensor) -> Tensor:
    if not _numbers("_npi_ldexp", lhs).dtype.is_floating_point:
        return (lhs.double() * torch.exp2(rhs.double())).to(lhs.dtype)
    return lhs * torch.exp2(rhs)


def _arctan2(lhs: Tensor, rhs: Tensor) -> Tensor:
    if not lhs.dtype.is_floating_point:
        return torch.atan2(lhs.double(), rhs.double()).to(lhs.dtype)
    return torch.atan2(lhs, rhs)


def _by_number(function: Binary) -> WithNumber:
    """Returns a function of an array and a number from one of two arrays."""
    return lambda data, scalar: function(data, as_array(scalar, data))


def _of_number(function: Binary) -> WithNumber:
    """Returns a function of a number and an array from one of two arrays."""
    return lambda data, scalar: function(as_array(scalar, data), data)


_PROMOTING: tuple[tuple[str, Binary, str, Traits], ...] = (
    (
        "_npi_add",
        torch.add,
        "Adds two arrays, broadcasting them.",
        replace(BROADCASTING, role="broadcast_addition"),
    ),
    (
        "_npi_subtract",
        _subtract,
        "Subtracts the second array from the first, broadcasting them.",
        BROADCASTING,
    ),
    (
        "_npi_multiply",
        torch.mul,
        "Multiplies two arrays, broadcasting them.",
        replace(BROADCASTING, role="multiplication"),
    ),
    (
        "_npi_true_divide",
        _true_divide,
        "Divides the first array by the second, broadcasting them; of integers it is a float32.",
        BROADCASTING,
    ),
    (
        "_npi_mod",
        _mod,
        "Returns the remainder of a division, with the divisor's sign, broadcasting the arrays.",
        BROADCASTING,
    ),
    (
        "_npi_power",
        _power,
        "Raises the first array to the powers in the second, broadcasting them.",
        BROADCASTING,
    ),
)

_OF_ONE_DTYPE: tuple[tuple[str, Binary, str, tuple[str, str]], ...] = (
    (
        "_npi_copysign",
        _copysign,
        "Returns the first array with the signs of the second, broadcasting them.",
        ("lhs", "rhs"),
    ),
    (
        "_npi_arctan2",
        _floats("_npi_arctan2", torch.atan2),
        "Returns the angle of the point whose height and width two arrays give, broadcast.",
        ("x1", "x2"),
    ),
    (
        "_npi_hypot",
        _floats("_npi_hypot", hypot),
        "Returns the hypotenuse of a right triangle from its legs, broadcasting the arrays.",
        ("x1", "x2"),
    ),
    (
        "_npi_ldexp",
        _ldexp,
        "Multiplies the first array by the powers of two in the second, broadcasting them.",
        ("lhs", "rhs"),
    ),
)

_WITH_NUMBER: tuple[tuple[str, WithNumber, str], ...] = (
    ("_npi_add_scalar", torch.add, "Adds a number to an array."),
    ("_npi_subtract_scalar", torch.sub, "Subtracts a number from an array."),
    ("_npi_rsubtract_scalar", torch.rsub, "Subtracts an array from a number."),
    ("_npi_mod_scalar", mod_number, "Returns the remainder of a division by a number."),
    ("_npi_rmod_scalar", _of_number(mod), "Returns the remainder of a number divided by an array."),
    ("_npi_power_scalar", power_number, "Raises an array to a power."),
    (
        "_npi_rpower_scalar",
        lambda data, scalar: torch.pow(scalar, data),
        "Raises a number to the powers in an array.",
    ),
    ("_npi_copysign_scalar", _by_number(_copysign), "Returns an array with the sign of a number."),
    (
        "_npi_rcopysign_scalar",
        _of_number(_copysign),
        "Returns a number with the signs of an array.",
    ),
    (
        "_npi_arctan2_scalar",
        _by_number(_arctan2),
        "Returns the angle of a point whose height is in an array and whose width is a number.",
    ),
    (
        "_npi_rarctan2_scalar",
        _of_number(_arctan2),
        "Returns the angle of a point whose height is a number and whose width is in an array.",
    ),
    ("_npi_ldexp_scalar", _by_number(_ldexp), "Multiplies an array by a power of two."),
    ("_npi_rldexp_scalar", _of_number(_ldexp), "Multiplies a number by the powers of two."),
)

for _name, _function, _doc, _traits in _PROMOTING:
    declare_pair(_name, _function, _doc, mixes=True, traits=_traits)
for _name, _function, _doc, _inputs in _OF_ONE_DTYPE:
    declare_pair(_name, _function, _doc, inputs=_inputs)
for _name, _with_number, _doc in _WITH_NUMBER:
    declare_scalar(_name, _with_number, _doc)
declare_scalar(
    "_npi_multiply_scalar",
    torch.mul,
    "Multiplies an array by a number.",
    traits=replace(ELEMENTWISE, fusion=Fusion(factor=lambda *, scalar, **_: float(scalar))),
)


def _declare_division(
    name: str, function: WithNumber, doc: str, factor: Callable[..., float | None] | None
) -> None:
    def kernel(data: Tensor, *, scalar: Number = 1.0, is_int: bool = True) -> Tensor:
        del is_int  # the quotient is no integer in any case
        return function(data if data.dtype.is_floating_point else data.float(), float(scalar))

    kernel.__doc__ = f"""{doc}

    Args:
        data: The array; integers become float32.
        scalar: The number.
        is_int: Has no effect.
    """
    op(name, traits=replace(ELEMENTWISE, fusion=Fusion(factor=factor)))(kernel)


_declare_division(
    "_npi_true_divide_scalar",
    torch.div,
    "Divides an array by a number.",
    lambda *, scalar, **_: 1 / scalar if scalar else None,
)
_declare_division(
    "_npi_rtrue_divide_scalar",
    _of_number(torch.div),
    "Divides a number by an array.",
    None,
)
