"""Graphs of the NumPy dialect: `mx.sym.np`.

Beside what is imported here the module holds the functions of `mxnet._np_functions`.
"""

from mxnet._np_functions.extension import OperatorModule
from mxnet._np_functions.table import LINALG, NP, RANDOM
from mxnet._start import add_module
from mxnet.context import current_context
from mxnet.symbol.numpy._operators import (
    FUNCTIONS,
    LINALG_FUNCTIONS,
    SYMBOLS,
    install,
    install_methods,
)
from mxnet.symbol.numpy._symbol import _Symbol as _Symbol

_Symbol._F = SYMBOLS
install_methods()

globals().update(FUNCTIONS)
__all__ = [*FUNCTIONS, *install(globals(), NP)]

_internal = add_module(OperatorModule(f"{__name__}._internal", SYMBOLS, {}, "_npi_"))
linalg = SYMBOLS.make_module(
    f"{__name__}.linalg",
    "Linear algebra on graphs of the NumPy dialect: `mx.sym.np.linalg`.",
    LINALG,
)
vars(linalg).update(LINALG_FUNCTIONS)
random = SYMBOLS.make_module(
    f"{__name__}.random",
    "Random numbers on graphs of the NumPy dialect: `mx.sym.np.random`.",
    RANDOM,
)
vars(random)["current_context"] = current_context
