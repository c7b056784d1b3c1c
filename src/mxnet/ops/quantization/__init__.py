"""Operators on quantized arrays: bytes, or sums of their products, and the range they stand for.

Results are those of the original on a CPU with oneDNN, bit for bit.
"""

from mxnet.ops.quantization import arithmetic as arithmetic
from mxnet.ops.quantization import calibration as calibration
from mxnet.ops.quantization import conversion as conversion
from mxnet.ops.quantization import intgemm as intgemm
from mxnet.ops.quantization import layers as layers
