"""Imperative arrays: `mx.nd`.

Beside what is imported here the module holds a function for every operator with a public name.
"""

from mxnet._arrays import operators as _operators
from mxnet._legacy.c_interface import _DTYPE_MX_TO_NP as _DTYPE_MX_TO_NP
from mxnet._legacy.c_interface import _DTYPE_NP_TO_MX as _DTYPE_NP_TO_MX
from mxnet._legacy.c_interface import _GRAD_REQ_MAP as _GRAD_REQ_MAP
from mxnet._legacy.c_interface import _new_empty_handle as _new_empty_handle
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
from mxnet.ndarray._private_methods import get_indexing_dispatch_code as get_indexing_dispatch_code
from mxnet.ndarray._private_methods import get_oshape_of_gather_nd_op as get_oshape_of_gather_nd_op
from mxnet.ndarray._private_methods import imdecode as imdecode
from mxnet.ndarray._private_methods import (
    indexing_key_expand_implicit_axes as indexing_key_expand_implicit_axes,
)
from mxnet.ndarray._program import CachedOp as CachedOp
from mxnet.ndarray._public import PUBLIC_FUNCTIONS
from mxnet.ndarray.sparse import _ndarray_cls as _ndarray_cls
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
