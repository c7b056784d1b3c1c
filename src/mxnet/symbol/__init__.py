"""Graphs of operators: `mx.sym`.

Beside what is imported here the module holds a function for every operator with a public name.
"""

from typing import TYPE_CHECKING, Any

from mxnet._start import make_getattr, make_module, tracebacks
from mxnet.symbol import _operators
from mxnet.symbol import contrib as contrib
from mxnet.symbol import random as random
from mxnet.symbol import symbol as symbol
from mxnet.symbol._binding import Bindable
from mxnet.symbol._control_flow import call_graph as _call_graph
from mxnet.symbol._functions import FUNCTIONS, make_sparse_functions
from mxnet.symbol._functions import Group as Group
from mxnet.symbol._functions import Variable as Variable
from mxnet.symbol._functions import arange as arange
from mxnet.symbol._functions import eye as eye
from mxnet.symbol._functions import full as full
from mxnet.symbol._functions import histogram as histogram
from mxnet.symbol._functions import linspace as linspace
from mxnet.symbol._functions import ones as ones
from mxnet.symbol._functions import split_v2 as split_v2
from mxnet.symbol._functions import var as var
from mxnet.symbol._functions import zeros as zeros
from mxnet.symbol.symbol import Symbol as Symbol
from mxnet.symbol.symbol import fromjson as fromjson
from mxnet.symbol.symbol import load as load
from mxnet.symbol.symbol import load_json as load_json

image = FUNCTIONS.make_module("image", "Operators on images: `mx.sym.image`.")
linalg = FUNCTIONS.make_module("linalg", "Linear algebra: `mx.sym.linalg`.")
op = FUNCTIONS.make_module("op", "Operators under their plain names, also found in `mx.sym`.")
_internal = FUNCTIONS.make_module("_internal", "Operators whose names begin with an underscore.")
vars(_internal).update(_CachedOp=_call_graph, SymbolBase=Bindable)
sparse = make_module(
    f"{__name__}.sparse",
    "Functions on sparse arrays: `mx.sym.sparse`; in graphs they work on the dense form.",
    make_sparse_functions(f"{__name__}.sparse"),
)

_WRITTEN = (
    Group, arange, eye, full, histogram, linspace, load, load_json, ones, split_v2, var, zeros,
)  # fmt: skip
_FUNCTIONS = (
    FUNCTIONS["op"]
    | _operators.functions()
    | {function.__name__: function for function in _WRITTEN}
)
_operators.install(_FUNCTIONS)
globals().update(_FUNCTIONS)
FUNCTIONS.follow(globals(), "op")
_BESIDE_THE_CLASS = (
    *("Group", "Variable", "arange", "eye", "full", "histogram", "hypot", "linspace", "maximum"),
    *("minimum", "ones", "pow", "power", "split_v2", "var", "zeros"),
)
_LATE = {
    "np": "mxnet.symbol.numpy",
    "npx": "mxnet.symbol.numpy_extension",
    "numpy": "mxnet.symbol.numpy",
    "numpy_extension": "mxnet.symbol.numpy_extension",
}
"""Graphs of the NumPy dialect, which few programs write."""

if TYPE_CHECKING:
    from mxnet.symbol import numpy as numpy
    from mxnet.symbol import numpy_extension as numpy_extension

    np, npx = numpy, numpy_extension

    def __getattr__(name: str) -> Any:
        """Stands for the functions of operators, which type checkers cannot see."""

else:
    __getattr__ = make_getattr(__name__, globals(), _LATE)

__all__ = ["Symbol", "Variable", *_FUNCTIONS]

tracebacks.public_functions(globals())
globals()["Variable"] = var  # one function under two names, as in the original
vars(symbol).update({name: globals()[name] for name in _BESIDE_THE_CLASS})
