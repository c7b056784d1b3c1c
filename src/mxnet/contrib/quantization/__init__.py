"""Networks on integers of eight bits, which are faster and smaller: `mx.contrib.quantization`.

Names with an underscore are those under which programs find parts of the original.
"""

from mxnet.contrib.quantization._arguments import DataIterWrapper, as_data_iter
from mxnet.contrib.quantization._calibration import (
    LayerHistogramCollector,
    LayerOutputMinMaxCollector,
    collect_layer_histogram,
    collect_layer_output_min_max,
    collect_layer_statistics,
    get_optimal_threshold,
    get_optimal_thresholds,
    smooth_distribution,
)
from mxnet.contrib.quantization._calibration import combine_histogram as combine_histogram
from mxnet.contrib.quantization._models import calib_graph as calib_graph
from mxnet.contrib.quantization._models import calibrate_quantized_sym, quantize_symbol
from mxnet.contrib.quantization._models import quantize_graph as quantize_graph
from mxnet.contrib.quantization._models import quantize_model as quantize_model
from mxnet.contrib.quantization._models import quantize_model_mkldnn as quantize_model_mkldnn
from mxnet.contrib.quantization._networks import quantize_net as quantize_net
from mxnet.contrib.quantization._networks import quantize_net_v2 as quantize_net_v2
from mxnet.contrib.quantization._rewriting import load_params, load_sym, quantize_params

__all__ = [
    "calib_graph",
    "combine_histogram",
    "quantize_graph",
    "quantize_model",
    "quantize_model_mkldnn",
    "quantize_net",
    "quantize_net_v2",
]

_DataIterWrapper = DataIterWrapper
_LayerHistogramCollector = LayerHistogramCollector
_LayerOutputMinMaxCollector = LayerOutputMinMaxCollector
_as_data_iter = as_data_iter
_calibrate_quantized_sym = calibrate_quantized_sym
_collect_layer_histogram = collect_layer_histogram
_collect_layer_output_min_max = collect_layer_output_min_max
_collect_layer_statistics = collect_layer_statistics
_get_optimal_threshold = get_optimal_threshold
_get_optimal_thresholds = get_optimal_thresholds
_load_params = load_params
_load_sym = load_sym
_quantize_params = quantize_params
_quantize_symbol = quantize_symbol
_smooth_distribution = smooth_distribution
