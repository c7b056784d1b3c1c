"""Base classes of arrays and symbols where the original has its bindings to C.

They are the arrays and symbols themselves: there is no C object below them.
"""

from mxnet import base as _base
from mxnet._start import make_module
from mxnet.ndarray import CachedOp, NDArray
from mxnet.symbol import Symbol

_BOTH = {name: getattr(_base, name) for name in ("c_str_array", "check_call")}
_OF_ARRAYS = ("CachedOpHandle", "NDArrayHandle", "c_handle_array")

ndarray = make_module(
    f"{__name__}.ndarray",
    "The base of arrays.",
    {"CachedOp": CachedOp, "NDArrayBase": NDArray, **_BOTH}
    | {name: getattr(_base, name) for name in _OF_ARRAYS},
)
symbol = make_module(
    f"{__name__}.symbol",
    "The base of symbols.",
    {"SymbolBase": Symbol, "SymbolHandle": _base.SymbolHandle, **_BOTH},
)
