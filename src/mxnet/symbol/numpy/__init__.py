"""Graphs of the NumPy dialect: `mx.sym.np`.

Beside what is imported here the module holds the functions of `mxnet._np_functions`.
"""

import mxnet._np_functions.catalog  # noqa: F401 - fills the table of functions
from mxnet._np_functions.table import NP
from mxnet.ops.core.public import set_method
from mxnet.symbol.numpy import _internal as _internal
from mxnet.symbol.numpy import linalg as linalg
from mxnet.symbol.numpy import random as random
from mxnet.symbol.numpy._operators import SYMBOLS, install, install_methods
from mxnet.symbol.numpy._symbol import _as_np_ndarray
from mxnet.symbol.numpy._symbol import _Symbol as _Symbol
from mxnet.symbol.symbol import Symbol

_Symbol._F = SYMBOLS
set_method(Symbol, "as_np_ndarray", _as_np_ndarray)
install_methods()

__all__ = install(globals(), NP)
