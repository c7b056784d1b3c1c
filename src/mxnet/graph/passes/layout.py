"""A pass that runs convolutional networks with the channels last in memory.

Weights and data are brought into the order before the first convolution, what keeps the order
passes it on, and what leaves a graph is in the ordinary order again. `ops/nn/layouts.py` says
on which devices.

Where a network is trained on a CPU, they are last where that pays. oneDNN reorders images whose
channels come first before and after each convolution, and has better loops over channels that lie
together for small filters. With large filters over small images it is the other way round. What is
gained and lost was measured for some thirty layers of known networks: about a nanosecond for each
element of the images that a convolution reads and writes, three for each element of its filters,
and one and a half for each element that is reordered, there and back.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from functools import partial
from itertools import groupby
from math import prod
from operator import attrgetter
from typing import Any, NamedTuple

import torch
from torch import Tensor

from mxnet.graph.ir import Entry
from mxnet.graph.lower import Call, CallGraph, Setting, attribute, map_calls, role_of
from mxnet.ops.core.attrs import Shape, shape_is_known
from mxnet.ops.nn.layouts import prefers_channels_last, put_channels_last

_FILTERS_PER_IMAGES = 0.5
"""Elements of filters from which a convolution loses, for each element of its images."""
_REORDERING = 1.5
"""Time to reorder an element and its gradient, in units of what a convolution gains by one."""
_LEAST_IMAGES = 1 << 18
"""Elements of images of a network below which it is left as it is: calls take all its time."""


def is_trained(setting: Setting, dtypes: Iterable[torch.dtype]) -> bool:
    """Returns whether a plan is one of those for which the gain was measured.

    Args:
        setting: What the graph was lowered for.
        dtypes: Types of its parameters.
    """
    if setting.device.type != "cpu" or not setting.recording:
        return False
    floats = {dtype for dtype in dtypes if dtype.is_floating_point}
    available: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    return available and floats == {torch.float32}


def note_inferred_shapes(
    graph: CallGraph, shapes: Mapping[Entry, Shape | None], inputs: Sequence[Tensor]
) -> None:
    """Notes the shapes of results at the calls that give them.

    Args:
        graph: A lowered graph.
        shapes: What is known of the graph that was lowered.
        inputs: Inputs of the graph.
    """
    remaining = iter(inputs)
    for call in graph.nodes:
        shape: Shape | None = None
        if call.op == "placeholder":
            shape = tuple(next(remaining).shape)
        elif call.source is not None:
            shape = shapes.get(Entry(call.source))
        elif call.target is operator.getitem:
            of, output = call.args
            if of.source is not None:
                shape = shapes.get(Entry(of.source, output))
        if shape_is_known(shape):
            call.shape = shape


def gains(convolution: Call) -> bool:
    """Returns whether a convolution over images is faster with the channels last in memory."""
    if not _convolves(convolution) or len(attribute(convolution, "kernel")) != 2:
        return False
    if role_of(convolution) != "convolution":
        return False  # which was not measured
    images, filters = _count_images(convolution), _count([convolution.args[1]])
    if images is None or filters is None:
        return False
    channels = convolution.args[0].shape[1]
    if channels == 1:  # which is the order it has
        return False
    return prod(attribute(convolution, "kernel")) == 1 or filters <= _FILTERS_PER_IMAGES * images


def pays(convolutions: Iterable[Call], reordered: Iterable[Call]) -> bool:
    """Returns whether convolutions gain more than it takes to reorder images for them.

    Args:
        convolutions: Those that `gains` has chosen.
        reordered: What is reordered, once for each time that it is.
    """
    elements = _count(reordered)
    gained = sum(_count_images(convolution) or 0 for convolution in convolutions)
    if elements is None or gained < _LEAST_IMAGES:
        return False
    return gained > _REORDERING * elements


def _count_images(convolution: Call) -> int | None:
    """Counts the elements of the images that a convolution reads and writes."""
    return _count([convolution.args[0], convolution])


def _count(calls: Iterable[Call]) -> int | None:
    """Counts the elements of results; None if the shape of one is not known."""
    elements = 0
    for call in calls:
        if call.shape is None:
            return None
        elements += prod(call.shape)
    return elements


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
        if gains(node) if where_it_pays else _convolves(node):
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
    if role_of(node) not in ("convolution", "deconvolution"):
        return False
    if len(attribute(node, "kernel")) not in (2, 3):
        return False
    return not str(attribute(node, "layout")).endswith("C")


def _keeps_layout(node: Call) -> bool:
    """Returns whether a call gives channels-last results of channels-last data."""
    if node.target is operator.getitem:
        return True
    op, role = node.operator, role_of(node)
    if op is None:
        return False
    if role == "normalization":
        axis: Any = node.kwargs.get("axis", 1)
        return bool(axis == 1)
    if role == "pooling":
        if len(attribute(node, "kernel")) == 3 and attribute(node, "pool_type") != "max":
            return False  # torch has a kernel for the ordinary order alone
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
        node.set_arguments(map_calls(node.args, partial(_replace, converted)))


def _replace(converted: Mapping[Call, Call], call: Call) -> Call:
    return converted.get(call, call)
