"""Random numbers in graphs of the NumPy dialect: `mx.sym.npx.random`."""

from mxnet._np_functions.table import NPX_RANDOM
from mxnet.context import current_context as current_context
from mxnet.symbol.numpy._operators import install

__all__ = install(globals(), NPX_RANDOM)
