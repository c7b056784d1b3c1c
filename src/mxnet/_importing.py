"""What makes `import mxnet` short: modules that come when they are needed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any


def import_late(
    package: str, namespace: dict[str, Any], modules: Mapping[str, str], name: str
) -> ModuleType:
    """Imports a module that a package has not imported, for its `__getattr__`.

    Args:
        package: Name of the package.
        namespace: The package's globals, which get the module.
        modules: Full names of the modules that come late, by their name in the package.
        name: What the package was asked for.

    Raises:
        AttributeError: if it is none of these.
    """
    if name not in modules:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    module = namespace[name] = importlib.import_module(modules[name])
    return module


class OptionalModule:
    """Stands for a module that may not be installed, and is imported when first used.

    Args:
        name: Name of the module.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._is_there: bool | None = None

    def is_there(self) -> bool:
        """Imports the module, and returns whether that was possible."""
        if self._is_there is None:
            try:
                importlib.import_module(self._name)
            except ImportError:
                self._is_there = False
            else:
                self._is_there = True
        return self._is_there

    def __getattr__(self, name: str) -> Any:
        # Kept, so that the next time there is nothing to look for.
        value = self.__dict__[name] = getattr(importlib.import_module(self._name), name)
        return value


def after_import(name: str, action: Callable[[ModuleType], None]) -> None:
    """Calls a function with a module as soon as it has been imported, now if it is already.

    Args:
        name: Full name of the module.
        action: The function.
    """
    module = sys.modules.get(name)
    if module is not None:
        action(module)
    else:
        sys.meta_path.insert(0, _Finder(name, action))


class _Finder(MetaPathFinder):
    """Finds one module as Python does, and has it passed to a function once it is loaded."""

    def __init__(self, name: str, action: Callable[[ModuleType], None]) -> None:
        self.name, self._action = name, action

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loading(spec.loader, self._action)
        return spec


class _Loading(Loader):
    """Loads a module with another loader, then passes it to a function."""

    def __init__(self, loader: Loader, action: Callable[[ModuleType], None]) -> None:
        self._loader, self._action = loader, action

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._action(module)
