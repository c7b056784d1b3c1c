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

from mxnet.ndarray import NDArray as NDArray
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

for _class in (  # where programs and pickles find them, as in the original
    CustomOp,
    CustomOpProp,
    NDArrayOp,
    NumpyOp,
    OperatorArguments,
    PythonOp,
):
    _class.__module__ = __name__
