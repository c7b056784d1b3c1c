"""Layers beyond the usual ones."""

from mxnet.gluon.contrib.nn.basic_layers import Concurrent as Concurrent
from mxnet.gluon.contrib.nn.basic_layers import HybridConcurrent as HybridConcurrent
from mxnet.gluon.contrib.nn.basic_layers import Identity as Identity
from mxnet.gluon.contrib.nn.basic_layers import PixelShuffle1D as PixelShuffle1D
from mxnet.gluon.contrib.nn.basic_layers import PixelShuffle2D as PixelShuffle2D
from mxnet.gluon.contrib.nn.basic_layers import PixelShuffle3D as PixelShuffle3D
from mxnet.gluon.contrib.nn.basic_layers import SparseEmbedding as SparseEmbedding
from mxnet.gluon.contrib.nn.basic_layers import SyncBatchNorm as SyncBatchNorm

# The names of MXNet 2.0 for the same layers.
Concatenate = Concurrent
HybridConcatenate = HybridConcurrent
