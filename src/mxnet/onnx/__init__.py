"""Models in the ONNX format: `mx.onnx`."""

from mxnet._start import make_module, tracebacks
from mxnet.onnx._export.model import export_block as export_block
from mxnet.onnx._export.model import export_model as export_model
from mxnet.onnx._import.api import get_model_metadata as get_model_metadata
from mxnet.onnx._import.api import import_model as import_model
from mxnet.onnx._import.api import import_to_gluon as import_to_gluon
from mxnet.onnx._table import get_operator_support as get_operator_support

tracebacks.public_functions(globals())
mx2onnx = make_module(
    f"{__name__}.mx2onnx",
    "Exporting models to ONNX.",
    {"export_model": export_model, "get_operator_support": get_operator_support},
)
