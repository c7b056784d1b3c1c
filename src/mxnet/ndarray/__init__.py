"""Imperative arrays: `mx.nd`.

Beside what is imported here the module holds a function for every operator with a public name.
"""

from mxnet._arrays import operators as _operators
from mxnet._start import make_getattr, tracebacks
from mxnet.ndarray import _internal as _internal
from mxnet.ndarray import _private_methods, _sparse_operators
from mxnet.ndarray import contrib as contrib
from mxnet.ndarray import ndarray as ndarray
from mxnet.ndarray import random as random
from mxnet.ndarray import sparse as sparse
from mxnet.ndarray import utils as utils
from mxnet.ndarray._namespaces import FUNCTIONS
from mxnet.ndarray._ndarray import NDArray as NDArray
from mxnet.ndarray._program import CachedOp as CachedOp
from mxnet.ndarray._public import PUBLIC_FUNCTIONS
from mxnet.ops.core.public import install_methods
from mxnet.ops.core.spellings import CLASSIC

image = FUNCTIONS.make_module("image", "Image operators: `mx.nd.image`.")
linalg = FUNCTIONS.make_module("linalg", "Linear algebra: `mx.nd.linalg`.")
op = FUNCTIONS.make_module("op", "Operators under their plain names, also found in `mx.nd`.")
vars(op)["cast_storage"] = PUBLIC_FUNCTIONS[
    "cast_storage"
]  # the operator is for graphs, which are dense
tracebacks.public_functions(vars(op))

_operators.install(NDArray)
_sparse_operators.install()
_private_methods.install()
install_methods(NDArray, CLASSIC.array_methods, PUBLIC_FUNCTIONS)
globals().update(PUBLIC_FUNCTIONS)
FUNCTIONS.follow(globals(), "op")

_LATE = {
    "np": "mxnet.numpy",
    "npx": "mxnet.numpy_extension",
    "numpy": "mxnet.numpy",
    "numpy_extension": "mxnet.numpy_extension",
}
"""The NumPy dialect, which is built on this module."""


__getattr__ = make_getattr(__name__, globals(), _LATE)


__all__ = ["CachedOp", "NDArray", *PUBLIC_FUNCTIONS]

tracebacks.public_functions(globals())
