"""Which functions mixed precision computes in which precision, as MXNet 1.9.1 sorts them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from mxnet._formats.element_types import element_type
from mxnet.contrib.amp.lists import symbol_bf16, symbol_fp16
from mxnet.errors import CheckFailedError, UnknownDtypeError
from mxnet.ops.core.registry import all_ops

LOW = (torch.float16, torch.bfloat16)


def low_precision(target_dtype: Any, where: str) -> torch.dtype:
    """Returns the low precision of an argument.

    Raises:
        CheckFailedError: if it is neither float16 nor bfloat16.
    """
    try:
        dtype = element_type(target_dtype).torch
    except UnknownDtypeError:
        dtype = None
    if dtype not in LOW:
        raise CheckFailedError(
            f"{where}: target_dtype takes 'float16' or 'bfloat16', got {target_dtype!r}"
        )
    return dtype


@dataclass(frozen=True)
class FunctionLists:
    """The lists of a version of MXNet.

    Attributes:
        half: Those for float16, under the names that they have in modules of the original.
        bfloat: Those for bfloat16.
        has_all: Whether functions that no list has compute in what they are given. Otherwise those
            do in low precision whose operators say so: 1.9.1's lists do not know the products of
            attention, which then would get what bfloat16 and float32 functions return.
    """

    half: Any
    bfloat: Any
    has_all: bool

    def find(self, function: str, target_dtype: Any) -> Any:
        """Returns what a function gives for a low precision."""
        names = _NAMES[function]
        if low_precision(target_dtype, function) is torch.float16:
            return getattr(self.half, names[0], None)
        return getattr(self.bfloat, names[1])

    def low_names(self, target_dtype: Any) -> list[str]:
        """Returns the functions in low precision, with those that no list has but should."""
        low: list[str] = self.find("list_lp16_ops", target_dtype)
        if self.has_all:
            return low
        listed = {
            *low,
            *self.find("list_fp32_ops", target_dtype),
            *self.find("list_lp16_fp32_ops", target_dtype),
            *self.find("list_widest_type_cast", target_dtype),
            *(row[0] for row in self.find("list_conditional_fp32_ops", target_dtype)),
        }
        return low + [
            op.name
            for op in all_ops()
            if op.traits.low_precision and listed.isdisjoint((op.name, *op.aliases))
        ]


_NAMES = {
    "list_lp16_ops": ("FP16_FUNCS", "BF16_FUNCS"),
    "list_fp32_ops": ("FP32_FUNCS", "FP32_FUNCS"),
    "list_lp16_fp32_ops": ("FP16_FP32_FUNCS", "BF16_FP32_FUNCS"),
    "list_conditional_fp32_ops": ("CONDITIONAL_FP32_FUNCS", "CONDITIONAL_FP32_FUNCS"),
    "list_widest_type_cast": ("WIDEST_TYPE_CASTS", "WIDEST_TYPE_CASTS"),
    "list_loss_output_functions": ("LOSS_OUTPUT_FUNCTIONS", "LOSS_OUTPUT_FUNCTIONS"),
    "list_lp16_use_fp32_params": ("", "BF16_USE_FP32_PARAMS"),
}
"""Names of lists for float16 and for bfloat16, by the functions that give them."""

CLASSIC = FunctionLists(symbol_fp16, symbol_bf16, has_all=False)


def list_lp16_ops(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in the low precision.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    found: list[str] = CLASSIC.find("list_lp16_ops", target_dtype)
    return found


def list_fp32_ops(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in float32.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    found: list[str] = CLASSIC.find("list_fp32_ops", target_dtype)
    return found


def list_lp16_fp32_ops(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in what they are given.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    found: list[str] = CLASSIC.find("list_lp16_fp32_ops", target_dtype)
    return found


def list_conditional_fp32_ops(target_dtype: Any) -> list[tuple[str, str, list[str]]]:
    """Returns the functions that compute in float32 if an attribute has one of some values.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    found: list[tuple[str, str, list[str]]] = CLASSIC.find(
        "list_conditional_fp32_ops", target_dtype
    )
    return found


def list_widest_type_cast(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in the widest precision among their inputs.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    found: list[str] = CLASSIC.find("list_widest_type_cast", target_dtype)
    return found


def list_loss_output_functions(target_dtype: Any) -> list[str]:
    """Returns the functions that start a backward pass, whose gradient is to be scaled.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    found: list[str] = CLASSIC.find("list_loss_output_functions", target_dtype)
    return found


def list_lp16_use_fp32_params(target_dtype: Any) -> dict[str, list[str]] | None:
    """Returns the inputs that stay in float32, by function; None for float16.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    found: dict[str, list[str]] | None = CLASSIC.find("list_lp16_use_fp32_params", target_dtype)
    return found
