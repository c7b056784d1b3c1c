"""Imperative arrays: `mx.nd`.

Beside what is imported here the module holds a function for every operator with a public name.
"""

from mxnet.ndarray import _internal as _internal
from mxnet.ndarray import _operators, _sparse_operators
from mxnet.ndarray import contrib as contrib
from mxnet.ndarray import image as image
from mxnet.ndarray import linalg as linalg
from mxnet.ndarray import ndarray as ndarray
from mxnet.ndarray import op as op
from mxnet.ndarray import random as random
from mxnet.ndarray import sparse as sparse
from mxnet.ndarray import utils as utils
from mxnet.ndarray._cached_op import CachedOp as CachedOp
from mxnet.ndarray._creation import arange as arange
from mxnet.ndarray._creation import array as array
from mxnet.ndarray._creation import concatenate as concatenate
from mxnet.ndarray._creation import empty as empty
from mxnet.ndarray._creation import eye as eye
from mxnet.ndarray._creation import from_dlpack as from_dlpack
from mxnet.ndarray._creation import from_numpy as from_numpy
from mxnet.ndarray._creation import from_torch as from_torch
from mxnet.ndarray._creation import full as full
from mxnet.ndarray._creation import linspace as linspace
from mxnet.ndarray._creation import moveaxis as moveaxis
from mxnet.ndarray._creation import onehot_encode as onehot_encode
from mxnet.ndarray._creation import ones as ones
from mxnet.ndarray._creation import to_dlpack_for_read as to_dlpack_for_read
from mxnet.ndarray._creation import to_dlpack_for_write as to_dlpack_for_write
from mxnet.ndarray._creation import waitall as waitall
from mxnet.ndarray._creation import zeros as zeros
from mxnet.ndarray._namespaces import FUNCTIONS
from mxnet.ndarray._sparse_creation import cast_storage as cast_storage
from mxnet.ndarray._wrappers import histogram as histogram
from mxnet.ndarray._wrappers import split_v2 as split_v2
from mxnet.ndarray.ndarray import NDArray as NDArray
from mxnet.ndarray.utils import load as load
from mxnet.ndarray.utils import load_frombuffer as load_frombuffer
from mxnet.ndarray.utils import save as save
from mxnet.ops.public import install_methods
from mxnet.ops.spellings import CLASSIC

_HAND_WRITTEN = {
    function.__name__: function
    for function in (
        arange,
        array,
        cast_storage,
        concatenate,
        empty,
        eye,
        from_dlpack,
        from_numpy,
        from_torch,
        full,
        histogram,
        linspace,
        load,
        load_frombuffer,
        moveaxis,
        onehot_encode,
        ones,
        save,
        split_v2,
        to_dlpack_for_read,
        to_dlpack_for_write,
        waitall,
        zeros,
    )
}

_ALSO_IN_NDARRAY = (
    *("add", "arange", "array", "concatenate", "divide", "empty", "equal", "eye", "from_dlpack"),
    *("from_numpy", "full", "greater", "greater_equal", "histogram", "lesser"),
    *("lesser_equal", "linspace", "logical_and", "logical_or", "logical_xor", "maximum", "minimum"),
    *("modulo", "moveaxis", "multiply", "not_equal", "onehot_encode", "ones", "power", "split_v2"),
    *("subtract", "to_dlpack_for_read", "to_dlpack_for_write", "true_divide", "waitall", "zeros"),
)
"""Functions that programs also find in `mx.nd.ndarray`, beside the class."""

_FUNCTIONS = FUNCTIONS["op"] | _operators.functions(NDArray) | _HAND_WRITTEN
_operators.install(NDArray)
_sparse_operators.install()
install_methods(NDArray, CLASSIC.array_methods, _FUNCTIONS)
globals().update(_FUNCTIONS)
for _name in ("array", "empty", "load", "load_frombuffer", "save", "zeros"):
    vars(utils)[_name] = _FUNCTIONS[_name]
for _name in _ALSO_IN_NDARRAY:
    vars(ndarray)[_name] = _FUNCTIONS[_name]
vars(op)["cast_storage"] = cast_storage  # in place of the operator for graphs, which are dense

__all__ = ["CachedOp", "NDArray", *_FUNCTIONS]
