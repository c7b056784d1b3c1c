"""Sorts the functions of all operators into the modules where the original has them."""

from __future__ import annotations

from mxnet._arrays.functions import Function, as_function
from mxnet.ndarray._ndarray import NDArray
from mxnet.ops.core.public import PublicFunctions
from mxnet.ops.core.registry import Op
from mxnet.ops.core.spellings import CLASSIC


def _make(op: Op, name: str, module: str) -> Function:
    return as_function(op, name, NDArray, module)


FUNCTIONS = PublicFunctions(CLASSIC, "mxnet.ndarray", _make)
populate = FUNCTIONS.populate
