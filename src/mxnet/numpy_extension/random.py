"""Random numbers on arrays of the NumPy dialect: `mx.npx.random`."""

import mxnet._np_functions.catalog  # noqa: F401 - fills the table of functions
from mxnet._np_functions.table import NPX_RANDOM
from mxnet.numpy._operators import install

__all__ = install(globals(), NPX_RANDOM)
