"""How graphs compute operators on integers of eight bits: facts for `contrib.quantization`.

A quantized array is three arrays: the integers, and the smallest and largest number that they stand
for. An operator on integers reads the arrays of the one on floats, then the ranges of those that
are quantized, and returns its outputs, then their ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quantization:
    """How an operator is computed on integers.

    Attributes:
        operator: Name of the operator that does it, None for the operator itself.
        attrs: Attributes that the node gets beside those it has.
        leads: Whether networks are quantized for its sake. Others are when all is to be quantized,
            or when they stand between two that lead.
        float_inputs: Names of inputs that stay floats.
        requantized: Whether the outputs are integers of 32 bits, which are reduced to eight.
        on_gpu: Whether it is done on GPUs.
        refusal: Says from the attributes what is not supported, None if all is.
        channel_wise: What holds in its place when weights have a range for each channel.
    """

    operator: str | None
    attrs: Mapping[str, str] = field(default_factory=dict)
    leads: bool = False
    float_inputs: frozenset[str] = frozenset()
    requantized: bool = False
    on_gpu: bool = False
    refusal: Callable[..., str | None] | None = None
    channel_wise: Quantization | None = None


def _only_relu(*, act_type: str) -> str | None:
    return None if act_type == "relu" else f"expected the activation 'relu', got {act_type!r}"


def _only_largest_and_mean(*, pool_type: str, **_: object) -> str | None:
    if pool_type in ("max", "avg"):
        return None
    return f"expected pooling of type 'max' or 'avg', got {pool_type!r}"


def _only_inner_axes(*, dim: int, **_: object) -> str | None:
    return None if dim > 0 else f"expected an axis behind the first, got dim={dim}"


def _only_float32(*, dtype: object, **_: object) -> str | None:
    name = str(dtype).rpartition(".")[2]
    return None if name == "float32" else f"expected a table of float32, got {name}"


def _never(**_: object) -> str:
    return "there is no kernel for recurrent layers on integers"


CONVOLUTION = Quantization(
    operator="_contrib_quantized_conv", leads=True, requantized=True, on_gpu=True
)
DENSE = Quantization(
    operator="_contrib_quantized_fully_connected", leads=True, requantized=True, on_gpu=True
)
POOLING = Quantization(
    operator="_contrib_quantized_pooling", on_gpu=True, refusal=_only_largest_and_mean
)
ACTIVATION = Quantization(operator="_contrib_quantized_act", refusal=_only_relu)
FLATTENING = Quantization(operator="_contrib_quantized_flatten", on_gpu=True)
JOINING = Quantization(operator="_contrib_quantized_concat", refusal=_only_inner_axes)
ADDITION = Quantization(operator="_contrib_quantized_elemwise_add", requantized=True)
MULTIPLICATION = Quantization(operator="_contrib_quantized_elemwise_mul", requantized=True)
NORMALIZATION = Quantization(
    operator="_contrib_quantized_batch_norm",
    float_inputs=frozenset({"gamma", "beta", "moving_mean", "moving_var"}),
)
EMBEDDING = Quantization(
    operator="_contrib_quantized_embedding", float_inputs=frozenset({"data"}), refusal=_only_float32
)
RECURRENT = Quantization(operator="_contrib_quantized_rnn", leads=True, refusal=_never)
FUSED_CONVOLUTION = Quantization(
    operator=None,
    attrs={"quantized": "true"},
    leads=True,
    float_inputs=frozenset({"weight", "bias", "gamma", "beta", "moving_mean", "moving_var"}),
    requantized=True,
)
FUSED_DENSE = Quantization(
    operator=None,
    attrs={"quantized": "True"},
    leads=True,
    requantized=True,
    channel_wise=Quantization(
        operator=None,
        attrs={"quantized": "True", "channel_wise_quantize": "True"},
        leads=True,
        float_inputs=frozenset({"weight", "bias"}),
        requantized=True,
    ),
)
FUSED_ATTENTION = Quantization(
    operator=None, attrs={"quantized": "True"}, leads=True, requantized=True
)
