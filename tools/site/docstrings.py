"""An extension of griffe: the section `Example:` of our docstrings is its `Examples:`."""

from __future__ import annotations

import re
from typing import Any

import griffe

_HEADING = re.compile(r"^Example:\s*$", re.MULTILINE)


class Examples(griffe.Extension):
    """Renames the section, so that griffe shows sessions of the interpreter as code."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Renames the section of one docstring."""
        if obj.docstring:
            obj.docstring.value = _HEADING.sub("Examples:", obj.docstring.value)
