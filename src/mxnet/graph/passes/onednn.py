"""Passes for prediction on a CPU: what oneDNN computes together, and weights in its own order.

Normalization goes into weights, activations and additions into convolutions. Weights of dense
layers are reordered once: otherwise a product does it in every call, which takes as long as the
product itself if there are few rows. Passes add calls that depend on parameters alone, which the
plan computes once; see `basics.split_constant`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet._start import engine
from mxnet.graph.lower import (
    Call,
    CallGraph,
    Interpreter,
    LoweredGraph,
    Setting,
    activation_of,
    attribute,
    is_pure,
    note_merged,
    operator_of,
    passes_through,
    role_of,
)
from mxnet.ops.core.traits import Activation
from mxnet.ops.nn.layouts import per_axis

_AVAILABLE: bool = torch.backends.mkldnn.is_available() and engine.has(  # type: ignore[no-untyped-call]
    "ops.mkldnn._convolution_pointwise.default",
    "ops.mkldnn._convolution_pointwise.binary",
    "ops.mkldnn._reorder_convolution_weight",
)


def fold_normalizations(graph: CallGraph, constants: Collection[Call]) -> None:
    """Puts normalizations by fixed statistics into the convolution or dense layer before them.

    Args:
        graph: The graph, lowered for prediction.
        constants: Placeholders of parameters.
    """
    for node in graph.calls_of("normalization"):
        if attribute(node, "output_mean_var"):
            continue
        layer = node.args[0]
        if _takes_scale(layer, node) and _depends_on(constants, (*layer.args[1:], *node.args[1:])):
            _fold(graph, layer, node)


def _takes_scale(layer: Any, normalization: Call) -> bool:
    """Returns whether a layer can scale the channels that a normalization works on by itself."""
    role = role_of(layer)
    if role is None or len(layer.users) > 1:
        return False
    axis: Any = normalization.kwargs.get("axis", 1)
    if role == "dense":
        return axis in (1, -1) if attribute(layer, "flatten") else axis == -1
    if role != "convolution" or str(attribute(layer, "layout")).endswith("C"):
        return False
    return axis in (1, -1 - len(attribute(layer, "kernel")))


def _depends_on(constants: Collection[Call], values: Sequence[Any]) -> bool:
    return all(value is None or value in constants for value in values)


def _fold(graph: CallGraph, layer: Call, node: Call) -> None:
    _, gamma, beta, mean, var = node.args
    weight, bias = (*layer.args[1:], None)[:2]
    if attribute(layer, "no_bias"):
        bias = None
    fixed = attribute(node, "fix_gamma")
    with graph.inserting_before(layer):
        factor = graph.call_function(
            _find_factor, (None if fixed else gamma, var, attribute(node, "eps"))
        )
        scaled = graph.call_function(_scale, (weight, factor))
        shift = graph.call_function(_shift, (weight, bias, beta, mean, factor))
    layer.set_arguments((layer.args[0], scaled, shift), {**layer.kwargs, "no_bias": False})
    note_merged(layer, (layer, node))
    node.replace_all_uses_with(layer)
    graph.erase_node(node)


def _find_factor(gamma: Tensor | None, var: Tensor, eps: float) -> Tensor:
    """Returns what a normalization multiplies each channel by."""
    factor = torch.rsqrt(var + eps)
    return factor if gamma is None else factor * gamma


def _scale(weight: Tensor, factor: Tensor) -> Tensor:
    """Multiplies the filters of each channel, in single precision as the statistics are."""
    shaped = factor.reshape(-1, *([1] * (weight.ndim - 1)))
    return (weight.to(factor.dtype) * shaped).to(weight.dtype)


def _shift(
    weight: Tensor, bias: Tensor | None, beta: Tensor, mean: Tensor, factor: Tensor
) -> Tensor:
    """Returns the bias of the folded layer, in the dtype of its weight.

    A network in half precision keeps the statistics in single precision, and layers take a weight
    and a bias of one dtype.
    """
    offset = -mean if bias is None else bias.to(mean.dtype) - mean
    return (beta + offset * factor).to(weight.dtype)


def is_fused(setting: Setting) -> bool:
    """Returns whether convolutions are run by oneDNN with what follows them."""
    predicts = not (setting.recording or setting.training)
    return predicts and setting.device.type == "cpu" and _AVAILABLE


def fuse_activations(graph: CallGraph, constants: Mapping[Call, torch.dtype]) -> None:
    """Runs convolutions with the activation, or the addition, that follows, as one of oneDNN's.

    Their weights are brought into the order of the library once. Only for single precision on a
    CPU.

    Args:
        graph: The graph, lowered for prediction.
        constants: Placeholders of parameters, with their types.
    """
    order = {node: position for position, node in enumerate(graph.nodes)}
    for node in graph.calls_of("convolution"):
        if len(attribute(node, "kernel")) != 2:
            continue
        if str(attribute(node, "layout")).endswith("C"):
            continue
        if constants.get(parameter_of(node.args[1])) is not torch.float32:
            continue
        _fuse(graph, node, order)


def parameter_of(value: Any) -> Any:
    """Returns the parameter that folding has made a value of; any other value as it is."""
    return value.args[0] if value.target is _scale else value


def note_shapes(module: LoweredGraph, tensors: Sequence[Tensor]) -> None:
    """Runs a lowered graph once to note the shapes in it: the library chooses by them.

    Other shapes can be computed as well later, perhaps not as fast.
    """
    calls = [node for node in module.graph.nodes if node.op == "call_function"]
    if all(is_pure(n) or _only_reads_states(n) for n in calls):
        with torch.no_grad():
            Interpreter(module, note=_note_shape).run(*tensors)


def _only_reads_states(node: Call) -> bool:
    """Returns whether a call has no effect in prediction, though it has one in training."""
    return role_of(node) == "normalization" or passes_through(node)


def _note_shape(call: Call, result: Any) -> None:
    if isinstance(result, Tensor):
        call.shape = tuple(result.shape)


def _fuse(graph: CallGraph, layer: Call, order: dict[Call, int]) -> None:
    data, weight, bias = (*layer.args, None)[:3]
    name, groups = operator_of(layer).name, attribute(layer, "num_group")
    stride, pad, dilate = (
        list(per_axis(name, key, attribute(layer, key), 2, default))
        for key, default in (("stride", 1), ("pad", 0), ("dilate", 1))
    )
    last, addend = layer, _find_addend(layer, order)
    if (layer.shape or ())[2:] == (1, 1):
        addend = None  # torch 2.6 fails to add to images of one pixel
    if addend is not None:
        last = next(iter(layer.users))
    activation = _find_activation(last)
    if addend is not None and activation is not None and activation[0] != "relu":
        activation = None  # the library knows no other one after an addition
    if activation is not None:
        last = next(iter(last.users))
    with graph.inserting_before(last):
        size = data.shape
        packed = graph.call_function(_reorder, (weight, pad, stride, dilate, groups, size))
        window = (pad, stride, dilate, groups)
        if attribute(layer, "no_bias"):
            bias = None
        if addend is None:
            attr, scalars = activation or ("none", ())
            call = graph.call_function(
                torch.ops.mkldnn._convolution_pointwise.default,
                (data, packed, bias, *window, attr, list(scalars), ""),
            )
        else:
            last_name, scalars = activation or (None, ())
            call = graph.call_function(
                torch.ops.mkldnn._convolution_pointwise.binary,
                (data, addend, packed, bias, *window, "add", 1.0, last_name, list(scalars), ""),
            )
    call.is_fused, call.shape = True, last.shape
    last.replace_all_uses_with(call)
    order[call] = order[last]
    parts: list[Call] = []
    while last is not layer:
        parts.insert(0, last)
        # The inputs of these calls are nodes.
        last = last.args[0] if last.args[0] is not addend else last.args[1]
    note_merged(call, (layer, *parts))
    for part in (*reversed(parts), layer):
        graph.erase_node(part)


def _reorder(
    weight: Tensor,
    pad: list[int],
    stride: list[int],
    dilate: list[int],
    groups: int,
    size: tuple[int, ...] | None,
) -> Tensor:
    packed: Tensor = torch.ops.mkldnn._reorder_convolution_weight(
        weight.contiguous(), pad, stride, dilate, groups, size
    )
    return packed


def _find_addend(layer: Call, order: dict[Call, int]) -> Call | None:
    """Finds what is added to a convolution, if it is computed before and nothing else happens."""
    if len(layer.users) != 1:
        return None
    user = next(iter(layer.users))
    if role_of(user) != "addition":
        return None
    first, second = user.args
    other = second if first is layer else first
    # Another convolution of the same shape; anything else may need to be broadcast.
    if not isinstance(other, Call) or other is layer or not other.is_fused:
        return None
    return other if order[other] < order[layer] else None


def _find_activation(node: Call) -> Activation | None:
    """Returns the activation that is the only thing that follows a node."""
    if len(node.users) != 1:
        return None
    user = next(iter(node.users))
    return activation_of(user) if user.args and user.args[0] is node else None


_PACKS: bool = torch.backends.mkldnn.is_available() and engine.has(  # type: ignore[no-untyped-call]
    "ops.mkldnn._linear_pointwise.default", "ops.mkldnn._reorder_linear_weight"
)
_LEAST, _MOST = 192 << 10, 32 << 20
"""Elements of a weight: below the first calling the library takes longer, above the second the
copy of the weight takes too much memory."""
_LEAST_ROWS = 2
"""A single row reads each weight once, in whatever order."""


def note_parameters(
    constants: Collection[Call], graph: CallGraph, tensors: Sequence[Tensor]
) -> None:
    """Notes the shapes of parameters in a lowered graph: `pack_dense` chooses by them."""
    for node, tensor in zip(graph.nodes, tensors, strict=False):  # which begin with the inputs
        if node in constants:
            node.shape = tuple(tensor.shape)


def pack_dense(graph: CallGraph, constants: Mapping[Call, torch.dtype]) -> None:
    """Lets oneDNN compute dense layers of single precision whose weights are neither tiny nor huge.

    Args:
        graph: The graph, lowered for prediction on a CPU.
        constants: Placeholders of parameters, with their types.
    """
    if not _PACKS:
        return
    packed: dict[Call, Call] = {}
    for node in graph.calls_of("dense"):
        data, weight, bias = (*node.args, None)[:3]
        parameter = parameter_of(weight)
        if constants.get(parameter) is not torch.float32:
            continue
        shape = parameter.shape or ()
        if not _LEAST <= prod(shape) <= _MOST or len(shape) != 2:
            continue
        if attribute(node, "no_bias"):
            bias = None
        with graph.inserting_before(node):
            if weight not in packed:
                packed[weight] = graph.call_function(_pack, (weight, attribute(node, "num_hidden")))
            call = graph.call_function(
                _multiply, (data, weight, packed[weight], bias, attribute(node, "flatten"))
            )
        call.shape = node.shape
        note_merged(call, (node,))
        node.replace_all_uses_with(call)
        graph.erase_node(node)


def _pack(weight: Tensor, num_hidden: int) -> Tensor:
    if weight.shape[0] != num_hidden:  # the operator says so better, when the plan is given up
        raise RuntimeError(f"a weight of {num_hidden} rows expected, got {tuple(weight.shape)}")
    packed: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous())
    return packed


def _multiply(
    data: Tensor, weight: Tensor, packed: Tensor, bias: Tensor | None, flatten: bool
) -> Tensor:
    """Computes a dense layer by the packed weight, or by the weight as it is for a single row."""
    if flatten and data.ndim != 2:
        data = data.flatten(start_dim=1) if data.ndim > 1 else data.unsqueeze(1)
    rows = data.numel() // (data.shape[-1] or 1)
    is_single = data.dtype is torch.float32 and (bias is None or bias.dtype is torch.float32)
    if rows < _LEAST_ROWS or not is_single or data.shape[-1] != weight.shape[1]:
        return F.linear(data, weight, bias)
    result: Tensor = torch.ops.mkldnn._linear_pointwise(data, packed, bias, "none", [], "")
    return result
