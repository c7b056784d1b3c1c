"""Automatic mixed precision as MXNet 2 has it: `mx.amp`."""

from mxnet._start import importing
from mxnet.amp import amp as amp
from mxnet.amp import lists as lists
from mxnet.amp.amp import convert_hybrid_block as convert_hybrid_block
from mxnet.amp.amp import convert_model as convert_model
from mxnet.amp.amp import convert_symbol as convert_symbol
from mxnet.amp.amp import init as init
from mxnet.amp.amp import init_trainer as init_trainer
from mxnet.amp.amp import list_conditional_fp32_ops as list_conditional_fp32_ops
from mxnet.amp.amp import list_fp32_ops as list_fp32_ops
from mxnet.amp.amp import list_loss_output_functions as list_loss_output_functions
from mxnet.amp.amp import list_lp16_fp32_ops as list_lp16_fp32_ops
from mxnet.amp.amp import list_lp16_ops as list_lp16_ops
from mxnet.amp.amp import list_lp16_use_fp32_params as list_lp16_use_fp32_params
from mxnet.amp.amp import list_widest_type_cast as list_widest_type_cast
from mxnet.amp.amp import scale_loss as scale_loss
from mxnet.amp.amp import unscale as unscale
from mxnet.contrib.amp import loss_scaler as loss_scaler

importing.stand_for("mxnet.amp.loss_scaler", "mxnet.contrib.amp.loss_scaler")

__all__ = amp.__all__
