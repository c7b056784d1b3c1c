"""Arithmetic of two arrays, and of an array and a number.

Every function below comes in up to three forms: `_name` or `elemwise_name` for arrays of one shape,
`broadcast_name` for shapes that can be broadcast, and `_name_scalar` for an array and a number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.limiting import clamp_max, clamp_min, maximum, minimum
from mxnet.ops.registry import elementary, op

Binary: TypeAlias = Callable[[Tensor, Tensor], Tensor]
WithNumber: TypeAlias = Callable[[Tensor, float], Tensor]


def alike(name: str, function: Binary) -> Binary:
    """Restricts a function of two arrays to arrays of one shape."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        if lhs.shape != rhs.shape:
            raise MXNetError(f"{name}: expected shape {tuple(lhs.shape)}, got {tuple(rhs.shape)}")
        return function(lhs, rhs)

    return kernel


def _wrapped(value: float, dtype: torch.dtype) -> int:
    """Converts a number to an integer type as C does: drops the fraction, keeps the low bits."""
    limits = torch.iinfo(dtype)
    if math.isinf(value):
        return int(limits.max if value > 0 else limits.min)
    whole = int(value)
    if limits.min <= whole <= limits.max:
        return whole
    return (whole - limits.min) % (limits.max - limits.min + 1) + int(limits.min)


def _common_type(data: Tensor, scalar: float, is_int: bool) -> tuple[Tensor, float]:
    """Brings integers and a number to the type in which the original combines them."""
    if not is_int:
        return data.double(), scalar
    if data.dtype is torch.bool:
        data = data.long()
    return data, _wrapped(scalar, data.dtype)


def declare_scalar(
    name: str,
    function: WithNumber,
    doc: str,
    *,
    aliases: Sequence[str] = (),
    differentiable: bool = True,
) -> None:
    """Declares an operator of an array and a number.

    Args:
        name: Canonical name.
        function: The operator for a number that the type of the array can hold.
        doc: First sentence of its documentation.
        aliases: Other names.
        differentiable: Whether it has a gradient other than zero.
    """

    def kernel(data: Tensor, *, scalar: float = 1.0, is_int: bool = True) -> Tensor:
        if data.dtype.is_floating_point:
            return function(data, scalar)
        return function(*_common_type(data, scalar, is_int))

    kernel.__doc__ = f"""{doc}

    An integer array takes the whole part of the number, and stays an integer array.

    Args:
        data: The array.
        scalar: The number.
        is_int: Whether an integer array stays one; otherwise the result is of float64.
    """
    op(name, aliases=aliases, differentiable=differentiable)(kernel)


def _div(lhs: Tensor, rhs: Tensor) -> Tensor:
    if lhs.dtype.is_floating_point:
        return torch.div(lhs, rhs)
    return torch.div(lhs, rhs, rounding_mode="trunc")


def _div_number(data: Tensor, scalar: float) -> Tensor:
    if data.dtype.is_floating_point:
        return torch.div(data, scalar)
    return torch.div(data, scalar, rounding_mode="trunc")


def _as_array(scalar: float, data: Tensor) -> Tensor:
    """Gives a number as an array of the type of another, for functions that take no numbers."""
    return torch.scalar_tensor(scalar, dtype=data.dtype)


def _rdiv_number(data: Tensor, scalar: float) -> Tensor:
    return _div(_as_array(scalar, data), data)


def _mod(lhs: Tensor, rhs: Tensor) -> Tensor:
    zero = rhs == 0
    return torch.remainder(lhs, rhs.masked_fill(zero, 1)).masked_fill(zero, 0)


def _mod_number(data: Tensor, scalar: float) -> Tensor:
    if scalar == 0:
        return data - data.detach()
    return torch.remainder(data, scalar)


def _power_number(data: Tensor, scalar: float) -> Tensor:
    if scalar < 0 and not data.dtype.is_floating_point:
        # torch refuses negative integer exponents as numbers, though not as arrays
        return torch.pow(data, torch.full_like(data, scalar))
    return torch.pow(data, scalar)


def _hypot(lhs: Tensor, rhs: Tensor) -> Tensor:
    if lhs.dtype.is_floating_point:
        return torch.hypot(lhs, rhs)
    return torch.hypot(lhs.float(), rhs.float()).to(lhs.dtype)


def _keep_left(lhs: Tensor, _rhs: Tensor) -> Tensor:
    return lhs.clone()


_BROADCASTING: tuple[tuple[str, tuple[str, ...], Binary, str], ...] = (
    ("broadcast_add", ("broadcast_plus",), torch.add, "Adds two arrays, broadcasting them."),
    (
        "broadcast_sub",
        ("broadcast_minus",),
        torch.sub,
        "Subtracts the second array from the first, broadcasting them.",
    ),
    ("broadcast_mul", (), torch.mul, "Multiplies two arrays, broadcasting them."),
    (
        "broadcast_div",
        (),
        _div,
        "Divides the first array by the second, broadcasting them; integers round towards zero.",
    ),
    (
        "broadcast_mod",
        (),
        _mod,
        "Gives the remainder of a division, with the sign of the divisor, broadcasting the arrays.",
    ),
    (
        "broadcast_power",
        (),
        torch.pow,
        "Raises the first array to the powers in the second, broadcasting them.",
    ),
    ("broadcast_maximum", (), maximum, "Gives the larger of two elements, broadcasting arrays."),
    ("broadcast_minimum", (), minimum, "Gives the smaller of two elements, broadcasting arrays."),
    (
        "broadcast_hypot",
        (),
        _hypot,
        "Gives the hypotenuse of a right triangle from its legs, broadcasting the arrays.",
    ),
)

_ALIKE: tuple[tuple[str, tuple[str, ...], Binary, str], ...] = (
    ("elemwise_add", ("_Plus", "_add", "_plus"), torch.add, "Adds two arrays of one shape."),
    (
        "elemwise_sub",
        ("_Minus", "_minus", "_sub"),
        torch.sub,
        "Subtracts the second array from the first, of the same shape.",
    ),
    ("elemwise_mul", ("_Mul", "_mul"), torch.mul, "Multiplies two arrays of one shape."),
    (
        "elemwise_div",
        ("_Div", "_div"),
        _div,
        "Divides the first array by the second, of the same shape; integers round towards zero.",
    ),
    ("_mod", ("_Mod",), _mod, "Gives the remainder of a division, with the sign of the divisor."),
    ("_power", ("_Power",), torch.pow, "Raises the first array to the powers in the second."),
    ("_maximum", ("_Maximum",), maximum, "Gives the larger of two elements."),
    ("_minimum", ("_Minimum",), minimum, "Gives the smaller of two elements."),
    ("_hypot", ("_Hypot",), _hypot, "Gives the hypotenuse of a right triangle from its legs."),
    ("_grad_add", (), torch.add, "Adds two gradients."),
    ("_scatter_elemwise_div", (), _div, "Divides stored elements by those of the second array."),
    (
        "_identity_with_attr_like_rhs",
        (),
        _keep_left,
        "Copies the first array, whose shape is that of the second.",
    ),
)

_WITH_NUMBER: tuple[tuple[str, tuple[str, ...], WithNumber, str], ...] = (
    ("_plus_scalar", ("_PlusScalar",), torch.add, "Adds a number to an array."),
    ("_minus_scalar", ("_MinusScalar",), torch.sub, "Subtracts a number from an array."),
    ("_rminus_scalar", ("_RMinusScalar",), torch.rsub, "Subtracts an array from a number."),
    ("_mul_scalar", ("_MulScalar",), torch.mul, "Multiplies an array by a number."),
    (
        "_div_scalar",
        ("_DivScalar",),
        _div_number,
        "Divides an array by a number; integers round towards zero.",
    ),
    (
        "_rdiv_scalar",
        ("_RDivScalar",),
        _rdiv_number,
        "Divides a number by an array; integers round towards zero.",
    ),
    (
        "_mod_scalar",
        ("_ModScalar",),
        _mod_number,
        "Gives the remainder of a division by a number, with the sign of the number.",
    ),
    (
        "_rmod_scalar",
        ("_RModScalar",),
        lambda data, scalar: _mod(_as_array(scalar, data), data),
        "Gives the remainder of a number divided by an array, with the sign of the array.",
    ),
    ("_power_scalar", ("_PowerScalar",), _power_number, "Raises an array to a power."),
    (
        "_rpower_scalar",
        ("_RPowerScalar",),
        lambda data, scalar: torch.pow(scalar, data),
        "Raises a number to the powers in an array.",
    ),
    (
        "_maximum_scalar",
        ("_MaximumScalar",),
        clamp_min,
        "Gives the larger of an element and a number.",
    ),
    (
        "_minimum_scalar",
        ("_MinimumScalar",),
        clamp_max,
        "Gives the smaller of an element and a number.",
    ),
    (
        "_hypot_scalar",
        ("_HypotScalar",),
        lambda data, scalar: _hypot(data, _as_array(scalar, data)),
        "Gives the hypotenuse of a right triangle from an array and a number, its legs.",
    ),
    ("_scatter_plus_scalar", (), torch.add, "Adds a number to the stored elements of an array."),
    (
        "_scatter_minus_scalar",
        (),
        torch.sub,
        "Subtracts a number from the stored elements of an array.",
    ),
)

for _name, _aliases, _binary, _doc in _BROADCASTING:
    elementary(_name, _binary, _doc, inputs=("lhs", "rhs"), aliases=_aliases)
for _name, _aliases, _binary, _doc in _ALIKE:
    elementary(_name, alike(_name, _binary), _doc, inputs=("lhs", "rhs"), aliases=_aliases)
for _name, _aliases, _with_number, _doc in _WITH_NUMBER:
    declare_scalar(_name, _with_number, _doc, aliases=_aliases)
