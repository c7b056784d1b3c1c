"""Comparisons in the NumPy dialect, whose results are arrays of bool."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.ops.attrs import Number
from mxnet.ops.binary import Binary, WithNumber
from mxnet.ops.np.binary import declare_pair
from mxnet.ops.registry import op
from mxnet.ops.scalars import as_integer
from mxnet.ops.traits import NO_TRAITS, SAME_SHAPE, Traits

_WITH_NUMBER = Traits(shapes=SAME_SHAPE)

_TESTS: tuple[tuple[str, Binary, WithNumber, str], ...] = (
    ("_npi_equal", torch.eq, torch.eq, "Tests whether an element equals {}."),
    ("_npi_not_equal", torch.ne, torch.ne, "Tests whether an element differs from {}."),
    ("_npi_greater", torch.gt, torch.gt, "Tests whether an element is greater than {}."),
    ("_npi_greater_equal", torch.ge, torch.ge, "Tests whether an element is at least {}."),
    ("_npi_less", torch.lt, torch.lt, "Tests whether an element is less than {}."),
    ("_npi_less_equal", torch.le, torch.le, "Tests whether an element is at most {}."),
)
"""Name, test of two arrays, test of an array and a number, documentation."""


def _declare_with_number(name: str, test: WithNumber, doc: str) -> None:
    def kernel(data: Tensor, *, scalar: Number = 1.0, is_int: bool = True) -> Tensor:
        if data.dtype.is_floating_point:
            return test(data, float(scalar))
        if data.dtype is torch.bool:
            return test(data, bool(scalar))
        if not is_int:
            return test(data.double(), float(scalar))
        return test(data, as_integer(scalar, data.dtype))

    kernel.__doc__ = f"""{doc}

    Args:
        data: The array.
        scalar: The number; beside an array of bool, whether it is other than zero.
        is_int: Whether an integer array is compared with the whole part of the number.
    """
    op(name, differentiable=False, traits=_WITH_NUMBER)(kernel)


for _name, _test, _test_number, _doc in _TESTS:
    declare_pair(
        _name,
        _test,
        _doc.format("its counterpart in the other array"),
        differentiable=False,
        mixes=True,
        traits=NO_TRAITS,
    )
    _declare_with_number(f"{_name}_scalar", _test_number, _doc.format("a number"))
