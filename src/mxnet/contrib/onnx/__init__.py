"""Models in the ONNX format under the older name of the module: `mx.contrib.onnx`."""

from mxnet.onnx import export_model as export_model

__all__ = ["export_model"]
