"""Layers of networks."""

from mxnet._start import make_getattr
from mxnet.gluon.block import Block as Block
from mxnet.gluon.block import HybridBlock as HybridBlock
from mxnet.gluon.hybrid.symbol_block import SymbolBlock as SymbolBlock
from mxnet.gluon.nn.activations import ELU as ELU
from mxnet.gluon.nn.activations import GELU as GELU
from mxnet.gluon.nn.activations import SELU as SELU
from mxnet.gluon.nn.activations import Activation as Activation
from mxnet.gluon.nn.activations import LeakyReLU as LeakyReLU
from mxnet.gluon.nn.activations import PReLU as PReLU
from mxnet.gluon.nn.activations import SiLU as SiLU
from mxnet.gluon.nn.activations import Swish as Swish
from mxnet.gluon.nn.basic_layers import BatchNorm as BatchNorm
from mxnet.gluon.nn.basic_layers import BatchNormReLU as BatchNormReLU
from mxnet.gluon.nn.basic_layers import Dense as Dense
from mxnet.gluon.nn.basic_layers import Dropout as Dropout
from mxnet.gluon.nn.basic_layers import Embedding as Embedding
from mxnet.gluon.nn.basic_layers import Flatten as Flatten
from mxnet.gluon.nn.basic_layers import GroupNorm as GroupNorm
from mxnet.gluon.nn.basic_layers import HybridLambda as HybridLambda
from mxnet.gluon.nn.basic_layers import HybridSequential as HybridSequential
from mxnet.gluon.nn.basic_layers import InstanceNorm as InstanceNorm
from mxnet.gluon.nn.basic_layers import Lambda as Lambda
from mxnet.gluon.nn.basic_layers import LayerNorm as LayerNorm
from mxnet.gluon.nn.basic_layers import Sequential as Sequential
from mxnet.gluon.nn.conv_layers import AvgPool1D as AvgPool1D
from mxnet.gluon.nn.conv_layers import AvgPool2D as AvgPool2D
from mxnet.gluon.nn.conv_layers import AvgPool3D as AvgPool3D
from mxnet.gluon.nn.conv_layers import Conv1D as Conv1D
from mxnet.gluon.nn.conv_layers import Conv1DTranspose as Conv1DTranspose
from mxnet.gluon.nn.conv_layers import Conv2D as Conv2D
from mxnet.gluon.nn.conv_layers import Conv2DTranspose as Conv2DTranspose
from mxnet.gluon.nn.conv_layers import Conv3D as Conv3D
from mxnet.gluon.nn.conv_layers import Conv3DTranspose as Conv3DTranspose
from mxnet.gluon.nn.conv_layers import GlobalAvgPool1D as GlobalAvgPool1D
from mxnet.gluon.nn.conv_layers import GlobalAvgPool2D as GlobalAvgPool2D
from mxnet.gluon.nn.conv_layers import GlobalAvgPool3D as GlobalAvgPool3D
from mxnet.gluon.nn.conv_layers import GlobalMaxPool1D as GlobalMaxPool1D
from mxnet.gluon.nn.conv_layers import GlobalMaxPool2D as GlobalMaxPool2D
from mxnet.gluon.nn.conv_layers import GlobalMaxPool3D as GlobalMaxPool3D
from mxnet.gluon.nn.conv_layers import MaxPool1D as MaxPool1D
from mxnet.gluon.nn.conv_layers import MaxPool2D as MaxPool2D
from mxnet.gluon.nn.conv_layers import MaxPool3D as MaxPool3D
from mxnet.gluon.nn.conv_layers import ReflectionPad2D as ReflectionPad2D

_CONTRIB = (
    "Concatenate HybridConcatenate Identity PixelShuffle1D PixelShuffle2D PixelShuffle3D "
    "SyncBatchNorm"
)
_LATE = {name: f"mxnet.gluon.contrib.nn:{name}" for name in _CONTRIB.split()} | {
    name: f"mxnet.gluon.contrib.cnn:{name}"
    for name in ("DeformableConvolution", "ModulatedDeformableConvolution")
}
"""Layers that MXNet 2 shows here, by where they are: in `contrib`, as in MXNet 1.9.1."""

__getattr__ = make_getattr(__name__, globals(), _LATE)
