"""Shapes that are known in part, and how dialects write them.

Inside of the package a length that is not known is `UNKNOWN`, and a shape of which not even the
number of axes is known is None. So 0 is a length and `()` a shape like others. In the classic
dialect 0 means unknown and `()` that nothing is known; its shapes are converted where they come in
and go out (`ShapeRules`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mxnet.errors import ShapeMismatchError
from mxnet.ops.core.attrs import Shape

UNKNOWN = -1
"""A length that is not known."""


@dataclass(frozen=True, slots=True)
class ShapeRules:
    """How a dialect writes shapes.

    Attributes:
        unknown: What stands for a length that is not known; so do all numbers below it.
        has_scalars: Whether `()` is the shape of a scalar. Otherwise nothing is known of it.
        element: Shape of one element of a vector.
    """

    unknown: int
    has_scalars: bool
    element: Shape

    def read(self, shape: Sequence[int] | None) -> Shape | None:
        """Returns a shape that a program wrote, or a kernel returned, in the inner form."""
        if shape is None or not (shape or self.has_scalars):
            return None
        if min(shape, default=0) > self.unknown:
            return tuple(shape)
        return tuple(UNKNOWN if length <= self.unknown else length for length in shape)

    def write(self, shape: Shape | None) -> Shape | None:
        """Returns a shape in the form that programs of the dialect see."""
        if shape is None:
            return None if self.has_scalars else ()
        return tuple(self.unknown if length == UNKNOWN else length for length in shape)


CLASSIC_SHAPES = ShapeRules(unknown=0, has_scalars=False, element=(1,))
"""Shapes of `mx.nd`, `mx.sym` and files."""

NUMPY_SHAPES = ShapeRules(unknown=-1, has_scalars=True, element=())
"""Shapes of `mx.np` and `mx.sym.np`, and of the others inside of `np_shape`."""

PARAMETER_SHAPES = ShapeRules(unknown=0, has_scalars=True, element=(1,))
"""Shapes of parameters. None is empty, so that 0 means unknown in every dialect."""


def list_lengths(shape: Any) -> Any:
    """Returns the lengths of a shape that a program gave: one, or a collection or array of them."""
    if isinstance(shape, np.ndarray):
        return shape.reshape(-1).tolist()
    return (int(shape),) if isinstance(shape, (int, np.integer)) else shape


def shape_is_known(shape: Sequence[int] | None) -> bool:
    """Returns whether the number of axes and all lengths are known."""
    return shape is not None and UNKNOWN not in shape


def shapes_agree(first: Shape, second: Shape) -> bool:
    """Returns whether two shapes may be of one array."""
    return len(first) == len(second) and all(
        one == other or UNKNOWN in (one, other) for one, other in zip(first, second, strict=True)
    )


def show_shape(shape: Shape) -> str:
    """Writes a shape for messages, such as `(?, 3)`."""
    lengths = ", ".join("?" if length == UNKNOWN else str(length) for length in shape)
    return f"({lengths},)" if len(shape) == 1 else f"({lengths})"


def merge_shapes(first: Shape | None, second: Shape | None) -> Shape | None:
    """Joins what is known of a shape.

    Raises:
        ShapeMismatchError: if the two contradict each other.
    """
    if first is None or second is None or first == second:
        return second if first is None else first
    if not shapes_agree(first, second):
        raise ShapeMismatchError(
            f"shape {show_shape(first)} does not agree with {show_shape(second)}"
        )
    return tuple(other if one == UNKNOWN else one for one, other in zip(first, second, strict=True))
