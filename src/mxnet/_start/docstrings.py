"""Docstrings of families of classes: what a base says of arguments and shapes holds for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from inspect import CO_VARARGS, CO_VARKEYWORDS, unwrap
from typing import Any

_SECTION = re.compile(r"(?<!\n)\n+(?= *(?:Args|Shapes|Example):\n)")
_ARGUMENT = re.compile(r"^( *)(\*{0,2}\w+): .*(?:\n\1 +.*)*", re.MULTILINE)


def inherit(
    module: Mapping[str, Any], fields: Callable[[Any], Mapping[str, str]] | None = None
) -> None:
    """Completes the docstrings of a module's public classes by what their bases say.

    A class describes the arguments that it adds or that mean something else than in its bases. The
    other arguments of its constructor, and the section `Shapes` if it has none, come from there.

    Args:
        module: Names of the module.
        fields: Returns the text that stands for each `{field}` in the docstring of a class.
    """
    for cls in tuple(module.values()):
        is_own = isinstance(cls, type) and cls.__module__ == module["__name__"]
        if is_own and cls.__doc__ and not cls.__name__.startswith("_"):
            cls.__doc__ = _complete(cls, cls.__doc__)
            for name, text in fields(cls).items() if fields else ():
                cls.__doc__ = cls.__doc__.replace(f"{{{name}}}", text)


def _complete(cls: type, doc: str) -> str:
    """Returns a docstring with the sections that the class inherits before its example."""
    summary, *sections = _SECTION.split(doc)
    known = _describe(cls)
    arguments = [known[name] for name in _list_arguments(cls) if name in known]
    parts = [summary]
    if arguments:
        parts.append("\n".join((known["Args:"], *arguments)))
    if "Shapes:" in known:
        parts.append(known["Shapes:"])
    parts += [section for section in sections if section.lstrip().startswith("Example:")]
    return "\n\n".join(part.rstrip() for part in parts)


@lru_cache(maxsize=512)
def _describe(cls: type) -> dict[str, str]:
    """Returns what the docstrings of a class and its bases say of each argument and of shapes."""
    known: dict[str, str] = {}
    for base in reversed(cls.__bases__):
        known.update(_describe(base))
    for section in _SECTION.split(cls.__doc__ or "")[1:]:
        heading = section.partition("\n")[0]
        if heading.endswith("Args:"):
            known["Args:"] = heading
            known.update((found[2], found[0]) for found in _ARGUMENT.finditer(section))
        elif heading.endswith("Shapes:"):
            known["Shapes:"] = section
    return known


def _list_arguments(cls: Any) -> list[str]:
    """Returns the names of a constructor's arguments in their order."""
    code = getattr(unwrap(cls.__init__), "__code__", None)
    if code is None:
        return []
    names: list[str] = [*code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]]
    rest = (("*args", CO_VARARGS), ("**kwargs", CO_VARKEYWORDS))
    return names + [name for name, flag in rest if code.co_flags & flag]
