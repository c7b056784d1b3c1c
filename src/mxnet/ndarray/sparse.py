"""Sparse arrays: `mx.nd.sparse`.

`row_sparse` arrays store some rows of an array, `csr` arrays the elements of a matrix that are not
zero. Operators without a way of their own for sparse arrays work on the dense form.
"""

from mxnet.ndarray import _sparse_operators
from mxnet.ndarray._namespaces import FUNCTIONS as _ALL
from mxnet.ndarray._sparse_array import BaseSparseNDArray as BaseSparseNDArray
from mxnet.ndarray._sparse_array import CSRNDArray as CSRNDArray
from mxnet.ndarray._sparse_array import RowSparseNDArray as RowSparseNDArray
from mxnet.ndarray._sparse_creation import array as array
from mxnet.ndarray._sparse_creation import cast_storage as cast_storage
from mxnet.ndarray._sparse_creation import csr_matrix as csr_matrix
from mxnet.ndarray._sparse_creation import empty as empty
from mxnet.ndarray._sparse_creation import retain as retain
from mxnet.ndarray._sparse_creation import row_sparse_array as row_sparse_array
from mxnet.ndarray._sparse_creation import zeros as zeros

_OPERATORS = (
    "ElementWiseSum Embedding FullyConnected LinearRegressionOutput LogisticRegressionOutput "
    "MAERegressionOutput abs adam_update add_n arccos arccosh arcsin arcsinh arctan arctanh "
    "broadcast_add broadcast_div broadcast_minus broadcast_mul broadcast_plus broadcast_sub cbrt "
    "ceil clip concat cos cosh degrees dot elemwise_add elemwise_div elemwise_mul elemwise_sub exp "
    "expm1 fix floor ftrl_update gamma gammaln log log10 log1p log2 make_loss mean negative norm "
    "radians relu rint round rsqrt sgd_mom_update sgd_update sigmoid sign sin sinh slice sqrt "
    "square stop_gradient sum tan tanh trunc where zeros_like"
).split()
_FUNCTIONS = {name: _ALL["op"][name] for name in _OPERATORS} | _sparse_operators.FUNCTIONS
globals().update(_FUNCTIONS)

__all__ = [
    "BaseSparseNDArray",
    "CSRNDArray",
    "RowSparseNDArray",
    "array",
    "cast_storage",
    "csr_matrix",
    "empty",
    "retain",
    "row_sparse_array",
    "zeros",
    *_FUNCTIONS,
]
