"""Open lengths of inputs in the graph: which results have them, and how to repeat along them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet import symbol
from mxnet.onnx._import.functions import sym
from mxnet.onnx._import.lengths import Axis, Length
from mxnet.onnx._import.values import NotImportableError
from mxnet.symbol import Symbol

_PRIMES = (101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179)
"""Lengths that stand for open ones; twice as many as names are followed."""


class OpenLengths:
    """The lengths that inputs of a model leave open, by their names.

    Shapes are inferred twice, with one prime number in place of each open length and then with
    another. Which lengths of a result depend on which of an input follows from both.
    """

    def __init__(self) -> None:
        self._shapes: dict[str, tuple[Axis, ...]] = {}
        self._lengths: dict[str, tuple[Symbol, int]] = {}

    def add_input(self, variable: Symbol, shape: tuple[Axis, ...]) -> None:
        """Notes the shape of an input.

        Args:
            variable: The input.
            shape: Its lengths.
        """
        self._shapes[str(variable.name)] = shape
        for axis, length in enumerate(shape):
            if not isinstance(length, Length) or length.name is None:
                continue
            if len(self._lengths) < len(_PRIMES) // 2:
                self._lengths.setdefault(length.name, (variable, axis))

    def is_of_input(self, length: Length) -> bool:
        """Returns whether a length is known by the shape of an input."""
        return length.name in self._lengths

    def infer(self, computed: Any) -> tuple[Axis, ...] | None:
        """Infers the shape of a symbol of the NumPy dialect, None if it is not known at all."""
        names = list(self._lengths)
        results = []
        for primes in (_PRIMES[: len(names)], _PRIMES[len(names) : 2 * len(names)]):
            lengths = dict(zip(names, primes, strict=True))
            known = set(computed.list_inputs())
            given = {
                key: tuple(
                    lengths.get(length.name or "", -1) if isinstance(length, Length) else length
                    for length in shape
                )
                for key, shape in self._shapes.items()
                if key in known
            }
            shape = computed.infer_shape_partial(**given)[1][0]
            if shape is None:
                return None
            results.append(shape)
        rows = zip(names, _PRIMES[: len(names)], _PRIMES[len(names) :], strict=False)
        table = [(name, one, other) for name, one, other in rows]
        return tuple(_explain(a, b, table) for a, b in zip(*results, strict=True))

    def spread(self, computed: Symbol, shape: Sequence[Axis]) -> Symbol:
        """Repeats a symbol along the axes whose lengths are open and named by an input.

        Args:
            computed: The symbol, which has 1 where a length is open.
            shape: The lengths that it is to have.

        Raises:
            NotImportableError: No input has a length of this name.
        """
        for axis, length in enumerate(shape):
            if not isinstance(length, Length):
                continue
            if length.name not in self._lengths or length.factor != 1:
                raise NotImportableError(
                    "it depends on a length that the file leaves open; give the shapes of the "
                    "inputs: import_model(file, shapes={name: shape})"
                )
            variable, place = self._lengths[length.name]
            computed = symbol.broadcast_like(
                computed, variable, lhs_axes=(axis,), rhs_axes=(place,)
            )
        return computed

    def range_of(self, length: Axis) -> Symbol:
        """Returns the numbers from 0 up to an open length that an input has."""
        name = length.name if isinstance(length, Length) and length.factor == 1 else None
        if name not in self._lengths:
            raise NotImportableError(
                "start, limit and delta must be known when the model is imported; give the shapes "
                "of the inputs: import_model(file, shapes={name: shape})"
            )
        variable, place = self._lengths[name]
        result: Symbol = sym.contrib.arange_like(sym.Cast(variable, dtype="float32"), axis=place)
        return result


def _explain(one: int, other: int, primes: Sequence[tuple[str, int, int]]) -> Axis:
    """Returns the length that is one number for some primes and another for others."""
    if one < 0 or other < 0:
        return Length()
    if one == other:
        return one
    for name, first, second in primes:
        if one % first == 0 and other % second == 0 and one // first == other // second:
            return Length(name, one // first)
    return Length()
