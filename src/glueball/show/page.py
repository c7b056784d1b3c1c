"""Puts a page together: one file that loads nothing and in which nothing of a model is HTML."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from pathlib import Path
from string import Template
from typing import Any

_FOLDER = Path(__file__).parent
_SCRIPTS = ("layout.js", "graph.js", "table.js", "page.js")
_UNSAFE = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}
"""What could end a script or begin a tag, as JSON may write it."""


def make_page(description: dict[str, Any]) -> str:
    """Returns the page of a model.

    The browser runs the script of this package alone: the policy of the page names its checksum,
    and the description is data, which the script puts into the page as text.

    Args:
        description: What `describe` returned.
    """
    script = "\n".join(_read(name) for name in _SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return Template(_read("page.html")).substitute(
        title=html.escape(description["title"]),
        policy=f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'",
        style=_read("page.css"),
        model=json.dumps(description).translate(_UNSAFE),
        script=script,
    )


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
