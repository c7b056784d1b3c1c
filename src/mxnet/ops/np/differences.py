"""Differences of neighbours, and polynomials, in the NumPy dialect."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import MXNetError, ShapeMismatchError
from mxnet.ops.registry import op
from mxnet.ops.scalars import as_element
from mxnet.ops.traits import NAMED_INPUTS, Traits

_NAMED = Traits(labels=NAMED_INPUTS)


@op("_npi_diff", traits=_NAMED)
def diff(a: Tensor, *, n: int = 1, axis: int = -1) -> Tensor:
    """Subtracts from each element the one before it along an axis.

    Args:
        a: Array of numbers.
        n: How many times that is done.
        axis: The axis.
    """
    length = a.shape[axis]
    is_bool = a.dtype is torch.bool
    if n < 0 or (is_bool and n < length):
        raise MXNetError(f"_npi_diff: expected numbers and `n` of at least 0, got {a.dtype}, {n}")
    if is_bool:
        return a.narrow(axis, 0, 0)
    for _ in range(min(n, length)):
        a = a.narrow(axis, 1, a.shape[axis] - 1) - a.narrow(axis, 0, a.shape[axis] - 1)
    return a if n else a.clone()


def _ediff1d_inputs(
    *, to_begin_arr_given: bool, to_end_arr_given: bool, **_: object
) -> tuple[str, ...]:
    return ("input1", "input2", "input3")[: 1 + to_begin_arr_given + to_end_arr_given]


@op("_npi_ediff1d", active_inputs=_ediff1d_inputs, traits=_NAMED)
def ediff1d(
    input1: Tensor,
    input2: Tensor | None = None,
    input3: Tensor | None = None,
    *,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
) -> Tensor:
    """Subtracts from each element of the flattened array the one before it.

    Args:
        input1: Array of numbers.
        input2: What stands before the differences, or behind them if nothing stands before them.
        input3: What stands behind the differences.
        to_begin_arr_given: Whether an array stands before the differences.
        to_end_arr_given: Whether an array stands behind them.
        to_begin_scalar: A number before the differences.
        to_end_scalar: A number behind them.
    """
    given = [array for array in (input2, input3) if array is not None]
    if len(given) != to_begin_arr_given + to_end_arr_given:
        raise MXNetError(f"_npi_ediff1d: expected the arrays that are announced, got {len(given)}")
    flat = input1.reshape(-1)
    head = given.pop(0) if to_begin_arr_given else _as_vector(to_begin_scalar, flat)
    tail = given.pop(0) if to_end_arr_given else _as_vector(to_end_scalar, flat)
    return torch.cat([head.reshape(-1), flat[1:] - flat[:-1], tail.reshape(-1)])


def _as_vector(number: float | None, data: Tensor) -> Tensor:
    if number is None:
        return data.new_zeros((0,))
    return data.new_full((1,), as_element(number, data.dtype))


@op("_npi_polyval", traits=_NAMED)
def polyval(p: Tensor, x: Tensor) -> Tensor:
    """Computes a polynomial at each element.

    Args:
        p: Vector of coefficients, that of the highest power first.
        x: Array of any shape.
    """
    if p.ndim != 1:
        raise ShapeMismatchError(
            f"_npi_polyval: expected a vector of coefficients, got {p.ndim} axes"
        )
    result = torch.zeros_like(x)
    for coefficient in p.unbind():
        result = result * x + coefficient
    return result
