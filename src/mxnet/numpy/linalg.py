"""Linear algebra on arrays of the NumPy dialect: `mx.np.linalg`."""

from mxnet._np_functions.table import LINALG
from mxnet.numpy._operators import install
from mxnet.numpy.fallback import LINALG_FUNCTIONS

globals().update(LINALG_FUNCTIONS)
__all__ = [*LINALG_FUNCTIONS, *install(globals(), LINALG)]
