"""How arrays of `mx.np` are printed: as NumPy's, without the dtype float32, with their GPU."""

from __future__ import annotations

from typing import Any

import numpy
import numpy.typing as npt

from mxnet.context import Context

_PREFIX = "array("
_SILENT = frozenset({"float32", "bool"})
"""Element types that are not named; NumPy names others than float64 and int64 on a line of their
own where they do not fit, which the original keeps."""
_NEVER_WRAPPED = frozenset({"float64", "int64"})


def to_repr(values: npt.NDArray[Any], ctx: Context) -> str:
    """Returns what `repr` shows of an array.

    Args:
        values: Its elements.
        ctx: Where it lives.
    """
    body = numpy.array2string(values, separator=", ", prefix=_PREFIX, suffix=")")
    if not values.size:
        body = "[]" if values.shape == (0,) else f"[], shape={values.shape}"
    text = f"{_PREFIX}{body}"
    name = values.dtype.name
    if name not in _SILENT or (name == "bool" and not values.size):
        text += f",{_space_before(text, name)}dtype={name}"
    return f"{text})" if ctx.device_type.startswith("cpu") else f"{text}, ctx={ctx})"


def to_str(values: npt.NDArray[Any], ctx: Context) -> str:
    """Returns what `str` and `print` show of an array."""
    return str(values) if ctx.device_type.startswith("cpu") else f"{values} @{ctx}"


def _space_before(text: str, name: str) -> str:
    """Returns what separates the dtype from the elements: a line break where it does not fit."""
    last_line = len(text) - (text.rfind("\n") + 1)
    width = numpy.get_printoptions()["linewidth"]
    wraps = name not in _NEVER_WRAPPED and last_line + len(f", dtype={name})") > width
    return "\n" + " " * len(_PREFIX) if wraps else " "


def set_printoptions(
    precision: int | None = None, threshold: int | None = None, **kwarg: Any
) -> None:
    """Sets how arrays are printed, those of NumPy too; see `numpy.set_printoptions`."""
    numpy.set_printoptions(precision=precision, threshold=threshold, **kwarg)
