"""Automatic mixed precision: `mx.contrib.amp`."""

from mxnet._start import tracebacks
from mxnet.contrib.amp import amp as amp
from mxnet.contrib.amp import lists as lists
from mxnet.contrib.amp import loss_scaler as loss_scaler
from mxnet.contrib.amp.amp import convert_hybrid_block as convert_hybrid_block
from mxnet.contrib.amp.amp import convert_model as convert_model
from mxnet.contrib.amp.amp import convert_symbol as convert_symbol
from mxnet.contrib.amp.amp import init as init
from mxnet.contrib.amp.amp import init_trainer as init_trainer
from mxnet.contrib.amp.amp import list_conditional_fp32_ops as list_conditional_fp32_ops
from mxnet.contrib.amp.amp import list_fp32_ops as list_fp32_ops
from mxnet.contrib.amp.amp import list_loss_output_functions as list_loss_output_functions
from mxnet.contrib.amp.amp import list_lp16_fp32_ops as list_lp16_fp32_ops
from mxnet.contrib.amp.amp import list_lp16_ops as list_lp16_ops
from mxnet.contrib.amp.amp import list_lp16_use_fp32_params as list_lp16_use_fp32_params
from mxnet.contrib.amp.amp import list_widest_type_cast as list_widest_type_cast
from mxnet.contrib.amp.amp import scale_loss as scale_loss
from mxnet.contrib.amp.amp import unscale as unscale

__all__ = amp.__all__  # type: ignore[misc]  # it comes with the names that the original imports

tracebacks.public_functions(globals())
