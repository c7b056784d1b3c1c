"""Operators on images in graphs of the NumPy dialect: `mx.sym.npx.image`."""

from mxnet._np_functions.table import NPX_IMAGE
from mxnet.symbol.numpy._operators import install

__all__ = install(globals(), NPX_IMAGE)
