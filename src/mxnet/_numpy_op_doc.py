"""Documented functions of NumPy's operators, by the operator's name: `mxnet._numpy_op_doc`.

In the original these are empty functions that lend their signature and documentation to compiled
ones. Here the functions of `mx.np` and `mx.npx` have both themselves, and are what is found.

Example:
    >>> import inspect
    >>> from mxnet import _numpy_op_doc
    >>> list(inspect.signature(_numpy_op_doc._np_trace).parameters)
    ['a', 'offset', 'axis1', 'axis2', 'out']
"""

from mxnet.numpy_op_signature import DOCUMENTED as _DOCUMENTED

globals().update(_DOCUMENTED)
