"""A pass that runs convolutional networks with the channels last in memory.

Weights and data are brought into the order before the first convolution, what keeps the order
passes it on, and what leaves a graph is in the ordinary order again. `ops/nn/layouts.py` says
on which devices.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import torch
from torch import Tensor

from mxnet.graph.calls import Call, CallGraph, map_calls
from mxnet.graph.layout_gain import gains, is_trained, pays
from mxnet.graph.lower import Setting
from mxnet.graph.passes import attribute, operator_of, role_of
from mxnet.ops.nn.layouts import prefers_channels_last, put_channels_last


class Layout(Enum):
    """Which convolutions over images run with the channels last in memory."""

    CHANNELS_FIRST = "none"
    CHANNELS_LAST = "all"
    WHERE_IT_PAYS = "those that gain on a CPU"


def choose_layout(
    channels_last: bool | None, setting: Setting, dtypes: Collection[torch.dtype]
) -> Layout:
    """Returns the order in which a plan has its images.

    Args:
        channels_last: What `hybridize` was told.
        setting: What the graph was lowered for.
        dtypes: Types of its parameters.
    """
    if channels_last is None:
        if is_trained(setting, dtypes):
            return Layout.WHERE_IT_PAYS
        channels_last = prefers_channels_last(setting.device, dtypes)
    return Layout.CHANNELS_LAST if channels_last else Layout.CHANNELS_FIRST


def order_channels_last(graph: CallGraph, *, where_it_pays: bool = False) -> None:
    """Runs convolutions over images, and what lies between them, with channels last in memory.

    Args:
        graph: The graph.
        where_it_pays: Whether to do so only where a CPU gains by it, as far as the shapes that are
            noted in the graph tell. Otherwise all convolutions have their channels last.
    """
    last: dict[Call, None] = {}
    conversions: list[_Conversion] = []
    for node in graph.nodes:
        before = [each for each in node.all_input_nodes if each in last]
        if _convolves(node) and (not where_it_pays or gains(node)):
            for each in node.args[:2]:
                if each not in last:
                    conversions.append(_Conversion(node, each, put_channels_last))
            last[node] = None
        elif before and _keeps_layout(node):
            if role_of(node) not in ("normalization", "pooling"):  # which have one such input
                others = [each for each in node.all_input_nodes if each not in last]
                conversions += [_Conversion(node, each, put_channels_last) for each in others]
            last[node] = None
        else:
            conversions += [_Conversion(node, each, Tensor.contiguous) for each in before]
    if not where_it_pays or _pays(last, conversions):
        _convert(graph, conversions)


class _Conversion(NamedTuple):
    """A call that reads one of its inputs through a function."""

    node: Call
    source: Call
    function: Callable[[Tensor], Tensor]


def _pays(last: Iterable[Call], conversions: Iterable[_Conversion]) -> bool:
    """Returns whether convolutions gain more by their order than the conversions take."""
    convolutions = [node for node in last if role_of(node) == "convolution"]
    filters = {convolution.args[1] for convolution in convolutions}
    # Equal conversions are done once.
    images = {(each.source, each.function) for each in conversions if each.source not in filters}
    return pays(convolutions, [source for source, _ in images])


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
    if "generator" in op.supplied and not op.traits.fusion.keeps_layout:
        return False  # random numbers are drawn in the order of memory
    return op.traits.fusion.keeps_layout or op.traits.shapes.same is True


def _convert(graph: CallGraph, conversions: Iterable[_Conversion]) -> None:
    """Lets calls read inputs through functions."""
    for node, inputs in groupby(conversions, attrgetter("node")):
        converted: dict[Call, Call] = {}
        with graph.inserting_before(node):
            for _, source, function in inputs:
                converted[source] = graph.call_function(function, (source,))
        node.args = map_calls(node.args, partial(_replace, converted))


def _replace(converted: Mapping[Call, Call], call: Call) -> Call:
    return converted.get(call, call)
