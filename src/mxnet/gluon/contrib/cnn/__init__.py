"""Convolutional layers beyond the usual ones."""

from mxnet.gluon.contrib.cnn.conv_layers import DeformableConvolution as DeformableConvolution
from mxnet.gluon.contrib.cnn.conv_layers import (
    ModulatedDeformableConvolution as ModulatedDeformableConvolution,
)
