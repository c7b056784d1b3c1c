"""Writes the public names of MXNet 2 with their signatures: `tools/versions/mxnet2.json`.

    oracle2/bin/python tools/versions/record.py

Run by the interpreter of an environment that has `mxnet==2.0.0b1` (with NumPy before 1.24). The
file has a part for each public module. A name has its parameters, `= path` where it is another
name's function or class, `(...)` where they are not known, and "" where it is no callable. Members
of classes are listed where they are defined; `Class(bases)` says from which classes the others are.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import mxnet

TARGET = Path(__file__).resolve().parent / "mxnet2.json"
BEFORE = TARGET.parents[2] / "tests" / "golden" / "api_names.json"
"""Names that MXNet 1.9.1 shows, by module."""
MARKS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
PLAIN = (bool, int, float, str, type(None))
BASES = "(bases)"
PACKAGES = ("mxnet", "ndarray", "symbol")

OMITTED = ("mxnet.cython", "mxnet.libmxnet", "mxnet.onnx.setup", "mxnet.tvmop")
"""What is no module of Python, or a program."""


def walk() -> Iterator[ModuleType]:
    """Yields all public modules."""
    yield mxnet
    for found in pkgutil.walk_packages(mxnet.__path__, "mxnet.", onerror=lambda _: None):
        is_private = any(part.startswith(("_", "gen_")) for part in found.name.split("."))
        if is_private or found.name.startswith(OMITTED) or found.name.endswith("__main__"):
            continue
        try:
            yield importlib.import_module(found.name)
        except ImportError as error:  # a package that it needs and does not bring
            print(f"{found.name}: {error}")


def write(parameter: inspect.Parameter) -> str:
    """Writes a parameter; a default that is an object is `...`."""
    name = MARKS.get(parameter.kind, "") + parameter.name
    if parameter.default is parameter.empty:
        return name
    value = parameter.default
    items = value if isinstance(value, (tuple, list)) else [value]
    is_plain = all(isinstance(item, PLAIN) for item in items) and "/" not in str(value)
    return f"{name}={value!r}" if is_plain else f"{name}=..."


def signature(value: Any) -> str:
    """Returns the parameters of a function or class."""
    if not callable(value):
        return ""
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return "(...)"
    return ", ".join(
        write(parameter) for parameter in found if parameter.name not in ("self", "cls")
    )


def is_own(value: Any, module: ModuleType) -> bool:
    """Returns whether a package's user finds a name in a module on purpose.

    A package shows what its modules define; a module shows what it defines itself.
    """
    origin = getattr(value, "__module__", None) or ""
    if origin == module.__name__:
        return True
    first = origin.partition(".")[0]  # functions of generated operators say `ndarray` or `symbol`
    return hasattr(module, "__path__") and first in PACKAGES and origin != "mxnet.base"


def members(name: str, cls: type) -> Iterator[tuple[str, str]]:
    """Yields what a class defines, and its bases that are MXNet's."""
    bases = [f"{base.__module__}.{base.__qualname__}" for base in cls.__mro__[1:]]
    own = [base for base in bases if base.startswith("mxnet.")]
    if own:
        yield f"{name}{BASES}", " ".join(own)
    for member, value in sorted(vars(cls).items()):
        # `use_np` writes wrappers of all methods into a class, of those that it inherits, too.
        made = getattr(value, "fget", value)
        inherits = cls.__name__ not in getattr(made, "__qualname__", cls.__name__).split(".")
        known = any(hasattr(base, member) for base in cls.__mro__[1:])
        if member.startswith("_") or inspect.isclass(value) or (inherits and known):
            continue
        yield f"{name}.{member}", signature(getattr(cls, member))


def names_of(module: ModuleType, names_before: list[str]) -> Iterator[tuple[str, Any]]:
    """Yields what a module shows: what is its own, and what 1.9.1 shows there."""
    for name, value in sorted(vars(module).items()):
        is_shown = callable(value) and not inspect.ismodule(value) and is_own(value, module)
        if not name.startswith("_") and (is_shown or name in names_before):
            yield name, value


def find_homes(modules: list[ModuleType]) -> dict[int, str]:
    """Returns the paths of functions and classes in the modules that define them, by identity."""
    homes: dict[int, str] = {}
    for module in modules:
        for name, value in vars(module).items():
            if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_"):
                homes.setdefault(id(value), f"{module.__name__}.{name}")
    return homes


def main() -> None:
    """Writes the file."""
    modules = list(walk())
    homes = find_homes(modules)
    before = json.loads(BEFORE.read_text("utf-8"))
    surface: dict[str, dict[str, str]] = {}
    private: dict[str, type] = {}
    for module in modules:
        found = surface.setdefault(module.__name__, {})
        for name, value in names_of(module, before.get(module.__name__, [])):
            path = f"{module.__name__}.{name}"
            home = homes.setdefault(id(value), path)
            found[name] = signature(value) if home == path else f"= {home}"
            if home == path and inspect.isclass(value):
                found.update(members(name, value))
                for base in value.__mro__[1:]:
                    private.setdefault(f"{base.__module__}.{base.__qualname__}", base)
    add_private(surface, private)
    filled = {module: names for module, names in sorted(surface.items()) if names}
    TARGET.write_text(json.dumps(filled, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{TARGET.name}: {sum(map(len, filled.values()))} names of {len(filled)} modules")


def add_private(surface: dict[str, dict[str, str]], bases: dict[str, type]) -> None:
    """Adds the members of private bases of public classes."""
    listed = {f"{module}.{name}" for module, names in surface.items() for name in names}
    for path, base in bases.items():
        if path.startswith("mxnet.") and path not in listed:
            module, _, name = path.rpartition(".")
            surface.setdefault(module, {}).update(members(name, base))


if __name__ == "__main__":
    main()
