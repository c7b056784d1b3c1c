"""An extension of griffe: docstrings as `help` shows them, and what does the same in torch."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from functools import cache
from typing import Any

import griffe

from tools.site import api
from tools.site.counterparts import read_counterparts
from tools.site.functions import write_counterparts

_HEADING = re.compile(r"^Example:\s*$", re.MULTILINE)


class Examples(griffe.Extension):
    """Renames the section of examples, so that griffe shows sessions as code; adds counterparts.

    Docstrings of classes are those of the modules that are imported, because some are completed
    there by what families share; pages of the API import what they show.
    """

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Completes one docstring, renames the section, and names bases that users know."""
        imported = getattr(sys.modules.get(obj.module.path), obj.name, None)
        is_class = isinstance(obj, griffe.Class) and inspect.isclass(imported)
        if is_class and obj.name not in api.WITH_INHERITED:  # these show methods of their bases
            obj.bases = _public_bases(imported)
        if obj.docstring is None:
            return
        if inspect.isclass(imported) and obj.parent is obj.module:
            obj.docstring.value = inspect.getdoc(imported) or ""
        obj.docstring.value = _HEADING.sub("Examples:", obj.docstring.value)
        if obj.parent is obj.module and id(imported) in _names_of_objects():
            others = write_counterparts(_names_of_objects()[id(imported)], {})
            obj.docstring.value += f"\n\n{others}"


@cache
def _names_of_objects() -> dict[int, str]:
    """Returns the names, such as `gluon.nn.Dense`, of what has a counterpart in torch."""
    names = {}
    for name in read_counterparts():
        module, _, attribute = name.rpartition(".")
        if not module.startswith(("nd", "np", "random")):
            found = getattr(importlib.import_module(f"mxnet.{module}"), attribute)
            names[id(found)] = name
    return names


@cache
def _public_classes() -> set[type]:
    """Returns the classes that pages of the API show."""
    modules = [f"mxnet.{name}" for _, names in api.PAGES.values() for name in names]
    members = [member for name in modules for member in api.public_objects(name).values()]
    return {member for member in members if inspect.isclass(member)}


def _public_bases(imported: type) -> list[str | griffe.Expr]:
    """Returns the bases of a class that users know: for others, the next one behind them."""
    found: list[str | griffe.Expr] = []
    for base in imported.__bases__:
        known = (
            each
            for each in base.__mro__[:-1]
            if each in _public_classes() or not each.__module__.startswith("mxnet")
        )
        name = next((each.__name__ for each in known), None)
        if name and name not in found:
            found.append(name)
    return found
