"""What a case is, and how it is run; nothing here but NumPy and the `mx` that is handed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Array:
    """An array among the arguments of a call."""

    values: Any
    dtype: str = "float32"

    def make(self) -> np.ndarray:
        """Builds the array."""
        return np.array(self.values, dtype=self.dtype)

    def __repr__(self) -> str:
        shape = "x".join(map(str, np.shape(self.values)))
        return f"<{shape}>" if self.dtype == "float32" else f"<{shape} {self.dtype}>"


def arr(*shape: int, dtype: str = "float32") -> Array:
    """Returns an array of small numbers that are all different up to eleven elements."""
    numbers = np.arange(int(np.prod(shape))) * 7 % 11
    if dtype.startswith("float"):
        numbers = (numbers - 5) / 4
    return Array(numbers.astype(dtype).reshape(shape).tolist() if shape else numbers[0], dtype)


def values(data: Any, dtype: str = "float32") -> Array:
    """Returns an array of given values."""
    return Array(data, dtype)


@dataclass(frozen=True)
class Case:
    """A call of a function.

    Attributes:
        function: Its name in `mx.np`, such as `linalg.norm`; `.T` is a property or method of the
            first argument.
        args: Arguments; arrays may be in lists and tuples.
        kwargs: Arguments by name.
        gradient: Whether gradients are compared.
        why: Why the original is not the judge, if it is not: what it does wrong.
    """

    function: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    gradient: bool = True
    why: str = ""

    @property
    def id(self) -> str:
        """What the case is called, which is also the key of its results."""
        words = [repr(argument) for argument in self.args]
        words += [f"{name}={value!r}" for name, value in self.kwargs.items()]
        return f"{self.function}({', '.join(words)})"

    @property
    def arrays(self) -> list[Array]:
        """The arrays among the arguments, in order."""
        return list(find_arrays([*self.args, *self.kwargs.values()]))


def case(function: str, *args: Any, **kwargs: Any) -> Case:
    """Builds a case; `gradient` and `why` are fields, all other names are arguments."""
    fields = {name: kwargs.pop(name) for name in ("gradient", "why") if name in kwargs}
    return Case(function, args, kwargs, **fields)


def find_arrays(value: Any) -> Iterator[Array]:
    """Yields the arrays in an argument."""
    if isinstance(value, Array):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from find_arrays(item)


def fill_in(value: Any, make: Callable[[Array], Any]) -> Any:
    """Returns an argument with each array replaced by what `make` returns for it."""
    if isinstance(value, Array):
        return make(value)
    if isinstance(value, (list, tuple)):
        return type(value)(fill_in(item, make) for item in value)
    return value


def call(case: Case, module: Any, make: Callable[[Array], Any], **options: Any) -> Any:
    """Calls the function of a case in a module, on what `make` returns for each array."""
    args = [fill_in(argument, make) for argument in case.args]
    kwargs = {name: fill_in(value, make) for name, value in case.kwargs.items()}
    if case.function.startswith("."):
        attribute = getattr(args[0], case.function[1:])
        return attribute(*args[1:], **kwargs, **options) if callable(attribute) else attribute
    function = module
    for name in case.function.split("."):
        function = getattr(function, name)
    return function(*args, **kwargs, **options)


def run(case: Case, mx: Any) -> dict[str, Any]:
    """Runs a case on arrays; returns what it gives, or the names of the classes of its error."""
    made: list[Any] = []

    def make(array: Array) -> Any:
        made.append(mx.np.array(array.make(), dtype=array.dtype))
        if case.gradient and array.dtype.startswith("float"):
            made[-1].attach_grad()
        return made[-1]

    try:
        with mx.autograd.record():
            result = call(case, mx.np, make)
        described: dict[str, Any] = {"result": describe(result)}
        if case.gradient:
            described["gradients"] = differentiate(mx, result, made)
    except Exception as error:  # noqa: BLE001 - whatever is raised is the answer
        return {"error": [kind.__name__ for kind in type(error).__mro__]}
    return described


def differentiate(mx: Any, result: Any, arrays: list[Any]) -> list[Any]:
    """Returns the gradients of arrays, with numbers that differ at the heads."""
    results = list(result) if isinstance(result, (list, tuple)) else [result]
    heads = [item for item in results if hasattr(item, "asnumpy") and item.dtype.kind == "f"]
    inputs = [array for array in arrays if array.grad is not None]
    if not heads or not inputs:
        return []
    gradients = [
        mx.np.array(np.arange(1, head.size + 1).reshape(head.shape), dtype=head.dtype)
        for head in heads
    ]
    mx.autograd.backward(heads, gradients)
    return [describe(array.grad) for array in inputs]


def build_graph(case: Case, mx: Any) -> str | None:
    """Returns the file of a case on symbols `x0`, `x1` ..., None where there is no such call."""
    names: list[str] = []

    def make(_array: Array) -> Any:
        names.append(f"x{len(names)}")
        return mx.sym.var(names[-1]).as_np_ndarray()

    try:
        result = call(case, mx.sym.np, make)
        outputs = list(result) if isinstance(result, (list, tuple)) else [result]
        text: str = mx.sym.Group(outputs).tojson()
    except Exception:  # noqa: BLE001 - symbols have not all functions and arguments
        return None
    return text if names else None


def describe(value: Any) -> Any:
    """Returns a result as JSON can hold it: arrays with shape and dtype, and what they are in."""
    if isinstance(value, (list, tuple)):
        return {"in": type(value).__name__, "items": [describe(item) for item in value]}
    if hasattr(value, "asnumpy"):
        return {"in": "mx", **describe_array(value.asnumpy())}
    if isinstance(value, np.ndarray):
        return {"in": "numpy", **describe_array(value)}
    return {"in": "python", "value": value.item() if isinstance(value, np.generic) else value}


def describe_array(array: np.ndarray) -> dict[str, Any]:
    """Returns shape, dtype and elements of an array; as text, because JSON has no nan."""
    elements = [
        float(f"{number:.6g}") if array.dtype.kind == "f" else int(number)
        for number in array.reshape(-1).tolist()
    ]
    return {"shape": list(array.shape), "dtype": array.dtype.name, "elements": str(elements)}
