"""Rules for the shapes of inputs, as far as those of other inputs and of outputs tell them.

Lengths may be `UNKNOWN`. An empty list says that nothing is known.
"""

from __future__ import annotations

from math import prod

from mxnet.ops.attrs import Shape
from mxnet.ops.shapes import UNKNOWN
from mxnet.ops.traits import Known, Settings


def split(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of an array to be split, that of its parts put together."""
    del inputs
    parts = [shape for shape in outputs if shape is not None]
    if not parts:
        return []
    shape = tuple(max(lengths) for lengths in zip(*parts, strict=True))  # UNKNOWN is less than any
    count, squeezed = attrs["num_outputs"], attrs["squeeze_axis"]
    axis = attrs["axis"] % (len(shape) + squeezed)
    if squeezed:
        return [(*shape[:axis], count, *shape[axis:])]
    length = UNKNOWN if shape[axis] == UNKNOWN else shape[axis] * count
    return [(*shape[:axis], length, *shape[axis + 1 :])]


def join(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns shapes of arrays to be joined, which differ in the length of one axis only."""
    known = [shape for shape in (*inputs, *outputs) if shape]
    axis = attrs["dim"]
    if len({len(shape) for shape in known}) != 1 or not -len(known[0]) <= axis < len(known[0]):
        return []  # the kernel tells what is wrong
    common = [max(lengths) for lengths in zip(*known, strict=True)]  # UNKNOWN is less than any
    common[axis] = UNKNOWN
    return [tuple(common) for _ in inputs]


def convolve(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the lengths along which windows move by one: they follow from those of the output."""
    data, result = inputs[0], outputs[0]
    if data is None or result is None or len(data) != len(result):
        return []
    kernel = attrs["kernel"]
    ones, zeros = (1,) * len(kernel), (0,) * len(kernel)
    stride, dilate = attrs["stride"] or ones, attrs["dilate"] or ones
    padding = attrs["pad"] or zeros
    start = 1 if (attrs["layout"] or "").endswith("C") else 2
    lengths = [result[0], *data[1:]]
    for place, size in enumerate(kernel):
        length = result[start + place]
        if length > 0 and stride[place] == 1:  # else several lengths give the same
            lengths[start + place] = length + dilate[place] * (size - 1) - 2 * padding[place]
    return [tuple(lengths)]


def shrink(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of the output without an axis."""
    del inputs
    result, axis = outputs[0], attrs["axis"]
    if not result or not -len(result) <= axis < len(result):
        return []
    axis %= len(result)
    return [result[:axis] + result[axis + 1 :]]


def reshape(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the one length that is not known: the number of elements tells it."""
    del attrs
    data, result = inputs[0], outputs[0]
    if data is None or not result or UNKNOWN in result or data.count(UNKNOWN) != 1:
        return []
    rest = prod(length for length in data if length != UNKNOWN)
    if not rest or prod(result) % rest:
        return []  # the kernel tells what is wrong
    missing = prod(result) // rest
    return [tuple(missing if length == UNKNOWN else length for length in data)]


def transpose(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of the output with its axes in the order of the input."""
    del inputs
    result = outputs[0]
    if not result:
        return []
    axes = attrs["axes"] or tuple(reversed(range(len(result))))
    if sorted(axes) != list(range(len(result))):
        return []
    return [tuple(result[axes.index(axis)] for axis in range(len(result)))]
