"""Arrays with the semantics of NumPy: `mx.np`.

Beside what is imported here the module holds the functions of `mxnet._np_functions`.
"""

from typing import TYPE_CHECKING

import mxnet._np_functions.catalog  # noqa: F401 - fills the table of functions
from mxnet._importing import make_getattr
from mxnet._np_functions.table import NP
from mxnet.ndarray import NDArray
from mxnet.ndarray import _operators as _array_operators
from mxnet.numpy import _internal as _internal
from mxnet.numpy import _protocols
from mxnet.numpy import fallback as fallback
from mxnet.numpy import linalg as linalg
from mxnet.numpy import random as random
from mxnet.numpy._constants import *  # noqa: F403 - its names are all public
from mxnet.numpy._creation import array as array
from mxnet.numpy._ndarray import _as_np_ndarray
from mxnet.numpy._ndarray import ndarray as ndarray
from mxnet.numpy._operators import ARRAYS, install
from mxnet.numpy._printing import set_printoptions as set_printoptions
from mxnet.numpy.fallback import genfromtxt as genfromtxt
from mxnet.ops.core.public import set_method
from mxnet.ops.core.spellings import NUMPY

ndarray._F = ARRAYS
set_method(NDArray, "as_np_ndarray", _as_np_ndarray)
_protocols.install()
_array_operators.install(ndarray, NUMPY.binary)

globals().update(fallback.FUNCTIONS)

__all__ = ["array", "linalg", "ndarray", "random", *fallback.FUNCTIONS, *install(globals(), NP)]

if not TYPE_CHECKING:
    __getattr__ = make_getattr(__name__, globals())
