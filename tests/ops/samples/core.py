"""What a sample is, and the arrays in it."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Array:
    """An input array: random (`shape`, between `low` and `high`) or given by `values`."""

    shape: tuple[int, ...] = ()
    dtype: str = "float32"
    low: float = -1.0
    high: float = 1.0
    values: Any = None

    @property
    def full_shape(self) -> tuple[int, ...]:
        """The shape of the array that is built."""
        return self.shape if self.values is None else np.shape(self.values)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.full_shape)

    def make(self, seed: int) -> np.ndarray:
        """Builds the array; the same seed gives the same values under every NumPy."""
        if self.values is not None:
            return np.array(self.values, dtype=self.dtype)
        random = np.random.RandomState(seed)
        if self.dtype == "bool":
            return random.randint(0, 2, self.shape).astype(bool)
        if self.dtype.startswith(("int", "uint")):
            high = max(int(self.high), int(self.low) + 1)
            return random.randint(int(self.low), high, self.shape).astype(self.dtype)
        return random.uniform(self.low, self.high, self.shape).astype(self.dtype)


def rand(*shape: int, dtype: str = "float32", low: float = -1.0, high: float = 1.0) -> Array:
    """A random array of floats in [low, high)."""
    return Array(shape, dtype, low, high)


def ints(*shape: int, low: int = 0, high: int = 5, dtype: str = "int32") -> Array:
    """A random array of whole numbers in [low, high), of any dtype."""
    return (
        Array(shape, dtype, values=None, low=low, high=high)
        if dtype.startswith(("int", "uint"))
        else Array(
            dtype=dtype,
            values=np.random.RandomState(zlib.crc32(repr((shape, low, high)).encode()))
            .randint(low, high, shape)
            .tolist(),
        )
    )


def values(data: Any, dtype: str = "float32") -> Array:
    """An array of the given values."""
    return Array(np.shape(data), dtype, values=data)


_FEW = 9
"""Number of elements up to which an id shows the values of an array."""
_LONG = 30
"""Length to which an id cuts the value of an attribute."""


def _describe_array(array: Array | None) -> str:
    if array is None:
        return "-"
    if array.values is not None and 0 < array.size <= _FEW:
        text = repr(np.asarray(array.values).tolist()).replace(" ", "")
    else:
        text = "x".join(map(str, array.full_shape)) or "scalar"
    if array.values is None and (array.low, array.high) != (-1, 1):
        text += f"({array.low:g}..{array.high:g})"
    return text if array.dtype == "float32" else f"{text}:{array.dtype}"


def _describe_value(value: Any) -> str:
    is_word = isinstance(value, str) and value.isidentifier() and value not in _CONSTANTS
    text = value if is_word else repr(value)
    text = "".join(text.split()).replace("/", "|")
    return text if len(text) <= _LONG else f"{text[: _LONG - 3]}..."


_CONSTANTS = ("None", "True", "False")


@dataclass(frozen=True)
class Sample:
    """One call of an operator.

    Attributes:
        op: Canonical name of the operator. One of the NumPy dialect, which begins with `_np`, may
            also be an alias, such as `_npi_clip`, and is run in scopes of that dialect.
        inputs: Arrays in order; None for a missing optional input.
        attrs: Attributes as a user writes them.
        train: Whether the call is recorded in training mode.
        gradient: Whether gradients are compared with the original's.
        numeric: Whether the gradient is also checked by finite differences (false where the
            operator defines its own, or is not smooth at the sample).
        random: Values are random: only shapes and dtypes are compared.
        raises: The call is a mistake and raises MXNetError, here and in the original.
        rtol, atol: Tolerances against the original.
        oracle: False where the original is wrong or crashes; `why` then says how.
        label: What is special, where two samples of an operator would have the same `id`.
    """

    op: str
    inputs: tuple[Array | None, ...] = ()
    attrs: dict[str, Any] = field(default_factory=dict)
    train: bool = True
    gradient: bool = True
    numeric: bool = True
    random: bool = False
    raises: bool = False
    rtol: float = 1e-4
    atol: float = 1e-5
    oracle: bool = True
    why: str = ""
    label: str = ""

    @property
    def id(self) -> str:
        """A readable name that depends on what is called and not on its place in the table."""
        words = [",".join(map(_describe_array, self.inputs)) or "no arrays"]
        words += [f"{name}={_describe_value(value)}" for name, value in sorted(self.attrs.items())]
        words += [] if self.train else ["predict"]
        words += [f"({self.label})"] if self.label else []
        return f"{self.op}/{' '.join(words)}"

    @property
    def digest(self) -> str:
        """A checksum of the whole call, by which a golden row shows that it belongs to it."""
        content = repr((self.op, self.inputs, sorted(self.attrs.items()), self.train))
        return f"{zlib.crc32(content.encode()):08x}"

    def __str__(self) -> str:
        return self.id

    @property
    def is_numpy(self) -> bool:
        """Whether the call is one of the NumPy dialect: with scalars and arrays of size zero."""
        return self.op.startswith("_np")

    @property
    def seed(self) -> int:
        """Seed of the first input; input `i` uses `seed + i`."""
        return zlib.crc32(self.op.encode())

    def make_inputs(self) -> list[np.ndarray | None]:
        """Builds the input arrays."""
        return [
            None if array is None else array.make((self.seed + index) % 2**32)
            for index, array in enumerate(self.inputs)
        ]

    def make_head_gradients(self, outputs: list[np.ndarray]) -> list[np.ndarray]:
        """Builds a gradient for each output."""
        return [
            np.random.RandomState((self.seed + 1000 + index) % 2**32)
            .uniform(-1, 1, output.shape)
            .astype(output.dtype)
            for index, output in enumerate(outputs)
        ]


def sample(op: str, *inputs: Array | None, **fields: Any) -> Sample:
    """Builds a sample; fields of `Sample` by name, everything else is an attribute.

    Attributes named like a field go into `attrs={...}`.
    """
    known = set(Sample.__dataclass_fields__) - {"op", "inputs", "attrs"}
    attrs = dict(fields.pop("attrs", {}))
    attrs.update({key: fields.pop(key) for key in list(fields) if key not in known})
    return Sample(op, inputs, attrs, **fields)
