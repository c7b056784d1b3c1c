"""Functions of whole numbers and of bool in the NumPy dialect: connectives of bits, multiples."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet._dtypes import name_of
from mxnet.errors import MXNetError
from mxnet.ops.attrs import Number
from mxnet.ops.binary import Binary
from mxnet.ops.np.binary import declare_pair
from mxnet.ops.registry import op
from mxnet.ops.scalars import as_element
from mxnet.ops.traits import NO_TRAITS, SAME_SHAPE, Traits


def _lcm(lhs: Tensor, rhs: Tensor) -> Tensor:
    return torch.logical_and(lhs, rhs) if lhs.dtype is torch.bool else torch.lcm(lhs, rhs)


_FUNCTIONS: tuple[tuple[str, Binary, str], ...] = (
    ("_npi_bitwise_and", torch.bitwise_and, "Joins the bits of an element and {} by `and`."),
    ("_npi_bitwise_or", torch.bitwise_or, "Joins the bits of an element and {} by `or`."),
    (
        "_npi_bitwise_xor",
        torch.bitwise_xor,
        "Joins the bits of an element and {} by an exclusive `or`.",
    ),
    ("_npi_lcm", _lcm, "Returns the least common multiple of an element and {}."),
)


def _restrict(name: str, function: Binary) -> Binary:
    """Restricts a function to whole numbers and bool."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        if lhs.dtype.is_floating_point:
            raise MXNetError(f"{name}: expected integers or bool, got {name_of(lhs.dtype)}")
        return function(lhs, rhs)

    return kernel


def _declare_with_number(name: str, function: Binary, doc: str) -> None:
    def kernel(data: Tensor, *, scalar: Number = 1.0, is_int: bool = True) -> Tensor:
        del is_int  # nothing else is possible
        if data.dtype.is_floating_point:
            raise MXNetError(f"{name}: expected integers or bool, got {name_of(data.dtype)}")
        number = torch.scalar_tensor(as_element(scalar, data.dtype), dtype=data.dtype)
        return function(data, number)

    kernel.__doc__ = f"""{doc}

    Args:
        data: Array of integers or bool.
        scalar: The number, of which the whole part is taken.
        is_int: Has no effect.
    """
    op(name, differentiable=False, traits=Traits(shapes=SAME_SHAPE))(kernel)


for _name, _function, _doc in _FUNCTIONS:
    declare_pair(
        _name,
        _restrict(_name, _function),
        _doc.format("its counterpart in the other array, broadcasting them"),
        differentiable=False,
        traits=NO_TRAITS,
    )
    _declare_with_number(f"{_name}_scalar", _function, _doc.format("a number"))
