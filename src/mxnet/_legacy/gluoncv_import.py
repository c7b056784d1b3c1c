"""Lets libraries written for the original import beside a torch of today.

GluonCV brings networks for both MXNet and torch. When it finds a torch that its torch half does not
know (2.0 or newer), it refuses to be imported at all; beside the original, without torch, it
imports its MXNet half. Here torch is always there, as the engine. So an unknown torch counts
as no torch: its MXNet half works, its torch half stays out, as with the original.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import ModuleType

from mxnet._start.importing import after_import

_CHECKS = "gluoncv.check"
_CHECK = "_require_pytorch_version"


def admit() -> None:
    """Softens the refusal, whichever of the two libraries is imported first."""
    if "gluoncv" in sys.modules:  # it is being imported, and asks for this package
        _soften(sys.modules["gluoncv"])
    after_import(_CHECKS, _soften)


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
