"""The version of MXNet whose rules hold where 1.9.1 and 2.0 contradict each other."""

from __future__ import annotations

import os
import sys

from mxnet._start import public_call
from mxnet._state.modes import Modes, modes
from mxnet._version import VERSIONS
from mxnet.errors import ArgumentValueError


class Rules:
    """What was chosen for the whole process, and is read where the versions differ."""

    def __init__(self) -> None:
        self.version = 1
        """1 for the rules of MXNet 1.9.1, 2 for those of MXNet 2."""


rules = Rules()


@public_call
def set_version(version: int) -> int:
    """Chooses whose rules hold where MXNet 1.9.1 and MXNet 2 contradict each other.

    What only one of them has is there in any case. Under the rules of MXNet 2 all threads make
    arrays of `mx.np`, `collect_params` gives a `dict` by path, and exported graphs name parameters
    by their paths. The variable `MXNET_VERSION=2` does the same from the start. Choose before
    networks are made.

    Args:
        version: 1 or 2.

    Returns:
        The version that was chosen before.

    Example:
        >>> import mxnet as mx
        >>> before = mx.set_version(2)
        >>> list(mx.gluon.nn.Dense(2).collect_params()), mx.npx.is_np_array()
        (['weight', 'bias'], True)
        >>> mx.set_version(before)
        2
    """
    if version not in VERSIONS:
        raise ArgumentValueError(f"set_version: takes 1 or 2, got {version!r}")
    before, rules.version = rules.version, int(version)
    is_new = rules.version > 1
    for switch in ("np_array", "np_shape"):
        setattr(Modes, switch, is_new)
        setattr(modes, switch, is_new)
    for name in ("mxnet", "mxnet.libinfo"):
        if name in sys.modules:
            sys.modules[name].__version__ = VERSIONS[rules.version]  # type: ignore[attr-defined]
    return before


def read_variable() -> None:
    """Chooses the version that the environment asks for; `2.0.0` asks for 2."""
    if os.environ.get("MXNET_VERSION", "").partition(".")[0] == "2":
        set_version(2)
