"""Imperative arrays: `mx.nd`.

Beside what is imported here the module holds a function for every operator with a public name.
"""

from mxnet.ndarray import _internal as _internal
from mxnet.ndarray import _methods, _operators
from mxnet.ndarray import contrib as contrib
from mxnet.ndarray import image as image
from mxnet.ndarray import linalg as linalg
from mxnet.ndarray import ndarray as ndarray
from mxnet.ndarray import op as op
from mxnet.ndarray import random as random
from mxnet.ndarray import utils as utils
from mxnet.ndarray._creation import (
    arange,
    array,
    concatenate,
    empty,
    eye,
    from_dlpack,
    from_numpy,
    from_torch,
    full,
    linspace,
    moveaxis,
    onehot_encode,
    ones,
    to_dlpack_for_read,
    to_dlpack_for_write,
    waitall,
    zeros,
)
from mxnet.ndarray._namespaces import FUNCTIONS
from mxnet.ndarray._wrappers import histogram, split_v2
from mxnet.ndarray.ndarray import NDArray
from mxnet.ndarray.utils import load, load_frombuffer, save

_HAND_WRITTEN = {
    function.__name__: function
    for function in (
        arange,
        array,
        concatenate,
        empty,
        eye,
        from_dlpack,
        from_numpy,
        from_torch,
        full,
        histogram,
        linspace,
        load,
        load_frombuffer,
        moveaxis,
        onehot_encode,
        ones,
        save,
        split_v2,
        to_dlpack_for_read,
        to_dlpack_for_write,
        waitall,
        zeros,
    )
}

_FUNCTIONS = FUNCTIONS["op"] | _operators.functions(NDArray) | _HAND_WRITTEN
_operators.install(NDArray)
_methods.install(NDArray, _FUNCTIONS)
globals().update(_FUNCTIONS)

__all__ = ["NDArray", *_FUNCTIONS]  # noqa: PLE0604 - the names of operators come from the registry
