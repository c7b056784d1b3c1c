"""Writes the signatures of the original's public classes and functions that are no operators.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Writes
`tests/golden/api_signatures.json`: by module, function, class and method of a class the parameters
in order, with defaults that are numbers, texts, None or tuples of them. `make_signatures.py` has
those of functions on arrays.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from writing import write_json

np.bool = bool  # the original predates NumPy 1.24

HERE = Path(__file__).resolve().parent
OPERATORS = ("mxnet.contrib.nd", "mxnet.contrib.s", "mxnet.nd", "mxnet.ndarray", "mxnet.numpy")
SYMBOLS = ("mxnet.symbol.", "mxnet.sym.")
MARKS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
PLAIN = (bool, int, float, str, type(None))


def write(parameter: inspect.Parameter) -> str:
    """Writes a parameter; a default that is an object is `...`."""
    name = MARKS.get(parameter.kind, "") + parameter.name
    if parameter.default is parameter.empty:
        return name
    value = parameter.default
    items = value if isinstance(value, (tuple, list)) else [value]
    is_plain = all(isinstance(item, PLAIN) for item in items) and "/" not in str(value)
    return f"{name}={value!r}" if is_plain else f"{name}=..."


def signature(value: Any) -> list[str] | None:
    """Returns the parameters of a function or class, None if it does not say them."""
    try:
        return [write(parameter) for parameter in inspect.signature(value).parameters.values()]
    except (TypeError, ValueError):
        return None


def members(owner: Any, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yields the signatures of a function, or of a class and the methods that it defines."""
    value = getattr(owner, name)
    found = signature(value)
    if found is not None:
        yield name, found
    if inspect.isclass(value):
        for method, function in vars(value).items():
            if inspect.isfunction(function) and not method.startswith("_"):
                yield f"{name}.{method}", signature(function) or []


def main() -> None:
    """Writes the signatures."""
    names = json.loads((HERE / "api_names.json").read_text("utf-8"))
    signatures = {}
    for module, listed in names.items():
        if module.startswith((*OPERATORS, *SYMBOLS)):
            continue
        owner = import_module(module)
        own = [name for name in listed if getattr(owner, name).__module__ == module]
        found = dict(pair for name in own for pair in members(owner, name))
        if found:
            signatures[module] = {name: ", ".join(item) for name, item in found.items()}
    write_json(HERE / "api_signatures.json", signatures)


if __name__ == "__main__":
    main()
