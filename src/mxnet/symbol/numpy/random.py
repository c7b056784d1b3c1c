"""Random numbers on graphs of the NumPy dialect: `mx.sym.np.random`."""

from mxnet._np_functions.table import RANDOM
from mxnet.context import current_context as current_context
from mxnet.symbol.numpy._operators import install

__all__ = install(globals(), RANDOM)
