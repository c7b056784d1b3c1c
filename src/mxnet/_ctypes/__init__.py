"""Base classes of arrays and symbols where the original has its bindings to C."""

from mxnet._ctypes import ndarray as ndarray
from mxnet._ctypes import symbol as symbol
