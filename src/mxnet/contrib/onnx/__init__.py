"""Models in the ONNX format under the older name of the module: `mx.contrib.onnx`."""

from mxnet.onnx import export_model as export_model
from mxnet.onnx import export_model as export_model_  # noqa: F401 - a name of the original

__all__ = ["export_model"]
