"""Operators of mixed precision: conversions that a graph is given, and tests for overflow."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from mxnet._dtypes import name_of
from mxnet.errors import MXNetError
from mxnet.ops.attrs import DType
from mxnet.ops.precision import CONVERTIBLE
from mxnet.ops.registry import get_op, op
from mxnet.ops.traits import SAME_SHAPE, Attrs, Traits, Types


def converted_dtypes(
    dtypes: Sequence[torch.dtype],
    *,
    dtype: torch.dtype | None = None,
    cast_narrow: bool = False,
    **_: object,
) -> list[torch.dtype]:
    """Returns the dtypes of the outputs of a conversion from those of its inputs.

    Args:
        dtypes: Dtypes of the inputs.
        dtype: What to convert to, None for one of the dtypes of the inputs.
        cast_narrow: Whether that is the narrowest.
    """
    order = CONVERTIBLE if cast_narrow else reversed(CONVERTIBLE)
    target = next((item for item in order if item in dtypes), None) if dtype is None else dtype
    return [item if target is None or item not in CONVERTIBLE else target for item in dtypes]


@op("amp_cast", traits=Traits(shapes=SAME_SHAPE, types=Types(casts_precision=True)))
def amp_cast(data: Tensor, *, dtype: DType) -> Tensor:
    """Converts an array of float32 or of a narrower float; leaves every other type as it is.

    Args:
        data: Input of any type.
        dtype: Type of the result; a number type.
    """
    if dtype is torch.bool:
        raise MXNetError("amp_cast: attribute `dtype` takes a number type, got bool")
    return data.to(dtype) if data.dtype in CONVERTIBLE else data


def _count_casts(*, num_outputs: int, **_: object) -> int:
    return num_outputs


@op(
    "amp_multicast",
    any_dtype=("data",),
    num_outputs=_count_casts,
    traits=Traits(types=Types(casts_precision=True)),
)
def amp_multicast(*data: Tensor, num_outputs: int, cast_narrow: bool = False) -> tuple[Tensor, ...]:
    """Converts arrays of float32 and narrower floats to one type; leaves other types as they are.

    Args:
        data: Arrays of any shapes and types.
        num_outputs: Number of arrays.
        cast_narrow: Whether to convert to the narrowest type found instead of the widest.
    """
    if len(data) != num_outputs:
        raise MXNetError(f"amp_multicast: expected {num_outputs} arrays, got {len(data)}")
    dtypes = converted_dtypes([array.dtype for array in data], cast_narrow=cast_narrow)
    return tuple(array.to(dtype) for array, dtype in zip(data, dtypes, strict=True))


AMP_CAST = get_op("amp_cast")
AMP_MULTICAST = get_op("amp_multicast")


def are_finite(tensors: Sequence[Tensor]) -> Tensor:
    """Tests whether all elements of tensors are finite, without waiting for their device.

    Args:
        tensors: Floating-point tensors of one device, of any shapes and dtypes.

    Returns:
        A tensor of one truth value, of no dimension.
    """
    filled = [tensor for tensor in tensors if tensor.numel()]
    if not filled:
        return torch.ones((), dtype=torch.bool)
    # The largest magnitude fits into the dtype, and nan is larger than all.
    largest = torch._foreach_norm(filled, math.inf)
    double = any(tensor.dtype is torch.float64 for tensor in filled)
    dtype = torch.float64 if double else torch.float32
    return torch.stack([item.to(dtype) for item in largest]).isfinite().all()


def _all_finite(name: str, arrays: tuple[Tensor, ...]) -> Tensor:
    for array in arrays:
        if not array.dtype.is_floating_point:
            raise MXNetError(f"{name}: expected floating-point input, got {name_of(array.dtype)}")
    return are_finite(arrays).float().reshape(1)


def _keep_zero(result: Tensor, held: Tensor, attrs: Attrs) -> Tensor:
    return result if attrs.get("init_output", True) else torch.minimum(result, held)


_TEST = Traits(combine_out=_keep_zero)


@op("all_finite", differentiable=False, traits=_TEST)
def all_finite(data: Tensor, *, init_output: bool = True) -> Tensor:
    """Tests whether all elements are finite; the result, of shape `(1,)`, is one if so.

    Args:
        data: Floating-point input.
        init_output: Whether to forget what `out` holds; otherwise a zero in it stays.
    """
    return _all_finite("all_finite", (data,))


@op("multi_all_finite", differentiable=False, traits=_TEST)
def multi_all_finite(*data: Tensor, num_arrays: int = 1, init_output: bool = True) -> Tensor:
    """Tests whether all elements of several arrays are finite; the result is one if so.

    Args:
        data: Floating-point arrays of any shapes.
        num_arrays: Number of arrays.
        init_output: Whether to forget what `out` holds; otherwise a zero in it stays.
    """
    if len(data) != num_arrays:
        raise MXNetError(f"multi_all_finite: expected {num_arrays} arrays, got {len(data)}")
    return _all_finite("multi_all_finite", data)
