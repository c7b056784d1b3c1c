"""The `F` of a `hybrid_forward` that gets arrays of `mx.np`."""

from mxnet import numpy, numpy_extension
from mxnet._np_functions.layer_functions import LayerFunctions
from mxnet.numpy._operators import ARRAYS

_FROM_NP = ("array", "zeros", "ones", "full", "arange", "eye", "linspace", "ndarray")

ARRAY_FUNCTIONS = LayerFunctions(
    "mxnet.ndarray",
    ARRAYS,
    {name: getattr(numpy, name) for name in _FROM_NP if hasattr(numpy, name)}
    | {"np": numpy, "npx": numpy_extension},
)
