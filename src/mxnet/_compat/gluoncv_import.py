"""Lets libraries written for the original import beside a torch of today.

GluonCV brings networks for both MXNet and torch. When it finds a torch that its torch half does not
know (2.0 or newer), it refuses to be imported at all; beside the original, without torch, it
imports its MXNet half. Here torch is always there, as the engine. So an unknown torch counts
as no torch: its MXNet half works, its torch half stays out, as with the original.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_CHECKS = "gluoncv.check"
_CHECK = "_require_pytorch_version"


def admit() -> None:
    """Softens the refusal, whichever of the two libraries is imported first."""
    for name in ("gluoncv", _CHECKS):
        if name in sys.modules:  # it is being imported, and asks for this package
            _soften(sys.modules[name])
    if _CHECKS not in sys.modules:
        sys.meta_path.insert(0, _Finder())


def _soften(module: ModuleType) -> None:
    check: Callable[..., None] | None = getattr(module, _CHECK, None)
    if check is not None:
        setattr(module, _CHECK, _no_torch_instead_of_refusal(check))


def _no_torch_instead_of_refusal(check: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(check)
    def checked(*versions: str) -> None:
        try:
            check(*versions)
        except RuntimeError as refusal:
            raise ImportError(str(refusal)) from refusal

    return checked


class _Finder(MetaPathFinder):
    """Finds the module with the check as Python does, and softens it once it is loaded."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _CHECKS:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Softening(spec.loader)
        return spec


class _Softening(Loader):
    """Loads a module with another loader, then softens its check."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        _soften(module)
