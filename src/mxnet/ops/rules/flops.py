"""How many floating-point operations operators need, from shapes.

A multiplication and the addition of its result count as two, so that a network of `n`
multiply-adds has `2 n` operations. Operators that only move elements have none; an activation, a
sum or an addition has one for each element. It is what is counted in the forward pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, TypeAlias

from mxnet.ops.core.attrs import Shape

Settings: TypeAlias = Mapping[str, Any]
FlopRule: TypeAlias = Callable[[Sequence[Shape], Sequence[Shape], Settings], int]
"""Takes the shapes of inputs and outputs and all attributes."""


def nothing(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
    """Counts none, for operators that move or make elements."""
    return 0


def each_element(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
    """Counts one for each element of the largest input or of the outputs, if they have more."""
    return max([*map(prod, inputs), sum(map(prod, outputs))], default=0)


def convolution_with(weight: int) -> FlopRule:
    """Returns the rule of convolutions.

    Args:
        weight: Position of the weight, of shape `(num_filter, ...)`; a bias comes right after it.
    """

    def rule(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
        results, window = prod(outputs[0]), prod(inputs[weight][1:])
        return results * (2 * window + (not attrs["no_bias"]))

    return rule


def deconvolution(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
    """Counts a product with all of its filters for each element of the data."""
    products = prod(inputs[0]) * prod(inputs[1][1:])
    return 2 * products + (0 if attrs["no_bias"] else prod(outputs[0]))


def dense(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
    """Counts an affine map."""
    return prod(outputs[0]) * (2 * inputs[1][-1] + (not attrs["no_bias"]))


def product(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
    """Counts a product over the last axis of the first array."""
    return _sums(outputs[0], inputs[0][-1:])


def transposable_product(first: int) -> FlopRule:
    """Returns the rule of products over the last axis of the first array, or another if transposed.

    Args:
        first: That other axis.
    """

    def rule(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
        axis = attrs.get("axis", first) if attrs["transpose_a"] else -1
        return _sums(outputs[0], inputs[0][axis:][:1])

    return rule


def product_over(attribute: str) -> FlopRule:
    """Returns the rule of products over axes of the first array.

    Args:
        attribute: Attribute that holds the axes, or the number of axes from the last.
    """

    def rule(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
        axes = attrs[attribute]
        first = inputs[0]
        if isinstance(axes, int):
            return _sums(outputs[0], first[len(first) - axes :])
        return _sums(outputs[0], [first[axis] for axis in axes])

    return rule


def attention_scores(parts: int) -> FlopRule:
    """Returns the rule of scores.

    Args:
        parts: How many vectors of a head stand side by side in the first input.
    """

    def rule(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
        return _sums(outputs[0], [inputs[0][-1] // (parts * max(attrs["heads"], 1))])

    return rule


def attention_sums(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
    """Counts sums of values by weights, the second input."""
    return _sums(outputs[0], inputs[1][-1:])


def recurrent(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
    """Counts a multiply-add for each parameter, sample and step of time."""
    return 2 * prod(inputs[1]) * prod(inputs[0][:2])


def pooling(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
    """Counts the elements of all windows."""
    if attrs["global_pool"] or not attrs["kernel"]:
        return prod(inputs[0])
    return prod(outputs[0]) * prod(attrs["kernel"])


def per_element(number: int) -> FlopRule:
    """Returns the rule of a fixed number for each element of the data."""

    def rule(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
        return number * prod(inputs[0])

    return rule


def _sums(results: Shape, lengths: Sequence[int]) -> int:
    """Counts the multiply-adds of sums over axes of some lengths."""
    return 2 * prod(results) * prod(lengths)
