"""Exporting models to ONNX under the original's name of the module."""

from mxnet._start import tracebacks
from mxnet.onnx._export.model import export_model as export_model
from mxnet.onnx._table import get_operator_support as get_operator_support

__all__ = ["export_model", "get_operator_support"]

tracebacks.public_functions(globals())
