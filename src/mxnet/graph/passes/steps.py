"""A pass for every setting: one product for all steps of a recurrent network that is unrolled.

The steps of a cell multiply what they read of the data by the same weights. The data of all steps
are known before the first one, so that a single product serves them all, and in training one
product gives the gradient of the weights instead of a sum of as many as there are steps.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor

from mxnet.graph.lower.calls import Call, CallGraph
from mxnet.graph.passes.basics import attribute, note_merged, role_of

_FEWEST = 3
"""Steps for which it is done."""
_MOST_ELEMENTS = 2**24
"""Elements of all products together: larger ones gain nothing, and would all be kept."""

_Products = dict[int, Call]
"""Products of the parts of an array with the same weights, by the number of the part."""


def join_products(graph: CallGraph) -> None:
    """Multiplies all parts of an array by weights at once, where each of them is multiplied."""
    for split in graph.calls_of("separation"):
        parts = {each.args[1]: each for each in split.users if each.target is operator.getitem}
        if not attribute(split, "squeeze_axis") or len(parts) < _FEWEST:
            continue
        for products in _find_products(parts):
            if len(products) == attribute(split, "num_outputs"):
                _join(graph, split, products)


def _find_products(parts: Mapping[int, Call]) -> list[_Products]:
    """Lists the products of parts, those with the same weights together."""
    by_weights: dict[Any, _Products] = {}
    for index, part in parts.items():
        for user in part.users:
            if role_of(user) != "dense" or user.args[0] is not part:
                continue
            weights = user.args[1:]
            if all(item is None or item.op == "placeholder" for item in weights):
                key = (user.target, weights, id(user.kwargs))
                by_weights.setdefault(key, {})[index] = user
    return list(by_weights.values())


def _join(graph: CallGraph, split: Call, products: _Products) -> None:
    first = products[0]
    function = _make_function(first.target, attribute(split, "axis"), first.kwargs)
    with graph.inserting_after(split):
        joined = graph.call_function(function, (split.args[0], *first.args[1:]))
        results = [
            graph.call_function(operator.getitem, (joined, index)) for index in range(len(products))
        ]
    note_merged(joined, [first])  # those who show what runs would show thousands
    for index, product in products.items():
        product.replace_all_uses_with(results[index])
        graph.erase_node(product)


def _make_function(
    kernel: Any, axis: int, attrs: Mapping[str, Any]
) -> Callable[..., tuple[Tensor, ...]]:
    """Returns the function that computes the products; compilers take nothing but functions."""

    def multiply_steps(data: Tensor, *weights: Tensor | None) -> tuple[Tensor, ...]:
        return _multiply(kernel, axis, attrs, data, *weights)

    return multiply_steps


def _multiply(
    kernel: Callable[..., Tensor],
    axis: int,
    attrs: Mapping[str, Any],
    data: Tensor,
    *weights: Tensor | None,
) -> tuple[Tensor, ...]:
    """Returns the products of all parts of an array.

    Args:
        kernel: Computes the product of one of them.
        axis: Axis along which the array is split.
        attrs: Attributes of the products.
        data: The array.
        *weights: Weights, and what is added.
    """
    count = data.shape[axis]
    is_sequence = data.ndim == 3 and axis in (0, 1, -2, -3)
    size = data.numel() // max(data.shape[-1], 1) * attrs["num_hidden"]
    if not is_sequence or size > _MOST_ELEMENTS or not count:
        return tuple(kernel(part, *weights, **attrs) for part in data.unbind(axis))
    # Each product is in one piece of memory, which what follows reads faster.
    return kernel(data.movedim(axis, 0), *weights, **{**attrs, "flatten": False}).unbind(0)
