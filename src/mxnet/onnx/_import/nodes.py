"""Nodes and values of an ONNX graph as converters see them, and what they write graphs with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as onp

from mxnet import limits, symbol
from mxnet.errors import shorten, shown
from mxnet.onnx._import.budget import ELEMENTS, MOST_AXES, NODES, Budget, volume
from mxnet.onnx._import.lengths import Axis, Length, NotImportableError, is_open
from mxnet.symbol import Symbol

sym: Any = symbol
np: Any = symbol.numpy
npx: Any = symbol.numpy_extension

Array: TypeAlias = onp.ndarray[Any, Any]
Guess: TypeAlias = (
    "tuple[Callable[[Value], tuple[Axis, ...] | None], Callable[[Value], str | None]]"
)


class Value:
    """A tensor of the graph.

    Args:
        name: Its name in the file.
        make_symbol: Makes the symbol that computes it, when it is first needed.
        dtype: Name of its element type in NumPy, None if the file does not tell it.
        shape: Its lengths, None if not even their number is told.
        constant: Its elements, if they are known now.
        guess: What finds its shape and what finds its dtype, if they are not given.
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

    @property
    def dtype(self) -> str | None:
        """Name of its element type in NumPy, None if it is not known."""
        if self._dtype is None and self._guess is not None:
            self._dtype = self._guess[1](self)
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
        if self._shape is None and self._guess is not None:
            self._shape = self._guess[0](self)
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
        array = self.constant
        if array is None or array.size != 1 or array.dtype.kind not in "fiu":
            return None
        number = array.reshape(()).item()
        return float(number) if self.is_float else int(number)


def describe_node(name: str, domain: str, op_type: str, version: int) -> str:
    """Returns a node as messages name it."""
    operator = shorten(f"{domain}.{op_type}" if domain else op_type)
    return f"node {shown(name)} ({operator}, opset {version})"


def describe_shape(shape: tuple[Axis, ...]) -> str:
    """Returns a shape as messages show it, open lengths by their names."""
    return f"({', '.join(map(str, shape))})"


class Setting(NamedTuple):
    """What nodes of a graph or of a function share.

    Attributes:
        opsets: Versions of the domains of operators.
        references: Attributes of the function that the nodes are the body of, as the file has them.
    """

    opsets: Mapping[str, int]
    references: Mapping[str, Any]


_LONGEST_PROBLEM = 1000
"""Characters of a message, which may hold names of the file."""
_MOST_MADE = 1 << 24
"""Elements of constants that a node may need beside those of the file."""


@dataclass(slots=True, eq=False)
class Node:
    """A node of the graph.

    Attributes:
        op_type: Name of its operator.
        name: Its name, or that of its first output.
        domain: Domain of the operator, empty for ONNX's own.
        version: Version of the domain that the file was written for.
        attrs: Attributes; strings are `str`.
        inputs: What it reads, None where an input is left out.
        outputs: Names of its outputs, empty where one is left out.
        importer: What imports graphs inside of it.
        scope: Values that graphs inside of it may read, by name.
        setting: What it shares with the nodes around it.
    """

    op_type: str
    name: str
    domain: str
    version: int
    attrs: Mapping[str, Any]
    inputs: Sequence[Value | None]
    outputs: Sequence[str]
    importer: Any
    scope: Any
    setting: Setting

    @property
    def budget(self) -> Budget:
        """What is left to the import."""
        budget: Budget = self.importer.file.budget
        return budget

    @property
    def place(self) -> str:
        """The node as messages name it, without the file."""
        return describe_node(self.name, self.domain, self.op_type, self.version)

    def error(self, problem: str) -> NotImportableError:
        """Returns the error for a node that cannot be imported in this form."""
        text = shorten(problem, _LONGEST_PROBLEM)
        return NotImportableError(f"{self.budget.origin}: {self.place}: {text}")

    def repeat(self, count: int, weight: int = 1) -> range:
        """Returns the numbers from 0 for what a converter does so often on the word of a file.

        Args:
            count: How often.
            weight: How many operators it writes each time, which are counted when it is done.

        Raises:
            LimitExceededError: That is more than is left to the import.
        """
        self.budget.require(NODES, max(count, 0) * weight, self.place)
        return range(count)

    def get(self, name: str, default: Any = None) -> Any:
        """Returns an attribute."""
        value = self.attrs.get(name, default)
        if default is None or value is default:
            return value
        wanted = type(default)
        if wanted is float and isinstance(value, int):
            return float(value)
        if not isinstance(value, wanted):
            raise self.error(f"attribute {name!r} takes a {wanted.__name__}, got {shown(value)}")
        return value

    def ints(self, name: str, default: Sequence[int] | None = None) -> list[int] | None:
        """Returns an attribute that is a list of integers."""
        value = self.attrs.get(name)
        if value is None:
            return None if default is None else list(default)
        if not isinstance(value, (list, tuple)) or not all(isinstance(i, int) for i in value):
            raise self.error(f"attribute {name!r} takes a list of integers, got {shown(value)}")
        return list(value)

    def check_made(self, count: int) -> None:
        """Raises if a converter would make too many elements of a constant."""
        if count > _MOST_MADE:
            raise self.error(f"it would need a constant of {count:,} elements")
        self.budget.spend(ELEMENTS, count, self.place)

    def check_axes(self, count: int) -> None:
        """Raises if a file speaks of more axes than arrays have."""
        if count > MOST_AXES:
            raise self.error(f"it has {count} axes, the most are {MOST_AXES}")

    def check_size(self, shape: Sequence[Any]) -> None:
        """Raises if an array of this shape, as far as it is known, is beyond the limit."""
        if len(shape) > 2 * MOST_AXES:  # those of an array, and how often each is repeated
            self.check_axes(len(shape))
        known = [int(length) for length in shape if isinstance(length, (int, onp.integer))]
        limits.check("array_bytes", volume(known), f"{self.budget.origin}: {self.place}")

    def input(self, place: int) -> Value | None:
        """Returns an input, None if it is left out."""
        return self.inputs[place] if place < len(self.inputs) else None

    def need(self, place: int) -> Value:
        """Returns an input that must be there."""
        value = self.input(place)
        if value is None:
            raise self.error(f"input {place} is missing")
        return value

    def constant(self, place: int, what: str) -> Array | None:
        """Returns the elements of an input, which must be known; None if it is left out."""
        value = self.input(place)
        if value is None:
            return None
        if value.constant is None:
            raise self.error(
                f"{what} must be known when the model is imported, but {value.name!r} is computed "
                "from an input; give the shapes of the inputs: "
                "import_model(file, shapes={name: shape})"
            )
        return value.constant

    def known(self, place: int, what: str) -> Array:
        """Returns the elements of an input that must be there and known."""
        array = self.constant(place, what)
        if array is None:
            raise self.error(f"{what} is missing")
        return array

    def integers(self, place: int, what: str) -> list[int] | None:
        """Returns the elements of an input of integers, all of which must be known."""
        array = self.constant(place, what)
        if array is None:
            return None
        if is_open(array):
            raise self.error(
                f"{what} depends on a length that the file leaves open; give the shapes of the "
                "inputs: import_model(file, shapes={name: shape})"
            )
        if array.dtype.kind not in "iu":
            raise self.error(f"{what} must be integers, got {array.dtype}")
        return [int(item) for item in onp.atleast_1d(array).ravel()]

    def ints_or_input(self, name: str, place: int, since: int) -> list[int] | None:
        """Returns integers that newer versions have as an input and older ones as an attribute."""
        return self.integers(place, name) if self.version >= since else self.ints(name)

    def axis(self, value: Value, default: int, name: str = "axis") -> int:
        """Returns an attribute that is an axis of a value, counted from the front."""
        return self.normalize(self.get(name, default), value.ndim)

    def normalize(self, axis: int, ndim: int) -> int:
        """Returns an axis counted from the front."""
        if not -ndim <= axis < max(ndim, 1):
            raise self.error(f"axis {axis} is not one of {ndim} axes")
        return axis % ndim if ndim else 0


def operands(a: Value, b: Value) -> tuple[Any, Any]:
    """Returns two inputs, a constant of one element as a number where that means the same."""
    if b.scalar is not None and len(b.lengths) <= _ndim_or_zero(a) and a.constant is None:
        return a.np, b.scalar
    if a.scalar is not None and len(a.lengths) <= _ndim_or_zero(b) and b.constant is None:
        return a.scalar, b.np
    return a.np, b.np


def _ndim_or_zero(value: Value) -> int:
    try:
        return value.ndim
    except NotImportableError:
        return 0


def cast(x: Any, dtype: str | None) -> Any:
    """Converts the elements of a symbol of either dialect.

    Args:
        x: The symbol.
        dtype: Name of the element type, float32 if it is not known.

    Returns:
        A symbol of the NumPy dialect.
    """
    if dtype == "bool":
        return np.not_equal(x.as_np_ndarray(), 0)
    return sym.Cast(x.as_nd_ndarray(), dtype=dtype or "float32").as_np_ndarray()


def pick_last(x: Any, place: int) -> Any:
    """Returns the elements at a place of the last axis of a symbol, without that axis."""
    picked = sym.slice_axis(x.as_nd_ndarray(), axis=-1, begin=place, end=place + 1)
    return np.squeeze(picked.as_np_ndarray(), axis=-1)
