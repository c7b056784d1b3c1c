"""Models in the ONNX format: `mx.onnx`."""

from mxnet.onnx import mx2onnx as mx2onnx
from mxnet.onnx._export.block import export_block as export_block
from mxnet.onnx._export.model import export_model as export_model
from mxnet.onnx._export.table import get_operator_support as get_operator_support

__all__ = ["export_block", "export_model", "get_operator_support"]
