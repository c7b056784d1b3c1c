"""Written by `make stubs`; do not edit."""

from mxnet.contrib import amp as amp
from mxnet.contrib import autograd as autograd
from mxnet.contrib import io as io
from mxnet.contrib import ndarray as nd
from mxnet.contrib import ndarray as ndarray
from mxnet.contrib import onnx as onnx
from mxnet.contrib import quantization as quant
from mxnet.contrib import quantization as quantization
from mxnet.contrib import svrg_optimization as svrg_optimization
from mxnet.contrib import symbol as sym
from mxnet.contrib import symbol as symbol
from mxnet.contrib import tensorboard as tensorboard
from mxnet.contrib import text as text

__all__ = ['amp', 'autograd', 'io', 'nd', 'ndarray', 'onnx', 'quant', 'quantization', 'svrg_optimization', 'sym', 'symbol', 'tensorboard', 'text']
