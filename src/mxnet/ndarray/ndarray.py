"""The array class, and the functions that programs find beside it: `mx.nd.ndarray`."""

from mxnet._start import tracebacks
from mxnet.ndarray._ndarray import NDArray as NDArray
from mxnet.ndarray._private_methods import (
    check_boolean_array_dimension as check_boolean_array_dimension,
)
from mxnet.ndarray._private_methods import get_indexing_dispatch_code as get_indexing_dispatch_code
from mxnet.ndarray._private_methods import get_oshape_of_gather_nd_op as get_oshape_of_gather_nd_op
from mxnet.ndarray._private_methods import imdecode as imdecode
from mxnet.ndarray._private_methods import (
    indexing_key_expand_implicit_axes as indexing_key_expand_implicit_axes,
)
from mxnet.ndarray._public import PUBLIC_FUNCTIONS

_NAMES = (
    *("add", "arange", "array", "concatenate", "divide", "empty", "equal", "eye", "from_dlpack"),
    *("from_numpy", "full", "greater", "greater_equal", "histogram", "lesser"),
    *("lesser_equal", "linspace", "logical_and", "logical_or", "logical_xor", "maximum", "minimum"),
    *("modulo", "moveaxis", "multiply", "not_equal", "onehot_encode", "ones", "power", "split_v2"),
    *("subtract", "to_dlpack_for_read", "to_dlpack_for_write", "true_divide", "waitall", "zeros"),
)
globals().update((name, PUBLIC_FUNCTIONS[name]) for name in _NAMES)
py_slice = slice
NDArray.__module__ = __name__  # where pickles of the original look for it

__all__ = ["NDArray", *_NAMES]

tracebacks.public_functions(globals())
