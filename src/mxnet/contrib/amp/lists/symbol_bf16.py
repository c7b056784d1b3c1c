"""How MXNet 1.9.1 sorts its functions for mixed precision with bfloat16, by how float16 differs."""

from copy import deepcopy

from mxnet.contrib.amp.lists import symbol_fp16
from mxnet.contrib.amp.lists.symbol_fp16 import names_in

BF16_FUNCS = names_in("Convolution FullyConnected")
"""Operators in the low precision."""

BF16_FP32_FUNCS = names_in("""
    abs _add BatchNorm BatchNormWithReLU clip Concat concat LRN Pooling relu shuffle _shuffle sqrt
    square tanh
""")
"""Operators in what they are given."""

BF16_USE_FP32_PARAMS = {
    "BatchNormWithReLU": ["", "gamma", "beta", "moving_mean", "moving_var"],
    "BatchNorm": ["", "gamma", "beta", "moving_mean", "moving_var"],
}
"""Inputs that stay in float32, by operator and position."""

_MULTIBOX = names_in("_contrib_MultiBoxDetection _contrib_MultiBoxPrior _contrib_MultiBoxTarget")
_UNLISTED = names_in("""
    amp_cast amp_multicast CuDNNBatchNorm _TensorRT
    _contrib_interleaved_matmul_encdec_qk _contrib_interleaved_matmul_encdec_valatt
    _contrib_interleaved_matmul_selfatt_qk _contrib_interleaved_matmul_selfatt_valatt
""")
"""What lists for float16 have and those for bfloat16 do not."""


def _without(names: list[str], *others: list[str]) -> list[str]:
    gone = {name for names in others for name in names}
    return [name for name in names if name not in gone]


FP32_FUNCS = _without(
    [
        *_without(symbol_fp16.FP16_FUNCS, BF16_FUNCS),
        *symbol_fp16.FP16_FP32_FUNCS,
        "broadcast_mul",
        *symbol_fp16.FP32_FUNCS,
    ],
    BF16_FP32_FUNCS,
    _MULTIBOX,
    _UNLISTED,
)
"""Operators in float32."""

CONDITIONAL_FP32_FUNCS = deepcopy(symbol_fp16.CONDITIONAL_FP32_FUNCS)
"""Operators in float32 if an attribute has one of some values."""

WIDEST_TYPE_CASTS = _without(
    symbol_fp16.WIDEST_TYPE_CASTS, BF16_FP32_FUNCS, ["broadcast_mul"], _UNLISTED
)
"""Operators in the widest precision among their inputs."""
_place = WIDEST_TYPE_CASTS.index("_Minimum") + 1
WIDEST_TYPE_CASTS[_place:_place] = _MULTIBOX

LOSS_OUTPUT_FUNCTIONS = symbol_fp16.LOSS_OUTPUT_FUNCTIONS.copy()
"""Operators that start a backward pass and scale it."""
