"""Automatic mixed precision where the original has it: `mx.contrib.amp.amp`."""

from mxnet._formats.element_types import BFLOAT16_NUMPY
from mxnet._start import tracebacks
from mxnet.contrib.amp import lists as lists
from mxnet.contrib.amp._conversion import (
    convert_bucketing_module as convert_bucketing_module,
)
from mxnet.contrib.amp._conversion import convert_hybrid_block, convert_model, convert_symbol
from mxnet.contrib.amp._function_lists import (
    list_conditional_fp32_ops,
    list_fp32_ops,
    list_loss_output_functions,
    list_lp16_fp32_ops,
    list_lp16_ops,
    list_lp16_use_fp32_params,
    list_widest_type_cast,
)
from mxnet.contrib.amp._initialization import init, initialized
from mxnet.contrib.amp._training import init_trainer, scale_loss, unscale
from mxnet.contrib.amp.loss_scaler import LossScaler as LossScaler

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

bfloat16 = BFLOAT16_NUMPY


def __getattr__(name: str) -> bool:
    """Returns `_amp_initialized`: whether mixed precision is on now, which programs look up."""
    if name == "_amp_initialized":
        return initialized.scaler is not None
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


tracebacks.public_functions(globals())
