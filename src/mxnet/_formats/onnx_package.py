"""The package `onnx`, which is an extra."""

from __future__ import annotations

import importlib
from typing import Any

_PARTS = ("checker", "helper", "numpy_helper", "shape_inference", "external_data_helper")


def load_onnx() -> Any:
    """Imports the package `onnx` with the parts that exporting and importing use.

    Raises:
        ImportError: if it is not installed; the message says how to install it.
    """
    try:
        for part in _PARTS:
            importlib.import_module(f"onnx.{part}")
        return importlib.import_module("onnx")
    except ImportError as error:
        raise ImportError(
            "mx.onnx: the package `onnx` cannot be imported; "
            "install it with `pip install glueball[onnx]`"
        ) from error
