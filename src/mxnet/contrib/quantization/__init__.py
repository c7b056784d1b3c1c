"""Networks on integers of eight bits, which are faster and smaller: `mx.contrib.quantization`."""

from mxnet.contrib.quantization._calibration_data import DataIterWrapper as _DataIterWrapper
from mxnet.contrib.quantization._calibration_data import as_data_iter as _as_data_iter
from mxnet.contrib.quantization._collectors import (
    LayerHistogramCollector as _LayerHistogramCollector,
)
from mxnet.contrib.quantization._collectors import (
    LayerOutputMinMaxCollector as _LayerOutputMinMaxCollector,
)
from mxnet.contrib.quantization._collectors import combine_histogram
from mxnet.contrib.quantization._models import calib_graph
from mxnet.contrib.quantization._models import calibrate_quantized_sym as _calibrate_quantized_sym
from mxnet.contrib.quantization._models import (
    quantize_graph,
    quantize_model,
    quantize_model_mkldnn,
)
from mxnet.contrib.quantization._models import quantize_symbol as _quantize_symbol
from mxnet.contrib.quantization._networks import quantize_net, quantize_net_v2
from mxnet.contrib.quantization._parameters import load_params as _load_params
from mxnet.contrib.quantization._parameters import load_sym as _load_sym
from mxnet.contrib.quantization._parameters import quantize_params as _quantize_params
from mxnet.contrib.quantization._statistics import (
    collect_layer_histogram as _collect_layer_histogram,
)
from mxnet.contrib.quantization._statistics import (
    collect_layer_output_min_max as _collect_layer_output_min_max,
)
from mxnet.contrib.quantization._statistics import (
    collect_layer_statistics as _collect_layer_statistics,
)
from mxnet.contrib.quantization._thresholds import get_optimal_threshold as _get_optimal_threshold
from mxnet.contrib.quantization._thresholds import (
    get_optimal_thresholds as _get_optimal_thresholds,
)
from mxnet.contrib.quantization._thresholds import smooth_distribution as _smooth_distribution

__all__ = [
    "_DataIterWrapper",
    "_LayerHistogramCollector",
    "_LayerOutputMinMaxCollector",
    "_as_data_iter",
    "_calibrate_quantized_sym",
    "_collect_layer_histogram",
    "_collect_layer_output_min_max",
    "_collect_layer_statistics",
    "_get_optimal_threshold",
    "_get_optimal_thresholds",
    "_load_params",
    "_load_sym",
    "_quantize_params",
    "_quantize_symbol",
    "_smooth_distribution",
    "calib_graph",
    "combine_histogram",
    "quantize_graph",
    "quantize_model",
    "quantize_model_mkldnn",
    "quantize_net",
    "quantize_net_v2",
]
