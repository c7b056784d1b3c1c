"""Linear algebra on graphs of the NumPy dialect: `mx.sym.np.linalg`."""

from mxnet._np_functions.table import LINALG
from mxnet.symbol.numpy._operators import install

__all__ = install(globals(), LINALG)
