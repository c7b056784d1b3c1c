"""Initializers: how parameters get their first values (`mx.init`).

Example:
    >>> import mxnet as mx
    >>> weight = mx.nd.empty((2, 3))
    >>> mx.init.Constant(0.5)(mx.init.InitDesc("fc_weight"), weight)
    >>> print(weight.asnumpy())
    [[0.5 0.5 0.5]
     [0.5 0.5 0.5]]
"""

from typing import TYPE_CHECKING

from mxnet._start import make_getattr, tracebacks
from mxnet.initializer._base import InitDesc, Initializer, alias, create, register
from mxnet.initializer._initializers import (
    Bilinear,
    Constant,
    FusedRNN,
    Load,
    LSTMBias,
    Mixed,
    MSRAPrelu,
    Normal,
    One,
    Orthogonal,
    Uniform,
    Xavier,
    Zero,
)
from mxnet.ndarray import NDArray as NDArray
from mxnet.ndarray import load as load

__all__ = [
    "Bilinear",
    "Constant",
    "FusedRNN",
    "InitDesc",
    "Initializer",
    "LSTMBias",
    "Load",
    "MSRAPrelu",
    "Mixed",
    "Normal",
    "One",
    "Orthogonal",
    "Uniform",
    "Xavier",
    "Zero",
    "alias",
    "create",
    "register",
]

for _name in __all__:  # where programs and pickles find them, as in the original
    globals()[_name].__module__ = __name__

if not TYPE_CHECKING:
    __getattr__ = make_getattr(__name__, globals())

tracebacks.public_functions(globals())
