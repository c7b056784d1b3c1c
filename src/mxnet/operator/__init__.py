"""Operators written in Python: `CustomOp`, `CustomOpProp` and `register`.

Example:
    >>> import mxnet as mx
    >>> class Double(mx.operator.CustomOp):
    ...     def forward(self, is_train, req, in_data, out_data, aux):
    ...         self.assign(out_data[0], req[0], in_data[0] * 2)
    ...
    ...     def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
    ...         self.assign(in_grad[0], req[0], out_grad[0] * 2)
    >>> @mx.operator.register("double")
    ... class DoubleProp(mx.operator.CustomOpProp):
    ...     def create_operator(self, ctx, shapes, dtypes):
    ...         return Double()
    >>> print(mx.nd.Custom(mx.nd.array([1, 2]), op_type="double").asnumpy())
    [2. 4.]
"""

import ctypes as _ctypes

from mxnet._legacy.c_interface import _DTYPE_MX_TO_NP as _DTYPE_MX_TO_NP
from mxnet._legacy.c_interface import _DTYPE_NP_TO_MX as _DTYPE_NP_TO_MX
from mxnet._legacy.c_interface import _STORAGE_TYPE_CSR as _STORAGE_TYPE_CSR
from mxnet._legacy.c_interface import _STORAGE_TYPE_DEFAULT as _STORAGE_TYPE_DEFAULT
from mxnet._legacy.c_interface import _STORAGE_TYPE_ID_TO_STR as _STORAGE_TYPE_ID_TO_STR
from mxnet._legacy.c_interface import _STORAGE_TYPE_ROW_SPARSE as _STORAGE_TYPE_ROW_SPARSE
from mxnet._legacy.c_interface import _STORAGE_TYPE_STR_TO_ID as _STORAGE_TYPE_STR_TO_ID
from mxnet._legacy.c_interface import _STORAGE_TYPE_UNDEFINED as _STORAGE_TYPE_UNDEFINED
from mxnet.base import py_str as py_str
from mxnet.ndarray import NDArray as NDArray
from mxnet.operator import _graph_sampling as _graph_sampling
from mxnet.operator import _np_fallbacks as _np_fallbacks
from mxnet.operator._arguments import OperatorArguments as OperatorArguments
from mxnet.operator._arguments import get_all_registered_operators as get_all_registered_operators
from mxnet.operator._arguments import get_operator_arguments as get_operator_arguments
from mxnet.operator._custom_op import CustomOp as CustomOp
from mxnet.operator._custom_op import CustomOpProp as CustomOpProp
from mxnet.operator._custom_op import register as register
from mxnet.operator._python_op import NDArrayOp as NDArrayOp
from mxnet.operator._python_op import NumpyOp as NumpyOp
from mxnet.operator._python_op import PythonOp as PythonOp

c_int_p = _ctypes.POINTER(_ctypes.c_int)

for _class in (  # where programs and pickles find them, as in the original
    CustomOp,
    CustomOpProp,
    NDArrayOp,
    NumpyOp,
    OperatorArguments,
    PythonOp,
):
    _class.__module__ = __name__
