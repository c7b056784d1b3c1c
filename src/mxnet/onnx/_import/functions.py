"""The functions that converters write graphs with: both dialects, and small steps of several."""

from __future__ import annotations

from typing import Any

from mxnet import symbol

sym: Any = symbol
np: Any = symbol.numpy
npx: Any = symbol.numpy_extension


def cast(x: Any, dtype: str | None) -> Any:
    """Converts the elements of a symbol of either dialect.

    Args:
        x: The symbol.
        dtype: Name of the element type, float32 if it is not known.

    Returns:
        A symbol of the NumPy dialect.
    """
    if dtype == "bool":
        return np.not_equal(x.as_np_ndarray(), 0)
    return sym.Cast(x.as_nd_ndarray(), dtype=dtype or "float32").as_np_ndarray()


def pick_last(x: Any, place: int) -> Any:
    """Returns the elements at a place of the last axis of a symbol, without that axis."""
    picked = sym.slice_axis(x.as_nd_ndarray(), axis=-1, begin=place, end=place + 1)
    return np.squeeze(picked.as_np_ndarray(), axis=-1)
