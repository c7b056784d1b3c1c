"""Lists all names in the public modules of the original, and where they come from.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Writes
`tests/golden/imported_names.json`, from which `tools/make_public_names.py` makes the table that our
modules find such names by. A name that a module defines has an empty source; that of another is a
module, or `module:name` for something in it.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet  # noqa: E402 - see above

HERE = Path(__file__).resolve().parent
NOT_IMPORTED = {"libmxnet", "onnx.setup", "cython", "tvmop"}
"""What is no module of Python, or a program."""
FIRST = ("mxnet.base", "mxnet.context", "mxnet.util")
"""Modules that others import most from."""


def walk() -> list[str]:
    """Lists the public modules."""
    modules = ["mxnet"]
    for module in pkgutil.walk_packages(mxnet.__path__, "mxnet.", onerror=lambda _: None):
        path = module.name.removeprefix("mxnet.")
        hidden = any(part.startswith(("_", "gen_")) for part in path.split("."))
        if path not in NOT_IMPORTED and not hidden:
            modules.append(module.name)
    return modules


def find_source(owner: ModuleType, name: str, value: Any) -> str:
    """Returns where a module has a name from, "" if it is its own."""
    if isinstance(value, ModuleType):
        return "" if value.__name__ == f"{owner.__name__}.{name}" else value.__name__
    for module in FIRST:
        if owner.__name__ != module and vars(sys.modules[module]).get(name) is value:
            return f"{module}:{name}"
    origin, member = getattr(value, "__module__", None), getattr(value, "__name__", name)
    if origin in (None, owner.__name__) or origin not in sys.modules:
        return _find_elsewhere(owner, name, value)
    if origin.startswith(f"{owner.__name__}."):
        return ""
    for label in (member, name):
        if getattr(sys.modules[origin], label, 0) is value:
            # Generated functions are also in modules that have names without a prefix.
            return f"{origin.replace('.gen_', '.')}:{label}"
    return ""


LATER = (
    *("mxnet.ndarray.ndarray", "mxnet.ndarray", "mxnet.ndarray.contrib", "mxnet.ndarray._internal"),
    *("mxnet.symbol", "mxnet.image.image", "mxnet.gluon.parameter", "math", "numpy"),
)
"""Modules in which constants and generated functions are looked for, which do not say their own."""


def _find_elsewhere(owner: ModuleType, name: str, value: Any) -> str:
    """Returns where a constant or a generated function of another module is."""
    if isinstance(value, (int, str, bool, type(None))):
        return ""
    member = getattr(value, "__name__", name)
    for module in LATER:
        if owner.__name__ == module or owner.__name__ == "mxnet" or owner.__name__ in module:
            continue
        for label in (name, member):
            if vars(sys.modules[module]).get(label) is value:
                return f"{module}:{label}"
    return ""


def main() -> None:
    """Writes the names."""
    names: dict[str, dict[str, str]] = {}
    for path in walk():
        module = importlib.import_module(path)
        found = {name: getattr(module, name, None) for name in dir(module)}
        names[path] = {
            name: find_source(module, name, value)
            for name, value in found.items()
            if not name.startswith("__")
        }
        if "__all__" in vars(module):
            names[path]["__all__"] = " ".join(map(str, module.__all__))
    lines = [f" {json.dumps(path)}: {json.dumps(names[path])}" for path in names]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (HERE / "imported_names.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
