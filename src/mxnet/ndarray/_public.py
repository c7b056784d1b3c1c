"""The functions of `mx.nd`: of operators, with Python's signs, and written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxnet._arrays import operators
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
from mxnet.ndarray._ndarray import NDArray
from mxnet.ndarray._sparse_creation import cast_storage
from mxnet.ndarray._wrappers import histogram, split_v2
from mxnet.ndarray.utils import load, load_frombuffer, save

_HAND_WRITTEN = {
    function.__name__: function
    for function in (
        arange, array, cast_storage, concatenate, empty, eye, from_dlpack, from_numpy, from_torch,
        full, histogram, linspace, load, load_frombuffer, moveaxis, onehot_encode, ones, save,
        split_v2, to_dlpack_for_read, to_dlpack_for_write, waitall, zeros,
    )
}  # fmt: skip

PUBLIC_FUNCTIONS: dict[str, Callable[..., Any]] = (
    FUNCTIONS["op"] | operators.functions(NDArray) | _HAND_WRITTEN
)
"""By name; a function written by hand stands in place of the operator of its name."""
