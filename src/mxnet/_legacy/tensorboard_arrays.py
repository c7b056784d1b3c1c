"""Lets `torch.utils.tensorboard` take arrays of this package where it takes NumPy's and torch's.

Its `SummaryWriter` converts values by a function that knows these two alone. To a program that is
written with arrays the writer is a tool like any other.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from mxnet._start.importing import after_import

_PACKAGE = "torch.utils.tensorboard"
_NAME = "make_np"
_USERS = ("_embedding", "summary", "writer")
"""Modules of the package that have imported the function by its name, if they are imported."""


def admit() -> None:
    """Makes the writer take arrays, whether it has been imported or will be."""
    after_import(f"{_PACKAGE}._convert_np", _extend)


def _extend(module: ModuleType) -> None:
    convert: Callable[[Any], Any] | None = getattr(module, _NAME, None)
    if convert is None:  # a release that does it in another way
        return
    extended = _with_arrays(convert)
    setattr(module, _NAME, extended)
    for name in _USERS:
        user = sys.modules.get(f"{_PACKAGE}.{name}")
        if user is not None:
            setattr(user, _NAME, extended)


def _with_arrays(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(convert)
    def converted(x: Any) -> Any:
        to_torch = getattr(x, "to_torch", None)
        return convert(x if to_torch is None else to_torch())

    return converted
