"""Shapes of the inputs of an operator as far as its outputs tell them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from mxnet.graph.node import Node
from mxnet.ops.attrs import Shape
from mxnet.ops.registry import Op

Known = Sequence[Shape | None]
Rule = Callable[[Known, Known, Mapping[str, Any]], list[Shape | None]]


def inputs_from_outputs(node: Node, op: Op, inputs: Known, outputs: Known) -> list[Shape | None]:
    """Returns what is known of the inputs; None for one that the outputs tell nothing of.

    Args:
        node: The node.
        op: Its operator.
        inputs: Shapes of its inputs, in which 0 stands for an unknown length.
        outputs: Shapes of its outputs.
    """
    rule = _RULES.get(op.name)
    if rule is None or all(shape is None for shape in (*outputs, *inputs)):
        return []
    return rule(inputs, outputs, node.settings)


def _split(inputs: Known, outputs: Known, attrs: Mapping[str, Any]) -> list[Shape | None]:
    del inputs
    parts = [shape for shape in outputs if shape is not None]
    if not parts:
        return []
    shape = tuple(max(lengths) for lengths in zip(*parts, strict=True))  # 0 is unknown
    count, squeezed = attrs["num_outputs"], attrs["squeeze_axis"]
    axis = attrs["axis"] % (len(shape) + squeezed)
    if squeezed:
        return [(*shape[:axis], count, *shape[axis:])]
    return [(*shape[:axis], shape[axis] * count, *shape[axis + 1 :])]


def _join(inputs: Known, outputs: Known, attrs: Mapping[str, Any]) -> list[Shape | None]:
    """Joined arrays are shaped alike but for the length of one axis."""
    known = [shape for shape in (*inputs, *outputs) if shape]
    axis = attrs["dim"]
    if len({len(shape) for shape in known}) != 1 or not -len(known[0]) <= axis < len(known[0]):
        return []  # the kernel tells what is wrong
    common = [max(lengths) for lengths in zip(*known, strict=True)]  # 0 is unknown
    common[axis] = 0
    return [tuple(common) for _ in inputs]


def _convolve(inputs: Known, outputs: Known, attrs: Mapping[str, Any]) -> list[Shape | None]:
    data, result = inputs[0], outputs[0]
    if data is None or result is None or len(data) != len(result):
        return []
    kernel = attrs["kernel"]
    ones, zeros = (1,) * len(kernel), (0,) * len(kernel)
    stride, dilate = attrs["stride"] or ones, attrs["dilate"] or ones
    padding = attrs["pad"] or zeros
    start = 1 if (attrs["layout"] or "").endswith("C") else 2
    found = [result[0], *data[1:]]
    for place, size in enumerate(kernel):
        length = result[start + place]
        if length > 0 and stride[place] == 1:  # else several lengths give the same
            found[start + place] = length + dilate[place] * (size - 1) - 2 * padding[place]
    return [tuple(found)]


def _shrink(inputs: Known, outputs: Known, attrs: Mapping[str, Any]) -> list[Shape | None]:
    del inputs
    result, axis = outputs[0], attrs["axis"]
    if not result or not -len(result) <= axis < len(result):
        return []
    axis %= len(result)
    return [result[:axis] + result[axis + 1 :]]


def _reshape(inputs: Known, outputs: Known, attrs: Mapping[str, Any]) -> list[Shape | None]:
    """The number of elements tells one length that is not known."""
    del attrs
    data, result = inputs[0], outputs[0]
    if data is None or not result or 0 in result or data.count(0) != 1:
        return []
    rest = prod(length for length in data if length)
    if prod(result) % rest:
        return []  # the kernel tells what is wrong
    return [tuple(length or prod(result) // rest for length in data)]


def _transpose(inputs: Known, outputs: Known, attrs: Mapping[str, Any]) -> list[Shape | None]:
    del inputs
    result = outputs[0]
    if not result:
        return []
    axes = attrs["axes"] or tuple(reversed(range(len(result))))
    if sorted(axes) != list(range(len(result))):
        return []
    return [tuple(result[axes.index(axis)] for axis in range(len(result)))]


_RULES: dict[str, Rule] = {
    "Concat": _join,
    "Convolution": _convolve,
    "Reshape": _reshape,
    "SliceChannel": _split,
    "expand_dims": _shrink,
    "transpose": _transpose,
}
