"""Names that programs import from `mxnet.base`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from mxnet.errors import MXNetError as MXNetError

string_types = (str,)
numeric_types = (float, int, np.generic)
integer_types = (int, np.int32, np.int64)
mx_real_t = np.float32


class _NullType:
    """Type of the value that stands for an argument left out."""

    def __repr__(self) -> str:
        return "_Null"


_Null = _NullType()


def data_dir_default() -> str:
    """Returns the folder for downloaded data when `MXNET_HOME` is not set."""
    if os.name == "nt":
        return str(Path(os.environ["APPDATA"]) / "mxnet")
    return str(Path.home() / ".mxnet")


def data_dir() -> str:
    """Returns the folder for downloaded data and models."""
    return os.environ.get("MXNET_HOME") or data_dir_default()


def py_str(x: bytes | str) -> str:
    """Decodes bytes; a string, which callbacks get here, stays as it is."""
    return x if isinstance(x, str) else x.decode("utf-8")


def _as_list(obj: Any) -> Any:
    """Returns a list or tuple as it is, anything else as a list of one."""
    return obj if isinstance(obj, (list, tuple)) else [obj]


MXNetError.__module__ = __name__  # as it stands in tracebacks of the original
