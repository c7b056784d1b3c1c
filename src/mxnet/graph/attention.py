"""A pass for every setting: attention that is written as single steps becomes one call.

It looks for a product of queries and keys, perhaps scaled and masked, softmax, perhaps dropout, and
a product with values, none of which anything else reads. The call decides by the tensors whether a
fused kernel is worthwhile and runs the steps otherwise (`mxnet.graph.attention_call`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from mxnet.graph.attention_call import Recipe, Step, make_function
from mxnet.graph.calls import Call, CallGraph
from mxnet.graph.lower import Setting, without_gradient
from mxnet.graph.passes import attribute, note_merged, operator_of, role_of, settings_of
from mxnet.ops.core.traits import Attention

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
    for last in graph.calls_of(lambda op: op.traits.fusion.attention is not None):
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
    op = operator_of(node) if isinstance(node, Call) else None
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
    if condition.shape != data.shape:  # one for each row
        condition = condition.reshape((-1,) + (1,) * (data.ndim - 1))
    return torch.where(condition != 0, data, value)


def _casts(node: Call) -> bool:
    op = operator_of(node)
    return op is not None and op.traits.types.casts_precision and len(node.args) == 1


def _factor_of(node: Call) -> float | None:
    op = operator_of(node)
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
