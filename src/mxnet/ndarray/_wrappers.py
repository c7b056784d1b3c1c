"""Functions that prepare their arguments before they call an operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet._array import invoke
from mxnet.errors import ShapeMismatchError
from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.registry import get_op


def split_v2(
    ary: NDArray,
    indices_or_sections: int | Sequence[int],
    axis: int = 0,
    squeeze_axis: bool = False,
) -> list[NDArray] | NDArray:
    """Splits an array into parts along an axis.

    Args:
        ary: The array.
        indices_or_sections: Number of equal parts, or the positions at which to cut.
        axis: The axis.
        squeeze_axis: Whether to remove the axis from parts of length 1.
    """
    attrs: dict[str, Any] = {"axis": axis, "squeeze_axis": squeeze_axis}
    length = ary.shape[axis]
    if isinstance(indices_or_sections, int):
        if length % indices_or_sections:
            raise ShapeMismatchError(
                f"split_v2: an axis of length {length} has no {indices_or_sections} equal parts"
            )
        attrs.update(indices=(), sections=indices_or_sections)
    else:
        attrs["indices"] = (0, *indices_or_sections)
    op = get_op("_split_v2")
    return invoke(op, (ary,), op.parse_attrs(attrs), NDArray)


def histogram(
    a: NDArray, bins: int | NDArray = 10, range: tuple[float, float] | None = None  # noqa: A002
) -> list[NDArray]:
    """Counts the elements in intervals.

    Args:
        a: The values.
        bins: Number of equal intervals, or their edges.
        range: First and last edge, those of the values if not given.

    Returns:
        The counts and the edges.
    """
    op = get_op("_histogram")
    if isinstance(bins, NDArray):
        return invoke(op, (a, bins), {}, NDArray)  # type: ignore[return-value]
    if range is None:
        values = a.asnumpy()
        range = (float(values.min()), float(values.max()))  # noqa: A001
    attrs = op.parse_attrs({"bin_cnt": bins, "range": range})
    return invoke(op, (a,), attrs, NDArray)  # type: ignore[return-value]
