"""Kernels of fused layers: on floats their subgraph, on bytes what `mxnet.ops.quantization` has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.graph.fused.floats import compute_floats
from mxnet.graph.fused.parts import Parts, activation_of
from mxnet.graph.node import Node
from mxnet.ops.core.registry import Kernel
from mxnet.ops.nn.layouts import is_channels_last, per_axis
from mxnet.ops.quantization.fused_convolution import FusedConvolution
from mxnet.ops.quantization.fused_dense import FusedDense
from mxnet.ops.quantization.fused_steps import Activation, Layer, Quantity
from mxnet.ops.quantization.kernels import Window

_NUMBERS = {"leaky": "slope", "elu": "slope", "clip": "a_max"}
"""Attributes of activations that say how they are computed."""


def quantized_inputs(settings: Mapping[str, Any]) -> frozenset[str]:
    """Returns the names of the inputs of a quantized layer that can be bytes.

    A convolution quantizes its parameters by itself, and so does a dense layer by row.
    """
    if "channel_wise_quantize" in settings and not settings["channel_wise_quantize"]:
        return frozenset({"data", "weight", "bias"})
    return frozenset({"data", "addend"})


def make_layer(parts: Parts, settings: Mapping[str, Any]) -> Layer:
    """Returns what computes a fused layer on bytes.

    Args:
        parts: The parts of the layer.
        settings: The attributes of its node.

    Raises:
        MXNetError: if there is no such layer on bytes.
    """
    low, high = settings["min_calib_range"], settings["max_calib_range"]
    calibrated = None if low is None or high is None else (low, high)
    activation = _read_activation(parts.activation)
    layer = parts.layer.settings
    if "flatten" in layer:
        by_row = bool(settings["channel_wise_quantize"])
        returns_floats: bool = settings["enable_float_output"]
        if by_row and calibrated is None and not returns_floats:
            raise MXNetError(
                f"{parts.layer.name}: a dense layer that is quantized by channel needs "
                "min_calib_range and max_calib_range, or enable_float_output"
            )
        return FusedDense(
            flatten=layer["flatten"],
            activation=activation,
            by_row=by_row,
            returns_floats=returns_floats,
            calibrated=calibrated,
        )
    norm = parts.normalization
    return FusedConvolution(
        window=_read_window(parts.layer),
        activation=activation,
        eps=None if norm is None else norm.settings["eps"],
        has_scale=norm is not None and not norm.settings["fix_gamma"],
        calibrated=calibrated,
    )


def _read_activation(node: Node | None) -> Activation:
    if node is None:
        return Activation(None)
    name = activation_of(node) or ""
    return Activation(name, node.settings[_NUMBERS[name]] if name in _NUMBERS else 0.0)


def _read_window(layer: Node) -> Window:
    settings, name = layer.settings, layer.name
    num_axes = len(settings["kernel"])
    if is_channels_last(name, settings["layout"], num_axes + 2):
        raise MXNetError(
            f"{name}: a quantized convolution takes channels on axis 1, got layout "
            f"{settings['layout']!r}"
        )
    stride, pad, dilate = (
        per_axis(name, key, settings[key], num_axes, default)
        for key, default in (("stride", 1), ("pad", 0), ("dilate", 1))
    )
    return Window(stride, pad, dilate, settings["num_group"])


def make_kernel(parts: Parts, names: Sequence[str]) -> Kernel:
    """Returns the kernel of a fused layer.

    Args:
        parts: The operators of its subgraph.
        names: Names of the inputs that are not ranges, in order.
    """

    @lru_cache(maxsize=4)  # a node has one set of attributes
    def layer_of(attrs: tuple[tuple[str, Any], ...]) -> Layer:
        return make_layer(parts, {**_DEFAULTS, **dict(attrs)})

    def fused_layer(
        *inputs: Tensor | None, quantized: bool = False, **attrs: Any
    ) -> Tensor | tuple[Tensor, ...]:
        if not quantized:
            return compute_floats(parts, inputs)
        call, layer = QuantizedCall(names, inputs), layer_of(tuple(attrs.items()))
        if call.source.data.is_meta:
            return _outline(parts.layer, layer, call)
        prepared = layer.prepare(*call.parameters)
        result = layer.run(call.source, prepared, call.addend)
        if layer.dtype is torch.float32:
            return result
        return (result, *layer.find_range(call.source, prepared))

    return fused_layer


def _outline(node: Node, layer: Layer, call: QuantizedCall) -> Tensor | tuple[Tensor, ...]:
    """Returns results without data.

    Args:
        node: The convolution or dense layer.
        layer: What computes it on bytes.
        call: The inputs.
    """
    data = call.source.data.float()
    weight, bias, *_ = (item if item is None else item.float() for item in call.parameters)
    floats = node.op.kernel(data, weight, bias, **node.parsed) if node.op else data
    result = torch.empty_like(floats, dtype=layer.dtype)
    if layer.dtype is torch.float32:
        return result
    return result, data.new_empty((1,)), data.new_empty((1,))


_DEFAULTS = {
    "min_calib_range": None,
    "max_calib_range": None,
    "channel_wise_quantize": None,
    "enable_float_output": False,
}


class QuantizedCall:
    """The inputs of a layer on bytes: tensors, or what stands for them in a graph of calls.

    Args:
        names: Names of the inputs that are not ranges, in order.
        inputs: All inputs: these, then the ranges of those that can be bytes, None for what is
            not in use.

    Attributes:
        source: The data with their range.
        addend: What is added with its range, None if nothing is.
        parameters: What `Layer.prepare` takes.
    """

    def __init__(self, names: Sequence[str], inputs: Sequence[Any]) -> None:
        arrays = dict(zip(names, inputs, strict=False))
        ranged = [name for name in names if name in ("data", "weight", "bias", "addend")]
        ends = iter(inputs[len(names) :])
        ranges = {name: (next(ends), next(ends)) for name in ranged}
        self.source = Quantity(arrays["data"], *ranges["data"])
        self.addend = None
        if "addend" in arrays:
            self.addend = Quantity(arrays.pop("addend"), *ranges["addend"])
        norms = [item for name, item in arrays.items() if name not in ("data", "weight", "bias")]
        of_parameters = [*ranges["weight"], *ranges.get("bias", ())]
        self.parameters = (
            arrays["weight"],
            arrays.get("bias"),
            *norms,
            *(end for end in of_parameters if end is not None),
        )
