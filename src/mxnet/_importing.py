"""What makes `import mxnet` short: modules that come when they are needed."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
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
