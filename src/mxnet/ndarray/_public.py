"""The functions of `mx.nd`: of operators, with Python's signs, and written by hand.

Some of the last prepare their arguments before they call an operator.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mxnet._arrays import operators
from mxnet._arrays.invoke import invoke
from mxnet._start import OptionalModule, public_call
from mxnet._state import np_array
from mxnet.errors import AttributeValueError, MXNetError, ShapeMismatchError
from mxnet.ndarray._creation import (
    arange,
    array,
    concatenate,
    empty,
    eye,
    from_dlpack,
    from_numpy,
    from_torch,
    full,
    linspace,
    moveaxis,
    onehot_encode,
    ones,
    to_dlpack_for_read,
    to_dlpack_for_write,
    waitall,
    zeros,
)
from mxnet.ndarray._namespaces import FUNCTIONS
from mxnet.ndarray._ndarray import NDArray
from mxnet.ndarray._sparse_creation import cast_storage
from mxnet.ndarray.utils import load, load_frombuffer, save
from mxnet.ops.core.registry import get_op

_images = OptionalModule("mxnet.image")  # which is built above this module


@public_call  # also a method
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

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.arange(6)
        >>> print([part.asnumpy().tolist() for part in mx.nd.split_v2(x, 3)])
        [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
        >>> print([part.asnumpy().tolist() for part in mx.nd.split_v2(x, (1, 4))])
        [[0.0], [1.0, 2.0, 3.0], [4.0, 5.0]]
    """
    attrs: dict[str, Any] = {"axis": axis, "squeeze_axis": squeeze_axis}
    length = ary.shape[axis]
    if isinstance(indices_or_sections, int):
        if length % indices_or_sections:
            raise ShapeMismatchError(
                f"split_v2: an axis of length {length} has no {indices_or_sections} equal parts"
            )
        attrs.update(indices=(), sections=indices_or_sections)
    elif isinstance(indices_or_sections, (list, tuple)):
        attrs["indices"] = (0, *indices_or_sections)
    else:
        raise AttributeValueError(
            f"split_v2: indices_or_sections takes an int or a tuple, got {indices_or_sections!r}"
        )
    op = get_op("_split_v2")
    return invoke(op, (ary,), op.parse_attrs(attrs), NDArray)  # type: ignore[return-value]


def _copyto(src: NDArray, out: NDArray | None = None) -> NDArray:
    """Copies an array into another one; programs find it in `mx.nd._internal`."""
    if not isinstance(out, NDArray):
        raise MXNetError(f"_copyto: expects an array `out`, got {out!r}")
    src.copyto(out)
    return out


def _cvimread(
    filename: str, flag: int = 1, to_rgb: bool = True, out: NDArray | None = None
) -> NDArray:
    """Reads an image file; programs find it in `mx.nd._internal`."""
    with np_array(False):
        image: NDArray = _images.imread(filename, flag, to_rgb, out)
    return image


def _cvimdecode(
    buf: NDArray, flag: int = 1, to_rgb: bool = True, out: NDArray | None = None
) -> NDArray:
    """Decodes the content of an image file; programs find it in `mx.nd._internal`."""
    with np_array(False):
        image: NDArray = _images.imdecode(buf, flag, to_rgb, out)
    return image


def _set_value(src: float, out: NDArray | None = None) -> NDArray:
    """Fills an array with a number; programs find it in `mx.nd._internal`."""
    if not isinstance(out, NDArray):
        raise MXNetError(f"_set_value: expects an array `out`, got {out!r}")
    out[:] = float(src)
    return out


def histogram(
    a: NDArray, bins: int | NDArray = 10, range: tuple[float, float] | None = None
) -> Sequence[NDArray]:
    """Counts the elements in intervals.

    Args:
        a: The values.
        bins: Number of equal intervals, or their edges.
        range: First and last edge; those of the values if not given, and then the counts are
            float32, as in the original.

    Returns:
        The counts and the edges.

    Example:
        >>> import mxnet as mx
        >>> counts, edges = mx.nd.histogram(mx.nd.array([1, 2, 2, 4]), bins=3, range=(0, 6))
        >>> print(counts.asnumpy(), edges.asnumpy())
        [1 2 1] [0. 2. 4. 6.]
    """
    op = get_op("_histogram")
    if isinstance(bins, NDArray):
        found = invoke(op, (a, bins), {}, NDArray)
        return found  # type: ignore[return-value]  # two outputs are a list
    try:
        count = operator.index(bins)
    except TypeError as error:
        raise AttributeValueError(
            f"histogram: bins takes an int or an NDArray, got {bins!r}"
        ) from error
    if range is None:
        counts, edges = np.histogram(a.asnumpy(), bins=count)
        return array(counts), array(edges)
    attrs = op.parse_attrs({"bin_cnt": count, "range": range})
    found = invoke(op, (a,), attrs, NDArray)
    return found  # type: ignore[return-value]


_HAND_WRITTEN = {
    function.__name__: function
    for function in (
        arange, array, cast_storage, concatenate, empty, eye, from_dlpack, from_numpy, from_torch,
        full, histogram, linspace, load, load_frombuffer, moveaxis, onehot_encode, ones, save,
        split_v2, to_dlpack_for_read, to_dlpack_for_write, waitall, zeros,
    )
}  # fmt: skip

PUBLIC_FUNCTIONS: dict[str, Callable[..., Any]] = (
    FUNCTIONS["op"] | operators.functions(NDArray) | _HAND_WRITTEN
)
"""By name; a function written by hand stands in place of the operator of its name."""
