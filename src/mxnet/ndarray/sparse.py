"""Sparse arrays: `mx.nd.sparse`.

`row_sparse` arrays store some rows of an array, `csr` arrays the elements of a matrix that are not
zero. Operators without a way of their own for sparse arrays work on the dense form.
"""

from mxnet import _tracebacks
from mxnet.context import Context as Context
from mxnet.context import current_context as current_context
from mxnet.ndarray._codes import _DTYPE_MX_TO_NP as _DTYPE_MX_TO_NP
from mxnet.ndarray._codes import _DTYPE_NP_TO_MX as _DTYPE_NP_TO_MX
from mxnet.ndarray._codes import _STORAGE_AUX_TYPES as _STORAGE_AUX_TYPES
from mxnet.ndarray._codes import _STORAGE_TYPE_CSR as _STORAGE_TYPE_CSR
from mxnet.ndarray._codes import _STORAGE_TYPE_DEFAULT as _STORAGE_TYPE_DEFAULT
from mxnet.ndarray._codes import _STORAGE_TYPE_ROW_SPARSE as _STORAGE_TYPE_ROW_SPARSE
from mxnet.ndarray._codes import _STORAGE_TYPE_STR_TO_ID as _STORAGE_TYPE_STR_TO_ID
from mxnet.ndarray._codes import _STORAGE_TYPE_UNDEFINED as _STORAGE_TYPE_UNDEFINED
from mxnet.ndarray._namespaces import FUNCTIONS as OP_FUNCTIONS
from mxnet.ndarray._ndarray import NDArray as NDArray
from mxnet.ndarray._sparse_array import CSRNDArray, RowSparseNDArray
from mxnet.ndarray._sparse_base import BaseSparseNDArray
from mxnet.ndarray._sparse_creation import (
    array,
    cast_storage,
    csr_matrix,
    empty,
    retain,
    row_sparse_array,
    zeros,
)
from mxnet.ndarray._sparse_operators import FUNCTIONS
from mxnet.ops.core.spellings import CLASSIC

_FUNCTIONS = (
    {name: OP_FUNCTIONS["op"][name] for name in CLASSIC.sparse}
    | FUNCTIONS
    | {
        "adagrad_update": OP_FUNCTIONS["_internal"]["_sparse_adagrad_update"],
        "cast_storage": cast_storage,
        "gs_retain": retain,
    }
)
globals().update(_FUNCTIONS)

__all__ = [
    "BaseSparseNDArray",
    "CSRNDArray",
    "RowSparseNDArray",
    "array",
    "csr_matrix",
    "empty",
    "retain",
    "row_sparse_array",
    "zeros",
    *_FUNCTIONS,
]

_tracebacks.public_functions(globals())
