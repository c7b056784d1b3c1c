"""What is known, before a graph is run, of the numbers that its calls give."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from mxnet.graph.lower import Call, attribute, is_pure, role_of, settings_of, without_gradient
from mxnet.ops.core.traits import OF_ELEMENTS


class Selection(NamedTuple):
    """A choice between elements of an array and a number."""

    place: int
    """Position of the array."""
    condition: Call
    keeps: bool
    """Whether the array is chosen where the condition is not zero."""
    value: float
    spreads: bool
    """Whether each element of the condition is for as many elements of the array, in order."""


def read_selection(node: Call) -> Selection | None:
    """Returns what a call chooses between, None if it does not choose so."""
    condition: Any = node.args[0] if node.args else None
    if not isinstance(condition, Call) or node.operator is None:
        return None
    rule = node.operator.traits.fusion.replaces
    if rule is not None:
        is_replaced, value = rule(**settings_of(node))
        return Selection(1, condition, not is_replaced, value, False)
    if role_of(node) != "selection":
        return None
    spreads = node.operator.traits.shapes.same is not False  # that of NumPy broadcasts
    for place, keeps in ((1, True), (2, False)):
        found = find_value(node.args[3 - place])
        if found is not None:
            return Selection(place, condition, keeps, found, spreads)
    return None


def casts(node: Call) -> bool:
    """Returns whether a call changes the precision of floating-point numbers, and nothing else."""
    op = node.operator
    if op is None or len(node.args) != 1:
        return False
    types = op.traits.types
    return (types.casts_precision or types.converts) and attribute(node, "dtype").is_floating_point


def factor_of(node: Call) -> float | None:
    """Returns the number by which a call multiplies its first input, None if it does not."""
    op = node.operator
    rule = None if op is None else op.traits.fusion.factor
    return None if rule is None else rule(**settings_of(node))


def strip_casts(node: Call) -> Call:
    """Returns what a call gives but for its type."""
    while casts(node) or node.target is without_gradient:
        node = node.args[0]
    return node


def find_value(node: Any, variable: Call | None = None, value: float = 0.0) -> float | None:
    """Returns the number that all elements of a result are, None if that is not known.

    Args:
        node: The call.
        variable: A call whose elements all are `value`.
        value: The number.
    """
    if not isinstance(node, Call):
        return None
    if variable is not None and strip_casts(node) is strip_casts(variable):
        return value
    op = node.operator
    if op is None:
        is_join = node.target is without_gradient
        return find_value(node.args[0], variable, value) if is_join else None
    if op.traits.fusion.uniform is not None:
        return op.traits.fusion.uniform(**settings_of(node))
    if role_of(node) == "movement" or casts(node):
        return find_value(node.args[0], variable, value)
    if not is_pure(node) or not (op.traits.types is OF_ELEMENTS or op.traits.fusion.factor):
        return None
    found: list[Tensor] = []
    for item in node.args:
        number = find_value(item, variable, value)
        if number is None:
            return None
        found.append(torch.full((1,), number))
    kernel: Any = node.target
    return float(kernel(*found, **node.kwargs))


def is_truth(node: Any) -> bool:
    """Returns whether a mask has no elements but zeros and ones, as far as the graph tells."""
    while isinstance(node, Call):
        role = role_of(node)
        if role == "comparison" or find_value(node) in (0.0, 1.0):
            return True
        if role == "multiplication":
            return all(map(is_truth, node.args))
        op = node.operator
        if op is None and node.target is not without_gradient:
            return False
        if op is not None and op.traits.types is OF_ELEMENTS and len(node.args) == 1:
            slope = [find_value(node, node.args[0], number) for number in (0.0, 1.0)]
            if not {*slope} <= {0.0, 1.0}:
                return False
        elif op is not None and not (role == "movement" or op.traits.fusion.clears or casts(node)):
            return False
        node = node.args[0]
    return False
