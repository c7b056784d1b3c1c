"""Operators that have no public name: `mx.nd._internal`."""

from mxnet._legacy.c_interface import HandledArray as NDArrayBase
from mxnet.ndarray._namespaces import populate
from mxnet.ndarray._wrappers import _copyto, _cvimdecode, _cvimread, _set_value

__all__ = [
    *populate(globals(), "_internal"),
    "NDArrayBase",
    "_copyto",
    "_cvimdecode",
    "_cvimread",
    "_set_value",
]
