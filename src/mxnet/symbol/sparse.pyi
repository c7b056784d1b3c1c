"""Written by `make stubs`; do not edit."""

from collections.abc import Mapping
from typing import Any

from mxnet.symbol.op import ElementWiseSum as ElementWiseSum
from mxnet.symbol.op import Embedding as Embedding
from mxnet.symbol.op import FullyConnected as FullyConnected
from mxnet.symbol.op import LinearRegressionOutput as LinearRegressionOutput
from mxnet.symbol.op import LogisticRegressionOutput as LogisticRegressionOutput
from mxnet.symbol.op import MAERegressionOutput as MAERegressionOutput
from mxnet.symbol.op import abs as abs
from mxnet.symbol.op import adam_update as adam_update
from mxnet.symbol.op import add_n as add_n
from mxnet.symbol.op import arccos as arccos
from mxnet.symbol.op import arccosh as arccosh
from mxnet.symbol.op import arcsin as arcsin
from mxnet.symbol.op import arcsinh as arcsinh
from mxnet.symbol.op import arctan as arctan
from mxnet.symbol.op import arctanh as arctanh
from mxnet.symbol.op import broadcast_add as broadcast_add
from mxnet.symbol.op import broadcast_div as broadcast_div
from mxnet.symbol.op import broadcast_minus as broadcast_minus
from mxnet.symbol.op import broadcast_mul as broadcast_mul
from mxnet.symbol.op import broadcast_plus as broadcast_plus
from mxnet.symbol.op import broadcast_sub as broadcast_sub
from mxnet.symbol.op import cast_storage as cast_storage
from mxnet.symbol.op import cbrt as cbrt
from mxnet.symbol.op import ceil as ceil
from mxnet.symbol.op import clip as clip
from mxnet.symbol.op import concat as concat
from mxnet.symbol.op import cos as cos
from mxnet.symbol.op import cosh as cosh
from mxnet.symbol.op import degrees as degrees
from mxnet.symbol.op import digamma as digamma
from mxnet.symbol.op import dot as dot
from mxnet.symbol.op import elemwise_add as elemwise_add
from mxnet.symbol.op import elemwise_div as elemwise_div
from mxnet.symbol.op import elemwise_mul as elemwise_mul
from mxnet.symbol.op import elemwise_sub as elemwise_sub
from mxnet.symbol.op import exp as exp
from mxnet.symbol.op import expm1 as expm1
from mxnet.symbol.op import fix as fix
from mxnet.symbol.op import floor as floor
from mxnet.symbol.op import ftrl_update as ftrl_update
from mxnet.symbol.op import gamma as gamma
from mxnet.symbol.op import gammaln as gammaln
from mxnet.symbol.op import log as log
from mxnet.symbol.op import log10 as log10
from mxnet.symbol.op import log1p as log1p
from mxnet.symbol.op import log2 as log2
from mxnet.symbol.op import log_sigmoid as log_sigmoid
from mxnet.symbol.op import make_loss as make_loss
from mxnet.symbol.op import mean as mean
from mxnet.symbol.op import mish as mish
from mxnet.symbol.op import negative as negative
from mxnet.symbol.op import norm as norm
from mxnet.symbol.op import radians as radians
from mxnet.symbol.op import relu as relu
from mxnet.symbol.op import rint as rint
from mxnet.symbol.op import round as round
from mxnet.symbol.op import rsqrt as rsqrt
from mxnet.symbol.op import sgd_mom_update as sgd_mom_update
from mxnet.symbol.op import sgd_update as sgd_update
from mxnet.symbol.op import sigmoid as sigmoid
from mxnet.symbol.op import sign as sign
from mxnet.symbol.op import sin as sin
from mxnet.symbol.op import sinh as sinh
from mxnet.symbol.op import slice as slice
from mxnet.symbol.op import sqrt as sqrt
from mxnet.symbol.op import square as square
from mxnet.symbol.op import stop_gradient as stop_gradient
from mxnet.symbol.op import sum as sum
from mxnet.symbol.op import tan as tan
from mxnet.symbol.op import tanh as tanh
from mxnet.symbol.op import trunc as trunc
from mxnet.symbol.op import where as where
from mxnet.symbol.op import zeros_like as zeros_like
from mxnet.symbol.symbol import Symbol as Symbol

def adagrad_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    history: Symbol | None = None,
    lr: float = ...,
    epsilon: float = 1e-07,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Returns the weight after a step of AdaGrad; rows without a gradient stay as they are."""

def retain(
    data: Symbol | None = None,
    indices: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Keeps some rows of an array and sets the others to zero."""
