"""How much two results may differ, by their element types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from mxnet.ndarray import NDArray

Tolerance = float | Mapping[Any, float] | None
"""One number, numbers by element type, or None for the usual ones."""

_DOUBLE = np.dtype("float64")
_EXACT = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")


def _table(half: float, single: float, double: float, exact: float | None) -> dict[Any, float]:
    values: dict[Any, float] = {
        np.dtype("float16"): half,
        np.dtype("float32"): single,
        np.dtype("float64"): double,
    }
    if exact is not None:
        values |= {np.dtype(name): exact for name in _EXACT}
    return values


def default_rtols() -> dict[Any, float]:
    """Returns the usual relative tolerances by element type."""
    return _table(1e-2, 1e-4, 1e-5, 0)


def default_atols() -> dict[Any, float]:
    """Returns the usual absolute tolerances by element type."""
    return _table(1e-1, 1e-3, 1e-20, 0)


def default_numeric_eps() -> dict[Any, float]:
    """Returns the usual steps of finite differences by element type."""
    return _table(2.0**-6, 2.0**-9, 2.0**-14, None)


def effective_dtype(dat: Any) -> Any:
    """Returns the element type that says how exact an array is.

    On GPUs that compute products of float32 in the TF32 format it is float16 for float32.

    Args:
        dat: An array.
    """
    dtype = np.dtype(_dtype_of(dat))
    if dtype == np.float32 and isinstance(dat, NDArray) and dat.context.device_type == "gpu":
        device = dat.to_torch().device
        if device.type == "cuda" and torch.backends.cudnn.allow_tf32:
            major, _ = torch.cuda.get_device_capability(device)
            return np.dtype("float16") if major >= 8 else dtype
    return dtype


def _dtype_of(dat: Any) -> Any:
    return dat.dtype if hasattr(dat, "dtype") else np.asarray(dat).dtype


def get_tolerance(dat: Any, tol: Tolerance, default_tol: Mapping[Any, float]) -> float:
    """Returns the tolerance for an array.

    Args:
        dat: The array.
        tol: What is asked for.
        default_tol: What holds for element types that `tol` does not name.
    """
    if isinstance(tol, (int, float)):
        return tol
    dtype = effective_dtype(dat)
    usual = default_tol.get(dtype, 0)
    return usual if tol is None else tol.get(dtype, usual)


def get_tols(x: Any, y: Any, rtol: Tolerance, atol: Tolerance) -> tuple[float, float]:
    """Returns the tolerances for two arrays: those of the less exact one.

    Args:
        x: An array.
        y: Another.
        rtol: Relative tolerance that is asked for.
        atol: Absolute tolerance that is asked for.

    Returns:
        The relative and the absolute tolerance.
    """
    relative, absolute = default_rtols(), default_atols()
    return (
        max(get_tolerance(item, rtol, relative) for item in (x, y)),
        max(get_tolerance(item, atol, absolute) for item in (x, y)),
    )


def get_rtol(rtol: Tolerance = None, dtype: Any = _DOUBLE) -> Any:
    """Returns the relative tolerance, the usual one of an element type if it is None."""
    return default_rtols()[np.dtype(dtype)] if rtol is None else rtol


def get_atol(atol: Tolerance = None, dtype: Any = _DOUBLE) -> Any:
    """Returns the absolute tolerance, the usual one of an element type if it is None."""
    return default_atols()[np.dtype(dtype)] if atol is None else atol


def get_etol(etol: float | None = None) -> float:
    """Returns the share of elements that may be wrong, 0 if it is None."""
    return 0 if etol is None else etol
