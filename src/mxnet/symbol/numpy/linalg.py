"""Linear algebra on graphs of the NumPy dialect: `mx.sym.np.linalg`."""

import mxnet._np_functions.catalog  # noqa: F401 - fills the table of functions
from mxnet._np_functions.table import LINALG
from mxnet.symbol.numpy._operators import install

__all__ = install(globals(), LINALG)
