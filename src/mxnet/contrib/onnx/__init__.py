"""Models in the ONNX format under the older name of the module: `mx.contrib.onnx`."""

from mxnet._start import tracebacks
from mxnet.contrib.onnx import onnx2mx as onnx2mx
from mxnet.onnx import export_model as export_model
from mxnet.onnx import get_model_metadata as get_model_metadata
from mxnet.onnx import import_model as import_model
from mxnet.onnx import import_to_gluon as import_to_gluon

export_model_ = export_model
get_model_metadata_ = get_model_metadata
import_model_ = import_model
import_to_gluon_ = import_to_gluon

__all__ = ["export_model", "get_model_metadata", "import_model", "import_to_gluon"]

tracebacks.public_functions(globals())
