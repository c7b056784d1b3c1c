"""Shapes of a node from shapes that are known in part.

A kernel knows whole shapes alone. It is run twice, with different lengths in the place of unknown
ones: what differs between the results is unknown. Where the kernel refuses them, because an
unknown length has to be one that is known elsewhere, such lengths are tried, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeAlias

import torch

from mxnet.errors import MXNetError, ShapeMismatchError
from mxnet.graph.infer.kernels import ask_kernel, find_quickly
from mxnet.graph.infer.types import Types
from mxnet.graph.ir import Node
from mxnet.ops.core.attrs import UNKNOWN, Shape, shape_is_known
from mxnet.ops.core.registry import Op, shapes_from_data
from mxnet.ops.meta import DataDependentShapeError

_STAND_INS = (12, 24)
"""Lengths that stand for an unknown one."""
_MOST_TRIED = 32
"""Attempts to find lengths that a kernel takes; each takes about a tenth of a millisecond."""

Results: TypeAlias = Sequence[Shape | None]


def fill_shapes(node: Node, op: Op, first: Shape) -> dict[str, Shape]:
    """Returns the shapes of the other inputs; lengths that come from unknown ones are unknown."""
    if shape_is_known(first):
        return shapes_from_data(op, first, node.settings)
    try:
        one, other = (
            shapes_from_data(op, _substitute(first, length), node.settings) for length in _STAND_INS
        )
    except ShapeMismatchError:
        return {}
    filled = {name: _common(one[name], other[name]) for name in one}
    try:  # axes of length 1 may be left out
        single = shapes_from_data(op, _substitute(first, 1), node.settings)
    except ShapeMismatchError:
        single = {}
    return {
        name: shape
        for name, shape in filled.items()
        if shape is not None and len(single.get(name, shape)) == len(shape)
    }


def compute_shapes(node: Node, op: Op, inputs: Results, types: Types) -> Results:
    """Returns the shapes of the outputs of a node as far as those of its inputs tell them."""
    if op.traits.shapes.open_lengths:
        complete = op.traits.shapes.complete
        if complete is None:
            if _is_open(node.settings["shape"]):
                return [node.settings["shape"]]
        elif complete(1, node.settings) is not None:
            return [(-1,)]
    shapes = [shape for shape in inputs if shape is not None]
    if len(shapes) < len(inputs):
        return _tell_early(node, op, inputs)
    dtypes = [types.get(entry, torch.float32) for entry in node.inputs]
    if not all(map(shape_is_known, shapes)):
        if op.traits.shapes.partial is not None:
            return [op.traits.shapes.partial(inputs, node.settings)]
        question = _Question(node, op, dtypes)
        free = question.ask(shapes)
        return free or _tell_early(node, op, inputs) or question.search(shapes)
    try:
        return _run(node, op, shapes, dtypes)
    except DataDependentShapeError:
        return []


def _tell_early(node: Node, op: Op, inputs: Results) -> Results:
    rule = op.traits.shapes.early
    shape = None if rule is None else rule(inputs, node.settings)
    return [] if shape is None else [shape]


def _is_open(shape: Shape | None) -> bool:
    """Returns whether an array is to be made whose shape others tell, such as `(2, -1)`."""
    return shape is None or min(shape, default=0) < 0


class _Question:
    """Asks a kernel about shapes that are known in part.

    Args:
        node: The node.
        op: Its operator.
        dtypes: Element types of its inputs.
    """

    def __init__(self, node: Node, op: Op, dtypes: Sequence[torch.dtype]) -> None:
        self._node, self._op, self._dtypes = node, op, dtypes

    def ask(self, shapes: Sequence[Shape]) -> Results:
        """Returns what is the same for all lengths, nothing if the kernel refuses some."""
        try:
            results = [self._run(shapes, length) for length in _STAND_INS]
        except MXNetError:
            return []
        try:
            single = self._run(shapes, 1)
        except MXNetError:
            single = results[0]
        # Axes of length 1 may be left out; that the others have another length is not known.
        return [
            shape if shape is None or len(shape) == len(other) else None
            for shape, other in zip(_common_to_all(results), single, strict=True)
        ]

    def search(self, shapes: Sequence[Shape]) -> Results:
        """Returns what is the same for all lengths that are known elsewhere."""
        attempts = islice(_with_known_lengths(shapes), _MOST_TRIED)
        found = [result for attempt in attempts if (result := self.ask(attempt))]
        return _common_to_all(found) if found else []

    def _run(self, shapes: Sequence[Shape], length: int) -> list[Shape]:
        stood = [_substitute(shape, length) for shape in shapes]
        return _run(self._node, self._op, stood, self._dtypes)


def _common_to_all(results: Sequence[Results]) -> Results:
    common = results[0]
    for other in results[1:]:
        common = [
            None if one is None or two is None else _common(one, two)
            for one, two in zip(common, other, strict=True)
        ]
    return common


def _with_known_lengths(shapes: Sequence[Shape]) -> Iterator[Sequence[Shape]]:
    """Yields the shapes with a known length in the place of an unknown one.

    Small lengths are among them, so that one which a kernel takes, but which it does not need,
    is not the only one.
    """
    known = {length for shape in shapes for length in shape if length != UNKNOWN}
    choices = sorted(known | {1, 2}) if known else ()
    for number, shape in enumerate(shapes):
        rest = [other for place, other in enumerate(shapes) if place != number]
        if UNKNOWN in shape and any(len(other) == len(shape) for other in rest):
            yield [*shapes[:number], _aligned(shape, rest), *shapes[number + 1 :]]
    for number, shape in enumerate(shapes):
        for axis, length in enumerate(shape):
            if length == UNKNOWN:
                for choice in choices:
                    chosen = (*shape[:axis], choice, *shape[axis + 1 :])
                    yield [*shapes[:number], chosen, *shapes[number + 1 :]]


def _aligned(shape: Shape, others: Sequence[Shape]) -> Shape:
    """Returns a shape with the lengths of another one of as many axes where it has none."""
    lengths = list(shape)
    for other in others:
        if len(other) == len(shape):
            lengths = [b if a == UNKNOWN else a for a, b in zip(lengths, other, strict=True)]
    return tuple(lengths)


def _run(node: Node, op: Op, inputs: Sequence[Shape], dtypes: Sequence[torch.dtype]) -> list[Shape]:
    quick = find_quickly(op, inputs, dtypes, node.settings)
    if quick is not None:
        return [quick]
    if op.variadic:
        return [shape for shape, _ in ask_kernel(op, inputs, dtypes, node.parsed)]
    by_name = dict(zip(node.input_names, zip(inputs, dtypes, strict=True), strict=True))
    placed = [by_name.get(item.name, (None, None)) for item in op.inputs]
    outputs = ask_kernel(
        op, [shape for shape, _ in placed], [dtype for _, dtype in placed], node.parsed
    )
    return [shape for shape, _ in outputs]


def _substitute(shape: Shape, length: int) -> Shape:
    return tuple(length if each == UNKNOWN else each for each in shape)


def _common(one: Shape, other: Shape) -> Shape | None:
    if len(one) != len(other):
        return None
    return tuple(a if a == b else UNKNOWN for a, b in zip(one, other, strict=True))
