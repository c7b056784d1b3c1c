"""How fused layers are computed: on floats as their parts, on bytes by `mxnet.ops.quantization`.

In graphs for prediction they become the calls that compute them. Those on floats are split into
their parts, which other passes fuse as those of any network. Those on bytes get int8 weights that
are made once; ranges of their results, if calibrated, are constants.

Other calls are those of monitors, and so those by which ranges are found. Which threshold is the
best one for a layer can depend on the last bits of what it computes. On CPUs a convolution on
floats is therefore computed as in the original, by oneDNN with the normalization inside of its
filters; on most shapes the results are the same to the last bit.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

import torch
from torch import Tensor

from mxnet._start import engine
from mxnet.errors import MXNetError
from mxnet.graph.fused.parts import PROJECTIONS, WEIGHTS, Parts, activation_of, op_of
from mxnet.graph.ir import Node
from mxnet.graph.lower import Call, CallGraph, note_merged, settings_of
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import Kernel, as_tuple
from mxnet.ops.nn.layouts import is_channels_last, per_axis
from mxnet.ops.quantization.fused import (
    Activation,
    FusedAttention,
    FusedConvolution,
    FusedDense,
    Layer,
    Prepared,
    Quantity,
    WeightedLayer,
    fold_normalization,
)
from mxnet.ops.quantization.kernels import Window

_HAS_ONEDNN: bool = torch.backends.mkldnn.is_available() and engine.has("mkldnn_convolution")  # type: ignore[no-untyped-call]
_MANY_FILTERS, _BLOCK = 512, 16
RANGED = ("data", "weight", "bias", "addend", PROJECTIONS, WEIGHTS)
"""Inputs that can be bytes, which are followed by the range that they stand for."""
_NUMBERS = {"leaky": "slope", "elu": "slope", "clip": "a_max"}
"""Attributes of activations that say how they are computed."""


def quantized_inputs(settings: Mapping[str, Any]) -> frozenset[str]:
    """Returns the names of the inputs of a quantized layer that can be bytes.

    A convolution quantizes its parameters by itself, and so does a dense layer by row.
    """
    if "channel_wise_quantize" in settings and not settings["channel_wise_quantize"]:
        return frozenset({"data", "weight", "bias"})
    return frozenset({"data", "addend", PROJECTIONS, WEIGHTS})


def make_layer(parts: Parts, settings: Mapping[str, Any]) -> WeightedLayer | FusedAttention:
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
    layer, attention = parts.layer.settings, parts.op.traits.fusion.attention
    if attention is not None:
        return FusedAttention(
            attention=attention,
            heads=settings["heads"],
            activation=activation,
            returns_floats=settings["enable_float_output"],
            calibrated=calibrated,
        )
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
    settings = layer.settings
    if is_channels_last(layer.name, settings["layout"], len(settings["kernel"]) + 2):
        raise MXNetError(
            f"{layer.name}: a quantized convolution takes channels on axis 1, got layout "
            f"{settings['layout']!r}"
        )
    return Window(*_read_slides(layer), settings["num_group"])


def _read_slides(layer: Node) -> tuple[Shape, Shape, Shape]:
    """Returns stride, padding and dilation of a convolution along each axis."""
    settings = layer.settings
    stride, pad, dilate = (
        per_axis(layer.name, key, settings[key], len(settings["kernel"]), default)
        for key, default in (("stride", 1), ("pad", 0), ("dilate", 1))
    )
    return stride, pad, dilate


def make_kernel(parts: Parts) -> Kernel:
    """Returns the kernel of a fused layer.

    Args:
        parts: The operators of its subgraph.
    """
    names = parts.arrays

    @lru_cache(maxsize=4)  # a node has one set of attributes
    def layer_of(attrs: tuple[tuple[str, Any], ...]) -> WeightedLayer | FusedAttention:
        return make_layer(parts, {**_DEFAULTS, **dict(attrs)})

    def fused_layer(
        *inputs: Tensor | None, quantized: bool = False, **attrs: Any
    ) -> Tensor | tuple[Tensor, ...]:
        if not quantized:
            return _compute_floats(parts, inputs)
        layer = layer_of(tuple(attrs.items()))
        call = QuantizedCall(names, inputs)
        if call.source.data.is_meta:
            results = _outline(parts.layer, layer, inputs)
        else:
            results = _compute_bytes(layer, call)
        return results[0] if len(results) == 1 else results

    return fused_layer


def _compute_bytes(
    layer: WeightedLayer | FusedAttention, call: QuantizedCall
) -> tuple[Tensor, ...]:
    """Computes a layer on bytes: the result and, if it is of integers, its range."""
    if isinstance(layer, FusedAttention):
        return layer.run(call.source, call.other)
    prepared = layer.prepare(*call.parameters)
    result = layer.run(call.source, prepared, call.other)
    if layer.dtype is torch.float32:
        return (result,)
    return (result, *layer.find_range(call.source, prepared))


def _outline(node: Node, layer: Layer, inputs: Sequence[Tensor | None]) -> tuple[Tensor, ...]:
    """Returns results without data.

    Args:
        node: The convolution, dense layer or product.
        layer: What computes it on bytes.
        inputs: The inputs, of which those of the node are the first.
    """
    arrays = [item if item is None else item.float() for item in inputs[: len(node.inputs)]]
    (floats,) = as_tuple(op_of(node).kernel(*arrays, **node.parsed))
    result = torch.empty_like(floats, dtype=layer.dtype)
    if layer.dtype is torch.float32:
        return (result,)
    return result, floats.new_empty((1,)), floats.new_empty((1,))


def _compute_floats(parts: Parts, inputs: Sequence[Tensor | None]) -> Tensor:
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
    if not _HAS_ONEDNN or "kernel" not in settings or len(settings["kernel"]) != 2:
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
    stride, pad, dilate = _read_slides(layer)
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
        source: The first input with its range.
        other: What is added, or the weights of values, with their range; None if there is none.
    """

    def __init__(self, names: Sequence[str], inputs: Sequence[Any]) -> None:
        self._arrays = arrays = dict(zip(names, inputs, strict=False))
        ends = iter(inputs[len(names) :])
        self._ranges = ranges = {name: (next(ends), next(ends)) for name in names if name in RANGED}
        self.source = Quantity(arrays.pop(names[0]), *ranges[names[0]])
        other = next((name for name in ("addend", WEIGHTS) if name in arrays), None)
        self.other = None if other is None else Quantity(arrays.pop(other), *ranges[other])

    @property
    def parameters(self) -> tuple[Any, ...]:
        """What `WeightedLayer.prepare` takes."""
        arrays, ranges = self._arrays, self._ranges
        norms = (item for name, item in arrays.items() if name not in ("weight", "bias"))
        ends = (*ranges["weight"], *ranges.get("bias", ()))
        given = (end for end in ends if end is not None)
        return arrays["weight"], arrays.get("bias"), *norms, *given


def split_layers(graph: CallGraph, device: torch.device) -> None:
    """Puts the operators of fused layers on floats in the place of these.

    Args:
        graph: The graph, lowered for prediction.
        device: Where it runs.
    """
    supplied = {"training": False, "generator": None, "device": device}
    for call in graph.calls_of("fused"):
        op: Any = call.operator
        if settings_of(call)["quantized"]:
            continue
        values = dict(zip(op.parts.arguments, call.args, strict=False))
        with graph.inserting_before(call):
            for node in op.parts.nodes:
                values[node] = _call_part(graph, node, values, supplied)
        call.replace_all_uses_with(values[op.subgraph.heads[0].node])
        graph.erase_node(call)


def _call_part(
    graph: CallGraph, node: Node, values: Mapping[Node, Call], supplied: Mapping[str, Any]
) -> Call:
    if node.kind is None:
        return values[node]
    part = node.kind.op
    attrs = {**node.parsed, **{name: supplied[name] for name in part.supplied}}
    inputs = tuple(values[entry.node] for entry in node.inputs)
    result = graph.call_function(part.kernel, inputs, attrs, part, node)
    if node.kind.returns_one:
        return result
    return graph.call_function(operator.getitem, (result, 0))


def prepare_layers(graph: CallGraph, device: torch.device) -> None:
    """Splits quantized layers into what depends on parameters alone and what does not.

    Args:
        graph: The graph, lowered for prediction.
        device: Where it runs.
    """
    for call in graph.calls_of("fused"):
        op: Any = call.operator
        settings = settings_of(call)
        if not settings["quantized"]:
            continue
        layer = make_layer(op.parts, settings)
        if isinstance(layer, WeightedLayer):
            inputs = QuantizedCall(op.parts.arrays, call.args)
            _split(graph, call, layer, inputs, device)


def _split(
    graph: CallGraph, call: Call, layer: WeightedLayer, inputs: QuantizedCall, device: torch.device
) -> None:
    with graph.inserting_before(call):
        made = graph.call_function(layer.prepare, inputs.parameters)
        prepared = [graph.call_function(operator.getitem, (made, i)) for i in range(4)]
        arrays = (*inputs.source, *prepared, *(inputs.other or ()))
        result = graph.call_function(partial(_run, layer), arrays)
        results = [result]
        if layer.calibrated is not None and layer.dtype is not torch.float32:
            results += [graph.call_function(_number, (end, device)) for end in layer.calibrated]
        elif layer.dtype is torch.int32:
            ends = graph.call_function(partial(_find_range, layer), arrays)
            results += [graph.call_function(operator.getitem, (ends, i)) for i in range(2)]
    note_merged(result, (call,))
    if len(results) == 1:
        call.replace_all_uses_with(result)
    else:
        for user in list(call.users):
            user.replace_all_uses_with(results[user.args[1]])
            graph.erase_node(user)
    graph.erase_node(call)


def _run(layer: WeightedLayer, *arrays: Tensor) -> Tensor:
    """Runs a layer on data with their range, what was prepared, and an addend with its range."""
    addend = Quantity(*arrays[7:]) if len(arrays) > 7 else None
    return layer.run(Quantity(*arrays[:3]), Prepared(*arrays[3:7]), addend)


def _find_range(layer: WeightedLayer, *arrays: Tensor) -> tuple[Tensor, Tensor]:
    return layer.find_range(Quantity(*arrays[:3]), Prepared(*arrays[3:7]))


def _number(value: float, device: torch.device) -> Tensor:
    return torch.full((1,), value, device=device)
