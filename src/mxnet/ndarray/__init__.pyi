"""Written by `make stubs`; do not edit."""

from typing import Any

from mxnet import numpy as np
from mxnet import numpy_extension as npx
from mxnet.ndarray import _internal as _internal
from mxnet.ndarray import contrib as contrib
from mxnet.ndarray import image as image
from mxnet.ndarray import linalg as linalg
from mxnet.ndarray import ndarray as ndarray
from mxnet.ndarray import op as op
from mxnet.ndarray import random as random
from mxnet.ndarray import sparse as sparse
from mxnet.ndarray import utils as utils
from mxnet.ndarray._creation import arange as arange
from mxnet.ndarray._creation import array as array
from mxnet.ndarray._creation import concatenate as concatenate
from mxnet.ndarray._creation import empty as empty
from mxnet.ndarray._creation import eye as eye
from mxnet.ndarray._creation import from_dlpack as from_dlpack
from mxnet.ndarray._creation import from_numpy as from_numpy
from mxnet.ndarray._creation import from_torch as from_torch
from mxnet.ndarray._creation import full as full
from mxnet.ndarray._creation import linspace as linspace
from mxnet.ndarray._creation import moveaxis as moveaxis
from mxnet.ndarray._creation import onehot_encode as onehot_encode
from mxnet.ndarray._creation import ones as ones
from mxnet.ndarray._creation import to_dlpack_for_read as to_dlpack_for_read
from mxnet.ndarray._creation import to_dlpack_for_write as to_dlpack_for_write
from mxnet.ndarray._creation import waitall as waitall
from mxnet.ndarray._creation import zeros as zeros
from mxnet.ndarray._program import CachedOp as CachedOp
from mxnet.ndarray._public import histogram as histogram
from mxnet.ndarray._public import split_v2 as split_v2
from mxnet.ndarray._sparse_creation import cast_storage as cast_storage
from mxnet.ndarray.ndarray import NDArray as NDArray
from mxnet.ndarray.op import Activation as Activation
from mxnet.ndarray.op import BatchNorm as BatchNorm
from mxnet.ndarray.op import BatchNorm_v1 as BatchNorm_v1
from mxnet.ndarray.op import BilinearSampler as BilinearSampler
from mxnet.ndarray.op import BlockGrad as BlockGrad
from mxnet.ndarray.op import CTCLoss as CTCLoss
from mxnet.ndarray.op import Cast as Cast
from mxnet.ndarray.op import Concat as Concat
from mxnet.ndarray.op import Convolution as Convolution
from mxnet.ndarray.op import Convolution_v1 as Convolution_v1
from mxnet.ndarray.op import Correlation as Correlation
from mxnet.ndarray.op import Crop as Crop
from mxnet.ndarray.op import Custom as Custom
from mxnet.ndarray.op import Deconvolution as Deconvolution
from mxnet.ndarray.op import Dropout as Dropout
from mxnet.ndarray.op import ElementWiseSum as ElementWiseSum
from mxnet.ndarray.op import Embedding as Embedding
from mxnet.ndarray.op import Flatten as Flatten
from mxnet.ndarray.op import FullyConnected as FullyConnected
from mxnet.ndarray.op import GridGenerator as GridGenerator
from mxnet.ndarray.op import GroupNorm as GroupNorm
from mxnet.ndarray.op import IdentityAttachKLSparseReg as IdentityAttachKLSparseReg
from mxnet.ndarray.op import InstanceNorm as InstanceNorm
from mxnet.ndarray.op import L2Normalization as L2Normalization
from mxnet.ndarray.op import LRN as LRN
from mxnet.ndarray.op import LayerNorm as LayerNorm
from mxnet.ndarray.op import LeakyReLU as LeakyReLU
from mxnet.ndarray.op import LinearRegressionOutput as LinearRegressionOutput
from mxnet.ndarray.op import LogisticRegressionOutput as LogisticRegressionOutput
from mxnet.ndarray.op import MAERegressionOutput as MAERegressionOutput
from mxnet.ndarray.op import MakeLoss as MakeLoss
from mxnet.ndarray.op import Pad as Pad
from mxnet.ndarray.op import Pooling as Pooling
from mxnet.ndarray.op import Pooling_v1 as Pooling_v1
from mxnet.ndarray.op import RNN as RNN
from mxnet.ndarray.op import ROIPooling as ROIPooling
from mxnet.ndarray.op import Reshape as Reshape
from mxnet.ndarray.op import SVMOutput as SVMOutput
from mxnet.ndarray.op import SequenceLast as SequenceLast
from mxnet.ndarray.op import SequenceMask as SequenceMask
from mxnet.ndarray.op import SequenceReverse as SequenceReverse
from mxnet.ndarray.op import SliceChannel as SliceChannel
from mxnet.ndarray.op import Softmax as Softmax
from mxnet.ndarray.op import SoftmaxActivation as SoftmaxActivation
from mxnet.ndarray.op import SoftmaxOutput as SoftmaxOutput
from mxnet.ndarray.op import SpatialTransformer as SpatialTransformer
from mxnet.ndarray.op import SwapAxis as SwapAxis
from mxnet.ndarray.op import UpSampling as UpSampling
from mxnet.ndarray.op import abs as abs
from mxnet.ndarray.op import adam_update as adam_update
from mxnet.ndarray.op import add_n as add_n
from mxnet.ndarray.op import all_finite as all_finite
from mxnet.ndarray.op import amp_cast as amp_cast
from mxnet.ndarray.op import amp_multicast as amp_multicast
from mxnet.ndarray.op import arccos as arccos
from mxnet.ndarray.op import arccosh as arccosh
from mxnet.ndarray.op import arcsin as arcsin
from mxnet.ndarray.op import arcsinh as arcsinh
from mxnet.ndarray.op import arctan as arctan
from mxnet.ndarray.op import arctanh as arctanh
from mxnet.ndarray.op import argmax as argmax
from mxnet.ndarray.op import argmax_channel as argmax_channel
from mxnet.ndarray.op import argmin as argmin
from mxnet.ndarray.op import argsort as argsort
from mxnet.ndarray.op import batch_dot as batch_dot
from mxnet.ndarray.op import batch_take as batch_take
from mxnet.ndarray.op import broadcast_add as broadcast_add
from mxnet.ndarray.op import broadcast_axes as broadcast_axes
from mxnet.ndarray.op import broadcast_axis as broadcast_axis
from mxnet.ndarray.op import broadcast_div as broadcast_div
from mxnet.ndarray.op import broadcast_equal as broadcast_equal
from mxnet.ndarray.op import broadcast_greater as broadcast_greater
from mxnet.ndarray.op import broadcast_greater_equal as broadcast_greater_equal
from mxnet.ndarray.op import broadcast_hypot as broadcast_hypot
from mxnet.ndarray.op import broadcast_lesser as broadcast_lesser
from mxnet.ndarray.op import broadcast_lesser_equal as broadcast_lesser_equal
from mxnet.ndarray.op import broadcast_like as broadcast_like
from mxnet.ndarray.op import broadcast_logical_and as broadcast_logical_and
from mxnet.ndarray.op import broadcast_logical_or as broadcast_logical_or
from mxnet.ndarray.op import broadcast_logical_xor as broadcast_logical_xor
from mxnet.ndarray.op import broadcast_maximum as broadcast_maximum
from mxnet.ndarray.op import broadcast_minimum as broadcast_minimum
from mxnet.ndarray.op import broadcast_minus as broadcast_minus
from mxnet.ndarray.op import broadcast_mod as broadcast_mod
from mxnet.ndarray.op import broadcast_mul as broadcast_mul
from mxnet.ndarray.op import broadcast_not_equal as broadcast_not_equal
from mxnet.ndarray.op import broadcast_plus as broadcast_plus
from mxnet.ndarray.op import broadcast_power as broadcast_power
from mxnet.ndarray.op import broadcast_sub as broadcast_sub
from mxnet.ndarray.op import broadcast_to as broadcast_to
from mxnet.ndarray.op import cast as cast
from mxnet.ndarray.op import cbrt as cbrt
from mxnet.ndarray.op import ceil as ceil
from mxnet.ndarray.op import choose_element_0index as choose_element_0index
from mxnet.ndarray.op import clip as clip
from mxnet.ndarray.op import col2im as col2im
from mxnet.ndarray.op import concat as concat
from mxnet.ndarray.op import cos as cos
from mxnet.ndarray.op import cosh as cosh
from mxnet.ndarray.op import crop as crop
from mxnet.ndarray.op import ctc_loss as ctc_loss
from mxnet.ndarray.op import cumsum as cumsum
from mxnet.ndarray.op import degrees as degrees
from mxnet.ndarray.op import depth_to_space as depth_to_space
from mxnet.ndarray.op import diag as diag
from mxnet.ndarray.op import digamma as digamma
from mxnet.ndarray.op import dot as dot
from mxnet.ndarray.op import elemwise_add as elemwise_add
from mxnet.ndarray.op import elemwise_div as elemwise_div
from mxnet.ndarray.op import elemwise_mul as elemwise_mul
from mxnet.ndarray.op import elemwise_sub as elemwise_sub
from mxnet.ndarray.op import erf as erf
from mxnet.ndarray.op import erfinv as erfinv
from mxnet.ndarray.op import exp as exp
from mxnet.ndarray.op import expand_dims as expand_dims
from mxnet.ndarray.op import expm1 as expm1
from mxnet.ndarray.op import fill_element_0index as fill_element_0index
from mxnet.ndarray.op import fix as fix
from mxnet.ndarray.op import flatten as flatten
from mxnet.ndarray.op import flip as flip
from mxnet.ndarray.op import floor as floor
from mxnet.ndarray.op import ftml_update as ftml_update
from mxnet.ndarray.op import ftrl_update as ftrl_update
from mxnet.ndarray.op import gamma as gamma
from mxnet.ndarray.op import gammaln as gammaln
from mxnet.ndarray.op import gather_nd as gather_nd
from mxnet.ndarray.op import hard_sigmoid as hard_sigmoid
from mxnet.ndarray.op import identity as identity
from mxnet.ndarray.op import im2col as im2col
from mxnet.ndarray.op import khatri_rao as khatri_rao
from mxnet.ndarray.op import lamb_update_phase1 as lamb_update_phase1
from mxnet.ndarray.op import lamb_update_phase2 as lamb_update_phase2
from mxnet.ndarray.op import linalg_det as linalg_det
from mxnet.ndarray.op import linalg_extractdiag as linalg_extractdiag
from mxnet.ndarray.op import linalg_extracttrian as linalg_extracttrian
from mxnet.ndarray.op import linalg_gelqf as linalg_gelqf
from mxnet.ndarray.op import linalg_gemm as linalg_gemm
from mxnet.ndarray.op import linalg_gemm2 as linalg_gemm2
from mxnet.ndarray.op import linalg_inverse as linalg_inverse
from mxnet.ndarray.op import linalg_makediag as linalg_makediag
from mxnet.ndarray.op import linalg_maketrian as linalg_maketrian
from mxnet.ndarray.op import linalg_potrf as linalg_potrf
from mxnet.ndarray.op import linalg_potri as linalg_potri
from mxnet.ndarray.op import linalg_slogdet as linalg_slogdet
from mxnet.ndarray.op import linalg_sumlogdiag as linalg_sumlogdiag
from mxnet.ndarray.op import linalg_syrk as linalg_syrk
from mxnet.ndarray.op import linalg_trmm as linalg_trmm
from mxnet.ndarray.op import linalg_trsm as linalg_trsm
from mxnet.ndarray.op import log as log
from mxnet.ndarray.op import log10 as log10
from mxnet.ndarray.op import log1p as log1p
from mxnet.ndarray.op import log2 as log2
from mxnet.ndarray.op import log_sigmoid as log_sigmoid
from mxnet.ndarray.op import log_softmax as log_softmax
from mxnet.ndarray.op import logical_not as logical_not
from mxnet.ndarray.op import make_loss as make_loss
from mxnet.ndarray.op import masked_log_softmax as masked_log_softmax
from mxnet.ndarray.op import masked_softmax as masked_softmax
from mxnet.ndarray.op import max as max
from mxnet.ndarray.op import max_axis as max_axis
from mxnet.ndarray.op import mean as mean
from mxnet.ndarray.op import min as min
from mxnet.ndarray.op import min_axis as min_axis
from mxnet.ndarray.op import mish as mish
from mxnet.ndarray.op import moments as moments
from mxnet.ndarray.op import mp_lamb_update_phase1 as mp_lamb_update_phase1
from mxnet.ndarray.op import mp_lamb_update_phase2 as mp_lamb_update_phase2
from mxnet.ndarray.op import mp_nag_mom_update as mp_nag_mom_update
from mxnet.ndarray.op import mp_sgd_mom_update as mp_sgd_mom_update
from mxnet.ndarray.op import mp_sgd_update as mp_sgd_update
from mxnet.ndarray.op import multi_all_finite as multi_all_finite
from mxnet.ndarray.op import multi_lars as multi_lars
from mxnet.ndarray.op import multi_mp_sgd_mom_update as multi_mp_sgd_mom_update
from mxnet.ndarray.op import multi_mp_sgd_update as multi_mp_sgd_update
from mxnet.ndarray.op import multi_sgd_mom_update as multi_sgd_mom_update
from mxnet.ndarray.op import multi_sgd_update as multi_sgd_update
from mxnet.ndarray.op import multi_sum_sq as multi_sum_sq
from mxnet.ndarray.op import nag_mom_update as nag_mom_update
from mxnet.ndarray.op import nanprod as nanprod
from mxnet.ndarray.op import nansum as nansum
from mxnet.ndarray.op import negative as negative
from mxnet.ndarray.op import norm as norm
from mxnet.ndarray.op import normal as normal
from mxnet.ndarray.op import one_hot as one_hot
from mxnet.ndarray.op import ones_like as ones_like
from mxnet.ndarray.op import pad as pad
from mxnet.ndarray.op import pick as pick
from mxnet.ndarray.op import preloaded_multi_mp_sgd_mom_update as preloaded_multi_mp_sgd_mom_update
from mxnet.ndarray.op import preloaded_multi_mp_sgd_update as preloaded_multi_mp_sgd_update
from mxnet.ndarray.op import preloaded_multi_sgd_mom_update as preloaded_multi_sgd_mom_update
from mxnet.ndarray.op import preloaded_multi_sgd_update as preloaded_multi_sgd_update
from mxnet.ndarray.op import prod as prod
from mxnet.ndarray.op import quantized_reshape as quantized_reshape
from mxnet.ndarray.op import quantized_transpose as quantized_transpose
from mxnet.ndarray.op import radians as radians
from mxnet.ndarray.op import random_binomial as random_binomial
from mxnet.ndarray.op import random_exponential as random_exponential
from mxnet.ndarray.op import random_gamma as random_gamma
from mxnet.ndarray.op import random_generalized_negative_binomial as random_generalized_negative_binomial
from mxnet.ndarray.op import random_negative_binomial as random_negative_binomial
from mxnet.ndarray.op import random_normal as random_normal
from mxnet.ndarray.op import random_pdf_dirichlet as random_pdf_dirichlet
from mxnet.ndarray.op import random_pdf_exponential as random_pdf_exponential
from mxnet.ndarray.op import random_pdf_gamma as random_pdf_gamma
from mxnet.ndarray.op import random_pdf_generalized_negative_binomial as random_pdf_generalized_negative_binomial
from mxnet.ndarray.op import random_pdf_negative_binomial as random_pdf_negative_binomial
from mxnet.ndarray.op import random_pdf_normal as random_pdf_normal
from mxnet.ndarray.op import random_pdf_poisson as random_pdf_poisson
from mxnet.ndarray.op import random_pdf_uniform as random_pdf_uniform
from mxnet.ndarray.op import random_poisson as random_poisson
from mxnet.ndarray.op import random_randint as random_randint
from mxnet.ndarray.op import random_uniform as random_uniform
from mxnet.ndarray.op import ravel_multi_index as ravel_multi_index
from mxnet.ndarray.op import rcbrt as rcbrt
from mxnet.ndarray.op import reciprocal as reciprocal
from mxnet.ndarray.op import relu as relu
from mxnet.ndarray.op import repeat as repeat
from mxnet.ndarray.op import reset_arrays as reset_arrays
from mxnet.ndarray.op import reshape as reshape
from mxnet.ndarray.op import reshape_like as reshape_like
from mxnet.ndarray.op import reverse as reverse
from mxnet.ndarray.op import rint as rint
from mxnet.ndarray.op import rmsprop_update as rmsprop_update
from mxnet.ndarray.op import rmspropalex_update as rmspropalex_update
from mxnet.ndarray.op import round as round
from mxnet.ndarray.op import rsqrt as rsqrt
from mxnet.ndarray.op import sample_binomial as sample_binomial
from mxnet.ndarray.op import sample_categorical as sample_categorical
from mxnet.ndarray.op import sample_exponential as sample_exponential
from mxnet.ndarray.op import sample_gamma as sample_gamma
from mxnet.ndarray.op import sample_generalized_negative_binomial as sample_generalized_negative_binomial
from mxnet.ndarray.op import sample_multinomial as sample_multinomial
from mxnet.ndarray.op import sample_negative_binomial as sample_negative_binomial
from mxnet.ndarray.op import sample_normal as sample_normal
from mxnet.ndarray.op import sample_poisson as sample_poisson
from mxnet.ndarray.op import sample_uniform as sample_uniform
from mxnet.ndarray.op import scatter_nd as scatter_nd
from mxnet.ndarray.op import sgd_mom_update as sgd_mom_update
from mxnet.ndarray.op import sgd_update as sgd_update
from mxnet.ndarray.op import shape_array as shape_array
from mxnet.ndarray.op import shuffle as shuffle
from mxnet.ndarray.op import sigmoid as sigmoid
from mxnet.ndarray.op import sign as sign
from mxnet.ndarray.op import signsgd_update as signsgd_update
from mxnet.ndarray.op import signum_update as signum_update
from mxnet.ndarray.op import sin as sin
from mxnet.ndarray.op import sinh as sinh
from mxnet.ndarray.op import size_array as size_array
from mxnet.ndarray.op import slice as slice
from mxnet.ndarray.op import slice_axis as slice_axis
from mxnet.ndarray.op import slice_like as slice_like
from mxnet.ndarray.op import smooth_l1 as smooth_l1
from mxnet.ndarray.op import softmax as softmax
from mxnet.ndarray.op import softmax_cross_entropy as softmax_cross_entropy
from mxnet.ndarray.op import softmin as softmin
from mxnet.ndarray.op import softsign as softsign
from mxnet.ndarray.op import sort as sort
from mxnet.ndarray.op import space_to_depth as space_to_depth
from mxnet.ndarray.op import split as split
from mxnet.ndarray.op import sqrt as sqrt
from mxnet.ndarray.op import square as square
from mxnet.ndarray.op import squeeze as squeeze
from mxnet.ndarray.op import stack as stack
from mxnet.ndarray.op import stop_gradient as stop_gradient
from mxnet.ndarray.op import sum as sum
from mxnet.ndarray.op import sum_axis as sum_axis
from mxnet.ndarray.op import swapaxes as swapaxes
from mxnet.ndarray.op import take as take
from mxnet.ndarray.op import tan as tan
from mxnet.ndarray.op import tanh as tanh
from mxnet.ndarray.op import tile as tile
from mxnet.ndarray.op import topk as topk
from mxnet.ndarray.op import transpose as transpose
from mxnet.ndarray.op import trunc as trunc
from mxnet.ndarray.op import uniform as uniform
from mxnet.ndarray.op import unravel_index as unravel_index
from mxnet.ndarray.op import where as where
from mxnet.ndarray.op import zeros_like as zeros_like
from mxnet.ndarray.utils import load as load
from mxnet.ndarray.utils import load_frombuffer as load_frombuffer
from mxnet.ndarray.utils import save as save

__all__ = ['Activation', 'BatchNorm', 'BatchNorm_v1', 'BilinearSampler', 'BlockGrad', 'CTCLoss', 'CachedOp', 'Cast', 'Concat', 'Convolution', 'Convolution_v1', 'Correlation', 'Crop', 'Custom', 'Deconvolution', 'Dropout', 'ElementWiseSum', 'Embedding', 'Flatten', 'FullyConnected', 'GridGenerator', 'GroupNorm', 'IdentityAttachKLSparseReg', 'InstanceNorm', 'L2Normalization', 'LRN', 'LayerNorm', 'LeakyReLU', 'LinearRegressionOutput', 'LogisticRegressionOutput', 'MAERegressionOutput', 'MakeLoss', 'NDArray', 'Pad', 'Pooling', 'Pooling_v1', 'RNN', 'ROIPooling', 'Reshape', 'SVMOutput', 'SequenceLast', 'SequenceMask', 'SequenceReverse', 'SliceChannel', 'Softmax', 'SoftmaxActivation', 'SoftmaxOutput', 'SpatialTransformer', 'SwapAxis', 'UpSampling', '_internal', 'abs', 'adam_update', 'add', 'add_n', 'all_finite', 'amp_cast', 'amp_multicast', 'arange', 'arccos', 'arccosh', 'arcsin', 'arcsinh', 'arctan', 'arctanh', 'argmax', 'argmax_channel', 'argmin', 'argsort', 'array', 'batch_dot', 'batch_take', 'broadcast_add', 'broadcast_axes', 'broadcast_axis', 'broadcast_div', 'broadcast_equal', 'broadcast_greater', 'broadcast_greater_equal', 'broadcast_hypot', 'broadcast_lesser', 'broadcast_lesser_equal', 'broadcast_like', 'broadcast_logical_and', 'broadcast_logical_or', 'broadcast_logical_xor', 'broadcast_maximum', 'broadcast_minimum', 'broadcast_minus', 'broadcast_mod', 'broadcast_mul', 'broadcast_not_equal', 'broadcast_plus', 'broadcast_power', 'broadcast_sub', 'broadcast_to', 'cast', 'cast_storage', 'cbrt', 'ceil', 'choose_element_0index', 'clip', 'col2im', 'concat', 'concatenate', 'contrib', 'cos', 'cosh', 'crop', 'ctc_loss', 'cumsum', 'degrees', 'depth_to_space', 'diag', 'digamma', 'divide', 'dot', 'elemwise_add', 'elemwise_div', 'elemwise_mul', 'elemwise_sub', 'empty', 'equal', 'erf', 'erfinv', 'exp', 'expand_dims', 'expm1', 'eye', 'fill_element_0index', 'fix', 'flatten', 'flip', 'floor', 'from_dlpack', 'from_numpy', 'from_torch', 'ftml_update', 'ftrl_update', 'full', 'gamma', 'gammaln', 'gather_nd', 'greater', 'greater_equal', 'hard_sigmoid', 'histogram', 'identity', 'im2col', 'image', 'khatri_rao', 'lamb_update_phase1', 'lamb_update_phase2', 'lesser', 'lesser_equal', 'linalg', 'linalg_det', 'linalg_extractdiag', 'linalg_extracttrian', 'linalg_gelqf', 'linalg_gemm', 'linalg_gemm2', 'linalg_inverse', 'linalg_makediag', 'linalg_maketrian', 'linalg_potrf', 'linalg_potri', 'linalg_slogdet', 'linalg_sumlogdiag', 'linalg_syrk', 'linalg_trmm', 'linalg_trsm', 'linspace', 'load', 'load_frombuffer', 'log', 'log10', 'log1p', 'log2', 'log_sigmoid', 'log_softmax', 'logical_and', 'logical_not', 'logical_or', 'logical_xor', 'make_loss', 'masked_log_softmax', 'masked_softmax', 'max', 'max_axis', 'maximum', 'mean', 'min', 'min_axis', 'minimum', 'mish', 'modulo', 'moments', 'moveaxis', 'mp_lamb_update_phase1', 'mp_lamb_update_phase2', 'mp_nag_mom_update', 'mp_sgd_mom_update', 'mp_sgd_update', 'multi_all_finite', 'multi_lars', 'multi_mp_sgd_mom_update', 'multi_mp_sgd_update', 'multi_sgd_mom_update', 'multi_sgd_update', 'multi_sum_sq', 'multiply', 'nag_mom_update', 'nanprod', 'nansum', 'ndarray', 'negative', 'norm', 'normal', 'not_equal', 'np', 'npx', 'one_hot', 'onehot_encode', 'ones', 'ones_like', 'op', 'pad', 'pick', 'power', 'preloaded_multi_mp_sgd_mom_update', 'preloaded_multi_mp_sgd_update', 'preloaded_multi_sgd_mom_update', 'preloaded_multi_sgd_update', 'prod', 'quantized_reshape', 'quantized_transpose', 'radians', 'random', 'random_binomial', 'random_exponential', 'random_gamma', 'random_generalized_negative_binomial', 'random_negative_binomial', 'random_normal', 'random_pdf_dirichlet', 'random_pdf_exponential', 'random_pdf_gamma', 'random_pdf_generalized_negative_binomial', 'random_pdf_negative_binomial', 'random_pdf_normal', 'random_pdf_poisson', 'random_pdf_uniform', 'random_poisson', 'random_randint', 'random_uniform', 'ravel_multi_index', 'rcbrt', 'reciprocal', 'relu', 'repeat', 'reset_arrays', 'reshape', 'reshape_like', 'reverse', 'rint', 'rmsprop_update', 'rmspropalex_update', 'round', 'rsqrt', 'sample_binomial', 'sample_categorical', 'sample_exponential', 'sample_gamma', 'sample_generalized_negative_binomial', 'sample_multinomial', 'sample_negative_binomial', 'sample_normal', 'sample_poisson', 'sample_uniform', 'save', 'scatter_nd', 'sgd_mom_update', 'sgd_update', 'shape_array', 'shuffle', 'sigmoid', 'sign', 'signsgd_update', 'signum_update', 'sin', 'sinh', 'size_array', 'slice', 'slice_axis', 'slice_like', 'smooth_l1', 'softmax', 'softmax_cross_entropy', 'softmin', 'softsign', 'sort', 'space_to_depth', 'sparse', 'split', 'split_v2', 'sqrt', 'square', 'squeeze', 'stack', 'stop_gradient', 'subtract', 'sum', 'sum_axis', 'swapaxes', 'take', 'tan', 'tanh', 'tile', 'to_dlpack_for_read', 'to_dlpack_for_write', 'topk', 'transpose', 'true_divide', 'trunc', 'uniform', 'unravel_index', 'utils', 'waitall', 'where', 'zeros', 'zeros_like']

def add(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the sum `lhs + rhs`."""
def divide(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the quotient `lhs / rhs`."""
def equal(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns 1 where `lhs == rhs`, else 0."""
def greater(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns 1 where `lhs > rhs`, else 0."""
def greater_equal(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns 1 where `lhs >= rhs`, else 0."""
def lesser(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns 1 where `lhs < rhs`, else 0."""
def lesser_equal(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns 1 where `lhs <= rhs`, else 0."""
def logical_and(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns 1 where `lhs` and `rhs` are both not 0, else 0."""
def logical_or(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns 1 where `lhs` or `rhs` is not 0, else 0."""
def logical_xor(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns 1 where just one of `lhs` and `rhs` is not 0, else 0."""
def maximum(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the larger one of each two elements."""
def minimum(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the smaller one of each two elements."""
def modulo(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the remainder `lhs % rhs`."""
def multiply(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the product `lhs * rhs`."""
def not_equal(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns 1 where `lhs != rhs`, else 0."""
def power(base: NDArray | float, exp: NDArray | float) -> NDArray:
    """Returns the power `base ** exp`."""
def subtract(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the difference `lhs - rhs`."""
def true_divide(lhs: NDArray | float, rhs: NDArray | float) -> NDArray:
    """Returns the quotient `lhs / rhs`."""
