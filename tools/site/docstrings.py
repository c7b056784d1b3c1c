"""An extension of griffe: docstrings as `help` shows them, and what does the same in torch."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from functools import cache
from typing import Any

import griffe

from tools.site.counterparts import read_counterparts
from tools.site.functions import write_counterparts

_HEADING = re.compile(r"^Example:\s*$", re.MULTILINE)


class Examples(griffe.Extension):
    """Renames the section of examples, so that griffe shows sessions as code; adds counterparts.

    Docstrings of classes are those of the modules that are imported, because some are completed
    there by what families share; pages of the API import what they show.
    """

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Completes one docstring and renames the section."""
        if obj.docstring is None:
            return
        imported = getattr(sys.modules.get(obj.module.path), obj.name, None)
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
