"""Which functions mixed precision computes in which precision, as MXNet 1.9.1 sorts them."""

from __future__ import annotations

from typing import Any, TypeVar

import torch

from mxnet._dtypes import element_type
from mxnet.contrib.amp.lists import symbol_bf16, symbol_fp16
from mxnet.errors import CheckFailedError, UnknownDtypeError
from mxnet.ops.core.registry import all_ops

_List = TypeVar("_List")

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


def _choose(target_dtype: Any, where: str, half: _List, bfloat: _List) -> _List:
    return half if low_precision(target_dtype, where) is torch.float16 else bfloat


def default_low_names(target_dtype: Any) -> list[str]:
    """Returns the functions in low precision, with those that no list has but should.

    The lists for bfloat16 do not know the products of attention, which then would get what
    bfloat16 and float32 functions return. Operators that are in no list follow their declaration.
    """
    listed = {
        *list_fp32_ops(target_dtype),
        *list_lp16_fp32_ops(target_dtype),
        *list_widest_type_cast(target_dtype),
        *(row[0] for row in list_conditional_fp32_ops(target_dtype)),
    }
    low = list_lp16_ops(target_dtype)
    listed.update(low)
    return low + [
        op.name
        for op in all_ops()
        if op.traits.low_precision and listed.isdisjoint((op.name, *op.aliases))
    ]


def list_lp16_ops(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in the low precision.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    return _choose(target_dtype, "list_lp16_ops", symbol_fp16.FP16_FUNCS, symbol_bf16.BF16_FUNCS)


def list_fp32_ops(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in float32.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    return _choose(target_dtype, "list_fp32_ops", symbol_fp16.FP32_FUNCS, symbol_bf16.FP32_FUNCS)


def list_lp16_fp32_ops(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in what they are given.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    return _choose(
        target_dtype, "list_lp16_fp32_ops", symbol_fp16.FP16_FP32_FUNCS, symbol_bf16.BF16_FP32_FUNCS
    )


def list_conditional_fp32_ops(target_dtype: Any) -> list[tuple[str, str, list[str]]]:
    """Returns the functions that compute in float32 if an attribute has one of some values.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    return _choose(
        target_dtype,
        "list_conditional_fp32_ops",
        symbol_fp16.CONDITIONAL_FP32_FUNCS,
        symbol_bf16.CONDITIONAL_FP32_FUNCS,
    )


def list_widest_type_cast(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in the widest precision among their inputs.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    return _choose(
        target_dtype,
        "list_widest_type_cast",
        symbol_fp16.WIDEST_TYPE_CASTS,
        symbol_bf16.WIDEST_TYPE_CASTS,
    )


def list_loss_output_functions(target_dtype: Any) -> list[str]:
    """Returns the functions that start a backward pass, whose gradient is to be scaled.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    return _choose(
        target_dtype,
        "list_loss_output_functions",
        symbol_fp16.LOSS_OUTPUT_FUNCTIONS,
        symbol_bf16.LOSS_OUTPUT_FUNCTIONS,
    )


def list_lp16_use_fp32_params(target_dtype: Any) -> dict[str, list[str]] | None:
    """Returns the inputs that stay in float32, by function; None for float16.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
    """
    return _choose(
        target_dtype, "list_lp16_use_fp32_params", None, symbol_bf16.BF16_USE_FP32_PARAMS
    )
