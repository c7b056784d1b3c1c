"""Shapes of the inputs of an operator as far as its outputs tell them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mxnet.graph.node import Node
from mxnet.ops.attrs import Shape
from mxnet.ops.registry import Op

Known = Sequence[Shape | None]
Rule = Callable[[Known, Known, Mapping[str, Any]], list[Shape | None]]


def inputs_from_outputs(node: Node, op: Op, inputs: Known, outputs: Known) -> list[Shape | None]:
    """Gives what is known of the inputs; None for one that the outputs tell nothing of.

    Args:
        node: The node.
        op: Its operator.
        inputs: Shapes of its inputs, in which 0 stands for an unknown length.
        outputs: Shapes of its outputs.
    """
    rule = _RULES.get(op.name)
    if rule is None or all(shape is None for shape in outputs):
        return []
    return rule(inputs, outputs, op.with_defaults(node.parsed))


def _split(inputs: Known, outputs: Known, attrs: Mapping[str, Any]) -> list[Shape | None]:
    del inputs
    parts = [shape for shape in outputs if shape is not None]
    shape = tuple(max(lengths) for lengths in zip(*parts, strict=True))  # 0 is unknown
    count, squeezed = attrs["num_outputs"], attrs["squeeze_axis"]
    axis = attrs["axis"] % (len(shape) + squeezed)
    if squeezed:
        return [(*shape[:axis], count, *shape[axis:])]
    return [(*shape[:axis], shape[axis] * count, *shape[axis + 1 :])]


def _join(inputs: Known, outputs: Known, attrs: Mapping[str, Any]) -> list[Shape | None]:
    whole = outputs[0] or ()
    axis = attrs["dim"] % len(whole)
    return [(*whole[:axis], 0, *whole[axis + 1 :]) for _ in inputs]


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


_RULES: dict[str, Rule] = {"Concat": _join, "Convolution": _convolve, "SliceChannel": _split}
