"""Random numbers on arrays of the NumPy dialect: `mx.np.random`."""

from mxnet._np_functions.table import RANDOM
from mxnet.numpy._operators import install

__all__ = install(globals(), RANDOM)
