"""Automatic mixed precision: `mx.contrib.amp`."""

from mxnet._start import tracebacks
from mxnet.contrib.amp import amp as amp
from mxnet.contrib.amp import lists as lists
from mxnet.contrib.amp import loss_scaler as loss_scaler
from mxnet.contrib.amp.amp import (
    convert_hybrid_block,
    convert_model,
    convert_symbol,
    init,
    init_trainer,
    list_conditional_fp32_ops,
    list_fp32_ops,
    list_loss_output_functions,
    list_lp16_fp32_ops,
    list_lp16_ops,
    list_lp16_use_fp32_params,
    list_widest_type_cast,
    scale_loss,
    unscale,
)

__all__ = [
    "convert_hybrid_block",
    "convert_model",
    "convert_symbol",
    "init",
    "init_trainer",
    "list_conditional_fp32_ops",
    "list_fp32_ops",
    "list_loss_output_functions",
    "list_lp16_fp32_ops",
    "list_lp16_ops",
    "list_lp16_use_fp32_params",
    "list_widest_type_cast",
    "scale_loss",
    "unscale",
]

tracebacks.public_functions(globals())
