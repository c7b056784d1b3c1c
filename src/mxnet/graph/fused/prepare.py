"""Passes for prediction: fused layers become the calls that compute them.

Those on floats are split into their parts, which other passes fuse as those of any network. Those
on bytes get int8 weights that are made once; ranges of their results, if calibrated, are constants.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor

from mxnet.graph.fused.compute import QuantizedCall, make_layer
from mxnet.graph.fused.op import FusedOp
from mxnet.graph.ir import Node
from mxnet.graph.lower import Call, CallGraph, note_merged, settings_of
from mxnet.ops.quantization.fused_steps import Layer, Prepared, Quantity


def split_layers(graph: CallGraph, device: torch.device) -> None:
    """Puts the operators of fused layers on floats in the place of these.

    Args:
        graph: The graph, lowered for prediction.
        device: Where it runs.
    """
    supplied = {"training": False, "generator": None, "device": device}
    for call in graph.calls_of(FusedOp):
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
    for call in graph.calls_of(FusedOp):
        op: Any = call.operator
        settings = settings_of(call)
        if settings["quantized"] and op.fusion.role is not None:
            layer = make_layer(op.parts, settings)
            inputs = QuantizedCall(op.arrays, call.args)
            _split(graph, call, layer, inputs, device)


def _split(
    graph: CallGraph, call: Call, layer: Layer, inputs: QuantizedCall, device: torch.device
) -> None:
    with graph.inserting_before(call):
        made = graph.call_function(layer.prepare, inputs.parameters)
        prepared = [graph.call_function(operator.getitem, (made, i)) for i in range(4)]
        arrays = (*inputs.source, *prepared, *(inputs.addend or ()))
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


def _run(layer: Layer, *arrays: Tensor) -> Tensor:
    """Runs a layer on data with their range, what was prepared, and an addend with its range."""
    addend = Quantity(*arrays[7:]) if len(arrays) > 7 else None
    return layer.run(Quantity(*arrays[:3]), Prepared(*arrays[3:7]), addend)


def _find_range(layer: Layer, *arrays: Tensor) -> tuple[Tensor, Tensor]:
    return layer.find_range(Quantity(*arrays[:3]), Prepared(*arrays[3:7]))


def _number(value: float, device: torch.device) -> Tensor:
    return torch.full((1,), value, device=device)
