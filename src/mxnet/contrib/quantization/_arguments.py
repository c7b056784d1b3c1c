"""Checks of arguments, and what is told to loggers."""

from __future__ import annotations

from typing import Any

from mxnet.context import Context
from mxnet.contrib.quantization._collectors import Log
from mxnet.errors import ArgumentValueError
from mxnet.io import DataIter

_DTYPES = ("int8", "uint8", "auto")
_GRANULARITIES = ("tensor-wise", "channel-wise")


def tell(logger: Log, message: str) -> None:
    """Tells a logger, if there is one."""
    if logger:
        logger.info(message)


def check_context(ctx: Any) -> None:
    """Raises for what is not a single context."""
    if not isinstance(ctx, Context):
        raise ArgumentValueError(f"quantization: expected one context, got {ctx}")


def check_names(argument: str, names: list[str] | None, what: str) -> list[str]:
    """Returns names to exclude; raises if they are not in a list."""
    if names is not None and not isinstance(names, list):
        raise ArgumentValueError(
            f"{argument}: expected a list of names of {what} to leave as they are, got {names!r}"
        )
    return names or []


def check_dtype(quantized_dtype: str) -> None:
    """Raises for integers that are not supported."""
    if quantized_dtype not in _DTYPES:
        raise ArgumentValueError(
            f"quantized_dtype: expected int8, uint8 or auto, got {quantized_dtype!r}"
        )


def check_granularity(granularity: str) -> None:
    """Raises for a granularity that is not known."""
    if granularity not in _GRANULARITIES:
        raise ArgumentValueError(
            f"quantize_granularity: expected tensor-wise or channel-wise, got {granularity!r}"
        )


def check_calibration_data(calib_data: Any, calib_mode: str) -> None:
    """Raises if there are no batches of calibration."""
    if calib_data is None:
        raise ArgumentValueError(f"calib_data: expected data for calib_mode {calib_mode}, got None")
    if not isinstance(calib_data, DataIter):
        raise ArgumentValueError(
            f"calib_data: expected a DataIter, got {type(calib_data)} for calib_mode {calib_mode}"
        )


def unknown_mode(calib_mode: str) -> ArgumentValueError:
    """Returns the error for a mode that is not known."""
    return ArgumentValueError(
        f"calib_mode: expected none, naive, entropy or customize, got {calib_mode!r}"
    )
