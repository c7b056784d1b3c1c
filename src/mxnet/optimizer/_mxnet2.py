"""Constructors of optimizers whose arguments have another order or other defaults in MXNet 2."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from mxnet._state.versions import rules
from mxnet.errors import ArgumentTypeError

Init = Callable[..., None]


def choose_formula(options: dict[str, Any], *given: Any) -> dict[str, Any]:
    """Returns options that ask for the formula of MXNet 2 if an argument is given that it has."""
    if all(value is None for value in given):
        return options
    return {"use_fused_step": True, **options}


def as_in_mxnet2(**defaults: Any) -> Callable[[Init], Init]:
    """Lets a constructor take what MXNet 2 gives it, under the rules of MXNet 2.

    Otherwise it takes its own arguments, of which those that only MXNet 2 has are keywords.

    Args:
        **defaults: Arguments in the order of MXNet 2, with their values there. The constructor or
            that of `Optimizer` takes all of them by name.
    """
    names = [*defaults]

    def decorate(init: Init) -> Init:
        own = [name for name in inspect.signature(init).parameters if name != "kwargs"][1:]
        gone = {*own} - {*names}

        @wraps(init)
        def choose(self: Any, *args: Any, **kwargs: Any) -> None:
            if rules.version == 1:
                init(self, *args, **kwargs)
                return
            where = type(self).__name__
            if len(args) > len(names):
                raise ArgumentTypeError(
                    f"{where}: takes {', '.join(names)} by position, got {len(args)} arguments"
                )
            given = dict(zip(names, args, strict=False))
            for name in kwargs:
                if name in given:
                    raise ArgumentTypeError(f"{where}: {name} is given by position and by name")
                if name in gone:
                    raise ArgumentTypeError(
                        f"{where}: MXNet 2 has no argument {name!r}; takes {', '.join(names)}"
                    )
            init(self, **{**defaults, **given, **kwargs})

        choose.mxnet2_defaults = defaults  # type: ignore[attr-defined]  # what it takes, for tools
        return choose

    return decorate
