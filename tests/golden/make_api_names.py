"""Lists the public names of the original MXNet 1.9.1, module by module.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Writes
`tests/golden/api_names.json`, from which `tools/make_support_table.py` counts what is covered: all
modules that can be imported, but those of generated operators, which others show again.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import mxnet

CLASSES = ["ndarray.NDArray", "numpy.ndarray"]
"""Classes whose methods are counted, since programs are made of them."""

NOT_IMPORTED = {"libmxnet", "onnx.setup", "cython", "tvmop"}
"""What is no module of Python, or a program."""

FOREIGN = {*sys.stdlib_module_names, "numpy", "requests", "graphviz", "scipy", ""}
HELPERS = {"mxnet.base", "mxnet.util"}


def walk() -> Iterator[str]:
    """Yields the paths of all public modules, the package itself as an empty one."""
    yield ""
    for module in pkgutil.walk_packages(mxnet.__path__, "mxnet.", onerror=lambda _: None):
        path = module.name.removeprefix("mxnet.")
        parts = path.split(".")
        generated = parts[-1].startswith("gen_")
        if path in NOT_IMPORTED or generated or any(part.startswith("_") for part in parts):
            continue
        yield path


def is_own(value: object, owner: ModuleType) -> bool:
    """Returns whether a function or class is the module's own and not a helper it imports.

    A package shows what its modules define; a module of a package what it defines itself.
    """
    origin = getattr(value, "__module__", None) or ""
    if origin == owner.__name__:
        return True
    if origin in HELPERS:
        return owner is mxnet
    is_package = hasattr(owner, "__path__") or owner.__name__.count(".") == 1
    return is_package and origin.split(".")[0] not in FOREIGN


def public_names(path: str) -> list[str]:
    """Returns the names that a module or class defines for its users."""
    head, _, last = path.rpartition(".")
    if path in CLASSES:
        owner = getattr(importlib.import_module(f"mxnet.{head}"), last)
    else:
        owner = importlib.import_module(f"mxnet.{path}".rstrip("."))
    names = []
    for name in dir(owner):
        value = inspect.getattr_static(owner, name)
        if name.startswith("_") or inspect.ismodule(value):
            continue
        if isinstance(owner, type) or (callable(value) and is_own(value, owner)):
            names.append(name)
    return sorted(names)


def main() -> None:
    """Writes the names."""
    target = Path(__file__).resolve().parent / "api_names.json"
    found = {f"mxnet.{path}".rstrip("."): public_names(path) for path in [*walk(), *CLASSES]}
    names = {path: shown for path, shown in found.items() if shown}
    target.write_text(json.dumps(names, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{target.name}: {sum(map(len, names.values()))} names of {len(names)} modules")


if __name__ == "__main__":
    main()
