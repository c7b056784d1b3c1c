"""Exporting graphs to ONNX: one table of converters by operator, and what they build with."""

from mxnet.onnx._export import attention as attention
from mxnet.onnx._export import binary as binary
from mxnet.onnx._export import convolution as convolution
from mxnet.onnx._export import correlation as correlation
from mxnet.onnx._export import creation as creation
from mxnet.onnx._export import detection as detection
from mxnet.onnx._export import elementwise as elementwise
from mxnet.onnx._export import image as image
from mxnet.onnx._export import indexing as indexing
from mxnet.onnx._export import linear as linear
from mxnet.onnx._export import moving as moving
from mxnet.onnx._export import norm as norm
from mxnet.onnx._export import pooling as pooling
from mxnet.onnx._export import proposal as proposal
from mxnet.onnx._export import recurrent as recurrent
from mxnet.onnx._export import reduction as reduction
from mxnet.onnx._export import sequence_loss as sequence_loss
from mxnet.onnx._export import shape as shape
from mxnet.onnx._export import slicing as slicing
from mxnet.onnx._export import special as special
