"""A pass for every setting: attention that is written as single steps becomes one call.

It looks for a product of queries and keys, perhaps scaled and masked, softmax, perhaps dropout, and
a product with values, none of which anything else reads. The call decides by the tensors whether a
fused kernel is worthwhile and runs the steps otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor

from mxnet.graph.lower import (
    Call,
    CallGraph,
    Setting,
    attribute,
    note_merged,
    role_of,
    settings_of,
    without_gradient,
)
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.traits import Attention
from mxnet.ops.math.indexing import spread_condition
from mxnet.ops.nn.attention import attend, has_kernel, is_far, is_truth, is_worthwhile

Step: TypeAlias = Callable[[Tensor, Sequence[Tensor]], Tensor]
"""Computes the next array from the one before and from the sides."""
AttentionFunction: TypeAlias = Callable[
    [Sequence[Tensor], Sequence[Tensor | None], Sequence[Tensor]], Tensor
]


class Recipe(NamedTuple):
    """What a call computes from the inputs of two products and from sides, such as masks."""

    score: Callable[..., Tensor]
    """The product of queries and keys."""
    steps: tuple[Step, ...]
    """What follows it, up to the weights."""
    weigh: Callable[..., Tensor]
    """The product of weights and values."""
    weights: int
    """Position of the weights among its two inputs."""
    split_scores: Callable[..., tuple[Tensor, Tensor, float]]
    split_values: Callable[..., Tensor]
    join: Callable[..., Tensor]
    scale: float
    """Factor of the scores."""
    biases: tuple[tuple[int, float], ...]
    """Positions of the sides that are added to the scores, with their factors."""
    mask: int | None
    """Position of the side that is not zero where keys count."""
    length: int | None
    """Position of the side that says how many keys count."""
    zeroes: bool
    """Whether weights of keys that do not count are zero, also where no key counts."""
    is_truth: bool
    """Whether the mask need not be looked at: it has ones and zeros, or does not scale weights."""
    dropout: float


def make_function(recipe: Recipe) -> AttentionFunction:
    """Returns the function that computes attention.

    It takes the inputs of the first product, those of the second with None for the weights, and
    the sides.
    """

    def attention(
        scored: Sequence[Tensor], weighed: Sequence[Tensor | None], sides: Sequence[Tensor]
    ) -> Tensor:
        values = weighed[1 - recipe.weights]
        result = None if values is None else _fuse(recipe, scored, values, sides)
        return _run_steps(recipe, scored, weighed, sides) if result is None else result

    return attention


def _run_steps(
    recipe: Recipe,
    scored: Sequence[Tensor],
    weighed: Sequence[Tensor | None],
    sides: Sequence[Tensor],
) -> Tensor:
    weights = recipe.score(*scored)
    for step in recipe.steps:
        weights = step(weights, sides)
    inputs = list(weighed)
    inputs[recipe.weights] = weights
    return recipe.weigh(*inputs)


def _fuse(
    recipe: Recipe, scored: Sequence[Tensor], value_input: Tensor, sides: Sequence[Tensor]
) -> Tensor | None:
    """Returns the result of a fused kernel, None if the steps are faster or fail."""
    if not has_kernel(value_input, recipe.dropout):
        return None
    queries, keys, factor = recipe.split_scores(*scored)
    values = recipe.split_values(value_input)
    if not is_worthwhile(queries, keys, values, bool(sides)):
        return None
    shape = (*queries.shape[:-1], keys.shape[-2])
    if values.shape[:-1] != keys.shape[:-1] or queries.shape[:-2] != keys.shape[:-2]:
        return None
    if not all(_fits(sides[place].shape, shape) for place, _ in recipe.biases):
        return None
    # What a mask hands back is zero, and a bias that learns has no fused kernel on a CPU.
    if any(item.requires_grad for item in sides) and (queries.is_cpu or not recipe.biases):
        return None
    bias, allowed, served = _add_biases(recipe, sides), None, None
    learns = any(item.requires_grad for item in (queries, keys))
    if bias is not None and queries.is_cpu and learns and is_far(bias):
        return None  # the kernel has no exact gradients of these
    if recipe.mask is not None or recipe.length is not None:
        found = _find_allowed(recipe, sides, shape)
        if found is None:
            return None
        allowed, served = found
    sums = attend(
        queries,
        keys,
        values,
        scale=factor * recipe.scale,
        bias=bias,
        allowed=allowed,
        served=served,
        zeroes=recipe.zeroes,
        dropout=recipe.dropout,
    )
    return recipe.join(sums)


def _fits(shape: Sequence[int], target: Shape) -> bool:
    """Returns whether an array of two axes or more can be broadcast to a shape."""
    if not 2 <= len(shape) <= len(target):
        return False
    pairs = zip(reversed(shape), reversed(target), strict=False)
    return all(size in (1, wanted) for size, wanted in pairs)


def _find_allowed(
    recipe: Recipe, sides: Sequence[Tensor], shape: Shape
) -> tuple[Tensor, Tensor | None] | None:
    """Returns which keys count, and which queries have keys as far as that is known.

    Returns None if the steps are to deal with the mask.
    """
    if recipe.length is not None:
        length = sides[recipe.length]
        if length.is_floating_point() or length.shape != shape[:-1]:
            return None
        served = (length > 0).unsqueeze(-1)
        counted = torch.where(served, length.unsqueeze(-1), shape[-1])
        return torch.arange(shape[-1], device=length.device) < counted, served
    mask = sides[recipe.mask or 0]
    if mask.shape != shape or not (recipe.is_truth or is_truth(mask)):
        return None
    return mask != 0, None


def _add_biases(recipe: Recipe, sides: Sequence[Tensor]) -> Tensor | None:
    total: Tensor | None = None
    for place, factor in recipe.biases:
        bias = sides[place] if factor == 1 else sides[place] * factor
        total = bias if total is None else total + bias
    return total


_SWITCH = "MXNET_FUSE_ATTENTION"
_DEVICES = ("cpu", "cuda")
"""Types of devices on which attention is fused, unless the environment says it."""
_FORBIDDING = -1e4
"""Scores up to here are those of keys that do not count."""


def fuse_attention(graph: CallGraph, setting: Setting) -> None:
    """Makes one call of the steps of attention, wherever they are found.

    With dropout the call draws another mask of the same kind; otherwise results are equal.

    Args:
        graph: The graph, in which equal calls are one.
        setting: What it was lowered for.
    """
    if not _is_wanted(setting.device):
        return
    for last in graph.calls_of("attention"):
        place = _find_weights(last)
        if place is None:
            continue
        chain = _Chain(setting)
        scores = chain.follow(last.args[place], last)
        if scores is None:
            continue
        weighed = tuple(None if index == place else item for index, item in enumerate(last.args))
        with graph.inserting_before(last):
            function = make_function(chain.describe(scores, last, place))
            call = graph.call_function(function, (tuple(scores.args), weighed, tuple(chain.sides)))
        note_merged(call, (scores, *reversed(chain.nodes), last))
        last.replace_all_uses_with(call)
        for node in (last, *chain.nodes, *chain.constants, scores):
            if not node.users:
                graph.erase_node(node)


def _is_wanted(device: torch.device) -> bool:
    text = os.environ.get(_SWITCH)
    return device.type in _DEVICES if text is None else text != "0"


def _attention_of(node: Any) -> Attention | None:
    op = node.operator if isinstance(node, Call) else None
    return None if op is None else op.traits.fusion.attention


def _find_weights(node: Call) -> int | None:
    """Returns which input of a product can be weights of values."""
    attention = _attention_of(node)
    if attention is None or attention.weights is None:
        return None
    return attention.weights(**settings_of(node))


class _Chain:
    """The steps between two products, read from the weights back to the scores.

    Attributes:
        nodes: Calls of the steps, the last one first.
        constants: Calls that make constants for them, the last one first.
        sides: What the steps read beside each other.
    """

    def __init__(self, setting: Setting) -> None:
        self.nodes: list[Call] = []
        self.constants: list[Call] = []
        self.sides: list[Call] = []
        self._setting = setting
        self._steps: list[Step] = []
        self._scale = 1.0
        self._biases: list[tuple[int, float]] = []
        self._mask: Call | None = None
        self._weight_mask: Call | None = None
        self._length: Call | None = None
        self._dropout = 0.0

    def follow(self, weights: Any, reader: Call) -> Call | None:
        """Returns the product of queries and keys, None if there is none or others read a step."""
        node, read, readers = weights, self._read_weights, {reader}
        while isinstance(node, Call) and set(node.users) <= readers:
            attention = _attention_of(node)
            if attention is not None:
                is_found = bool(attention.split_scores) and read == self._read_scores
                return node if is_found and self._is_sound() else None
            place = read(node)
            if place is None:
                return None
            if role_of(node) == "softmax":
                read = self._read_scores
            readers = {node, *self.constants}
            self.nodes.append(node)
            node = node.args[place]
        return None

    def describe(self, scores: Call, last: Call, place: int) -> Recipe:
        """Returns what the call is to compute."""
        first: Any = _attention_of(scores)
        second: Any = _attention_of(last)
        attrs, last_attrs = settings_of(scores), settings_of(last)
        score: Any = scores.target
        weigh: Any = last.target
        mask, length = self._mask, self._length
        return Recipe(
            score=partial(score, **scores.kwargs),
            steps=tuple(reversed(self._steps)),
            weigh=partial(weigh, **last.kwargs),
            weights=place,
            split_scores=partial(first.split_scores, **attrs),
            split_values=partial(second.split_values, **last_attrs),
            join=partial(second.join, **last_attrs),
            scale=self._scale,
            biases=tuple(self._biases),
            mask=None if mask is None else self._add_side(mask),
            length=None if length is None else self._add_side(length),
            zeroes=self._weight_mask is not None or length is not None,
            is_truth=self._weight_mask is None or _is_truth(self._weight_mask),
            dropout=self._dropout,
        )

    def _is_sound(self) -> bool:
        """Returns whether weights are multiplied by nothing but the mask of the scores."""
        if self._weight_mask is None:
            return True
        is_known = self._setting.device.type == "cpu" or _is_truth(self._weight_mask)
        return self._weight_mask is self._mask and is_known

    def _read_weights(self, node: Call) -> int | None:
        """Notes a step from softmax on; returns the position of what it continues."""
        if role_of(node) == "softmax":
            return self._read_softmax(node)
        if role_of(node) == "dropout" and not self._dropout:
            is_random = self._setting.training
            if attribute(node, "axes") or node.kwargs.get("generator") is not None:
                return None
            if attribute(node, "p") == 1 or (attribute(node, "mode") == "always" and not is_random):
                return None  # the last would not be pure, as plans take calls of their own to be
            self._dropout = attribute(node, "p") if is_random else 0.0
            return self._replay(node, 0)
        if role_of(node) == "multiplication" and self._weight_mask is None:
            place = 1 if _leads_to_softmax(node.args[1]) else 0
            other = node.args[1 - place]
            if not isinstance(other, Call) or other is node.args[place]:
                return None
            self._weight_mask = other
            return self._replay(node, place)
        return self._replay(node, 0) if _casts(node) else None

    def _read_softmax(self, node: Call) -> int | None:
        if attribute(node, "axis") != -1 or attribute(node, "dtype") is not None:
            return None
        if attribute(node, "use_length"):
            length = node.args[1]
            if not isinstance(length, Call) or self._weight_mask is not None:
                return None
            self._length = length
        self._scale /= attribute(node, "temperature") or 1.0
        return self._replay(node, 0)

    def _read_scores(self, node: Call) -> int | None:
        """Notes a step before softmax; returns the position of what it continues."""
        factor = _factor_of(node)
        if factor is not None:
            self._scale *= factor
            return self._replay(node, 0)
        if role_of(node) in ("addition", "broadcast_addition"):
            place = 1 if _leads_to_scores(node.args[1]) else 0
            other = node.args[1 - place]
            if not isinstance(other, Call) or other is node.args[place]:
                return None
            self._biases.append((self._add_side(other), self._scale))
            return self._replay(node, place)
        if role_of(node) == "selection":
            return self._read_selection(node)
        return self._replay(node, 0) if _casts(node) else None

    def _read_selection(self, node: Call) -> int | None:
        """Notes that a mask replaces scores, which must be the last thing before softmax."""
        condition, _, other = node.args
        constant = _find_constant(other)
        is_last = not self._biases and self._mask is None and self._length is None
        if constant is None or not isinstance(condition, Call) or not is_last:
            return None
        value, nodes = constant
        if value * self._scale > _FORBIDDING:
            return None
        inside = {node, *nodes}
        self.constants += [item for item in nodes if set(item.users) <= inside]
        self._mask = condition
        self._steps.append(partial(_select, place=self._add_side(condition), value=value))
        return 1

    def _add_side(self, node: Call) -> int:
        if node not in self.sides:
            self.sides.append(node)
        return self.sides.index(node)

    def _replay(self, node: Call, place: int) -> int:
        """Adds a step that runs the operator of a node; returns the position that it is given."""
        places = tuple(
            self._add_side(item) if isinstance(item, Call) and index != place else None
            for index, item in enumerate(node.args)
        )
        kernel: Any = node.target
        self._steps.append(partial(_run, partial(kernel, **node.kwargs), place, places))
        return place


def _run(
    kernel: Callable[..., Tensor],
    place: int,
    places: tuple[int | None, ...],
    data: Tensor,
    sides: Sequence[Tensor],
) -> Tensor:
    args = [None if item is None else sides[item] for item in places]
    args[place] = data
    return kernel(*args)


def _select(data: Tensor, sides: Sequence[Tensor], *, place: int, value: float) -> Tensor:
    condition = sides[place]
    if condition.shape != data.shape:
        condition = spread_condition(condition, data.shape)
    return torch.where(condition != 0, data, value)


def _casts(node: Call) -> bool:
    op = node.operator
    return op is not None and op.traits.types.casts_precision and len(node.args) == 1


def _factor_of(node: Call) -> float | None:
    op = node.operator
    rule = None if op is None else op.traits.fusion.factor
    return None if rule is None else rule(**settings_of(node))


def _leads_to_softmax(node: Any) -> bool:
    while isinstance(node, Call) and _casts(node):
        node = node.args[0]
    return isinstance(node, Call) and role_of(node) == "softmax"


def _leads_to_scores(node: Any) -> bool:
    """Returns whether a node continues a product of queries and keys."""
    if not isinstance(node, Call):
        return False
    attention = _attention_of(node)
    if attention is not None:
        return attention.split_scores is not None
    if _casts(node) or _factor_of(node) is not None:
        return _leads_to_scores(node.args[0])
    if role_of(node) in ("addition", "broadcast_addition"):
        return any(map(_leads_to_scores, node.args))
    return role_of(node) == "selection" and _leads_to_scores(node.args[1])


def _find_constant(node: Any) -> tuple[float, list[Call]] | None:
    """Returns the number that all elements are, with the calls that make them of an array."""
    value, nodes = 1.0, []
    while isinstance(node, Call):
        nodes.append(node)
        if role_of(node) == "ones":
            return value, nodes
        factor = _factor_of(node)
        if factor is None and node.target is not without_gradient:
            return None
        value *= 1.0 if factor is None else factor
        node = node.args[0]
    return None


def _is_truth(node: Any) -> bool:
    """Returns whether a mask has no elements but zeros and ones, as far as the graph tells."""
    while isinstance(node, Call):
        role = role_of(node)
        if role == "comparison":
            return True
        if role == "multiplication":
            return all(map(_is_truth, node.args))
        if role != "movement" and not _casts(node) and node.target is not without_gradient:
            return False
        node = node.args[0]
    return False
