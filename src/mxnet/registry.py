"""Registries of classes that are created by name: initializers, metrics, optimizers.

Every base class has one registry, which its `register`, `alias` and `create` functions share.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from mxnet._start import did_you_mean, level_of_program, tracebacks
from mxnet.errors import AttributeValueError, CheckFailedError, MXNetError, shown

T = TypeVar("T")
K = TypeVar("K", bound=type)

_REGISTRY: dict[type, dict[str, type]] = {}


class Register(Protocol):
    """A function that registers a class."""

    def __call__(self, klass: K, name: str | None = None) -> K:
        """Registers a class under a name, or under its own in lower case."""


def get_registry(base_class: type[T]) -> dict[str, type[T]]:
    """Returns a copy of the registry of a base class: lower-case names and classes."""
    return dict(_REGISTRY.get(base_class, {}))


@contextmanager
def registrations_kept() -> Iterator[None]:
    """Takes back at the end of a `with` statement what was registered within it.

    Registrations last as long as the process; tests that make some want them gone.
    """
    before = {base_class: dict(known) for base_class, known in _REGISTRY.items()}
    try:
        yield
    finally:
        for base_class, known in _REGISTRY.items():
            # What a module of the package has registered when it was imported late stays.
            own = {} if base_class in before else {**known}
            own = {name: kind for name, kind in own.items() if kind.__module__.startswith("mxnet.")}
            known.clear()
            known.update(before.get(base_class, own))


def get_register_func(base_class: type, nickname: str) -> Register:
    """Makes the function that registers subclasses.

    Args:
        base_class: What registered classes derive from.
        nickname: What such a class is called in messages.
    """
    known = _REGISTRY.setdefault(base_class, {})

    def register(klass: K, name: str | None = None) -> K:
        if not (isinstance(klass, type) and issubclass(klass, base_class)):
            raise CheckFailedError(
                f"{nickname}.register: takes a subclass of {base_class.__name__}, got {klass!r}"
            )
        key = (klass.__name__ if name is None else name).lower()
        if key in known:
            message = (
                f"{nickname} {key!r} was {_full_name(known[key])} and becomes {_full_name(klass)}"
            )
            warnings.warn(message, UserWarning, stacklevel=level_of_program())
        known[key] = klass
        return klass

    register.__doc__ = f"Registers a {nickname} class, under its lower-case name if none is given."
    return register


def _full_name(klass: type) -> str:
    return f"{klass.__module__}.{klass.__qualname__}"


def get_alias_func(base_class: type, nickname: str) -> Callable[..., Callable[[K], K]]:
    """Makes the decorator that registers subclasses under names; see `get_register_func`."""
    register = get_register_func(base_class, nickname)

    def alias(*aliases: str) -> Callable[[K], K]:
        def decorate(klass: K) -> K:
            for name in aliases:
                register(klass, name)
            return klass

        return decorate

    alias.__doc__ = f"Registers a {nickname} class under each of the given names."
    return alias


def get_create_func(base_class: type[T], nickname: str) -> Callable[..., T]:
    """Makes the function that creates an instance from a description.

    A description is an instance, which is returned as it is, a registered name followed by the
    arguments of the class, a dictionary with the name under `nickname`, or one of these as JSON.

    Args:
        base_class: What registered classes derive from.
        nickname: What such a class is called in messages and dictionaries.
    """
    known = _REGISTRY.setdefault(base_class, {})

    @tracebacks.public_call
    def create(*args: Any, **kwargs: Any) -> T:
        wanted, *rest = args if args else (kwargs.pop(nickname),)
        if isinstance(wanted, dict):
            return create(**wanted)
        described = isinstance(wanted, str) and wanted[:1] in ("[", "{")
        if (described or isinstance(wanted, base_class)) and (rest or kwargs):
            raise CheckFailedError(
                f"{nickname}.create: {wanted!r} is complete and takes no arguments, "
                f"got {[*rest, *kwargs]}"
            )
        if isinstance(wanted, base_class):
            return wanted
        if described:
            return _create_from_json(create, wanted, nickname)
        if not isinstance(wanted, str):
            raise CheckFailedError(
                f"{nickname}.create: takes a name or a {base_class.__name__}, got {wanted!r}"
            )
        if wanted.lower() not in known:
            raise CheckFailedError(
                f"{nickname}.create: {shown(wanted)} is not registered"
                f"{did_you_mean(wanted, known)}; known are {', '.join(sorted(known))}"
            )
        return known[wanted.lower()](*rest, **kwargs)  # type: ignore[no-any-return]

    create.__doc__ = f"Creates a {nickname} from an instance, a name with arguments, or JSON."
    return create


def _create_from_json(create: Callable[..., T], text: str, nickname: str) -> T:
    """Creates an instance from JSON, which may come from a file: names alone choose the class."""
    try:
        found = json.loads(text)
        if isinstance(found, dict):
            return create(**found)
        name, arguments = found
        return create(name, **arguments)
    except (TypeError, ValueError, KeyError, RecursionError) as error:
        if isinstance(error, MXNetError):
            raise
        raise AttributeValueError(
            f"{nickname}.create: cannot be made from {shown(text)}: {error}"
        ) from error


tracebacks.public_functions(globals())
