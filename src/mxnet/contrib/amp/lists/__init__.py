"""The functions that mixed precision treats alike, by the name of the low precision."""

from mxnet.contrib.amp.lists import symbol_bf16 as symbol_bf16
from mxnet.contrib.amp.lists import symbol_fp16 as symbol_fp16
