"""A pass for prediction: oneDNN gets the weights of dense layers in its own order, once.

Otherwise a product brings its weights into such an order in every call, which takes as long as the
product itself if there are few rows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet import _engine
from mxnet.graph.lower.calls import Call, CallGraph
from mxnet.graph.passes.basics import attribute, note_merged
from mxnet.graph.passes.fusion import parameter_of

_AVAILABLE: bool = torch.backends.mkldnn.is_available() and _engine.has(  # type: ignore[no-untyped-call]
    "ops.mkldnn._linear_pointwise.default",
    "ops.mkldnn._reorder_linear_weight",
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
    if not _AVAILABLE:
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
