"""The lengths that inputs of a model leave open, and graphs that depend on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet import symbol
from mxnet.onnx._import.inference import MOST_FOLLOWED, Inference
from mxnet.onnx._import.lengths import Axis, Length, NotImportableError
from mxnet.symbol import Symbol


class OpenLengths:
    """The lengths that inputs of a model leave open, by their names.

    Args:
        inference: Follows them through the graph.
    """

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._lengths: dict[str, tuple[Symbol, int]] = {}

    def add_input(self, variable: Symbol, shape: tuple[Axis, ...]) -> None:
        """Notes the shape of an input.

        Args:
            variable: The input.
            shape: Its lengths.
        """
        self._inference.add_input(variable, shape)
        for axis, length in enumerate(shape):
            if not isinstance(length, Length) or length.name is None:
                continue
            if len(self._lengths) < MOST_FOLLOWED and length.name not in self._lengths:
                self._lengths[length.name] = (variable, axis)
                self._inference.follow(length.name)

    def is_of_input(self, length: Length) -> bool:
        """Returns whether a length is known by the shape of an input."""
        return length.name in self._lengths

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
        contrib: Any = symbol.contrib  # stubs do not know this function
        result: Symbol = contrib.arange_like(symbol.Cast(variable, dtype="float32"), axis=place)
        return result
