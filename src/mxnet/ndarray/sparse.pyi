"""Written by `make stubs`; do not edit."""

from collections.abc import Mapping
from typing import Any

from mxnet._legacy.c_interface import _STORAGE_TYPE_DEFAULT as _STORAGE_TYPE_DEFAULT
from mxnet._legacy.c_interface import _STORAGE_TYPE_ID_TO_STR as _STORAGE_TYPE_ID_TO_STR
from mxnet._legacy.c_interface import _STORAGE_TYPE_UNDEFINED as _STORAGE_TYPE_UNDEFINED
from mxnet.ndarray._internal import _sparse_adagrad_update as adagrad_update
from mxnet.ndarray._ndarray import NDArray as NDArray
from mxnet.ndarray._sparse_array import CSRNDArray as CSRNDArray
from mxnet.ndarray._sparse_array import RowSparseNDArray as RowSparseNDArray
from mxnet.ndarray._sparse_base import BaseSparseNDArray as BaseSparseNDArray
from mxnet.ndarray._sparse_creation import array as array
from mxnet.ndarray._sparse_creation import cast_storage as cast_storage
from mxnet.ndarray._sparse_creation import csr_matrix as csr_matrix
from mxnet.ndarray._sparse_creation import empty as empty
from mxnet.ndarray._sparse_creation import retain as gs_retain
from mxnet.ndarray._sparse_creation import retain as retain
from mxnet.ndarray._sparse_creation import row_sparse_array as row_sparse_array
from mxnet.ndarray._sparse_creation import zeros as zeros
from mxnet.ndarray.op import ElementWiseSum as ElementWiseSum
from mxnet.ndarray.op import Embedding as Embedding
from mxnet.ndarray.op import FullyConnected as FullyConnected
from mxnet.ndarray.op import LinearRegressionOutput as LinearRegressionOutput
from mxnet.ndarray.op import LogisticRegressionOutput as LogisticRegressionOutput
from mxnet.ndarray.op import MAERegressionOutput as MAERegressionOutput
from mxnet.ndarray.op import abs as abs
from mxnet.ndarray.op import adam_update as adam_update
from mxnet.ndarray.op import add_n as add_n
from mxnet.ndarray.op import arccos as arccos
from mxnet.ndarray.op import arccosh as arccosh
from mxnet.ndarray.op import arcsin as arcsin
from mxnet.ndarray.op import arcsinh as arcsinh
from mxnet.ndarray.op import arctan as arctan
from mxnet.ndarray.op import arctanh as arctanh
from mxnet.ndarray.op import broadcast_add as broadcast_add
from mxnet.ndarray.op import broadcast_div as broadcast_div
from mxnet.ndarray.op import broadcast_minus as broadcast_minus
from mxnet.ndarray.op import broadcast_mul as broadcast_mul
from mxnet.ndarray.op import broadcast_plus as broadcast_plus
from mxnet.ndarray.op import broadcast_sub as broadcast_sub
from mxnet.ndarray.op import cbrt as cbrt
from mxnet.ndarray.op import ceil as ceil
from mxnet.ndarray.op import clip as clip
from mxnet.ndarray.op import concat as concat
from mxnet.ndarray.op import cos as cos
from mxnet.ndarray.op import cosh as cosh
from mxnet.ndarray.op import degrees as degrees
from mxnet.ndarray.op import digamma as digamma
from mxnet.ndarray.op import dot as dot
from mxnet.ndarray.op import elemwise_add as elemwise_add
from mxnet.ndarray.op import elemwise_div as elemwise_div
from mxnet.ndarray.op import elemwise_mul as elemwise_mul
from mxnet.ndarray.op import elemwise_sub as elemwise_sub
from mxnet.ndarray.op import exp as exp
from mxnet.ndarray.op import expm1 as expm1
from mxnet.ndarray.op import fix as fix
from mxnet.ndarray.op import floor as floor
from mxnet.ndarray.op import ftrl_update as ftrl_update
from mxnet.ndarray.op import gamma as gamma
from mxnet.ndarray.op import gammaln as gammaln
from mxnet.ndarray.op import log as log
from mxnet.ndarray.op import log10 as log10
from mxnet.ndarray.op import log1p as log1p
from mxnet.ndarray.op import log2 as log2
from mxnet.ndarray.op import log_sigmoid as log_sigmoid
from mxnet.ndarray.op import make_loss as make_loss
from mxnet.ndarray.op import mean as mean
from mxnet.ndarray.op import mish as mish
from mxnet.ndarray.op import negative as negative
from mxnet.ndarray.op import norm as norm
from mxnet.ndarray.op import radians as radians
from mxnet.ndarray.op import relu as relu
from mxnet.ndarray.op import rint as rint
from mxnet.ndarray.op import round as round
from mxnet.ndarray.op import rsqrt as rsqrt
from mxnet.ndarray.op import sgd_mom_update as sgd_mom_update
from mxnet.ndarray.op import sgd_update as sgd_update
from mxnet.ndarray.op import sigmoid as sigmoid
from mxnet.ndarray.op import sign as sign
from mxnet.ndarray.op import sin as sin
from mxnet.ndarray.op import sinh as sinh
from mxnet.ndarray.op import slice as slice
from mxnet.ndarray.op import sqrt as sqrt
from mxnet.ndarray.op import square as square
from mxnet.ndarray.op import stop_gradient as stop_gradient
from mxnet.ndarray.op import sum as sum
from mxnet.ndarray.op import tan as tan
from mxnet.ndarray.op import tanh as tanh
from mxnet.ndarray.op import trunc as trunc
from mxnet.ndarray.op import where as where
from mxnet.ndarray.op import zeros_like as zeros_like

def add(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the sum `lhs + rhs`."""

def divide(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the quotient `lhs / rhs`."""

def multiply(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the product `lhs * rhs`."""

def subtract(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the difference `lhs - rhs`."""
