"""Where channels last in memory pay when a network is trained on a CPU.

oneDNN reorders images whose channels come first before and after each convolution, and has better
loops over channels that lie together for small filters. With large filters over small images it is
the other way round. What is gained and lost was measured for some thirty layers of known networks:
about a nanosecond for each element of the images that a convolution reads and writes, three for
each element of its filters, and one and a half for each element that is reordered, there and back.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from math import prod

import torch
from torch import Tensor

from mxnet.graph.calls import Call, CallGraph
from mxnet.graph.lower import Setting
from mxnet.graph.node import Entry
from mxnet.graph.passes import attribute
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.shapes import shape_is_known

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
        elif "source" in call.meta:
            shape = shapes.get(Entry(call.meta["source"]))
        elif call.target is operator.getitem:
            of, output = call.args
            if "source" in of.meta:
                shape = shapes.get(Entry(of.meta["source"], output))
        if shape_is_known(shape):
            call.meta["shape"] = shape


def gains(convolution: Call) -> bool:
    """Returns whether a convolution over images is faster with the channels last in memory."""
    images, filters = _count_images(convolution), _count([convolution.args[1]])
    if images is None or filters is None:
        return False
    channels = convolution.args[0].meta["shape"][1]
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
        shape: Shape | None = call.meta.get("shape")
        if shape is None:
            return None
        elements += prod(shape)
    return elements
