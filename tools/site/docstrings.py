"""An extension of griffe: docstrings as `help` shows them, and `Example:` as its `Examples:`."""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

import griffe

_HEADING = re.compile(r"^Example:\s*$", re.MULTILINE)


class Examples(griffe.Extension):
    """Renames the section, so that griffe shows sessions of the interpreter as code.

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
