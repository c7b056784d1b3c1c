"""Operators `_npi_*` on arrays of `mx.np`, without that prefix: `mx.nd.np._internal`."""

from __future__ import annotations

from typing import Any

from mxnet._start import OptionalModule
from mxnet._state import np_array
from mxnet.errors import ArgumentTypeError
from mxnet.numpy._ndarray import ndarray
from mxnet.numpy._operators import ARRAYS
from mxnet.ops.core.registry import all_names

_images = OptionalModule("mxnet.image")  # which is built above this module
_PREFIX = "_npi_"


def copyto(data: ndarray, out: ndarray) -> ndarray:
    """Copies an array into another one, which may be on another context."""
    for name, array in (("data", data), ("out", out)):
        if not isinstance(array, ndarray):
            raise ArgumentTypeError(f"copyto: {name} takes an mx.np array, got {type(array)}")
    data.copyto(out)
    return out


def cvimread(filename: str, flag: int = 1, to_rgb: bool = True, out: Any = None) -> ndarray:
    """Reads an image file; see `mx.image.imread`."""
    with np_array():
        image: ndarray = _images.imread(filename, flag, to_rgb, out)
    return image


def cvimdecode(buf: ndarray, flag: int = 1, to_rgb: bool = True, out: Any = None) -> ndarray:
    """Decodes the content of an image file; see `mx.image.imdecode`."""
    if not isinstance(buf, ndarray):
        raise ArgumentTypeError(
            f"cvimdecode: buf takes an mx.np array of bytes, got {type(buf)}; "
            "mx.image.imdecode takes other things"
        )
    with np_array():
        image: ndarray = _images.imdecode(buf, flag, to_rgb, out)
    return image


def __getattr__(name: str) -> Any:
    if _PREFIX + name not in all_names():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = ARRAYS.make_raw(_PREFIX + name)
    return value


def __dir__() -> list[str]:
    names = (name.removeprefix(_PREFIX) for name in all_names() if name.startswith(_PREFIX))
    return sorted({*globals(), *names})
