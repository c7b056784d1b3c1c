"""Operators of the NumPy dialect that join and split arrays."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import ArgumentValueError
from mxnet.ops import flops
from mxnet.ops.attrs import Shape
from mxnet.ops.registry import op
from mxnet.ops.slicing import count_sections, split_v2
from mxnet.ops.traits import SAME_DTYPE, Labels, Traits

_JOINED = Traits(types=SAME_DTYPE, labels=Labels(outputs=("out",)), flops=flops.nothing)


@op("_npi_concatenate", traits=_JOINED)
def concatenate(*data: Tensor, axis: int | None = 0) -> Tensor:
    """Joins arrays along an axis; their other axes have equal sizes.

    Args:
        data: Arrays to join.
        axis: The axis; None joins the flattened arrays.
    """
    if axis is None:
        return torch.cat([array.reshape(-1) for array in data])
    return torch.cat(_alike(data), axis)


def _alike(arrays: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Returns arrays that are to be joined.

    Raises:
        ArgumentValueError: if their numbers of axes differ; torch would leave `(0,)` out.
    """
    ndim = arrays[0].ndim
    for array in arrays:  # a generator takes as long as joining two small arrays
        if array.ndim != ndim:
            shapes = ", ".join(str(tuple(item.shape)) for item in arrays)
            raise ArgumentValueError(f"expected arrays of as many axes as each other, got {shapes}")
    return arrays


def _as_rows(array: Tensor) -> Tensor:
    return array if array.ndim > 1 else array.reshape(1, -1)


def _with_depth(array: Tensor) -> Tensor:
    return array if array.ndim > 2 else _as_rows(array).unsqueeze(2)


@op("_npi_stack", traits=Traits(types=SAME_DTYPE))
def stack(*data: Tensor, axis: int = 0) -> Tensor:
    """Joins arrays of one shape along a new axis.

    Args:
        data: Arrays to join.
        axis: Position of the new axis in the result.
    """
    return torch.stack(data, axis)


@op("_npi_vstack", traits=Traits(types=SAME_DTYPE))
def vstack(*data: Tensor) -> Tensor:
    """Joins arrays along the first axis, vectors as rows.

    Args:
        data: Arrays to join.
    """
    return torch.cat(_alike(tuple(map(_as_rows, data))))


@op("_npi_hstack", traits=_JOINED)
def hstack(*data: Tensor, dim: int = 1) -> Tensor:
    """Joins arrays along the second axis, vectors along their only one.

    Args:
        data: Arrays to join.
        dim: Accepted for compatibility.
    """
    del dim
    wide = _alike(tuple(a if a.ndim else a.reshape(1) for a in data))
    return torch.cat(wide, min(wide[0].ndim - 1, 1))


@op("_npi_dstack", traits=_JOINED)
def dstack(*data: Tensor, dim: int = 1) -> Tensor:
    """Joins arrays along the third axis; a vector `(n,)` counts as `(1, n, 1)`.

    Args:
        data: Arrays to join.
        dim: Accepted for compatibility.
    """
    del dim
    return torch.cat(_alike(tuple(map(_with_depth, data))), 2)


@op("_npi_column_stack", traits=Traits(types=SAME_DTYPE))
def column_stack(*data: Tensor) -> Tensor:
    """Joins arrays along the second axis, vectors as columns.

    Args:
        data: Arrays to join.
    """
    columns = tuple(a.reshape(-1, 1) if a.ndim < 2 else a for a in data)
    return torch.cat(_alike(columns), 1)


@op("_npi_hsplit", num_outputs=count_sections)
def hsplit(
    data: Tensor, *, indices: Shape, axis: int = 1, squeeze_axis: bool = False, sections: int = 0
) -> tuple[Tensor, ...]:
    """Splits an array along its second axis, a vector along its only one.

    Args:
        data: Input array.
        indices: Where each part begins, the first at 0.
        axis: Accepted for compatibility.
        squeeze_axis: Whether to remove the axis, which has size one in each part then.
        sections: Number of parts, used instead of `indices` if not 0; if it does not divide the
            size, the first parts are longer by one.
    """
    del axis
    if data.ndim < 1:
        raise ArgumentValueError("_npi_hsplit: expected an array of 1 or more axes, got a scalar")
    along = min(data.ndim - 1, 1)
    parts: tuple[Tensor, ...] = split_v2(
        data, indices=indices, axis=along, squeeze_axis=squeeze_axis, sections=sections
    )
    return parts


@op("_npi_dsplit", num_outputs=count_sections)
def dsplit(
    data: Tensor, *, indices: Shape, axis: int = 1, squeeze_axis: bool = False, sections: int = 0
) -> tuple[Tensor, ...]:
    """Splits an array along its third axis.

    Args:
        data: Input array.
        indices: Where each part begins, the first at 0.
        axis: Accepted for compatibility.
        squeeze_axis: Whether to remove the axis, which has size one in each part then.
        sections: Number of parts, used instead of `indices` if not 0; if it does not divide the
            size, the first parts are longer by one.
    """
    del axis
    if data.ndim < 3:
        raise ArgumentValueError(
            f"_npi_dsplit: expected an array of 3 or more axes, got shape {tuple(data.shape)}"
        )
    parts: tuple[Tensor, ...] = split_v2(
        data, indices=indices, axis=2, squeeze_axis=squeeze_axis, sections=sections
    )
    return parts
