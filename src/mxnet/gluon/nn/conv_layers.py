"""Layers with a window over spatial axes: convolutions, pooling, padding."""

from mxnet.gluon.block import HybridBlock as HybridBlock
from mxnet.gluon.nn._convolution import Conv1D as Conv1D
from mxnet.gluon.nn._convolution import Conv1DTranspose as Conv1DTranspose
from mxnet.gluon.nn._convolution import Conv2D as Conv2D
from mxnet.gluon.nn._convolution import Conv2DTranspose as Conv2DTranspose
from mxnet.gluon.nn._convolution import Conv3D as Conv3D
from mxnet.gluon.nn._convolution import Conv3DTranspose as Conv3DTranspose
from mxnet.gluon.nn._convolution import _Conv as _Conv
from mxnet.gluon.nn._pooling import AvgPool1D as AvgPool1D
from mxnet.gluon.nn._pooling import AvgPool2D as AvgPool2D
from mxnet.gluon.nn._pooling import AvgPool3D as AvgPool3D
from mxnet.gluon.nn._pooling import GlobalAvgPool1D as GlobalAvgPool1D
from mxnet.gluon.nn._pooling import GlobalAvgPool2D as GlobalAvgPool2D
from mxnet.gluon.nn._pooling import GlobalAvgPool3D as GlobalAvgPool3D
from mxnet.gluon.nn._pooling import GlobalMaxPool1D as GlobalMaxPool1D
from mxnet.gluon.nn._pooling import GlobalMaxPool2D as GlobalMaxPool2D
from mxnet.gluon.nn._pooling import GlobalMaxPool3D as GlobalMaxPool3D
from mxnet.gluon.nn._pooling import MaxPool1D as MaxPool1D
from mxnet.gluon.nn._pooling import MaxPool2D as MaxPool2D
from mxnet.gluon.nn._pooling import MaxPool3D as MaxPool3D
from mxnet.gluon.nn._pooling import ReflectionPad2D as ReflectionPad2D
from mxnet.gluon.nn._pooling import _Pooling as _Pooling
from mxnet.gluon.nn.activations import Activation as Activation

for _class in (  # where programs and pickles find them, as in the original
    Conv1D,
    Conv1DTranspose,
    Conv2D,
    Conv2DTranspose,
    Conv3D,
    Conv3DTranspose,
    AvgPool1D,
    AvgPool2D,
    AvgPool3D,
    GlobalAvgPool1D,
    GlobalAvgPool2D,
    GlobalAvgPool3D,
    GlobalMaxPool1D,
    GlobalMaxPool2D,
    GlobalMaxPool3D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
    ReflectionPad2D,
):
    _class.__module__ = __name__
