"""Networks on integers of eight bits, which are faster and smaller: `mx.contrib.quantization`.

Names with an underscore are those under which programs find parts of the original.
"""

from mxnet.contrib.quantization._calibration import CalibrationCollector as CalibrationCollector
from mxnet.contrib.quantization._calibration import combine_histogram as combine_histogram
from mxnet.contrib.quantization._models import calib_graph as calib_graph
from mxnet.contrib.quantization._models import quantize_graph as quantize_graph
from mxnet.contrib.quantization._models import quantize_model as quantize_model
from mxnet.contrib.quantization._models import quantize_model_mkldnn as quantize_model_mkldnn
from mxnet.contrib.quantization._models import quantize_model_onednn as quantize_model_onednn
from mxnet.contrib.quantization._networks import quantize_net as quantize_net
from mxnet.contrib.quantization._networks import quantize_net_v2 as quantize_net_v2
