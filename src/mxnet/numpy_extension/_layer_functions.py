"""The `F` of a `hybrid_forward` that gets arrays of `mx.np`."""

from typing import Any

from mxnet import numpy, numpy_extension
from mxnet._np_functions.extension import LayerFunctions
from mxnet.numpy._operators import ARRAYS


def zeros(shape: Any, ctx: Any = None, dtype: Any = None, **kwargs: Any) -> Any:
    """Makes an array of zeros, with the arguments of `mx.nd.zeros`."""
    del kwargs
    return ARRAYS.zeros(shape, dtype=dtype, ctx=ctx)


def ones(shape: Any, ctx: Any = None, dtype: Any = None, **kwargs: Any) -> Any:
    """Makes an array of ones, with the arguments of `mx.nd.ones`."""
    del kwargs
    return ARRAYS.ones(shape, dtype=dtype, ctx=ctx)


def array(source_array: Any, ctx: Any = None, dtype: Any = None) -> Any:
    """Makes an array, with the arguments of `mx.nd.array`."""
    return numpy.array(source_array, dtype=dtype, ctx=ctx)


def full(shape: Any, val: Any, ctx: Any = None, dtype: Any = None) -> Any:
    """Makes an array of one value, with the arguments of `mx.nd.full`."""
    return ARRAYS.full(shape, val, dtype=dtype, ctx=ctx)


ARRAY_FUNCTIONS = LayerFunctions(
    "mxnet.ndarray",
    ARRAYS,
    {"np": numpy, "npx": numpy_extension, "NDArray": numpy.ndarray}
    | {"array": array, "full": full, "ones": ones, "zeros": zeros},
)
