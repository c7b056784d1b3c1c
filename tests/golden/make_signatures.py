"""Writes the signatures of the original's public functions on arrays.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Writes
`tests/golden/signatures.json`: by module and function the names of the parameters in order, `*`
and `**` marking those that take the rest.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402

OWNERS = {
    "nd": mx.nd,
    "nd.NDArray": mx.nd.NDArray,
    "nd.contrib": mx.nd.contrib,
    "nd.image": mx.nd.image,
    "nd.linalg": mx.nd.linalg,
    "nd.random": mx.nd.random,
}
HELPERS = {"mxnet.base", "mxnet.context", "mxnet.util"}
MARKS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def parameters(function: Any) -> str:
    """Writes the parameters of a function."""
    found = inspect.signature(function).parameters.values()
    return ", ".join(MARKS.get(item.kind, "") + item.name for item in found)


def signatures(owner: Any) -> dict[str, str]:
    """Returns the signatures of the public functions that a module or class has of its own."""
    found = {}
    for name in dir(owner):
        value = inspect.getattr_static(owner, name)
        if not inspect.isfunction(value) or name.startswith("_"):
            continue
        if value.__module__.startswith(("mxnet.", "ndarray")) and value.__module__ not in HELPERS:
            found[name] = parameters(value)
    return found


def main() -> None:
    """Writes the signatures."""
    target = Path(__file__).resolve().parent / "signatures.json"
    found = {name: signatures(owner) for name, owner in OWNERS.items()}
    target.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{target.name}: {sum(map(len, found.values()))} signatures")


if __name__ == "__main__":
    main()
