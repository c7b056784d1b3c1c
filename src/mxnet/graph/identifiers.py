"""Names of variables as identifiers of Python, for people who read a lowered graph."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable

_MAX_LENGTH = 80
_RESERVED = {
    *keyword.kwlist,
    *dir(builtins),
    *("self", "forward", "torch", "device", "inf", "nan", "NoneType", "fx_pytree", "pytree"),
}
"""What a name in source that `torch.fx` writes would hide, or be hidden by."""


def identifiers(names: Iterable[str]) -> list[str]:
    """Returns an identifier for each name: alike where that is possible, and each only once."""
    used = set(_RESERVED)
    found = []
    for name in names:
        stem = re.sub(r"[^A-Za-z0-9_]", "_", name[:_MAX_LENGTH])
        # Those with underscores in front may be names of the language, such as __debug__.
        if not stem or stem[0].isdigit() or stem.startswith("__"):
            stem = f"input_{stem}"
        chosen, count = stem, 0
        while chosen in used:
            count += 1
            chosen = f"{stem}_{count}"
        used.add(chosen)
        found.append(chosen)
    return found
