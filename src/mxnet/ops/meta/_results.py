"""What the rules are written with: meta tensors, shapes and dtypes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor

Shape: TypeAlias = tuple[int, ...]
Rule: TypeAlias = Callable[..., Any]
"""Takes the arguments of an operator of torch, and returns meta tensors as that would."""

META = torch.device("meta")


class NoRuleError(Exception):
    """These arguments are left to torch."""


def make(shape: Iterable[int], dtype: torch.dtype) -> Tensor:
    """Returns a tensor without data."""
    return torch.empty(tuple(shape), dtype=dtype, device=META)


def broadcast(*shapes: Sequence[int]) -> Shape:
    """Returns the common shape of operands."""
    result: list[int] = []
    for shape in shapes:
        if len(shape) > len(result):
            result = [1] * (len(shape) - len(result)) + result
        for position, length in enumerate(shape, len(result) - len(shape)):
            if result[position] == 1:
                result[position] = length
            elif length not in (1, result[position]):
                raise NoRuleError
    return tuple(result)


def axis_of(axis: int, ndim: int) -> int:
    """Returns an axis counted from the front."""
    if not -ndim <= axis < ndim:
        raise NoRuleError
    return axis % ndim


def promote(operands: Sequence[Any]) -> torch.dtype:
    """Returns the dtype in which torch computes with tensors and numbers."""
    tensors = [item for item in operands if isinstance(item, Tensor)]
    numbers = [item for item in operands if isinstance(item, (bool, int, float))]
    first = tensors[0]
    if len({tensor.dtype for tensor in tensors}) == 1:
        dtype = first.dtype
        if all(tensor.ndim for tensor in tensors) and dtype.is_floating_point:
            return dtype  # no number changes it
        results = {torch.result_type(first, number) for number in numbers} | {dtype}
        if len(results) > 2 or (len(results) == 2 and len(numbers) != 1):
            raise NoRuleError
        return (results - {dtype} or {dtype}).pop()
    if len(tensors) == 2 and not numbers:
        return torch.result_type(*tensors)
    raise NoRuleError
