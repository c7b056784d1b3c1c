"""The base of arrays, which is the array itself here: there is no C object below it."""

from mxnet.base import CachedOpHandle as CachedOpHandle
from mxnet.base import NDArrayHandle as NDArrayHandle
from mxnet.base import c_handle_array as c_handle_array
from mxnet.base import c_str_array as c_str_array
from mxnet.base import check_call as check_call
from mxnet.ndarray import CachedOp as CachedOp
from mxnet.ndarray import NDArray as NDArrayBase

__all__ = ["CachedOp", "NDArrayBase"]
