"""Sparse arrays: `mx.nd.sparse`.

`row_sparse` arrays store some rows of an array, `csr` arrays the elements of a matrix that are not
zero. Operators without a way of their own for sparse arrays work on the dense form.
"""

from typing import Any

from mxnet._legacy.c_interface import _STORAGE_TYPE_DEFAULT as _STORAGE_TYPE_DEFAULT
from mxnet._legacy.c_interface import _STORAGE_TYPE_ID_TO_STR as _STORAGE_TYPE_ID_TO_STR
from mxnet._legacy.c_interface import _STORAGE_TYPE_UNDEFINED as _STORAGE_TYPE_UNDEFINED
from mxnet._legacy.c_interface import array_of, is_empty_handle
from mxnet._start import tracebacks
from mxnet.ndarray._namespaces import FUNCTIONS as OP_FUNCTIONS
from mxnet.ndarray._ndarray import NDArray as NDArray
from mxnet.ndarray._ndarray import storage_class
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
from mxnet.ops.core.spellings import CLASSIC, SPARSE_CONTRIB

_FUNCTIONS = (
    {name: OP_FUNCTIONS["op"][name] for name in CLASSIC.sparse}
    | FUNCTIONS
    | {f"_contrib_{name}": OP_FUNCTIONS["contrib"][name] for name in SPARSE_CONTRIB}
    | {
        "adagrad_update": OP_FUNCTIONS["_internal"]["_sparse_adagrad_update"],
        "cast_storage": cast_storage,
        "gs_retain": retain,
    }
)
globals().update(_FUNCTIONS)


def _ndarray_cls(
    handle: Any, writable: bool = True, stype: int = _STORAGE_TYPE_UNDEFINED
) -> NDArray:
    """Makes an array of the class that suits its storage, on the memory of another one.

    Args:
        handle: Handle of the other array.
        writable: Accepted for compatibility.
        stype: Number of the storage type, for a handle without an array.

    Raises:
        MXNetError: if there is no class for the storage type.
    """
    if is_empty_handle(handle):
        code = _STORAGE_TYPE_DEFAULT if stype == _STORAGE_TYPE_UNDEFINED else stype
        name = _STORAGE_TYPE_ID_TO_STR.get(code, str(stype))
        return storage_class(name, "_ndarray_cls")(writable=writable)
    array: Any = array_of(handle)
    return array.detach() if isinstance(array, BaseSparseNDArray) else NDArray(handle, writable)


__all__ = [
    "BaseSparseNDArray", "CSRNDArray", "RowSparseNDArray", "array", "csr_matrix", "empty",
    "retain", "row_sparse_array", "zeros", *_FUNCTIONS,
]  # fmt: skip

tracebacks.public_functions(globals())
