"""A pass for every setting: attention that is written as single steps becomes one call.

It looks for a product of queries and keys, perhaps scaled, masked and reshaped, softmax, perhaps
dropout, and a product with values. Other calls may ask for the shape of what is between, but not
read it. The call decides by the tensors whether a fused kernel is worthwhile and runs the steps
otherwise (`attention_call.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from mxnet.graph.lower import (
    Call,
    CallGraph,
    Setting,
    attribute,
    find_calls,
    map_calls,
    note_merged,
    role_of,
    settings_of,
    without_gradient,
)
from mxnet.graph.passes.attention_call import (
    Kernel,
    Note,
    Recipe,
    Scores,
    Sides,
    Step,
    broadcast_all,
    make_function,
    read_condition,
    shape_of_scores,
)
from mxnet.graph.passes.shape_masks import extract
from mxnet.graph.passes.values import (
    Selection,
    casts,
    factor_of,
    find_value,
    is_truth,
    read_selection,
    strip_casts,
)
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.traits import Attention

_SWITCH = "MXNET_FUSE_ATTENTION"
_DEVICES = ("cpu", "cuda")
"""Types of devices on which attention is fused, unless the environment says it."""
_FORBIDDING = -1e4
"""Scores up to here are those of keys that do not count."""
_ADDING = {"addition": 1.0, "broadcast_addition": 1.0, "subtraction": -1.0}
"""Roles of sums, with the sign of their second input."""


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
        for place in _find_weights(last):
            chain = _Chain(setting)
            scores = chain.follow(last.args[place], last)
            if scores is not None:
                _replace(graph, chain, scores, last, place)
                break


def _replace(graph: CallGraph, chain: _Chain, scores: Call, last: Call, place: int) -> None:
    """Puts one call where a chain of steps ends."""
    stand_ins = chain.detach_readers(graph, scores)
    masks = extract(chain.sides, scores.args, stand_ins)
    weighed = tuple(None if index == place else item for index, item in enumerate(last.args))
    recipe = chain.describe(scores, last, place)._replace(shape_masks=masks)
    sides = () if masks is not None else tuple(chain.sides)
    with graph.inserting_before(last):
        call = graph.call_function(make_function(recipe), (tuple(scores.args), weighed, sides))
    note_merged(call, (scores, *reversed(chain.nodes), last))
    last.replace_all_uses_with(call)
    for node in (last, *chain.nodes, scores):
        if not node.users:
            graph.erase_node(node)


def _is_wanted(device: torch.device) -> bool:
    text = os.environ.get(_SWITCH)
    return device.type in _DEVICES if text is None else text != "0"


def _attention_of(node: Any) -> Attention | None:
    op = node.operator if isinstance(node, Call) else None
    return None if op is None else op.traits.fusion.attention


def _find_weights(node: Call) -> Sequence[int]:
    """Returns which inputs of a product can be weights of values."""
    attention = _attention_of(node)
    if attention is None or attention.weights is None:
        return ()
    return attention.weights(**settings_of(node))


class _Chain:
    """The steps between two products, read from the weights back to the scores.

    Attributes:
        nodes: Calls of the steps, the last one first.
        sides: What the steps read beside each other.
    """

    def __init__(self, setting: Setting) -> None:
        self.nodes: list[Call] = []
        self.sides: list[Call] = []
        self._setting = setting
        self._steps: list[Step] = []
        self._readers: dict[Call, list[Call]] = {}
        """Calls that ask for the shape of a step's result alone."""
        self._truths: list[int] = []
        self._choosing: set[int] = set()
        """Positions of the sides that are masks or lengths."""
        self._scale = 1.0
        self._masks: list[tuple[Call, bool]] = []
        """What masks the scores, and whether they stay where it is not zero."""
        self._weight_mask: tuple[Call, bool] | None = None
        self._masking: set[Call] = set()
        """Products with a mask that another step takes care of."""
        self._dropout = 0.0

    def follow(self, weights: Any, reader: Call) -> Call | None:
        """Returns the product of queries and keys, None if there is none or others read a step."""
        node, read = weights, self._read_weights
        while isinstance(node, Call) and self._note_readers(node, reader):
            attention = _attention_of(node)
            if attention is not None:
                is_found = bool(attention.split_scores) and read == self._read_scores
                return node if is_found and self._is_sound() else None
            place = self._read_anywhere(node)
            place = read(node) if place is None else place
            if place is None:
                return None
            if role_of(node) == "softmax":
                read = self._read_scores
            self.nodes.append(node)
            node, reader = node.args[place], node
        return None

    def _note_readers(self, node: Call, reader: Call) -> bool:
        """Notes which calls read a step; returns whether all but one ask for its shape alone."""
        others = [user for user in node.users if user is not reader]
        self._readers[node] = others
        return all(_asks_for_shape(user, node) for user in others)

    def detach_readers(self, graph: CallGraph, scores: Call) -> dict[Call, None]:
        """Lets what asks for the shapes of steps ask arrays without memory that stand for them.

        Returns:
            The calls that make these arrays.
        """
        made: dict[Call, None] = {}
        chain = (scores, *reversed(self.nodes))
        asked = [index for index, node in enumerate(chain) if self._readers[node]]
        stand_in: Call | None = None
        for node in chain[: asked[-1] + 1] if asked else ():
            with graph.inserting_before(node):
                if stand_in is None:
                    stand_in = graph.call_function(_make_scores_stand_in(scores), scores.args)
                else:
                    function = _make_stand_in(node)
                    others = [item for item in node.all_input_nodes if item not in chain]
                    stand_in = graph.call_function(function, (stand_in, *others))
            made[stand_in] = None
            self.sides = [stand_in if item is node else item for item in self.sides]
            for user in self._readers[node]:
                user.set_arguments(map_calls(user.args, partial(_exchange, node, stand_in)))
        return made

    def describe(self, scores: Call, last: Call, place: int) -> Recipe:
        """Returns what the call is to compute."""
        first: Any = _attention_of(scores)
        second: Any = _attention_of(last)
        attrs, last_attrs = settings_of(scores), {**settings_of(last), "place": place}
        score: Any = scores.target
        weigh: Any = last.target
        return Recipe(
            score=partial(score, **scores.kwargs),
            steps=tuple(reversed(self._steps)),
            weigh=partial(weigh, **last.kwargs),
            weights=place,
            split_scores=partial(first.split_scores, **attrs),
            split_values=partial(second.split_values, **last_attrs),
            join=partial(second.join, **last_attrs),
            dropout=self._dropout,
            masks=frozenset(self._choosing),
            truths=tuple(self._truths),
        )

    def _is_sound(self) -> bool:
        """Returns whether weights are multiplied by nothing but the mask of the scores."""
        return self._weight_mask is None or self._masks == [self._weight_mask]

    def _read_anywhere(self, node: Call) -> int | None:
        """Notes a step that changes neither scores nor weights."""
        role = role_of(node)
        if role == "movement" and isinstance(node.args[0], Call):
            target: Any = node.target
            kernel = partial(target, **node.kwargs)
            others = [self._add_side(item) for item in node.args[1:] if isinstance(item, Call)]

            def note(scores: Scores, sides: Sides) -> bool:
                return scores.rearrange(lambda data: kernel(data, *[sides[i] for i in others]))

            return self._replay(node, 0, note)
        if not casts(node):
            return None
        dtype = attribute(node, "dtype")
        return self._replay(node, 0, lambda scores, _: scores.convert(dtype))

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
            share = self._dropout = attribute(node, "p") if is_random else 0.0
            return self._replay(node, 0, lambda scores, _: scores.drop(share))
        if self._weight_mask is not None:
            return None
        if role_of(node) == "multiplication":
            return self._read_weight_mask(node)
        selection = read_selection(node)
        if selection is None or selection.value != 0:
            return None
        self._weight_mask = strip_casts(selection.condition), selection.keeps
        return self._choose(
            selection, lambda scores, allowed: scores.zero(allowed.shape, replaces=True)
        )

    def _read_weight_mask(self, node: Call) -> int | None:
        """Notes that weights are multiplied by zeros and ones."""
        place = 1 if _leads_to(node.args[1], _normalizes) else 0
        mask = node.args[1 - place]
        if not isinstance(mask, Call) or not self._require_truth(mask):
            return None
        self._weight_mask = strip_casts(mask), True
        side = self._add_mask(mask)
        return self._replay(
            node, place, lambda scores, sides: scores.zero(sides[side].shape, replaces=False)
        )

    def _require_truth(self, mask: Call) -> bool:
        """Returns whether a mask has zeros and ones alone, or can be looked at when it is there."""
        if is_truth(mask):
            return True
        self._truths.append(self._add_mask(mask))
        return self._setting.device.type == "cpu"

    def _read_softmax(self, node: Call) -> int | None:
        if attribute(node, "dtype") not in (None, torch.float32):
            return None
        axis, temperature = attribute(node, "axis"), attribute(node, "temperature") or 1.0
        length: int | None = None
        if attribute(node, "use_length"):
            if not isinstance(node.args[1], Call) or self._weight_mask is not None:
                return None
            length = self._add_mask(node.args[1])
        self._scale /= temperature

        def note(scores: Scores, sides: Sides) -> bool:
            return scores.normalize(axis, temperature, None if length is None else sides[length])

        return self._replay(node, 0, note)

    def _read_scores(self, node: Call) -> int | None:
        """Notes a step before softmax; returns the position of what it continues."""
        factor = factor_of(node)
        if factor is not None:
            self._scale *= factor
            return self._replay(node, 0, lambda scores, _: scores.multiply(factor))
        role = role_of(node)
        if role in _ADDING:
            return self._read_sum(node, _ADDING[role])
        if role in ("multiplication", "division"):
            return self._read_product(node, divides=role == "division")
        if role == "sequence_mask" and attribute(node, "axis") == 1:
            return self._read_lengths(node)
        selection = read_selection(node)
        if selection is None or selection.value * self._scale > _FORBIDDING:
            return None
        self._masks.append((strip_casts(selection.condition), selection.keeps))
        value = selection.value
        return self._choose(selection, lambda scores, allowed: scores.fill(allowed, value))

    def _read_sum(self, node: Call, sign: float) -> int | None:
        place = 0 if _leads_to(node.args[0], _scores) else 1
        other = node.args[1 - place]
        if not isinstance(other, Call) or other is node.args[place] or (place and sign < 0):
            return None
        masked = self._read_masked_sum(node, place, other, sign)
        if masked is not None:
            return masked
        side = self._add_side(other)
        return self._replay(node, place, lambda scores, sides: scores.add(sides[side], sign))

    def _read_masked_sum(self, node: Call, place: int, other: Call, sign: float) -> int | None:
        """Reads `scores * mask + other` where `other` is zero for ones and far below for zeros."""
        product = node.args[place]
        if not isinstance(product, Call) or role_of(product) != "multiplication":
            return None
        inner = 0 if _leads_to(product.args[0], _scores) else 1
        mask = product.args[1 - inner]
        if not isinstance(mask, Call) or len(product.users) > 1:
            return None
        kept, value = find_value(other, mask, 1.0), find_value(other, mask, 0.0)
        if kept != 0 or value is None or sign * value * self._scale > _FORBIDDING:
            return None
        if not self._require_truth(mask):
            return None
        self._masks.append((strip_casts(mask), True))
        self._masking.add(product)
        condition = self._add_mask(mask)

        def note(scores: Scores, sides: Sides) -> bool:
            allowed = read_condition(sides[condition], scores.shape, spreads=False)
            return scores.fill(allowed, sign * value)

        return self._replay(node, place, note)

    def _read_product(self, node: Call, *, divides: bool) -> int | None:
        place = 0 if divides or _leads_to(node.args[0], _scores) else 1
        if node in self._masking:
            return self._replay(node, place, _changes_nothing)
        other = node.args[1 - place]
        if not isinstance(other, Call) or other is node.args[place]:
            return None
        side = self._add_side(other)
        return self._replay(
            node, place, lambda scores, sides: scores.multiply_by(sides[side], divides=divides)
        )

    def _read_lengths(self, node: Call) -> int | None:
        """Notes that scores beyond lengths are replaced."""
        if not attribute(node, "use_sequence_length"):
            return self._replay(node, 0, _changes_nothing)
        value, length = attribute(node, "value"), node.args[1]
        if not isinstance(length, Call) or value * self._scale > _FORBIDDING:
            return None
        side = self._add_mask(length)
        self._masks.append((length, True))
        return self._replay(node, 0, lambda scores, sides: scores.shorten(sides[side], value))

    def _choose(self, selection: Selection, note: Callable[[Scores, Tensor], bool]) -> int:
        """Adds a step that chooses between elements and a number."""
        side = self._add_mask(selection.condition)

        def read(data: Shape, sides: Sides) -> Tensor:
            condition = read_condition(sides[side], data, spreads=selection.spreads)
            return condition if selection.keeps else ~condition

        def run(data: Tensor, sides: Sides) -> Tensor:
            return torch.where(read(tuple(data.shape), sides), data, selection.value)

        self._steps.append(Step(run, lambda scores, sides: note(scores, read(scores.shape, sides))))
        return selection.place

    def _add_mask(self, node: Call) -> int:
        """Adds a side that only chooses."""
        place = self._add_side(node)
        self._choosing.add(place)
        return place

    def _add_side(self, node: Call) -> int:
        if node not in self.sides:
            self.sides.append(node)
        return self.sides.index(node)

    def _replay(self, node: Call, place: int, note: Note) -> int:
        """Adds a step that runs the operator of a node; returns the position that it is given."""
        places = tuple(
            self._add_side(item) if isinstance(item, Call) and index != place else None
            for index, item in enumerate(node.args)
        )
        kernel: Any = node.target
        self._steps.append(Step(partial(_run, partial(kernel, **node.kwargs), place, places), note))
        return place


def _run(
    kernel: Kernel, place: int, places: tuple[int | None, ...], data: Tensor, sides: Sides
) -> Tensor:
    args = [None if item is None else sides[item] for item in places]
    args[place] = data
    result: Tensor = kernel(*args)
    return result


def _changes_nothing(_: Scores, __: Sides) -> bool:
    return True


def _exchange(before: Call, after: Call, call: Call) -> Call:
    return after if call is before else call


def _asks_for_shape(user: Call, node: Call) -> bool:
    """Returns whether a call needs the shape of another one's result, not its elements."""
    if user.target is without_gradient:
        return user.args[0] is not node
    op = user.operator
    if op is None or op.variadic or node in find_calls(user.kwargs.values()):
        return False
    pairs = zip(op.inputs, user.args, strict=False)
    return all(item.name in op.traits.shapes.asked for item, value in pairs if value is node)


def _make_scores_stand_in(scores: Call) -> Kernel:
    """Returns a function that gives an array without memory in the shape of scores."""
    attention: Any = _attention_of(scores)
    attrs, kernel, kwargs = settings_of(scores), scores.target, scores.kwargs

    def stand_for_scores(*inputs: Tensor) -> Tensor:
        queries, keys, _ = attention.split_scores(*inputs, **attrs)
        shape = shape_of_scores(queries, keys) if min(queries.ndim, keys.ndim) > 1 else None
        if shape is None:  # which the operator refuses
            result: Tensor = kernel(*inputs, **kwargs)
            return result
        stand_in: Tensor = queries.new_zeros(()).expand(shape)
        return stand_in

    return stand_for_scores


def _make_stand_in(node: Call) -> Kernel:
    """Returns a function that gives an array in the shape of a step's result."""
    kernel: Any = node.target
    kwargs = node.kwargs
    moves = role_of(node) == "movement" or casts(node)

    def stand_for_step(data: Tensor, *others: Tensor) -> Tensor:
        if moves:
            result: Tensor = kernel(data, **kwargs)
            return result
        return data.expand(broadcast_all(data.shape, [item.shape for item in others]))

    return stand_for_step


def _scores(node: Call) -> bool:
    attention = _attention_of(node)
    return attention is not None and attention.split_scores is not None


def _normalizes(node: Call) -> bool:
    return role_of(node) == "softmax"


_CONTINUING = {*_ADDING, "division", "movement", "multiplication", "selection", "sequence_mask"}
"""Roles of steps between scores and weights."""
_FARTHEST = 50
"""Calls that are looked at, to find out which input of a step continues the scores."""


def _leads_to(node: Any, is_end: Callable[[Call], bool]) -> bool:
    """Returns whether a node continues what is looked for."""
    pending, seen = [node], set[Call]()
    while pending and len(seen) < _FARTHEST:
        call = pending.pop()
        if not isinstance(call, Call) or call in seen:
            continue
        if is_end(call):
            return True
        seen.add(call)
        role = role_of(call)
        if casts(call) or factor_of(call) is not None or role in ("movement", "sequence_mask"):
            pending.append(call.args[0])
        elif role in _CONTINUING:
            pending += call.args
        elif call.operator is not None and call.operator.traits.fusion.replaces is not None:
            pending.append(call.args[1])
    return False
