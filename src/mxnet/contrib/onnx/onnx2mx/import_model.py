"""Reading ONNX models as graphs, under the original's name of the module."""

from mxnet.onnx import get_model_metadata as get_model_metadata
from mxnet.onnx import import_model as import_model
