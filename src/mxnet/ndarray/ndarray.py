"""The array class, and the functions that programs find beside it: `mx.nd.ndarray`."""

from __future__ import annotations

from mxnet._legacy.c_interface import _DTYPE_MX_TO_NP as _DTYPE_MX_TO_NP
from mxnet._legacy.c_interface import _DTYPE_NP_TO_MX as _DTYPE_NP_TO_MX
from mxnet._legacy.c_interface import _GRAD_REQ_MAP as _GRAD_REQ_MAP
from mxnet._legacy.c_interface import _SIGNED_INT32_UPPER_LIMIT as _SIGNED_INT32_UPPER_LIMIT
from mxnet._legacy.c_interface import _STORAGE_TYPE_CSR as _STORAGE_TYPE_CSR
from mxnet._legacy.c_interface import _STORAGE_TYPE_DEFAULT as _STORAGE_TYPE_DEFAULT
from mxnet._legacy.c_interface import _STORAGE_TYPE_ID_TO_STR as _STORAGE_TYPE_ID_TO_STR
from mxnet._legacy.c_interface import _STORAGE_TYPE_ROW_SPARSE as _STORAGE_TYPE_ROW_SPARSE
from mxnet._legacy.c_interface import _STORAGE_TYPE_STR_TO_ID as _STORAGE_TYPE_STR_TO_ID
from mxnet._legacy.c_interface import _STORAGE_TYPE_UNDEFINED as _STORAGE_TYPE_UNDEFINED
from mxnet._legacy.c_interface import DLContext as DLContext
from mxnet._legacy.c_interface import DLDataType as DLDataType
from mxnet._legacy.c_interface import DLManagedTensor as DLManagedTensor
from mxnet._legacy.c_interface import DLTensor as DLTensor
from mxnet._legacy.c_interface import _new_empty_handle as _new_empty_handle
from mxnet._start import tracebacks
from mxnet.base import integer_types as integer_types
from mxnet.base import numeric_types as numeric_types
from mxnet.ndarray._ndarray import NDArray as NDArray
from mxnet.ndarray._private_methods import _NDARRAY_ADVANCED_INDEXING as _NDARRAY_ADVANCED_INDEXING
from mxnet.ndarray._private_methods import _NDARRAY_BASIC_INDEXING as _NDARRAY_BASIC_INDEXING
from mxnet.ndarray._private_methods import (
    _NDARRAY_EMPTY_TUPLE_INDEXING as _NDARRAY_EMPTY_TUPLE_INDEXING,
)
from mxnet.ndarray._private_methods import (
    _NDARRAY_NO_ZERO_DIM_BOOL_ARRAY as _NDARRAY_NO_ZERO_DIM_BOOL_ARRAY,
)
from mxnet.ndarray._private_methods import (
    _NDARRAY_UNSUPPORTED_INDEXING as _NDARRAY_UNSUPPORTED_INDEXING,
)
from mxnet.ndarray._private_methods import (
    _NDARRAY_ZERO_DIM_BOOL_ARRAY_FALSE as _NDARRAY_ZERO_DIM_BOOL_ARRAY_FALSE,
)
from mxnet.ndarray._private_methods import (
    _NDARRAY_ZERO_DIM_BOOL_ARRAY_TRUE as _NDARRAY_ZERO_DIM_BOOL_ARRAY_TRUE,
)
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
