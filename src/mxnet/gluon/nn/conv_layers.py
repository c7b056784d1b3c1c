"""Layers with a window over spatial axes: convolutions, pooling, padding."""

from mxnet.gluon.nn._convolution import Conv1D as Conv1D
from mxnet.gluon.nn._convolution import Conv1DTranspose as Conv1DTranspose
from mxnet.gluon.nn._convolution import Conv2D as Conv2D
from mxnet.gluon.nn._convolution import Conv2DTranspose as Conv2DTranspose
from mxnet.gluon.nn._convolution import Conv3D as Conv3D
from mxnet.gluon.nn._convolution import Conv3DTranspose as Conv3DTranspose
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
