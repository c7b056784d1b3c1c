"""An extension of griffe: docstrings as `help` shows them, and `Example:` as its `Examples:`."""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

import griffe

_HEADING = re.compile(r"^Example:\s*$", re.MULTILINE)


class Examples(griffe.Extension):
    """Renames the section, so that griffe shows sessions of the interpreter as code.

    Classes whose docstrings are completed by those of their bases when they are imported get what
    is in no source.
    """

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Completes one docstring and renames the section."""
        if obj.docstring is None:
            return
        if obj.is_class and "docstrings" in obj.module.members:
            module = importlib.import_module(obj.module.path)
            obj.docstring.value = inspect.getdoc(getattr(module, obj.name)) or ""
        obj.docstring.value = _HEADING.sub("Examples:", obj.docstring.value)
