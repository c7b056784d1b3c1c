"""A program that is being made: its arrays so far, and choices that fit them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import mxnet as mx
from tools.random_programs.modes import array_of, attempt
from tools.random_programs.steps import names_read, perform, result_names
from tools.random_programs.values import FLOATS, INTEGERS

DTYPES = {
    "float32": 55, "float64": 12, "float16": 10, "int32": 8, "int64": 6, "uint8": 4,
    "int8": 3, "bool": 2,
}  # fmt: skip
SIZES = {1: 3, 2: 5, 3: 5, 4: 4, 5: 2, 7: 1}
NDIMS = {1: 4, 2: 8, 3: 6, 4: 3, 5: 1}
DRAWS = {"any": 40, "positive": 16, "unit": 16, "small": 8, "special": 1}
MANY_ELEMENTS = 2000


class Draft:
    """A program that grows, with its arrays, so that the next step can fit them.

    Args:
        name: Name of the program.
        seed: What all choices depend on.
        dialect: "nd", "np" or "sparse".
    """

    def __init__(self, name: str, seed: int, dialect: str = "nd") -> None:
        self.name = name
        self.dialect = dialect
        self.numpy = dialect == "np"
        self.random = random.Random(seed)
        self.inputs: dict[str, dict[str, Any]] = {}
        self.steps: list[dict[str, Any]] = []
        self.arrays: dict[str, Any] = {}
        self._used_once: set[str] = set()

    def data(self) -> dict[str, Any]:
        """Returns the program."""
        made = {"name": self.name, "inputs": self.inputs, "steps": self.steps}
        return made | ({"dialect": self.dialect} if self.dialect != "nd" else {})

    def add(self, step: dict[str, Any]) -> None:
        """Appends a step and carries it out."""
        index = len(self.steps)
        self.steps.append(step)
        made = self.outcome(step)
        if all(self.fits(array) for array in made):
            self.arrays.update(zip(result_names(index, len(made)), made, strict=True))

    def outcome(self, step: dict[str, Any]) -> list[Any]:
        """Returns the results of a step, none if it raises."""
        if any(name not in self.arrays for name in names_read(step)):
            return []
        frontend = mx if self.numpy else mx.nd
        return attempt(lambda: perform(frontend, step, self.arrays))[1]

    def fits(self, array: Any) -> bool:
        """Returns whether later steps may get a result.

        Outside of the NumPy dialect the original can hardly do anything with arrays without axes.
        """
        return (
            hasattr(array, "asnumpy")
            and math.prod(array.shape) <= MANY_ELEMENTS
            and bool(array.shape or self.numpy)
        )

    # Choices

    def chance(self, probability: float) -> bool:
        """Returns True with a probability."""
        return self.random.random() < probability

    def one(self, choices: Sequence[Any]) -> Any:
        """Returns one of the choices."""
        return self.random.choice(choices)

    def weighted(self, weights: dict[Any, float]) -> Any:
        """Returns one of the keys, by their weights."""
        return self.random.choices(list(weights), list(weights.values()))[0]

    def whole(self, low: int, high: int) -> int:
        """Returns a whole number from `low` to `high`, both included."""
        return self.random.randint(low, high)

    def some_shape(self, ndim: int | None = None) -> tuple[int, ...]:
        """Returns a shape; one in a hundred has a length of 0, in the NumPy dialect more."""
        if ndim is None and self.numpy and self.chance(0.05):
            return ()
        ndim = self.weighted(NDIMS) if ndim is None else ndim
        sizes = [self.weighted(SIZES) for _ in range(ndim)]
        if ndim and self.dialect != "sparse" and self.chance(0.025 if self.numpy else 0.01):
            sizes[self.whole(0, ndim - 1)] = 0
        return tuple(sizes)

    def some_dtype(self) -> str:
        """Returns a dtype, float32 most often."""
        return self.weighted(DTYPES)

    def axis(self, name: str) -> int:
        """Returns an axis of an array, which may count from the end, and is rarely out of range."""
        ndim = max(len(self.shape(name)), 1)
        if self.chance(0.01):
            return self.one([ndim, -ndim - 1])
        return self.whole(-ndim, ndim - 1)

    def axes(self, name: str) -> Any:
        """Returns an axis or several different ones."""
        ndim = len(self.shape(name))
        if ndim < 2 or self.chance(0.6):
            return self.axis(name)
        chosen = self.random.sample(range(ndim), self.whole(1, ndim))
        return [axis - ndim if self.chance(0.3) else axis for axis in chosen]

    def options(self, **table: Sequence[Any]) -> dict[str, Any]:
        """Returns attributes, each with one of its choices, or left out, with even chances."""
        return {name: self.one(choices) for name, choices in table.items() if self.chance(0.5)}

    def number(self) -> Any:
        """Returns a number as programs write it beside an array."""
        value = self.one([0, 1, 2, 3, -1, -2, 0.5, 2.0, -1.5, 0.25, 10, 1e-3, 100.0])
        if self.chance(0.8):
            return value
        if self.chance(0.2):
            return bool(value > 0)
        if isinstance(value, float):
            return {"np": self.one(FLOATS), "is": value}
        return {"np": self.one(["int32", "int64", "float32"]), "is": value}

    # Arrays

    def shape(self, name: str) -> tuple[int, ...]:
        """Returns the shape of an array."""
        return tuple(self.arrays[name].shape)

    def dtype(self, name: str) -> str:
        """Returns the dtype of an array."""
        return np.dtype(self.arrays[name].dtype).name

    def stype(self, name: str) -> str:
        """Returns the storage type of an array."""
        found: str = self.arrays[name].stype
        return found

    def new(
        self,
        shape: Sequence[int] | None = None,
        dtype: str | None = None,
        draw: Any = None,
        once: bool = False,
        stype: str = "default",
    ) -> str:
        """Adds an input and returns its name; no later step gets one that is used `once`."""
        shape = self.some_shape() if shape is None else shape
        recipe = {
            "shape": [int(length) for length in shape],
            "dtype": dtype or self.some_dtype(),
            "draw": draw or self.weighted(DRAWS),
            "seed": self.whole(0, 2**31 - 1),
        }
        if stype != "default":
            recipe["stype"] = stype
        name = f"x{len(self.inputs)}"
        self.inputs[name] = recipe
        self.arrays[name] = array_of(recipe)
        if once:
            self._used_once.add(name)
        return name

    def any(
        self, ndim: int | Sequence[int] | None = None, dtype: str | Sequence[str] | None = None,
        fits: Callable[[tuple[int, ...]], bool] | None = None,
    ) -> str:  # fmt: skip
        """Returns an array that fits: mostly a recent result, otherwise a new input."""
        ndims = (ndim,) if isinstance(ndim, int) else ndim
        dtypes = (dtype,) if isinstance(dtype, str) else dtype
        if self.chance(0.85):
            for name in self.recent():
                shape = self.shape(name)
                if (
                    (ndims is None or len(shape) in ndims)
                    and (dtypes is None or self.dtype(name) in dtypes)
                    and (fits is None or fits(shape))
                ):
                    return name
        chosen = self.one(tuple(ndims)) if ndims else None
        shape = self.some_shape(chosen)
        while fits is not None and not fits(shape):
            shape = self.some_shape(chosen)
        return self.new(shape, self._one_dtype(dtypes))

    def _one_dtype(self, dtypes: Sequence[str] | None) -> str:
        if dtypes is None:
            return self.some_dtype()
        return self.weighted({dtype: DTYPES[dtype] for dtype in dtypes})

    def recent(self) -> list[str]:
        """Returns the names of arrays in a random order, in which late ones tend to come first."""
        places = {n: place for place, n in enumerate(self.arrays) if n not in self._used_once}
        return sorted(places, key=lambda name: -places[name] * self.random.random())

    def float(self, ndim: int | Sequence[int] | None = None, **more: Any) -> str:
        """Returns an array of floats."""
        return self.any(ndim, FLOATS, **more)

    def like(self, name: str, shape: Sequence[int] | None = None) -> str:
        """Returns another array with the dtype of `name`, and its shape or another one."""
        wanted = self.shape(name) if shape is None else tuple(shape)
        dtype = self.dtype(name)
        if self.chance(0.5):
            for other in self.recent():
                if self.shape(other) == wanted and self.dtype(other) == dtype:
                    return other
        return self.new(wanted, dtype if dtype in DTYPES else "float32")

    def broadcast(self, name: str) -> str:
        """Returns an array of the same dtype whose shape broadcasts with that of `name`, mostly."""
        shape = [1 if self.chance(0.3) else length for length in self.shape(name)]
        if self.chance(0.02):
            shape = list(self.some_shape())
        return self.like(name, shape)

    def indices(self, shape: Sequence[int], size: int, dtype: str | None = None) -> str:
        """Adds an input of indices into an axis; some count from the end or are too large."""
        draw = [-size, size] if self.chance(0.15) else [0, size]
        if self.chance(0.1):
            draw = [-1, size + 2]
        return self.new(shape, dtype or self.one(["int32", "int64", "float32", "float32"]), draw)


def call(name: str, *given: str, args: Sequence[Any] = (), **attrs: Any) -> dict[str, Any]:
    """Returns a step that calls a function."""
    return {"do": "call", "name": name, "in": list(given), "attrs": attrs} | (
        {"args": list(args)} if args else {}
    )


def method(name: str, *given: str, args: Sequence[Any] = (), **attrs: Any) -> dict[str, Any]:
    """Returns a step that calls a method of the first array."""
    return call(name, *given, args=args, **attrs) | {"do": "method"}


__all__ = ["FLOATS", "INTEGERS", "Draft", "call", "method"]
