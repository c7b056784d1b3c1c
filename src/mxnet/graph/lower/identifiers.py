"""Names that torch may write into source: of variables in graphs, and of members of modules."""

from __future__ import annotations

import builtins
import hashlib
import keyword
import re
from collections.abc import Container, Iterable

_MAX_LENGTH = 80
_WORDS = frozenset((*keyword.kwlist, "self"))
_RESERVED = {
    *_WORDS,
    *dir(builtins),
    *("forward", "torch", "device", "inf", "nan", "NoneType", "fx_pytree", "pytree"),
}
"""What a name in source that `torch.fx` writes would hide, or be hidden by."""


def safe_word(name: str, taken: Container[str] = ()) -> str:
    """Returns a word for a name, of which a module of torch may have a child or a parameter.

    torch writes such names into source, and those in the file of a stranger may be anything: all
    but words are replaced, by another word for each. Numbers are words, as children have them.

    Args:
        name: The name.
        taken: Words that are in use already.
    """
    if re.fullmatch(r"[A-Za-z0-9_]{1,80}", name) and name not in _WORDS and name not in taken:
        return name
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()
    stem = re.sub(r"[^A-Za-z0-9_]", "_", name[:40])
    return f"{stem}_{digest[:12]}"


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
