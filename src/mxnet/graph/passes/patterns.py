"""Passes for chains of operators that are computed better in another way.

- The softmax cross entropy loss with integer labels is one call.
- ReLU comes after max pooling, where there is less to rectify.
- Masks that choose between two arrays, as those of zoneout, are drawn as such.
- One product serves all steps of a recurrent network that is unrolled.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.graph.lower import (
    Call,
    CallGraph,
    Setting,
    activation_of,
    attribute,
    note_merged,
    role_of,
)
from mxnet.ops.core.registry import Op, get_op
from mxnet.ops.nn.layouts import require_floating
from mxnet.ops.nn.softmax import cross_entropy

_MEAN = get_op("mean")
_CROSS_ENTROPY: tuple[dict[Op, dict[str, Any]], ...] = (
    {_MEAN: {"axis": (0,), "exclude": True, "keepdims": False}},
    {get_op("_mul_scalar"): {"scalar": -1.0}, get_op("_npi_negative"): {}},  # of the two dialects
    {get_op("pick"): {"axis": -1, "keepdims": True, "mode": "clip"}},
    {get_op("log_softmax"): {"axis": -1, "temperature": None, "dtype": None}},
)
"""The operators of the chain, the last one first, and the attributes that they must have."""
CROSS_ENTROPY = frozenset({_MEAN, get_op("pick"), get_op("log_softmax")})
"""Operators that every such chain has."""


def merge_cross_entropy(graph: CallGraph) -> None:
    """Makes one call of the chain of the softmax cross entropy loss with integer labels."""
    for node in graph.calls_of(_MEAN):
        chain = _find_chain(node)
        if chain is None:
            continue
        probabilities, picked, *_ = chain
        with graph.inserting_before(node):
            merged = graph.call_function(cross_entropy, (probabilities.args[0], picked.args[1]))
        note_merged(merged, chain)
        node.replace_all_uses_with(merged)
        for item in reversed(chain):
            graph.erase_node(item)


def _find_chain(last: Call) -> list[Call] | None:
    """Returns the nodes of a cross entropy that ends with a node, in order."""
    chain: list[Call] = []
    node: Any = last
    for alternatives in _CROSS_ENTROPY:
        op = node.operator
        attrs = None if op is None else alternatives.get(op)
        if attrs is None or (chain and len(node.users) > 1):
            return None
        if any(attribute(node, key) != value for key, value in attrs.items()):
            return None
        chain.insert(0, node)
        node = node.args[0]
    return chain


def pool_before_rectifying(graph: CallGraph) -> None:
    """Lets maxima be taken first where they are taken of rectified data.

    The greatest of rectified numbers is the greatest number, rectified. Gradients are the same too:
    among positive numbers the first maximum stays the first, and others get none.
    """
    for pool in graph.calls_of("pooling"):
        if not _takes_maxima(pool):
            continue
        rectifier = pool.args[0]
        if not _rectifies(rectifier) or len(rectifier.users) > 1:
            continue
        with graph.inserting_after(pool):
            behind = graph.node_copy(rectifier)
        behind.shape = pool.shape
        pool.replace_all_uses_with(behind)
        pool.set_arguments(rectifier.args)
        behind.set_arguments((pool,))
        graph.erase_node(rectifier)


def _rectifies(node: Call) -> bool:
    activation = activation_of(node)
    return activation is not None and activation[0] == "relu"


def _takes_maxima(node: Call) -> bool:
    """Returns whether a node gives the maxima of windows, each of which has a point of the data."""
    if role_of(node) != "pooling" or attribute(node, "pool_type") != "max":
        return False
    if attribute(node, "global_pool"):
        return True
    pads, kernel = attribute(node, "pad"), attribute(node, "kernel")
    inside = all(pad < window for pad, window in zip(pads, kernel, strict=False))
    return inside and attribute(node, "pooling_convention") == "valid"


def draw_masks(graph: CallGraph, setting: Setting) -> None:
    """Lets dropout of ones draw booleans, where only selections read its result."""
    if setting.device.type != "cpu":  # other devices draw other numbers for another dtype
        return
    for node in graph.calls_of("dropout"):
        ones = node.args[0]
        if role_of(ones) == "ones" and _is_drawn(node, setting) and _is_condition(node):
            node.target = _draw_mask
            node.set_arguments(ones.args)


def _is_drawn(node: Call, setting: Setting) -> bool:
    """Returns whether dropout drops each element by itself, but not all of them."""
    is_on = setting.training or attribute(node, "mode") == "always"
    return is_on and 0 < attribute(node, "p") < 1 and not attribute(node, "axes")


def _is_condition(node: Call) -> bool:
    """Returns whether a result is read by nothing but selections, which ask if it is zero."""
    return all(role_of(user) == "selection" and node not in user.args[1:] for user in node.users)


def _draw_mask(
    data: Tensor, *, p: float = 0.5, generator: torch.Generator | None = None, **_: object
) -> Tensor:
    """Returns whether each element is kept."""
    require_floating("Dropout", data)
    mask = torch.empty(data.shape, dtype=torch.bool, device=data.device)
    return mask.bernoulli_(1 - p, generator=generator)


_FEWEST = 3
"""Steps for which it is done."""
_MOST_ELEMENTS = 2**24
"""Elements of all products together: larger ones gain nothing, and would all be kept."""

_Products = dict[int, Call]
"""Products of the parts of an array with the same weights, by the number of the part."""


def join_products(graph: CallGraph) -> None:
    """Multiplies all parts of an array by weights at once, where each of them is multiplied."""
    for split in graph.calls_of("split"):
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
    note_merged(joined, [first])  # whatever shows what runs would show thousands
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
