"""Reading ONNX models as blocks, under the original's name of the module."""

from mxnet.onnx import import_to_gluon as import_to_gluon
