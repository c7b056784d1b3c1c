"""Versions that can be compared."""

from __future__ import annotations

import re
from functools import total_ordering


@total_ordering
class LooseVersion:
    """A version of numbers and words; words come before numbers."""

    def __init__(self, vstring: str) -> None:
        self.vstring = vstring
        self.version = [int(part) if part.isdigit() else part for part in self._split()]

    def _split(self) -> list[str]:
        return re.findall(r"\d+|[a-z]+", self.vstring.lower())

    def _key(self) -> list[tuple[bool, int, str]]:
        return [
            (part.isdigit(), int(part) if part.isdigit() else 0, part) for part in self._split()
        ]

    def __eq__(self, other: object) -> bool:
        return self._key() == LooseVersion(str(other))._key()

    def __lt__(self, other: object) -> bool:
        return self._key() < LooseVersion(str(other))._key()

    def __hash__(self) -> int:
        return hash(tuple(self._key()))

    def __str__(self) -> str:
        return self.vstring


StrictVersion = LooseVersion
