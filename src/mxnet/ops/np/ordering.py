"""Operators of the NumPy dialect that sort."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import ArgumentValueError
from mxnet.ops.registry import op


def _count_results(
    *, return_index: bool, return_inverse: bool, return_counts: bool, **_: object
) -> int:
    return 1 + return_index + return_inverse + return_counts


@op("_npi_unique", num_outputs=_count_results, differentiable=False)
def unique(
    data: Tensor,
    *,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> tuple[Tensor, ...]:
    """Returns the different elements in ascending order, or the different slices along an axis.

    Args:
        data: Input array.
        return_index: Whether to return where each of them is found first, too.
        return_inverse: Whether to return the number of each element in the result, too.
        return_counts: Whether to return how often each of them is found, too.
        axis: Axis of the slices; by default the array is flattened.
    """
    if axis is not None and not -data.ndim <= axis < data.ndim:
        raise ArgumentValueError(
            f"_npi_unique: axis {axis} is not one of the {data.ndim} axes of the array"
        )
    data = data.detach()  # torch has no derivative of it, not even for what is not differentiated
    if axis is None or data.numel() == 0:
        data, axis = data.reshape(-1), 0
        found, inverse, counts = torch._unique2(data, return_inverse=True, return_counts=True)
    else:
        found, inverse, counts = torch.ops.aten.unique_dim(data, axis, True, True, True)
    results = [found]
    if return_index:
        positions = torch.arange(len(inverse), device=data.device)
        first = positions.new_full((found.shape[axis],), len(inverse))
        results.append(first.scatter_reduce(0, inverse, positions, "amin"))
    results += [inverse] if return_inverse else []
    results += [counts] if return_counts else []
    return tuple(results)
