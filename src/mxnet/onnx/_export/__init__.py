"""Exporting graphs to ONNX: one table of converters by operator, and what they build with."""

from mxnet.onnx._export import elementwise as elementwise
from mxnet.onnx._export import linear as linear
