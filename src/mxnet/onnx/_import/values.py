"""What a name of an ONNX graph stands for while it is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from mxnet.errors import MXNetError
from mxnet.onnx._import.lengths import Axis, Length
from mxnet.symbol import Symbol

Array: TypeAlias = np.ndarray[Any, Any]
Guess: TypeAlias = "Callable[[Value], tuple[tuple[Axis, ...] | None, str | None]]"


class NotImportableError(MXNetError, NotImplementedError):
    """Raised for a node that this package has no operator for, or not in this form."""


class Value:
    """A tensor of the graph.

    Args:
        name: Its name in the file.
        make_symbol: Makes the symbol that computes it, when it is first needed.
        dtype: Name of its element type in NumPy, None if the file does not tell it.
        shape: Its lengths, None if not even their number is told.
        constant: Its elements, if they are known now.
        guess: Finds shape and dtype from its symbol, if the file does not tell them.
    """

    def __init__(
        self,
        name: str,
        make_symbol: Callable[[Value], Symbol],
        dtype: str | None = None,
        shape: tuple[Axis, ...] | None = None,
        constant: Array | None = None,
        guess: Guess | None = None,
    ) -> None:
        self.name, self.constant = name, constant
        self._make_symbol, self._guess = make_symbol, guess
        self._dtype, self._shape = dtype, shape
        self._symbol: Symbol | None = None

    def _complete(self) -> None:
        if self._guess is not None:
            guess, self._guess = self._guess, None
            shape, dtype = guess(self)
            self._shape = shape if self._shape is None else self._shape
            self._dtype = dtype if self._dtype is None else self._dtype

    @property
    def dtype(self) -> str | None:
        """Name of its element type in NumPy, None if it is not known."""
        if self._dtype is None:
            self._complete()
        return self._dtype

    @property
    def sym(self) -> Symbol:
        """The symbol that computes it, of the classic dialect."""
        if self._symbol is None:
            self._symbol = self._make_symbol(self)
        return self._symbol

    @property
    def np(self) -> Any:
        """The symbol that computes it, of the NumPy dialect."""
        computed: Any = self.sym  # stubs do not know the other dialect
        return computed.as_np_ndarray()

    @property
    def lengths(self) -> tuple[Axis, ...]:
        """Its shape, some lengths of which may be open."""
        if self._shape is None:
            self._complete()
        if self._shape is None:
            raise NotImportableError(
                f"the number of axes of {self.name!r} is not known; give the shapes of the inputs: "
                "import_model(file, shapes={name: shape})"
            )
        return self._shape

    @property
    def ndim(self) -> int:
        """Number of its axes."""
        return len(self.lengths)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Its shape, all lengths of which must be known."""
        lengths = self.lengths
        if any(isinstance(length, Length) for length in lengths):
            raise NotImportableError(
                f"the shape {describe_shape(lengths)} of {self.name!r} must be known; give the "
                "shapes of the inputs: import_model(file, shapes={name: shape})"
            )
        return tuple(int(length) for length in lengths if not isinstance(length, Length))

    @property
    def is_float(self) -> bool:
        """Whether its elements are floating point numbers; true if that is not known."""
        return self.dtype is None or "float" in self.dtype

    @property
    def scalar(self) -> float | None:
        """Its only element, if it is known and a number of the usual kinds."""
        if (
            self.constant is None
            or self.constant.size != 1
            or self.constant.dtype.kind not in "fiu"
        ):
            return None
        number = self.constant.reshape(()).item()
        return float(number) if self.is_float else int(number)


def describe_shape(shape: tuple[Axis, ...]) -> str:
    """Returns a shape as messages show it, open lengths by their names."""
    return f"({', '.join(map(str, shape))})"
