"""Operators on images for arrays of the NumPy dialect: `mx.npx.image`.

It also has what `mx.image` has, which is built above this module.
"""

from typing import Any

from mxnet._np_functions.table import NPX_IMAGE
from mxnet._start import OptionalModule
from mxnet.numpy._operators import install

__all__ = install(globals(), NPX_IMAGE)

_images = OptionalModule("mxnet.image")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_images, name)
