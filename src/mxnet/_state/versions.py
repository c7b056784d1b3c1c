"""The version of MXNet whose rules hold where 1.9.1 and 2.0 contradict each other."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from types import MappingProxyType
from typing import Any, TypeVar

from mxnet._start import passes_arguments, public_call
from mxnet._state.modes import Modes, modes
from mxnet._version import VERSIONS
from mxnet.errors import ArgumentTypeError, ArgumentValueError

F = TypeVar("F", bound=Callable[..., Any])
_NOTHING: Mapping[str, str] = MappingProxyType({})


class Rules:
    """What was chosen for the whole process, and is read where the versions differ."""

    def __init__(self) -> None:
        self.version = 1
        """1 for the rules of MXNet 1.9.1, 2 for those of MXNet 2."""
        self.watchers: list[Callable[[int], None]] = []
        """What is called with another version when that has been chosen."""


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
    modes.np_off = False
    for name in ("mxnet", "mxnet.libinfo"):
        if name in sys.modules:
            sys.modules[name].__version__ = VERSIONS[rules.version]  # type: ignore[attr-defined]
    for watch in rules.watchers:
        watch(rules.version)
    return before


def read_variable() -> None:
    """Chooses the version that the environment asks for; `2.0.0` asks for 2."""
    if os.environ.get("MXNET_VERSION", "").partition(".")[0] == "2":
        set_version(2)


def as_in_mxnet2(
    renamed: Mapping[str, str] = _NOTHING, keeps: Sequence[str] = (), /, **defaults: Any
) -> Callable[[F], F]:
    """Lets a function or constructor take what MXNet 2 gives it, under the rules of MXNet 2.

    Otherwise it takes its own arguments, of which those that only MXNet 2 has are keywords.

    Args:
        renamed: Names of arguments in MXNet 2 with those that they have here; they are taken under
            both rules.
        keeps: Arguments that are not refused although MXNet 2 has none of these names.
        **defaults: Arguments in the order of MXNet 2, with their values there, `REQUIRED` if they
            have none. The function, or a constructor's base, takes all of them by name.
    """
    names = [*defaults]
    optional = {name: value for name, value in defaults.items() if value is not REQUIRED}

    def decorate(function: F) -> F:
        code = inspect.unwrap(function).__code__  # signatures would take a while at import
        own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        first = int(own[:1] == ("self",))
        gone = {*own[first:]} - {*names, *keeps, *renamed.values()}

        @passes_arguments
        @wraps(function)
        def choose(*args: Any, **kwargs: Any) -> Any:
            if rules.version == 1:
                for theirs, ours in renamed.items():
                    if theirs in kwargs:
                        kwargs[ours] = kwargs.pop(theirs)
                return function(*args, **kwargs)
            where = type(args[0]).__name__ if first else function.__name__
            if len(args) - first > len(names):
                raise ArgumentTypeError(
                    f"{where}: takes {', '.join(names)} by position, "
                    f"got {len(args) - first} arguments"
                )
            given = dict(zip(names, args[first:], strict=False))
            for name in kwargs:
                if name in given:
                    raise ArgumentTypeError(f"{where}: {name} is given by position and by name")
                if name in gone:
                    raise ArgumentTypeError(
                        f"{where}: MXNet 2 has no argument {name!r}; takes {', '.join(names)}"
                    )
            taken = {**optional, **given, **kwargs}
            return function(
                *args[:first], **{renamed.get(name, name): value for name, value in taken.items()}
            )

        choose.mxnet2_defaults = defaults  # type: ignore[attr-defined]  # what it takes, for tools
        return choose  # type: ignore[return-value]

    return decorate


def also_takes(signature: str) -> Callable[[F], F]:
    """Makes a decorator that notes what else a function takes: what MXNet 2 gives it.

    Such a function tells calls of MXNet 2 from others by the types or the names of arguments.

    Args:
        signature: The parameters in MXNet 2, as `def` has them.
    """

    def note(function: F) -> F:
        function.mxnet2_signature = signature  # type: ignore[attr-defined]
        return function

    return note


REQUIRED = inspect.Parameter.empty
"""In the place of a default, for an argument that has none."""
