"""Neural operators on graphs of the NumPy dialect: `mx.sym.npx`."""

from mxnet._np_functions.table import NPX, NPX_IMAGE, NPX_RANDOM
from mxnet.context import current_context
from mxnet.symbol.contrib import cond as cond
from mxnet.symbol.contrib import foreach as foreach
from mxnet.symbol.contrib import while_loop as while_loop
from mxnet.symbol.numpy._operators import SYMBOLS, install

__all__ = ["cond", "foreach", "while_loop", *install(globals(), NPX)]

image = SYMBOLS.make_module(
    f"{__name__}.image",
    "Operators on images in graphs of the NumPy dialect: `mx.sym.npx.image`.",
    NPX_IMAGE,
)
random = SYMBOLS.make_module(
    f"{__name__}.random",
    "Random numbers in graphs of the NumPy dialect: `mx.sym.npx.random`.",
    NPX_RANDOM,
)
vars(random)["current_context"] = current_context
