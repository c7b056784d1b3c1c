"""Fused layers on floats, computed in single calls: by monitors, and so where ranges are found.

Which threshold is the best one for a layer can depend on the last bits of what it computes. On CPUs
a convolution is therefore computed as in the original, by oneDNN with the normalization inside of
its filters; on most shapes the results are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet import _engine
from mxnet.graph.fused.parts import Parts
from mxnet.graph.node import Node
from mxnet.ops.core.registry import as_tuple
from mxnet.ops.nn.layouts import is_channels_last, per_axis
from mxnet.ops.quantization.fused_steps import fold_normalization

_AVAILABLE: bool = torch.backends.mkldnn.is_available() and _engine.has("mkldnn_convolution")  # type: ignore[no-untyped-call]
_MANY_FILTERS, _BLOCK = 512, 16


def compute_floats(parts: Parts, inputs: Sequence[Tensor | None]) -> Tensor:
    """Computes a layer as in prediction, also in training: so it is in the original.

    Args:
        parts: The operators of the layer.
        inputs: Its inputs, in the order of `Parts.arguments`.
    """
    values: dict[Node, Any] = dict(zip(parts.arguments, inputs, strict=False))
    nodes = parts.nodes
    result: Any = None
    if _suits_onednn(parts, values):
        last = parts.normalization or parts.layer
        values[last] = result = _convolve(parts, values)
        nodes = nodes[nodes.index(last) + 1 :]
    for node in nodes:
        arguments = [values[entry.node] for entry in node.inputs]
        supplied = {"training": False, "generator": None, "device": arguments[0].device}
        if node.op is not None:
            extra = {name: supplied[name] for name in node.op.supplied}
            result, *_ = as_tuple(node.op.kernel(*arguments, **node.parsed, **extra))
            values[node] = result
    computed: Tensor = result
    return computed


def _suits_onednn(parts: Parts, values: Mapping[Node, Any]) -> bool:
    settings = parts.layer.settings
    if not _AVAILABLE or "kernel" not in settings or len(settings["kernel"]) != 2:
        return False
    if is_channels_last(parts.layer.name, settings["layout"], 4):
        return False
    arrays = [item for item in values.values() if item is not None]
    return all(
        item.device.type == "cpu" and item.dtype is torch.float32 and item.numel()
        for item in arrays
    )


def _convolve(parts: Parts, values: Mapping[Node, Any]) -> Tensor:
    """Computes convolution and normalization of a layer."""
    layer, norm = parts.layer, parts.normalization
    data, weight, *biases = (values[entry.node] for entry in layer.inputs)
    bias = biases[0] if biases else None
    if norm is not None:
        statistics = [values[entry.node] for entry in norm.inputs[1:]]
        weight, bias = fold_normalization(
            weight,
            bias,
            *statistics,
            eps=norm.settings["eps"],
            has_scale=not norm.settings["fix_gamma"],
        )
    stride, pad, dilate = (
        per_axis(layer.name, key, layer.settings[key], 2, default)
        for key, default in (("stride", 1), ("pad", 0), ("dilate", 1))
    )
    if not _adds_bias_first(weight):
        data = data.contiguous(memory_format=torch.channels_last)
    groups: int = layer.settings["num_group"]
    result: Tensor = torch.mkldnn_convolution(data, weight, bias, pad, stride, dilate, groups)
    return result.contiguous()


def _adds_bias_first(weight: Tensor) -> bool:
    """Returns whether oneDNN of the original begins sums with the bias, and does not end with it.

    So does oneDNN of torch for data without channels last, whatever the filters. The rule was found
    by trying some hundred shapes on a CPU with AVX-512.
    """
    num_filters = len(weight)
    is_point = weight[0, 0].numel() == 1
    return num_filters % _BLOCK == _BLOCK // 2 or (is_point and num_filters >= _MANY_FILTERS)
