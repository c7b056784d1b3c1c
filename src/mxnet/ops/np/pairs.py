"""Functions of two arrays, and of an array and a number, that MXNet 2 adds to the NumPy dialect.

They are extremes that pass over nan, whole quotients and their remainders, connectives of truth
values, and shifts of bits. An integer array beside a fraction becomes float64, unlike in functions
of MXNet 1.9.1, where it stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from mxnet._formats.element_types import name_of
from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Number
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import as_element
from mxnet.ops.core.traits import ELEMENTWISE, NO_TRAITS, SAME_SHAPE, Traits
from mxnet.ops.math.binary import BROADCASTING, Binary
from mxnet.ops.np.elementwise import declare_pair

_SCALAR_ARGS = """

    Args:
        data: The array.
        scalar: The number.
        is_int: Whether the number counts as an integer; by default it does if it has no fraction.
    """
_TRAPPED = {torch.int32: -(1 << 31), torch.int64: -(1 << 63)}
"""Types whose least number, given here, ends the process when a CPU divides it by -1."""


def _fmod(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns the remainder of a division towards zero, which is 0 where the divisor is."""
    return torch.fmod(*_divisible(lhs, rhs)).masked_fill(rhs == 0, 0)


def _floor_divide(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns the quotient, rounded down; that of an integer and 0 is 0."""
    if lhs.dtype.is_floating_point:
        return torch.div(lhs, rhs, rounding_mode="floor")
    minus = rhs == -1
    quotient = torch.div(*_divisible(lhs, rhs), rounding_mode="floor").masked_fill(rhs == 0, 0)
    return torch.where(minus, torch.neg(lhs), quotient) if lhs.dtype in _TRAPPED else quotient


def _divisible(lhs: Tensor, rhs: Tensor) -> tuple[Tensor, Tensor]:
    """Returns two arrays with other numbers where a division would end the process."""
    divisor = rhs.masked_fill(rhs == 0, 1)
    if lhs.dtype in _TRAPPED:
        divisor = divisor.masked_fill((rhs == -1) & (lhs == _TRAPPED[lhs.dtype]), 1)
    return lhs, divisor


def _numbers(function: Binary) -> Binary:
    """Extends a function of numbers to truth values, which count as float32."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        if lhs.dtype is torch.bool:
            lhs, rhs = lhs.float(), rhs.float()
        return function(lhs, rhs)

    return kernel


def _floats(name: str, function: Binary) -> Binary:
    """Restricts a function to floating-point numbers and truth values."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        if not lhs.dtype.is_floating_point:
            raise MXNetError(f"{name}: expected floating-point input, got {name_of(lhs.dtype)}")
        return function(lhs, rhs)

    return _numbers(kernel)


def _integers(name: str, function: Binary) -> Binary:
    """Restricts a function to integers."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        for data in (lhs, rhs):
            if data.dtype.is_floating_point or data.dtype is torch.bool:
                raise MXNetError(f"{name}: expected integers, got {name_of(data.dtype)}")
        return function(lhs, rhs)

    return kernel


def _swapped(function: Binary) -> Binary:
    """Returns a function with its operands in the other order."""
    return lambda lhs, rhs: function(rhs, lhs)


def _declare_number(name: str, function: Binary, doc: str, *, differentiable: bool) -> None:
    """Declares a function of an array and a number from one of two arrays."""

    def kernel(data: Tensor, *, scalar: Number = 1.0, is_int: bool | None = None) -> Tensor:
        if not data.dtype.is_floating_point:
            whole = float(scalar).is_integer() if is_int is None else is_int
            data = data.float() if data.dtype is torch.bool else data
            data = data if whole else data.double()
        number = torch.scalar_tensor(as_element(scalar, data.dtype), dtype=data.dtype)
        return function(data, number)

    kernel.__doc__ = doc + _SCALAR_ARGS
    op(name, differentiable=differentiable, traits=ELEMENTWISE)(kernel)


_OF_NUMBERS: tuple[tuple[str, Binary, str, bool], ...] = (
    ("fmax", torch.fmax, "Returns the larger one of an element and {}, passing over nan.", False),
    ("fmin", torch.fmin, "Returns the smaller one of an element and {}, passing over nan.", False),
    ("fmod", _fmod, "Returns the remainder of an element and {}, with the element's sign.", False),
    ("floor_divide", _floor_divide, "Divides an element by {} and rounds down.", True),
)
"""Name, function, documentation, whether arrays of two dtypes are converted to a common one."""
_REFLECTED = {"fmod", "floor_divide"}

for _name, _function, _doc, _mixes in _OF_NUMBERS:
    _slopes = _name != "floor_divide"
    declare_pair(
        f"_npi_{_name}",
        _numbers(_function),
        _doc.format("its counterpart in the other array, broadcasting them"),
        differentiable=_slopes,
        mixes=_mixes,
    )
    _declare_number(
        f"_npi_{_name}_scalar", _function, _doc.format("a number"), differentiable=_slopes
    )
    if _name in _REFLECTED:
        _declare_number(
            f"_npi_r{_name}_scalar",
            _swapped(_function),
            f"{_doc.format('a number')} The operands are swapped.",
            differentiable=_slopes,
        )

declare_pair(
    "_npi_logaddexp",
    _floats("_npi_logaddexp", torch.logaddexp),
    "Returns the logarithm of the sum of two arrays' exponentials, broadcasting them.",
    mixes=True,
    traits=BROADCASTING,
)


@op("_npi_logaddexp_scalar", traits=ELEMENTWISE)
def logaddexp_number(data: Tensor, *, scalar: Number = 1.0, is_int: bool | None = None) -> Tensor:
    """Returns the logarithm of the sum of an array's exponentials and that of a number.

    Args:
        data: The array; integers become float64.
        scalar: The number.
        is_int: Has no effect: the result is no integer in any case.
    """
    del is_int
    data = data if data.dtype.is_floating_point else data.double()
    return torch.logaddexp(data, torch.scalar_tensor(float(scalar), dtype=data.dtype))


_CONNECTIVES: tuple[tuple[str, Binary, str], ...] = (
    ("logical_and", torch.logical_and, "Tests whether an element and {} are both true."),
    ("logical_or", torch.logical_or, "Tests whether an element or {} is true."),
    ("logical_xor", torch.logical_xor, "Tests whether either an element or {} is true."),
)


def _declare_connective(name: str, function: Binary, doc: str) -> None:
    def kernel(data: Tensor, *, scalar: Number = 1.0, is_int: bool | None = None) -> Tensor:
        del is_int  # any number other than zero is true
        return function(data, torch.scalar_tensor(bool(scalar)))

    kernel.__doc__ = doc + _SCALAR_ARGS
    op(name, differentiable=False, traits=Traits(shapes=SAME_SHAPE))(kernel)


def _of_any_dtypes(function: Callable[..., Tensor]) -> Binary:
    return lambda lhs, rhs: function(lhs != 0, rhs != 0)


for _name, _connective, _doc in _CONNECTIVES:
    declare_pair(
        f"_npi_{_name}",
        _of_any_dtypes(_connective),
        _doc.format("its counterpart in the other array"),
        differentiable=False,
        mixes=True,
        traits=NO_TRAITS,
    )
    _declare_connective(f"_npi_{_name}_scalar", _connective, _doc.format("a number"))


_OF_INTEGERS: tuple[tuple[str, Binary, str, bool], ...] = (
    ("gcd", torch.gcd, "Returns the greatest common divisor of an element and {}.", False),
    ("bitwise_left_shift", torch.bitwise_left_shift, "Moves bits up by {} places.", True),
    ("bitwise_right_shift", torch.bitwise_right_shift, "Moves bits down by {} places.", True),
)
"""Name, function, documentation, whether the order of the operands matters."""


def _declare_with_integer(name: str, function: Binary, doc: str) -> None:
    checked = _integers(name, function)

    def kernel(data: Tensor, *, scalar: Number = 1.0, is_int: bool | None = None) -> Tensor:
        del is_int  # nothing else is possible
        number = torch.scalar_tensor(as_element(scalar, data.dtype), dtype=data.dtype)
        return checked(data, number)

    kernel.__doc__ = doc + _SCALAR_ARGS
    op(name, differentiable=False, traits=Traits(shapes=SAME_SHAPE))(kernel)


for _name, _function, _doc, _is_ordered in _OF_INTEGERS:
    declare_pair(
        f"_npi_{_name}",
        _integers(f"_npi_{_name}", _function),
        _doc.format("its counterpart in the other array"),
        differentiable=False,
        mixes=_is_ordered,
        traits=NO_TRAITS,
    )
    _declare_with_integer(f"_npi_{_name}_scalar", _function, _doc.format("a number"))
    if _is_ordered:
        _declare_with_integer(
            f"_npi_r{_name}_scalar",
            _swapped(_function),
            f"{_doc.format('an element')} They are those of a number, by the places in an array.",
        )
