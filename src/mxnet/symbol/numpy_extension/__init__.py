"""Neural operators on graphs of the NumPy dialect: `mx.sym.npx`."""

from mxnet._np_functions.table import NPX
from mxnet.symbol.numpy._operators import install
from mxnet.symbol.numpy_extension import image as image
from mxnet.symbol.numpy_extension import random as random

__all__ = install(globals(), NPX)
