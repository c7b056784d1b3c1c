"""A pass that runs convolutional networks with the channels last in memory.

GPUs convolve float16, bfloat16 and TF32 in that order, and reorder everything else before and after
each convolution. Shapes stay as they are: a tensor of shape `(batch, channels, height, width)` has
other strides. Weights and data are brought into the order before the first convolution, what keeps
the order passes it on, and what leaves a graph, gradients included, is in the ordinary order again.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.graph.calls import Call, CallGraph, map_calls
from mxnet.graph.passes import attribute, operator_of, role_of

_DEVICES = frozenset({"cuda"})
"""Types of devices whose plans have channels last unless something else is asked for."""

_VARIABLE = "MXNET_GPU_LAYOUT"


def prefers_channels_last(device: torch.device, dtypes: Iterable[torch.dtype]) -> bool:
    """Returns whether plans on a device have channels last if `hybridize` was not told.

    The environment variable `MXNET_GPU_LAYOUT` decides for accelerators: `NHWC` or `NCHW`.

    Args:
        device: Where the plan runs.
        dtypes: Types of its parameters.

    Raises:
        MXNetError: if the variable has another value.
    """
    if device.type == "cpu":
        return False
    wish = os.environ.get(_VARIABLE, "")
    if wish not in ("", "NCHW", "NHWC"):
        raise MXNetError(f"{_VARIABLE}: expected NCHW or NHWC, got {wish!r}")
    if wish == "NCHW" or (not wish and device.type not in _DEVICES):
        return False
    fast = {torch.float16, torch.bfloat16}
    if torch.backends.cudnn.allow_tf32:
        fast.add(torch.float32)
    return any(dtype in fast for dtype in dtypes)


def put_channels_last(graph: CallGraph) -> None:
    """Runs convolutions over images, and what lies between them, with channels last in memory."""
    last: set[Call] = set()
    for node in list(graph.nodes):
        before = [each for each in node.all_input_nodes if each in last]
        if _convolves(node):
            _convert(graph, node, [each for each in node.args[:2] if each not in last], reorder)
            last.add(node)
        elif before and _keeps_layout(node):
            if role_of(node) not in ("normalization", "pooling"):  # which have one such input
                others = [each for each in node.all_input_nodes if each not in last]
                _convert(graph, node, others, reorder)
            last.add(node)
        elif before:
            _convert(graph, node, before, Tensor.contiguous)


def _convolves(node: Call) -> bool:
    """Returns whether a call convolves images whose shape has the channels before the rows."""
    if role_of(node) != "convolution" or len(attribute(node, "kernel")) != 2:
        return False
    return not str(attribute(node, "layout")).endswith("C")


def _keeps_layout(node: Call) -> bool:
    """Returns whether a call gives channels-last results of channels-last data."""
    if node.target is operator.getitem:
        return True
    op, role = operator_of(node), role_of(node)
    if op is None:
        return False
    if role == "normalization":
        axis: Any = node.kwargs.get("axis", 1)
        return bool(axis == 1)
    if role == "pooling":
        return not str(attribute(node, "layout")).endswith("C")
    if "generator" in op.supplied and not op.traits.keeps_layout:
        return False  # random numbers are drawn in the order of memory
    return op.traits.keeps_layout or op.traits.same_shape is True


def _convert(graph: CallGraph, node: Call, inputs: Sequence[Call], function: Any) -> None:
    """Lets a call read inputs through a function."""
    with graph.inserting_before(node):
        converted = {each: graph.call_function(function, (each,)) for each in inputs}
    node.args = map_calls(node.args, lambda call: converted.get(call, call))


def reorder(tensor: Tensor) -> Tensor:
    """Returns images, or filters for them, with the channels last in memory; others as they are."""
    if tensor.dim() != 4:
        return tensor
    if tensor.requires_grad:
        reordered: Tensor = _Reorder.apply(tensor)  # type: ignore[no-untyped-call]
        return reordered
    return tensor.contiguous(memory_format=torch.channels_last)


class _Reorder(torch.autograd.Function):
    """Puts channels last in memory; the gradient has the order, and the strides, of the input."""

    @staticmethod
    def forward(ctx: Any, tensor: Tensor) -> Tensor:  # noqa: ARG004 - torch passes it
        return tensor.contiguous(memory_format=torch.channels_last).view_as(tensor)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:  # noqa: ARG004 - as above
        (gradient,) = gradients
        # A filter of one pixel is contiguous in either order, with strides that differ.
        return gradient.reshape(-1).view(gradient.shape)
