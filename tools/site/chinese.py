"""Words of Chinese text for the search, whose tokens are what stands between spaces.

A dictionary of the whole language is not needed: readers look for the terms of `chinese_terms.txt`,
and what is no term is found character by character. The browser splits what they type by the tokens
of the index, so that compounds of terms are found as well.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

TERMS = frozenset(Path(__file__).with_name("chinese_terms.txt").read_text("utf-8").split())
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_LONGEST = max(map(len, TERMS))
_BOUNDARY = "\u200b"
"""A space without width, which the search takes for one."""


def split(text: str) -> list[str]:
    """Returns Chinese text as terms, the longest ones, and single characters between them."""
    words = []
    start = 0
    while start < len(text):
        lengths = range(min(_LONGEST, len(text) - start), 1, -1)
        length = next((size for size in lengths if text[start : start + size] in TERMS), 1)
        words.append(text[start : start + length])
        start += length
    return words


def mark_words(text: str) -> str:
    """Returns a text with invisible boundaries around its Chinese words."""
    return _HAN.sub(lambda match: f"{_BOUNDARY}{_BOUNDARY.join(split(match[0]))}{_BOUNDARY}", text)


def mark_index(path: Path) -> None:
    """Marks the words in the index of the search."""
    index = json.loads(path.read_text(encoding="utf-8"))
    for entry in index["docs"]:
        entry["title"] = mark_words(entry["title"])
        entry["text"] = mark_words(entry["text"])
    path.write_text(json.dumps(index, separators=(",", ":")), encoding="utf-8")
