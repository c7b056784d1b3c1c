"""What makes `import mxnet` short: modules that load late, or have no file; a paused collector."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import MappingProxyType, ModuleType
from typing import Any

from mxnet._start.missing import explain_missing_name


def make_getattr(
    package: str, namespace: dict[str, Any], late: Mapping[str, str] = MappingProxyType({})
) -> Callable[[str], Any]:
    """Returns the `__getattr__` of a module: it imports what comes late, and explains the rest.

    Args:
        package: Name of the module.
        namespace: Its globals, which get what is imported.
        late: Full names of modules that are imported when they are first asked for, by their name
            in the package; `module:name` is something in a module.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807 - it becomes the function of the module
        if name in late:
            module, _, member = late[name].partition(":")
            found: Any = importlib.import_module(module)
            found = namespace[name] = getattr(found, member) if member else found
            return found
        try:
            raise AttributeError(  # noqa: TRY301 - see below
                explain_missing_name(package, name, namespace), name=name
            )
        except AttributeError as error:
            error.__traceback__ = None  # a bare `raise` adds no frame: it ends in the program
            raise

    return __getattr__


def stand_for(alias: str, package: str) -> None:
    """Makes a name of a package another one's, and the names of its modules those of the other's.

    Otherwise Python would import these again, as modules of their own.

    Args:
        alias: The name that stands for the package.
        package: The package.
    """
    sys.modules[alias] = importlib.import_module(package)
    for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
        sys.modules[name.replace(package, alias, 1)] = sys.modules[name]


def add_module(module: ModuleType) -> ModuleType:
    """Makes a module without a file importable by its name, and returns it.

    Its package has to hold it under its name, too.
    """
    module.__spec__ = ModuleSpec(module.__name__, None)
    module.__package__ = module.__spec__.parent
    sys.modules[module.__name__] = module
    _FINDER.run(module)
    return module


def make_module(name: str, doc: str, members: Mapping[str, Any]) -> ModuleType:
    """Makes a module without a file, whose members are all public; see `add_module`."""
    module = ModuleType(name, doc)
    vars(module).update(members, __all__=list(members))
    return add_module(module)


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
        return
    _FINDER.actions[name] = action
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)


def after_every_import(package: str, action: Callable[[ModuleType], None]) -> None:
    """Calls a function with a package and all modules of it, each as soon as it has been imported.

    Args:
        package: Name of the package.
        action: The function.
    """
    for name, module in list(sys.modules.items()):
        if module.__name__ == name and (name == package or name.startswith(f"{package}.")):
            action(module)
    _FINDER.common.append((f"{package}.", action))
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)


class _Finder(MetaPathFinder):
    """Finds modules as Python does, and has each passed to its function once it is loaded."""

    def __init__(self) -> None:
        self.actions: dict[str, Callable[[ModuleType], None]] = {}
        self.common: list[tuple[str, Callable[[ModuleType], None]]] = []
        """Functions for all modules whose names begin alike."""

    def run(self, module: ModuleType) -> None:
        """Passes a module on that has been loaded."""
        action = self.actions.pop(module.__name__, None)  # gone if the module is loaded again
        for begin, common in self.common:
            if module.__name__.startswith(begin):
                common(module)
        if action is not None:
            action(module)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self.actions and not any(fullname.startswith(b) for b, _ in self.common):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loading(spec.loader)
        return spec


_FINDER = _Finder()


class _Loading(Loader):
    """Loads a module with another loader, then passes it to the function that waits for it."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        _FINDER.run(module)


@contextmanager
def collector_paused(*, all_stays: bool = False) -> Iterator[None]:
    """Pauses the collector for the time of a `with` block, unless it is off already.

    It starts whenever many objects have been made, and then goes through all that the process has,
    the hundreds of thousands of torch among them: a third of the time of an import or of a plan.

    Args:
        all_stays: Whether what there is at the end counts as old, so that the collector does not
            go through all of it as soon as it is on again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if all_stays and not gc.get_freeze_count():
            # Moves every object to the oldest generation without looking at it.
            gc.freeze()
            gc.unfreeze()
        if was_enabled:
            gc.enable()
