"""Writes golden JSON, one fact per line, so that a changed fact is a changed line in a review."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_WIDTH = 100


def write_json(path: str | Path, value: Any) -> None:
    """Writes a value to a file, one fact per line; keys stay in their order."""
    Path(path).write_text(as_text(value) + "\n", encoding="utf-8")


def as_text(value: Any, indent: str = "") -> str:
    """Formats a value: objects and lists that are longer than a line have one item per line.

    A list of numbers is one fact, however long it is.
    """
    text = json.dumps(value)
    is_fact = isinstance(value, list) and all(isinstance(item, (int, float)) for item in value)
    if not isinstance(value, (dict, list)) or is_fact or len(indent) + len(text) < _WIDTH:
        return text
    inner = indent + " "
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {as_text(item, inner)}" for key, item in value.items()]
    else:
        items = [as_text(item, inner) for item in value]
    first, last = text[0], text[-1]
    return f"{first}\n" + ",\n".join(inner + item for item in items) + f"\n{indent}{last}"
